package patch

import "github.com/prdebate/debate/internal/debate"

// Unfold shows all lines of the files that take effect at their new place as added. The diff of a
// file that was moved, or made executable, shows few of its lines or none, yet all of it is new
// there. Such a file is unreadable without its content. Blob is like that of Change.
func (s *Set) Unfold(blob func(path string, side debate.Side) ([]byte, bool), takesEffect func(*File) bool) {
	for i, f := range s.Files {
		if takesEffect(f) {
			s.Files[i] = f.Whole(blob, '+')
		}
	}
}

// Whole returns a file with all its lines at the head: as added ('+'), or as context (' '). A whole
// file stays the same.
func (f *File) Whole(blob func(path string, side debate.Side) ([]byte, bool), op byte) *File {
	if f.Kind != Text && f.Kind != Binary || f.Unparsed != "" || f.Unfolded {
		return f
	}
	whole := *f
	data, ok := blob(f.NewPath, debate.Right)
	text, isText := decoded(data)
	switch {
	case !ok && len(f.Hunks) > 0: // of its lines only these are known
		if op == '+' {
			whole.Unfolded, whole.Partial, whole.Deletions = true, true, 0
			whole.Hunks, whole.Additions = f.added()
		}
	case !ok:
		whole.Unparsed = "its content is not at hand"
	case len(data) == 0:
	case len(data) > maxDecoded:
		whole.Unparsed, whole.Hunks = "it is too large to be shown whole", nil
	case !isText:
		whole.Kind, whole.Hunks = Binary, nil
	default:
		h := &Hunk{NewStart: 1, Lines: linesOf(text, debate.Right)}
		h.NewLines = len(h.Lines)
		whole.Kind, whole.Decoded, whole.Unfolded = Text, text != string(data), true
		whole.Hunks, whole.Additions, whole.Deletions = []*Hunk{h}, h.NewLines, 0
		if op == ' ' {
			h.inContext()
			whole.Additions = 0
		}
	}
	return &whole
}

// IsNew reports whether all of a file counts as added, even if the base has it.
func (f *File) IsNew() bool { return f.Status == Added || f.Unfolded && f.Additions > 0 }

// Shown returns a file to show unchanged: one hunk of context lines. A file without lines has no
// hunk.
func Shown(path, content string) *File {
	f := &File{OldPath: path, NewPath: path, Status: Modified, Kind: Text}
	if content == "" {
		return f
	}
	h := &Hunk{NewStart: 1, Lines: linesOf(content, debate.Right)}
	h.inContext()
	f.Hunks = []*Hunk{h}
	return f
}

// inContext makes the added lines of a hunk unchanged ones.
func (h *Hunk) inContext() {
	h.OldStart, h.OldLines, h.NewLines = h.NewStart, len(h.Lines), len(h.Lines)
	for i := range h.Lines {
		h.Lines[i].Op, h.Lines[i].Old = ' ', h.Lines[i].New
	}
}

// AsAdded returns a copy of a set with every line of the head as an added one, for checks of new
// lines.
func AsAdded(set *Set) *Set {
	all := &Set{}
	for _, f := range set.Files {
		added := *f
		added.OldPath, added.OldMode, added.Status, added.Deletions = "", 0, Added, 0
		added.Hunks, added.Additions = f.added()
		all.Files = append(all.Files, &added)
	}
	return all
}

// added are the hunks of a file with every line of the head as an added one, and their number.
func (f *File) added() (hunks []*Hunk, lines int) {
	for _, h := range f.Hunks {
		copied := Hunk{NewStart: h.NewStart, NewLines: h.NewLines, Section: h.Section}
		for _, l := range h.Lines {
			if l.Op != '-' {
				l.Op, l.Old = '+', 0
				copied.Lines = append(copied.Lines, l)
			}
		}
		lines += len(copied.Lines)
		hunks = append(hunks, &copied)
	}
	return hunks, lines
}
