package bench

import (
	"cmp"
	"slices"

	"github.com/prdebate/debate/internal/debate"
)

// vote is what more than half of the members report, each list being that of one member.
// Findings of two members are about the same if the first lines of one of them overlap
// lines that the other cites; a member has one vote for each. Nobody checks a citation,
// and nobody hears an argument.
func vote(lists [][]Finding) []Finding {
	var kept []Finding
	used := make([][]bool, len(lists))
	for who, list := range lists {
		used[who] = make([]bool, len(list))
	}
	for who, list := range lists {
		for i, f := range list {
			if used[who][i] {
				continue
			}
			used[who][i] = true
			same := []Finding{f}
			for other := who + 1; other < len(lists); other++ {
				alike := func(g Finding) bool { return f.alike(g) }
				if at := firstFree(lists[other], used[other], alike); at >= 0 {
					used[other][at] = true
					same = append(same, lists[other][at])
				}
			}
			if 2*len(same) > len(lists) {
				kept = append(kept, joined(same))
			}
		}
	}
	return kept
}

func firstFree(list []Finding, used []bool, is func(Finding) bool) int {
	for i, f := range list {
		if !used[i] && is(f) {
			return i
		}
	}
	return -1
}

func (f Finding) alike(g Finding) bool {
	if len(f.Places) == 0 || len(g.Places) == 0 {
		return false
	}
	return slices.ContainsFunc(g.Places, f.Places[0].overlaps) || slices.ContainsFunc(f.Places, g.Places[0].overlaps)
}

// joined is one finding of those that vote for it. Its severity is the middle one, of two
// the milder.
func joined(same []Finding) Finding {
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
