package report

import (
	"cmp"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
)

// Lone is something called critical by one party, without a decision about it (S03).
type Lone struct {
	Party   string           `json:"party"`
	Trigger debate.TriggerID `json:"trigger"`
	Path    string           `json:"path"`
	Side    debate.Side      `json:"side"`
	Line    int              `json:"line"`
	Reason  string           `json:"reason"`
}

// LoneTitle is the title of LoneLines.
const LoneTitle = "Called critical by one model only"

// LoneLines has one line for each party and place.
func LoneLines(e Envelope) []string {
	return lists.Map(e.Lone, func(l Lone) string {
		touches := cmp.Or(touching[l.Trigger], "touches "+OneLine(string(l.Trigger)))
		return OneLine(l.Party) + " thinks this " + touches + ": " + Place(Finding{Path: l.Path, Side: l.Side, Line: l.Line, Asked: e.Inquiry != nil}) + Wrapped(" (", OneLine(l.Reason), ")")
	})

}

// touching are the triggers as verbs, for people.
var touching = map[debate.TriggerID]string{
	debate.TriggerArchitecture:      "touches the architecture",
	debate.TriggerDeploy:            "touches the deployment",
	debate.TriggerSecurity:          "touches security",
	debate.TriggerDestructiveSchema: "destroys stored data",
	debate.TriggerMoney:             "touches money",
	debate.TriggerGovernance:        "touches the rules of the project",
	debate.TriggerIrreversible:      "cannot be undone",
}
