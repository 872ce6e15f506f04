package html

import (
	"strconv"
	"time"

	"github.com/prdebate/debate/internal/report"
)

// htmlHead is the subject of the page and the result.
type htmlHead struct {
	About    []string // repository, pull request, commit, date, version
	Title    string   // of the pull request
	Headline string
	Outcome  string
	Change   htmlList // the overview, folded
	Caveats  []htmlFact
}

// htmlFact is a text with a fixed name.
type htmlFact struct{ Name, Text string }

// facts has the named texts that are not empty: a name, then its text.
func facts(named ...string) []htmlFact {
	var out []htmlFact
	for i := 0; i < len(named); i += 2 {
		if named[i+1] != "" {
			out = append(out, htmlFact{named[i], named[i+1]})
		}
	}
	return out
}

func (w pageWriter) head(e report.Envelope) htmlHead {
	h := htmlHead{
		About: w.about(e), Title: w.line(e.About.Title), Headline: w.line(report.Headline(e)),
		Outcome: w.said(e.Summary), Change: w.list(report.OverviewTitle, report.OverviewLines(e)),
	}
	check, question := "", ""
	if e.Conclusion != "" && e.Inquiry == nil {
		check = report.CheckSays(e, e.Conclusion, e.ConclusionWhy)
	}
	if e.Question != nil {
		question = *e.Question
	}
	caveats := []string{"Question", w.line(question), "Models", w.line(report.MissingParties(e)), "Check", w.line(check)}
	notes := w.list("", e.Notes)
	for _, note := range notes.Items {
		caveats = append(caveats, "Note", note)
	}
	if notes.More > 0 {
		caveats = append(caveats, "Note", "and "+strconv.Itoa(notes.More)+" more")
	}
	h.Caveats = facts(caveats...)
	return h
}

// figures are the size of the change, the parts read, and the cost.
func (w pageWriter) figures(e report.Envelope) []htmlFact {
	var changed, read, scope, cost string
	if e.Inquiry == nil && e.Stats.Files > 0 {
		changed = report.Size(e)
	}
	if report.Reviewed(e) {
		read = report.Coverage(e)
	}
	if e.About.PullRequest == 0 {
		scope = report.Scope(e)
	}
	if e.Stats.Calls > 0 {
		cost = report.Spent(e) + ", " + report.Count(e.Stats.Calls, "call")
	}
	return facts("Changed", changed, "Read", read, "Scope", scope, "Cost", cost)
}

// about is the place of the change and the time of the review.
func (w pageWriter) about(e report.Envelope) []string {
	out := []string{w.line(e.About.Repository)}
	if e.About.PullRequest > 0 {
		out = append(out, "pull request #"+strconv.Itoa(e.About.PullRequest))
	}
	head := []rune(w.line(e.About.Head))
	out = append(out, report.Wrapped("commit ", string(head[:min(len(head), 7)]), ""))
	if e.About.StartedAt > 0 {
		out = append(out, time.UnixMilli(e.About.StartedAt).UTC().Format("2 January 2006, 15:04 UTC"))
	}
	return report.Present(append(out, w.line(e.Version))...)
}
