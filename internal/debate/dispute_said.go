package debate

import (
	"cmp"
	"slices"

	"github.com/prdebate/debate/internal/lists"
)

// saidInDisputes is what people and parties said of the findings that were disputed on
// this head. A run may end before it answers whoever disputed one, and the next run
// answers from what is remembered: with this it says the same, lines and all. It is
// bounded as disputes are: three on a pull request, two answers each (S19, A26).
func saidInDisputes(s State) []Step {
	list := cloned(cmp.Or(s.Received.Recall, &Memory{}).Said)
	opens := func(f Fact) bool { return f.Kind == DisputeOpened }
	first := slices.IndexFunc(s.Steps, func(step Step) bool { return slices.ContainsFunc(step.Facts, opens) })
	if first < 0 {
		return list
	}
	for _, step := range s.Steps[first:] {
		step.N, step.Facts = 0, lists.Keep(step.Facts, Fact.isSaid) // its number says nothing in another record
		if len(step.Facts) > 0 {
			list = append(list, step)
		}
	}
	return list
}

// isSaid reports whether a fact is what somebody said of a claim or in a challenge.
func (f Fact) isSaid() bool {
	said := []FactKind{
		DisputeOpened, ClaimWeighed, ClaimAmended, Acknowledged, Drifted, CitationChecked,
		ChallengeOpened, ChallengeDefended, ChallengeConceded, ChallengeKept, ChallengeAccepted, ChallengeIgnored,
	}
	return f.Who != EngineParty && slices.Contains(said, f.Kind)
}
