package bench

import (
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/debate"
)

// Finding is a reported finding about a change.
type Finding struct {
	Severity debate.Severity `json:"severity"`
	Title    string          `json:"title"`
	Text     string          `json:"-"`      // its full text, for the search for words
	Places   []Place         `json:"places"` // its citations, the main one first; may be none
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
	Found   []Expected `json:"found"`
	Missed  []Expected `json:"missed"`
	False   []Finding  `json:"false"`    // without an expected defect
	Mild    int        `json:"too_mild"` // findings that rate an expected defect too low
	Repeats int        `json:"repeats"`  // further findings about found defects
}

// Match pairs findings and expected defects one to one, for the largest possible number of
// found defects in any order. A finding without a defect is false.
func Match(expected []Expected, findings []Finding) Matched {
	m := Matched{Found: []Expected{}, Missed: []Expected{}, False: []Finding{}}
	by := slices.Repeat([]int{-1}, len(expected)) // the finding of each defect, -1 for none
	// pair gives a finding a defect, if need be the defect of another finding that can move to
	// a free one. Tried marks the defects already tried for this finding.
	var pair func(finding int, tried []bool) bool
	pair = func(finding int, tried []bool) bool {
		for i, e := range expected {
			if tried[i] || !findings[finding].matches(e) {
				continue
			}
			tried[i] = true
			if by[i] < 0 || pair(by[i], tried) {
				by[i] = finding
				return true
			}
		}
		return false
	}
	for i, f := range findings {
		switch {
		case pair(i, make([]bool, len(expected))):
		case slices.ContainsFunc(expected, f.matches):
			m.Repeats++
		case slices.ContainsFunc(expected, f.isAbout):
			m.Mild++
		default:
			m.False = append(m.False, f)
		}
	}
	for i, e := range expected {
		if by[i] < 0 {
			m.Missed = append(m.Missed, e)
		} else {
			m.Found = append(m.Found, e)
		}
	}
	return m
}
