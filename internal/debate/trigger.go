package debate

// TriggerID names one reason why a decision may need a human (R030-R038).
type TriggerID string

// The triggers. The last three are procedural: they come from how the debate
// went (R036, R037, R192).
const (
	TriggerArchitecture      TriggerID = "architecture"
	TriggerDeploy            TriggerID = "deploy"
	TriggerSecurity          TriggerID = "security"
	TriggerDestructiveSchema TriggerID = "destructive_schema"
	TriggerMoney             TriggerID = "money"
	TriggerGovernance        TriggerID = "governance"
	TriggerIrreversible      TriggerID = "irreversible"
	TriggerTie               TriggerID = "tie"
	TriggerDivergence        TriggerID = "divergence"
	TriggerContested         TriggerID = "contested"
)

// The sources of triggers.
const (
	FromPolicy    = "policy"
	FromParty     = "party"
	FromProcedure = "procedural"
)

// TriggerClass is how a policy trigger was found (S03). A content or configured
// hit makes the decision critical; a path hit is shown and forbids skipping.
type TriggerClass string

// The classes of policy triggers.
const (
	ClassContent    TriggerClass = "content"
	ClassPath       TriggerClass = "path"
	ClassConfigured TriggerClass = "configured"
	ClassAsserted   TriggerClass = "asserted"   // by parties, under S03
	ClassProcedural TriggerClass = "procedural" // tie, divergence, contested
)

// Trigger is one reason, a policy match in the change among them, why a
// decision may need a human.
type Trigger struct {
	ID     TriggerID    `json:"id"`
	Source string       `json:"source"` // policy, party or procedural
	Class  TriggerClass `json:"class"`
	Path   string       `json:"path,omitempty"`
	Side   Side         `json:"side,omitempty"`
	Line   int          `json:"line,omitempty"` // line of Side, 0 for the whole file
	Detail string       `json:"detail"`
	Why    Why          `json:"why,omitzero"`     // of a procedural trigger
	By     []string     `json:"by,omitempty"`     // parties in favor
	Waived string       `json:"waived,omitempty"` // the person and the reason (A12)
}

// Critical reports whether the trigger hands the decision to a human (S03).
func (t Trigger) Critical() bool { return t.Class != ClassPath && t.Waived == "" }
