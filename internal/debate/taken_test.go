package debate

import "testing"

// complaining opens with changes that it asks for because of some claims.
func complaining(claims ...NewClaim) Reply {
	return Reply{Summary: "it breaks", Disposition: Revise, Confidence: DeclaredHigh, Claims: claims}
}

// complaint is a change for which both models ask for changes, because of a P2 that both
// hold, and because of what gpt says besides.
func complaint(also ...NewClaim) scene { return complaintAs("F1", "F2", also...) }

// complaintAs is a complaint whose findings get these ids: claude's, and gpt's.
func complaintAs(first, second string, also ...NewClaim) scene {
	x := newScene("gpt")
	x.first.Settings.FailOn = FailP1
	x.say("OPEN/0/claude", complaining(defect(P2, "it leaks", 3)))
	says := agreeing(supporting(first))
	says.Recommendation, says.Claims = Revise, also
	x.say("CHALLENGE/1/gpt", says)
	x.say("RESPOND/2/claude", Reply{Evaluations: []Evaluating{supporting(second)}})
	x.say("REBUT/2/gpt", Reply{})
	return x
}

// fault is a defect of lines that say something else.
func fault(severity Severity, title string) NewClaim {
	c := defect(severity, title, 6)
	c.Refs[0].Quote = "another line of code"
	return c
}

// dismissing is an order of bob.
func dismissing(target string) Order {
	return Order{Kind: OrderDismiss, Target: target, Reason: "it is meant", By: Actor{Login: "bob", Permission: WriteAccess}}
}

// TestStanceEndsWithItsReason: a model that asks for changes because of findings that people
// dismissed, or decided on an earlier commit to merge with, counts for keep. One that has
// another reason does not.
func TestStanceEndsWithItsReason(t *testing.T) {
	t.Parallel()
	another := fault(P2, "it is slow")
	for name, row := range map[string]struct {
		scene func() scene
		taken func(x *scene, was State)
		check Conclusion
		held  Disposition
	}{
		"nothing was taken out": {func() scene { return complaint() }, func(*scene, State) {}, Failure, Revise},
		"it was dismissed": {func() scene { return complaint() }, func(x *scene, was State) {
			x.first.Orders = []Order{dismissing(Key(was.Book.Claims[0]))}
		}, Success, Keep},
		"it was dismissed by somebody who may not": {func() scene { return complaint() }, func(x *scene, was State) {
			x.first.Orders = []Order{dismissing(Key(was.Book.Claims[0]))}
			x.first.Orders[0].By.Permission = ReadAccess
		}, Failure, Revise},
		"another one is left": {func() scene { return complaint(another) }, func(x *scene, was State) {
			x.first.Orders = []Order{dismissing(Key(was.Book.Claims[0]))}
		}, Failure, Revise},
		"both were dismissed": {func() scene { return complaint(another) }, func(x *scene, was State) {
			x.first.Orders = []Order{dismissing(Key(was.Book.Claims[0])), dismissing(Key(was.Book.Claims[1]))}
		}, Success, Keep},
	} {
		t.Run(name, func(t *testing.T) {
			x := row.scene()
			row.taken(&x, row.scene().run(t).end())
			s := x.run(t).end()
			conclusion, why := checkOf(s)
			if d := s.Agenda.d0(); conclusion != row.check || d.Held != string(row.held) || s.Ending.Disposition != row.held {
				t.Errorf("the check is %s (%s), %q is held, %s is recommended", conclusion, why, d.Held, s.Ending.Disposition)
			}
		})
	}
}

// TestObjectionIsAReasonOfItsOwn: a model whose findings are taken out and that also objects
// to the change in other words, or quotes other lines, goes on asking for changes.
func TestObjectionIsAReasonOfItsOwn(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		change func(*Challenge)
		stays  bool
	}{
		"it says what it would choose":            {func(*Challenge) {}, false},
		"that was conceded":                       {func(k *Challenge) { k.Status = Conceded }, false},
		"it says something else":                  {func(k *Challenge) { k.Option = "" }, true},
		"something else was conceded":             {func(k *Challenge) { k.Option, k.Status = "", Conceded }, true},
		"something else, and that is over":        {func(k *Challenge) { k.Option, k.Status = "", Resolved }, false},
		"it quotes the lines that were taken out": {func(k *Challenge) { k.Evidence = shownAt("a.go", 3) }, false},
		"it quotes other lines":                   {func(k *Challenge) { k.Evidence = shownAt("a.go", 7) }, true},
	} {
		t.Run(name, func(t *testing.T) {
			k := Challenge{ID: "K1", Claim: PositionSubject, Attacker: "gpt", Status: Open, Strength: StrengthModerate, Option: Revise}
			row.change(&k)
			s := State{Book: Book{
				Claims:     []Claim{{ID: "F1", Owner: "gpt", Severity: P2, Bucket: Dismissed, Reason: ReasonHuman, Evidence: shownAt("a.go", 3)}},
				Challenges: []Challenge{k},
			}}
			if got := !s.peopleAnswered("gpt"); got != row.stays {
				t.Errorf("it goes on asking for changes: %v", got)
			}
		})
	}
}

// TestOnlyPeopleTakeOut: what fell otherwise answers no model.
func TestOnlyPeopleTakeOut(t *testing.T) {
	t.Parallel()
	for reason, taken := range map[Reason]bool{ReasonHuman: true, ReasonKnown: false, ReasonConceded: false, ReasonUndefended: false, ReasonFixed: false} {
		s := State{Book: Book{Claims: []Claim{{ID: "F1", Owner: "gpt", Severity: P2, Bucket: Dismissed, Reason: reason}}}}
		if s.peopleAnswered("gpt") != taken {
			t.Errorf("%s: answered is %v", reason, !taken)
		}
	}
}

// TestDismissedOnTheSameHead: what models chose because of a finding ends with it as soon as
// a person dismisses it; what is left of a debate that forgot findings decides nothing.
func TestDismissedOnTheSameHead(t *testing.T) {
	t.Parallel()
	p := complaint().run(t)
	for name, row := range map[string]struct {
		change func(*Memory)
		order  Order
		check  Conclusion
	}{
		"dismissed":                    {func(*Memory) {}, dismissing("F1"), Success},
		"another order":                {func(*Memory) {}, Order{Kind: OrderWaive, Target: "security", By: Actor{Login: "bob", Permission: AdminRole}}, Failure},
		"findings have been forgotten": {func(m *Memory) { m.Forgotten = 3 }, dismissing("F1"), Failure},
	} {
		t.Run(name, func(t *testing.T) {
			m := p.left()
			row.change(m)
			s := p.recalled(m, row.order).end()
			if conclusion, why := checkOf(s); conclusion != row.check {
				t.Errorf("the check is %s (%s)", conclusion, why)
			}
		})
	}
}

// TestDecidedToMergeWith: on a later commit nothing counts that a person could read when
// deciding to merge, neither the finding nor the model that asks for changes because of it.
// What is new does.
func TestDecidedToMergeWith(t *testing.T) {
	t.Parallel()
	migrates := func(x scene) scene {
		x.triggers = []Trigger{seen(ClassContent, 3)}
		return x
	}
	for name, row := range map[string]struct {
		via   Via
		also  []NewClaim
		check Conclusion
	}{
		"the command":      {ViaCommand, nil, Success},
		"a click":          {ViaCompleted, nil, Success},
		"something is new": {ViaCommand, []NewClaim{fault(P2, "it is slow")}, ActionRequired},
		"a P3 is new":      {ViaCommand, []NewClaim{fault(P3, "typo")}, Success},
	} {
		t.Run(name, func(t *testing.T) {
			p := migrates(complaint()).run(t)
			ev := answer(p.end(), "keep")
			ev.Via = row.via
			p.take(ev)
			p.goOn(t)
			if conclusion, why := checkOf(p.end()); conclusion != Success {
				t.Fatalf("after the answer: %s (%s)", conclusion, why)
			}
			x := migrates(complaintAs("F2", "F3", row.also...)) // F1 is the finding of the first head
			x.head, x.first.Previous = "h2", p.end().Memory().Previous()
			s := x.run(t).end()
			if conclusion, why := checkOf(s); conclusion != row.check {
				t.Errorf("the check is %s (%s)", conclusion, why)
			}
		})
	}
}

// TestWordsBesideADecision: a model that asks for changes on a later commit and has no finding
// of its own does not stop the decision of a person to merge. A finding does, a quote that
// no one has seen does, and words stop a change about which a person decided nothing.
func TestWordsBesideADecision(t *testing.T) {
	t.Parallel()
	grumbles := func(claims ...NewClaim) scene {
		x := newScene("gpt")
		x.first.Settings.FailOn, x.first.Settings.Gate = FailP1, Required
		x.triggers = []Trigger{seen(ClassContent, 3)}
		x.say("OPEN/0/claude", complaining(claims...))
		says := agreeing()
		for i := range claims {
			says.Evaluations = append(says.Evaluations, supporting("F"+string(rune('1'+i))))
		}
		says.Recommendation, says.Verdict = Revise, VerdictAgree
		says.Checked = []Check{{Scenario: "an empty list"}}
		x.say("CHALLENGE/1/gpt", says)
		x.say("RESPOND/2/claude", Reply{})
		x.say("REBUT/2/gpt", Reply{})
		return x
	}
	for name, row := range map[string]struct {
		claims  []NewClaim
		decided bool
		check   Conclusion
	}{
		"words alone":                    {nil, true, Success},
		"words alone, without an answer": {nil, false, ActionRequired},
		"a finding":                      {[]NewClaim{fault(P2, "it is slow")}, true, ActionRequired},
	} {
		t.Run(name, func(t *testing.T) {
			x := grumbles(row.claims...)
			if row.decided {
				p := grumbles().run(t)
				p.take(answer(p.end(), "keep"))
				p.goOn(t)
				x.first.Previous = p.end().Memory().Previous()
			}
			x.head = "h2"
			s := x.run(t).end()
			if conclusion, why := checkOf(s); conclusion != row.check {
				t.Errorf("the check is %s (%s)", conclusion, why)
			}
		})
	}
}

// TestAskedAgainBesideADecision: something new beside what a person decided to merge with has
// the question asked again, and says what it is. The answer holds again once that is gone, and
// another person's answer takes its place.
func TestAskedAgainBesideADecision(t *testing.T) {
	t.Parallel()
	head := func(name string, before Previous, also ...NewClaim) *played {
		x := complaint(also...)
		x.say("RESPOND/2/claude", Reply{}) // claude says nothing of what gpt adds
		x.triggers, x.head, x.first.Previous = []Trigger{seen(ClassContent, 3)}, name, before
		return x.run(t)
	}
	first := head("h1", Previous{})
	first.take(answer(first.end(), "keep"))
	first.goOn(t)
	second := head("h2", first.end().Memory().Previous(), fault(P1, "it crashes"))
	s := second.end()
	d := s.Agenda.d0()
	if conclusion, why := checkOf(s); conclusion != ActionRequired || d.Outcome != AwaitingHuman {
		t.Fatalf("the check is %s (%s), D0 is %s", conclusion, why, d.Outcome)
	}
	if got := s.NewSince(); len(got) != 1 || s.Book.named(got[0]).Title != "it crashes" || len(d.Human.Earlier) != 1 || d.Human.Earlier[0].By != "bob" {
		t.Errorf("new are %v, beside %+v", got, d.Human.Earlier)
	}
	third := head("h3", second.left().Previous())
	if conclusion, why := checkOf(third.end()); conclusion != Success {
		t.Errorf("once it is gone the check is %s (%s)", conclusion, why)
	}
	revise := answer(s, "revise")
	revise.By.Login = "ann"
	second.take(revise)
	second.goOn(t)
	fourth := head("h4", second.left().Previous()).end()
	if h := fourth.Agenda.d0().item(); h.By != "ann" || h.Option != "revise" {
		t.Errorf("after another answer %s chose %q", h.By, h.Option)
	}
}
