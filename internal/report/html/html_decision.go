package html

import (
	"html/template"
	"slices"
	"strconv"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/report"
)

// decision is a decision with everything for a reader who did not follow the debate (R028).
type decision struct {
	Anchor     string
	Waits      bool
	Question   string
	Status     string // of a closed one
	Recommends string // the option, and its supporters
	Why        string
	Linked     string // ids of its findings
	Lists      []list
	Answer     string // how to answer an open one
}

// decision writes the i-th open or closed decision.
func (p *page) decision(e report.Envelope, d report.Decision, i int, open bool) template.HTML {
	h := decision{Anchor: "closed-" + strconv.Itoa(i+1), Waits: open, Question: line(report.Question(d)), Recommends: line(report.Recommends(d)), Linked: line(report.Capped(d.Claims, ", "))}
	switch {
	case open:
		h.Anchor, h.Answer = "decision-"+strconv.Itoa(i+1), answerTo(e, d)
	case d.Person().By != "":
		h.Status = line(report.AnswerTo(e, d))
	}
	if d.Why != "" && !report.RestsOnWhy(d) {
		h.Why = "Why: " + line(d.Why)
	}
	add := func(title string, entries []string) { h.Lists = append(h.Lists, listOf(title, entries)) }
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
		add("Options", lists.Map(d.Options, func(o debate.Option) string {
			if o.Label == o.ID {
				return report.OptionLine(o)
			}
			return o.ID + ": " + report.OptionLine(o)
		}))
	}
	add("It also asks", d.Grouped)
	add("Answers of people", report.HumanLines(e, d))
	return p.execute("decision", h)
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
