package debate

// Reply is a reply of a party after the parse ladder. It has the members of all call kinds; a
// reply of one kind fills its own. Enumerations hold a value of this package, or "". Only the
// engine sets Ref.Found.
type Reply struct {
	Summary        string      `json:"summary,omitempty"`
	P1             []string    `json:"p1,omitempty"`
	P2             []string    `json:"p2,omitempty"`
	P3             []string    `json:"p3,omitempty"`
	Missing        []string    `json:"missing,omitempty"`
	Recommendation Disposition `json:"recommendation,omitempty"`
	Evidence       []string    `json:"evidence,omitempty"`

	// OPEN, LOCAL
	Disposition    Disposition     `json:"disposition,omitempty"`
	Reasoning      []string        `json:"reasoning,omitempty"`
	Confidence     Declared        `json:"confidence,omitempty"` // of OPEN, CHALLENGE and the judges
	Weaknesses     []string        `json:"weaknesses,omitempty"`
	Assumptions    []string        `json:"assumptions,omitempty"`
	Questions      []Question      `json:"decisions,omitempty"`
	SelfChallenges []SelfChallenge `json:"self_challenges,omitempty"` // LOCAL
	Overview       *Overview       `json:"overview,omitempty"`

	// Claims are the claims of OPEN and LOCAL, and the new_claims of CHALLENGE, RESPOND and REBUT.
	Claims         []NewClaim      `json:"claims,omitempty"`
	ProposalReview *ProposalReview `json:"proposal_review,omitempty"`
	Carried        []Carrying      `json:"carried,omitempty"`

	Repairs []Repair `json:"repairs,omitempty"` // and CHALLENGE, RESPOND, REBUT

	// CHALLENGE
	Verdict               Verdict       `json:"verdict,omitempty"`
	Strength              Strength      `json:"objection_strength,omitempty"`
	Evaluations           []Evaluating  `json:"evaluations,omitempty"` // and RESPOND, REBUT
	Strongest             *Objection    `json:"strongest_objection,omitempty"`
	Alternative           string        `json:"alternative,omitempty"`
	AssumptionsChallenged []string      `json:"assumptions_challenged,omitempty"`
	Critical              []Assertion   `json:"critical_because,omitempty"`
	Checked               []Check       `json:"checked,omitempty"`
	FinalOptions          []FinalOption `json:"final_options,omitempty"` // and RESPOND, REBUT; final_option is that of D0

	// RESPOND, REBUT
	Answers        []Answer       `json:"answers,omitempty"`
	Changes        []Change       `json:"acknowledged_changes,omitempty"`
	Position       *Restated      `json:"position,omitempty"`
	Deadlocks      []DeadlockView `json:"deadlock,omitempty"`
	Delta          *Rating        `json:"delta,omitempty"`
	WhyDisagree    string         `json:"why_disagree,omitempty"` // and SCORE
	RightIf        string         `json:"right_if,omitempty"`
	CoreAssumption string         `json:"core_assumption,omitempty"`
	TestableBy     string         `json:"testable_by,omitempty"`

	// JUDGE1, JUDGE2
	Option       string       `json:"option,omitempty"`
	Reason       string       `json:"reason,omitempty"`
	PerOption    []Assessment `json:"per_option,omitempty"`
	HiddenPoints []string     `json:"hidden_points,omitempty"`
	Changed      bool         `json:"changed,omitempty"`
	ConvincedBy  *Convinced   `json:"convinced_by,omitempty"`
	Counters     []Counter    `json:"counter_arguments,omitempty"`

	// SCORE
	Sheets []Sheet `json:"sheets,omitempty"`

	// SUM_UP; its summary is the answer
	Conditions []string `json:"conditions,omitempty"`

	// ARBITER
	Flags []Flagged `json:"items,omitempty"`
}

// Ref is a citation of a party, with the engine's findings. Without a quote it only names a
// place.
type Ref struct {
	Citation
	RunRef string `json:"run_ref,omitempty"` // of a check run or a SARIF result, "check:<id>" or "sarif:<id>"
	Found  Found  `json:"found"`
}

// Found is the engine's finding about a citation (A03). Only the engine sets it.
type Found struct {
	OK         bool   `json:"ok,omitempty"`
	Reanchored bool   `json:"reanchored,omitempty"` // the quote was within 3 lines; the citation has its real lines
	Changed    bool   `json:"changed,omitempty"`    // a cited line was added or removed
	InHunk     bool   `json:"in_hunk,omitempty"`    // a cited line is in a hunk, as changed line or as context
	Copies     int    `json:"copies,omitempty"`     // further places in the file where the change has the same text
	Text       string `json:"text,omitempty"`       // the lines at a place that was named without a quote, or with a wrong quote; "" for a verbatim quote
	Code       Lines  `json:"code,omitempty"`       // the cited lines that are code: not blank and not only a comment
	DeclStart  int    `json:"decl_start,omitempty"` // the declaration around the first cited line, 0 if none is known
	DeclEnd    int    `json:"decl_end,omitempty"`
	Why        string `json:"why,omitempty"`     // not OK, for people
	NoFile     bool   `json:"no_file,omitempty"` // not OK: the change has no file of this name, and no look showed one
}

// Quoted reports whether the lines are there and were quoted verbatim.
func (f Found) Quoted() bool { return f.OK && f.Text == "" }

// Declared is the confidence that a party claims for itself.
type Declared string

const (
	DeclaredHigh Declared = "HIGH"
	DeclaredMed  Declared = "MED"
	DeclaredLow  Declared = "LOW"
)

// Verdict is the verdict of a challenger (R085).
type Verdict string

const (
	VerdictAgree    Verdict = "agree"
	VerdictPartial  Verdict = "partial"
	VerdictDisagree Verdict = "disagree"
)

// Strength of an objection (R090).
type Strength string

// The strengths. Moderate is never declared, it is derived.
const (
	StrengthNone     Strength = "none"
	StrengthMinor    Strength = "minor"
	StrengthModerate Strength = "moderate"
	StrengthStrong   Strength = "strong"
)

// Class is a party's opinion of a claim (R133).
type Class string

const (
	ClassAgree     Class = "AGREE"
	ClassSkeptical Class = "SKEPTICAL"
	ClassReject    Class = "REJECT"
	ClassIllFormed Class = "ILL_FORMED"
)

// View is a party's opinion of the evidence for a claim (A03).
type View string

const (
	Supports    View = "supports"
	Contradicts View = "contradicts"
	Irrelevant  View = "irrelevant"
)

// NewClaim is a claim in the form of a reply.
type NewClaim struct {
	Segment    string    `json:"segment,omitempty"`
	Kind       ClaimKind `json:"kind,omitempty"`
	Severity   Severity  `json:"severity,omitempty"`
	Category   Category  `json:"category,omitempty"`
	Title      string    `json:"title"`
	Body       string    `json:"body,omitempty"`
	Refs       []Ref     `json:"ref,omitempty"`
	Suggestion string    `json:"suggestion,omitempty"`
	SameAs     string    `json:"same_as,omitempty"`
}

// Repair is a new citation for a claim of its party with a wrong one.
type Repair struct {
	Claim string `json:"claim"`
	Refs  []Ref  `json:"ref,omitempty"`
}

// Category of a claim.
type Category string

const (
	Correctness     Category = "correctness"
	Security        Category = "security"
	DataLoss        Category = "data-loss"
	Reliability     Category = "reliability"
	Performance     Category = "performance"
	Compatibility   Category = "compatibility"
	Maintainability Category = "maintainability"
	Design          Category = "design"
	Docs            Category = "docs"
)

// Categories returns all of them, in the order for reviewers.
func Categories() []Category {
	return []Category{Correctness, Security, DataLoss, Reliability, Performance, Compatibility, Maintainability, Design, Docs}
}

// ProposalReview is the review of a proposal along its six criteria (R064).
type ProposalReview struct {
	ProblemFraming  string `json:"problem_framing,omitempty"`
	Assumptions     string `json:"assumptions,omitempty"`
	Tradeoffs       string `json:"tradeoffs,omitempty"`
	Alternatives    string `json:"alternatives,omitempty"`
	RiskControls    string `json:"risk_controls,omitempty"`
	DecisionQuality string `json:"decision_quality,omitempty"`
}

// CarriedClass is the fate of a finding of an earlier head (S11).
type CarriedClass string

// The classes of carried findings. The first one is the default.
const (
	Stands CarriedClass = "STANDS"
	Fixed  CarriedClass = "FIXED"
)

// Carrying is the answer about one finding of an earlier head.
type Carrying struct {
	ID    string       `json:"id"` // F3
	Class CarriedClass `json:"class,omitempty"`
	Refs  []Ref        `json:"ref,omitempty"`
}

// Question is a decision that a party proposes.
type Question struct {
	Question      string      `json:"question"`
	Options       []Option    `json:"options,omitempty"`
	ScopeCritical bool        `json:"scope_critical,omitempty"`
	Critical      []Assertion `json:"critical_because,omitempty"`
}

// SelfChallenge is a doubt of the primary about its own claim (LOCAL).
type SelfChallenge struct {
	Claim int    `json:"claim_index"` // 0-based
	Text  string `json:"text"`
}

// Evaluating is one evaluation of a claim by a party that does not own it.
type Evaluating struct {
	Claim     string   `json:"claim"`
	Class     Class    `json:"class,omitempty"`
	Flaw      string   `json:"flaw,omitempty"`
	Refs      []Ref    `json:"ref,omitempty"`
	View      View     `json:"supports,omitempty"`
	Severity  Severity `json:"severity,omitempty"`
	UpgradeIf string   `json:"upgrade_if,omitempty"`
	SameAs    string   `json:"same_as,omitempty"` // the evaluator's own claim that reports the same defect, or NoClaim
}

// NoClaim is the value of SameAs if a party says that it has not reported the defect itself.
const NoClaim = "none"

// Assertion says that a trigger applies to changed lines (S03).
type Assertion struct {
	Trigger TriggerID `json:"trigger,omitempty"`
	Refs    []Ref     `json:"ref,omitempty"`
	Reason  string    `json:"reason,omitempty"`
}

// Check is one failure scenario that a party tried (R093).
type Check struct {
	Claim    string `json:"claim,omitempty"`
	Segment  string `json:"segment,omitempty"`
	Scenario string `json:"scenario,omitempty"`
	Refs     []Ref  `json:"ref,omitempty"`
}

// FinalOption is a party's option for one decision.
type FinalOption struct {
	Decision string `json:"decision"`
	Option   string `json:"option"`
	Needs    string `json:"needs,omitempty"` // the evidence that would change its party's choice
}

// Objection is the strongest objection that a party finds.
type Objection struct {
	Claim   string `json:"claim,omitempty"`
	Segment string `json:"segment,omitempty"`
	Text    string `json:"text"`
	Refs    []Ref  `json:"ref,omitempty"`
	Fatal   Fatal  `json:"fatal,omitempty"`
}

// Fatal says whether an objection ends its claim.
type Fatal string

const (
	FatalYes       Fatal = "yes"
	FatalNo        Fatal = "no"
	FatalMitigable Fatal = "mitigable"
)

// Move is the act of a party in a challenge. Both sides may accept. Partial and Rebuff are
// moves of the defender, Maintain and Escalate of the attacker.
type Move string

// The moves. On the wire Rebuff is spelt REJECT.
const (
	Accept   Move = "ACCEPT"
	Partial  Move = "PARTIAL"
	Rebuff   Move = "REJECT"
	Maintain Move = "MAINTAIN"
	Escalate Move = "ESCALATE"
)

// Answer names a challenge and the party's move.
type Answer struct {
	Challenge string `json:"challenge"`
	Move      Move   `json:"move,omitempty"`
	Text      string `json:"text,omitempty"`
	Refs      []Ref  `json:"ref,omitempty"`
	Limit     string `json:"limit,omitempty"`
	Amend     *Amend `json:"amend,omitempty"`
}

// Amend rewrites a claim (R135). Empty members stay.
type Amend struct {
	Title    string   `json:"title,omitempty"`
	Body     string   `json:"body,omitempty"`
	Severity Severity `json:"severity,omitempty"`
	Refs     []Ref    `json:"ref,omitempty"`
}

// Change is a change of mind that a party admits (R155). From and To are its old and its new
// view: a class, an option or a disposition.
type Change struct {
	Claim   string `json:"claim"` // a claim, a decision, or "position"
	From    string `json:"from,omitempty"`
	To      string `json:"to,omitempty"`
	Because string `json:"because,omitempty"`
}

// Restated is the position of the primary after its answers.
type Restated struct {
	Disposition Disposition `json:"disposition,omitempty"`
	Summary     string      `json:"summary,omitempty"`
	Confidence  Declared    `json:"confidence,omitempty"`
}

// DeadlockClass is the reason why a challenge cannot be settled (R165).
type DeadlockClass string

// The classes, in the order of precedence if two sides disagree (R165).
const (
	MissingData  DeadlockClass = "missing_data"
	Definitional DeadlockClass = "definitional"
	Criteria     DeadlockClass = "criteria"
)

// DeadlockView is one side's class of a challenge.
type DeadlockView struct {
	Challenge   string        `json:"challenge"`
	Class       DeadlockClass `json:"class,omitempty"`
	Measurement string        `json:"measurement,omitempty"`
	Threshold   string        `json:"threshold,omitempty"`
	Effect      string        `json:"effect,omitempty"`
}

// Rating is a party's truth-gain of the round (R005), in basis points. A
// missing or malformed rating is a nil Rating.
type Rating struct {
	ValueBP int `json:"value_bp"` // 0..10000
}

// Sheet is one party's scores for one decision.
type Sheet struct {
	Decision  string  `json:"id"`
	Scores    []Score `json:"scores"`
	Rationale string  `json:"rationale,omitempty"`
}

// Flag is the arbiter's mark for one claim.
type Flag string

const (
	FlagUnsupported Flag = "unsupported"
	FlagUnjustified Flag = "unjustified_dismissal"
	FlagNotBlocked  Flag = "not_blocked"
	FlagOK          Flag = "ok"
)

// Flagged is one item of the arbiter.
type Flagged struct {
	Claim string `json:"claim"`
	Flag  Flag   `json:"flag,omitempty"`
	Note  string `json:"note,omitempty"`
}
