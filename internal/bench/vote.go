package bench

import (
	"cmp"
	"slices"

	"github.com/prdebate/debate/internal/debate"
)

// vote returns the findings that more than half of the members report; each list belongs to
// one member. Findings of two members are the same if the first lines of one overlap any
// cited lines of the other; a member has one vote for each. There is no check of citations
// and no argument.
func vote(lists [][]Finding) []Finding {
	var kept []Finding
	left := slices.Clone(lists) // findings without a vote so far
	for who := range left {
		for _, f := range left[who] {
			same := []Finding{f}
			for other := who + 1; other < len(left); other++ {
				alike := func(g Finding) bool { return overlap(f.first(), g.Places) || overlap(g.first(), f.Places) }
				if at := slices.IndexFunc(left[other], alike); at >= 0 {
					same = append(same, left[other][at])
					left[other] = slices.Delete(slices.Clone(left[other]), at, at+1)
				}
			}
			if 2*len(same) > len(lists) {
				kept = append(kept, merge(same))
			}
		}
	}
	return kept
}

// first returns the main place of a finding, none without citations.
func (f Finding) first() []Place { return f.Places[:min(1, len(f.Places))] }

// merge merges the findings of one vote. Its severity is the middle one, of two the
// milder.
func merge(same []Finding) Finding {
	one := same[0]
	one.Places = nil
	one.Text = ""
	var severities []debate.Severity
	for _, f := range same {
		one.Places = append(one.Places, f.Places...)
		one.Text += f.Title + "\n" + f.Text + "\n"
		severities = append(severities, f.Severity)
	}
	slices.SortFunc(severities, func(a, b debate.Severity) int { return cmp.Compare(a, b) }) // P1 is the first
	one.Severity = severities[len(severities)/2]
	return one
}
