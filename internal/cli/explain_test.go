package cli

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestExplainUnended: a review that was stopped may still find something, and is not said
// to have found nothing.
func TestExplainUnended(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	record, cut := filepath.Join(w.home, "whole.jsonl"), filepath.Join(w.home, "cut.jsonl")
	if code := w.debate("-q", "review", "--uncommitted", "--record", record); code != exitHuman {
		t.Fatalf("exit code %d: %s", code, w.stderr.String())
	}
	data := readFile(t, record)
	lines := strings.SplitAfter(string(data), "\n")
	for n := 1; n < len(lines); n++ {
		write(t, cut, strings.Join(lines[:n], ""))
		said := w.debate("report", cut) == exitFailed // it has not ended
		code := w.debate("explain", cut)
		out, hint := w.stdout.String(), w.stderr.String()
		switch told := strings.Contains(out, "F1  P1"); {
		case strings.Contains(out, "no findings"), !told && code != exitFailed, told && code != exitDone:
			t.Errorf("%d lines: exit code %d, %q, %q", n, code, out, hint)
		case said != strings.Contains(hint, "has not ended; to go on: debate resume "+cut):
			t.Errorf("%d lines: it has not ended %v, and %q is said", n, said, hint)
		}
	}
}
