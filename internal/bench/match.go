package bench

import (
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
)

// Finding is a reported finding about a change.
type Finding struct {
	Severity debate.Severity
	Title    string
	Text     string  // its full text, for the search for words
	Places   []Place // its citations, the main one first; may be none
}

// isAbout reports whether a finding is about an expected defect, however severe it takes it for.
func (f Finding) isAbout(e Expected) bool {
	if !overlap(f.Places, e.Places) {
		return false
	}
	text := strings.ToLower(f.Title + "\n" + f.Text)
	said := func(word string) bool { return strings.Contains(text, strings.ToLower(word)) }
	return len(e.Words) == 0 || slices.ContainsFunc(e.Words, said)
}

// matches reports whether a finding counts as an expected defect.
func (f Finding) matches(e Expected) bool { return f.Severity.AtLeast(e.Severity) && f.isAbout(e) }

// Matched is the result of matching the findings of a case.
type Matched struct {
	By      []int // for each expected defect the index of its finding, -1 for none
	False   []int // findings without an expected defect
	Mild    int   // findings that rate an expected defect too low
	Repeats int   // further findings about found defects
}

// Found is how many of the expected defects were found.
func (m Matched) Found() int {
	return len(lists.Keep(m.By, func(by int) bool { return by >= 0 }))
}

// Match pairs findings and expected defects one to one, for the largest possible number of
// found defects in any order. A finding without a defect is false.
func Match(expected []Expected, findings []Finding) Matched {
	m := Matched{By: slices.Repeat([]int{-1}, len(expected))}
	for i := range findings {
		m.pair(expected, findings, i, make([]bool, len(expected)))
	}
	for i, f := range findings {
		switch {
		case slices.Contains(m.By, i):
		case slices.ContainsFunc(expected, f.matches):
			m.Repeats++
		case slices.ContainsFunc(expected, f.isAbout):
			m.Mild++
		default:
			m.False = append(m.False, i)
		}
	}
	return m
}

// pair gives a finding a defect, if need be the defect of another finding that can move to
// a free one. Tried marks the defects already tried for this finding.
func (m *Matched) pair(expected []Expected, findings []Finding, finding int, tried []bool) bool {
	for i, e := range expected {
		if tried[i] || !findings[finding].matches(e) {
			continue
		}
		tried[i] = true
		if m.By[i] < 0 || m.pair(expected, findings, m.By[i], tried) {
			m.By[i] = finding
			return true
		}
	}
	return false
}
