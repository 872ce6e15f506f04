package cli

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/config"
	"github.com/prdebate/debate/internal/critic"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/model"
	"github.com/prdebate/debate/internal/store"
	"github.com/prdebate/debate/internal/testkit/debatetest"
)

// recorded plays a script of package debatetest into a record.
func recorded(t *testing.T, script, path string) {
	t.Helper()
	s, err := debatetest.Load(script)
	if err != nil {
		t.Fatal(err)
	}
	_, entries, err := debatetest.Run(s, debatetest.Forward)
	if err != nil {
		t.Fatal(err)
	}
	log, err := store.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	for _, e := range entries {
		if err := log.Append(e); err != nil {
			t.Fatal(err)
		}
	}
}

// TestKnownCommand: it says which entries have expired or match nothing, and proposes
// settings for what somebody dismissed, which the program itself accepts.
func TestKnownCommand(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	record := filepath.Join(w.home, "record.jsonl")
	recorded(t, "known_dismissed", record)
	write(t, filepath.Join(w.dir, ".github/debate.yml"), `known:
  - {snippet: 'log.Printf("large  cart, card %s", c.card)', below: cart.go, reason: r, by: bob, until: 2026-01-02}
  - {rule: shell/chmod-777, reason: r, by: bob, until: 2026-01-01}
`)
	if code := Main([]string{"known", record}, w.env()); code != 0 {
		t.Fatalf("exit code %d: %s", code, w.stderr.String())
	}
	want := `snippet log.Printf("large cart, card %s", c.card) in cart.go: until 2026-01-02; matches 1 finding of the newest review
shell/chmod-777: expired on 2026-01-01, remove it or set another day; matches nothing in the newest review

To accept what was dismissed on every pull request, add to .github/debate.yml:

known:
  - snippet: c.discounts++
    below: cart.go
    reason: the shop reads it
    by: ann
    until: "2026-07-01"
`
	if diff := cmp.Diff(want, w.stdout.String()); diff != "" {
		t.Fatal(diff)
	}
	_, proposed, _ := strings.Cut(w.stdout.String(), "\n\nknown:")
	write(t, filepath.Join(w.dir, ".github/debate.yml"), "known:"+proposed)
	w.stdout.Reset()
	if code := Main([]string{"known", record}, w.env()); code != 0 {
		t.Fatalf("exit code %d: %s", code, w.stderr.String())
	}
	want = "snippet c.discounts++ in cart.go: until 2026-07-01; matches 1 finding of the newest review\n\nNo new entry to propose.\n"
	if diff := cmp.Diff(want, w.stdout.String()); diff != "" {
		t.Error(diff)
	}
	write(t, filepath.Join(w.dir, ".github/debate.yml"), "version: 1\n")
	w.stdout.Reset()
	if code := Main([]string{"known"}, w.env()); code != 0 || w.stdout.String() != ".github/debate.yml has no known findings.\n\nNo new entry to propose.\n" {
		t.Errorf("exit code %d: %s%s", code, w.stdout.String(), w.stderr.String())
	}
}

// TestShownRules: what settings may not hide is what the table of the rules says: every
// P1, every secret, every finding in a workflow.
func TestShownRules(t *testing.T) {
	t.Parallel()
	shown := make(map[string]bool)
	for _, r := range (Env{Providers: model.Registry{}}).vocabulary().Rules {
		shown[r.ID] = r.Shown
	}
	counted := 0
	for _, r := range critic.Rules() {
		kind, _, _ := strings.Cut(r.ID, "/")
		want := r.Severity == debate.P1 || kind == "secrets" || kind == "workflow"
		got, listed := shown[r.ID]
		switch {
		case listed == r.Notice:
			t.Errorf("%s: listed %v, and notice %v", r.ID, listed, r.Notice)
		case listed && got != want:
			t.Errorf("%s: never hidden %v, want %v", r.ID, got, want)
		case want:
			counted++
		}
	}
	if counted == 0 {
		t.Error("no rule must be seen")
	}
	if _, err := (config.Vocabulary{}).Parse("f.yml", []byte("known: [{rule: a/b, reason: r, by: b, until: 2027-01-01}]")); err == nil {
		t.Error("a rule that nobody knows is accepted")
	}
}
