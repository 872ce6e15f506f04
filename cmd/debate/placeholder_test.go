package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/testkit/exectest"
)

// TestPlaceholderKeys: two servers of one's own that take any word for a key debate
// as others do, and the word is no secret: what they say with it in it is told as
// they said it, by every way out.
func TestPlaceholderKeys(t *testing.T) {
	t.Parallel()
	const words = "the division panics, with x, test, EMPTY and ollama alike"
	mind := func(vendor string, turn exectest.Turn, packet, key string) string {
		return strings.ReplaceAll(honest(vendor, turn, packet, key), "the division panics", words)
	}
	ordinary := run(t, planted(t, plantedFile), environment(vendors(t, mind)[:2]), "review", "--uncommitted", "--format", "json").result
	for _, key := range []string{"x", "test", "EMPTY", "ollama"} {
		t.Run(key, func(t *testing.T) {
			t.Parallel()
			all := vendors(t, mind)[:2]
			for _, v := range all {
				v.secret = key
			}
			dir, out := planted(t, plantedFile), t.TempDir()
			record, tape := filepath.Join(out, "record.jsonl"), filepath.Join(out, "answers.tape")
			got := run(t, dir, environment(all), "review", "--uncommitted", "--format", "json", "--record", record, "--tape", tape)
			for _, v := range all {
				if len(v.asked()) < 2 {
					t.Errorf("%s was asked %d times\n%s", v.name, len(v.asked()), got.stderr)
				}
			}
			if diff := cmp.Diff(ordinary, got.result); diff != "" {
				t.Errorf("the key is worth another result than an ordinary one: %s", diff)
			}
			texts := map[string]string{"result": got.stdout, "progress": got.stderr, "report": run(t, dir, nil, "report", "--format", "html", record).stdout}
			for name, file := range map[string]string{"record": record, "tape": tape} {
				data := readFile(t, file)
				texts[name] = string(data)
			}
			for name, text := range texts {
				text = strings.ReplaceAll(text, "Copy [redacted] (a secret)", "") // what every reviewer is told
				if strings.Contains(text, "[key]") || strings.Contains(text, "[redacted]") || name != "progress" && !strings.Contains(text, words) {
					t.Errorf("the word %s was taken out of the %s", key, name)
				}
			}
		})
	}
}
