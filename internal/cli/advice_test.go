package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/config"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gitrepo"
)

// TestGuidance: instructions for paths are given where the change touches them.
func TestGuidance(t *testing.T) {
	t.Parallel()
	instructions := []config.Instruction{
		{Paths: []config.Glob{"db/**", "*.sql"}, Text: " Migrations must be reversible.\n"},
		{Paths: []config.Glob{"web/**"}, Text: "No inline styles."},
		{Text: "Prefer short names."},
	}
	for changed, want := range map[string][]string{
		"a.sql":  {"db/**, *.sql: Migrations must be reversible.", "Prefer short names."},
		"db/a/b": {"db/**, *.sql: Migrations must be reversible.", "Prefer short names."},
		"main.c": {"Prefer short names."},
		"":       {"Prefer short names."},
	} {
		if diff := cmp.Diff(want, guidance(instructions, []string{"x", changed})); diff != "" {
			t.Errorf("%q: %s", changed, diff)
		}
	}
}

// TestAdvice: the nearest goes first, a copy and what cannot be read are left
// out, and there is a bound.
func TestAdvice(t *testing.T) {
	t.Parallel()
	base := map[string]string{
		"AGENTS.md": "top\n", "CLAUDE.md": "top", "svc/AGENTS.md": "service", "svc/db/REVIEW.md": "database",
		"web/AGENTS.md": "not touched", ".github/copilot-instructions.md": "robots", "svc/CLAUDE.md": "link", "REVIEW.md": "  \n",
	}
	read := func(_ context.Context, names []string) (found map[string][]byte, err error) {
		found = make(map[string][]byte)
		for _, name := range names {
			switch text, ok := base[name]; {
			case text == "link":
				err = errors.Join(err, &gitrepo.FileError{Path: name, Reason: "is a link"})
			case ok:
				found[name] = []byte(text)
			}
		}
		return found, err
	}
	exists := func(string) bool { return true }
	got, err := (settings{}).advice(context.Background(), adviceAt([]string{"", "svc/db/1.sql", "main.go", "/strange", "../outside"}, exists, nil), read)
	want := []debate.Advice{
		{Path: "svc/db/REVIEW.md", Text: "database"}, {Path: "svc/AGENTS.md", Text: "service"},
		{Path: "AGENTS.md", Text: "top"}, {Path: ".github/copilot-instructions.md", Text: "robots"},
	}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Error(err, diff)
	}

	more := map[string]string{
		"svc/GEMINI.md": "gemini", "GEMINI.md": "gemini at the top", "CONTRIBUTING.md": strings.Repeat("é", 5000), ".cursorrules": "cursor",
		"svc/CONTRIBUTING.md": "of a part", ".github/CONTRIBUTING.md": "of GitHub",
	}
	got, err = (settings{}).advice(context.Background(), adviceAt([]string{"svc/a.go"}, func(name string) bool { return more[name] != "" }, nil), func(_ context.Context, names []string) (map[string][]byte, error) {
		found := make(map[string][]byte)
		for _, name := range names {
			found[name] = []byte(more[name])
		}
		return found, nil
	})
	want = []debate.Advice{
		{Path: "svc/GEMINI.md", Text: "gemini"}, {Path: "GEMINI.md", Text: "gemini at the top"}, {Path: ".cursorrules", Text: "cursor"},
		{Path: "CONTRIBUTING.md", Text: strings.Repeat("é", maxContributing/2)}, {Path: ".github/CONTRIBUTING.md", Text: "of GitHub"},
	}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Error(err, diff)
	}

	base["svc/AGENTS.md"] = strings.Repeat("é", maxAdviceBytes)
	got, err = (settings{}).advice(context.Background(), adviceAt([]string{"svc/db/1.sql"}, exists, nil), read)
	if err != nil || len(got) != 2 || len(got[0].Text)+len(got[1].Text) > maxAdviceBytes || strings.Contains(got[1].Text, "\uFFFD") {
		t.Errorf("%v, %d files", err, len(got))
	}
	failing := func(context.Context, []string) (map[string][]byte, error) { return nil, fmt.Errorf("broken") }
	if _, err := (settings{}).advice(context.Background(), []string{"a"}, failing); err == nil {
		t.Error("a repository that cannot be read goes unnoticed")
	}
	nowhere := adviceAt([]string{"a"}, func(string) bool { return false }, func(string) ([]string, bool) { return []string{"a.md"}, true })
	if got, err := (settings{}).advice(context.Background(), nowhere, failing); err != nil || got != nil {
		t.Errorf("what is not there is read: %v, %v", got, err)
	}
}

// TestRules: rules of an editor come last, by name, ten of them, and the top of each.
func TestRules(t *testing.T) {
	t.Parallel()
	files := map[string]string{"AGENTS.md": "top", ".cursor/rules/README.txt": "no rule", ".cursor/rules/sub.mdc/deep.mdc": "deep"}
	names := []string{"README.txt"}
	for i := range 12 {
		name := fmt.Sprintf("%02d.md%s", 11-i, []string{"", "c"}[i%2])
		names = append(names, name)
		files[".cursor/rules/"+name] = "rule " + name
	}
	files[".cursor/rules/03.md"] = strings.Repeat("é", 5000)
	exists := func(name string) bool { return name == rulesFolder || files[name] != "" }
	folder := func(dir string) ([]string, bool) {
		if dir != rulesFolder {
			t.Errorf("%s is listed", dir)
		}
		return names, true
	}
	asked := 0
	read := func(_ context.Context, names []string) (map[string][]byte, error) {
		asked++
		found := map[string][]byte{}
		for _, name := range names {
			found[name] = []byte(files[name])
		}
		return found, nil
	}
	got, err := (settings{}).advice(context.Background(), adviceAt([]string{"a.go"}, exists, folder), read)
	want := []debate.Advice{{Path: "AGENTS.md", Text: "top"}}
	for i, name := range []string{"00.mdc", "01.md", "02.mdc", "03.md", "04.mdc", "05.md", "06.mdc", "07.md", "08.mdc", "09.md"} {
		text := "rule " + name
		if i == 3 {
			text = strings.Repeat("é", maxRules/2)
		}
		want = append(want, debate.Advice{Path: ".cursor/rules/" + name, Text: text})
	}
	if diff := cmp.Diff(want, got); err != nil || diff != "" || asked != 1 {
		t.Error(asked, err, diff)
	}
}

func TestLanguage(t *testing.T) {
	t.Parallel()
	for tag, want := range map[string]string{"en": "", "en-GB": "", "EN-us": "", "de": "de", "pt-BR": "pt-BR", "enm": "enm"} {
		c := config.Default()
		c.Publish.Language = tag
		first, err := settings{config: c}.received(Env{Random: strings.NewReader(strings.Repeat("x", 32)), Now: time.Now}, "")
		if first.Language != want || err != nil {
			t.Errorf("%s: %q, %v", tag, first.Language, err)
		}
	}
}
