package holding

import "slices"

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
	var shown []string
	answered := true
	for _, o := range c.Objections {
		if o.Substantiated {
			shown = append(shown, o.Voice)
			answered = answered && o.Answered
		}
	}
	holders, against := len(distinct(c.Holders)), len(distinct(shown))
	switch {
	case against == 0 && holders < 2:
		return Single
	case answered && against < holders:
		return Confirmed
	}
	return Unsettled
}

// distinct returns the voices of a list once each.
func distinct(voices []string) []string {
	list := slices.Clone(voices)
	slices.Sort(list)
	return slices.Compact(list)
}
