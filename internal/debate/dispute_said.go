package debate

import (
	"cmp"
	"slices"

	"github.com/prdebate/debate/internal/lists"
)

// saidInDisputes are the words of people and parties about the findings that were disputed on
// this head. A run may end before it answers the dispute; the next run then answers from the
// memory with the same words and lines. The list is bounded by the disputes: three on a pull
// request, two answers each (A26).
func saidInDisputes(s State) []Step {
	list := cloned(cmp.Or(s.Received.Recall, &Memory{}).Said)
	opens := func(f Fact) bool { return f.Kind == DisputeOpened }
	first := slices.IndexFunc(s.Steps, func(step Step) bool { return slices.ContainsFunc(step.Facts, opens) })
	if first < 0 {
		return list
	}
	for _, step := range s.Steps[first:] {
		step.N, step.Facts = 0, lists.Keep(step.Facts, Fact.isSaid) // its number means nothing in another record
		if len(step.Facts) > 0 {
			list = append(list, step)
		}
	}
	return list
}

// isSaid reports whether a fact has words about a claim or in a challenge.
func (f Fact) isSaid() bool {
	said := []FactKind{
		DisputeOpened, ClaimWeighed, ClaimAmended, Acknowledged, Drifted, CitationChecked,
		ChallengeOpened, ChallengeDefended, ChallengeConceded, ChallengeKept, ChallengeAccepted, ChallengeIgnored,
	}
	return f.Who != EngineParty && slices.Contains(said, f.Kind)
}
