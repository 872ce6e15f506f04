package tally

import (
	"cmp"
	"slices"
)

// Ballot is all that one decision came to, but for what people and policy say of
// it.
type Ballot struct {
	Settled   string   // the option that the voices settle, "" if none
	Open      bool     // the parties leave it open, or a question that it carries
	Framed    bool     // options and criteria are fixed, so that it should have scores
	Scored    bool     // and it has them
	Winner    string   // of the scores
	Tied      []string // the best of them, where nothing wins
	Diverging bool     // what one party puts first another puts third or lower
	Judged    bool     // there was a panel, or there should have been one
	Judges    string   // the result of the panel, "" if it did not agree
	Unasked   bool     // nobody may be asked about what is open: a person stopped the debate
	Critical  bool     // policy or the parties hand it to a person anyway
	Carries   bool     // it carries a question that nobody settled and nobody can score
	Careful   []string // what a tie may recommend, the most careful first
	Barred    string   // what may not be recommended
}

// Split is a reason for which a decision is never adopted, whoever holds what.
type Split string

// The splits, in the order in which they are named.
const (
	Tie          Split = "tie"
	Diverging    Split = "diverging"
	Unscored     Split = "unscored" // its options could not be scored
	Unframed     Split = "unframed" // nor could they be fixed
	AlsoAsks     Split = "also_asks"
	JudgesDiffer Split = "judges_differ"
)

// Recommended is the option to recommend, "" for none (M15): what is settled, or
// else the result of its panel, or else what the scores say. Of a tie it is the most careful of the tied options, if
// there is a careful one, and never one that is barred.
func (b Ballot) Recommended() string {
	careful := slices.DeleteFunc(slices.Clone(b.Careful), func(option string) bool { return !slices.Contains(b.Tied, option) })
	choice := cmp.Or(slices.Concat([]string{b.Settled, b.Judges, b.Winner}, careful)...)
	if choice == b.Barred {
		return ""
	}
	return choice
}

// Splits are the reasons for which a person has to decide, in their order.
func (b Ballot) Splits() []Split {
	due := b.Open && !b.Unasked
	var list []Split
	for _, row := range []struct {
		applies bool
		split   Split
	}{
		{len(b.Tied) > 0, Tie},
		{b.Diverging, Diverging},
		{due && b.Framed && !b.Scored, Unscored},
		{due && !b.Framed && !b.Judged && !b.Critical, Unframed},
		{b.Carries && !b.Unasked, AlsoAsks},
		{b.Judged && b.Judges == "", JudgesDiffer},
	} {
		if row.applies {
			list = append(list, row.split)
		}
	}
	return list
}
