package jury

import "github.com/prdebate/debate/internal/lists"

// Count says what the votes of the last round amount to (X16, R182, R186).
// The threshold is two votes, which are two thirds of the valid votes or more (R195):
// there are three judges. No round at all is a panel that could not run.
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
		if v.Option+v.Reason != "" { // dissent is always shown (X16, R188)
			p.Perspectives = append(p.Perspectives, Perspective{Judge: judge, Option: v.Option, Reason: v.Reason})
		}
	}
	if p.valid() >= 2 {
		p.Type = NoMajority
	}
	for _, option := range options {
		votes := last.votes(option)
		p.Distribution = append(p.Distribution, Tally{Option: option, Votes: votes})
		if votes >= 2 {
			p.agree(option, votes)
		}
	}
	return p
}

// valid counts the judges whose vote counts.
func (p Panel) valid() int { return len(Stances()) - len(p.Missing) }

// Whole reports whether every judge gave a vote that counts. Two of three are a
// majority without the third, and are less sure (X16).
func (p Panel) Whole() bool { return len(p.Missing) == 0 }

// votes counts the valid votes for an option.
func (r Round) votes(option string) int {
	return len(lists.Keep(r.Votes, func(v Vote) bool { return v.Valid && v.Option == option }))
}

// agree records a consensus.
func (p *Panel) agree(option string, votes int) {
	p.Consensus, p.Option, p.Outcome, p.Type = true, option, Recommended, Majority
	if votes == len(Stances()) {
		p.Type = Unanimous
	}
}

// NeedsSecondRound reports whether the judges read each other and vote again
// (R183): they did not agree, and at least two have something to answer.
func (p Panel) NeedsSecondRound() bool { return len(p.Rounds) == 1 && p.Type == NoMajority }

// changes lists the votes that differ from the round before and what changed
// them (R187).
func changes(rounds []Round) []Change {
	var list []Change
	for i := 1; i < len(rounds); i++ {
		for _, v := range rounds[i].Votes {
			before := rounds[i-1].vote(v.Judge)
			if v.Option == before.Option { // as is one that does not count: it is the vote of the round before
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
