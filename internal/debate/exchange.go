package debate

import (
	"slices"
	"strconv"

	"github.com/prdebate/debate/internal/lists"
)

// mayConfront says why no further confrontation may begin.
func (s *State) mayConfront() Why {
	if s.Talk.Confrontations >= s.Received.maxRounds() {
		return because(WhyRounds, strconv.Itoa(s.Talk.Confrontations))
	}
	return Why{}
}

// confront begins an exchange of two waves. In the first one the parties answer what the others said,
// in the second one they say what they think of the answers (R094, R097, R099).
func (m *reducer) confront() {
	if why := m.mayConfront(); !why.IsZero() {
		m.exit(ExitCap, why)
		return
	}
	if !m.Table.sits(m.Table.Primary) && !m.succeeds(because(WhyPrimaryGone)) {
		return
	}
	if len(m.turns()) == 0 { // what is open waits for a party that is lost
		m.ends(m.over())
		return
	}
	n := m.Talk.Exchange + 1
	m.extend(n)
	m.askTurns(CallRespond, n)
}

// askTurns asks each party with a turn in a wave of exchange n. In the last exchange the assumption
// fields are mandatory (R104, R105).
func (m *reducer) askTurns(kind CallKind, n int) {
	stage, begun := StageRebut, m.Talk.Confrontations
	if kind == CallRespond {
		stage, begun = StageConfront, begun+1
	}
	asks := lists.Map(m.turns(), func(party string) Ask { return Ask{Party: party, Last: begun >= m.Received.maxRounds()} })
	if why := m.ask(kind, n, asks); !why.IsZero() {
		m.exit(ExitBudget, why)
		return
	}
	if kind == CallRespond {
		m.Talk.Confrontations = begun
		m.Talk.Rounds = append(m.Talk.Rounds, Round{N: n, Phase: phaseOf(n, m.Talk.Extended)})
	}
	m.transition(stage)
}

// turns are the parties that have to speak now, in party order.
func (s *State) turns() []string {
	waits := func(party string) bool { // for an answer to its objection to the position
		return s.Book.attacks(PositionSubject).by(party).any(func(k *Challenge) bool { return k.AwaitsDefence() })
	}
	orphaned := func(k *Challenge) bool {
		c := s.Book.claim(k.Claim)
		return c != nil && k.AwaitsDefence() && len(s.Defenders(*k)) == 0 && c.last(s.Table.Primary) == nil
	}
	speaks := lists.Keep(s.Table.Seats, func(seat Seat) bool {
		switch {
		case seat.Lost:
			return false
		// It has the next word in a challenge, or a severe claim of another party to weigh.
		case s.asked(seat.Party), s.OwesWord(seat.Party):
			return true
		// The primary also weighs a severe claim that only its owner has weighed, and what an absent party
		// would have to defend.
		case seat.Party == s.Table.Primary:
			return slices.ContainsFunc(s.Book.live(), s.unweighed) || s.Book.attacksThat(orphaned) != nil
		}
		// It wants another option for D0, and waits for no answer to that (M07b).
		return s.wantsOther(&seat) && !waits(seat.Party)
	})
	return lists.Map(speaks, func(seat Seat) string { return seat.Party })
}

// asked reports whether a party has to answer an objection, to say what it thinks of an answer, or
// to reconcile its words. A reminder asks for no turn: it comes with the next one that the party has
// anyway (R149).
func (s *State) asked(party string) bool {
	return slices.ContainsFunc(s.Book.Challenges, func(k Challenge) bool {
		return k.AwaitsJudgement() && k.Attacker == party || k.Status != Dropped && s.Asks(party, k)
	})
}

// wantsOther reports whether a challenger without an argument in findings holds another option
// for D0 than the position, and was not heard about that yet.
func (s *State) wantsOther(seat *Seat) bool {
	spoken := append(s.Book.attacks(PositionSubject).dissenters(), s.Table.Primary)
	if slices.Contains(spoken, seat.Party) || s.arguesInClaims(seat.Party) {
		return false
	}
	return seat.differs(s.Talk.Position().Disposition)
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

// spoken reduces a wave of an exchange in party order: first the words of each party about those of
// others, then its answers. No party has heard the others of its wave.
func (m *reducer) spoken(wave *Wave, all []said) {
	m.round(wave.N, all)
	primary := m.Table.Primary
	shown, known := slices.Clone(m.Book.Challenges), len(m.Book.Claims)
	asked := lists.Map(shown, m.Defenders)
	heard := valid(all)
	for i := range heard {
		x := &heard[i]
		x.Reply = m.explained(x.Party, x.Reply)
		seat, r := m.Table.seat(x.Party), x.Reply
		was := *seat
		m.rate(x.Party, wave.N, r.Delta)
		m.hear(x.Party, r)
		seat.Substance = seat.Substance || x.looked()
		m.deadlockViews(x.Party, r.Deadlocks)
		if x.Party != primary { // the choice of the primary follows from its answers
			m.takeStance(x.Party, r)
		}
		m.judgeDefences(x.Party, r, shown)
		m.unmoved(seat, was, r)
		m.evaluateAll(x.Party, wave.N, r)
	}
	var granted []Because
	for i := range shown {
		if shown[i].AwaitsDefence() {
			granted = append(granted, m.takeAnswers(&m.Book.Challenges[i], asked[i], heard, wave.N)...)
		}
	}
	for _, x := range heard {
		m.claims(x.Party, wave.N, x)
		if x.Party == primary {
			m.passedOver(known)
			m.restate(primary, x.Reply, append(granted, m.Book.persuaded(primary, x.Reply, wave.N)...))
			m.takeStance(primary, x.Reply)
			continue
		}
		if m.Received.Inquiry != nil {
			m.chooses(m.Table.seat(x.Party), m.Talk.Position(), m.Agenda.Framed, clip(x.Reply.Summary, 1000))
		}
		if len(m.Book.attacks(PositionSubject).by(x.Party)) == 0 { // once is enough
			m.objectToPosition(x.Party, "", []said{x})
		}
	}
	for _, x := range all {
		m.attendance(x.Party, []said{x}, len(valid([]said{x})))
	}
	m.merge()
	m.ration()
	m.closeDissents()
	if len(heard) > 0 {
		m.Talk.Exchange = wave.N
	}
	m.goesOn(wave, all)
}

// goesOn leads from a wave to the next one: to the second half of the exchange, or to its end.
func (m *reducer) goesOn(wave *Wave, all []said) {
	primary := by(all, m.Table.Primary)
	silent := len(primary) > 0 && primary[0].Status != CallOK
	deserted := !slices.ContainsFunc(m.Table.challengers(), (*Seat).healthy)
	heard := len(valid(all)) > 0
	switch {
	case silent && m.Asking.Stopped:
		m.exit(ExitStopped, told(primary[0].Detail))
		return
	case silent && !m.succeeds(because(WhyPrimarySilent, string(primary[0].Status))):
		return
	}
	switch {
	case !heard && m.alone():
	case wave.Kind == CallRespond && (heard || !deserted) && len(m.turns()) > 0:
		m.askTurns(CallRebut, wave.N)
	default:
		m.iterate(wave.N, heard || !deserted)
	}
}

// succeeds lets the next healthy party continue in place of a primary that no longer answers (M19). If
// there is none, the debate ends: what exists is synthesized, and nothing is adopted. It reports
// whether the exchange goes on.
func (m *reducer) succeeds(why Why) bool {
	m.inherit()
	switch {
	case m.alone():
		return false
	case len(m.Table.challengers()) > 0:
		return true
	}
	m.Table.PrimaryLost = true
	m.exit(ExitNoPrimary, why)
	return false
}
