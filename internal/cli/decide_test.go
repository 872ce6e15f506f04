package cli

import (
	"io"
	"strings"
	"testing"
)

// TestTellsOfDecide: on a terminal a review that waits for a person says how to decide
// it there, and elsewhere it does not (M23).
func TestTellsOfDecide(t *testing.T) {
	t.Parallel()
	const how = "record.jsonl D0 keep|revise|reject WHY"
	for _, isTerminal := range []bool{true, false} {
		w := newWorld(t)
		env := w.env()
		env.Width = func(io.Writer) (int, bool) { return 80, isTerminal }
		if code := Main([]string{"review", "--uncommitted"}, env); code != exitHuman {
			t.Fatalf("exit code %d: %s", code, w.stderr.String())
		}
		if said := strings.Contains(w.stderr.String(), how); said != isTerminal {
			t.Errorf("on a terminal %v: it says how %v:\n%s", isTerminal, said, w.stderr.String())
		}
	}
}
