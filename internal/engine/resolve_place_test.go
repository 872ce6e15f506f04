package engine

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/patch"
	"github.com/prdebate/debate/internal/prompt"
	"github.com/prdebate/debate/internal/surround"
)

// listResolver looks up in a new file of 30 lines, of which the fifth is blank.
func listResolver() *resolver {
	var b strings.Builder
	b.WriteString("diff --git a/list b/list\nnew file mode 100644\n--- /dev/null\n+++ b/list\n@@ -0,0 +1,30 @@\n")
	for line := range 30 {
		if line == 4 {
			b.WriteString("+ \t\n")
			continue
		}
		fmt.Fprintf(&b, "+item %d\n", line+1)
	}
	set := patch.Parse([]byte(b.String()), nil)
	change := patch.Change{Set: set, Blob: func(string, debate.Side) ([]byte, bool) { return nil, false }}
	return newResolver(change, patch.NewIndex(set), debate.Anchor{Intent: "Why.\n"}, &prompt.Packet{})
}

// TestPlaces: lines of the diff that are named without a quote stand beside the citation,
// if they are few and there is something on them.
func TestPlaces(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		path       string
		start, end int
		want       string // "" where there is no place
	}{
		"the first line":               {"list", 1, 1, "item 1"},
		"the last line":                {"list", 30, 30, "item 30"},
		"two lines":                    {"list", 1, 2, "item 1\nitem 2"},
		"a blank line among others":    {"list", 4, 6, "item 4\n \t\nitem 6"},
		"a blank line":                 {"list", 5, 5, ""},
		"as many lines as a place has": {"list", 6, 25, "item 6\n"},
		"a line more":                  {"list", 6, 26, ""},
		"before the first line":        {"list", 0, 1, ""},
		"beyond the last line":         {"list", 30, 31, ""},
		"backwards":                    {"list", 3, 2, ""},
		"another file":                 {"other", 1, 1, ""},
		"the text of the pull request": {debate.BodyPath, 1, 1, ""},
	} {
		cite, found := listResolver().lookUp(at(row.path, debate.Right, row.start, row.end, "\n"), maxFound)
		if found.OK != (row.want != "") || !strings.HasPrefix(found.Text, row.want) || found.OK && (cite.Quote != "" || !found.Changed || found.Quoted()) {
			t.Errorf("%s: %+v, %+v", name, cite, found)
		}
		if !found.OK && (found.Text != "" || found.Why == "") {
			t.Errorf("%s: nothing is said of it: %+v", name, found)
		}
	}
}

// TestResolveTellsWhatStandsThere: whoever quotes what does not stand there is told what
// does, where the diff shows it (M03b).
func TestResolveTellsWhatStandsThere(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		cite debate.Citation
		want string
	}{
		"another text":         {at("a.go", debate.Right, 11, 11, "return first.values()"), "\treturn   first.value()"},
		"no side":              {at("a.go", "", 11, 11, "return first.values()"), "\treturn   first.value()"},
		"another text at base": {at("a.go", debate.Left, 11, 11, "return first.values()"), "\treturn first.check()"},
		"outside the diff":     {at("a.go", debate.Right, 4, 4, "// line 5 of the files"), ""},
		"half outside of it":   {at("a.go", debate.Right, 9, 10, "return first.values()"), ""},
		"another file":         {at("gone.go", debate.Right, 11, 11, "return first.values()"), ""},
	} {
		if _, found := testResolver().lookUp(row.cite, maxFound); found.OK || found.Why == "" || found.Text != row.want {
			t.Errorf("%s: %+v", name, found)
		}
	}
}

// TestWhatIsLeftToKeep: lines are kept as long as there is room for them. Without, a
// citation does not hold, and nobody is told what stands there.
func TestWhatIsLeftToKeep(t *testing.T) {
	t.Parallel()
	const value = "\treturn   first.value()"
	quoted, place := at("a.go", debate.Right, 11, 11, "return first.value()"), at("a.go", debate.Right, 11, 11, "")
	wrong := at("a.go", debate.Right, 11, 11, "return first.value() or something that is much longer")
	for name, row := range map[string]struct {
		cite debate.Citation
		left int
		ok   bool
		why  string
		text string
	}{
		"room for the lines":            {quoted, len(value), true, "", ""},
		"no room for the lines":         {quoted, len(value) - 1, false, tooLarge, ""},
		"room for a place":              {place, len(value), true, "", value},
		"no room for a place":           {place, len(value) - 1, false, tooLarge, ""},
		"room for what stands there":    {wrong, len(value), false, "the quote is not at or near the cited lines", value},
		"no room for what stands there": {wrong, len(value) - 1, false, "the quote is not at or near the cited lines", ""},
	} {
		if _, found := testResolver().lookUp(row.cite, row.left); found.OK != row.ok || found.Why != row.why || found.Text != row.text {
			t.Errorf("%s: %+v", name, found)
		}
	}
	// The lines of all citations of a reply share the room.
	wide := strings.Replace(cited, "return   first", "return"+strings.Repeat(" ", maxFound/2-20)+"first", 1)
	for name, cite := range map[string]debate.Citation{"places": place, "quotes that stand nowhere": wrong} {
		s := testResolver()
		s.index = patch.NewIndex(patch.Parse([]byte(wide), nil))
		reply := debate.Reply{Checked: []debate.Check{{Refs: []debate.Ref{{Citation: cite}, {Citation: cite}, {Citation: cite}}}}}
		s.resolve(&reply)
		for i, kept := range []bool{true, true, false} {
			if got := reply.Checked[0].Refs[i].Found; (got.Text != "") != kept || cite == place && got.OK != kept {
				t.Errorf("%s: reference %d: %v, %s, %d bytes", name, i, got.OK, got.Why, len(got.Text))
			}
		}
	}
}

// TestWhatACitationReads: what is read to look a citation up counts, so that it is bounded.
func TestWhatACitationReads(t *testing.T) {
	t.Parallel()
	hunk := len("\tfirst := load()") + len("\treturn   first.value()") + len("}") + len("// the end of f")
	for name, row := range map[string]struct {
		cite debate.Citation
		want int
	}{
		"lines of the diff":            {at("a.go", debate.Right, 10, 10, "\tfirst := load()"), hunk},
		"those that end within reach":  {at("a.go", debate.Right, 7, 7, "\tfirst := load()"), len("\tfirst := load()")},
		"those that begin within it":   {at("a.go", debate.Right, 14, 14, "return first.value()"), hunk - len("\tfirst := load()")},
		"a place":                      {at("a.go", debate.Right, 11, 11, ""), hunk},
		"the file at head":             {at("a.go", debate.Right, 4, 4, "// line 4 of the file"), len(atHead())},
		"the text of the pull request": {at(debate.BodyPath, debate.Right, 3, 3, "The check is slow."), len("## Why\r\n\r\nThe check is slow.\r\nIt runs twice.\r\n")},
		"the title":                    {at(debate.BodyPath, debate.Right, 0, 0, "Return the value itself"), len("Return the value itself")},
	} {
		s := testResolver()
		_, found := s.lookUp(row.cite, maxFound)
		if !found.OK || s.read != row.want {
			t.Errorf("%s: read %d bytes, want %d: %+v", name, s.read, row.want, found)
		}
	}
}

// TestResolveWhereItIsShown: the lines of the change come first, then those with a use of it
// and those of looks, as they were shown.
func TestResolveWhereItIsShown(t *testing.T) {
	t.Parallel()
	s := testResolver()
	s.seen = seenIndex([]debate.Seen{
		{Look: debate.Look{Side: debate.Right}, Runs: []debate.ShownRun{
			{Path: "a.go", First: 11, Lines: []string{"return first.value()", "", "return first.value()"}},
			{Path: "seen.go", First: 3, Lines: []string{"one [redacted]", "second := 2"}},
		}},
		{Look: debate.Look{Side: debate.Left}, Runs: []debate.ShownRun{{Path: "seen.go", First: 9, Lines: []string{"was := 9"}}}},
	}, map[string]surround.Chunk{"c": {Uses: surround.Uses{Lines: []patch.Use{{Path: "use.go", Line: 7, Text: "use(first.\x07value())"}}}}}, s.packet.Line)
	for name, row := range map[string]struct {
		cite, want debate.Citation
		reanchored bool
	}{
		"in the diff":                {at("a.go", debate.Right, 11, 11, "return first.value()"), at("a.go", debate.Right, 11, 11, "\treturn   first.value()"), false},
		"beside the change":          {at("use.go", debate.Right, 7, 7, "use(first."+s.packet.Line("\x07")+"value())"), at("use.go", debate.Right, 7, 7, "use(first."+s.packet.Line("\x07")+"value())"), false},
		"looked at":                  {at("seen.go", debate.Right, 4, 4, "second  :=  2"), at("seen.go", debate.Right, 4, 4, "second := 2"), false},
		"looked at, two lines off":   {at("seen.go", debate.Right, 6, 6, " 4 second := 2"), at("seen.go", debate.Right, 4, 4, "second := 2"), true},
		"looked at, no side is head": {at("seen.go", "", 3, 3, "one [redacted]"), at("seen.go", debate.Right, 3, 3, "one [redacted]"), false},
		"looked at, the base":        {at("seen.go", debate.Left, 9, 9, "was := 9"), at("seen.go", debate.Left, 9, 9, "was := 9"), false},
	} {
		cite, found := s.lookUp(row.cite, maxFound)
		if diff := cmp.Diff(row.want, cite); diff != "" || !found.OK || found.Reanchored != row.reanchored {
			t.Errorf("%s: %+v\n%s", name, found, diff)
		}
	}
	for name, cite := range map[string]debate.Citation{
		"looked at, the other side": at("seen.go", debate.Left, 4, 4, "second := 2"),
		"looked at, without quote":  at("seen.go", debate.Right, 4, 4, " "),
		"looked at, too far":        at("seen.go", debate.Right, 8, 8, "second := 2"),
	} {
		if _, found := s.lookUp(cite, maxFound); found.OK || found.Why == "" {
			t.Errorf("%s: %+v", name, found)
		}
	}
}

// TestOutlines: the head tells what is code and declared, of a file that is not too large;
// a line of the base is judged by the lines of its hunk.
func TestOutlines(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		size  int
		start int
	}{
		"as large as is outlined": {maxOutlined, 15},
		"a byte larger":           {maxOutlined + 1, 0},
	} {
		s := testResolver()
		s.blob = func(string, debate.Side) ([]byte, bool) {
			return []byte(atHead() + strings.Repeat("\n", row.size-len(atHead()))), true
		}
		if _, found := s.lookUp(at("a.go", debate.Right, 17, 17, "\treturn 1"), maxFound); !found.OK || found.DeclStart != row.start {
			t.Errorf("%s: %+v", name, found)
		}
	}
	s := testResolver()
	s.index = patch.NewIndex(patch.Parse([]byte("diff --git a/a.go b/a.go\n--- a/a.go\n+++ b/a.go\n@@ -16 +30 @@\n-older()\n+newer()\n"), nil))
	want := debate.Found{OK: true, InHunk: true, Changed: true, Code: 1}
	if _, found := s.lookUp(at("a.go", debate.Left, 16, 16, "older()"), maxFound); found != want {
		t.Errorf("a line of the base: %+v", found)
	}
}

// renamedResolver looks up in a file that was renamed from before.go to after.go.
func renamedResolver() *resolver {
	set := patch.Parse([]byte("diff --git a/before.go b/after.go\nsimilarity index 80%\nrename from before.go\nrename to after.go\n--- a/before.go\n+++ b/after.go\n"+
		"@@ -10,3 +10,3 @@\n first := load()\n-err := first.check()\n+value := first.get()\n third := 3\n"), nil)
	change := patch.Change{Set: set, Blob: func(path string, side debate.Side) ([]byte, bool) {
		before := strings.Repeat("// a line of the base\n", 9) + "first := load()\nerr := first.check()\nthird := 3\n\nfunc untouched() {\n"
		return []byte(before), path == "before.go" && side == debate.Left
	}}
	return newResolver(change, patch.NewIndex(set), debate.Anchor{}, &prompt.Packet{})
}

// TestLinesOfTheBase: a line of the base is found like one of the head, under either name
// of its file, and gets the name at the head. A line that both sides have is one of the head.
func TestLinesOfTheBase(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		cite, want debate.Citation
		changed    bool
	}{
		"removed, by the old name":      {at("before.go", debate.Left, 11, 11, "err := first.check()"), at("after.go", debate.Left, 11, 11, "err := first.check()"), true},
		"removed, by the new name":      {at("after.go", debate.Left, 11, 11, "err := first.check()"), at("after.go", debate.Left, 11, 11, "err := first.check()"), true},
		"removed, without a quote":      {at("before.go", debate.Left, 11, 11, ""), at("after.go", debate.Left, 11, 11, ""), true},
		"kept":                          {at("before.go", debate.Left, 12, 12, "third := 3"), at("after.go", debate.Right, 12, 12, "third := 3"), false},
		"kept, without a quote":         {at("before.go", debate.Left, 12, 12, ""), at("after.go", debate.Right, 12, 12, ""), false},
		"kept and removed":              {at("before.go", debate.Left, 11, 12, "err := first.check()\nthird := 3"), at("after.go", debate.Left, 11, 12, "err := first.check()\nthird := 3"), true},
		"outside the diff, by old name": {at("before.go", debate.Left, 14, 14, "func untouched() {"), at("after.go", debate.Left, 14, 14, "func untouched() {"), false},
	} {
		s := renamedResolver()
		reply := debate.Reply{Checked: []debate.Check{{Refs: []debate.Ref{{Citation: row.cite}}}}}
		s.resolve(&reply)
		ref := reply.Checked[0].Refs[0]
		if ref.Citation != row.want || !ref.Found.OK || ref.Found.Changed != row.changed {
			t.Errorf("%s: %+v, %+v", name, ref.Citation, ref.Found)
		}
	}
}
