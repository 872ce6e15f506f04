package segment

import (
	"testing"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/patch"
)

func TestQuestion(t *testing.T) {
	t.Parallel()
	shown := &patch.Set{Files: []*patch.File{patch.Shown("a.go", "package a\n\nvar x int")}}
	got := Question("Why?\n## Proposal\n```go\nvar y int\n```\n", shown)
	want := []debate.Segment{
		{ID: "S1", Kind: debate.ProposalSegment, Source: debate.FromBody, Path: debate.BodyPath, Side: debate.Right, StartLine: 1, EndLine: 5},
		{ID: "S2", Kind: debate.ContextSegment, Source: debate.FromDiff, Path: "a.go", Side: debate.Right, StartLine: 1, EndLine: 3},
	}
	for i := range got.Segments {
		if got.Segments[i].TextHash == "" {
			t.Errorf("%s has no hash", got.Segments[i].ID)
		}
		got.Segments[i].TextHash = ""
	}
	same(t, want, got.Segments)
	if len(got.Chunks) != 0 || got.Target != debate.TargetProposal {
		t.Errorf("%d chunks, target %s", len(got.Chunks), got.Target)
	}
	if err := CheckSums(got.Coverage, got.Totals, shown); err != nil {
		t.Error(err)
	}
	if got := Question("Why?", &patch.Set{}); len(got.Segments) != 1 || got.Totals != (debate.Totals{Parts: 1}) {
		t.Errorf("%+v", got)
	}
}
