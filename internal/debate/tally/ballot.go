package tally

import (
	"cmp"
	"slices"
)

// Ballot has all results of one decision, without the words of people and policy.
type Ballot struct {
	Settled   string   // the option that the voices settle, "" if none
	Open      bool     // the parties leave it open, or a question that it carries
	Framed    bool     // options and criteria are fixed, so it should have scores
	Scored    bool     // and it has them
	Winner    string   // of the scores
	Tied      []string // the best of them, without a winner
	Diverging bool     // the first choice of one party is the third or lower of another
	Judged    bool     // there was a panel, or there should have been one
	Judges    string   // the result of the panel, "" if it did not agree
	Unasked   bool     // a person stopped the debate, so no one is asked
	Critical  bool     // policy or the parties hand it to a person anyway
	Carries   bool     // it carries a question without a settlement and without scores
	Careful   []string // the options for a tie, the most careful first
	Barred    string   // never recommended
}

// Split is a reason never to adopt a decision, under any choice of the parties.
type Split string

// The splits, in the order of their naming.
const (
	Tie          Split = "tie"
	Diverging    Split = "diverging"
	Unscored     Split = "unscored" // its options could not be scored
	Unframed     Split = "unframed" // nor could they be fixed
	AlsoAsks     Split = "also_asks"
	JudgesDiffer Split = "judges_differ"
)

// Recommended is the option to recommend, "" for none (R036): the settled one, or else the
// result of the panel, or else of the scores. Of a tie it is the most careful option, if one is
// careful, and never a barred one.
func (b Ballot) Recommended() string {
	careful := slices.DeleteFunc(slices.Clone(b.Careful), func(option string) bool { return !slices.Contains(b.Tied, option) })
	choice := cmp.Or(slices.Concat([]string{b.Settled, b.Judges, b.Winner}, careful)...)
	if choice == b.Barred {
		return ""
	}
	return choice
}

// Splits are the reasons for handing the decision to a person, in their order.
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
