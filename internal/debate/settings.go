package debate

import (
	"cmp"
	"slices"
)

// Bounds outside the reach of settings (R118, R012, R165).
const (
	maxConfrontation = 7 // and the exchange before them: eight exchanges (R118)
	thinStop         = 2 // thin rounds in a row (R012)
	deadlockRounds   = 3 // maintained defences until a challenge is classified (R165)
	maxRefs          = 10
	maxAsserted      = 200     // triggers asserted by one party
	maxText          = 8 << 10 // bytes of one text in the state
)

// limit returns the setting, or its default if it is not set.
func limit(set, otherwise int) int {
	return cmp.Or(max(set, 0), otherwise)
}

// maxRounds is how many confrontations a run may have (R101): one in quick mode (R173).
func (r *Received) maxRounds() int {
	if r.Mode == Quick {
		return 1
	}
	return min(limit(r.Settings.MaxRounds, 5), maxConfrontation)
}

func (s Settings) maxCalls() int { return limit(s.MaxCalls, 60) }

// MaxChunks bounds the chunks of a change, so every party can read all of them and calls are
// left for the debate (S13). Either one party opens each chunk and the others challenge it, or
// all parties open each chunk and evaluate the findings in one call each.
func (r Received) MaxChunks(challengers int) int {
	each := 1 + challengers
	left := r.Settings.maxCalls() - 12
	if r.blind() {
		left -= each
	}
	return max(1, left/each)
}

func (s Settings) maxClaims() int    { return limit(s.MaxClaims, 12) }
func (s Settings) maxDecisions() int { return limit(s.MaxDecisions, 4) }
func (s Settings) thinBP() int       { return limit(s.ThinBP, 500) }

func (s Settings) tieMarginBP() int {
	if s.TieMarginBP == nil {
		return 200
	}
	return *s.TieMarginBP
}

// tooDear reports whether a cost, in millionths of a US dollar, is more than may be spent.
func (s Settings) tooDear(micro int64) bool { return s.MaxCostMicro > 0 && micro > s.MaxCostMicro }

// BudgetSeconds is the time of the whole run (R054).
func (s Settings) BudgetSeconds() int { return 60 * limit(s.BudgetMinutes, 20) }

// ReserveSeconds is kept for publishing: a minute, and of a short run a quarter.
func (s Settings) ReserveSeconds() int { return min(limit(s.ReserveS, 60), s.BudgetSeconds()/4) }

// readSeconds is the time of calls with the whole change.
const readSeconds = 300

// Timeout is the time of an ask in seconds (R102): the setting, else 120, and 300 for a call
// with the whole change. A call gets at most half of a short run, so later calls have time
// too.
func (s State) Timeout(ask Ask) int {
	set := s.Received.Settings
	all := set.BudgetSeconds() - set.ReserveSeconds()
	p := cmp.Or(s.Table.party(ask.Party), &Party{})
	chosen := limit(p.TimeoutS, set.TimeoutS)
	switch {
	case 0 < chosen && chosen <= all:
		return chosen
	case chosen == 0 && slices.Contains([]CallKind{CallOpen, CallChallenge, CallLocal}, ask.Kind):
		return min(readSeconds, all/2)
	}
	return min(limit(chosen, 120), all/2)
}

// ClockStart is the start of the time budget, in Unix milliseconds: the start of the run plus
// its interruptions.
func (s Clock) ClockStart() int64 { return max(s.StartedAt, s.ClockFrom) }

// Remaining is how many seconds of the budget are left at the last event.
func (s State) Remaining() int {
	return max(0, s.Received.Settings.BudgetSeconds()-int((s.Clock.At-s.Clock.ClockStart())/1000))
}
