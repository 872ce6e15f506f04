package debate

// Stage is a state of the machine that the package comment draws.
type Stage string

// The stages.
const (
	StageNone          Stage = "" // before the first event
	StageReceived      Stage = "RECEIVED"
	StageSnapshot      Stage = "SNAPSHOT"
	StageSplit         Stage = "SPLIT"
	StageEligible      Stage = "ELIGIBLE"
	StageSkipped       Stage = "SKIPPED"
	StagePreflight     Stage = "PREFLIGHT"
	StageOpening       Stage = "OPENING"
	StageChallenge     Stage = "CHALLENGE"
	StageConsensus     Stage = "CONSENSUS"
	StagePress         Stage = "PRESS"
	StageConfront      Stage = "CONFRONT"
	StageRebut         Stage = "REBUT"
	StageIterate       Stage = "ITERATE"
	StageSynthesise    Stage = "SYNTHESISE"
	StageArbitrate     Stage = "ARBITRATE"
	StagePanel1        Stage = "PANEL1"
	StagePanel2        Stage = "PANEL2"
	StageScore         Stage = "SCORE"
	StageDispute       Stage = "DISPUTE"
	StageHumanDecided  Stage = "HUMAN_DECIDED"
	StageSuperseded    Stage = "SUPERSEDED"
	StageDegraded      Stage = "DEGRADED"
	StageGate          Stage = "GATE"
	StagePublish       Stage = "PUBLISH"
	StageDone          Stage = "DONE"
	StageAwaitingHuman Stage = "AWAITING_HUMAN"
	StageAborted       Stage = "ABORTED"
)

// State is a debate folded from its log. The zero value is a debate before its
// first event. A State is a value: Apply never changes the one it is given.
type State struct {
	N         int // number of the last event
	StartedAt int64
	At        int64 // of the last event
	EndedAt   int64 // of the event that ended the review; publishing comes after it
	Stage     Stage

	Received Received
	Snapshot Snapshotted
	Split    SplitDone // its Coverage says who reviewed what once the review is done
	Notices  []Notice
	Missing  []string // criteria and items without text (R055, S16)
	Omitted  int
	Triggers []Trigger
	Parties  []Party

	Book
	Positions  []Position
	Deltas     []Delta
	Rounds     []Round
	Decisions  []Decision
	Reviews    []Review // of proposals, in the order in which they came
	Seats      []Seat   // of the debaters, in party order
	Calls      []Call   // in wave and party order
	Runs       []Run
	Assertions []Asserted // triggers as parties assert them
	Flags      []Arbitration
	Carried    []CarriedState

	Wave           *Wave      // what is being asked now
	Primary        string     // id of the primary, which S14 may change
	Wishes         []proposed // for the rubric, in the order in which they came
	Asked          []Question // decisions that the openings see
	Framed         []Decision // what the parties were asked about, before anything was weighed
	NextDecision   int        // number of the next decision; ids are never reused
	Stopped        bool
	Preflighted    bool
	ChecksRead     bool // once, before OPENING
	Disputes       int
	InDispute      string // id of the challenge that a dispute opened
	ClockFrom      int64  // the budget of time counts from here, Unix milliseconds
	Assumed        bool   // the ASSUME call is used
	Exchange       int    // n: the number of the last exchange that had a valid reply (R118)
	Extended       bool   // CONSTRUCTIVE lasts to n=3 (R129)
	ExtendedWhy    Why
	Confrontations int
	ThinStreak     int
	Exit           Exit // why the debate phase ended
	ExitWhy        Why
	PrimaryLost    bool
	SameFamily     bool // a challenger is of the primary's family (X30)
	Reexamined     bool

	Outcome       Outcome
	OutcomeReason Why // why a run was skipped, degraded or aborted
	Confidence    Confidence
	Disposition   Disposition

	Critiqued bool // the critic has answered
	Published bool
	Closing   *Closed

	Steps []Step
}

// Exit is why the debate phase ended (Part 4, ITERATE).
type Exit string

// The exits.
const (
	ExitFast      Exit = "consensus"      // no blocker after CHALLENGE
	ExitConverged Exit = "converged"      // no open challenge, nothing new
	ExitTrivial   Exit = "trivial"        // a question of fact, settled by n=2 (R163)
	ExitThin      Exit = "thin"           // two thin rounds
	ExitNoDissent Exit = "no_dissenter"   // nobody is left to answer
	ExitNoReply   Exit = "no_valid_reply" // calls were made, none was valid
	ExitCap       Exit = "cap"            // max_rounds, n=8
	ExitBudget    Exit = "budget"         // minutes, calls or money
	ExitStopped   Exit = "stopped"        // a person stopped it
	ExitNoPrimary Exit = "primary_lost"
)

// Review is one party's review of the proposals of a change along the six
// criteria (R064-R066).
type Review struct {
	Party string
	ProposalReview
}

// Asserted is a trigger as one party asserts it (S03).
type Asserted struct {
	Party    string
	Trigger  TriggerID
	Decision string // "": D0
	Evidence []Evidence
	Reason   string
}

// Arbitration is one look of the cold reader over the buckets.
type Arbitration struct {
	Arbiter   string
	Items     []Flagged
	FlaggedBP int
	Action    ArbiterAction
}

// ArbiterAction is what followed from the flags (R160, X28).
type ArbiterAction string

// The actions.
const (
	ActionNone      ArbiterAction = "none"
	ActionWarn      ArbiterAction = "warn"
	ActionReexamine ArbiterAction = "re_examine"
)

// CarriedState is what became of a finding of an earlier head.
type CarriedState struct {
	Carried
	Class   CarriedClass
	Claim   string   // the claim that carries it on, "" if it is gone
	Answers []string // party: class, in party order
}

// seat returns the seat of a debater, or nil.
func (s *State) seat(party string) *Seat { return seatOf(s.Seats, party) }

func seatOf(seats []Seat, party string) *Seat {
	return find(seats, func(s *Seat) bool { return s.Party == party })
}

func (s *State) party(id string) *Party { return partyOf(s.Parties, id) }

func partyOf(parties []Party, id string) *Party {
	return find(parties, func(p *Party) bool { return p.ID == id })
}

// challengers are the debaters beside the primary that still take part, in
// party order.
func (s *State) challengers() []*Seat {
	var active []*Seat
	for i := range s.Seats {
		if s.Seats[i].Party != s.Primary && s.Seats[i].Active() {
			active = append(active, &s.Seats[i])
		}
	}
	return active
}

// Step says what one event did: the stages that it moved a debate through and
// what happened, in order. The steps of a debate are its history.
type Step struct {
	N      int
	Kind   EventKind
	Stages []Stage
	Facts  []Fact
}

// Terminal reports whether the debate takes no further event but its closing.
func (s State) Terminal() bool {
	switch s.Stage {
	case StageDone, StageAborted, StageAwaitingHuman, StageSuperseded:
		return true
	}
	return false
}

// Phase is what may be said now.
func (s State) Phase() Phase { return phaseOf(s.Exchange, s.Extended) }

// Agreed returns the claims in the Agreed bucket in order of their ids.
func (s State) Agreed() []Claim {
	var agreed []Claim
	for _, c := range s.Claims {
		if c.Bucket == Agreed {
			agreed = append(agreed, c)
		}
	}
	return agreed
}

// AwaitsHuman reports whether any decision waits for a person.
func (s State) AwaitsHuman() bool {
	for _, d := range s.Decisions {
		if d.Outcome == AwaitingHuman {
			return true
		}
	}
	return false
}

// CoverageLevel is how much of the change was reviewed by a party other than
// the engine itself (S05, A24).
type CoverageLevel string

// The levels.
const (
	CoverageFull    CoverageLevel = "full"
	CoveragePartial CoverageLevel = "partial"
	CoverageNone    CoverageLevel = "none"
)

// Coverage weighs the coverage ledger. A part that policy excuses counts for
// neither side; a part that was too large, out of budget or unreadable was not
// reviewed. The embedded critic's reading alone is no review.
func (s State) Coverage() CoverageLevel {
	reviewed, open := 0, 0
	for _, c := range s.Split.Coverage {
		switch {
		case c.Excluded.Excused():
		case reviewedByParty(c.By):
			reviewed++
		default:
			open++
		}
	}
	switch {
	case reviewed == 0:
		return CoverageNone
	case open > 0:
		return CoveragePartial
	}
	return CoverageFull
}

// Excused reports whether a part left out for this reason needs no review.
func (e Exclusion) Excused() bool {
	switch e {
	case NotExcluded, TooLarge, OutOfBudget, Unreadable:
		return false
	}
	return true
}

func reviewedByParty(by []string) bool {
	for _, p := range by {
		if p != EngineParty {
			return true
		}
	}
	return false
}

// EngineParty is the owner of the embedded critic's claims (S01).
const EngineParty = "engine"
