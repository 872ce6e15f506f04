package debate

import (
	"cmp"
	"slices"

	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/text"
)

// ProtocolVersion changes when the same events would fold to another state: a record
// replays by every build of its version, and by no other.
const ProtocolVersion = "5"

// Mode is how much of the protocol a run uses (R171-R173).
type Mode string

const (
	Standard Mode = "standard"
	Minimal  Mode = "minimal"
	Quick    Mode = "quick"
)

// Target is the debated part of a change (R051). Auto is a request only: the split replaces it
// by one of the other three.
type Target string

const (
	TargetAuto     Target = "auto"
	TargetCode     Target = "code"
	TargetProposal Target = "proposal"
	TargetMixed    Target = "mixed"
)

// Severity of a finding (A06): P1 correctness, security, data loss,
// reliability; P2 significant maintainability, performance, compatibility; P3
// optional.
type Severity string

// The severities, most severe first.
const (
	P1 Severity = "P1"
	P2 Severity = "P2"
	P3 Severity = "P3"
)

// AtLeast reports whether s is as severe as floor or more. An unknown severity
// is below every floor.
func (s Severity) AtLeast(floor Severity) bool { return s.rank() <= min(floor.rank(), P3.rank()) }

func (s Severity) rank() int {
	if at := slices.Index([]Severity{P1, P2, P3}, s); at >= 0 {
		return at + 1
	}
	return 4
}

// compare orders severities, the most severe first.
func (s Severity) compare(other Severity) int { return s.rank() - other.rank() }

// Side of a change: Right is the head, Left the merge base.
type Side string

// The sides of a change, spelt as GitHub spells them.
const (
	Right Side = "RIGHT"
	Left  Side = "LEFT"
)

// ClaimKind decides the gate for a claim (R145, R146).
type ClaimKind string

const (
	Empirical ClaimKind = "empirical"
	Value     ClaimKind = "value"
	Proposal  ClaimKind = "proposal"
)

// EvidenceType in its strict order of weight (R147).
type EvidenceType string

const (
	Execution EvidenceType = "execution"
	Textual   EvidenceType = "textual"
	BareClaim EvidenceType = "claim"
	NotNeeded EvidenceType = "n/a"
)

// Bucket is the final state of a claim (Part 4).
type Bucket string

const (
	Agreed     Bucket = "agreed"
	Dismissed  Bucket = "dismissed"
	Unresolved Bucket = "unresolved"
)

// Disposition is the answer to D0. Continue is no option: it means
// undecided.
type Disposition string

const (
	Keep     Disposition = "keep"
	Revise   Disposition = "revise"
	Reject   Disposition = "reject"
	Continue Disposition = "continue"
)

// worse reports whether a lets less of the change through than b.
func worse(a, b Disposition) bool {
	milder := []Disposition{Keep, Revise, Reject}
	return slices.Index(milder, a) > slices.Index(milder, b)
}

// Confidence is computed by the engine, never declared by a party (M16).
type Confidence string

const (
	High          Confidence = "HIGH"
	Medium        Confidence = "MEDIUM"
	Low           Confidence = "LOW"
	RequiresInput Confidence = "REQUIRES_INPUT"
)

// Outcome of a whole run.
type Outcome string

const (
	Consensus     Outcome = "CONSENSUS"
	Tradeoff      Outcome = "TRADEOFF"
	Unchallenged  Outcome = "UNCHALLENGED"
	DegradedLocal Outcome = "DEGRADED_LOCAL"
	Skipped       Outcome = "SKIPPED"
	Superseded    Outcome = "SUPERSEDED"
	Aborted       Outcome = "ABORTED"
)

// debated reports whether parties debated to the end.
func (o Outcome) debated() bool { return slices.Contains([]Outcome{Consensus, Tradeoff}, o) }

// DecisionOutcome is how one decision ended.
type DecisionOutcome string

const (
	Settled            DecisionOutcome = "settled"
	Adopted            DecisionOutcome = "adopted"
	AwaitingHuman      DecisionOutcome = "awaiting_human"
	HumanDecided       DecisionOutcome = "human_decided"
	Undecided          DecisionOutcome = "undecided"
	DecisionSuperseded DecisionOutcome = "superseded"
	Withdrawn          DecisionOutcome = "withdrawn"
)

// SettingsFile is the path of a repository's settings, unless the workflow names another.
const SettingsFile = ".github/debate.yml"

// Gate is the effect of the check on a merge.
type Gate string

const (
	Advisory Gate = "advisory"
	Required Gate = "required"
)

// FailOn is the least severe Agreed finding that fails a run. The zero value
// and FailNone let no finding fail it.
type FailOn string

const (
	FailNone FailOn = "none"
	FailP1   FailOn = "P1"
	FailP2   FailOn = "P2"
	FailP3   FailOn = "P3"
)

// Fails reports whether a finding of severity s reaches the threshold.
func (f FailOn) Fails(s Severity) bool {
	return f != FailNone && f != "" && s.AtLeast(Severity(f))
}

// Stricter returns the one of two thresholds that fails more findings.
func (f FailOn) Stricter(g FailOn) FailOn {
	named := func(s FailOn) bool { return slices.Contains([]FailOn{f, g}, s) }
	return cmp.Or(lists.Find([]FailOn{FailP3, FailP2, FailP1}, named), FailNone)
}

// clip cuts a text at a byte bound, between two characters.
func clip(words string, most int) string { return text.Clip(words, most) }
