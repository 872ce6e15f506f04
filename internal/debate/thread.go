package debate

import (
	"cmp"
	"slices"
)

// The bounds of a thread.
const (
	maxTurns  = 40   // the first one and the latest
	maxSpoken = 1500 // bytes of one turn
	maxTried  = 20   // cases of one reply
)

// Turn is one statement of a party about a claim or in a challenge (M08).
type Turn struct {
	Who   string
	Act   Act
	Text  string // clipped
	Cites []Evidence
	At    int  // the event: all turns of one wave have the same, and their parties did not hear each other
	Fresh bool // it quotes code that is new in this thread: it has substance (M09)
}

// Act is the kind of a turn: the Move of an answer, the Class of an evaluation without a
// challenge, or one of the following.
type Act string

const (
	Raise   Act = "RAISE"
	Rewrite Act = "AMEND"
	Object  Act = "OBJECT"
	Try     Act = "TRIED" // a case that it tried
)

// Thread returns the turns about a claim, its challenges included, in their order.
func (b *Book) Thread(claim string) []Turn {
	var all []Turn
	if c := b.claim(claim); c != nil {
		all = append(all, c.Thread...)
	}
	for _, k := range b.Challenges {
		if k.Claim == claim {
			all = append(all, k.Thread...)
		}
	}
	slices.SortStableFunc(all, func(x, y Turn) int { return cmp.Compare(x.At, y.At) })
	return all
}

// news reports whether other parties brought something new between the event in
// which a party spoke and the event in which it speaks again: a quote that its thread
// did not have, a rewritten claim, or an objection or a defence that they accept, in
// part or in full. The other parties of its own wave count: it had not heard them.
func (b *Book) news(party string, spoke, speaks int) bool {
	isNew := func(t Turn) bool {
		moves := t.Fresh || slices.Contains([]Act{Act(Accept), Act(Partial), Rewrite}, t.Act)
		return moves && t.Who != party && spoke <= t.At && t.At < speaks
	}
	return slices.ContainsFunc(b.Claims, func(c Claim) bool { return slices.ContainsFunc(c.Thread, isNew) }) ||
		slices.ContainsFunc(b.Challenges, func(k Challenge) bool { return slices.ContainsFunc(k.Thread, isNew) })
}

// said adds a turn to a thread of a claim, or of the position.
func (m *reducer) said(thread *[]Turn, about string, t Turn) {
	t.Text, t.At = clip(t.Text, maxSpoken), m.N
	t.Fresh = m.Book.fresh(about, t.Cites)
	kept := *thread
	if len(kept) == maxTurns {
		kept = append(slices.Clone(kept[:1]), kept[2:]...)
	}
	*thread = append(kept, t)
}

// fresh reports whether some evidence quotes a line of code that is new in the threads about a
// claim.
func (b *Book) fresh(about string, cites []Evidence) bool {
	var given []Evidence
	for _, t := range b.Thread(about) {
		given = append(given, quotes(t.Cites)...)
	}
	return fresh(quotes(cites), given)
}
