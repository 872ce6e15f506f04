package holding

import (
	"slices"

	"github.com/prdebate/debate/internal/lists"
)

// Case is a claim whose lines are there, as everybody left it.
type Case struct {
	Holders    []string    // the voices that hold it, its owner's included
	Objections []Objection // that are open
}

// Objection is one voice against a claim.
type Objection struct {
	Voice         string
	Substantiated bool // it quotes what the claim does not
	Answered      bool // somebody who holds the claim answered it with a quote
}

// Standing is what a claim comes to.
type Standing int

// The standings.
const (
	Single    Standing = iota // nobody beside its owner holds it, and nothing is shown against it
	Unsettled                 // what is shown against it stands
	Confirmed
)

// Comes says what a claim comes to (M02). Words unsettle nothing. What is shown
// against a claim that one voice holds unsettles it; where two or more hold it,
// only if none of them answers with a quote, or if as many show something as hold
// it.
func (c Case) Comes() Standing {
	shown := lists.Keep(c.Objections, func(o Objection) bool { return o.Substantiated })
	unanswered := slices.ContainsFunc(shown, func(o Objection) bool { return !o.Answered })
	against := lists.Map(shown, func(o Objection) string { return o.Voice })
	hold, doubt := len(distinct(c.Holders)), len(distinct(against))
	switch {
	case doubt == 0 && hold < 2:
		return Single
	case unanswered, doubt >= hold:
		return Unsettled
	}
	return Confirmed
}

// distinct returns the voices of a list once each.
func distinct(voices []string) []string {
	list := slices.Clone(voices)
	slices.Sort(list)
	return slices.Compact(list)
}
