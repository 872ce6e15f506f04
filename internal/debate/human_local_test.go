package debate

import "testing"

// here is the answer of whoever holds the record.
func here(s State, option string) Decided {
	ev := answer(s, option)
	ev.Via, ev.By = ViaLocal, Actor{Login: "ada"}
	return ev
}

// TestDecidedLocally: on the command line the user of the machine decides without any
// authority, what waits for a person and what was left open, once.
func TestDecidedLocally(t *testing.T) {
	t.Parallel()
	x := waiting()
	p := x.run(t)
	asked := p.end()
	for name, change := range map[string]func(ev *Decided){
		"another question": func(ev *Decided) { ev.Fingerprint = "x" },
		"another head":     func(ev *Decided) { ev.Head = "x" },
		"no option":        func(ev *Decided) { ev.Option = "merge" },
		"nobody":           func(ev *Decided) { ev.By.Login = "" },
		"with authority":   func(ev *Decided) { ev.By.Permission = WriteAccess },
		"a bot":            func(ev *Decided) { ev.By.Bot = true },
	} {
		ev := here(asked, "keep")
		change(&ev)
		after, err := Apply(asked, Entry{N: asked.N + 1, At: asked.Clock.At, Event: ev})
		if err == nil || after.Agenda.Decisions[0].Outcome != AwaitingHuman {
			t.Errorf("%s: it was taken (%v)", name, err)
		}
	}
	decided, err := Apply(asked, Entry{N: asked.N + 1, At: asked.Clock.At, Event: here(asked, "keep")})
	if err != nil {
		t.Fatal(err)
	}
	d := decided.Agenda.Decisions[0]
	if d.Outcome != HumanDecided || d.Human.By != "ada" || !d.Human.Local || decided.Ending.Disposition != Keep {
		t.Errorf("%s by %q, local %v, %s", d.Outcome, d.Human.By, d.Human.Local, decided.Ending.Disposition)
	}
	if _, err := Apply(decided, Entry{N: decided.N + 1, At: decided.Clock.At, Event: here(decided, "reject")}); err == nil {
		t.Error("it was decided twice")
	}
	by := answer(asked, "keep")
	by.By.Permission = NoPermission
	refused, err := Apply(asked, Entry{N: asked.N + 1, At: asked.Clock.At, Event: by})
	if err != nil || refused.Agenda.Decisions[0].Outcome != AwaitingHuman {
		t.Errorf("who has no access decided in another way (%v)", err)
	}
}

// TestLeftOpenIsDecidedLocally: what no debate settled and nobody was asked can be
// decided on the command line, and in no other way.
func TestLeftOpenIsDecidedLocally(t *testing.T) {
	t.Parallel()
	x := newScene("gpt")
	x.parties[1].Status = PartyAuth
	x.say("LOCAL/0/claude", proposing())
	p := x.run(t)
	s := p.end()
	if d := s.Agenda.Decisions[0]; d.Outcome != Undecided || d.Human != nil || s.Stage != StageDone {
		t.Fatalf("D0 is %s in %s", d.Outcome, s.Stage)
	}
	if _, err := Apply(s, Entry{N: s.N + 1, At: s.Clock.At, Event: answer(s, "reject")}); err == nil {
		t.Error("somebody answered what nobody was asked")
	}
	after, err := Apply(s, Entry{N: s.N + 1, At: s.Clock.At, Event: here(s, "reject")})
	if err != nil {
		t.Fatal(err)
	}
	if after.Ending.Disposition != Reject || !after.Agenda.Decisions[0].Human.Local || s.Agenda.Decisions[0].Human != nil {
		t.Errorf("it came to %s", after.Ending.Disposition)
	}
}
