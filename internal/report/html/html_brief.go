package html

import (
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/report"
)

// brief is the recommendation and its supporters, the dissent, what would change the minds
// of the models, and what would settle it.
func (w pageWriter) brief(e report.Envelope, d report.Decision, h *htmlDecision) {
	merge := ofMerge(e, d)
	choice := report.Recommended(d)
	holds := func(o report.PartyOption) bool { return choice != "" && o.Option == choice }
	by := lists.Map(lists.Keep(d.FinalOptions, holds), func(o report.PartyOption) string { return w.line(o.Party) })
	h.Recommends = recommended(merge, w.line(choice), by)
	h.Dissent = w.list("Who disagrees, and why", w.dissent(e, d, choice, merge))
	if merge {
		h.Conditions = w.list("Asked for before it is merged", conditions(e, choice))
		h.Minds = w.minds(e)
		settles := lists.Map(e.Unresolved, func(f report.Finding) string {
			return strings.TrimSpace(report.Wrapped(report.OneLine(f.ID)+" ", report.OneLine(f.Crux), ""))
		})
		h.Settles = w.list("What would settle it", report.Present(settles...))
		h.Alternatives = w.list("Alternatives that came up", lists.Map(e.Alternatives, func(a report.Alternative) string { return w.line(a.Party) + ": " + w.line(a.Text) }))
	}
}

// ofMerge reports whether a decision is the one about the whole change.
func ofMerge(e report.Envelope, d report.Decision) bool { return d.ID == "D0" && e.Inquiry == nil }

// recommended is the recommendation and its supporters.
func recommended(merge bool, choice string, by []string) string {
	text := choice
	if merge {
		text = report.Ordered(choice)
	}
	switch {
	case choice == "":
		return "Nothing is recommended."
	case len(by) == 0:
		return "Recommended: " + text + "."
	}
	return "Recommended: " + text + ", by " + strings.Join(by, " and ") + "."
}

// dissent lists the models and judges with another option, with their reasons.
func (w pageWriter) dissent(e report.Envelope, d report.Decision, choice string, merge bool) []string {
	var out []string
	agreed := []string{choice, ""}
	for _, o := range d.FinalOptions {
		if slices.Contains(agreed, o.Option) {
			continue
		}
		text := w.line(o.Party) + " chooses " + w.line(o.Option)
		if merge {
			text = w.line(o.Party) + " " + report.WouldSay(e, o.Option) + report.Wrapped(": ", w.line(report.WhyDisagree(e, o.Party)), "")
		}
		out = append(out, text)
	}
	if d.Panel == nil {
		return out
	}
	for _, p := range d.Panel.Perspectives {
		if !slices.Contains(agreed, p.Option) {
			out = append(out, "the judge for "+w.line(string(p.Judge))+" votes for "+w.line(p.Option)+": "+w.line(p.Reason))
		}
	}
	return out
}

// conditions lists the findings to fix if changes are recommended.
func conditions(e report.Envelope, choice string) []string {
	if choice != "revise" {
		return nil
	}
	return lists.Map(slices.Concat(e.P1, e.P2), func(f report.Finding) string {
		return strings.TrimSpace(report.OneLine(f.ID)+" "+report.OneLine(f.Title)) + " (" + report.Place(f) + ")"
	})
}

// minds is the table of what would prove each model wrong. An empty column is left out.
func (w pageWriter) minds(e report.Envelope) *htmlTable {
	rows := [][]string{{"Model"}}
	for _, a := range e.Assumptions {
		rows = append(rows, []string{a.Party})
	}
	column := func(name string, of func(report.Assumption) string) {
		if slices.ContainsFunc(e.Assumptions, func(a report.Assumption) bool { return of(a) != "" }) {
			rows[0] = append(rows[0], name)
			for i, a := range e.Assumptions {
				rows[i+1] = append(rows[i+1], of(a))
			}
		}
	}
	column("It would change its mind if", func(a report.Assumption) string { return a.RightIf })
	column("It assumes", func(a report.Assumption) string { return a.CoreAssumption })
	column("How to find out", func(a report.Assumption) string { return a.TestableBy })
	return w.table("What would change their minds", rows)
}
