package html

import (
	"strconv"
	"time"

	"github.com/prdebate/debate/internal/report"
)

// head is the subject of the page and the result.
type head struct {
	About    []string // repository, pull request, commit, date, version
	Title    string   // of the pull request
	Headline string
	Outcome  string
	Change   list // the overview, folded
	Caveats  []fact
}

// fact is a text with a fixed name.
type fact struct{ Name, Text string }

// present has the facts with a text.
func present(all ...fact) []fact {
	var out []fact
	for _, f := range all {
		if f.Text != "" {
			out = append(out, f)
		}
	}
	return out
}

func headOf(e report.Envelope) head {
	h := head{
		About: about(e), Title: line(e.About.Title), Headline: line(report.Headline(e)),
		Outcome: said(e.Summary), Change: listOf(report.OverviewTitle, report.OverviewLines(e)),
	}
	check, question := "", ""
	if e.Conclusion != "" && e.Inquiry == nil {
		check = report.CheckSays(e, e.Conclusion, e.ConclusionWhy)
	}
	if e.Question != nil {
		question = *e.Question
	}
	h.Caveats = present(fact{"Question", line(question)}, fact{"Models", line(report.MissingParties(e))}, fact{"Check", line(check)})
	notes := listOf("", e.Notes)
	for _, note := range notes.Items {
		h.Caveats = append(h.Caveats, fact{"Note", note})
	}
	if notes.More > 0 {
		h.Caveats = append(h.Caveats, fact{"Note", "and " + strconv.Itoa(notes.More) + " more"})
	}
	return h
}

// figures are the size of the change, the parts read, and the cost.
func figures(e report.Envelope) []fact {
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
	return present(fact{"Changed", changed}, fact{"Read", read}, fact{"Scope", scope}, fact{"Cost", cost})
}

// about is the place of the change and the time of the review.
func about(e report.Envelope) []string {
	out := []string{line(e.About.Repository)}
	if e.About.PullRequest > 0 {
		out = append(out, "pull request #"+strconv.Itoa(e.About.PullRequest))
	}
	head := []rune(line(e.About.Head))
	out = append(out, report.Wrapped("commit ", string(head[:min(len(head), 7)]), ""))
	if e.About.StartedAt > 0 {
		out = append(out, time.UnixMilli(e.About.StartedAt).UTC().Format("2 January 2006, 15:04 UTC"))
	}
	return report.Present(append(out, line(e.Version))...)
}
