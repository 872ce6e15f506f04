package debate_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/testkit/golden"
)

// TestGatePage: the table of docs/gate.md has the rulings of the code in their order, one row for each
// conclusion.
func TestGatePage(t *testing.T) {
	t.Parallel()
	path := filepath.Join("..", "..", "docs", "gate.md")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	page := string(data)
	begin := strings.Index(page, "| check | when |")
	end := begin + strings.Index(page[begin:], "\n\n") + 1
	reviewed := "models read the change, except for [excused files](policy.md#not-read), and they or a person decided to merge it as it is"
	when := []struct {
		code debate.WhyCode
		says string
	}{
		{debate.WhyAnAnswer, ""}, // a question has no check
		{debate.WhyAnAnswer, ""},
		{debate.WhyAwaitsPerson, "a [decision](#decide) waits for a person"},
		{debate.WhyConfigBroken, "`.github/debate.yml` on the base branch is broken"},
		{debate.WhyMustEnd, "a finding counts for `fail_on`"},
		{debate.WhyFails, "a finding counts for `fail_on`"},
		{debate.WhyChose, "a person decided for changes first, or against the change"},
		{debate.WhyDebateChose, "another question was decided for changes"},
		{debate.WhySinceChoice, "a person accepted an earlier commit, and the review of this one speaks against a merge"},
		{debate.WhyDivided, "the models disagree"},
		{debate.WhyUndebated, "no two models debated it"},
		{debate.WhyNoKeep, "the models ask for changes"},
		{debate.WhyNoProof, "no checked fact supports merging"},
		{debate.WhyPartsUnread, "models read only a part"},
		{debate.WhySilentModel, "a model from the settings never answered"},
		{debate.WhyMustEnd, "a P1 is confirmed, or disputed with a quote"},
		{debate.WhyP1IsOpen, "a P1 is confirmed, or disputed with a quote"},
		{debate.WhyReviewedButFiles, reviewed},
		{debate.WhyReviewedWhole, reviewed},
	}
	advisory, gated := debate.Rulings(everyReason(debate.Advisory)), debate.Rulings(everyReason(debate.Required))
	if len(when) != len(advisory) {
		t.Fatalf("%d rulings, and the page speaks of %d", len(advisory), len(when))
	}
	var rows []string
	reasons := make(map[string][]string)
	for i, r := range advisory {
		if r.Why.Code != when[i].code || r.Next == debate.NextNothing && r.Why.Code != debate.WhyAnAnswer {
			t.Errorf("ruling %d: %+v, and the page speaks of %s", i, r, when[i].code)
		}
		row := strings.ReplaceAll(string(r.Check), "_", " ")
		if other := gated[i].Check; other != r.Check {
			row += "; " + string(other) + " with `gate: required`"
		}
		switch says := when[i].says; {
		case says == "":
			continue
		case reasons[row] == nil:
			rows = append(rows, row)
			fallthrough
		default:
			if !slices.Contains(reasons[row], says) {
				reasons[row] = append(reasons[row], says)
			}
		}
	}
	table := "| check | when |\n|---|---|\n"
	for _, row := range rows {
		table += "| " + row + " | " + strings.Join(reasons[row], "; ") + " |\n"
	}
	golden.Same(t, path, []byte(page[:begin]+table+page[end:]))
}

// everyReason is a debate with a reason for each ruling: bob answered for an earlier commit, a
// confirmed P1 fails the run, and another question was decided.
func everyReason(gate debate.Gate) debate.State {
	s := debate.State{Snapshot: debate.Snapshotted{HeadSHA: "h1"}}
	s.Received.Settings.Gate, s.Received.Settings.FailOn = gate, debate.FailP1
	s.Book.Claims = []debate.Claim{{ID: "F1", Severity: debate.P1, Bucket: debate.Agreed}}
	s.Agenda.Decisions = []debate.Decision{
		{
			ID: "D0", Outcome: debate.HumanDecided, FinalOptions: []debate.PartyOption{{Party: "claude", Option: string(debate.Revise)}},
			Human: &debate.Human{PersonAnswer: debate.PersonAnswer{By: "bob", Option: string(debate.Keep), Head: "h0"}},
		},
		{
			ID: "D1", Question: "Is the cache worth it?", Outcome: debate.Adopted, Recommendation: "leave_out",
			Options: []debate.Option{{ID: "accept", Label: "accept"}, {ID: "address", Label: "address"}, {ID: "leave_out", Label: "leave out"}},
		},
	}
	return s
}
