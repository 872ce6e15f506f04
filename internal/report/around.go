package report

import (
	"slices"

	"github.com/prdebate/debate/internal/debate"
)

// CodeLine is a line of the change, as models saw it.
type CodeLine struct {
	Mark   string // "+" or "-", "" if it did not change
	Number int    // at the head, of a removed line at the base
	Text   string
	Hit    bool // a finding is about it
}

// nearby is how many lines are shown before and after those of a finding.
const nearby = 3

// WithCode adds to each finding the lines of the change around it. Lines has the lines of the
// change by segment.
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

// around returns the lines of a finding with some lines before and after them; none if the
// segment does not have its first line.
func around(f Finding, lines []CodeLine) []CodeLine {
	on := func(l CodeLine) bool { // an unchanged line has its number at the head
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
	out := slices.Clone(lines[max(0, first-nearby):min(len(lines), last+1+nearby)])
	for i := range out {
		out[i].Hit = on(out[i])
	}
	return out
}
