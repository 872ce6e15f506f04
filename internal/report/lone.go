package report

import "github.com/prdebate/debate/internal/debate"

// Lone is what one party calls critical and no decision is about (M13).
type Lone struct {
	Party   string           `json:"party"`
	Trigger debate.TriggerID `json:"trigger"`
	Path    string           `json:"path"`
	Side    debate.Side      `json:"side"`
	Line    int              `json:"line"`
	Reason  string           `json:"reason"`
}

// LoneTitle is what stands over the lines of LoneLines.
const LoneTitle = "Called critical by one model only"

func lone(s debate.State) []Lone {
	var out []Lone
	for _, l := range s.Agenda.Lone() {
		out = append(out, Lone{Party: l.Party, Trigger: l.Trigger, Path: l.At.Path, Side: l.At.Side, Line: l.At.StartLine, Reason: l.Reason})
	}
	return out
}

// LoneLines say who thinks what of which line, one line each.
func LoneLines(e Envelope) []string {
	var out []string
	for _, l := range e.Lone {
		text := OneLine(l.Party) + " thinks this " + touches(l.Trigger) + ": " + Place(Finding{Path: l.Path, Side: l.Side, Line: l.Line})
		if l.Reason != "" {
			text += " (" + OneLine(l.Reason) + ")"
		}
		out = append(out, text)
	}
	return out
}

// touches is a trigger as a verb, for people.
func touches(id debate.TriggerID) string {
	switch id {
	case debate.TriggerArchitecture:
		return "touches the architecture"
	case debate.TriggerDeploy:
		return "touches the deployment"
	case debate.TriggerSecurity:
		return "touches security"
	case debate.TriggerDestructiveSchema:
		return "destroys stored data"
	case debate.TriggerMoney:
		return "touches money"
	case debate.TriggerGovernance:
		return "touches the rules of the project"
	case debate.TriggerIrreversible:
		return "cannot be undone"
	}
	return "touches " + OneLine(string(id))
}
