package debate

import "slices"

// Stage is a state of the machine in the package comment.
type Stage string

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
	StageSumUp         Stage = "SUM_UP"
	StagePublish       Stage = "PUBLISH"
	StageDone          Stage = "DONE"
	StageAwaitingHuman Stage = "AWAITING_HUMAN"
	StageAborted       Stage = "ABORTED"
)

// State is a debate folded from its log. The zero value is a debate before its
// first event. A State is a value: Apply never changes the one it is given.
type State struct {
	N     int // number of the last event
	Stage Stage
	Clock Clock

	Received Received
	Snapshot Snapshotted
	Split    SplitDone // its Coverage names the reviewers of each part once the review is done
	Critique Critique
	Checks   Checks

	Table  Table
	Book   Book
	Talk   Talk
	Asking Asking
	Agenda Agenda
	Known  []Known // accepted by the settings
	Ending Ending

	Carried   []CarriedState
	Disputes  int    // on the pull request so far
	InDispute string // id of the challenge of a dispute

	Steps []Step
}

// clone copies the parts an event may change, so a State stays a value. Lists that only grow
// are shared without their spare capacity, so append copies them.
func (s State) clone() State {
	s.Split.Coverage = slices.Clone(s.Split.Coverage)
	s.Critique.Missing = slices.Clip(s.Critique.Missing)
	s.Table = s.Table.clone()
	s.Book = s.Book.clone()
	s.Talk = s.Talk.clone()
	s.Asking = s.Asking.clone()
	s.Agenda = s.Agenda.clone()
	s.Carried = slices.Clone(s.Carried)
	s.Steps = slices.Clip(s.Steps)
	return s
}

// Clock is when things happened, in Unix milliseconds.
type Clock struct {
	StartedAt int64
	At        int64 // of the last event
	EndedAt   int64 // of the event at the end of the review; publishing comes after it
	ClockFrom int64 // the budget of time counts from here
}

// Critique is the critic's result apart from claims.
type Critique struct {
	Critiqued bool // the critic has answered
	Notices   []Notice
	Missing   []string // criteria and items without text (R055)
	Omitted   int
}

// Checks are the failed check runs.
type Checks struct {
	Runs  []Run
	Tests []TestRun `json:",omitempty"` // run for parties in earlier waves
}

// Ending is the result of a debate.
type Ending struct {
	Outcome       Outcome
	OutcomeReason Why // why a run was skipped, degraded or aborted
	Confidence    Confidence
	Disposition   Disposition
	Answer        *SummedUp // of a question, nil if none was due
	Closing       *Closed
}

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
}

// CarriedState is the state of a finding from an earlier head.
type CarriedState struct {
	Carried
	Class   CarriedClass
	Claim   string          // the claim that continues it, "" if it is gone
	Says    []CarriedAnswer `json:",omitempty"` // in party order
	Mends   []string        `json:",omitempty"` // parties with quotes of new lines that fix it
	Against []string        `json:",omitempty"` // parties with quotes of lines that still show it
}

// CarriedAnswer is one party's word on a finding from an earlier head.
type CarriedAnswer struct {
	Party string
	Class CarriedClass
	Shown bool // with lines that count
}

// Terminal reports whether the debate takes no further event but its closing.
func (s State) Terminal() bool {
	return slices.Contains(terminal(), s.Stage)
}

// terminal are the stages that end a debate: only its closing, or a person's word, may follow.
func terminal() []Stage {
	return []Stage{StageDone, StageAborted, StageAwaitingHuman, StageSuperseded}
}

// EngineParty is the owner of the embedded critic's claims.
const EngineParty = "engine"
