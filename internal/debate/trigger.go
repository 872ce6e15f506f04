package debate

import (
	"cmp"
	"slices"
)

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

// Lone is a trigger that a party asserts with valid lines, and that makes no decision critical.
type Lone struct {
	Party   string
	Trigger TriggerID
	At      Citation // the first valid lines of the party
	Reason  string
}

// Lone are the triggers without a decision: one party alone asserts them, and policy names no
// such path (S03). The result lists each once for each party, trigger and place. An assertion
// without a valid line stays in the record only.
func (a Agenda) Lone() []Lone {
	var list []Lone
	for _, x := range a.Assertions {
		found := okOnly(x.Evidence)
		if len(found) == 0 || a.decides(x) {
			continue
		}
		list = append(list, Lone{Party: x.Party, Trigger: x.Trigger, At: found[0].Cite, Reason: x.Reason})
	}
	slices.SortStableFunc(list, Lone.order)
	return slices.CompactFunc(list, func(a, b Lone) bool { return a.order(b) == 0 })
}

func (l Lone) order(o Lone) int {
	return cmp.Or(
		cmp.Compare(l.At.Path, o.At.Path), cmp.Compare(l.At.StartLine, o.At.StartLine), cmp.Compare(l.At.Side, o.At.Side),
		cmp.Compare(l.Trigger, o.Trigger), cmp.Compare(l.Party, o.Party),
	)
}

// decides reports whether an assertion of a party is among the triggers of some decision:
// asserted by it, or found by policy in a file that it cites.
func (a Agenda) decides(x Asserted) bool {
	named := func(t Trigger) bool {
		cites := func(e Evidence) bool { return e.CitationOK && e.Cite.Path == t.Path }
		return t.ID == x.Trigger && (slices.Contains(t.By, x.Party) || slices.ContainsFunc(x.Evidence, cites))
	}
	return slices.ContainsFunc(a.Decisions, func(d Decision) bool { return slices.ContainsFunc(d.Triggers, named) })
}
