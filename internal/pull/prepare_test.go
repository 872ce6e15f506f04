package pull

import (
	"testing"

	"github.com/prdebate/debate/internal/debate"
)

// TestAskedAgain: what was withdrawn with a pull request awaits a person again once that is
// open again, and nothing else changes.
func TestAskedAgain(t *testing.T) {
	t.Parallel()
	list := []debate.Decision{
		{ID: "D0", Outcome: debate.Withdrawn, Why: debate.Why{Code: debate.WhyTold}, Human: &debate.Human{Status: debate.ItemWithdrawn, AskedAt: 5}},
		{ID: "D1", Outcome: debate.HumanDecided, Human: &debate.Human{Status: debate.ItemDecided}}, {ID: "D2", Outcome: debate.Withdrawn},
	}
	got := askedAgain(list)
	if d := got[0]; d.Outcome != debate.AwaitingHuman || d.Human.Status != debate.ItemAwaiting || d.Human.AskedAt != 5 || d.Why.Code != "" {
		t.Errorf("withdrawn: %+v, %+v", d, d.Human)
	}
	if got[1].Outcome != debate.HumanDecided || got[1].Human.Status != debate.ItemDecided || got[2].Outcome != debate.Withdrawn {
		t.Errorf("others: %+v", got[1:])
	}
	if list[0].Outcome != debate.Withdrawn || list[0].Human.Status != debate.ItemWithdrawn {
		t.Errorf("what is remembered has changed: %+v", list[0])
	}
}

// TestMayCarry has a row for each reason to send models again what they read before.
func TestMayCarry(t *testing.T) {
	t.Parallel()
	pushed := func(s *Snapshot) { s.Pull.HeadSHA = head2 }
	retargeted := func(s *Snapshot) { s.Pull.BaseRef = "next" }
	rows := []struct {
		name string
		s    scene
		want bool
	}{
		{"a push", reviewed().set(pushed), true},
		{"the same head", reviewed(), false},
		{"another base branch", reviewed().set(pushed).set(retargeted), false},
		{"nobody knows what was read", reviewed().forgotten().set(pushed), false},
		{"a review is ordered", reviewed().set(pushed).says("bob", 1, "/debate run"), false},
	}
	for _, row := range rows {
		h := &session{settlement: settlement{snap: row.s.Snapshot, plan: plan(row.s.Snapshot)}}
		if got := h.mayCarry(); got != row.want {
			t.Errorf("%s: %t", row.name, got)
		}
	}
}
