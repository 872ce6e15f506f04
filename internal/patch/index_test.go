package patch

import (
	"slices"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/debate"
)

// indexed is a change with two hunks, a rename, a copy and a deletion.
const indexed = `diff --git a/f b/f
--- a/f
+++ b/f
@@ -1,4 +1,5 @@
 one
-two
-three
+TWO
+THREE
+AND
 four
@@ -20,3 +21,2 @@ tail
 twenty
-twenty-one
 twenty-two
diff --git a/old b/new
rename from old
rename to new
--- a/old
+++ b/new
@@ -7 +7 @@
-seven
+SEVEN
diff --git a/f b/copy
copy from f
copy to copy
--- a/f
+++ b/copy
@@ -2 +2 @@
-two
+copied
diff --git a/gone b/gone
deleted file mode 100644
--- a/gone
+++ /dev/null
@@ -1,2 +0,0 @@
-bye
-now
diff --git a/type b/type
deleted file mode 100644
--- a/type
+++ /dev/null
@@ -1,2 +0,0 @@
-was
-text
diff --git a/type b/type
new file mode 120000
--- /dev/null
+++ b/type
@@ -0,0 +1 @@
+target
\ No newline at end of file
diff --git a/a b/b
rename from a
rename to b
--- a/a
+++ b/b
@@ -1 +1 @@
-a1
+b1
diff --git a/b b/c
rename from b
rename to c
--- a/b
+++ b/c
@@ -1 +1 @@
-b old
+c1
`

func TestIndex(t *testing.T) {
	t.Parallel()
	set := Parse([]byte(indexed), nil)
	for _, f := range set.Files {
		if f.Unparsed != "" {
			t.Fatalf("%s", summary(f))
		}
	}
	x := NewIndex(set)
	tests := []struct {
		path    string
		side    debate.Side
		line    int
		text    string // "" if the line does not exist
		changed bool
	}{
		{"f", debate.Right, 0, "", false},
		{"f", debate.Right, -1, "", false},
		{"f", debate.Right, 1, "one", false},
		{"f", debate.Right, 2, "TWO", true},
		{"f", debate.Right, 4, "AND", true},
		{"f", debate.Right, 5, "four", false},
		{"f", debate.Right, 6, "", false},
		{"f", debate.Right, 20, "", false},
		{"f", debate.Right, 21, "twenty", false},
		{"f", debate.Right, 22, "twenty-two", false},
		{"f", debate.Right, 23, "", false},
		{"f", debate.Right, 1 << 40, "", false},
		{"f", debate.Left, 1, "one", false},
		{"f", debate.Left, 3, "three", true},
		{"f", debate.Left, 4, "four", false},
		{"f", debate.Left, 5, "", false},
		{"f", debate.Left, 21, "twenty-one", true},
		{"f", "", 1, "", false},
		{"f", "MIDDLE", 1, "", false},
		{"nowhere", debate.Right, 1, "", false},
		{"new", debate.Right, 7, "SEVEN", true},
		{"old", debate.Right, 7, "", false},
		{"old", debate.Left, 7, "seven", true},
		{"new", debate.Left, 7, "seven", true},
		{"copy", debate.Right, 2, "copied", true},
		{"copy", debate.Left, 2, "two", true},
		{"gone", debate.Left, 2, "now", true},
		{"gone", debate.Right, 1, "", false},
		{"type", debate.Left, 2, "text", true},
		{"type", debate.Right, 1, "target", true},
		{"b", debate.Left, 1, "b old", true}, // the base path wins over a head path
		{"b", debate.Right, 1, "b1", true},
		{"a", debate.Left, 1, "a1", true},
		{"c", debate.Left, 1, "b old", true},
	}
	for _, tt := range tests {
		text, ok := x.Line(tt.path, tt.side, tt.line)
		if text != tt.text || ok != (tt.text != "") {
			t.Errorf("Line(%s, %s, %d) = %q, %v, want %q", tt.path, tt.side, tt.line, text, ok, tt.text)
		}
		if changed := x.Changed(tt.path, tt.side, tt.line); changed != tt.changed {
			t.Errorf("Changed(%s, %s, %d) = %v", tt.path, tt.side, tt.line, changed)
		}
		if at, _, found := x.find(tt.path, tt.side, tt.line); found != ok || ok && at.hunk == nil {
			t.Errorf("find(%s, %s, %d) = %v, %v", tt.path, tt.side, tt.line, at.hunk, found)
		}
	}
	if at, _, _ := x.find("f", debate.Left, 20); at.hunk == nil || at.hunk.Section != "tail" {
		t.Errorf("find(f, LEFT, 20) = %+v", at.hunk)
	}
}

func TestCommentable(t *testing.T) {
	t.Parallel()
	x := NewIndex(Parse([]byte(indexed), nil))
	tests := []struct {
		path       string
		side       debate.Side
		start, end int
		want       bool
	}{
		{"f", debate.Right, 1, 1, true},
		{"f", debate.Right, 1, 5, true},
		{"f", debate.Right, 2, 6, false},  // the line after the hunk
		{"f", debate.Right, 5, 21, false}, // two hunks
		{"f", debate.Right, 3, 2, false},
		{"f", debate.Left, 2, 3, true},
		{"f", debate.Left, 1, 2, false}, // context on the left
		{"f", debate.Left, 4, 4, false},
		{"f", debate.Left, 2, 21, false},
		{"f", "", 2, 2, false},
		{"gone", debate.Left, 1, 2, true},
		{"new", debate.Left, 7, 7, true},
		{"type", debate.Right, 1, 1, true},
		{"nowhere", debate.Right, 1, 1, false},
	}
	for _, tt := range tests {
		if got := x.Commentable(tt.path, tt.side, tt.start, tt.end); got != tt.want {
			t.Errorf("Commentable(%s, %s, %d, %d) = %v", tt.path, tt.side, tt.start, tt.end, got)
		}
	}
}

// TestDecodedIsNotCommentable: GitHub shows no lines of a file that git calls binary, so
// nobody can comment on them; they can be cited.
func TestDecodedIsNotCommentable(t *testing.T) {
	t.Parallel()
	set := &Set{Files: []*File{{NewPath: "x", Status: Added, Kind: Binary}, {NewPath: "y", Status: Added, Kind: Text, Hunks: Shown("y", "rm -rf /\n").Hunks}}}
	set.Decode(func(string, debate.Side) ([]byte, bool) { return []byte("rm -rf /\n\x00"), true })
	x := NewIndex(set)
	for path, want := range map[string]bool{"x": false, "y": true} {
		if text, ok := x.Line(path, debate.Right, 1); text != "rm -rf /" || !ok {
			t.Errorf("%s: line 1 is %q, %v", path, text, ok)
		}
		if got := x.Commentable(path, debate.Right, 1, 1); got != want {
			t.Errorf("%s is commentable: %v", path, got)
		}
	}
}

// TestAround: the lines of the hunk around a line, and none around any other.
func TestAround(t *testing.T) {
	t.Parallel()
	x := NewIndex(Parse([]byte(indexed), nil))
	for name, row := range map[string]struct {
		index *Index
		side  debate.Side
		line  int
		first int
		lines []string
	}{
		"an added line":             {x, debate.Right, 3, 1, []string{"one", "TWO", "THREE", "AND", "four"}},
		"a removed line":            {x, debate.Left, 3, 1, []string{"one", "two", "three", "four"}},
		"the last line of a hunk":   {x, debate.Right, 22, 21, []string{"twenty", "twenty-two"}},
		"the line after a hunk":     {x, debate.Right, 6, 0, nil},
		"an index that has nothing": {nil, debate.Right, 3, 0, nil},
	} {
		first, lines := row.index.Around("f", row.side, row.line)
		if first != row.first || !slices.Equal(lines, row.lines) {
			t.Errorf("%s: %d, %q", name, first, lines)
		}
	}
}

// TestIndexOfACopy: the original of a copy did not change, so its name is the base's.
func TestIndexOfACopy(t *testing.T) {
	t.Parallel()
	x := NewIndex(Parse([]byte("diff --git a/src b/dst\ncopy from src\ncopy to dst\n--- a/src\n+++ b/dst\n@@ -2 +2 @@\n-two\n+copied\n"), nil))
	for path, want := range map[string]string{"src": "two", "dst": "two", "": ""} {
		if text, _ := x.Line(path, debate.Left, 2); text != want {
			t.Errorf("%q on the left is %q", path, text)
		}
	}
}

// TestIndexOfTwoMeanings has two copies of a file that did not change: its base
// path names neither.
func TestIndexOfTwoMeanings(t *testing.T) {
	t.Parallel()
	one := "diff --git a/src b/NAME\ncopy from src\ncopy to NAME\n--- a/src\n+++ b/NAME\n@@ -2 +2 @@\n-two\n+copied\n"
	x := NewIndex(Parse([]byte(strings.ReplaceAll(one, "NAME", "c1")+strings.ReplaceAll(one, "NAME", "c2")), nil))
	if text, ok := x.Line("src", debate.Left, 2); ok {
		t.Errorf("src is found: %q", text)
	}
	for _, path := range []string{"c1", "c2"} {
		if text, _ := x.Line(path, debate.Left, 2); text != "two" {
			t.Errorf("%s on the left is %q", path, text)
		}
	}
}

// TestNamesOfTheBase: a line of the base has the names that its file has on both sides.
func TestNamesOfTheBase(t *testing.T) {
	t.Parallel()
	x := NewIndex(Parse([]byte(indexed), nil))
	for _, tt := range []struct {
		path       string
		side       debate.Side
		head, name string
	}{
		{"old", debate.Left, "new", "new"},
		{"new", debate.Left, "new", "new"},
		{"old", debate.Right, "old", "old"},
		{"f", debate.Left, "f", "f"},
		{"gone", debate.Left, "gone", "gone"},
		{"nowhere", debate.Left, "nowhere", "nowhere"},
		{"a", debate.Left, "b", "a"}, // b was another file
		{"b", debate.Left, "c", "c"},
		{"c", debate.Left, "c", "c"},
	} {
		if head, name := x.Head(tt.path, tt.side), x.Name(tt.path, tt.side); head != tt.head || name != tt.name {
			t.Errorf("%s %s: %s and %s, want %s and %s", tt.path, tt.side, head, name, tt.head, tt.name)
		}
	}
	var none *Index
	if none.Head("f", debate.Left) != "f" || none.Name("f", debate.Left) != "f" {
		t.Error("without an index a name is another one")
	}
}

func TestKept(t *testing.T) {
	t.Parallel()
	x := NewIndex(Parse([]byte("diff --git a/o b/n\nrename from o\nrename to n\n--- a/o\n+++ b/n\n@@ -1,5 +1,6 @@\n-a\n b\n c\n+x\n+y\n d\n e\n"), nil))
	for _, tt := range []struct{ start, end, first, last int }{
		{2, 2, 1, 1}, {2, 3, 1, 2}, {4, 5, 5, 6}, {3, 4, 0, 0}, {1, 1, 0, 0}, {1, 2, 0, 0}, {9, 9, 0, 0},
	} {
		first, last, ok := x.Kept("o", tt.start, tt.end)
		if first != tt.first || last != tt.last || ok != (tt.first > 0) {
			t.Errorf("%d-%d: %d-%d %t", tt.start, tt.end, first, last, ok)
		}
	}
}
