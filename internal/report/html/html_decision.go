package html

import (
	"cmp"
	"fmt"
	"html/template"
	"slices"
	"strconv"
	"strings"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/report"
)

// htmlDecision is a decision with everything a reader needs who did not follow the debate
// (R028).
type htmlDecision struct {
	Anchor       string
	Waits        bool
	Question     string
	Status       string // of a closed one
	Reasons      htmlList
	Linked       []htmlLink
	Recommends   string // the option, and its supporters
	Why          string
	Conditions   htmlList // changes asked for first
	Dissent      htmlList
	Minds        *htmlTable // what would change the mind of each model
	Settles      htmlList   // what would settle it
	Alternatives htmlList
	Options      *htmlTable
	Asks         htmlList
	Human        htmlList
	Answer       string // how to answer an open one
	Scores       *htmlScores
	Judges       *htmlJudges
	Scored       bool // there are scores or votes to unfold
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

// waiting has the open decisions, at ever smaller scales until they fit. If they never fit, the
// rest is counted.
func (w pageWriter) waiting(e report.Envelope) []template.HTML {
	open := report.Awaiting(e)
	var out []template.HTML
	for _, scale := range []pageScale{
		w.scale, {listed: report.MaxListed, line: report.MaxEntry, said: report.MaxBody}, {listed: report.MaxSides, line: report.MaxTitle, said: report.MaxTitle}, {listed: 2, line: report.MaxTitle, said: report.MaxTitle},
	} {
		w.scale = scale
		size := 0
		out = nil
		for i, d := range open {
			block := w.execute("decision", w.decision(e, d, i))
			if size += len(block); size > maxPageDecisions {
				out = append(out, w.execute("more", report.Count(len(open)-i, "more decision")+" waiting for a human too."))
				break
			}
			out = append(out, block)
		}
		if size <= maxPageDecisions {
			break
		}
	}
	return out
}

// decisions has the closed decisions.
func (w pageWriter) decisions(e report.Envelope) []template.HTML {
	var out []template.HTML
	for i, d := range report.Closed(e) {
		h := w.decision(e, d, i)
		h.Anchor, h.Waits, h.Answer = "closed-"+strconv.Itoa(i+1), false, ""
		if d.Person().By != "" {
			h.Status = w.line(report.AnswerTo(d))
		}
		out = append(out, w.execute("decision", h))
	}
	return out
}

func (w pageWriter) decision(e report.Envelope, d report.Decision, i int) htmlDecision {
	h := htmlDecision{
		Anchor: "decision-" + strconv.Itoa(i+1), Waits: true, Question: w.line(d.Question),
		Asks: w.list("It also asks", d.Grouped), Scores: w.scores(d), Judges: w.judges(d), Answer: answerTo(e, d),
	}
	if !ofMerge(e, d) {
		h.Options = w.options(d)
	}
	h.Scored = h.Scores != nil || h.Judges != nil
	h.Reasons = w.list("Why a person decides", lists.Map(d.Triggers, func(t report.DecisionTrigger) string {
		return w.line(report.WhyAsked(d, t)) + report.Wrapped(", waived by ", w.line(t.Waived), "")
	}))
	for _, id := range d.Claims {
		if at := w.anchors[id]; at != "" {
			h.Linked = append(h.Linked, htmlLink{at, w.line(id)})
		}
	}
	h.Linked = h.Linked[:min(len(h.Linked), w.scale.listed)]
	w.brief(e, d, &h)
	if d.Why != "" && !report.RestsOnWhy(d) {
		h.Why = "Why: " + w.line(d.Why)
	}
	h.Human = w.list("What people said", report.HumanLines(d.Person()))
	return h
}

// answerTo says how to answer a decision.
func answerTo(e report.Envelope, d report.Decision) string {
	if e.Inquiry != nil {
		return "Nothing takes an answer to a question that was asked on the command line: choose, and act on it."
	}
	which := ""
	if len(report.Awaiting(e)) > 1 || d.ID != "D0" {
		which = report.OneLine(d.ID) + " "
	}
	if e.About.PullRequest == 0 {
		return "To record your decision: debate decide RECORD " + which + "OPTION WHY"
	}
	return "Write /debate decide " + which + "OPTION WHY on the pull request. " + report.Clicks(d) + report.WhoAnswers
}

func (w pageWriter) options(d report.Decision) *htmlTable {
	rows := [][]string{{"Option", "What it means", "Note"}}
	for _, o := range d.Options {
		var marks []string
		if o.ID == report.Recommended(d) {
			marks = append(marks, "recommended")
		}
		if o.StatusQuo {
			marks = append(marks, "changes nothing")
		}
		text := w.line(o.Label) + report.Wrapped(": ", w.line(o.Description), "")
		if o.Description != "" && o.Label == o.ID {
			text = w.line(o.Description)
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
	sheets := d.Rubric.Sheets
	out.More = w.beyond(len(sheets))
	for _, s := range sheets[:len(sheets)-out.More] {
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

// judges has the votes of the panel, their reasons, and the reasons for changed votes
// (R187-R189).
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
			counts += report.Wrapped(": ", w.line(v.Note), "")
			because := strings.Join(report.Present(w.line(v.Reason), report.Wrapped("convinced by ", w.line(v.ConvincedBy), "")), "; ")
			ballots = append(ballots, []string{string(v.Judge), strconv.Itoa(r.Round), orNothing(v.Option), string(v.Confidence), because, counts})
		}
	}
	tables := []*htmlTable{distribution, w.table("Where each judge stands", reasons), w.table("Votes by round", ballots)}
	out.Tables = slices.DeleteFunc(tables, func(t *htmlTable) bool { return t == nil })
	out.Changes = w.list("Changed votes", lists.Map(p.Changes, func(c report.VoteChange) string {
		return fmt.Sprintf("round %d: %s changed from %s to %s: %s", c.Round, w.line(string(c.Judge)), orNothing(c.From), orNothing(c.To), w.line(c.Reason))
	}))
	return out
}

// orNothing is an option as people read it.
func orNothing(option string) string {
	return cmp.Or(comment.Line(comment.Clip(option, report.MaxTitle)), "nothing")
}
