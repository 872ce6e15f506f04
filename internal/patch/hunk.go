package patch

import (
	"bytes"
	"slices"
	"strings"

	"github.com/sourcegraph/go-diff/diff"
)

// fill reads the hunks of a section of a diff with go-diff. It passes one hunk at a time, so that
// nothing inside can end it, and rejects lines that go-diff and the splitter read differently.
func (f *File) fill(diff string, s *section) {
	if f.Unparsed != "" || len(s.hunks) == 0 {
		return
	}
	if f.Kind == Binary {
		f.fail("its header says binary, but lines follow")
		return
	}
	for _, at := range s.hunks {
		h, why := readHunk(diff[at.start:at.end], at)
		if why != "" {
			f.fail(why)
			return
		}
		f.Hunks = append(f.Hunks, h)
	}
	if why := f.checkHunks(); why != "" {
		f.fail(why)
		return
	}
	signs := map[byte]int{}
	for l := range f.Lines() {
		signs[l.Op]++
	}
	f.Additions, f.Deletions = signs['+'], signs['-']
}

// readHunk reads one hunk. A line's text is a part of the diff's text, not a copy.
func readHunk(text string, at span) (h *Hunk, why string) {
	if at.longest > lineLimit {
		return nil, "it has a line of more than 1 MiB"
	}
	parsed, err := diff.ParseHunksOptions([]byte(text), diff.ParseOptions{KeepCR: true})
	if err != nil || len(parsed) != 1 {
		return nil, "the hunk " + at.String() + " cannot be read"
	}
	p := parsed[0]
	h = &Hunk{
		OldStart: int(p.OrigStartLine), OldLines: int(p.OrigLines),
		NewStart: int(p.NewStartLine), NewLines: int(p.NewLines),
		Section: p.Section, Lines: make([]Line, 0, at.lines),
	}
	if [4]int{h.OldStart, h.OldLines, h.NewStart, h.NewLines} != [4]int{at.oldStart, at.oldLines, at.newStart, at.newLines} {
		return nil, "the header of the hunk " + at.String() + " can be read in two ways"
	}
	oldLine, newLine := h.OldStart, h.NewStart
	_, pos := lineAt(text, 0)
	for body := p.Body; pos < len(text); {
		var line string
		line, pos = lineAt(text, pos)
		if strings.HasPrefix(line, `\`) {
			h.Lines[len(h.Lines)-1].NoEOL = true
			// go-diff knows only the English words and keeps others as a line.
			if bytes.HasPrefix(body, []byte(`\`)) {
				_, body, _ = bytes.Cut(body, newline)
			}
			continue
		}
		var same []byte
		if same, body, _ = bytes.Cut(body, newline); string(same) != line {
			return nil, "the lines of the hunk " + at.String() + " can be read in two ways"
		}
		l := Line{Op: ' '}
		if line != "" {
			l.Op, l.Text = line[0], line[1:]
		}
		if l.Op != '+' {
			l.Old = oldLine
			oldLine++
		}
		if l.Op != '-' {
			l.New = newLine
			newLine++
		}
		h.Lines = append(h.Lines, l)
	}
	return h, ""
}

var newline = []byte{'\n'}

// checkHunks returns the reason why the hunks cannot be those of one file, or "".
func (f *File) checkHunks() string {
	oldEnd, newEnd := 0, 0 // last lines so far, or those before a hunk without lines
	for _, h := range f.Hunks {
		oldFirst, newFirst := firstLine(h.OldStart, h.OldLines), firstLine(h.NewStart, h.NewLines)
		if oldFirst <= oldEnd || newFirst <= newEnd {
			return "its hunks overlap or are out of order"
		}
		oldEnd, newEnd = oldFirst+h.OldLines-1, newFirst+h.NewLines-1
		absent := f.Status == Added && h.OldLines > 0 || f.Status == Deleted && h.NewLines > 0
		why := firstOf(
			fault{!slices.ContainsFunc(h.Lines, func(l Line) bool { return l.Op != ' ' }), "one of its hunks changes nothing"},
			fault{absent, "its header and its hunks disagree on whether the file existed"},
		)
		if why != "" {
			return why
		}
	}
	return ""
}

// firstLine returns the first line of a hunk's side. Without lines, the header names the line
// before.
func firstLine(start, lines int) int {
	if lines == 0 {
		return start + 1
	}
	return start
}
