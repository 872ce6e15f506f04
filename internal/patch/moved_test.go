package patch

import (
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/debate"
)

func TestMoved(t *testing.T) {
	t.Parallel()
	const diff = "diff --git a/old.go b/new.go\nsimilarity index 90%\nrename from old.go\nrename to new.go\n--- a/old.go\n+++ b/new.go\n" +
		"@@ -10,2 +10,5 @@\n a := 1\n+risky(a)\n+\n+\trisky( b )\n c := 3\n" +
		"@@ -50,2 +53,6 @@\n x := 1\n-gone(x)\n+risky(a)\n+tail(x)\n+twice()\n+between()\n+twice()\n"
	set := Parse([]byte(diff), nil)
	index := NewIndex(set)
	cases := []struct {
		name       string
		cite       debate.Citation
		want       string // as Citation.String, "" if it is gone
		wantQuoted string
	}{
		{"nearest of two", debate.Citation{Path: "new.go", Side: debate.Right, StartLine: 60, EndLine: 60, Quote: "risky(a)"}, "new.go:54", "risky(a)"},
		{"nearest above", debate.Citation{Path: "new.go", Side: debate.Right, StartLine: 1, EndLine: 1, Quote: "  risky(a)"}, "new.go:11", "risky(a)"},
		{"as near above as below", debate.Citation{Path: "new.go", Side: debate.Right, StartLine: 57, EndLine: 57, Quote: "twice()"}, "new.go:56", "twice()"},
		{"the longest quote", debate.Citation{Path: "new.go", Side: debate.Right, StartLine: 1, EndLine: 1, Quote: "risky(a)" + strings.Repeat(" ", quoteBytes-len("risky(a)"))}, "new.go:11", "risky(a)"},
		{"a byte longer", debate.Citation{Path: "new.go", Side: debate.Right, StartLine: 1, EndLine: 1, Quote: "risky(a)" + strings.Repeat(" ", quoteBytes+1-len("risky(a)"))}, "", ""},
		{"by its old name", debate.Citation{Path: "old.go", Side: debate.Right, StartLine: 12, EndLine: 12, Quote: "risky(a)"}, "new.go:11", "risky(a)"},
		{"several lines, a blank one between", debate.Citation{Path: "new.go", Side: debate.Right, StartLine: 3, EndLine: 5, Quote: "risky(a)\n\nrisky( b )"}, "new.go:11-13", "risky(a)\n\n\trisky( b )"},
		{"a removed line", debate.Citation{Path: "old.go", Side: debate.Left, StartLine: 40, EndLine: 40, Quote: "gone(x)"}, "new.go:51", "gone(x)"},
		{"a removed line under the name of the head", debate.Citation{Path: "new.go", Side: debate.Left, StartLine: 40, EndLine: 40, Quote: "gone(x)"}, "new.go:51", "gone(x)"},
		{"the other side", debate.Citation{Path: "new.go", Side: debate.Left, StartLine: 11, EndLine: 11, Quote: "tail(x)"}, "", ""},
		{"only a part is left", debate.Citation{Path: "new.go", Side: debate.Right, StartLine: 11, EndLine: 12, Quote: "risky(a)\nother()"}, "", ""},
		{"another file", debate.Citation{Path: "else.go", Side: debate.Right, StartLine: 11, EndLine: 11, Quote: "risky(a)"}, "", ""},
		{"nothing", debate.Citation{Path: "new.go", Side: debate.Right, StartLine: 12, EndLine: 12, Quote: " "}, "", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, ok := index.Moved(set, c.cite)
			if ok != (c.want != "") {
				t.Fatalf("found: %t", ok)
			}
			if ok && (got.String() != c.want || got.Quote != c.wantQuoted) {
				t.Errorf("%s %q, want %s %q", got, got.Quote, c.want, c.wantQuoted)
			}
			if !ok && got != c.cite {
				t.Errorf("what is gone became %s", got)
			}
		})
	}
}

// TestNear: where cited lines are gone, the nearest line with text stands for them, and
// nothing does where the diff shows nothing of the file.
func TestNear(t *testing.T) {
	t.Parallel()
	const diff = "diff --git a/old.go b/new.go\nsimilarity index 90%\nrename from old.go\nrename to new.go\n--- a/old.go\n+++ b/new.go\n" +
		"@@ -10,2 +10,4 @@\n a := 1\n+\n+\tb := 2\n c := 3\n@@ -50,2 +52,1 @@\n x := 1\n-gone(x)\n"
	set := Parse([]byte(diff), nil)
	index := NewIndex(set)
	for name, c := range map[string]struct {
		cite       debate.Citation
		want, text string // "" if nothing is near
	}{
		"the line itself":        {debate.Citation{Path: "new.go", Side: debate.Right, StartLine: 12, EndLine: 14}, "new.go:12", "\tb := 2"},
		"beside a blank one":     {debate.Citation{Path: "new.go", Side: debate.Right, StartLine: 11, EndLine: 11}, "new.go:10", "a := 1"},
		"far below the lines":    {debate.Citation{Path: "new.go", Side: debate.Right, StartLine: 1, EndLine: 1}, "new.go:10", "a := 1"},
		"by its old name":        {debate.Citation{Path: "old.go", Side: debate.Right, StartLine: 80, EndLine: 80}, "new.go:52", "x := 1"},
		"among removed lines":    {debate.Citation{Path: "new.go", Side: debate.Left, StartLine: 90, EndLine: 90}, "new.go:51", "gone(x)"},
		"nothing of that file":   {debate.Citation{Path: "else.go", Side: debate.Right, StartLine: 1, EndLine: 1}, "", ""},
		"the text of the change": {debate.Citation{Path: debate.BodyPath, Side: debate.Right, StartLine: 1, EndLine: 1}, "", ""},
	} {
		got, ok := index.Near(set, c.cite)
		if ok != (c.want != "") || ok && (got.String() != c.want || got.Quote != c.text || got.Side != c.cite.Side) {
			t.Errorf("%s: %v, %s %q", name, ok, got, got.Quote)
		}
	}
}

// TestRenamed: a name means the file that has it at this head, else the one that had it.
func TestRenamed(t *testing.T) {
	t.Parallel()
	moved, taken, gone := &File{OldPath: "a", NewPath: "b", Status: Renamed}, &File{NewPath: "a", Status: Added}, &File{OldPath: "c", Status: Deleted}
	for name, row := range map[string]struct {
		files      []*File
		path, want string
	}{
		"it was renamed":               {[]*File{moved, gone}, "a", "b"},
		"another file took its name":   {[]*File{moved, taken}, "a", "a"},
		"another file, listed before":  {[]*File{taken, moved}, "a", "a"},
		"it is gone":                   {[]*File{moved, gone}, "c", "c"},
		"nothing is known of the name": {[]*File{moved, gone}, "d", "d"},
		"it has the name of the head":  {[]*File{moved, gone}, "b", "b"},
	} {
		if got := renamed(&Set{Files: row.files}, row.path); got != row.want {
			t.Errorf("%s: %q is %q", name, row.path, got)
		}
	}
}

// TestRestored: a removed line that a later head has again is gone from the lines that the
// change removes.
func TestRestored(t *testing.T) {
	t.Parallel()
	removed := debate.Citation{Path: "a.go", Side: debate.Left, StartLine: 2, EndLine: 2, Quote: "check(x)"}
	added := debate.Citation{Path: "a.go", Side: debate.Right, StartLine: 2, EndLine: 2, Quote: "check(x)"}
	two := debate.Citation{Path: "a.go", Side: debate.Left, StartLine: 2, EndLine: 3, Quote: "check(x)\nb"}
	const head = "diff --git a/a.go b/a.go\n--- a/a.go\n+++ b/a.go\n"
	for _, tt := range []struct {
		name, hunk      string
		base            string // the whole file, "" if it is not at hand
		cite            debate.Citation
		moved, restored bool
	}{
		{"still removed", "@@ -1,3 +1,2 @@\n a\n-check(x)\n b\n", "a\ncheck(x)\nb\n", removed, true, false},
		{"back, next to another change", "@@ -1,3 +1,3 @@\n a\n check(x)\n-b\n+c\n", "", removed, false, true},
		{"another such line is removed", "@@ -1,4 +1,3 @@\n a\n check(x)\n-check(x)\n b\n", "", removed, true, false},
		{"not in the change any more", "@@ -7,1 +7,1 @@\n-b\n+c\n", "", removed, false, false},
		{"back, far from another change", "@@ -7,1 +7,1 @@\n-b\n+c\n", "a\ncheck(x)\n3\n4\n5\n6\nb\n", removed, false, true},
		{"no longer at the base", "@@ -7,1 +7,1 @@\n-b\n+c\n", "a\n2\n3\n4\n5\n6\nb\n", removed, false, false},
		{"one of two lines is back", "@@ -3,1 +3,1 @@\n-b\n+c\n", "a\ncheck(x)\nb\n", two, false, false},
		{"a line of the head that the base has too", "@@ -1,3 +1,3 @@\n a\n check(x)\n-b\n+c\n", "a\ncheck(x)\nb\n", added, true, false},
	} {
		set := Parse([]byte(head+tt.hunk), nil)
		x := NewIndex(set)
		change := Alone(set)
		if tt.base != "" {
			change.Blob = func(path string, side debate.Side) ([]byte, bool) {
				return []byte(tt.base), path == "a.go" && side == debate.Left
			}
		}
		if _, ok := x.Moved(set, tt.cite); ok != tt.moved || x.Restored(change, tt.cite) != tt.restored {
			t.Errorf("%s: moved %t, restored %t", tt.name, ok, x.Restored(change, tt.cite))
		}
	}
}

func TestCopies(t *testing.T) {
	t.Parallel()
	const diff = "diff --git a/a.go b/a.go\n--- a/a.go\n+++ b/a.go\n@@ -1,4 +1,6 @@\n risky(a)\n+risky(a)\n x := 1\n-gone(x)\n-gone(x)\n+\trisky( a )\n+risky(a)\n+tail(x)\n"
	index := NewIndex(Parse([]byte(diff), nil))
	for name, c := range map[string]struct {
		cite debate.Citation
		want int
	}{
		"an added line":                    {debate.Citation{Path: "a.go", Side: debate.Right, StartLine: 2, EndLine: 2, Quote: "risky(a)"}, 1},
		"a line of context":                {debate.Citation{Path: "a.go", Side: debate.Right, StartLine: 1, EndLine: 1, Quote: "risky(a)"}, 2},
		"other spacing inside parentheses": {debate.Citation{Path: "a.go", Side: debate.Right, StartLine: 4, EndLine: 4, Quote: "risky( a )"}, 0},
		"a removed line":                   {debate.Citation{Path: "a.go", Side: debate.Left, StartLine: 3, EndLine: 3, Quote: "gone(x)"}, 1},
		"a line that is there once":        {debate.Citation{Path: "a.go", Side: debate.Right, StartLine: 6, EndLine: 6, Quote: "tail(x)"}, 0},
		"no quote":                         {debate.Citation{Path: "a.go", Side: debate.Right, StartLine: 6, EndLine: 6}, 0},
		"a quote that is too long":         {debate.Citation{Path: "a.go", Side: debate.Right, StartLine: 2, EndLine: 2, Quote: "risky(a)" + strings.Repeat(" ", quoteBytes)}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			if got := index.Copies(c.cite); got != c.want {
				t.Errorf("%d copies, want %d", got, c.want)
			}
		})
	}
}
