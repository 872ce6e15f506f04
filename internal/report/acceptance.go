package report

import (
	"fmt"
	"slices"

	"github.com/prdebate/debate/internal/debate"
)

// Missing lists the acceptance requirements R044-R048 that an envelope does not meet, in their
// order; none if it meets all. It reads only the envelope.
func Missing(e Envelope) []string {
	var out []string
	if HasDebate(e) {
		out = append(out, missingRatings(e)...)
		if len(e.Decisions) == 0 {
			out = append(out, "R046: no decision, not even D0")
		}
	}
	for _, d := range e.Decisions {
		for _, why := range missingOf(d, HasDebate(e)) {
			out = append(out, why.rule+": "+d.ID+" "+why.says)
		}
	}
	return out
}

// gap is one thing missing in a decision for a requirement.
type gap struct{ rule, says string }

// missingRatings: both sides rate each exchange, or the report says that a side gave no rating,
// or that convergence was reached (R044).
func missingRatings(e Envelope) []string {
	switch e.Exit {
	case debate.ExitFast, debate.ExitConverged, debate.ExitNoDissent, debate.ExitDeadlock, debate.ExitLeftOpen, debate.ExitTrivial:
		return nil
	case "":
		return []string{"R044: it does not say why the debate ended"}
	}
	var out []string
	seen := 0
	for _, r := range e.Rounds {
		seen = max(seen, r.N)
		for _, side := range unrated(e.Deltas, r.N, e.Primary) {
			if !slices.Contains(r.Unrated, side) {
				out = append(out, fmt.Sprintf("R044: exchange %d: neither a rating of the %s nor that there is none", r.N, side))
			}
		}
	}
	if seen < e.Stats.Rounds {
		out = append(out, fmt.Sprintf("R044: %d exchanges, the last one in the report is %d", e.Stats.Rounds, seen))
	}
	return out
}

// missingOf checks one decision.
func missingOf(d Decision, debated bool) []gap {
	var out []gap
	voted := d.Panel != nil && len(d.Panel.Rounds) > 0 // by judges, instead of scores
	if d.Rubric != nil {
		out = missingScores(d)
	} else if !voted && d.Why == "" { // it does not say either why there are no scores
		if d.Outcome == debate.Adopted {
			out = append(out, gap{"R045", "is adopted without scores"})
		}
		if d.Critical && debated {
			out = append(out, gap{"R045", "is critical and has neither scores nor a reason why not"})
		}
	}
	out = append(out, missingTriggers(d)...)
	if d.Critical {
		out = append(out, missingHuman(d)...)
	}
	return out
}

// missingTriggers: a decision is critical by triggers without a waiver, and each names its source
// (R046).
func missingTriggers(d Decision) []gap {
	var out []gap
	holds := 0
	for _, t := range d.Triggers {
		if t.ID == "" || t.Source == "" {
			out = append(out, gap{"R046", "has a trigger without id or source"})
		}
		if t.Waived == "" {
			holds++
		}
	}
	switch {
	case d.Outcome == "":
		out = append(out, gap{"R046", "has no outcome"})
	case d.Critical == (holds > 0):
	case d.Critical:
		out = append(out, gap{"R046", "is critical without a trigger"})
	default:
		out = append(out, gap{"R046", "has a trigger and is not critical"})
	}
	return out
}

// missingHuman: a critical decision waits for a person, has the answer of one, or
// came to nothing; it is never adopted by itself (R047, R048).
func missingHuman(d Decision) []gap {
	switch d.Outcome {
	case debate.Settled, debate.Adopted:
		return []gap{{"R048", "is critical and " + string(d.Outcome) + " without a human"}}
	case debate.AwaitingHuman:
		if d.Human != nil && d.Human.Status != debate.ItemAwaiting {
			return []gap{{"R047", "awaits a human, its item is " + string(d.Human.Status)}}
		}
	case debate.HumanDecided:
		switch {
		case d.Person().Status != debate.ItemDecided, d.Person().By == "":
			return []gap{{"R048", "is decided without a human on record"}}
		case !offers(d, d.Person().Option):
			return []gap{{"R047", "the human chose an option that it does not have"}}
		}
	case debate.Undecided:
		return []gap{{"R047", "is critical, undecided, and waits for nobody"}}
	}
	return nil
}

// missingScores: options, weighted criteria, complete sheets and the combined
// result are there (R045).
func missingScores(d Decision) []gap {
	var out []gap
	r := d.Rubric
	if len(d.Options) < 2 {
		out = append(out, gap{"R045", "was scored with fewer than two options"})
	}
	weights := 0
	for _, c := range r.Criteria {
		weights += c.WeightBP
	}
	if n := len(r.Criteria); n < 3 || n > 6 || weights != 10_000 {
		out = append(out, gap{"R045", fmt.Sprintf("has %d criteria of %d basis points", n, weights)})
	}
	if len(r.Sheets) == 0 && r.Why == "" {
		out = append(out, gap{"R045", "has no sheet and no reason why not"})
	}
	for _, s := range r.validSheets() {
		out = append(out, unscored(s, d.Options, r.Criteria)...)
	}
	return append(out, missingWinner(d)...)
}

// unscored lists the options without a score by some criterion on a sheet.
func unscored(s Sheet, options []Option, criteria []debate.Criterion) []gap {
	var out []gap
	for _, o := range options {
		for _, c := range criteria {
			if _, ok := s.of(o.ID, c.ID); !ok {
				out = append(out, gap{"R045", fmt.Sprintf("%s did not score %s by %s", s.Party, o.ID, c.ID)})
			}
		}
	}
	return out
}

// missingWinner: one of the options wins by the combined results of all, or it is said
// why none does.
func missingWinner(d Decision) []gap {
	r := d.Rubric
	if r.Winner == "" {
		if len(r.Tied) == 0 && r.Why == "" {
			return []gap{{"R045", "has no winner and no reason why not"}}
		}
		return nil
	}
	var out []gap
	if !offers(d, r.Winner) {
		out = append(out, gap{"R045", "the winner is no option"})
	}
	for _, o := range d.Options {
		if !slices.ContainsFunc(r.Combined, func(c Combined) bool { return c.Option == o.ID }) {
			out = append(out, gap{"R045", o.ID + " has no combined result"})
		}
	}
	return out
}

func offers(d Decision, option string) bool {
	return slices.ContainsFunc(d.Options, func(o Option) bool { return o.ID == option })
}
