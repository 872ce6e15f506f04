package debate

import "slices"

// over says whether nothing is left to debate, and why: the first exit that holds.
func (s *State) over(grew bool) (Exit, Why) {
	tired := s.Talk.ThinStreak >= thinStop
	if slices.ContainsFunc(s.Book.live(), s.unweighed) { // no finding is lost in a fast exit (M07b)
		return "", Why{}
	}
	open := len(s.Book.attacksThat(func(k *Challenge) bool { return k.argued() })) > 0 // a party has to speak about a challenge
	live := slices.ContainsFunc(s.Table.challengers(), s.dissents)                     // and one is left to speak
	if deadlock := s.deadlocked(); !open && deadlock != "" {
		return ExitDeadlock, because(WhyDeadlock, deadlock)
	}
	quiet := !open && !grew
	if quiet || !live {
		if left := s.leftOpen(); left != "" {
			return ExitLeftOpen, because(WhyLeftOpen, left)
		}
	}
	switch {
	case quiet:
		return ExitConverged, because(WhyConverged)
	case s.trivial():
		return ExitTrivial, because(WhyTrivial)
	case tired:
		return ExitThin, because(WhyNothingMoved)
	case !live:
		return ExitNoDissent, because(WhyNoDissenter)
	}
	return "", Why{}
}

// asksPrimary reports whether the primary has to answer, to judge or to weigh anything.
func (s *State) asksPrimary() bool {
	primary := s.Table.Primary
	return s.hasTurn(s.Table.seat(primary)) || slices.ContainsFunc(s.Book.live(), s.unweighed) || s.OwesWord(primary)
}

// toRebut lists the parties for a REBUT: those with the next turn in a challenge, those with
// another option for D0 that wait for no answer to it (M07b), and those that have not weighed
// a claim of another one.
func (s *State) toRebut() []Ask {
	var asks []Ask
	for _, seat := range s.Table.challengers() {
		if s.hasTurn(seat) || s.OwesWord(seat.Party) {
			asks = append(asks, Ask{Party: seat.Party, Last: s.lastRound(0)})
		}
	}
	return asks
}

// hasTurn reports whether a party has to speak now: it answers what is put to it, says
// what it thinks of an answer, or wants another option and waits for no answer to that.
func (s *State) hasTurn(seat *Seat) bool {
	asked := slices.ContainsFunc(s.Book.Challenges, func(k Challenge) bool {
		return k.awaitsJudgement() && k.Attacker == seat.Party || k.awaitsDefence() && k.Defender == seat.Party
	})
	waits := s.Book.attacks(PositionSubject).by(seat.Party).any(func(k *Challenge) bool { return k.unanswered() })
	return !seat.Lost && (asked || s.wantsOther(seat) && !waits)
}

// dissents reports whether a party still has something to say against what the
// primary holds, now or once it is answered.
func (s *State) dissents(seat *Seat) bool {
	takesPart := slices.ContainsFunc(s.Book.Challenges, func(k Challenge) bool {
		return k.argued() && (k.Attacker == seat.Party || k.Defender == seat.Party)
	})
	return !seat.Lost && (takesPart || s.wantsOther(seat))
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

// trivial reports whether the question is one of fact that is settled by n=2
// (R163): all claims are facts to look up, no party sees a decision in it or asks for a
// person, nothing of weight is open, and every party with an answer gives the same one.
func (s *State) trivial() bool {
	speaking, at := s.Table.speaking(), s.Talk.Position().Disposition
	judges := func(c *Claim) bool { return c.Kind != Empirical }
	apart := func(seat *Seat) bool { return seat.Option != at || s.Book.silent(seat, at) }
	switch q := s.Received.Inquiry; {
	case q == nil, len(q.Options) > 0, len(s.Agenda.Asked) > 0, len(s.Agenda.Assertions) > 0:
		return false
	case s.Talk.Exchange > 2, s.Table.PrimaryLost, len(s.blockers()) > 0, slices.ContainsFunc(s.Book.live(), judges):
		return false
	}
	return len(speaking) > 0 && !slices.ContainsFunc(speaking, apart)
}
