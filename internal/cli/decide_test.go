package cli

import (
	"io"
	"path/filepath"
	"slices"
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

// TestDecideHidesKeys: a key that only the settings call a key stays out of the reason of a decision.
func TestDecideHidesKeys(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const key = "seven-wooden-boats"
	config, record := filepath.Join(w.home, "config.yml"), filepath.Join(w.home, "record.jsonl")
	write(t, config, "parties:\n  primary: {id: a, provider: openai, model: m, base_url: \"http://127.0.0.1:1\", api_key_env: MINE}\n")
	env := w.env()
	get := env.Getenv
	env.Getenv = func(name string) string {
		if name == "MINE" {
			return key
		}
		return get(name)
	}
	env.Environ = func() []string { return []string{"MINE=" + key} }
	if code := Main([]string{"-q", "review", "--uncommitted", "--config", config, "--record", record}, env); code != exitFailed { // no model answers
		t.Fatalf("exit code %d: %s", code, w.stderr.String())
	}
	if code := Main([]string{"decide", record, "keep", "the", "--yes", "key", "is", key}, env); code != 0 {
		t.Fatalf("exit code %d: %s", code, w.stderr.String())
	}
	if text := string(readFile(t, record)); !strings.Contains(text, "the key is [redacted]") || strings.Contains(text, key) {
		t.Errorf("the record: %s", text)
	}
}

// TestDecideAfterGlobalFlags: flags may come before the command, and also between the words of a
// list of arguments.
func TestDecideAfterGlobalFlags(t *testing.T) {
	t.Parallel()
	for _, before := range [][]string{nil, {"-q"}, {"-C", "."}, {"--directory=.", "--color", "never"}} {
		w := newWorld(t)
		env := w.env()
		if code := Main([]string{"review", "--uncommitted"}, env); code != exitHuman {
			t.Fatalf("exit code %d: %s", code, w.stderr.String())
		}
		w.stdout.Reset()
		args := append(slices.Clone(before), "decide", "keep", "--yes", "a", "backup", "exists")
		if code := Main(args, env); code != exitDone || !strings.Contains(w.stdout.String(), "decided keep") {
			t.Errorf("%q: exit code %d: %s%s", args, code, w.stdout.String(), w.stderr.String())
		}
	}
}
