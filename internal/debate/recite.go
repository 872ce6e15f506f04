package debate

import "slices"

// citeAnew asks those whose citation of a P1 or P2 claim did not hold, and who had no
// turn since to hear it, for the lines once (M03b). Quick mode has no such call, and
// neither has a debate that was cut short.
func (m *reducer) citeAnew() {
	s := m.state
	if s.Received.Mode == Quick || slices.Contains([]Exit{ExitBudget, ExitStopped, ExitNoPrimary, ExitNoReply}, s.Talk.Exit) {
		return
	}
	var asks []Ask
	for _, seat := range s.Table.Seats {
		unheard := func(c Claim) bool {
			return c.Owner == seat.Party && m.state.Book.repairable(&c) && !s.Asking.heardSince(&c)
		}
		if seat.healthy() && slices.ContainsFunc(s.Book.Claims, unheard) {
			asks = append(asks, Ask{Party: seat.Party})
		}
	}
	if len(asks) > 0 {
		m.state.desk().ask(CallCite, max(s.Talk.Exchange, 1), asks) // without a budget nothing is lost but the repair
	}
}

// repairable reports whether it matters that a claim is cited anew, and lines can be
// what it cites.
func (b *Book) repairable(c *Claim) bool {
	lines := slices.ContainsFunc(c.Evidence, func(e Evidence) bool { return e.RunRef == "" && e.Cite.Path != "" })
	return lines && c.Misquoted() && c.debated() && c.stated().AtLeast(P2) && !b.gaveUp(c.Owner, c.ID)
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
func (m *reducer) cited(all []said) {
	for _, x := range all {
		if x.Status == CallOK {
			m.clerk().repairs(x.Party, x.Reply.Repairs)
		}
	}
	m.clerk().merge()
	m.clerk().dissents()
}
