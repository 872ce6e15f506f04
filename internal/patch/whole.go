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
	case !ok && len(f.Hunks) > 0: // its changed lines are known
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
			h.OldStart, h.OldLines, whole.Additions = 1, h.NewLines, 0
			for i := range h.Lines {
				h.Lines[i].Op, h.Lines[i].Old = op, h.Lines[i].New
			}
		}
	}
	return &whole
}

// IsNew reports whether all of a file counts as added, even if the base has it.
func (f *File) IsNew() bool { return f.Status == Added || f.Unfolded && f.Additions > 0 }
