package patch

import "strings"

// Shown returns a file to show unchanged: one hunk of context lines. A file without lines has no
// hunk.
func Shown(path, content string) *File {
	f := &File{OldPath: path, NewPath: path, Status: Modified, Kind: Text}
	if content == "" {
		return f
	}
	h := &Hunk{OldStart: 1, NewStart: 1}
	for line := range strings.Lines(content) {
		text, ends := strings.CutSuffix(line, "\n")
		n := len(h.Lines) + 1
		h.Lines = append(h.Lines, Line{Op: ' ', NoEOL: !ends, Old: n, New: n, Text: text})
	}
	h.OldLines, h.NewLines = len(h.Lines), len(h.Lines)
	f.Hunks = []*Hunk{h}
	return f
}

// AsAdded returns a copy of a set with every line of the head as an added one, for checks of new
// lines.
func AsAdded(set *Set) *Set {
	all := &Set{}
	for _, f := range set.Files {
		added := *f
		added.OldPath, added.OldMode, added.Status, added.Deletions, added.Additions, added.Hunks = "", 0, Added, 0, 0, nil
		for _, h := range f.Hunks {
			copied := Hunk{NewStart: h.NewStart, NewLines: h.NewLines, Section: h.Section}
			for _, l := range h.Lines {
				if l.Op != '-' {
					l.Op, l.Old = '+', 0
					copied.Lines = append(copied.Lines, l)
				}
			}
			added.Additions += len(copied.Lines)
			added.Hunks = append(added.Hunks, &copied)
		}
		all.Files = append(all.Files, &added)
	}
	return all
}
