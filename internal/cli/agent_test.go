package cli

import (
	"strings"
	"testing"
)

// TestFormatAgent: a review and the report of its record hand over the same text, and where
// nothing was found it is one line that does not claim more than was earned.
func TestFormatAgent(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	if code := w.debate("-q", "review", "--uncommitted", "--format", "agent", "--record", "rec"); code != exitHuman {
		t.Fatalf("exit code %d: %s", code, w.stderr.String())
	}
	handed := w.stdout.String()
	for _, want := range []string{"Repair what debate found when it reviewed this change: 1 finding.\n", "\nWhere: `db/migrations/2_b.up.sql:1`\n", "\nHow to check: a test of `db/migrations/2_b.up.sql`"} {
		if !strings.Contains(handed, want) {
			t.Errorf("no %q in\n%s", want, handed)
		}
	}
	w.stdout.Reset()
	if code := w.debate("-q", "report", "rec", "--format", "agent"); code != exitDone || w.stdout.String() != handed {
		t.Errorf("exit code %d, the report hands over\n%s", code, w.stdout.String())
	}
	w.stdout.Reset()
	if code := w.debate("-q", "review", "--commit", "HEAD", "--format", "agent"); code != exitDone {
		t.Fatalf("exit code %d: %s", code, w.stderr.String())
	}
	if got, want := w.stdout.String(), "debate has nothing for you to repair: not reviewed by a model: no API key is set\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
