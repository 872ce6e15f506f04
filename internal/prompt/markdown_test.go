package prompt

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/testkit/golden"
)

// TestMarkdown reads replies in the forms that models write when they forget JSON. What was read
// is in the file of the same name; a reply without a result is asked for again.
func TestMarkdown(t *testing.T) {
	t.Parallel()
	replies, err := filepath.Glob("testdata/markdown/*.md")
	if err != nil || len(replies) == 0 {
		t.Fatal(err, len(replies))
	}
	for _, name := range replies {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		kind := debate.CallOpen
		if strings.HasPrefix(filepath.Base(name), "weigh-") {
			kind = debate.CallChallenge
		}
		var b strings.Builder
		result, err := Read(kind, text)
		if err != nil {
			fmt.Fprintln(&b, "asked again:", err)
		} else {
			r := result.Reply
			fmt.Fprintf(&b, "result %q, verdict %q\n", r.Disposition, r.Verdict)
			for _, c := range r.Claims {
				fmt.Fprintf(&b, "%s %q\n", c.Severity, c.Title)
				for _, said := range []string{c.Body, c.Suggestion} {
					if said != "" {
						fmt.Fprintf(&b, "   %q\n", said)
					}
				}
				for _, at := range c.Refs {
					fmt.Fprintf(&b, "   at %s %q\n", at.Citation, at.Quote)
				}
			}
			for _, e := range r.Evaluations {
				fmt.Fprintf(&b, "%s %s %q\n", e.Claim, e.Class, e.Flaw)
			}
		}
		golden.Same(t, "testdata/"+filepath.Join("markdown", strings.TrimSuffix(filepath.Base(name), ".md")+".txt"), []byte(b.String()))
	}
}
