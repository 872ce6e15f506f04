package report

import (
	"slices"

	"github.com/prdebate/debate/internal/debate"
)

// CodeLine is a line of the change, as models saw it.
type CodeLine struct {
	Mark   string // "+" or "-", "" where it did not change
	Number int    // at the head, of a removed line at the base
	Text   string
	Hit    bool // a finding is about it
}

// beside is how many lines are shown before and behind those of a finding.
const beside = 3

// WithCode is an envelope whose findings have the lines of the change around them. Lines
// are those of each segment of the change.
func WithCode(e Envelope, s debate.State, lines map[string][]CodeLine) Envelope {
	for _, findings := range e.Lists() {
		*findings = slices.Clone(*findings)
	}
	for f := range e.Findings() {
		for _, seg := range s.Split.Segments {
			if seg.Path == f.Path && f.Around == nil && f.Quote != withheld {
				f.Around = around(*f, lines[seg.ID])
			}
		}
	}
	return e
}

// around are the lines of a finding among those of a segment, and some beside them;
// none where the segment does not have its first line.
func around(f Finding, lines []CodeLine) []CodeLine {
	on := func(l CodeLine) bool { // a line that stays has its number at the head
		isThere := (l.Mark == "-") == (f.Side == debate.Left)
		return isThere && f.Line <= l.Number && l.Number <= Last(f)
	}
	first := slices.IndexFunc(lines, on)
	if f.Line == 0 || first < 0 {
		return nil
	}
	last := first
	for i, l := range lines {
		if on(l) {
			last = i
		}
	}
	out := slices.Clone(lines[max(0, first-beside):min(len(lines), last+1+beside)])
	for i := range out {
		out[i].Hit = on(out[i])
	}
	return out
}
