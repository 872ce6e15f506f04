package check

import (
	"strings"

	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/patch"
)

// maxSource bounds the text that the checks of whole files read, in bytes.
const maxSource = 4 << 20

// maxGap bounds the blank lines that fill an unknown part of a file if only a patch is known.
const maxGap = 100_000

// Source returns the text of the file at the head. If only a patch is known, the text has the
// patch's lines at their places and blank lines elsewhere.
func (f *File) Source() (text string, ok bool) {
	if text, ok = f.WholeSource(); ok {
		return text, true
	}
	if f.Head() != nil {
		return "", false // too large
	}
	var b strings.Builder
	line := 1
	for _, l := range HeadLines(f.Hunks...) {
		if l.New < line || l.New-line > maxGap || b.Len() > maxSource {
			return "", false
		}
		b.WriteString(strings.Repeat("\n", l.New-line))
		b.WriteString(l.Text)
		b.WriteByte('\n')
		line = l.New + 1
	}
	return b.String(), b.Len() > 0
}

// HeadLines returns the head lines of hunks.
func HeadLines(hunks ...*patch.Hunk) []patch.Line {
	var lines []patch.Line
	for _, h := range hunks {
		lines = append(lines, lists.Keep(h.Lines, func(l patch.Line) bool { return l.New > 0 })...)
	}
	return lines
}

// WholeSource returns the text of the file at the head if all of it is known.
func (f *File) WholeSource() (string, bool) {
	if head := f.Head(); head != nil {
		return string(head), len(head) <= maxSource
	}
	if f.OldPath != "" || len(f.Hunks) != 1 || len(f.Added) != f.Additions {
		return "", false
	}
	var b strings.Builder
	for _, l := range f.Added {
		b.WriteString(l.Text)
		b.WriteByte('\n')
	}
	return b.String(), b.Len() <= maxSource
}
