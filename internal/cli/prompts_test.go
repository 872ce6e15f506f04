package cli

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestUnknownCall: who names a call that a record does not have is told those that it has.
func TestUnknownCall(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"contested-panel.jsonl": `the record has no call "REBUT"; it has OPEN/0/claude, CHALLENGE/1/gpt, `,
		"reviewed-by-nobody":    "cannot open the record",
	} {
		w := newWorld(t)
		path, err := filepath.Abs("../../testdata/replay/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if code := w.debate("prompts", "REBUT", "--record", path); code != exitUsage || !strings.Contains(w.stderr.String(), want) {
			t.Errorf("%s: exit code %d, said %q", name, code, w.stderr.String())
		}
	}
}
