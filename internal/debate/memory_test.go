package debate

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
)

// sealed is how many bytes a memory has where it is kept, without its seal.
func sealed(t *testing.T, m Memory) int {
	t.Helper()
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write([]byte(canonicalMemory(m))); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return base64.RawURLEncoding.EncodedLen(b.Len())
}

// flooded is a debate in which two parties raise n long claims each.
func flooded(t *testing.T, n int) played {
	t.Helper()
	flood := func(party string) []NewClaim {
		var list []NewClaim
		for i := range n {
			word := strings.Repeat(string(rune('a'+i%26)), 2+i/26) // claims that are not alike
			c := defect(pickAt(i, P1, P2, P3), party+word+" breaks "+word+word, 1+i%9)
			c.Refs[0].Quote = fmt.Sprintf("line of %s %d", party, i)
			c.Refs[0].Found.OK = i%2 == 0
			c.Body = strings.Repeat(word+" ", 900)
			list = append(list, c)
		}
		return list
	}
	x := newScene("gpt")
	x.say("OPEN/0/claude", proposing(flood("x")...))
	more := agreeing(supporting("F1"), supporting("F2"))
	more.Claims = flood("y")
	x.say("CHALLENGE/1/gpt", more)
	return *x.run(t)
}

func pickAt[E any](i int, list ...E) E { return list[i%len(list)] }

// TestMemoryFits: whatever parties write, what has to be remembered finds room in a
// comment, and the session that goes on from it comes to the same.
func TestMemoryFits(t *testing.T) {
	t.Parallel()
	const room = 40 << 10
	p := flooded(t, 300)
	m := p.left()
	if m == nil {
		t.Fatalf("the debate ended in stage %s", p.end().Stage)
	}
	least := m.Short()
	if size := sealed(t, least); size > room {
		t.Errorf("%d claims take %d bytes", len(least.Book.Claims), size)
	}
	if least.Forgotten == 0 || least.Forgotten+len(least.Book.Claims) != len(m.Book.Claims) {
		t.Errorf("%d claims are kept and %d forgotten of %d", len(least.Book.Claims), least.Forgotten, len(m.Book.Claims))
	}
	if why := decidesAlike(p.end(), p.recalled(&least).end()); why != "" {
		t.Error(why)
	}
	for _, c := range m.Book.live() {
		if c.Bucket == Agreed && least.Book.claim(c.ID) == nil {
			t.Errorf("%s, which is agreed on, is forgotten", c.ID)
		}
	}
}

// TestMemoryPrevious: a session on a new head begins with the agreed findings, with what people decided, and with what was reviewed and read.
func TestMemoryPrevious(t *testing.T) {
	t.Parallel()
	x := waiting()
	x.first.Previous = Previous{Heads: 2, Disputes: 1, NextF: 7}
	x.say("OPEN/0/claude", proposing(defect(P2, "it leaks", 3), defect(P3, "typo", 5)))
	x.say("CHALLENGE/1/gpt", agreeing(supporting("F7")))
	p := x.run(t)
	p.take(answer(p.end(), "keep"))
	p.goOn(t)
	p.take(Disputed{Claim: "F7", Text: "it does not", By: Actor{Login: "carol", Author: true}})
	p.goOn(t)
	m := p.left()
	s := p.end()
	c, d := s.Book.claim("F7"), s.Agenda.decision("D0")
	want := Previous{
		Head: "h1", Heads: 3, Disputes: 2, NextF: 7,
		Segments: []SegmentKey{{Path: "a.go", TextHash: "t1"}, {Path: "b.go", TextHash: "t2"}, {Path: BodyPath, TextHash: "t3"}},
		Findings: []Carried{{ID: "F7", Severity: P2, Category: Correctness, Title: "it leaks", Body: "it leaks", Cite: c.Cite(), Owner: "claude", Final: c.Final}},
		Decisions: []PriorDecision{{
			Fingerprint: d.Fingerprint, LinkedHash: d.LinkedHash, PersonAnswer: PersonAnswer{
				Option: "keep", By: "bob", At: d.Human.At, Head: "h1", Accepted: []Acceptance{{Key: Key(*c), Category: Correctness, AtMost: P2}},
			},
		}},
		ReadBefore: ReadBefore{ // the finding has a.go sent again
			Terms: p.first.Terms(s.Table.Parties), Base: "b", By: []string{"claude", "gpt"}, Files: []FileRead{{FileKey{"b.go", "2"}, "h1"}},
		},
	}
	same(t, want, m.Previous())
	micro, unknown := m.Asking.Spent()
	if wantMicro, wantUnknown := s.Asking.Spent(); micro != wantMicro || unknown != wantUnknown {
		t.Errorf("spent are %d, %v, remembered %d, %v", wantMicro, wantUnknown, micro, unknown)
	}
}

// TestRecallRefuses: a session goes on from what a debate left on the same change,
// and from nothing else.
func TestRecallRefuses(t *testing.T) {
	t.Parallel()
	p := waiting().run(t)
	tests := []struct {
		name   string
		change func(m *Memory)
		first  func(r *Received)
	}{
		{"version", func(m *Memory) { m.Protocol = "3" }, nil},
		{"head", func(m *Memory) { m.HeadSHA = "h0" }, nil},
		{"snapshot", func(m *Memory) { m.Snapshot = "other" }, nil},
		{"split", func(m *Memory) { m.Parts++ }, nil},
		{"no outcome", func(m *Memory) { m.Ending.Outcome = "" }, nil},
		{"aborted", func(m *Memory) { m.Ending.Outcome = Aborted }, nil},
		{"superseded", func(m *Memory) { m.Ending.Outcome = Superseded }, nil},
		{"two claims of an id", func(m *Memory) { m.Book.Claims = append(m.Book.Claims, Claim{ID: "F1"}, Claim{ID: "F1"}) }, nil},
		{"a claim without an id", func(m *Memory) { m.Book.Claims = append(m.Book.Claims, Claim{}) }, nil},
		{"merged into nothing", func(m *Memory) { m.Book.Claims = append(m.Book.Claims, Claim{ID: "F1", SameAs: "F2"}) }, nil},
		{"merged in a ring", func(m *Memory) {
			m.Book.Claims = append(m.Book.Claims, Claim{ID: "F1", SameAs: "F2"}, Claim{ID: "F2", SameAs: "F1"})
		}, nil},
		{"an attack on nothing", func(m *Memory) { m.Book.Challenges = append(m.Book.Challenges, Challenge{ID: "K1", Claim: "F9"}) }, nil},
		{"an attack of another number", func(m *Memory) {
			m.Book.Challenges = append(m.Book.Challenges, Challenge{ID: "K2", Claim: PositionSubject})
		}, nil},
		{"a seat of nobody", func(m *Memory) { m.Table.Seats[1].Party = "" }, nil},
		{"two seats of a party", func(m *Memory) { m.Table.Seats[1].Party = m.Table.Seats[0].Party }, nil},
		{"a decision of nobody", func(m *Memory) { m.Agenda.Decisions[0].Outcome, m.Agenda.Decisions[0].Human = HumanDecided, nil }, nil},
		{"two decisions of an id", func(m *Memory) { m.Agenda.Decisions = append(m.Agenda.Decisions, m.Agenda.Decisions[0]) }, nil},
		{"a question", nil, func(r *Received) { r.Inquiry = &Inquiry{Framing: FramingPropose} }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m, world := p.left(), *p.world
			if tt.change != nil {
				tt.change(m)
			}
			if tt.first != nil {
				tt.first(&world.first)
			}
			q := played{world: &world, states: p.states}
			s := q.recalled(m).end()
			if s.Stage != StageAborted || s.Ending.OutcomeReason.Code != WhyMemoryUnfit {
				t.Errorf("stage %s: %s", s.Stage, s.Ending.OutcomeReason)
			}
		})
	}
}

// TestDisputesCountOverRecords: three disputes are all that a pull request has,
// however many sessions it had.
func TestDisputesCountOverRecords(t *testing.T) {
	t.Parallel()
	x := newScene("gpt")
	x.first.Previous.Disputes = 2
	x.say("OPEN/0/claude", proposing(defect(P2, "it leaks", 3), defect(P2, "it hangs", 5)))
	x.say("CHALLENGE/1/gpt", agreeing(supporting("F1"), supporting("F2")))
	p := x.run(t)
	p.take(Disputed{Claim: "F1", Text: "it does not", By: Actor{Login: "carol", Author: true}})
	p.goOn(t)
	s := p.recalled(p.left()).end()
	_, err := Apply(s, Entry{N: s.N + 1, At: s.Clock.At, Event: Disputed{Claim: "F2", Text: "it does not", By: Actor{Login: "carol", Author: true}}})
	if err == nil || !strings.Contains(err.Error(), "three disputes") {
		t.Errorf("%d disputes, and the next one: %v", s.Disputes, err)
	}
}

// TestWaiverSettlesWhatTheDebateSettled: what waits for a human for nothing but
// what is waived is what the debate left of it, and no more (A12).
func TestWaiverSettlesWhatTheDebateSettled(t *testing.T) {
	t.Parallel()
	admin := Actor{Login: "ada", Permission: AdminRole}
	waive := Order{Kind: OrderWaive, Target: string(TriggerSecurity), Reason: "a test key", By: admin}
	agreed := waiting()
	leaking := waiting()
	leaking.say("OPEN/0/claude", proposing(defect(P1, "it leaks", 3)))
	leaking.say("CHALLENGE/1/gpt", agreeing(supporting("F1")))
	lone := waiting()
	lone.lose("CHALLENGE/1/gpt")
	tests := []struct {
		name    string
		scene   scene
		orders  []Order
		outcome DecisionOutcome
		check   Conclusion
	}{
		{"nothing is ordered", agreed, nil, AwaitingHuman, ActionRequired},
		{"settled", agreed, []Order{waive}, Settled, Success},
		{"by who may not", agreed, []Order{{Kind: OrderWaive, Target: waive.Target, By: Actor{Login: "wes", Permission: WriteAccess}}}, AwaitingHuman, ActionRequired},
		{"another trigger", agreed, []Order{{Kind: OrderWaive, Target: string(TriggerDeploy), By: admin}}, AwaitingHuman, ActionRequired},
		{"a P1 forbids keep", leaking, []Order{waive}, Undecided, Failure},
		{"the P1 is dismissed too", leaking, []Order{waive, {Kind: OrderDismiss, Target: "F1", Reason: "fixture", By: admin}}, Settled, Success},
		{"nobody challenged", lone, []Order{waive}, Undecided, Failure},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := tt.scene.run(t)
			s := p.recalled(p.left(), tt.orders...).end()
			d := s.Agenda.decision("D0")
			check, why := checkOf(s)
			if d.Outcome != tt.outcome || check != tt.check || (d.Human != nil) != (d.Outcome == AwaitingHuman) {
				t.Errorf("D0 is %s (%s), the check %s: %s", d.Outcome, d.Why, check, why)
			}
			changed := tt.outcome != AwaitingHuman
			published := s.Steps[len(s.Steps)-2].Kind == KindPublished
			if changed != published {
				t.Errorf("changed: %v, published: %v", changed, published)
			}
		})
	}
}
