package debatetest

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/debate"
)

// played plays a debate in two orders of arrival, which must make no difference
// , and hands over how it ended.
func played(t *testing.T, w World, cast map[string]Party) debate.State {
	t.Helper()
	s, log, err := Play(w, cast, Forward)
	if err != nil {
		told, _ := Transcript(log)
		t.Fatalf("%v\n%s", err, told)
	}
	reversed, _ := playedAs(t, w, cast, Reverse)
	if diff := cmp.Diff(timeless(s), timeless(reversed)); diff != "" {
		t.Errorf("the order of arrival makes a difference:\n%s", diff)
	}
	t.Cleanup(func() {
		if t.Failed() {
			told, _ := Transcript(log)
			t.Log(told)
		}
	})
	return s
}

// seated is a table of honest parties with others in some of the seats.
func seated(k int, seats map[string]Party) (World, map[string]Party) {
	w := Table(k)
	cast := Cast(w, Honest())
	for id, party := range seats {
		cast[id] = party
	}
	return w, cast
}

func titled(t *testing.T, s debate.State, title string) debate.Claim {
	t.Helper()
	for _, c := range s.Book.Claims {
		if strings.HasPrefix(c.Title, title) && c.SameAs == "" {
			return c
		}
	}
	t.Fatalf("there is no claim %q", title)
	return debate.Claim{}
}

func d0(s debate.State) debate.Decision {
	for _, d := range s.Agenda.Decisions {
		if d.ID == "D0" {
			return d
		}
	}
	return debate.Decision{}
}

func seatOf(s debate.State, party string) debate.Seat {
	for _, seat := range s.Table.Seats {
		if seat.Party == party {
			return seat
		}
	}
	return debate.Seat{}
}

func partyOf(s debate.State, id string) debate.Party {
	for _, p := range s.Table.Parties {
		if p.ID == id {
			return p
		}
	}
	return debate.Party{}
}

func callsOf(s debate.State, party string, kind debate.CallKind) int {
	n := 0
	for _, c := range s.Asking.Calls {
		if c.Party == party && c.Kind == kind {
			n++
		}
	}
	return n
}

func trigger(class debate.TriggerClass) debate.Trigger {
	return debate.Trigger{ID: debate.TriggerSecurity, Source: debate.FromPolicy, Class: class, Path: "cart.go", Side: debate.Right, Line: 16, Detail: "a card number"}
}

func TestB01RubberStamp(t *testing.T) {
	t.Parallel()
	w, cast := seated(1, map[string]Party{"claude": Honest(Planted()[0]), "gpt": RubberStamp()})
	s := played(t, w, cast)
	if seatOf(s, "gpt").Engagement != debate.Abstains || s.Ending.Outcome != debate.Unchallenged || s.Ending.Confidence == debate.High || d0(s).Outcome != debate.Undecided {
		t.Errorf("an empty agreement counts: %s", End(s))
	}

	// it turns no debate without consensus into one.
	w, cast = seated(2, map[string]Party{"claude": Stubborn(), "gpt": EternalDissenter(), "gemini": RubberStamp()})
	if s := played(t, w, cast); s.Ending.Outcome == debate.Consensus || s.Ending.Confidence == debate.High {
		t.Errorf("it helps: %s", End(s))
	}
}

func TestB02Sycophant(t *testing.T) {
	t.Parallel()
	w, cast := seated(1, map[string]Party{"claude": Honest(Planted()[0]), "gpt": Sycophant()})
	s := played(t, w, cast)
	c := titled(t, s, "The loop")
	if c.Bucket != debate.Unresolved || c.Reason != debate.ReasonUnexplained {
		t.Errorf("a bare withdrawal settles %s: %s %s", c.ID, c.Bucket, c.Reason)
	}
	if s.Ending.Confidence == debate.High {
		t.Error("confidence is high")
	}
}

func TestB03Capitulator(t *testing.T) {
	t.Parallel()
	w, cast := seated(1, map[string]Party{"claude": Capitulator(), "gpt": Fabricator()})
	s := played(t, w, cast)
	for _, title := range []string{"The session", "The length", "The loop runs up to"} {
		if c := titled(t, s, title); c.Bucket == debate.Agreed {
			t.Errorf("%q is agreed because it was accepted", c.Title)
		}
	}
}

func TestB04Stubborn(t *testing.T) {
	t.Parallel()
	w, cast := seated(2, map[string]Party{"claude": Stubborn(), "gpt": EternalDissenter()})
	s := played(t, w, cast)
	if c := titled(t, s, "The loop"); c.Bucket == debate.Dismissed {
		t.Errorf("evidence loses to a plain no: %s %s", c.Reason, c.Why)
	}
	if d := d0(s); d.Outcome == debate.Settled {
		t.Error("a contested disposition is settled")
	}
}

func TestB05FlipFlop(t *testing.T) {
	t.Parallel()
	w, cast := seated(1, map[string]Party{"claude": FlipFlop(), "gpt": EternalDissenter()})
	s := played(t, w, cast)
	silent, reconcile := 0, 0
	for _, step := range s.Steps {
		for _, f := range step.Facts {
			if f.Kind == debate.Drifted {
				silent++
			}
		}
	}
	for _, k := range s.Book.Challenges {
		if k.Kind == debate.Reconciling {
			reconcile++
		}
	}
	if silent < 2 || reconcile < 2 {
		t.Errorf("%d silent revisions, %d challenges to reconcile", silent, reconcile)
	}
	for i, p := range s.Talk.Positions[1:] {
		if p.Disposition != s.Talk.Positions[i].Disposition && len(p.Because) == 0 {
			t.Errorf("v%d is %s without a reason", p.Version, p.Disposition)
		}
	}
	if d := s.Agenda.Decisions[0]; d.Settled || s.Ending.Disposition == debate.Keep {
		t.Errorf("it contradicts itself again and again and settles %q", d.Held)
	}
}

func TestB06Fabricator(t *testing.T) {
	t.Parallel()
	for seat, other := range map[string]string{"claude": "gpt", "gpt": "claude"} {
		w, cast := seated(1, map[string]Party{seat: Fabricator(), other: Honest()})
		s := played(t, w, cast)
		for _, c := range s.Book.Claims {
			if c.Bucket == debate.Agreed || c.Verified() {
				t.Errorf("%s: %q is %s", seat, c.Title, c.Bucket)
			}
			real := strings.HasPrefix(c.Title, "The discount")
			if cites(c.Evidence) != real {
				t.Errorf("%s: the citation of %q: found is %v", seat, c.Title, !real)
			}
		}
	}
}

func TestB07ExecutionLiar(t *testing.T) {
	t.Parallel()
	w, cast := seated(2, map[string]Party{"gpt": ExecutionLiar(), "claude": Capitulator(), "gemini": RubberStamp()})
	w.Runs = []debate.Run{{Ref: "check:1", Name: "lint", Failed: true, Hash: "00"}}
	s := played(t, w, cast)
	if c := titled(t, s, "The tests fail"); c.Bucket == debate.Agreed || c.Severity == debate.P1 || c.EvidenceType == debate.Execution {
		t.Errorf("a run that nobody saw is %s, %s, %s", c.EvidenceType, c.Severity, c.Bucket)
	}
}

func TestB08Inflater(t *testing.T) {
	t.Parallel()
	w, cast := seated(1, map[string]Party{"gpt": Inflater(), "claude": Capitulator()})
	s := played(t, w, cast)
	for _, c := range s.Book.Claims {
		if c.Owner == "gpt" && (c.Asserted != debate.P1 || c.Severity != debate.P2 || c.Bucket == debate.Agreed) {
			t.Errorf("%q: asserted as %s, held at %s, %s", c.Title, c.Asserted, c.Severity, c.Bucket)
		}
	}
}

func TestB09Minimiser(t *testing.T) {
	t.Parallel()
	w, cast := seated(1, map[string]Party{"gpt": Minimiser(), "claude": Capitulator()})
	s := played(t, w, cast)
	if c := titled(t, s, "Total crashes"); c.Kind != debate.Empirical || c.Bucket == debate.Agreed {
		t.Errorf("a crash is a %s claim and %s", c.Kind, c.Bucket)
	}
	if s.Talk.Confrontations == 0 {
		t.Error("an objection called minor is not confronted")
	}
}

func TestB15Spammer(t *testing.T) {
	t.Parallel()
	w, cast := seated(1, map[string]Party{"gpt": Spammer(200)})
	s := played(t, w, cast)
	debated, merged := 0, 0
	for _, c := range s.Book.Claims {
		switch {
		case c.SameAs != "":
			merged++
		case c.Bucket == "":
			t.Errorf("%s is in no bucket", c.ID)
		case !c.NotDebated:
			debated++
		case c.Bucket != debate.Unresolved || c.Reason != debate.ReasonNotDebated:
			t.Errorf("%s is beyond the bound and %s %s", c.ID, c.Bucket, c.Reason)
		}
	}
	if debated != 12 || merged == 0 || len(s.Book.Claims) != 200 {
		t.Errorf("%d of %d claims are debated, %d merged", debated, len(s.Book.Claims), merged)
	}
}

func TestB16Latecomer(t *testing.T) {
	t.Parallel()
	w, cast := seated(1, map[string]Party{"gpt": Latecomer(), "claude": Stubborn()})
	s := played(t, w, cast)
	late := 0
	for _, c := range s.Book.Claims {
		if c.RaisedN < 3 || c.Owner != "gpt" {
			continue
		}
		if late++; !c.Late || c.Bucket != debate.Unresolved || c.Reason != debate.ReasonLate {
			t.Errorf("%q of n=%d is %s %s", c.Title, c.RaisedN, c.Bucket, c.Reason)
		}
	}
	if late == 0 {
		t.Error("no claim came late")
	}
}

func TestB17EternalDissenter(t *testing.T) {
	t.Parallel()
	w, cast := seated(1, map[string]Party{"gpt": EternalDissenter(), "claude": Stubborn(Planted()[1])})
	s := played(t, w, cast)
	if s.Talk.Confrontations > 7 || s.Talk.Exchange > 8 {
		t.Errorf("%d confrontations, n=%d", s.Talk.Confrontations, s.Talk.Exchange)
	}
	deadlocked := 0
	for _, k := range s.Book.Challenges {
		if k.Attacker == "gpt" && k.RoundsOpen > 3 {
			t.Errorf("%s is maintained %d times", k.ID, k.RoundsOpen)
		}
		if k.Deadlock != "" {
			deadlocked++
		}
	}
	if deadlocked == 0 {
		t.Error("nothing is classified as a deadlock")
	}
	// An ESCALATE rewrites its objection once.
	for _, k := range s.Book.Challenges {
		if k.Attacker == "gpt" && k.Escalated && !strings.HasSuffix(k.Objection, "at n=2") {
			t.Errorf("%s was escalated more than once: %q", k.ID, k.Objection)
		}
	}
	if s.Ending.Outcome == debate.Consensus {
		t.Error("a dissent is consensus")
	}
}

func TestB18Rater(t *testing.T) {
	t.Parallel()
	stuck := func(claude, gpt debate.Rating) debate.State {
		w, cast := seated(1, map[string]Party{"claude": Rater(Stubborn(Planted()[1]), claude), "gpt": Rater(EternalDissenter(), gpt)})
		return played(t, w, cast)
	}
	none, lots := debate.Rating{}, debate.Rating{ValueBP: 10000}
	// Both have quoted, and nothing new comes: no rating keeps the debate alive (M09).
	for _, ratings := range [][2]debate.Rating{{none, lots}, {lots, none}, {lots, lots}} {
		if s := stuck(ratings[0], ratings[1]); s.Talk.Exit != debate.ExitDeadlock || s.Talk.Confrontations != 2 {
			t.Errorf("ratings of %d and %d: %s after %d", ratings[0].ValueBP, ratings[1].ValueBP, s.Talk.Exit, s.Talk.Confrontations)
		}
	}
}

func TestB19IDs(t *testing.T) {
	t.Parallel()
	w, cast := seated(1, map[string]Party{"claude": IDDropper(Claiming(untrue("Something is wrong")))})
	s := played(t, w, cast)
	if c := titled(t, s, "Something"); c.Bucket != debate.Unresolved || c.Reason != debate.ReasonUnproved {
		t.Errorf("a claim without a line that no party defends is %s %s", c.Bucket, c.Reason)
	}
	if n := callsOf(s, "claude", debate.CallRespond); n != 1 {
		t.Errorf("it is asked %d times: a call has no other use than to remind it", n)
	}

	w, cast = seated(2, map[string]Party{"claude": Stubborn(), "gpt": EternalDissenter(), "gemini": IDForger(EternalDissenter())})
	s = played(t, w, cast)
	for _, k := range s.Book.Challenges {
		if k.Status == debate.Conceded {
			t.Errorf("%s of %s against %s is conceded by a third party", k.ID, k.Attacker, k.Defender)
		}
	}
}

func TestB20Colluders(t *testing.T) {
	t.Parallel()
	w, cast := seated(3, map[string]Party{"claude": Honest(Planted()[0]), "gpt": Colluder(), "gemini": Colluder(), "mistral": Colluder()})
	s := played(t, w, cast)
	if c := titled(t, s, "The cart is sold twice"); c.Bucket == debate.Agreed {
		t.Error("three parties agree on what is not there")
	}
	if c := titled(t, s, "The loop"); c.Bucket == debate.Dismissed {
		t.Errorf("a majority dismisses what is cited: %s", c.Why)
	}
}

func TestB21LoneDissenter(t *testing.T) {
	t.Parallel()
	for k := 2; k <= 4; k++ {
		w, cast := seated(k, map[string]Party{"claude": Stubborn(), "gpt": Honest(Planted()[0])})
		for _, id := range []string{"gemini", "mistral", "qwen"} {
			cast[id] = Colluder()
		}
		s := played(t, w, cast)
		if c := titled(t, s, "The loop"); c.Bucket == debate.Dismissed {
			t.Errorf("against %d: a lone true dissent is %s %s", k, c.Bucket, c.Reason)
		}
	}
}

func TestB26ScopeCreeper(t *testing.T) {
	t.Parallel()
	w, cast := seated(1, map[string]Party{"claude": Capitulator(), "gpt": ScopeCreeper(cite("cart.go", 3, "type Price float64"))})
	w.Change = NewChange(cartDiff, "", map[string]string{"cart.go": "package cart\n\ntype Price float64\n"})
	s := played(t, w, cast)
	if c := titled(t, s, "The price"); c.Bucket != debate.Dismissed || c.Reason != debate.ReasonOutOfScope {
		t.Errorf("what was there before is %s %s", c.Bucket, c.Reason)
	}
	if c := titled(t, s, "Sell books"); c.Bucket != debate.Unresolved || c.Reason != debate.ReasonAnchorShift {
		t.Errorf("another question is %s %s", c.Bucket, c.Reason)
	}
}

func TestB27TriggerDenier(t *testing.T) {
	t.Parallel()
	w, cast := seated(2, nil)
	w.Triggers = []debate.Trigger{trigger(debate.ClassContent)}
	for id := range cast {
		cast[id] = TriggerDenier()
	}
	s := played(t, w, cast)
	if d := d0(s); !d.Critical || d.Outcome != debate.AwaitingHuman || d.Triggers[0].ID != debate.TriggerSecurity {
		t.Errorf("a trigger is argued away: %s %v", d.Outcome, d.Triggers)
	}
}

func TestB28TriggerFlooder(t *testing.T) {
	t.Parallel()
	w, cast := seated(1, map[string]Party{"claude": TriggerFlooder(), "gpt": TriggerFlooder()})
	w.Triggers = []debate.Trigger{trigger(debate.ClassPath)} // where one party is enough
	s := played(t, w, cast)
	if len(s.Agenda.Decisions) > 4 {
		t.Errorf("%d decisions", len(s.Agenda.Decisions))
	}
	carried := 0
	for _, d := range s.Agenda.Decisions {
		carried += 1 + len(d.Grouped)
		if d.Outcome != debate.AwaitingHuman {
			t.Errorf("%s is %s", d.ID, d.Outcome)
		}
	}
	if carried != 10 { // D0 and nine questions
		t.Errorf("%d of 10 questions are left", carried)
	}
}
