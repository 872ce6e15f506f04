package debate

import (
	"strings"
	"testing"
)

// answer is what a person with the right to do so chooses for D0 on this head.
func answer(s State, option string) Decided {
	d := s.Agenda.Decisions[0]
	return Decided{
		Decision: d.ID, Fingerprint: d.Fingerprint, Option: option, By: Actor{Login: "bob", Permission: WriteAccess},
		Head: s.Snapshot.HeadSHA, Via: ViaCommand, At: s.Clock.At,
	}
}

// waiting is a scene that all agree on and that waits for a human all the same,
// because the policy names a line of it.
func waiting() scene {
	x := newScene("gpt")
	x.triggers = []Trigger{seen(ClassContent, 3)}
	x.say("OPEN/0/claude", proposing())
	x.say("CHALLENGE/1/gpt", agreeing())
	return x
}

// cipher is a critical question that a party raises.
func cipher(text string) Question {
	return Question{
		Question: text, Options: []Option{{ID: "a"}, {ID: "b"}},
		Critical: []Assertion{{Trigger: TriggerSecurity, Refs: citing(3), Reason: "x"}},
	}
}

// TestContestedAnswerIsOfItsText: what a person decided about a contested change
// holds while the text is the same, and for no other text.
func TestContestedAnswerIsOfItsText(t *testing.T) {
	t.Parallel()
	contested := func() scene {
		x := newScene("gpt")
		x.first.Settings.MaxRounds = 1
		x.say("OPEN/0/claude", proposing())
		x.say("CHALLENGE/1/gpt", dissenting())
		x.say("RESPOND/2/claude", answering(Answer{Challenge: "K1", Move: Rebuff, Text: "no"}))
		x.say("REBUT/2/gpt", answering(Answer{Challenge: "K1", Move: Maintain, Text: "yes"}))
		return x
	}
	p := contested().run(t)
	p.take(answer(p.end(), "keep"))
	d := p.end().Agenda.Decisions[0]
	for _, changed := range []bool{false, true} {
		y := contested()
		y.head = "h2"
		y.first.Previous = Previous{Head: "h1", Heads: 1, Decisions: []PriorDecision{
			{Fingerprint: d.Fingerprint, LinkedHash: d.LinkedHash, PersonAnswer: PersonAnswer{Option: "keep", By: "bob", Head: "h1"}},
		}}
		if changed {
			for i := range y.split.Segments {
				y.split.Segments[i].TextHash = "other"
			}
		}
		if s := y.run(t).end(); s.Agenda.AwaitsHuman() != changed {
			t.Errorf("text changed %v: D0 is %s", changed, s.Agenda.Decisions[0].Outcome)
		}
	}
}

// TestRememberedKeepOverWhatForbidsKeep: a keep of an earlier head lets a head pass no
// more than its own review would: a P1 that is quoted and that nobody weighed forbids
// keep there, and the question is asked again (M20).
func TestRememberedKeepOverWhatForbidsKeep(t *testing.T) {
	t.Parallel()
	for _, claims := range [][]NewClaim{nil, {defect(P1, "nil deref", 6)}} {
		opened := func() scene {
			x := waiting()
			looks := agreeing()
			looks.Checked[0].Claim = "F1" // it says nothing for or against it
			x.say("OPEN/0/claude", proposing(claims...))
			x.say("CHALLENGE/1/gpt", looks)
			return x
		}
		d := opened().run(t).end().Agenda.Decisions[0]
		x := opened()
		x.head = "h2"
		x.first.Previous = Previous{Head: "h1", Heads: 1, Decisions: []PriorDecision{
			{Fingerprint: d.Fingerprint, LinkedHash: d.LinkedHash, PersonAnswer: PersonAnswer{Option: "keep", By: "bob", Head: "h1"}},
		}}
		s := x.run(t).end()
		conclusion, why := checkOf(s)
		want, outcome := Success, HumanDecided
		if claims != nil {
			want, outcome = ActionRequired, AwaitingHuman
		}
		if conclusion != want || s.Agenda.Decisions[0].Outcome != outcome {
			t.Errorf("with %d claims the check is %s (%s), D0 is %s", len(claims), conclusion, why, s.Agenda.Decisions[0].Outcome)
		}
	}
}

// TestLongQuestionKeepsItsTrigger: a question that is cut where decisions are cut
// is as critical as it was (A20).
func TestLongQuestionKeepsItsTrigger(t *testing.T) {
	t.Parallel()
	for _, bytes := range []int{100, 500, 501, 600} {
		x := newScene("gpt")
		x.triggers = []Trigger{seen(ClassPath, 0)}
		open := proposing()
		open.Questions = []Question{cipher(strings.Repeat("q", bytes))}
		x.say("OPEN/0/claude", open)
		x.say("CHALLENGE/1/gpt", agreeing())
		s := x.run(t).end()
		if len(s.Agenda.Decisions) != 2 || s.Agenda.Decisions[1].Outcome != AwaitingHuman {
			t.Errorf("%d bytes: decisions %+v", bytes, s.Agenda.Decisions)
		}
	}
}

// TestReopenedIsPublished: when a decided item is reopened, the check has to turn
// back: there is something to publish.
func TestReopenedIsPublished(t *testing.T) {
	t.Parallel()
	p := waiting().run(t)
	p.take(answer(p.end(), "keep"))
	p.goOn(t)
	if conclusion := p.end().Conclusion().Check; conclusion != Success {
		t.Fatalf("after the answer: %s", conclusion)
	}
	reopened := answer(p.end(), "")
	reopened.Via = ViaReopened
	p.take(reopened)
	conclusion := p.end().Conclusion().Check
	if work := Outstanding(p.end()); conclusion != ActionRequired || len(work) != 1 || work[0].Kind != DoPublish {
		t.Errorf("conclusion %s, outstanding %v", conclusion, work)
	}
	p.goOn(t)
	if s := p.end(); s.Stage != StageAwaitingHuman {
		t.Errorf("stage %s", s.Stage)
	}
}

// TestWithdrawnAfterTheAnswer: a pull request that is closed between an answer and
// its publication keeps the answer, and the answer is published.
func TestWithdrawnAfterTheAnswer(t *testing.T) {
	t.Parallel()
	p := waiting().run(t)
	p.take(answer(p.end(), "keep"))
	p.take(WithdrawnEvent{Reason: "merged", By: "bob"})
	work := Outstanding(p.end())
	if len(work) != 1 || work[0].Kind != DoPublish {
		t.Fatalf("outstanding %v", work)
	}
	p.goOn(t)
	s := p.end()
	if d := s.Agenda.Decisions[0]; d.Outcome != HumanDecided || d.Human.Option != "keep" || s.Stage != StageDone {
		t.Errorf("%s %+v, stage %s", d.Outcome, d.Human, s.Stage)
	}
}

// TestNewHeadKeepsTheAnswer: when the head moves while one of two items is
// decided, that one stays decided and the other is superseded.
func TestNewHeadKeepsTheAnswer(t *testing.T) {
	t.Parallel()
	x := waiting()
	open := proposing()
	open.Questions = []Question{cipher("which cipher")}
	x.say("OPEN/0/claude", open)
	p := x.run(t)
	p.take(answer(p.end(), "keep"))
	p.take(HeadMoved{Head: "h9"})
	s := p.end()
	if len(s.Agenda.Decisions) != 2 {
		t.Fatalf("decisions %+v", s.Agenda.Decisions)
	}
	if d := s.Agenda.Decisions[0]; d.Outcome != HumanDecided || d.Human.Status != ItemDecided || d.Human.Option != "keep" {
		t.Errorf("the decided item is %s %+v", d.Outcome, d.Human)
	}
	if d := s.Agenda.Decisions[1]; d.Outcome != DecisionSuperseded || d.Human.Status != ItemSuperseded {
		t.Errorf("the open item is %s %+v", d.Outcome, d.Human)
	}
}
