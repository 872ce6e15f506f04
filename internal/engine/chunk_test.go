package engine

import (
	"fmt"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/debate"
)

// manyChunks is a change of five chunks.
func manyChunks() string {
	var diff strings.Builder
	diff.WriteString(change)
	for _, name := range []string{"a/one.go", "b/two.go", "c/three.go", "deploy/prod.tf"} {
		const lines = 900
		fmt.Fprintf(&diff, "diff --git a/%[1]s b/%[1]s\nnew file mode 100644\n--- /dev/null\n+++ b/%[1]s\n@@ -0,0 +1,%[2]d @@\n", name, lines)
		for i := range lines {
			fmt.Fprintf(&diff, "+%s line %d of a file that fills most of a chunk\n", name, i)
		}
	}
	return diff.String()
}

// TestChunks: a change in several chunks is opened and challenged chunk by chunk,
// what the calls do not suffice for is listed, and the sensitive file is never
// what is left out (S13).
func TestChunks(t *testing.T) {
	t.Parallel()
	p := &table{answer: agree}
	r, log := newDebate(t, p)
	r.Subject.Frozen = frozenOf(manyChunks())
	start := first()
	start.Settings.MaxCalls = 18 // (18 - 12) / (1 + 2): two chunks
	state, err := r.Start(t.Context(), start)
	ended(t, state, log, err)
	opened, challenged := 0, 0
	for ask := range repliesOf(log) {
		switch {
		case strings.HasPrefix(ask, "OPEN/0/gpt/X"):
			opened++
		case strings.HasPrefix(ask, "CHALLENGE/1/"):
			challenged++
		}
	}
	if opened != 2 || challenged != 4 || len(state.Asking.Calls) > 18 {
		t.Errorf("%d openings, %d challenges, %d calls", opened, challenged, len(state.Asking.Calls))
	}
	left := 0
	for _, c := range state.Split.Coverage {
		switch {
		case c.Excluded == debate.OutOfBudget:
			left++
		case c.Excluded == debate.NotExcluded && len(c.By) == 0:
			t.Errorf("nobody reviewed %s, and nobody says why", c.Path)
		}
		if c.Path == "deploy/prod.tf" && len(c.By) != 3 {
			t.Errorf("the sensitive file was reviewed by %v", c.By)
		}
	}
	if left == 0 || state.Coverage() != debate.CoveragePartial {
		t.Errorf("%d parts left out, coverage %s", left, state.Coverage())
	}
}
