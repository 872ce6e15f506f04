package jury

import "github.com/prdebate/debate/internal/lists"

// Count sums up the votes of the last round (R182, R186). The threshold is two votes, at
// least two thirds of the valid votes of three judges (R195). A panel without a round could
// not run.
func Count(rounds []Round, options []string) Panel {
	p := Panel{Rounds: rounds, Type: Insufficient, Outcome: Contested, Changes: changes(rounds)}
	var last Round
	if len(rounds) > 0 {
		last = rounds[len(rounds)-1]
	}
	for _, judge := range Stances() {
		v := last.vote(judge)
		if !v.Valid {
			p.Missing = append(p.Missing, judge)
		}
		if v.Option+v.Reason != "" { // dissent is always shown (R182, R188)
			p.Perspectives = append(p.Perspectives, Perspective{Judge: judge, Option: v.Option, Reason: v.Reason})
		}
	}
	if len(p.Missing) < 2 {
		p.Type = NoMajority
	}
	for _, option := range options {
		votes := len(lists.Keep(last.Votes, func(v Vote) bool { return v.Valid && v.Option == option }))
		p.Distribution = append(p.Distribution, Tally{Option: option, Votes: votes})
		if votes < 2 {
			continue
		}
		p.Consensus, p.Option, p.Outcome, p.Type = true, option, Recommended, Majority
		if votes == len(Stances()) {
			p.Type = Unanimous
		}
	}
	return p
}

// Whole reports whether the votes of all judges count. Two of three are a majority, but less
// sure (R182).
func (p Panel) Whole() bool { return len(p.Missing) == 0 }

// NeedsSecondRound reports whether the judges read each other and vote again
// (R183): they did not agree, and at least two have something to answer.
func (p Panel) NeedsSecondRound() bool { return len(p.Rounds) == 1 && p.Type == NoMajority }

// changes lists the votes that differ from the round before, with their reasons (R187).
func changes(rounds []Round) []Change {
	var list []Change
	for i := 1; i < len(rounds); i++ {
		for _, v := range rounds[i].Votes {
			before := rounds[i-1].vote(v.Judge)
			if v.Option == before.Option { // as does an invalid vote: it repeats the earlier one
				continue
			}
			c := Change{Judge: v.Judge, Round: rounds[i].Round, From: before.Option, To: v.Option, Reason: v.Reason}
			if v.ConvincedBy != nil {
				c.Reason = v.ConvincedBy.Judge + ": " + v.ConvincedBy.Argument
			}
			list = append(list, c)
		}
	}
	return list
}
