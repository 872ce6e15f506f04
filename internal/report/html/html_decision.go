package html

import (
	"html/template"
	"slices"
	"strconv"

	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/report"
)

// htmlDecision is a decision with everything a reader needs who did not follow the debate
// (R028).
type htmlDecision struct {
	Anchor     string
	Waits      bool
	Question   string
	Status     string // of a closed one
	Recommends string // the option, and its supporters
	Why        string
	Linked     []htmlLink
	Lists      []htmlList
	Answer     string // how to answer an open one
}

// htmlLink leads to a finding on the page.
type htmlLink struct{ Anchor, ID string }

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
				out = append(out, w.execute("more", report.Count(len(open)-i, "more decision")+" for people."))
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
			h.Status = w.line(report.AnswerTo(e, d))
		}
		out = append(out, w.execute("decision", h))
	}
	return out
}

func (w pageWriter) decision(e report.Envelope, d report.Decision, i int) htmlDecision {
	h := htmlDecision{
		Anchor: "decision-" + strconv.Itoa(i+1), Waits: true, Question: w.line(d.Question), Recommends: w.line(report.Recommends(d)), Answer: answerTo(e, d),
	}
	for _, id := range d.Claims {
		if at := w.anchors[id]; at != "" {
			h.Linked = append(h.Linked, htmlLink{at, w.line(id)})
		}
	}
	h.Linked = h.Linked[:min(len(h.Linked), w.scale.listed)]
	if d.Why != "" && !report.RestsOnWhy(d) {
		h.Why = "Why: " + w.line(d.Why)
	}
	add := func(title string, entries []string) { h.Lists = append(h.Lists, w.list(title, entries)) }
	add("Why a person decides", lists.Map(d.Triggers, func(t report.DecisionTrigger) string {
		return report.WhyAsked(d, t) + report.Wrapped(", waived by ", t.Waived, "")
	}))
	ofMerge := d.ID == "D0" && e.Inquiry == nil
	if ofMerge && report.Recommended(d) == "revise" {
		add("Asked for before it is merged", lists.Map(slices.Concat(e.P1, e.P2), report.Named))
	}
	add("Other answers", report.Dissent(e, d))
	if ofMerge {
		add("Alternatives", lists.Map(e.Alternatives, func(a report.Alternative) string { return a.Party + ": " + a.Text }))
	} else {
		add("Options", lists.Map(d.Options, func(o report.Option) string {
			if o.Label == o.ID {
				return report.OptionLine(o)
			}
			return o.ID + ": " + report.OptionLine(o)
		}))
	}
	add("It also asks", d.Grouped)
	add("Answers of people", report.HumanLines(d.Person()))
	return h
}

// answerTo says how to answer a decision.
func answerTo(e report.Envelope, d report.Decision) string {
	if e.Inquiry != nil {
		return "This question was asked on the command line, so no answer is recorded: choose, and act on it."
	}
	which := report.NamedIn(e, d)
	if e.About.PullRequest == 0 {
		return "To record your decision: debate decide RECORD " + which + "OPTION WHY"
	}
	return "Write /debate decide " + which + "OPTION WHY on the pull request. " + report.Clicks(d) + report.WhoAnswers
}
