package report

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
)

// Section is a part of the report in all renderings for people: lines and at most one table. Its
// text may come from outside; the rendering sanitizes it.
type Section struct {
	Title string // fixed text
	Lines []string
	Table [][]string // the first row is the head
}

// Details are the sections on how the debate went, in reading order.
func Details(e Envelope) []Section {
	var out []Section
	add := func(title string, lines []string) {
		if lines = once(lines); len(lines) > 0 {
			out = append(out, Section{Title: title, Lines: lines})
		}
	}
	add(OverviewTitle, OverviewLines(e))
	add("Why the models disagree", assumptionLines(e))
	add("What each model says of the proposal", ReviewLines(e.Reviews))
	add("Objections to the recommendation", Objections(e))
	for _, d := range e.Decisions {
		if d.Rubric != nil {
			out = append(out, Section{Title: "Scores", Lines: scoreLines(d), Table: scoreTable(*d.Rubric)})
		}
		if d.Panel != nil {
			add("Three judges", judgeLines(d))
		}
	}
	add("How the recommendation changed", positionLines(e))
	if lines := RoundLines(e); len(lines) > 0 {
		out = append(out, Section{Title: "What each round brought", Lines: lines, Table: GainTable(e.Deltas)})
	}
	add("A last look", ArbitrationLines(e.Arbitration))
	add("Findings of earlier commits", CarriedLines(e.Carried))
	if HasDebate(e) || e.Stats.Calls > 0 {
		add("Models", lists.Map(Participants(e), func(p Party) string { return tookPart(e, p) }))
	}
	return out
}

// once is a list without repetitions: several chunks of a change often draw the same words from a
// party.
func once(list []string) []string {
	seen := make(map[string]bool, len(list))
	var out []string
	for _, text := range list {
		if !seen[text] {
			seen[text] = true
			out = append(out, text)
		}
	}
	return out
}

func assumptionLines(e Envelope) []string {
	return lists.Map(e.Assumptions, func(a Assumption) string {
		text := OneLine(a.Party)
		if a.Option != "" {
			text += " " + WouldSay(e, string(a.Option))
		}
		return sentence(text+Wrapped(": ", OneLine(a.WhyDisagree), "")) + changesMind(a.RightIf, a.CoreAssumption, a.TestableBy)
	})

}

// WouldSay is the answer of a model about the merge, or about the answer to a question, after its
// name.
func WouldSay(e Envelope, option string) string {
	if e.Inquiry != nil {
		return cmp.Or(ofAnswer[debate.Disposition(option)], chooses(option))
	}
	if w := mergeBy(option); w != nil {
		return w.would
	}
	return chooses(option)
}

// ofAnswer is the position of a model on an answer, after its name.
var ofAnswer = map[debate.Disposition]string{
	debate.Keep:   "stands by the answer",
	debate.Revise: "has reservations",
	debate.Reject: "finds that no answer can be given",
}

func chooses(option string) string {
	if IsNone(option) {
		return "has no answer"
	}
	return "chooses " + OneLine(option)
}

func positionLines(e Envelope) []string {
	var out []string
	for _, p := range e.Positions {
		text := OneLine(p.By) + " " + WouldSay(e, string(p.Disposition))
		if p.AfterN > 0 {
			text += fmt.Sprintf(", after round %d", p.AfterN)
		}
		out = append(out, text+Wrapped(": ", OneLine(p.Summary), ""))
		out = append(out, lists.Map(p.Because, func(b Because) string { return "Changed because of " + OneLine(b.Party) + ": " + OneLine(b.Reason) })...)
		out = append(out, lists.Map(p.Weaknesses, func(w string) string { return OneLine(p.By) + " sees this weakness: " + OneLine(w) })...)
		out = append(out, lists.Map(p.Assumptions, func(a string) string { return OneLine(p.By) + " assumes: " + OneLine(a) })...)
	}
	return out
}

// RoundLines has the reason for the end of the debate, and the failures in its rounds, one line
// each.
func RoundLines(e Envelope) []string {
	out := []string{Wrapped("The debate ended: ", OneLine(e.ExitWhy), "")}
	for _, r := range e.Rounds {
		text := ""
		for _, part := range []struct {
			name string
			who  []string
		}{
			{"could not be reached", r.Unavailable}, {"timed out", r.Timeouts}, {"was refused", r.AuthFailures}, {"failed", r.OtherFailures},
			{"could not be read", r.ParseFailures}, {"was asked again", r.Retries},
		} {
			for _, who := range once(part.who) {
				text += "; " + OneLine(who) + " " + part.name
			}
		}
		out = append(out, Wrapped(fmt.Sprintf("Round %d", r.N), text, ""))
	}
	return Present(out...)
}

// GainTable lists the gain of each round, as rated by the models.
func GainTable(deltas []Delta) [][]string {
	if len(deltas) == 0 {
		return nil
	}
	table := [][]string{{"Round", "Model", "Brought", "Counts"}}
	for _, d := range deltas {
		counts := "yes"
		if !d.Counted {
			counts = "no, nothing was new"
		}
		table = append(table, []string{strconv.Itoa(d.N), d.Rater, Percent(d.ValueBP), counts})
	}
	return table
}

// ArbitrationLines has the doubts of the last reader, one line each.
func ArbitrationLines(list []Arbitration) []string {
	var out []string
	for _, a := range list {
		doubted := lists.Keep(a.Flags, func(f Flag) bool { return f.Flag != debate.FlagOK })
		out = append(out, fmt.Sprintf("the last reader, who had not debated, doubts %d of %s", len(doubted), Count(len(a.Flags), "finding")))
		out = append(out, lists.Map(doubted, func(f Flag) string { return OneLine(f.Claim) + " " + flagged[f.Flag] + ": " + OneLine(f.Note) })...)
	}
	return out
}

// flagged is the doubt of the last reader about a finding.
var flagged = map[debate.Flag]string{
	debate.FlagUnsupported: "was confirmed, although its lines do not show it",
	debate.FlagUnjustified: "was dismissed, although no model answered its lines",
	debate.FlagNotBlocked:  "was left open, although what is there settles it",
}

// CarriedLines has the findings of earlier heads with their present state, one line each.
func CarriedLines(list []Carried) []string {
	return lists.Map(list, func(c Carried) string {
		text := OneLine(c.ID) + " " + OneLine(string(c.Severity)) + " " + OneLine(c.Title) + " (" + Place(Finding{Path: c.Path, Line: c.Line}) + "): " + strings.ToLower(OneLine(string(c.Class)))
		return text + Wrapped(" (", Capped(c.Answers, ", "), ")")
	})

}

// Participants has the debaters, and the other parties with a call.
func Participants(e Envelope) []Party {
	return lists.Keep(e.Parties, func(p Party) bool { return p.Calls > 0 || p.debates() })
}

// tookPart is a party with its model, its answer and the result of its calls.
func tookPart(e Envelope, p Party) string {
	text := OneLine(p.ID) + Wrapped(", ", OneLine(p.Model), "") + Wrapped(", maker ", OneLine(p.Family), "") +
		Wrapped(", told to be a ", OneLine(p.Persona), "") + Wrapped(", served by ", OneLine(p.Debater), "")
	if p.Option != "" {
		text += ", " + WouldSay(e, string(p.Option))
	}
	if p.Lost {
		text += ", stopped answering"
	}
	if p.Drifts > 0 {
		text += ", changed its answer " + Count(p.Drifts, "time") + " without giving a reason"
	}
	text += "; " + Count(p.Calls, "call")
	if p.Failed > 0 {
		text += fmt.Sprintf(" (%d failed)", p.Failed)
	}
	if p.Calls > 0 {
		text += fmt.Sprintf(", %d tokens in, %d out, %s", p.TokensIn, p.TokensOut, Cost(p.CostUSD, p.CostUnknown))
	}
	if p.Misread > 0 {
		text += "; " + Count(p.Misread, "part") + " of its replies could not be read"
	}
	return text
}

// Cost is an amount for people, in cents, rounded up; an unknown price is not nothing.
func Cost(amount USD, unknown bool) string {
	text := amount.Rounded()
	switch {
	case unknown && amount == 0:
		return "cost unknown"
	case amount > 0 && amount < dollar/100:
		text = "less than $0.01"
	}
	if unknown {
		text += " and calls of unknown cost"
	}
	return text
}
