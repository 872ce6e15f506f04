package debate

// TriggerID names one reason why a decision may need a human (R030-R038).
type TriggerID string

// The policy triggers. The procedural ones (tie, divergence, contested) join
// with the debate.
const (
	TriggerArchitecture      TriggerID = "architecture"
	TriggerDeploy            TriggerID = "deploy"
	TriggerSecurity          TriggerID = "security"
	TriggerDestructiveSchema TriggerID = "destructive_schema"
	TriggerMoney             TriggerID = "money"
	TriggerGovernance        TriggerID = "governance"
	TriggerIrreversible      TriggerID = "irreversible"
)

// TriggerClass is how a policy trigger was found (S03). A content or configured
// hit makes the decision critical; a path hit is shown and forbids skipping.
type TriggerClass string

// The classes of policy triggers.
const (
	ClassContent    TriggerClass = "content"
	ClassPath       TriggerClass = "path"
	ClassConfigured TriggerClass = "configured"
)

// Trigger is one policy match in the change.
type Trigger struct {
	ID     TriggerID    `json:"id"`
	Source string       `json:"source"` // policy, party or procedural
	Class  TriggerClass `json:"class"`
	Path   string       `json:"path,omitempty"`
	Side   Side         `json:"side,omitempty"`
	Line   int          `json:"line,omitempty"` // line of Side, 0 for the whole file
	Detail string       `json:"detail"`
}

// Critical reports whether the trigger hands the decision to a human (S03).
func (t Trigger) Critical() bool { return t.Class != ClassPath }
