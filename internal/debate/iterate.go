package debate

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/prdebate/debate/internal/lists"
)

// rate takes a party's truth-gain of the exchange (R005-R008). A rating that reaches
// the threshold counts as 0 if the party has read nothing new since it spoke. The
// record keeps the rating in both cases.
func (m *reducer) rate(party string, n int, r *Rating) {
	if r == nil {
		return
	}
	counted := r.ValueBP < m.Received.Settings.thinBP() || m.Book.news(party, m.Table.fares(party).SpokeAt, m.N)
	d := Delta{N: n, Rater: party, ValueBP: r.ValueBP, Counted: counted}
	m.Talk.Deltas = append(m.Talk.Deltas, d)
	counts := ""
	if !counted {
		counts = "uncounted"
	}
	m.happened(Fact{Kind: GainRated, N: n, Who: party, Code: strconv.Itoa(d.ValueBP), Other: counts})
}

// iterate closes an exchange and goes on or ends (ITERATE of Part 4). The exits have an order;
// the first one applies.
func (m *reducer) iterate(n int, heard bool) {
	m.transition(StageIterate)
	m.thin(n)
	m.deadlocks()
	if !heard {
		m.exit(ExitNoReply, because(WhyNoReply))
		return
	}
	if exit, why := m.over(); exit != "" {
		m.ends(exit, why)
		return
	}
	if why := m.mayConfront(); !why.IsZero() {
		m.ends(ExitCap, why)
		return
	}
	m.route(because(WhyConfrontAgain))
	m.confront()
}

// over says whether nothing is left to debate, and why: the first exit that holds.
func (s *State) over() (Exit, Why) {
	if slices.ContainsFunc(s.Book.live(), s.unweighed) { // no finding is lost in a fast exit (M07b)
		return "", Why{}
	}
	open := slices.ContainsFunc(s.Table.Seats, func(seat Seat) bool {
		return seat.Active() && s.asked(seat.Party)
	})
	switch deadlock, left := s.deadlocked(), s.leftOpen(); {
	case !open && deadlock != "":
		return ExitDeadlock, because(WhyDeadlock, deadlock)
	case !open && left != "":
		return ExitLeftOpen, because(WhyLeftOpen, left)
	case s.trivial():
		return ExitTrivial, because(WhyTrivial)
	case !open:
		return ExitConverged, because(WhyConverged)
	case s.Talk.ThinStreak >= thinStop:
		return ExitThin, because(WhyNothingMoved)
	}
	return "", Why{}
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

// thin decides whether the round was thin, which takes two sides (R009-R013).
func (m *reducer) thin(n int) {
	t := &m.Talk
	ratings := lists.Keep(t.Deltas, func(d Delta) bool { return d.N == n })
	r := &t.Rounds[len(t.Rounds)-1]
	r.Raters = lists.Map(ratings, func(d Delta) string { return d.Rater })
	r.Thin = thinRound(ratings, m.Table.Primary, m.Received.Settings.thinBP())
	t.ThinStreak = thinStreak(t.Rounds)
}

// leftOpen is the first P1 or P2 claim that stays disputed without a question left to answer: it
// was conceded in words, or passed over in silence.
func (s *State) leftOpen() string {
	for _, c := range s.Book.severe() {
		as := *c
		p := s.status(&as)
		if as.Bucket, as.Reason = p.bucket, p.reason; as.divides() {
			return c.ID
		}
	}
	return ""
}

// deadlocked is the first challenge with nothing more to say on both sides that leaves something
// open; "" if there is none.
func (s *State) deadlocked() string {
	stuck := lists.Pointer(s.Book.Challenges, func(k *Challenge) bool {
		heard := k.Deadlock != "" || k.Status == Upheld && k.Shown && k.Answered
		switch c := s.Book.claim(k.Claim); {
		case !heard, !k.unsettled():
			return false
		case c == nil:
			return true
		default: // it neither refutes its claim nor misses it, and a P3 only lists both views
			return c.Severity != P3 && !k.outweighs(c) && s.holding(c).standing != confirmed
		}
	})
	return cmp.Or(stuck, &Challenge{}).ID
}

// deadlockViews keeps the last view of each side. It names the reason: a missing measurement
// needs its threshold and its effect (R165).
func (m *reducer) deadlockViews(party string, list []DeadlockView) {
	for _, v := range list {
		k := m.Book.challenge(v.Challenge)
		switch {
		case k == nil, v.Class == "", party != k.Attacker && !slices.Contains(m.Defenders(*k), party):
			continue
		case v.Class == MissingData && slices.Contains([]string{v.Measurement, v.Threshold, v.Effect}, ""):
			continue
		}
		others := lists.Keep(k.Views, func(have DeadlockSide) bool { return (have.Party == k.Attacker) != (party == k.Attacker) })
		k.Views = append(others, DeadlockSide{Party: party, DeadlockView: v})
	}
}

// deadlocks classifies the challenges that are open after three exchanges (R165).
func (m *reducer) deadlocks() {
	for i := range m.Book.Challenges {
		k := &m.Book.Challenges[i]
		if !k.AwaitsWord() || k.RoundsOpen < deadlockRounds {
			continue
		}
		class := deadlockClass(*k)
		if class == Definitional && !k.Retried {
			k.Retried, k.RoundsOpen, k.Views = true, deadlockRounds-1, nil
			continue
		}
		k.Deadlock = class
		m.happened(Fact{Kind: ChallengeClosed, Who: EngineParty, About: k.ID, Other: k.Claim, Code: string(class)})
	}
}

// deadlockClass is the class that both sides name, or else the first of missing data,
// definitional, criteria (R165).
func deadlockClass(k Challenge) DeadlockClass {
	if len(k.Views) == 2 && k.Views[0].Class == k.Views[1].Class {
		return k.Views[0].Class
	}
	given := func(class DeadlockClass) bool {
		return slices.ContainsFunc(k.Views, func(v DeadlockSide) bool { return v.Class == class })
	}
	switch {
	case given(MissingData):
		return MissingData
	case given(Definitional) && !k.Retried:
		return Definitional
	}
	return Criteria
}

// ends ends the debate phase, unless one party is left that can go on alone.
func (m *reducer) ends(exit Exit, why Why) {
	if m.bereft() && m.alone() {
		return
	}
	m.exit(exit, why)
}

// exit ends the debate phase.
func (m *reducer) exit(exit Exit, why Why) {
	if m.Asking.Stopped {
		exit = ExitStopped
	}
	if m.Table.fares(m.Table.Primary).Lost { // in its last answer, for example
		m.Table.PrimaryLost = true
	}
	m.abstain()
	m.Talk.Exit, m.Talk.ExitWhy = exit, why
	m.route(because(WhyEnded, string(exit)).because(why))
	m.happened(Fact{Kind: TalkEnded, Who: EngineParty, Code: string(exit), Why: why})
	m.closeDissents()
	m.transition(StageSynthesise)
}

// thinRound reports whether a round moved nothing: the primary and at least one dissenter rated
// it, and no rating reaches thinBP basis points (R009). An invalid rating is worth 0, so no
// party keeps a debate alive by claiming a gain; the need for two sides keeps one party from
// ending it (R011).
func thinRound(ratings []Delta, primary string, thinBP int) bool {
	gains := func(d Delta) bool { return d.Counted && d.ValueBP >= thinBP }
	if slices.ContainsFunc(ratings, gains) {
		return false
	}
	own := lists.Keep(ratings, func(d Delta) bool { return d.Rater == primary })
	return 0 < len(own) && len(own) < len(ratings)
}

// thinStreak counts the thin rounds at the end of a debate; any other round
// starts the count again (R012, R013).
func thinStreak(rounds []Round) int {
	streak := 0
	for _, r := range rounds {
		streak++
		if !r.Thin {
			streak = 0
		}
	}
	return streak
}
