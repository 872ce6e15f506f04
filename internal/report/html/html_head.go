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
	Facts    []htmlFact
}

// htmlFact is a text with a fixed name.
type htmlFact struct{ Name, Text string }

func (w pageWriter) head(e report.Envelope) htmlHead {
	h := htmlHead{
		About: w.about(e), Title: w.line(e.About.Title), Headline: w.line(report.Headline(e)),
		Outcome: w.said(e.Summary), Change: w.list(report.OverviewTitle, report.OverviewLines(e)),
	}
	fact := func(name, text string) {
		if text != "" {
			h.Facts = append(h.Facts, htmlFact{name, text})
		}
	}
	if e.Inquiry == nil && e.Stats.Files > 0 {
		fact("Changed", report.Size(e))
	}
	if report.Reviewed(e) {
		fact("Read", report.Coverage(e))
	}
	if e.About.PullRequest == 0 {
		fact("Scope", report.Scope(e))
	}
	if e.Question != nil {
		fact("Question", w.line(*e.Question))
	}
	fact("Models", w.line(report.MissingParties(e)))
	if e.Stats.Calls > 0 {
		fact("Cost", report.Spent(e)+", "+report.Count(e.Stats.Calls, "call"))
	}
	if e.Conclusion != "" && e.Inquiry == nil {
		fact("Check", w.line(report.CheckSays(e, e.Conclusion, e.ConclusionWhy)))
	}
	notes := w.list("", e.Notes)
	for _, note := range notes.Items {
		fact("Note", note)
	}
	if notes.More > 0 {
		fact("Note", "and "+strconv.Itoa(notes.More)+" more")
	}
	return h
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
