package debate

import (
	"fmt"
	"slices"
)

// ofBounds: a debate ends, and nothing counts further than it may.
func ofBounds() []property {
	return []property{
		{"P01", terminates}, {"P02", exchangesCountReplies}, {"P03", phaseMoves}, {"P17", thinStops}, {"P40", insideBudget},
	}
}

// terminates: after any sequence of events there is work to do or the
// record is closed, no more calls are made than the bound allows, n stays at 8 or
// below and confrontations at the rounds of the settings. That
// the debate came to an end at all is seen by play.
func terminates(p played) string {
	for _, s := range p.states[1:] {
		set := s.Received.Settings
		rounds := 5
		if set.MaxRounds > 0 {
			rounds = set.MaxRounds
		}
		mostN := 8
		if s.Received.Mode == Quick {
			mostN, rounds = 2, 1
		}
		switch {
		case len(Outstanding(s)) == 0 && s.Ending.Closing == nil:
			return fmt.Sprintf("event %d: stage %s has no work and is not closed", s.N, s.Stage)
		case s.Talk.Exchange > mostN:
			return fmt.Sprintf("event %d: n is %d", s.N, s.Talk.Exchange)
		case s.Talk.Confrontations > min(rounds, 7):
			return fmt.Sprintf("event %d: %d confrontations, max_rounds is %d", s.N, s.Talk.Confrontations, rounds)
		}
	}
	s := p.end()
	if s.Ending.Closing == nil || !s.Terminal() {
		return "the last stage is " + string(s.Stage)
	}
	if s.Ending.Outcome == "" {
		return "it ends without an outcome"
	}
	return ""
}

// exchangesCountReplies: n changes only with the last wave of an exchange (CHALLENGE,
// REBUT, or CONFRONT where nobody is asked for a rebuttal), by one or to the exchange
// that was asked for, and only where a valid reply of that exchange is in the record.
// Retries and failures never change it.
func exchangesCountReplies(p played) string {
	for i, s := range p.states[1:] {
		before := p.states[i]
		if s.Talk.Exchange == before.Talk.Exchange {
			continue
		}
		if s.Talk.Exchange != before.Talk.Exchange+1 {
			return fmt.Sprintf("event %d: n went from %d to %d", s.N, before.Talk.Exchange, s.Talk.Exchange)
		}
		if !slices.Contains([]Stage{StageChallenge, StageConfront, StageRebut}, before.Stage) {
			return fmt.Sprintf("event %d: n grew in %s", s.N, before.Stage)
		}
		heard := slices.ContainsFunc(s.Asking.Calls, func(c Call) bool {
			return c.Status == CallOK && c.N == s.Talk.Exchange && slices.Contains([]CallKind{CallChallenge, CallRespond, CallRebut}, c.Kind)
		})
		if !heard {
			return fmt.Sprintf("event %d: n is %d without a valid reply", s.N, s.Talk.Exchange)
		}
	}
	return ""
}

// phaseMoves: the phase never goes back, and CONSTRUCTIVE lasts beyond n=2
// only at n=3 and with a recorded reason.
func phaseMoves(p played) string {
	rank := map[Phase]int{Constructive: 1, Development: 2, Crystallization: 3}
	for i, s := range p.states[1:] {
		if now, was := rank[s.Talk.Phase()], rank[p.states[i].Talk.Phase()]; now < was {
			return fmt.Sprintf("event %d: phase %s after %s", s.N, s.Talk.Phase(), p.states[i].Talk.Phase())
		}
		if s.Talk.Phase() == Constructive && s.Talk.Exchange > 2 && (s.Talk.Exchange > 3 || !s.Talk.Extended || s.Talk.ExtendedWhy.IsZero()) {
			return fmt.Sprintf("event %d: CONSTRUCTIVE at n=%d because %s", s.N, s.Talk.Exchange, s.Talk.ExtendedWhy)
		}
		want := Crystallization
		switch {
		case s.Talk.Exchange <= 2, s.Talk.Exchange == 3 && s.Talk.Extended:
			want = Constructive
		case s.Talk.Exchange <= 5:
			want = Development
		}
		if s.Talk.Phase() != want {
			return fmt.Sprintf("event %d: phase %s at n=%d", s.N, s.Talk.Phase(), s.Talk.Exchange)
		}
	}
	return ""
}

// thinStops: a round is thin exactly if
// the primary and a dissenter rated it and no rating that counts reaches the
// threshold; the debate stops as thin exactly where two such rounds end it. It
// goes on after two only where M07b owes a claim an answer, or where the primary failed
// and the last party that answers takes its place (M19), and an exit that comes first in
// ITERATE may take its place.
func thinStops(p played) string {
	for i, s := range p.states[1:] {
		before := p.states[i]
		if len(s.Steps) == 0 || !stepEnters(s, StageIterate) {
			continue
		}
		streak := 0
		var last Round
		for _, r := range s.Talk.Rounds {
			if r.Route.IsZero() { // it has only begun
				continue
			}
			last = r
			streak++
			if !r.Thin {
				streak = 0
			}
		}
		thin := func(primary string) bool { return p.naiveThin(s, primary, last.N) }
		if as := last.Thin; thin(before.Table.Primary) != as && thin(s.Table.Primary) != as { // it may have been replaced in this wave
			return fmt.Sprintf("event %d: round %d is thin: %v, the twin says %v", s.N, last.N, as, !as)
		}
		if s.Talk.Exit == ExitThin && streak < 2 && before.Talk.Exit != ExitThin {
			return fmt.Sprintf("event %d: it stops as thin after %d thin rounds", s.N, streak)
		}
		// A new primary, or a second context of the last party, is heard all the same.
		renewed := s.Table.Primary != before.Table.Primary || last.Route.Code == WhyNobodyLeft
		if streak >= 2 && s.Talk.Exit == "" && !renewed && !owedClaim(s, before.Table.Primary) {
			return fmt.Sprintf("event %d: it goes on after %d thin rounds", s.N, streak)
		}
	}
	return ""
}

func stepEnters(s State, stage Stage) bool {
	for _, entered := range s.Steps[len(s.Steps)-1].Stages {
		if entered == stage {
			return true
		}
	}
	return false
}

// naiveThin says whether exchange n was thin by what the raters said in it, the
// primary of then among them.
func (p played) naiveThin(s State, primary string, n int) bool {
	own, other := false, false
	for _, d := range s.Talk.Deltas {
		if d.N != n {
			continue
		}
		if d.Counted && d.ValueBP >= 500 {
			return false
		}
		own = own || d.Rater == primary
		other = other || d.Rater != primary
	}
	return own && other
}

// owedClaim reports whether a party raised a P1 or P2 claim that nobody else has
// weighed yet.
func owedClaim(s State, primary string) bool {
	for _, c := range s.Book.Claims {
		weighed := false
		for _, e := range c.Evaluations {
			silent := s.Table.abstains(e.Party) && !e.Qualified // its word counts for nothing
			weighed = weighed || e.Party != c.Owner && !silent
		}
		if c.Owner != primary && c.Owner != EngineParty && (c.debated() || c.Late && qualified(c.Evidence)) && c.Severity.AtLeast(P2) && !weighed {
			return true
		}
	}
	return false
}

// insideBudget: no wave of calls starts once the time that is left is less
// than the longest of its timeouts and what publishing needs, once the calls of
// the settings are used up, or once the money is; no more calls are made than the
// settings allow, retries included. Exhaustion ends in a published report.
func insideBudget(p played) string {
	for i, s := range p.states[1:] {
		set, before := s.Received.Settings, p.states[i]
		most := 60
		if set.MaxCalls > 0 {
			most = set.MaxCalls
		}
		if len(s.Asking.Calls) > most {
			return fmt.Sprintf("event %d: %d calls, %d are allowed", s.N, len(s.Asking.Calls), most)
		}
		if s.Asking.Wave == nil || before.Asking.Wave != nil && before.Asking.Wave.Asks[0].ID == s.Asking.Wave.Asks[0].ID {
			continue
		}
		longest := 0
		for _, a := range s.Asking.Wave.Asks {
			timeout := 120
			if a.Kind == CallOpen || a.Kind == CallChallenge || a.Kind == CallLocal {
				timeout = 300
			}
			longest = max(longest, timeout)
		}
		used := int((s.Clock.At - max(s.Clock.StartedAt, s.Clock.ClockFrom)) / 1000)
		spent, _ := s.Asking.Spent()
		switch {
		case used+longest+60 > 20*60:
			return fmt.Sprintf("event %d: a call of %d s starts after %d s", s.N, longest, used)
		case len(s.Asking.Calls)+len(s.Asking.Wave.Asks) > most:
			return fmt.Sprintf("event %d: a wave of %d starts after %d calls", s.N, len(s.Asking.Wave.Asks), len(s.Asking.Calls))
		case set.MaxCostMicro > 0 && spent >= set.MaxCostMicro:
			return fmt.Sprintf("event %d: a call starts after %d of %d are spent", s.N, spent, set.MaxCostMicro)
		case s.Asking.Stopped:
			return fmt.Sprintf("event %d: a call starts after a person stopped the debate", s.N)
		}
	}
	if s := p.end(); s.Talk.Exit == ExitBudget && s.Stage != StageDone && s.Stage != StageAwaitingHuman && s.Ending.Outcome != Superseded && s.Ending.Outcome != Aborted {
		return "the budget ran out, and nothing was published"
	}
	return ""
}
