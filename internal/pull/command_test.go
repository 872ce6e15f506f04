package pull

import (
	"testing"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
)

// TestFollow has a row for each thing that an order to run says of the review, and that a
// gate which is required does not let it say.
func TestFollow(t *testing.T) {
	t.Parallel()
	const minimal, quick, standard = debate.Minimal, debate.Quick, debate.Standard
	const auto, code, proposal, mixed = debate.TargetAuto, debate.TargetCode, debate.TargetProposal, debate.TargetMixed
	rows := []struct {
		name       string
		mode       debate.Mode
		target     debate.Target
		order      comment.Command
		gated      bool
		wantMode   debate.Mode
		wantTarget debate.Target
	}{
		{"it says nothing", standard, auto, comment.Command{}, false, standard, auto},
		{"it says less", standard, auto, comment.Command{Mode: quick, Scope: code}, false, quick, code},
		{"it says nothing, gated", standard, code, comment.Command{}, true, standard, code},
		{"it says less, gated", standard, auto, comment.Command{Mode: minimal, Scope: code}, true, standard, auto},
		{"quick is less than minimal", minimal, auto, comment.Command{Mode: quick}, true, minimal, auto},
		{"it says more, gated", minimal, code, comment.Command{Mode: standard, Scope: mixed}, true, standard, mixed},
		{"it says the other half, gated", quick, code, comment.Command{Mode: minimal, Scope: proposal}, true, minimal, code},
		{"less of one and more of the other, gated", standard, code, comment.Command{Mode: quick, Scope: auto}, true, standard, auto},
		{"more of one and less of the other, gated", quick, mixed, comment.Command{Mode: standard, Scope: code}, true, standard, mixed},
	}
	for _, row := range rows {
		first := debate.Received{Mode: row.mode, Target: row.target}
		follow(&first, row.order, row.gated)
		if first.Mode != row.wantMode || first.Target != row.wantTarget {
			t.Errorf("%s: %s of %s, want %s of %s", row.name, first.Mode, first.Target, row.wantMode, row.wantTarget)
		}
	}
}

// TestNarrowed has a row for each way in which an order had less reviewed than the settings
// say.
func TestNarrowed(t *testing.T) {
	t.Parallel()
	order := func(scope debate.Target) *request { return &request{command: comment.Command{Scope: scope}} }
	held := func(mode debate.Mode, target debate.Target) debate.Received {
		return debate.Received{Mode: mode, Target: target}
	}
	rows := []struct {
		name string
		run  *request
		held debate.Received
		want bool
	}{
		{"no order", nil, held(debate.Quick, debate.TargetCode), false},
		{"an order for all of it", order(""), held(debate.Standard, debate.TargetAuto), false},
		{"a part of it, by the settings", order(""), held(debate.Standard, debate.TargetCode), false},
		{"a part of it, by the order", order(debate.TargetCode), held(debate.Standard, debate.TargetCode), true},
		{"a part that the gate did not allow", order(debate.TargetCode), held(debate.Standard, debate.TargetMixed), false},
		{"all of it, as the settings do not say", order(debate.TargetMixed), held(debate.Standard, debate.TargetMixed), false},
		{"a quicker debate", order(""), held(debate.Quick, debate.TargetAuto), true},
	}
	for _, row := range rows {
		if got := narrowed(row.run, row.held, debate.Standard); got != row.want {
			t.Errorf("%s: %t", row.name, got)
		}
	}
	if narrowed(order(""), held(debate.Standard, debate.TargetAuto), debate.Quick) {
		t.Error("a more thorough debate than the settings say is less")
	}
}

// TestCommandsOnBothIssues: two runs may have opened an issue each, and people write on both.
func TestCommandsOnBothIssues(t *testing.T) {
	t.Parallel()
	s := asking().saysOn("carol", 1, "/debate decide keep it is fine")
	s.Twins = []gh.Issue{{Number: 6, Open: true, Comments: []gh.Comment{{ID: 400, Author: gh.Account{Login: "dave"}, Body: "/debate waive money it is free", CreatedAt: at(2)}}}}
	got := s.heard().requests
	if len(got) != 2 || got[0].issue.Number != 5 || got[1].issue.Number != 6 || got[1].command.Verb != comment.Waive {
		t.Errorf("%+v", got)
	}
}
