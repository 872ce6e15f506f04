package cli

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/critic"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestRulesDocument keeps docs/rules.md equal to the rules that the critic has.
func TestRulesDocument(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("# What the embedded critic looks for\n\n")
	b.WriteString("Every rule looks at changed lines only and cites them. A notice is a fact, never a finding.\n")
	b.WriteString("This page is written by `go test ./internal/cli -run RulesDocument -update`.\n")
	family := ""
	for _, r := range critic.Rules() {
		if name, _, _ := strings.Cut(r.ID, "/"); name != family {
			family = name
			fmt.Fprintf(&b, "\n## %s\n\n| rule | severity | category | what | source |\n|---|---|---|---|---|\n", family)
		}
		severity := string(r.Severity)
		if r.Notice {
			severity = "notice"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s |\n", r.ID, severity, r.Category, cell(r.Title), cell(r.Source))
	}
	golden(t, filepath.Join("..", "..", "docs", "rules.md"), []byte(b.String()))
}

func cell(s string) string { return strings.ReplaceAll(s, "|", `\|`) }

// golden compares data with a file, or writes the file with -update.
func golden(t *testing.T, path string, data []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(data)); diff != "" {
		t.Errorf("%s is out of date, run the test with -update:\n%s", path, diff)
	}
}
