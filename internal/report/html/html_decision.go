package html

import (
	"fmt"
	"html/template"
	"strconv"
	"strings"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/report"
)

// htmlDecision is a decision with all that somebody needs who has not followed
// the debate (S08, R028).
type htmlDecision struct {
	Anchor         string
	Waits          bool
	ID             string
	Question       string
	Status         string // of one that waits for nobody
	Reasons        htmlList
	Linked         []htmlLink
	Options        *htmlTable
	Recommendation string
	Why            string
	Asks           htmlList
	Dissent        htmlList
	Scores         *htmlScores
	Judges         *htmlJudges
	Agreements     htmlList
	Disagreements  htmlList
	Human          htmlList
	Answer         string // how to answer one that waits
}

// htmlLink leads to a finding on the page.
type htmlLink struct{ Anchor, ID string }

type htmlScores struct {
	Line     string
	Combined *htmlTable
	Sheets   []htmlSheet
	More     int
}

type htmlSheet struct {
	Head, Rationale string
	Table           *htmlTable
}

type htmlJudges struct {
	Line    string
	Tables  []*htmlTable
	Changes htmlList
	Prompt  string
}

// waiting are the decisions that a human has to make, at ever smaller scales until
// they fit, and why the parties disagree. Those that do not fit even so are
// counted.
func (w pageWriter) waiting(e report.Envelope) []template.HTML {
	open := report.Awaiting(e)
	if len(open) == 0 {
		return nil
	}
	var out []template.HTML
	for _, scale := range []pageScale{
		w.scale, {listed: report.MaxListed, line: report.MaxEntry, said: report.MaxBody}, {listed: report.MaxSides, line: report.MaxTitle, said: report.MaxTitle}, {listed: 2, line: report.MaxTitle, said: report.MaxTitle},
	} {
		w.scale = scale
		size := 0
		out = nil
		for i, d := range open {
			block := execute("decision", w.decision(e, d, i))
			if size += len(block); size > maxPageDecisions {
				out = append(out, execute("more", report.Count(len(open)-i, "more decision")+" waiting for a human too."))
				break
			}
			out = append(out, block)
		}
		if size <= maxPageDecisions {
			break
		}
	}
	if table := w.assumptions(e); table != nil {
		out = append(out, execute("part", htmlPart{Title: "Why the parties disagree", Table: table}))
	}
	return out
}

// decisions are those that wait for nobody.
func (w pageWriter) decisions(rest []report.Decision) []template.HTML {
	var out []template.HTML
	for i, d := range rest {
		h := w.decision(report.Envelope{}, d, i)
		h.Anchor, h.Waits, h.Answer = "closed-"+strconv.Itoa(i+1), false, ""
		h.Status, h.Recommendation = w.line(report.HowItEnded(d)), "" // the status names it
		out = append(out, execute("decision", h))
	}
	return out
}

func (w pageWriter) decision(e report.Envelope, d report.Decision, i int) htmlDecision {
	h := htmlDecision{
		Anchor: "decision-" + strconv.Itoa(i+1), Waits: true, ID: w.line(d.ID), Question: w.line(d.Question), Options: w.options(d),
		Asks: w.list("Also asks", d.Grouped), Dissent: w.list("Who holds what", report.Dissent(d)), Scores: w.scores(d), Judges: w.judges(d),
		Agreements: w.list("Agreed on", d.Agreements), Disagreements: w.list("Disputed", d.Disagreements), Answer: answerTo(e, d),
	}
	var reasons []string
	for _, t := range d.Triggers {
		text := w.line(string(t.ID)) + ": " + w.line(t.Detail)
		if t.Waived != "" {
			text += ", waived by " + w.line(t.Waived)
		}
		reasons = append(reasons, text)
	}
	h.Reasons = w.list("Why a human decides", reasons)
	for _, id := range d.Claims {
		if at := w.anchors[id]; at != "" && len(h.Linked) < w.scale.listed {
			h.Linked = append(h.Linked, htmlLink{at, w.line(id)})
		}
	}
	h.Recommendation = "Nothing is recommended."
	if choice := report.Recommended(d); choice != "" {
		h.Recommendation = "Recommended: " + w.line(choice)
	}
	switch {
	case d.Why != "" && d.Rubric == nil && d.Critical:
		h.Why = "Not scored: " + w.line(d.Why)
	case d.Why != "":
		h.Why = "Why: " + w.line(d.Why)
	}
	if d.Human != nil {
		h.Human = w.list("What people said", report.HumanLines(*d.Human))
	}
	return h
}

// answerTo says how to answer a decision.
func answerTo(e report.Envelope, d report.Decision) string {
	if e.Inquiry != nil {
		return "Nothing takes an answer to a question that was asked on the command line: choose, and act on it."
	}
	where := " on the pull request or in its issue"
	switch h := d.Human; {
	case h != nil && h.Sink == debate.SinkSummary:
		where = " on the pull request"
	case h != nil && h.Sink != "" && h.Sink != debate.SinkIssue:
		where = " on the pull request; no issue could be opened for this"
	}
	return "Write " + report.DecideCommand(d) + where + ". " + report.Clicks(d) + report.WhoAnswers + " A review on the command line takes no answer: choose, and act on it."
}

func (w pageWriter) options(d report.Decision) *htmlTable {
	rows := [][]string{{"Option", "What it means", "Note"}}
	for _, o := range d.Options {
		var marks []string
		if o.ID == report.Recommended(d) {
			marks = append(marks, "recommended")
		}
		if o.StatusQuo {
			marks = append(marks, "status quo")
		}
		text := w.line(o.Label)
		if o.Description != "" {
			text += ": " + w.line(o.Description)
		}
		rows = append(rows, []string{o.ID, text, strings.Join(marks, ", ")})
	}
	return w.table("Options", rows)
}

// scores are the combined results, and the sheet of every party.
func (w pageWriter) scores(d report.Decision) *htmlScores {
	if d.Rubric == nil {
		return nil
	}
	out := &htmlScores{Line: w.line(report.RubricLine(*d.Rubric)), Combined: w.table("All sheets that count", report.RubricTable(*d.Rubric))}
	for i, c := range d.Rubric.Combined {
		out.Combined.bar(i, c.Sum, c.Max)
	}
	for i, s := range d.Rubric.Sheets {
		if i == w.scale.listed {
			out.More = len(d.Rubric.Sheets) - i
			break
		}
		sheet := htmlSheet{Head: "Scoresheet by " + w.line(s.Party), Rationale: w.said(s.Rationale)}
		if !s.Valid {
			sheet.Head += ", it does not count: " + w.line(s.Why)
		}
		if len(s.Scores) > 0 {
			sheet.Table = w.table("Scores by "+w.line(s.Party)+", 0 to 10", report.SheetTable(d, s))
		}
		out.Sheets = append(out.Sheets, sheet)
	}
	return out
}

// judges are how the panel voted, why, and what changed a vote (R187-R189).
func (w pageWriter) judges(d report.Decision) *htmlJudges {
	p := d.Panel
	if p == nil {
		return nil
	}
	out := &htmlJudges{Line: w.line(report.PanelLine(*p)), Prompt: w.said(p.UserPrompt)}
	votes, all := [][]string{{"Option", "Votes"}}, 0
	for _, t := range p.Distribution {
		votes = append(votes, []string{orNothing(t.Option), strconv.Itoa(t.Votes)})
		all += t.Votes
	}
	distribution := w.table("Votes that count", votes)
	for i, t := range p.Distribution {
		distribution.bar(i, t.Votes, all)
	}
	reasons := [][]string{{"Judge", "Holds", "Because"}}
	for _, v := range p.Perspectives {
		reasons = append(reasons, []string{string(v.Judge), orNothing(v.Option), v.Reason})
	}
	ballots := [][]string{{"Judge", "Round", "Vote", "Confidence", "Because", "Counts"}}
	for _, r := range p.Rounds {
		for _, v := range r.Votes {
			counts := "yes"
			if !v.Valid {
				counts = "no"
			}
			if v.Note != "" {
				counts += ": " + w.line(v.Note)
			}
			because := w.line(v.Reason)
			if v.ConvincedBy != "" {
				because = strings.TrimPrefix(because+"; convinced by "+w.line(v.ConvincedBy), "; ")
			}
			ballots = append(ballots, []string{string(v.Judge), strconv.Itoa(r.Round), orNothing(v.Option), string(v.Confidence), because, counts})
		}
	}
	for _, t := range []*htmlTable{distribution, w.table("Where each judge stands", reasons), w.table("Votes by round", ballots)} {
		if t != nil {
			out.Tables = append(out.Tables, t)
		}
	}
	var changes []string
	for _, c := range p.Changes {
		changes = append(changes, fmt.Sprintf("round %d: %s changed from %s to %s: %s", c.Round, w.line(string(c.Judge)), orNothing(c.From), orNothing(c.To), w.line(c.Reason)))
	}
	out.Changes = w.list("Changed votes", changes)
	return out
}

// orNothing is an option as people read it.
func orNothing(option string) string {
	if option == "" {
		return "nothing"
	}
	return comment.Line(comment.Clip(option, report.MaxTitle))
}

// assumptions are why parties disagree and what would make each wrong (R104, R105).
func (w pageWriter) assumptions(e report.Envelope) *htmlTable {
	rows := [][]string{{"Party", "Holds", "Disagrees because", "The other side is right if", "Assumes", "Tested by"}}
	for _, a := range e.Assumptions {
		rows = append(rows, []string{a.Party, string(a.Option), a.WhyDisagree, a.RightIf, a.CoreAssumption, a.TestableBy})
	}
	return w.table("What each party rests on", rows)
}
