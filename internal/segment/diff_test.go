package segment

import (
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/patch"
)

// edit is a file before and after; an empty name says that it is not there.
type edit struct{ old, new, before, after string }

func modify(name, before, after string) edit { return edit{name, name, before, after} }
func add(name, after string) edit            { return edit{"", name, "", after} }
func remove(name, before string) edit        { return edit{name, "", before, ""} }

// context is how many unchanged lines a hunk shows on either side.
const context = 3

// file makes the diff of an edit: one hunk from the first line that differs to
// the last.
func (e edit) file() *patch.File {
	f := &patch.File{OldPath: e.old, NewPath: e.new, OldMode: 0o100644, NewMode: 0o100644, Status: patch.Modified, Kind: patch.Text}
	switch {
	case e.old == "":
		f.Status, f.OldMode = patch.Added, 0
	case e.new == "":
		f.Status, f.NewMode = patch.Deleted, 0
	case e.old != e.new:
		f.Status = patch.Renamed
	}
	if e.before == e.after {
		return f
	}
	a, b := linesOf(e.before), linesOf(e.after)
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	from := max(0, head-context)
	h := &patch.Hunk{OldStart: from + 1, NewStart: from + 1}
	put := func(op byte, old, new int, text string) {
		h.Lines = append(h.Lines, patch.Line{Op: op, Old: old, New: new, Text: text})
		if old > 0 {
			h.OldLines++
		}
		if new > 0 {
			h.NewLines++
		}
	}
	for i := from; i < head; i++ {
		put(' ', i+1, i+1, a[i])
	}
	for i := head; i < len(a)-tail; i++ {
		put('-', i+1, 0, a[i])
		f.Deletions++
	}
	for i := head; i < len(b)-tail; i++ {
		put('+', 0, i+1, b[i])
		f.Additions++
	}
	for i := 0; i < min(tail, context); i++ {
		put(' ', len(a)-tail+i+1, len(b)-tail+i+1, a[len(a)-tail+i])
	}
	if h.OldLines == 0 {
		h.OldStart--
	}
	if h.NewLines == 0 {
		h.NewStart--
	}
	f.Hunks = []*patch.Hunk{h}
	return f
}

// linesOf splits as a diff does: a newline at the end starts no line.
func linesOf(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(s, "\n"), "\n")
}

// changeOf makes a change of edits with the bytes of both sides at hand.
func changeOf(edits ...edit) patch.Change {
	change := patch.Change{Set: &patch.Set{}}
	base, head := map[string]string{}, map[string]string{}
	for _, e := range edits {
		change.Set.Files = append(change.Set.Files, e.file())
		if e.old != "" {
			base[e.old] = e.before
		}
		if e.new != "" {
			head[e.new] = e.after
		}
	}
	change.Blob = func(path string, side debate.Side) ([]byte, bool) {
		files := head
		if side == debate.Left {
			files = base
		}
		text, ok := files[path]
		return []byte(text), ok
	}
	change.BaseHas = func(path string) bool {
		for name := range base {
			if name == path || strings.HasPrefix(name, path+"/") {
				return true
			}
		}
		return false
	}
	return change
}

// numbered is n lines of code.
func numbered(n int) string { return strings.Repeat("x := 1\n", n) }
