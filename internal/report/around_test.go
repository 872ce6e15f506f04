package report

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/debate"
)

// TestWithCode: a finding has the lines of the change around it, those that it is
// about marked, of the side on which it stands.
func TestWithCode(t *testing.T) {
	t.Parallel()
	s := debate.State{Split: debate.SplitDone{Segments: []debate.Segment{{ID: "S1", Path: "other.go"}, {ID: "S2", Path: "a.go"}}}}
	lines := map[string][]CodeLine{
		"S1": {{"+", 10, "wrong", false}},
		"S2": {{"", 6, "a", false}, {"", 7, "b", false}, {"", 8, "c", false}, {"", 9, "d", false}, {"-", 10, "old", false}, {"+", 10, "new", false}, {"+", 11, "e", false}, {"", 12, "f", false}},
	}
	e := Envelope{P1: []Finding{{ID: "F1", Path: "a.go", Line: 10, EndLine: 11, Side: debate.Right}}, P2: []Finding{{ID: "F2", Path: "a.go", Line: 10, Side: debate.Left}, {ID: "F3", Path: "a.go", Line: 99}, {ID: "F4", Path: "a.go"}}}
	got := WithCode(e, s, lines)
	want := []CodeLine{{"", 8, "c", false}, {"", 9, "d", false}, {"-", 10, "old", false}, {"+", 10, "new", true}, {"+", 11, "e", true}, {"", 12, "f", false}}
	if diff := cmp.Diff(want, got.P1[0].Around); diff != "" {
		t.Error(diff)
	}
	if around := got.P2[0].Around; len(around) == 0 || !around[3].Hit || around[3].Text != "old" || around[4].Hit {
		t.Errorf("%+v", around)
	}
	if got.P2[1].Around != nil || got.P2[2].Around != nil || e.P1[0].Around != nil {
		t.Error("lines that are not there, or a changed envelope")
	}
}

// TestCodeOfTheBase: a line that stays and has the number of a removed line is not the
// line of a finding about the removed one.
func TestCodeOfTheBase(t *testing.T) {
	t.Parallel()
	lines := []CodeLine{{"", 11, "a", false}, {"", 12, "b", false}, {"", 13, "c", false}, {"", 14, "d", false}, {"", 15, "e", false}, {"-", 12, "gone", false}, {"", 16, "f", false}}
	e := Envelope{P1: []Finding{{Path: "a.go", Line: 12, EndLine: 12, Side: debate.Left}}}
	s := debate.State{Split: debate.SplitDone{Segments: []debate.Segment{{ID: "S1", Path: "a.go"}}}}
	got := WithCode(e, s, map[string][]CodeLine{"S1": lines}).P1[0].Around
	want := []CodeLine{{"", 13, "c", false}, {"", 14, "d", false}, {"", 15, "e", false}, {"-", 12, "gone", true}, {"", 16, "f", false}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
