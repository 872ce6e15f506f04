// Package checktest reads the cases of the critic's rules and runs rules over
// them, for the tests of the kinds of rules.
package checktest

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/prdebate/debate/internal/lazyregexp"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/patch"
	"github.com/prdebate/debate/internal/testkit/patchtest"
)

// Case is a txtar archive <family>/testdata/<name>.txtar:
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
type Case struct {
	Name   string
	Base   map[string]string
	Head   map[string]string
	Misses []Miss
	Want   []string
}

// Miss is one near miss: the rule must not report the path, or that line of it.
type Miss struct{ Rule, Place string }

// Change is the change that the case is about.
func (c Case) Change() patch.Change { return Change(c.Base, c.Head) }

// Load reads every case that the patterns name.
func Load(t testing.TB, patterns ...string) []Case {
	t.Helper()
	var cases []Case
	for _, pattern := range patterns {
		paths, err := filepath.Glob(pattern)
		if len(paths) == 0 {
			t.Fatalf("no cases in %s: %v", pattern, err)
		}
		for _, path := range paths {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			c, err := parse(data)
			if err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			c.Name = strings.TrimSuffix(filepath.ToSlash(path), ".txtar")
			cases = append(cases, c)
		}
	}
	return cases
}

// Seeds adds every head file of the cases that the patterns name.
func Seeds(f *testing.F, patterns ...string) {
	f.Helper()
	for _, c := range Load(f, patterns...) {
		for _, text := range c.Head {
			f.Add(text)
		}
	}
}

// missLine is a line of a comment that names a near miss.
var missLine = lazyregexp.New(`(?m)^[ \t]*miss[ \t]+(\S+)[ \t]+(\S+)[ \t\r]*$`)

func parse(data []byte) (Case, error) {
	c := Case{Base: map[string]string{}, Head: map[string]string{}}
	ar := txtar.Parse(data)
	c.Misses = lists.Map(missLine().FindAllSubmatch(ar.Comment, -1), func(m [][]byte) Miss { return Miss{Rule: string(m[1]), Place: string(m[2])} })
	wanted := false
	for _, f := range ar.Files {
		text := unescape(string(f.Data))
		side, name, _ := strings.Cut(f.Name, "/")
		switch side {
		case "base":
			c.Base[name] = text
		case "head":
			c.Head[name] = text
		case "want":
			wanted = true
			lines := lists.Map(strings.Split(text, "\n"), strings.TrimSpace)
			c.Want = lists.Keep(lines, func(line string) bool { return line != "" })
		default:
			return c, fmt.Errorf("file %q is none of base/, head/ and want", f.Name)
		}
	}
	slices.Sort(c.Want)
	if !wanted {
		return c, fmt.Errorf("no want section")
	}
	return c, nil
}

// unescape replaces the stand-ins of a case.
func unescape(s string) string {
	s = strings.ReplaceAll(s, "<+>", "")
	return codePoint().ReplaceAllStringFunc(s, func(m string) string {
		n, _ := strconv.ParseUint(m[3:len(m)-1], 16, 32) // of such digits it is always a number
		return string(rune(n))
	})
}

var codePoint = lazyregexp.New(`<U\+([0-9A-Fa-f]{4,6})>`)

// Change is the change from base to head.
func Change(base, head map[string]string) patch.Change {
	all := make(map[string]string)
	maps.Copy(all, base)
	maps.Copy(all, head)
	var edits []patchtest.Edit
	for _, name := range slices.Sorted(maps.Keys(all)) {
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
