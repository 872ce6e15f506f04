package report

import (
	"slices"

	"github.com/prdebate/debate/internal/debate"
)

// reasonWords says in words why a claim is in its bucket.
func reasonWords(reason string) string {
	switch debate.Reason(reason) {
	case debate.ReasonConceded:
		return "its owner conceded it"
	case debate.ReasonUndefended:
		return "its owner did not defend it"
	case debate.ReasonRejected:
		return "rejected with evidence"
	case debate.ReasonOutOfScope:
		return "not about this change"
	case debate.ReasonBlocked:
		return "data is missing"
	case debate.ReasonDefinition:
		return "the parties mean different things"
	case debate.ReasonTradeoff:
		return "a question of values, not of facts"
	case debate.ReasonUnconfirmed:
		return "nobody confirmed its evidence"
	case debate.ReasonOpen:
		return "a challenge is open"
	case debate.ReasonUnreviewed:
		return "nobody else looked at it"
	case debate.ReasonLate:
		return "raised when nothing new could be debated"
	case debate.ReasonNotDebated:
		return "beyond what one run debates"
	case debate.ReasonAnchorShift:
		return "about another question than the change asks"
	case debate.ReasonUnexplained:
		return "given up without a reason"
	case debate.ReasonHuman:
		return "dismissed by a person"
	case debate.ReasonFixed:
		return "fixed"
	}
	return OneLine(reason)
}

// BecauseOf is why a finding is where it is.
func BecauseOf(f Finding) string {
	words := reasonWords(f.BucketReason)
	switch {
	case f.Why == "":
		return words
	case words == "":
		return f.Why
	}
	return words + ": " + f.Why
}

// listed is a finding on one line with why it is where it is.
func listed(f Finding) string {
	return OneLine(string(f.Severity)) + " " + Place(f) + " " + OneLine(f.Title) + ": " + OneLine(BecauseOf(f))
}

// ListedAll are findings on one line each.
func ListedAll(findings []Finding) []string {
	var out []string
	for _, f := range findings {
		out = append(out, listed(f))
	}
	return out
}

// openBecause is why a finding is open and what would settle it.
func openBecause(f Finding) string {
	text := BecauseOf(f)
	if text == "" {
		text = "open"
	}
	if f.Crux != "" {
		text += "; to settle it: " + f.Crux
	}
	return text
}

// Provenance says who stands behind a finding, "" for the embedded critic alone,
// whose rule is named.
func Provenance(f Finding) string {
	models := others(debate.EngineParty, f.ReportedBy, f.ConfirmedBy)
	text := ""
	switch {
	case len(f.ReportedBy) == 0, f.Rule != "" && len(models) == 0:
		return ""
	case f.Rule != "":
		text = "Found by rule " + OneLine(f.Rule) + ", confirmed by " + enumerated(models)
	case len(f.ConfirmedBy) > 0:
		text = "Raised by " + Capped(f.ReportedBy, ", ") + ", confirmed by " + Capped(f.ConfirmedBy, ", ")
	default:
		text = "Raised by " + Capped(f.ReportedBy, ", ") + ", confirmed by nobody"
	}
	if len(f.Duplicates) > 0 {
		text += "; also raised as " + Capped(f.Duplicates, ", ")
	}
	if len(f.Wordings) > 0 {
		text += "; in other words: " + Capped(f.Wordings, "; ")
	}
	text += "."
	if f.Limit != "" {
		text += " Conceded of it: " + OneLine(f.Limit)
	}
	return text
}

// others are the members of some lists, in order, each once, without one of them.
func others(but string, lists ...[]string) []string {
	all := slices.Concat(lists...)
	slices.Sort(all)
	return slices.DeleteFunc(slices.Compact(all), func(name string) bool { return name == but })
}

// enumerated joins names as a sentence does: "claude, gemini and gpt".
func enumerated(names []string) string {
	last := len(names) - 1
	if last < 1 {
		return Capped(names, ", ")
	}
	return Capped(names[:last], ", ") + " and " + OneLine(names[last])
}

// Attacks are what was said against a finding, and what came of it.
func Attacks(challenges []Challenge) []string {
	var out []string
	for _, k := range challenges {
		out = append(out, attack(k))
	}
	return out
}

func attack(k Challenge) string {
	if k.Status == debate.Dissent {
		return disagrees(k)
	}
	status := OneLine(string(k.Status))
	if k.Status == debate.Upheld { // heard to its end, which does not say that it has the better evidence
		status = "maintained"
	}
	text := OneLine(k.ID) + " by " + OneLine(k.By) + " (" + status + "): " + OneLine(k.Objection)
	if k.Defence != "" {
		text += "; defence: " + OneLine(k.Defence)
	}
	if k.ResolvedWith != "" {
		text += "; settled by: " + OneLine(k.ResolvedWith)
	}
	return text
}
