package debate

import (
	"slices"

	"github.com/prdebate/debate/internal/lists"
)

// citeAnew asks those whose citation of a P1 or P2 claim did not hold, and who had no
// turn since to hear it, for the lines once (M03b). Quick mode has no such call, and
// neither has a debate that was cut short.
func (b *clerk) citeAnew(asked *Asking) []Ask {
	if b.received.Mode == Quick || slices.Contains([]Exit{ExitBudget, ExitStopped, ExitNoPrimary, ExitNoReply}, b.talk.Exit) {
		return nil
	}
	unheard := lists.Keep(b.book.live(), func(c *Claim) bool { return b.book.repairable(c) && !asked.heardSince(c) })
	owners := lists.Map(unheard, func(c *Claim) string { return c.Owner })
	seats := lists.Keep(b.table.Seats, func(seat Seat) bool { return seat.healthy() && slices.Contains(owners, seat.Party) })
	return lists.Map(seats, func(seat Seat) Ask { return Ask{Party: seat.Party} })
}

// repairable reports whether it matters that a claim is cited anew, and lines can be
// what it cites.
func (b *Book) repairable(c *Claim) bool {
	switch {
	case !c.Misquoted(), !c.debated(), !c.stated().AtLeast(P2), b.attacks(c.ID).gaveIn(c.Owner):
		return false
	}
	return slices.ContainsFunc(c.Evidence, func(e Evidence) bool { return e.RunRef == "" && e.Cite.Path != "" })
}

// heardSince reports whether the owner of a claim had a turn that told it what is
// wrong with its citations.
func (a *Asking) heardSince(c *Claim) bool {
	return slices.ContainsFunc(a.Calls, func(call Call) bool {
		tells := slices.Contains([]CallKind{CallChallenge, CallRespond, CallRebut}, call.Kind) && call.N > c.RaisedN
		return call.Party == c.Owner && (tells || call.Kind == CallCite)
	})
}

// cited takes the lines that were asked for, and nothing else.
func (b *clerk) cited(all []said) {
	for _, x := range valid(all) {
		b.repairs(x.Party, x.Reply.Repairs)
	}
	b.merge()
	b.dissents()
}
