package debate

import "slices"

// unsaid is what is still to be said while the talk goes on: who has to answer, to judge
// or to weigh something, and whether anything is left. It only reads.
type unsaid struct {
	table    *Table
	book     *Book
	talk     *Talk
	received *Received
	agenda   *Agenda
}

func newUnsaid(s *State) unsaid {
	return unsaid{table: &s.Table, book: &s.Book, talk: &s.Talk, received: &s.Received, agenda: &s.Agenda}
}

// over says whether nothing is left to debate, and why: the first exit that holds.
func (u unsaid) over(grew bool, claims *settling) (Exit, Why) {
	tired := u.talk.ThinStreak >= thinStop
	if slices.ContainsFunc(u.book.live(), u.table.unweighed) { // no finding is lost in a fast exit (M07b)
		return "", Why{}
	}
	open, live := u.disputes()
	if deadlock := claims.support.deadlocked(); !open && deadlock != "" {
		return ExitDeadlock, because(WhyDeadlock, deadlock)
	}
	quiet := !open && !grew
	if quiet || !live {
		if left := claims.leftOpen(); left != "" {
			return ExitLeftOpen, because(WhyLeftOpen, left)
		}
	}
	switch {
	case quiet:
		return ExitConverged, because(WhyConverged)
	case u.trivial():
		return ExitTrivial, because(WhyTrivial)
	case tired:
		return ExitThin, because(WhyNothingMoved)
	case !live:
		return ExitNoDissent, because(WhyNoDissenter)
	}
	return "", Why{}
}

// disputes reports whether a party still has to speak about a challenge, and whether a party
// is left to speak.
func (u unsaid) disputes() (open, live bool) {
	argued := u.book.attacksThat(func(k *Challenge) bool { return k.argued() })
	return len(argued) > 0, slices.ContainsFunc(u.table.challengers(), u.dissents)
}

// asksPrimary reports whether there is anything that the primary has to answer, to
// judge or to weigh.
func (u unsaid) asksPrimary() bool {
	primary := u.table.Primary
	weighs := slices.ContainsFunc(u.book.Claims, func(c Claim) bool { return u.table.unweighed(&c) })
	return u.hasTurn(u.table.seat(primary)) || weighs || u.talk.OwesWord(u.book, u.received.Mode, primary)
}

// toRebut lists the parties for a REBUT: those with the next turn in a challenge, those with
// another option for D0 that wait for no answer to it (M07b), and those that have not weighed
// a claim of another one.
func (u unsaid) toRebut(n int) []Ask {
	var asks []Ask
	for _, seat := range u.table.challengers() {
		if u.hasTurn(seat) || u.talk.OwesWord(u.book, u.received.Mode, seat.Party) {
			asks = append(asks, Ask{Party: seat.Party, Last: u.talk.lastRebut(u.received, n)})
		}
	}
	return asks
}

// hasTurn reports whether a party has to speak now: it answers what is put to it, says
// what it thinks of an answer, or wants another option and waits for no answer to that.
func (u unsaid) hasTurn(seat *Seat) bool {
	asked := slices.ContainsFunc(u.book.Challenges, func(k Challenge) bool { return k.turn() == seat.Party })
	waits := u.book.attacks(PositionSubject).by(seat.Party).any(func(k *Challenge) bool { return k.unanswered() })
	return !seat.Lost && (asked || u.wantsOther(seat) && !waits)
}

// dissents reports whether a party still has something to say against what the
// primary holds, now or once it is answered.
func (u unsaid) dissents(seat *Seat) bool {
	takesPart := slices.ContainsFunc(u.book.Challenges, func(k Challenge) bool { return k.concerns(seat.Party) })
	return !seat.Lost && (takesPart || u.wantsOther(seat))
}

// wantsOther reports whether a challenger holds another option for D0 than the position,
// and was not heard about that yet.
func (u unsaid) wantsOther(seat *Seat) bool {
	spoken := append(u.book.attacks(PositionSubject).dissenters(), u.table.Primary)
	if slices.Contains(spoken, seat.Party) {
		return false
	}
	return seat.differs(u.talk.Position().Disposition)
}

// turn is the party that a challenge waits for, "" for none.
func (c Challenge) turn() string {
	return map[side]string{attacking: c.Attacker, defending: c.Defender}[c.waitsFor()]
}

// differs reports whether a party names another option for D0 than a position.
func (s *Seat) differs(at Disposition) bool { return s.Option != "" && s.Option != at }

// trivial reports whether the question is one of fact that is settled by n=2
// (R163): all claims are facts to look up, no party sees a decision in it or asks for a
// person, nothing of weight is open, and every party with an answer gives the same one.
func (u unsaid) trivial() bool {
	speaking, at := u.table.speaking(), u.talk.Position().Disposition
	judges := func(c *Claim) bool { return c.Kind != Empirical }
	apart := func(seat *Seat) bool { return seat.Option != at || u.book.silent(seat, at) }
	switch q := u.received.Inquiry; {
	case q == nil, len(q.Options) > 0, len(u.agenda.Asked) > 0, len(u.agenda.Assertions) > 0:
		return false
	case u.talk.Exchange > 2, u.table.PrimaryLost, len(u.table.blockers(u.book)) > 0, slices.ContainsFunc(u.book.live(), judges):
		return false
	}
	return len(speaking) > 0 && !slices.ContainsFunc(speaking, apart)
}
