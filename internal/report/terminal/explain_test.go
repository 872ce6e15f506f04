package terminal

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/report"
	"github.com/prdebate/debate/internal/testkit/debatetest"
)

func explained(t *testing.T, script string, ids ...string) (string, []string) {
	t.Helper()
	played, err := debatetest.Load(script)
	if err != nil {
		t.Fatal(err)
	}
	state, _, err := debatetest.Run(played, debatetest.Forward)
	if err != nil {
		t.Fatal(err)
	}
	text, unknown := Explain(report.FromState(state), ids, Options{Width: 100})
	return string(text), unknown
}

// TestExplain: the whole debate is told by who said what, in order, in columns: the result, the
// recommendation, and each finding.
func TestExplain(t *testing.T) {
	t.Parallel()
	got, unknown := explained(t, "deadlock")
	want := `ready to merge, 1 remark

The recommendation
  claude  would merge it as it is: "The totals are right."
  gpt     would merge it as it is

F1  P2  cart.go:12  disputed
  Total is slow for large carts
  gpt     raised it, citing cart.go:12 ✓ quote found
  claude  objects: "nobody measured it" — cites cart.go:13 ✓ quote found
  gpt     answers: "the loop indexes twice, attempt 2" — cites cart.go:12 ✓ quote found
  claude  insists: "nobody measured it" — cites cart.go:13 ✓ quote found
  gpt     answers: "the loop indexes twice, attempt 3" — cites cart.go:12 ✓ quote found
  why: a measurement is missing
  to settle it: measure time of Total for 1000 items; threshold 1 ms: above it the change is revised
    (claude)
`
	if diff := cmp.Diff(want, got); diff != "" || len(unknown) > 0 {
		t.Errorf("%s (unknown: %v)", diff, unknown)
	}
}

// TestExplainSome: ids choose findings, however they are typed, and those that no
// finding has are named.
func TestExplainSome(t *testing.T) {
	t.Parallel()
	got, unknown := explained(t, "contrarian_words", "f2", "F2", "F9")
	if !strings.HasPrefix(got, "F2  ") || strings.Contains(got, "F1") || cmp.Diff([]string{"F9"}, unknown) != "" {
		t.Errorf("unknown %v:\n%s", unknown, got)
	}
}

// TestExplainMisquoted: a quote that is not there is never shown as one that is.
func TestExplainMisquoted(t *testing.T) {
	t.Parallel()
	got, _ := explained(t, "repaired")
	if !strings.Contains(got, "claude  raised it, citing cart.go:12 ✗ quote not found there\n") || !strings.Contains(got, "corrects its citation, citing cart.go:12 ✓ quote found\n") {
		t.Error(got)
	}
}

// TestExplainAll: without ids, the reasoning of the models follows the findings, also after a review
// without any.
func TestExplainAll(t *testing.T) {
	t.Parallel()
	want := `no problems found

The recommendation
  claude  would merge it as it is: "The totals are right."
  gpt     would merge it as it is: "Nothing is wrong."
  gemini  would merge it as it is: "Fine."

Cases tried
  gpt tried this case: "an empty cart: nothing is logged" in cart.go
  gemini tried this case: "one item: the total is its price" in cart.go
`
	got, _ := explained(t, "blind_clean")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	all, _ := explained(t, "blind_missed")
	one, _ := explained(t, "blind_missed", "F1")
	if !strings.Contains(all, "\nReasons of the first answers\n  claude: the discount is applied once\n") || strings.Contains(one, "Reasons") {
		t.Errorf("all:\n%s\none:\n%s", all, one)
	}
}
