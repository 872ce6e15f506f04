package report

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/prdebate/debate/internal/debate"
)

// Section is a part of the report that both renderings for people show: lines
// and at most one table. Its text may come from outside; the rendering
// sanitises it.
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
	add("Why the parties disagree", assumptionLines(e.Assumptions))
	add("Review of the proposals", ReviewLines(e.Reviews))
	add("Objections to the position", Attacks(e.Objections))
	for _, d := range e.Decisions {
		if d.Rubric != nil {
			out = append(out, Section{Title: "Scores", Lines: scoreLines(d), Table: scoreTable(*d.Rubric)})
		}
		if d.Panel != nil {
			add("Judges", judgeLines(d))
		}
	}
	add("Position history", positionLines(e.Positions))
	if len(e.Rounds) > 0 {
		out = append(out, Section{Title: "Exchanges and truth gain", Lines: RoundLines(e), Table: GainTable(e.Deltas)})
	}
	add("Arbitration", ArbitrationLines(e.Arbitration))
	add("Findings of earlier heads", CarriedLines(e.Carried))
	add("Parties", partyLines(e))
	return out
}

// once is a list without what it says again: several chunks of a change often
// draw the same words from a party.
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

func assumptionLines(list []Assumption) []string {
	var out []string
	for _, a := range list {
		text := OneLine(a.Party)
		if a.Option != "" {
			text += ", for " + OneLine(string(a.Option))
		}
		for _, part := range []struct{ name, text string }{
			{"disagrees because", a.WhyDisagree}, {"the other side is right if", a.RightIf},
			{"assumes", a.CoreAssumption}, {"tested by", a.TestableBy},
		} {
			if part.text != "" {
				text += "; " + part.name + ": " + OneLine(part.text)
			}
		}
		out = append(out, text)
	}
	return out
}

func positionLines(list []Position) []string {
	var out []string
	for _, p := range list {
		text := PositionHead(p)
		if p.Summary != "" {
			text += ". " + OneLine(p.Summary)
		}
		out = append(out, text)
		for _, b := range p.Because {
			source := OneLine(b.Challenge) + " of " + OneLine(b.Party)
			switch {
			case b.Challenge == debate.PositionSubject:
				source = OneLine(b.Party) + " itself"
			case b.Move != "":
				source += " (" + OneLine(string(b.Move)) + ")"
			}
			out = append(out, fmt.Sprintf("Version %d changed by %s: %s", p.Version, source, OneLine(b.Reason)))
		}
		for _, w := range p.Weaknesses {
			out = append(out, fmt.Sprintf("Version %d, weakness: %s", p.Version, OneLine(w)))
		}
		for _, a := range p.Assumptions {
			out = append(out, fmt.Sprintf("Version %d, assumption: %s", p.Version, OneLine(a)))
		}
	}
	return out
}

// PositionHead says whose version of the position it is and what it holds.
func PositionHead(p Position) string {
	text := fmt.Sprintf("Version %d after exchange %d by %s: %s", p.Version, p.AfterN, OneLine(p.By), Disposition(OneLine(string(p.Disposition))))
	if p.Confidence != "" {
		text += ", claiming confidence " + OneLine(string(p.Confidence))
	}
	return text
}

// RoundLines are what happened in the exchanges, one line each.
func RoundLines(e Envelope) []string {
	out := []string{converged(e)}
	for _, r := range e.Rounds {
		text := fmt.Sprintf("Exchange %d, %s", r.N, strings.ToLower(OneLine(string(r.Phase))))
		if r.Thin {
			text += ", thin"
		}
		for _, part := range []struct {
			name string
			who  []string
		}{
			{"unavailable", r.Unavailable}, {"timed out", r.Timeouts}, {"not authorised", r.AuthFailures}, {"failed", r.OtherFailures},
			{"unreadable", r.ParseFailures}, {"asked again", r.Retries}, {"no rating from", r.Unrated},
		} {
			if len(part.who) > 0 {
				text += "; " + part.name + ": " + Capped(part.who, ", ")
			}
		}
		if r.Route != "" {
			text += "; then " + OneLine(r.Route)
		}
		out = append(out, text)
	}
	return out
}

// converged says why the parties stopped; a debate that converged says so in
// place of ratings (R044).
func converged(e Envelope) string {
	text := "The parties stopped"
	switch e.Exit {
	case debate.ExitFast:
		text = "Convergence was reached at once: nothing blocked after the first exchange"
	case debate.ExitConverged:
		text = "Convergence was reached: no challenge is open and nothing new came up"
	case debate.ExitTrivial:
		text = "Convergence was reached: a question of fact was settled early"
	case debate.ExitThin:
		text = "The parties stopped: two exchanges in a row moved nothing"
	case debate.ExitLeftOpen:
		text = "The parties stopped: nobody has anything to answer any more, and something stays open"
	case debate.ExitDeadlock:
		text = "The parties stopped: what is open is a deadlock"
	case debate.ExitNoDissent:
		text = "Convergence was reached: nobody dissents"
	case debate.ExitNoReply:
		text = "The parties stopped: no reply was valid"
	case debate.ExitCap:
		text = "The parties stopped: the bound on exchanges is reached"
	case debate.ExitBudget:
		text = "The parties stopped: the budget is used up"
	case debate.ExitStopped:
		text = "The parties stopped: a person ordered it"
	case debate.ExitNoPrimary:
		text = "The parties stopped: the primary was lost"
	}
	if why := OneLine(e.ExitWhy); !strings.HasSuffix(text, why) {
		text += " (" + why + ")"
	}
	return text
}

// GainTable lists the ratings of the exchanges.
func GainTable(deltas []Delta) [][]string {
	if len(deltas) == 0 {
		return nil
	}
	table := [][]string{{"Exchange", "Rater", "Truth gain", "Counted", "Because"}}
	for _, d := range deltas {
		counted := "yes"
		if !d.Counted {
			counted = "no, as 0"
		}
		table = append(table, []string{strconv.Itoa(d.N), d.Rater, percent(d.ValueBP), counted, Capped(d.Because, ", ")})
	}
	return table
}

// ArbitrationLines are the looks of the cold reader, one line each.
func ArbitrationLines(list []Arbitration) []string {
	var out []string
	for _, a := range list {
		out = append(out, fmt.Sprintf("%s flagged %s of the claims: %s", OneLine(a.Arbiter), percent(a.FlaggedBP), strings.ReplaceAll(OneLine(string(a.Action)), "_", " ")))
		for _, f := range a.Flags {
			if f.Flag == debate.FlagOK {
				continue
			}
			out = append(out, OneLine(f.Claim)+" "+strings.ReplaceAll(OneLine(string(f.Flag)), "_", " ")+": "+OneLine(f.Note))
		}
	}
	return out
}

// CarriedLines are what became of the findings of earlier heads, one line each.
func CarriedLines(list []Carried) []string {
	var out []string
	for _, c := range list {
		text := OneLine(c.ID) + " " + OneLine(string(c.Severity)) + " " + OneLine(c.Title) + " (" + Place(Finding{Path: c.Path, Line: c.Line}) + "): " + strings.ToLower(OneLine(string(c.Class)))
		if c.Claim != "" {
			text += ", now " + OneLine(c.Claim)
		}
		if len(c.Answers) > 0 {
			text += " (" + Capped(c.Answers, ", ") + ")"
		}
		out = append(out, text)
	}
	return out
}

func partyLines(e Envelope) []string {
	if !HasDebate(e) && e.Stats.Calls == 0 {
		return nil
	}
	var out []string
	for _, p := range e.Parties {
		text := OneLine(p.ID) + ", " + OneLine(p.Role)
		if p.ID == e.Primary && p.Role != string(debate.Primary) {
			text += ", held the position"
		}
		for _, part := range []struct{ name, text string }{
			{"", p.Model}, {"family ", p.Family}, {"persona ", p.Persona}, {"served by ", p.Debater}, {"verdict ", string(p.Engagement)}, {"holds ", string(p.Option)},
		} {
			if part.text != "" {
				text += ", " + part.name + OneLine(part.text)
			}
		}
		if p.Lost {
			text += ", lost during the debate"
		}
		if p.Drifts > 0 {
			text += ", " + Count(p.Drifts, "change") + " of mind not admitted"
		}
		text += "; " + Count(p.Calls, "call")
		if p.Failed > 0 {
			text += fmt.Sprintf(" (%d failed)", p.Failed)
		}
		if p.Calls > 0 {
			text += fmt.Sprintf(", %d tokens in, %d out, %s", p.TokensIn, p.TokensOut, Cost(p.CostUSD, p.CostUnknown))
		}
		if p.Misread > 0 {
			text += "; " + Count(p.Misread, "member") + " of its replies not understood"
		}
		out = append(out, text)
	}
	return out
}

// Cost is an amount for people, in cents; an unknown price is not nothing (S15).
func Cost(amount USD, unknown bool) string {
	const cent = 10_000
	text := fmt.Sprintf("$%d.%02d", (amount+cent/2)/(100*cent), (amount+cent/2)/cent%100)
	switch {
	case unknown && amount == 0:
		return "cost unknown"
	case amount > 0 && amount < cent:
		text = "less than $0.01"
	}
	if unknown {
		text += " and calls of unknown cost"
	}
	return text
}
