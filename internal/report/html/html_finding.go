package html

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/report"
)

// finding is a finding with all its details.
type finding struct {
	Class      string
	Severity   string
	ID         string
	Title      string
	Place      string
	Standing   string
	Body       string
	Code       []codeLine
	Suggestion string
	Tests      []test
	Stands     string // the finders and confirmers
	Talk       []talk
	Settled    string
	Crux       string
	Facts      string
}

// test is a test for a finding or against it.
type test struct{ Says, Path, Content, Command, Output string }

// codeLine is a line of code.
type codeLine struct {
	Number string
	Mark   string // + or -, "" if the line did not change
	Text   string
	Class  string
}

// talk is one line of a conversation.
type talk struct{ LeftOut, Who, Says string }

func findingOf(f report.Finding) finding {
	h := finding{
		Class: cmp.Or(severityClasses[f.Severity], "p3") + " " + standingClass(f), Severity: line(string(f.Severity)), ID: line(f.ID), Title: line(f.Title),
		Place: report.Place(f), Standing: report.Standing(f), Body: said(f.Body), Suggestion: code(f.Suggestion), Stands: line(report.StandsBehind(f)),
		Crux: line(f.Crux), Settled: line(report.Settled(f)), Facts: line(facts(f)), Code: codeOf(f),
	}
	for _, t := range report.Proofs(f) {
		h.Tests = append(h.Tests, test{t.Says(), line(t.Path), report.Bounded(t.Content), line(t.Ran()), report.Bounded(t.Output)})
	}
	for _, l := range f.Conversation[:min(len(f.Conversation), maxListed)] {
		h.Talk = append(h.Talk, talk{report.LeftOut(l), line(report.Speaker(l)), report.Spoken(l)})
	}
	return h
}

// codeOf has the lines of the change around a finding, those of the finding marked, or else its
// quote. A quote that was not found is no code.
func codeOf(f report.Finding) []codeLine {
	if len(f.Around) > 0 {
		return lists.Map(f.Around[:min(len(f.Around), maxListed)], func(l report.CodeLine) codeLine {
			out := codeLine{Number: strconv.Itoa(l.Number), Mark: line(l.Mark), Text: code(l.Text), Class: markClasses[l.Mark]}
			if l.Hit {
				out.Class += " hit"
			}
			return out
		})
	}
	text := code(f.Quote)
	if text == "" || f.Misquoted {
		return nil
	}
	var out []codeLine
	for i, quoted := range strings.Split(text, "\n") {
		out = append(out, codeLine{Text: quoted})
		if f.Line > 0 {
			out[i].Number = strconv.Itoa(f.Line + i)
		}
	}
	return out
}

// markClasses has the classes of changed lines.
var markClasses = map[string]string{"+": "plus", "-": "minus"}

// severityClasses has the looks of P1 and P2.
var severityClasses = map[debate.Severity]string{debate.P1: "p1", debate.P2: "p2"}

// facts has the remaining details of a finding.
func facts(f report.Finding) string {
	also := report.Capped(lists.Map(f.Also(), report.Cited.At), ", ")
	out := []string{f.Category, report.Wrapped("rule ", f.Rule, ""), report.Wrapped("also at ", also, "")}
	if f.Carried != "" {
		out = append(out, "known since an earlier commit")
	}
	if raised := cmp.Or(f.Asserted, f.Severity); raised != f.Severity {
		out = append(out, "raised as "+string(raised))
	}
	return strings.Join(report.Present(out...), "; ")
}

// standingClass is how the state of a finding looks.
func standingClass(f report.Finding) string {
	switch {
	case f.Bucket == debate.Agreed:
		return "is-confirmed"
	case f.Bucket == debate.Dismissed, f.BucketReason == string(debate.ReasonKnown):
		return "is-gone"
	case report.NotEvaluated(f), f.Bucket == "":
		return "is-open"
	}
	return "is-disputed"
}
