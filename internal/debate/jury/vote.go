package jury

import (
	"cmp"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/text"
)

// The bounds of one vote.
const (
	maxItems = 10
	maxScore = 10
	maxName  = 40  // bytes
	maxNamed = 160 // bytes of the name of an unknown option
	maxText  = 8 << 10
)

// First makes the first round, one vote for each stance. A vote counts if it names
// an option.
func First(replies []Vote, options []string) Round {
	vote := func(judge Stance) Vote { return firstVote(judge, replyOf(replies, judge), options) }
	return Round{Round: 1, Votes: lists.Map(Stances(), vote)}
}

// Second makes the round after the judges have read each other. A first vote holds unless its
// judge changes it by the rule of R185; a vote after no recommendation is a change, too.
func Second(replies []Vote, options []string, first Round) Round {
	vote := func(judge Stance) Vote { return secondVote(judge, replyOf(replies, judge), options, first) }
	return Round{Round: 2, Votes: lists.Map(Stances(), vote)}
}

// replyOf is the reply of a judge, the zero value if it did not vote (R193, R194).
func replyOf(replies []Vote, judge Stance) Vote {
	return lists.Find(replies, func(v Vote) bool { return v.Judge == judge })
}

func firstVote(judge Stance, v Vote, options []string) Vote {
	if v.Judge != judge {
		return Vote{Judge: judge, Note: Note{Code: NoReply}}
	}
	v.Reason, v.PerOption, v.ConvincedBy, v.Counters = text.Clip(v.Reason, maxText), assessments(v.PerOption, options), nil, nil
	v.Hidden = lists.Map(v.Hidden[:min(len(v.Hidden), maxItems)], func(point string) string { return text.Clip(point, maxText) })
	if v.Valid = slices.Contains(options, v.Option); !v.Valid {
		v.Option, v.Note = "", noOption(v.Option)
	}
	return v
}

func noOption(named string) Note {
	return Note{Code: NoOption, Refs: []string{text.Clip(named, maxNamed)}}
}

// secondVote is the vote of a judge after reading the others.
func secondVote(judge Stance, v Vote, options []string, first Round) Vote {
	held := first.vote(judge)
	if v.Judge != judge {
		held.Note = Note{Code: NoReply}
		return held
	}
	v.Reason, v.Counters, v.PerOption, v.Hidden = text.Clip(v.Reason, maxText), counters(judge, v.Counters), nil, nil
	if c := v.ConvincedBy; c != nil {
		v.ConvincedBy = &Convinced{Judge: text.Clip(named(c.Judge), maxName), Argument: text.Clip(c.Argument, maxText)}
	}
	if v.Option == held.Option {
		return v.standing(held, first)
	}
	if v.Note = v.refused(options, first); v.Note.Code != "" {
		held.Counters, held.ConvincedBy, held.Note = v.Counters, v.ConvincedBy, v.Note
		return held
	}
	v.Valid, v.ChangedFrom = true, held.Option
	return v
}

// standing is a second vote for the same option. It counts as the first one does, even without
// an answer to the others.
func (v Vote) standing(held Vote, first Round) Vote {
	v.Valid, v.Note = held.Valid, v.uncountered(first)
	if strings.TrimSpace(v.Reason) == "" {
		v.Reason = held.Reason
	}
	return v
}

// refused says why a changed vote does not count: it must name another judge with a valid
// vote and its argument, give a reason of its own, and answer the judges it leaves.
func (v Vote) refused(options []string, first Round) Note {
	said := cmp.Or(v.ConvincedBy, &Convinced{})
	by := Stance(said.Judge)
	argued := strings.TrimSpace(v.Reason) != "" && strings.TrimSpace(said.Argument) != ""
	switch {
	case !slices.Contains(options, v.Option):
		return noOption(v.Option)
	case !argued, by == v.Judge, !first.vote(by).Valid:
		return Note{Code: Unconvinced}
	}
	return v.uncountered(first)
}

// vote returns the vote of a judge in a round, without a note; a missing vote has no option.
func (r Round) vote(judge Stance) Vote {
	v := lists.Find(r.Votes, func(v Vote) bool { return v.Judge == judge })
	v.Judge, v.Note = judge, Note{}
	return v
}

// uncountered names the judges with another option and no counter-argument from this vote.
func (v Vote) uncountered(first Round) Note {
	answered := append(lists.Map(v.Counters, func(c Counter) Stance { return Stance(c.To) }), v.Judge)
	var missing []string
	for _, other := range first.Votes {
		if other.Valid && other.Option != v.Option && !slices.Contains(answered, other.Judge) {
			missing = append(missing, string(other.Judge))
		}
	}
	if len(missing) == 0 {
		return Note{}
	}
	return Note{Code: Uncountered, Refs: missing}
}

func named(judge string) string { return strings.ToLower(strings.TrimSpace(judge)) }

// counters keeps the arguments of a judge against the others.
func counters(judge Stance, list []Counter) []Counter {
	var kept []Counter
	others := slices.DeleteFunc(Stances(), func(other Stance) bool { return other == judge })
	for _, c := range list {
		to := named(c.To)
		if slices.Contains(others, Stance(to)) && strings.TrimSpace(c.Text) != "" {
			kept = append(kept, Counter{To: to, Text: text.Clip(c.Text, maxText)})
		}
	}
	return kept[:min(len(kept), maxItems)]
}

// assessments keeps the first assessment of each option, in option order.
func assessments(list []Assessment, options []string) []Assessment {
	var kept []Assessment
	for _, option := range options {
		i := slices.IndexFunc(list, func(a Assessment) bool { return a.Option == option })
		if i < 0 {
			continue
		}
		a := list[i]
		if a.Score < 0 || a.Score > maxScore {
			a.Score = -1
		}
		a.Assessment = text.Clip(a.Assessment, maxText)
		kept = append(kept, a)
	}
	return kept
}
