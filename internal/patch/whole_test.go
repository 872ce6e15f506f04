package patch

import (
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/debate"
)

func TestWhole(t *testing.T) {
	t.Parallel()
	holds := func(content string) func(string, debate.Side) ([]byte, bool) {
		return func(path string, side debate.Side) ([]byte, bool) {
			return []byte(content), path == "b" && side == debate.Right
		}
	}
	edited := &Hunk{OldStart: 1, OldLines: 1, NewStart: 1, NewLines: 1, Lines: []Line{{Op: '-', Old: 1, Text: "x"}, {Op: '+', New: 1, Text: "y"}, {Op: ' ', Old: 2, New: 2, Text: "z"}}}
	for name, c := range map[string]struct {
		file    File
		content string
		op      byte
		want    string // operators of its lines, its kind and what is wrong with it
	}{
		"as added":    {File{NewPath: "b", Kind: Text}, "a\nb\n", '+', "++ text "},
		"as it is":    {File{NewPath: "b", Kind: Text}, "a\nb", ' ', "   text "},
		"edited":      {File{NewPath: "b", Kind: Text, Additions: 1, Deletions: 1, Hunks: []*Hunk{edited}}, "y\nz\n", '+', "++ text "},
		"UTF-16":      {File{NewPath: "b", Kind: Binary}, "\xff\xfea\x00\n\x00", '+', "+ text "},
		"empty":       {File{NewPath: "b", Kind: Text}, "", '+', " text "},
		"no text":     {File{NewPath: "b", Kind: Text}, "\x7fELF\x02\x00\x01\x01", '+', " binary "},
		"too large":   {File{NewPath: "b", Kind: Text}, strings.Repeat("a\n", maxDecoded), '+', " text it is too large to be shown whole"},
		"not at hand": {File{NewPath: "c", Kind: Text}, "", '+', " text its content is not at hand"},
		"in part":     {File{NewPath: "c", Kind: Text, Hunks: []*Hunk{edited}}, "", '+', "++ text "},
		"a link":      {File{NewPath: "b", Kind: Symlink}, "a\n", '+', " symlink "},
	} {
		f := c.file.Whole(holds(c.content), c.op)
		ops := ""
		for l := range f.Lines() {
			ops += string(l.Op)
		}
		if got := ops + " " + string(f.Kind) + " " + f.Unparsed; got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
		if f.IsNew() != strings.HasPrefix(c.want, "++") && name != "UTF-16" {
			t.Errorf("%s: new %v", name, f.IsNew())
		}
		if again := f.Whole(holds("other\n"), '+'); f.Unfolded && again != f {
			t.Errorf("%s: it is made whole twice", name)
		}
	}
}

// GitHub takes no comment on lines that its diff does not show.
func TestNoCommentOnAWholeFile(t *testing.T) {
	t.Parallel()
	set := &Set{Files: []*File{{OldPath: "a", NewPath: "b", Status: Renamed, Kind: Text}}}
	set.Unfold(func(string, debate.Side) ([]byte, bool) { return []byte("a\n"), true }, func(*File) bool { return true })
	x := NewIndex(set)
	if !x.Changed("b", debate.Right, 1) || x.Commentable("b", debate.Right, 1, 1) {
		t.Errorf("changed %v, commentable %v", x.Changed("b", debate.Right, 1), x.Commentable("b", debate.Right, 1, 1))
	}
}
