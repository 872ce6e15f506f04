package population

import (
	"fmt"
	"strings"

	"github.com/prdebate/debate/internal/debate"
)

// cause is what decided whether a place that somebody reported is confirmed.
type cause int

const (
	unopposed    cause = iota // confirmed, and nobody objects in the end
	fewDoubt                  // confirmed, and fewer doubt it in words than hold it
	manyDoubt                 // confirmed, and as many doubt it in words as hold it, or more
	answered                  // confirmed, and lines are quoted against it and answered
	givenUp                   // dismissed: everybody who held it gave it up
	oneVoice                  // its owner gave it up, and one voice is left for it
	givenToWords              // it was given up to words
	bareRetreat               // somebody quoted lines against it and gave up without a word
	linesAgainst              // lines that are quoted against it stand
	unbacked                  // nobody else holds it
	causes
)

func (c cause) String() string {
	return [...]string{
		"confirmed: no party objects at the end",
		"confirmed: fewer parties doubt it in words than hold it",
		"confirmed: at least as many parties doubt it in words as hold it (M02: words unsettle nothing)",
		"confirmed: lines quoted against it were answered, and more parties hold it (M02)",
		"not confirmed: its holders gave it up and quoted lines (M03)",
		"not confirmed: its finder gave it up, and one other party holds it (M02: two must hold it)",
		"not confirmed: its holders gave it up because of words (M03: disputed)",
		"not confirmed: the party that quoted lines against it gave up without a reason (M03: nothing is settled)",
		"not confirmed: the lines quoted against it were not answered (M02)",
		"not confirmed: no other party holds it (M02)",
	}[c]
}

// byTruth counts places that are defects, and places that only look like one.
type byTruth struct{ defects, others int }

// attribute notes what decided about a place, if somebody reported it.
func (t *Tally) attribute(s debate.State, place int, defect bool) {
	c := standsFor(s, place)
	if c == nil {
		return
	}
	n := &t.Causes[causeOf(s, c)]
	n.defects += one(defect)
	n.others += one(!defect)
}

// blame notes what decided against a true finding of a single party, or for an error
// of several.
func (t *Tally) blame(s debate.State, place int, lone, shared bool) {
	c := standsFor(s, place)
	if c == nil {
		return
	}
	is := causeOf(s, c)
	t.LoneLost[is] += one(lone && c.Bucket != debate.Agreed)
	t.SharedPassed[is] += one(shared && c.Bucket == debate.Agreed)
}

// standsFor is the claim about a place that came furthest, nil if there is none.
func standsFor(s debate.State, place int) *debate.Claim {
	rank := map[debate.Bucket]int{debate.Agreed: 2, debate.Unresolved: 1}
	var best *debate.Claim
	for i := range s.Book.Claims {
		c := &s.Book.Claims[i]
		if c.SameAs == "" && placeOf(c.Title) == place && (best == nil || rank[c.Bucket] > rank[best.Bucket]) {
			best = c
		}
	}
	return best
}

func causeOf(s debate.State, c *debate.Claim) cause {
	if c.Bucket == debate.Agreed {
		return contested(s, c)
	}
	switch c.Why.Code {
	case debate.WhyConceded:
		return givenUp
	case debate.WhyHeldByOther:
		return oneVoice
	case debate.WhyConcededInWords:
		return givenToWords
	case debate.WhyUnexplained:
		return bareRetreat
	}
	for _, k := range s.Book.Challenges {
		if k.Claim == c.ID && k.Shown && (k.Live() || k.Status == debate.Upheld) {
			return linesAgainst
		}
	}
	return unbacked
}

// contested says what is held against a claim that is confirmed.
func contested(s debate.State, c *debate.Claim) cause {
	doubt := make(map[string]bool)
	for _, k := range s.Book.Challenges {
		switch {
		case k.Claim != c.ID:
		case k.Shown && (k.Live() || k.Status == debate.Upheld):
			return answered
		case k.Status == debate.Dissent:
			doubt[k.Attacker] = true
		}
	}
	switch hold := 1 + len(c.ConfirmedBy); {
	case len(doubt) == 0:
		return unopposed
	case len(doubt) < hold:
		return fewDoubt
	}
	return manyDoubt
}

// otherwise is how much the balance of the debate would move if all that one cause
// decided had ended the other way.
func (t *Tally) otherwise(c cause) int {
	n, was := t.Causes[c], t.By[Debated]
	if c <= answered {
		n.defects, n.others = -n.defects, -n.others
	}
	is := was
	is.True, is.False, is.Missed = was.True+n.defects, was.False+n.others, was.Missed-n.defects
	return is.Balance() - was.Balance()
}

// writeCauses is the table of what decided, for a series of populations.
func writeCauses(b *strings.Builder, list []Tally) {
	b.WriteString(`
What decided about each place with a report. A cell counts defects / places without a defect. The number in brackets says
how the balance would move if all of them had ended the other way; above zero, the rule costs something. M02 and M03 are
rules of [the protocol](protocol.md).

`)
	row(b, "", "2 challengers", "3", "4")
	b.WriteString("|---|---|---|---|\n")
	for c := range causes {
		cells := []string{c.String()}
		for _, t := range list {
			n := t.Causes[c]
			cells = append(cells, fmt.Sprintf("%d / %d (%s)", n.defects, n.others, signed(t.otherwise(c))))
		}
		row(b, cells...)
	}
	cells := []string{"defects without a report"}
	for _, t := range list {
		cells = append(cells, fmt.Sprint(t.Unseen))
	}
	row(b, cells...)
}

// writeBlame is the table of what decided where the debate falls short of its goals.
func writeBlame(b *strings.Builder, list []Tally) {
	b.WriteString(`
Which rule let an error of two or more parties pass, and which rule lost a true finding of a single party:

`)
	row(b, "", "2 challengers", "3", "4")
	b.WriteString("|---|---|---|---|\n")
	each := func(name string, value func(Tally) int) {
		cells := []string{name}
		for _, t := range list {
			cells = append(cells, fmt.Sprint(value(t)))
		}
		row(b, cells...)
	}
	each("errors of two or more parties", func(t Tally) int { return t.Shared })
	each("of these, without a doubt when all parties are asked: nothing stops them", func(t Tally) int { return t.Sure })
	for c := unopposed; c <= answered; c++ {
		each(c.String(), func(t Tally) int { return t.SharedPassed[c] })
	}
	each("true findings of a single party", func(t Tally) int { return t.Lone })
	each("of these, believed by no other party when asked", func(t Tally) int { return t.Alone })
	for c := givenUp; c < causes; c++ {
		each(c.String(), func(t Tally) int { return t.LoneLost[c] })
	}
}
