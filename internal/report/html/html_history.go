package html

import (
	"fmt"
	"html/template"
	"strconv"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/report"
)

// parties are who took part, what became of them and what they cost.
func (w pageWriter) parties(e report.Envelope) []template.HTML {
	rows := [][]string{{"Party", "Role", "Model", "What became of it", "Calls", "Failed", "Tokens in", "Tokens out", "Cost"}}
	for _, p := range e.Parties {
		row := []string{p.ID, p.Role, w.modelOf(p), w.fareOf(e, p), strconv.Itoa(p.Calls), strconv.Itoa(p.Failed), strconv.Itoa(p.TokensIn), strconv.Itoa(p.TokensOut), ""}
		if p.Calls > 0 {
			row[8] = report.Cost(p.CostUSD, p.CostUnknown)
		}
		rows = append(rows, row)
	}
	table := w.table("Who took part", rows)
	var said []string
	if e.Stats.Calls > 0 {
		said = append(said, fmt.Sprintf("All together: %s, %d tokens in, of which %d cached, %d out, %s.",
			report.Count(e.Stats.Calls, "call"), e.Stats.TokensIn, e.Stats.TokensCached, e.Stats.TokensOut, report.Cost(e.Stats.CostUSD, e.Stats.CostUnknown)))
	}
	if len(said) == 0 && table == nil {
		return nil
	}
	return []template.HTML{execute("part", htmlPart{Said: said, Table: table})}
}

func (w pageWriter) modelOf(p report.Party) string {
	var out []string
	for _, part := range []struct{ name, text string }{{"", p.Model}, {"family ", p.Family}, {"persona ", p.Persona}, {"served by ", p.Debater}} {
		if part.text != "" {
			out = append(out, part.name+w.line(part.text))
		}
	}
	return strings.Join(out, ", ")
}

func (w pageWriter) fareOf(e report.Envelope, p report.Party) string {
	var out []string
	if p.ID == e.Primary {
		out = append(out, "held the position")
	}
	for _, part := range []struct{ name, text string }{{"verdict ", string(p.Engagement)}, {"holds ", string(p.Option)}} {
		if part.text != "" {
			out = append(out, part.name+w.line(part.text))
		}
	}
	if p.Drifts > 0 {
		out = append(out, report.Count(p.Drifts, "change")+" of mind not admitted")
	}
	if why := report.Unavailable(p); why != "" {
		out = append(out, w.line(why))
	} else if p.Status != string(debate.PartyOK) {
		out = append(out, w.line(p.Status))
	}
	return strings.Join(out, ", ")
}

// history is how the debate went.
func (w pageWriter) history(e report.Envelope) []template.HTML {
	var out []template.HTML
	if len(e.Rounds) > 0 {
		lines := report.RoundLines(e)
		out = append(out, execute("part", htmlPart{
			Title: "Exchanges and truth gain", Said: []string{w.line(lines[0]) + "."}, List: w.list("", lines[1:]), Table: w.table("Truth gain as the parties rated it", report.GainTable(e.Deltas)),
		}))
	}
	if len(e.Positions) > 0 {
		out = append(out, execute("part", htmlPart{Title: "Position history"}))
	}
	for _, p := range e.Positions {
		out = append(out, execute("position", w.position(p)))
	}
	if len(e.Objections) > 0 {
		out = append(out, execute("part", htmlPart{Title: "Objections to the position"}), execute("attacks", w.attacks(e.Objections)))
	}
	if len(report.Awaiting(e)) == 0 { // else they stand with what a human decides
		if table := w.assumptions(e); table != nil {
			out = append(out, execute("part", htmlPart{Title: "Why the parties disagree", Table: table}))
		}
	}
	return append(out, w.lists([]htmlList{
		w.list("Review of the proposals", report.ReviewLines(e.Reviews)),
		w.list("Arbitration", report.ArbitrationLines(e.Arbitration)),
		w.list("Findings of earlier heads", report.CarriedLines(e.Carried)),
	})...)
}

// htmlPosition is one version of the position.
type htmlPosition struct {
	Head, Summary                    string
	Because, Weaknesses, Assumptions htmlList
}

func (w pageWriter) position(p report.Position) htmlPosition {
	h := htmlPosition{
		Head: report.PositionHead(p), Summary: w.said(p.Summary), Weaknesses: w.list("Weaknesses", p.Weaknesses), Assumptions: w.list("Assumptions", p.Assumptions),
	}
	var because []string
	for _, b := range p.Because {
		because = append(because, fmt.Sprintf("%s of %s (%s): %s", w.line(b.Challenge), w.line(b.Party), w.line(string(b.Move)), w.line(b.Reason)))
	}
	h.Because = w.list("Changed by", because)
	return h
}
