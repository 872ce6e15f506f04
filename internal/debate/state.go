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
	Missing  []string
	Omitted  int
	Triggers []Trigger
	Parties  []Party

	Claims    []Claim
	Decisions []Decision

	Outcome       Outcome
	OutcomeReason string // why a run was skipped, degraded or aborted
	Confidence    Confidence
	Disposition   Disposition

	Critiqued bool // the critic has answered
	Published bool
	Closing   *Closed

	Steps []Step
}

// Step says what one event did: the stages it moved through and the rules that
// it applied. It is the transcript of a debate.
type Step struct {
	N      int
	Kind   EventKind
	Stages []Stage // entered, in order
	Rules  []string
}

// Terminal reports whether the debate takes no further event but its closing.
func (s State) Terminal() bool {
	return s.Stage == StageDone || s.Stage == StageAborted || s.Stage == StageAwaitingHuman
}

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
