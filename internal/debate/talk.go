package debate

import "slices"

// Talk is how far the debate phase has come: its exchanges, what each moved, the
// positions of the primary, and why it ended.
type Talk struct {
	Exchange       int  // n: the number of the last exchange that had a valid reply (R118)
	Extended       bool // CONSTRUCTIVE lasts to n=3 (R129)
	ExtendedWhy    Why
	Confrontations int
	Rounds         []Round
	Deltas         []Delta
	ThinStreak     int
	Openings       []Opened
	Positions      []Position
	Overview       *Overview // what the change does, as it was said; see State.Overview
	Exit           Exit      // why the debate phase ended
	ExitWhy        Why
	Arbitrations   []Arbitration // looks of the cold reader
}

// Exit is why the debate phase ended (Part 4, ITERATE).
type Exit string

const (
	ExitFast      Exit = "consensus"      // no blocker after CHALLENGE
	ExitConverged Exit = "converged"      // no open challenge, nothing new
	ExitTrivial   Exit = "trivial"        // a question of fact, settled by n=2 (R163)
	ExitThin      Exit = "thin"           // two thin rounds
	ExitDeadlock  Exit = "deadlock"       // both sides have quotes, and neither brings anything new
	ExitLeftOpen  Exit = "left_open"      // no answer is due, and a P1 or P2 stays disputed
	ExitNoReply   Exit = "no_valid_reply" // calls were made, none was valid
	ExitCap       Exit = "cap"            // max_rounds, n=8
	ExitBudget    Exit = "budget"         // minutes, calls or money
	ExitStopped   Exit = "stopped"        // a person stopped it
	ExitNoPrimary Exit = "primary_lost"
)

// Phase is what may be said now.
func (t Talk) Phase() Phase { return phaseOf(t.Exchange, t.Extended) }

// Position returns the current position, or the zero one before OPENING ended.
func (t Talk) Position() Position {
	if len(t.Positions) == 0 {
		return Position{Disposition: Continue}
	}
	return t.Positions[len(t.Positions)-1]
}

// blind reports whether all parties open without a view of the others (M01): in a review by
// its mode and settings, in a question by its framing (R174).
func (r Received) blind() bool {
	if r.Inquiry != nil {
		return r.Inquiry.Framing == FramingParallel
	}
	return r.Mode != Quick && r.Settings.Opening != OpenPosition
}

// OpenedBlind reports whether every party has opened without a view of the others.
func (s State) OpenedBlind() bool { return s.Received.blind() && len(s.Talk.Openings) > 0 }

// OwesWord reports whether a party has not weighed a P1 or P2 claim that another
// one raised in the last exchange, or in the one that has begun: what one finds, all
// the others weigh, and not the primary alone (M01).
func (s State) OwesWord(party string) bool {
	if s.Received.Mode == Quick {
		return false
	}
	return slices.ContainsFunc(s.Book.Claims, func(c Claim) bool {
		return c.Owner != party && c.RaisedN >= s.Talk.Exchange && c.weighty() && c.last(party) == nil
	})
}

func (t Talk) clone() Talk {
	t.Rounds = slices.Clone(t.Rounds)
	t.Openings = slices.Clip(t.Openings)
	t.Positions = slices.Clip(t.Positions)
	t.Deltas = slices.Clip(t.Deltas)
	t.Arbitrations = slices.Clip(t.Arbitrations)
	return t
}

// Phase is the part of a debate that limits new opinions (R127, R128).
type Phase string

const (
	Constructive    Phase = "CONSTRUCTIVE"
	Development     Phase = "DEVELOPMENT"
	Crystallization Phase = "CRYSTALLIZATION"
)

// Delta is one rating of one round's truth-gain (R005), in basis points.
type Delta struct {
	N       int
	Rater   string
	ValueBP int
	Counted bool // false: its rater has read nothing new, so it counts as 0 (R008)
}

// Round is the record of one exchange.
type Round struct {
	N             int
	Phase         Phase
	Raters        []string
	Thin          bool
	Unavailable   []string // parties that could not be asked (R075)
	Timeouts      []string
	AuthFailures  []string
	OtherFailures []string
	ParseFailures []string
	Retries       []string // parties that got a FORMAT retry
	Route         Why      `json:",omitzero"` // the next step, with its reason
}

// phaseOf derives the phase from n (R127); extended is the one borrowed
// CONSTRUCTIVE iteration at n=3 (R129).
func phaseOf(n int, extended bool) Phase {
	switch {
	case n <= 2, n == 3 && extended:
		return Constructive
	case n <= 5:
		return Development
	}
	return Crystallization
}
