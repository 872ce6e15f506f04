package policy

import (
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/patch"
)

// edit makes a changed file out of whole texts: every line of before is
// removed and every line of after added. An empty name means that the file does
// not exist on that side.
type edit struct{ old, new, before, after string }

func (e edit) file() *patch.File {
	f := &patch.File{OldPath: e.old, NewPath: e.new, Kind: patch.Text, OldMode: 0o100644, NewMode: 0o100644, Status: patch.Modified}
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
	h := &patch.Hunk{OldStart: 1, NewStart: 1}
	for i, l := range lines(e.before) {
		h.Lines = append(h.Lines, patch.Line{Op: '-', Old: i + 1, Text: l})
		h.OldLines++
		f.Deletions++
	}
	for i, l := range lines(e.after) {
		h.Lines = append(h.Lines, patch.Line{Op: '+', New: i + 1, Text: l})
		h.NewLines++
		f.Additions++
	}
	f.Hunks = []*patch.Hunk{h}
	return f
}

func lines(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(s, "\n"), "\n")
}

// modify is an edit of one file in place.
func modify(name, before, after string) edit { return edit{name, name, before, after} }

// touch is an edit of one file in which nothing matters.
func touch(name string) edit { return modify(name, "a\n", "b\n") }

// changeOf makes a change of edits, with the bytes of both sides at hand.
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

// triggersOf finds the triggers of a repository that configured nothing.
func triggersOf(change patch.Change, hits ...debate.Hit) []debate.Trigger {
	return (&Rules{}).Triggers(change, hits)
}

// show renders triggers as "id class path:line".
func show(triggers []debate.Trigger) []string {
	var out []string
	for _, t := range triggers {
		out = append(out, string(t.ID)+" "+string(t.Class)+" "+debate.Citation{Path: t.Path, StartLine: t.Line}.String())
	}
	return out
}
