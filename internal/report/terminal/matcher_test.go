package terminal

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestProblemMatcher: .github/problem-matcher.json, which logs of GitHub Actions are read
// with, finds the findings in what the terminal shows: all that stand on a line of the head.
func TestProblemMatcher(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("../../../.github/problem-matcher.json")
	if err != nil {
		t.Fatal(err)
	}
	var matchers struct {
		ProblemMatcher []struct {
			Owner, Severity string
			Pattern         []struct {
				Regexp                    string
				File, Line, Code, Message int
			}
		}
	}
	if err := json.Unmarshal(data, &matchers); err != nil {
		t.Fatal(err)
	}
	pages, err := os.ReadFile("../testdata/pages.txt")
	if err != nil {
		t.Fatal(err)
	}
	_, page, _ := strings.Cut(string(pages), "=== terminal rich\n")
	page, _, _ = strings.Cut(page, "\n=== ")
	var found []string
	for _, line := range strings.Split(page, "\n") {
		for _, m := range matchers.ProblemMatcher {
			p := m.Pattern[0]
			if at := regexp.MustCompile(p.Regexp).FindStringSubmatch(line); at != nil {
				found = append(found, strings.Join([]string{m.Severity, at[p.File], at[p.Line], at[p.Code], at[p.Message]}, "|"))
			}
		}
	}
	want := []string{
		"error|db/3.sql|4|F3|A table is dropped",
		"error|deploy/env.sh|3|F1|An AWS key is committed",
		"warning|pull request text|12|F5|The plan has no rollback",
		"warning|deploy/env.sh|2|F2|A variable is exported",
		"warning|a.go|1|F6|Perhaps a race (not confirmed)",
	}
	if diff := cmp.Diff(want, found); diff != "" {
		t.Errorf("the matcher finds (-want +got):\n%s", diff)
	}
}
