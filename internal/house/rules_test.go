package house

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/critic"
)

// TestRulesDocument keeps docs/rules.md equal to the rules that the critic has.
func TestRulesDocument(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("# What the built-in rules look for\n\n")
	b.WriteString("Every rule looks at changed lines only and cites them. A notice is a fact, never a finding.\n")
	b.WriteString("This page is written by `go test ./internal/house -update`.\n")
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
