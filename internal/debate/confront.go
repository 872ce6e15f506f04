package debate

import (
	"cmp"
	"slices"
	"strconv"
)

// mayConfront says why no further confrontation may begin.
func (s *State) mayConfront() Why {
	if s.Talk.Confrontations >= s.Received.maxRounds() {
		return because(WhyRounds, strconv.Itoa(s.Talk.Confrontations))
	}
	return Why{}
}

// confront asks the primary to answer every open challenge by its id and to
// weigh the claims of the challengers (R094, R099).
func (m *reducer) confront() {
	if why := m.mayConfront(); !why.IsZero() {
		m.exit(ExitCap, why)
		return
	}
	if !m.Table.sits(m.Table.Primary) {
		m.losePrimary(because(WhyPrimaryGone))
		return
	}
	m.substitutes(false)
	n := m.Talk.Exchange + 1
	m.extend(n)
	if !m.asksPrimary() && len(m.toRebut()) > 0 {
		m.transition(m.Talk.begins(n))
		m.rebut(n)
		return
	}
	if m.askPrimary(n, m.lastRound(1)) {
		m.transition(m.Talk.begins(n))
	}
}

// askPrimary asks for the answers of the primary. It reports whether the budget
// allows that; if not, the debate is over.
func (m *reducer) askPrimary(n int, last bool) bool {
	why := m.ask(CallRespond, n, []Ask{{Party: m.Table.Primary, Last: last}})
	if !why.IsZero() {
		m.exit(ExitBudget, why)
	}
	return why.IsZero()
}

// begins opens an exchange.
func (t *Talk) begins(n int) Stage {
	t.Confrontations++
	t.Rounds = append(t.Rounds, Round{N: n, Phase: phaseOf(n, t.Extended)})
	return StageConfront
}

// lastRound reports whether no confrontation can follow so many more: the assumption fields are
// mandatory then (R104, R105).
func (s *State) lastRound(more int) bool {
	return s.Talk.Confrontations+more >= s.Received.maxRounds()
}

// extend borrows one CONSTRUCTIVE iteration from DEVELOPMENT where a dispute has
// not been addressed yet (R129, R130).
func (m *reducer) extend(n int) {
	if n != 3 || m.Talk.Extended {
		return
	}
	unaddressed := func(k *Challenge) bool { return k.AwaitsWord() && k.Defence == "" }
	if open := m.Book.attacksThat(unaddressed); len(open) > 0 {
		m.Talk.Extended, m.Talk.ExtendedWhy = true, because(WhyUnaddressed, open[0].ID)
	}
}

// responded reduces the primary's answers to position version N+1 (R094-R096).
func (m *reducer) responded(wave *Wave, all []said) {
	x := all[0]
	m.round(wave.N, all)
	if x.Status != CallOK {
		if m.Asking.Stopped {
			m.exit(ExitStopped, told(x.Detail))
			return
		}
		m.attendance(x.Party, all, 0)
		m.losePrimary(because(WhyPrimarySilent, string(x.Status)))
		return
	}
	r := m.explained(x.Party, x.Reply)
	claims := len(m.Book.Claims)
	m.rate(x.Party, wave.N, r.Delta)
	m.hear(x.Party, r)
	m.claims(x.Party, wave.N, x)
	m.deadlockViews(x.Party, r.Deadlocks)
	shown := slices.Clone(m.Book.Challenges)
	m.judgeDefences(x.Party, r, shown)
	because := m.answer(x.Party, r, shown, wave.N)
	m.evaluateAll(x.Party, wave.N, r)
	m.passedOver(claims)
	because = append(because, m.Book.persuaded(x.Party, r, wave.N)...)
	m.restate(x.Party, r, because)
	m.takeStance(x.Party, r)
	m.attendance(x.Party, all, 1)
	m.merge()
	m.closeDissents()
	m.substitutes(true)
	m.rebut(wave.N)
}

// restate makes version N+1 of the position. Its disposition changes only with
// an ACCEPT or PARTIAL that says why; any other change is drift (R096, R155).
func (m *reducer) restate(party string, r *Reply, because []Because) {
	was := m.Talk.Position()
	next := was
	next.By, next.Because = party, because
	next.Disposition = m.grantedOption(because)
	if len(because) == 0 && next.Disposition != option(was.Disposition) { // an earlier primary granted what it moves by
		k := m.Book.granted()
		because = []Because{{Challenge: k.ID, Party: k.Attacker, Move: Accept, Granted: clip(k.Objection, 1000)}}
		next.Because = because
	}
	m.reword(&next, cmp.Or(r.Position, &Restated{}))
	if next.Disposition != was.Disposition {
		m.ledger(TagRevision, party, string(was.Disposition)+" became "+string(next.Disposition), PositionSubject)
		m.Table.silence(was.Disposition, next)
	}
	m.takes(next, m.Talk.Exchange)
}

// grantedOption is what the position recommends after the objections to it that
// were granted.
func (s *State) grantedOption(because []Because) Disposition {
	wants := option(s.Talk.Position().Disposition)
	for _, b := range because {
		k := cmp.Or(s.Book.challenge(b.Challenge), &Challenge{})
		if k.toPosition() && b.Move == Accept {
			wants = cmp.Or(k.Option, wants)
		}
	}
	if wants == Keep && s.Book.granted() != nil {
		return Revise
	}
	return wants
}

// reword takes the primary's own words for its new position. Those of a drift do
// not count, and neither do those of a KEEP that it holds no more.
func (m *reducer) reword(next *Position, p *Restated) {
	d := cmp.Or(option(p.Disposition), next.Disposition)
	if d != next.Disposition && len(next.Because) == 0 {
		was := string(m.Talk.Position().Disposition)
		m.drift(next.By, PositionSubject, was+" became "+string(d), "the position was "+was)
		return
	}
	if d == Keep && m.Book.granted() != nil {
		return
	}
	next.Disposition = d
	next.Summary = cmp.Or(clip(p.Summary, maxText), next.Summary)
	next.Confidence = cmp.Or(p.Confidence, next.Confidence)
}

// silence takes back what others held of the old disposition, if it is not the new
// one. A position that moves away from a party again does not silence it.
func (t *Table) silence(was Disposition, next Position) {
	loosened := worse(was, next.Disposition)
	for i := range t.Seats {
		switch seat := &t.Seats[i]; {
		case seat.Party == next.By, seat.Option == next.Disposition:
		case loosened && worse(seat.Option, next.Disposition): // it moves away from what the party holds
		default:
			seat.Option = ""
		}
	}
}

// persuaded lists the reasons of the primary for a change, other than the challenges: a change
// of the position that it admits, and a severe claim of another party if it agrees to it in
// this reply, or accepts its defense there (R155).
func (b *Book) persuaded(party string, r *Reply, n int) []Because {
	var because []Because
	if why := admitted(r.Changes, PositionSubject); why != "" {
		because = append(because, Because{Challenge: PositionSubject, Party: party, Reason: clip(why, 1000)})
	}
	for _, c := range b.severe() {
		taken := c.agreedBy(party) && c.last(party).N == n
		if c.Owner != party && taken {
			because = append(because, Because{Challenge: c.ID, Party: c.Owner, Move: Accept, Reason: clip(joined("it agrees:", c.Title), 1000)})
		}
	}
	return because
}

// losePrimary lets the next healthy party answer in the place of a primary that no
// longer does (M19). Where there is none the debate ends: what exists is synthesised
// and nothing is adopted.
func (m *reducer) losePrimary(why Why) {
	begun := m.Stage == StageConfront // the exchange in which it did not answer
	m.inherit()
	switch {
	case m.alone():
		return
	case len(m.Table.challengers()) == 0:
	case begun:
		n := m.Talk.Exchange + 1
		m.substitutes(false)
		m.askPrimary(n, m.lastRound(0))
		return
	default:
		m.confront()
		return
	}
	m.Table.PrimaryLost = true
	m.exit(ExitNoPrimary, why)
}
