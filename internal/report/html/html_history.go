package html

import (
	"html/template"
	"slices"
	"strconv"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/report"
)

// parties has the parties, the times of their calls, and the cost.
func (w pageWriter) parties(e report.Envelope) []template.HTML {
	rows := [][]string{{"Model", "Version", "What became of it", "Calls", "Failed", "Tokens in", "Tokens out", "Cost"}}
	for _, p := range report.Participants(e) {
		model := strings.Join(report.Present(
			w.line(p.Model), report.Wrapped("maker ", w.line(p.Family), ""), report.Wrapped("told to be a ", w.line(p.Persona), ""), report.Wrapped("served by ", w.line(p.Debater), ""),
		), ", ")
		row := []string{p.ID, model, w.fareOf(e, p), strconv.Itoa(p.Calls), strconv.Itoa(p.Failed), strconv.Itoa(p.TokensIn), strconv.Itoa(p.TokensOut), ""}
		if p.Calls > 0 {
			row[7] = report.Cost(p.CostUSD, p.CostUnknown)
		}
		rows = append(rows, row)
	}
	out := slices.Concat(w.asPart("Who took part", rows), w.drawn(w.timeline(e)))
	calls := [][]string{{"Model", "Asked for", "After", "Took", "Cost", "Result"}}
	for _, c := range e.Calls {
		calls = append(calls, []string{c.Party, askedFor(c.Kind), duration(c.StartedMS), duration(c.TookMS), report.Cost(c.CostUSD, c.CostUnknown), strings.ReplaceAll(string(c.Status), "_", " ")})
	}
	return w.folded("Show models, calls and costs", append(out, w.asPart("All calls", calls)...))
}

// asPart is a table as a part of the page, none without rows.
func (w pageWriter) asPart(caption string, rows [][]string) []template.HTML {
	table := w.table(caption, rows)
	if table == nil {
		return nil
	}
	return []template.HTML{w.execute("part", htmlPart{Table: table})}
}

// drawn is a chart as a part of the page, none without data.
func (w pageWriter) drawn(c *htmlChart) []template.HTML {
	if c == nil {
		return nil
	}
	return []template.HTML{w.execute("chart", c)}
}

// folded hides blocks behind a line to open them.
func (w pageWriter) folded(title string, blocks []template.HTML) []template.HTML {
	if len(blocks) == 0 {
		return nil
	}
	return []template.HTML{w.execute("fold", htmlSection{Title: title, Blocks: blocks})}
}

func (w pageWriter) fareOf(e report.Envelope, p report.Party) string {
	var out []string
	if text := report.WouldSay(e, string(p.Option)); p.Option != "" {
		out = append(out, w.line(text))
	}
	if p.Drifts > 0 {
		out = append(out, "changed its answer without giving a reason")
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
	out := slices.Concat(w.drawn(w.gain(e)), w.asPart("What each round brought, as each model rates it", report.GainTable(e.Deltas)))
	if e.ExitWhy != "" {
		out = append(out, w.execute("part", htmlPart{Said: []string{"The debate ended: " + w.line(e.ExitWhy) + "."}}))
	}
	for i, p := range e.Positions {
		if i > 0 && len(p.Because) == 0 {
			if last := e.Positions[i-1]; last.By == p.By && last.Disposition == p.Disposition && last.Summary == p.Summary {
				continue
			}
		}
		out = append(out, w.execute("position", w.position(e, p)))
	}
	out = append(out, w.lists([]htmlList{
		w.list("Objections to the recommendation", report.Objections(e)),
		w.list("Review of the proposals", report.ReviewLines(e.Reviews)),
		w.list("Findings of earlier commits", report.CarriedLines(e.Carried)),
	})...)
	return w.folded("Show how the debate went", out)
}

// htmlPosition is one version of the position.
type htmlPosition struct {
	Head, Summary                    string
	Because, Weaknesses, Assumptions htmlList
}

func (w pageWriter) position(e report.Envelope, p report.Position) htmlPosition {
	h := htmlPosition{
		Head: w.line(p.By) + " " + w.line(report.WouldSay(e, string(p.Disposition))), Summary: w.said(p.Summary), Weaknesses: w.list("Where it sees itself weak", p.Weaknesses), Assumptions: w.list("What it rests on", p.Assumptions),
	}
	if p.AfterN > 0 {
		h.Head += ", after round " + strconv.Itoa(p.AfterN)
	}
	h.Because = w.list("Changed because of", lists.Map(p.Because, func(b report.Because) string { return w.line(b.Party) + ": " + w.line(b.Reason) }))
	return h
}
