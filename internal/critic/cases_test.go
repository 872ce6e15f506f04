package critic

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/critic/check"
	"github.com/prdebate/debate/internal/patch"
	"github.com/prdebate/debate/internal/testkit/checktest"
)

// allCases are the cases of every kind, and those of the rules of no kind.
var allCases = []string{"*/testdata/*.txtar", "testdata/*.txtar"}

// reviewAll reviews a change of which nothing is left out.
func reviewAll(change patch.Change) Result {
	return Review(change, func(string) bool { return false }, nil)
}

// TestRules runs every rule over the cases of every kind: what one kind does
// must not change what another reports.
func TestRules(t *testing.T) {
	t.Parallel()
	for _, c := range checktest.Load(t, allCases...) {
		t.Run(c.Name, func(t *testing.T) {
			family := filepath.Dir(filepath.Dir(c.Name))
			if family == "." {
				family, _, _ = strings.Cut(filepath.Base(c.Name), "-")
			}
			res := reviewAll(c.Change())
			checktest.Compare(t, c, checktest.Reported(res.Hits, res.Notices, family))
			for _, h := range res.Hits {
				checktest.Complete(t, h, c.Head)
			}
		})
	}
}

// TestEveryRuleHasCases holds the promise that a rule flags something and leaves
// a near miss alone. The rules that a library owns and tests are exempt.
func TestEveryRuleHasCases(t *testing.T) {
	t.Parallel()
	flagged, missed := make(map[string]bool), make(map[string]bool)
	for _, c := range checktest.Load(t, allCases...) {
		for _, w := range c.Want {
			flagged[strings.Fields(w)[0]] = true
		}
		for _, m := range c.Misses {
			missed[m.Rule] = true
		}
	}
	known := make(map[string]bool)
	for _, r := range Rules() {
		known[r.ID] = true
		if ownedByLibrary(r) {
			continue
		}
		if !flagged[r.ID] {
			t.Errorf("no case in testdata flags %s", r.ID)
		}
		if !missed[r.ID] && !r.Notice {
			t.Errorf("no case in testdata is a near miss of %s", r.ID)
		}
	}
	for id := range missed {
		if !known[id] {
			t.Errorf("a near miss names %s, which is no rule", id)
		}
	}
}

func TestRulesAreDocumented(t *testing.T) {
	t.Parallel()
	rules := Rules()
	for i, r := range rules {
		if i > 0 && rules[i-1].ID >= r.ID {
			t.Errorf("rule %s is listed twice or out of order", r.ID)
		}
		if family, name, ok := strings.Cut(r.ID, "/"); !ok || family == "" || name == "" {
			t.Errorf("rule %q: the id must be family/name", r.ID)
		}
		if r.Title == "" || r.Source == "" {
			t.Errorf("rule %s has no title or source", r.ID)
		}
		if !r.Notice && (r.Severity == "" || r.Category == "") {
			t.Errorf("rule %s has no severity or category", r.ID)
		}
	}
}

// ownedByLibrary reports whether the rule's pattern is gitleaks' own.
func ownedByLibrary(r check.Rule) bool {
	return strings.HasPrefix(r.ID, "secrets/") && r.Source == "gitleaks"
}
