package cli

import (
	"io"
	"strings"
	"testing"
)

// TestTellsOfDecide: a review that waits for a person says once how to decide it.
func TestTellsOfDecide(t *testing.T) {
	t.Parallel()
	const how = "To answer: debate decide keep|revise|reject WHY"
	for _, isTerminal := range []bool{true, false} {
		w := newWorld(t)
		env := w.env()
		env.Width = func(io.Writer) (int, bool) { return 80, isTerminal }
		if code := Main([]string{"review", "--uncommitted"}, env); code != exitHuman {
			t.Fatalf("exit code %d: %s", code, w.stderr.String())
		}
		if !strings.Contains(w.stdout.String(), how) || strings.Contains(w.stderr.String(), "WHY") {
			t.Errorf("on a terminal %v: it does not say how, or says it twice:\n%s%s", isTerminal, w.stdout.String(), w.stderr.String())
		}
	}
}
