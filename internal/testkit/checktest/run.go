package checktest

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/critic/check"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/patch"
)

// Review runs kinds of rules over all of a change.
func Review(change patch.Change, kinds ...check.Kind) *check.Findings {
	rules := slices.Clone(check.OwnRules)
	for _, k := range kinds {
		rules = append(rules, k.Rules...)
	}
	out := check.NewFindings(rules)
	files := check.Files(change, func(string) bool { return false })
	for _, k := range kinds {
		k.Review(files, out)
	}
	return out
}

// Run holds that kinds of rules report what the cases in testdata want of the
// rules of a family, and that every hit is complete.
func Run(t *testing.T, family string, kinds ...check.Kind) {
	t.Helper()
	for _, c := range Load(t, "testdata/*.txtar") {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			out := Review(c.Change(), kinds...)
			Compare(t, c, Reported(out.Hits, out.Notices, family))
			for _, h := range out.Hits {
				Complete(t, h, c.Head)
			}
		})
	}
}

// Compare holds that what was reported is what the case wants, and no near miss.
func Compare(t *testing.T, c Case, got []string) {
	t.Helper()
	if d := cmp.Diff(c.Want, got); d != "" {
		t.Errorf("reported (-want +got):\n%s", d)
	}
	for _, m := range c.Misses {
		path, _, _ := strings.Cut(m.Place, ":")
		if _, ok := c.Head[path]; !ok {
			t.Errorf("near miss %s %s: no such file at the head", m.Rule, m.Place)
		}
		flagged := lists.Keep(got, func(g string) bool { return strings.HasPrefix(g+":", m.Rule+" "+m.Place+":") })
		if len(flagged) > 0 {
			t.Errorf("near miss was flagged: %s", flagged)
		}
	}
}

// Reported lists what the rules of a family reported, sorted.
func Reported(hits []debate.Hit, notices []debate.Notice, family string) []string {
	all := lists.Map(hits, func(h debate.Hit) string { return h.Rule + " " + h.Cite.String() })
	for _, n := range notices {
		place := n.Path
		if n.Line > 0 {
			place += ":" + strconv.Itoa(n.Line)
		}
		all = append(all, n.Rule+" "+place)
	}
	got := lists.Keep(all, func(reported string) bool { return strings.HasPrefix(reported, family+"/") })
	slices.Sort(got)
	return got
}

// Complete holds for a hit that nothing of it is missing, and that its quote is
// what stands at the cited lines.
func Complete(t testing.TB, h debate.Hit, head map[string]string) {
	t.Helper()
	if h.Title == "" || h.Body == "" || h.Category == "" || h.Severity == "" {
		t.Errorf("%s at %s has no title, body, category or severity: %+v", h.Rule, h.Cite, h)
	}
	lines := strings.Split(head[h.Cite.Path], "\n")
	if h.Cite.StartLine < 1 || h.Cite.EndLine > len(lines) || h.Cite.StartLine > h.Cite.EndLine {
		t.Errorf("%s cites %s, the file has %d lines", h.Rule, h.Cite, len(lines))
		return
	}
	if want := strings.Join(lines[h.Cite.StartLine-1:h.Cite.EndLine], "\n"); want != h.Cite.Quote {
		t.Errorf("%s at %s quotes %q, the lines are %q", h.Rule, h.Cite, h.Cite.Quote, want)
	}
}
