package critic

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/patch"
	"github.com/prdebate/debate/internal/patch/patchtest"
)

// A case is a txtar archive testdata/<family>/<name>.txtar:
//
//	Prose, and one line per near miss: a rule and the head file (or file:line)
//	that it must leave alone.
//
//	miss sql/drop-table db/7.down.sql
//
//	-- base/db/7.sql --
//	the file at the base; without it the head file is wholly added
//	-- head/db/7.sql --
//	the file at the head; without it the base file is deleted
//	-- want --
//	sql/drop-table db/7.sql:3
//
// want lists every hit and notice of the rules of that family and no other, in
// the order of their text: rule, path, and line or first-last where there is one.
// In all files <U+202E> stands for that character and <+> for nothing, so that
// no hidden character, token or conflict marker is committed as such.
type testCase struct {
	family string
	base   map[string]string
	head   map[string]string
	misses []miss
	want   []string
}

// miss is one near miss: the rule must not report the path, or that line of it.
type miss struct{ rule, place string }

var codePoint = regexp.MustCompile(`<U\+([0-9A-Fa-f]{4,6})>`)

// unescape replaces the stand-ins of a case.
func unescape(s string) string {
	s = strings.ReplaceAll(s, "<+>", "")
	return codePoint.ReplaceAllStringFunc(s, func(m string) string {
		n, err := strconv.ParseUint(m[3:len(m)-1], 16, 32)
		if err != nil {
			return m
		}
		return string(rune(n))
	})
}

func parseCase(family string, data []byte) (testCase, error) {
	c := testCase{family: family, base: map[string]string{}, head: map[string]string{}}
	ar := txtar.Parse(data)
	for line := range strings.Lines(string(ar.Comment)) {
		words := strings.Fields(line)
		if len(words) == 3 && words[0] == "miss" {
			c.misses = append(c.misses, miss{rule: words[1], place: words[2]})
		}
	}
	wanted := false
	for _, f := range ar.Files {
		text := unescape(string(f.Data))
		switch {
		case strings.HasPrefix(f.Name, "base/"):
			c.base[strings.TrimPrefix(f.Name, "base/")] = text
		case strings.HasPrefix(f.Name, "head/"):
			c.head[strings.TrimPrefix(f.Name, "head/")] = text
		case f.Name == "want":
			wanted = true
			for line := range strings.Lines(text) {
				if line = strings.TrimSpace(line); line != "" {
					c.want = append(c.want, line)
				}
			}
		default:
			return c, fmt.Errorf("file %q is none of base/, head/ and want", f.Name)
		}
	}
	if !wanted {
		return c, fmt.Errorf("no want section")
	}
	return c, nil
}

// loadCases reads every case below testdata, by path.
func loadCases(t testing.TB) map[string]testCase {
	t.Helper()
	cases := make(map[string]testCase)
	err := filepath.WalkDir("testdata", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".txtar" {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		c, err := parseCase(filepath.Base(filepath.Dir(path)), data)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		cases[path] = c
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return cases
}

// makeChange is the change from base to head.
func makeChange(base, head map[string]string) patch.Change {
	names := make(map[string]bool)
	for name := range base {
		names[name] = true
	}
	for name := range head {
		names[name] = true
	}
	var edits []patchtest.Edit
	for _, name := range slices.Sorted(maps.Keys(names)) {
		old, hadOld := base[name]
		now, hasNew := head[name]
		switch {
		case !hadOld:
			edits = append(edits, patchtest.Add(name, now))
		case !hasNew:
			edits = append(edits, patchtest.Remove(name, old))
		default:
			edits = append(edits, patchtest.Modify(name, old, now))
		}
	}
	return patchtest.Change(edits...)
}

// reviewAll reviews a change of which nothing is left out.
func reviewAll(change patch.Change) Result {
	return Review(change, func(string) bool { return false }, nil)
}

// reported lists what the rules of a family reported, sorted.
func reported(res Result, family string) []string {
	var got []string
	for _, h := range res.Hits {
		if strings.HasPrefix(h.Rule, family+"/") {
			got = append(got, h.Rule+" "+h.Cite.String())
		}
	}
	for _, n := range res.Notices {
		if strings.HasPrefix(n.Rule, family+"/") {
			place := n.Path
			if n.Line > 0 {
				place += ":" + strconv.Itoa(n.Line)
			}
			got = append(got, n.Rule+" "+place)
		}
	}
	slices.Sort(got)
	return got
}

func TestRules(t *testing.T) {
	t.Parallel()
	for path, c := range loadCases(t) {
		t.Run(strings.TrimSuffix(strings.TrimPrefix(filepath.ToSlash(path), "testdata/"), ".txtar"), func(t *testing.T) {
			t.Parallel()
			res := reviewAll(makeChange(c.base, c.head))
			got := reported(res, c.family)
			slices.Sort(c.want)
			if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("reported (-want +got):\n%s", d)
			}
			for _, m := range c.misses {
				path, _, _ := strings.Cut(m.place, ":")
				if _, ok := c.head[path]; !ok {
					t.Errorf("near miss %s %s: no such file at the head", m.rule, m.place)
				}
				for _, g := range got {
					if g == m.rule+" "+m.place || strings.HasPrefix(g, m.rule+" "+m.place+":") {
						t.Errorf("near miss was flagged: %s", g)
					}
				}
			}
			for _, h := range res.Hits {
				checkHit(t, h, c.head)
			}
		})
	}
}

// checkHit holds for every hit: it is complete, and its quote is what stands at
// the cited lines.
func checkHit(t testing.TB, h debate.Hit, head map[string]string) {
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

// TestEveryRuleHasCases holds the promise that a rule flags something and leaves
// a near miss alone. The rules that a library owns and tests are exempt.
func TestEveryRuleHasCases(t *testing.T) {
	t.Parallel()
	flagged, missed := make(map[string]bool), make(map[string]bool)
	for _, c := range loadCases(t) {
		for _, w := range c.want {
			flagged[strings.Fields(w)[0]] = true
		}
		for _, m := range c.misses {
			missed[m.rule] = true
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
func ownedByLibrary(r Rule) bool {
	return strings.HasPrefix(r.ID, "secrets/") && r.Source == "gitleaks"
}
