package html

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/report"
)

// htmlFinding is a finding with all its details.
type htmlFinding struct {
	Anchor     string
	Class      string
	Severity   string
	ID         string
	Title      string
	Place      string
	Standing   string
	Body       string
	Code       htmlCode
	Suggestion string
	Tests      []htmlTest
	Stands     string // the finders and confirmers
	Talk       []htmlLine
	Settled    string
	Crux       string
	Facts      string
}

// htmlTest is a test for a finding or against it.
type htmlTest struct{ Says, Path, Content, Command, Output string }

// htmlCode is lines of code with their numbers.
type htmlCode struct {
	Lines []htmlCodeLine
}

type htmlCodeLine struct {
	Number string
	Mark   string // + or -, "" if the line did not change
	Text   string
	Class  string
}

// htmlLine is one line of a conversation.
type htmlLine struct {
	LeftOut string
	Who     string
	Does    string
	Words   string
	Cites   []htmlCite
}

// htmlCite is a citation. A quote that was not found is not shown as code.
type htmlCite struct {
	At     string
	Stands bool
	Check  string
	Code   htmlCode
	Quote  string // of one that was not found, as a text
}

func (w pageWriter) finding(f report.Finding) htmlFinding {
	h := htmlFinding{
		Anchor: w.anchors[f.ID], Class: severityClass(f.Severity) + " " + standingClass(f), Severity: w.line(string(f.Severity)), ID: w.line(f.ID), Title: w.line(f.Title),
		Place: report.Place(f), Standing: report.Standing(f), Body: w.said(f.Body), Suggestion: w.code(f.Suggestion), Stands: w.line(report.StandsBehind(f)),
		Crux: w.line(f.Crux), Settled: w.line(report.Settled(f)), Facts: w.line(w.facts(f)),
	}
	switch {
	case len(f.Around) > 0:
		h.Code = w.around(f.Around)
	case isQuoted(f):
		h.Code = w.numbered(f.Quote, f.Line)
	}
	for _, t := range report.Proofs(f) {
		h.Tests = append(h.Tests, htmlTest{t.Says(), w.line(t.Path), report.Bounded(t.Content), w.line(t.Ran()), report.Bounded(t.Output)})
	}
	for _, l := range f.Conversation[:min(len(f.Conversation), w.scale.listed)] {
		h.Talk = append(h.Talk, w.talk(l))
	}
	return h
}

// isQuoted reports whether the quoted lines of a finding are there: yes, unless a check did not
// find them.
func isQuoted(f report.Finding) bool {
	return !slices.ContainsFunc(f.Conversation, func(l report.Line) bool {
		return slices.ContainsFunc(l.Cites, func(c report.Cited) bool {
			return !c.IsFound() && c.Quote == f.Quote && c.Path == f.Path && c.Line == f.Line
		})
	})
}

// talk is one line of a conversation.
func (w pageWriter) talk(l report.Line) htmlLine {
	h := htmlLine{LeftOut: report.LeftOut(l), Who: w.line(report.Speaker(l)), Does: report.Does(l), Words: w.said(l.Words)}
	for _, c := range l.Cites {
		cite := htmlCite{At: w.line(c.At()), Stands: c.IsFound(), Check: c.Found()}
		if c.IsFound() {
			cite.Code = w.numbered(c.Quote, c.Line)
		} else {
			cite.Quote = w.said(c.Quote)
		}
		h.Cites = append(h.Cites, cite)
	}
	return h
}

// numbered are lines of code from a first one on.
func (w pageWriter) numbered(code string, first int) htmlCode {
	var out htmlCode
	text := w.code(code)
	if text == "" {
		return out
	}
	for i, line := range strings.Split(text, "\n") {
		l := htmlCodeLine{Text: line}
		if first > 0 {
			l.Number = strconv.Itoa(first + i)
		}
		out.Lines = append(out.Lines, l)
	}
	return out
}

// around has lines of the change, those of the finding marked.
func (w pageWriter) around(lines []report.CodeLine) htmlCode {
	var out htmlCode
	for _, l := range lines[:min(len(lines), w.scale.listed)] {
		h := htmlCodeLine{Number: strconv.Itoa(l.Number), Text: w.code(l.Text), Mark: w.line(l.Mark)}
		h.Class = markClasses[l.Mark]
		if l.Hit {
			h.Class += " hit"
		}
		out.Lines = append(out.Lines, h)
	}
	return out
}

// markClasses has the classes of changed lines.
var markClasses = map[string]string{"+": "plus", "-": "minus"}

// facts has the remaining details of a finding.
func (w pageWriter) facts(f report.Finding) string {
	out := []string{
		w.line(f.Category), report.Wrapped("rule ", w.line(f.Rule), ""), report.Wrapped("also at ", w.line(w.spots(f.Also())), ""),
	}
	switch f.Carried {
	case "":
	case f.ID:
		out = append(out, "known since an earlier commit")
	default:
		out = append(out, "known since an earlier commit as "+w.line(f.Carried))
	}
	if raised := cmp.Or(f.Asserted, f.Severity); raised != f.Severity {
		out = append(out, "raised as "+w.line(string(raised)))
	}
	return strings.Join(report.Present(out...), "; ")
}

// spots are the places of evidence as people know them.
func (w pageWriter) spots(evidence []report.Cited) string {
	return report.Capped(lists.Map(evidence, func(c report.Cited) string {
		if c.Path == debate.BodyPath {
			c.Path = w.text
		}
		return c.At()
	}), ", ")
}

// standings has the states of findings, as the page groups them.
var standings = []struct{ class, name string }{
	{"is-confirmed", "confirmed"}, {"is-disputed", "disputed or not confirmed"}, {"is-open", "not debated"}, {"is-gone", "withdrawn, refuted or fixed"},
	{"is-known", "known"},
}

// standingClass is the group of a finding.
func standingClass(f report.Finding) string {
	switch {
	case f.Bucket == debate.Agreed:
		return "is-confirmed"
	case f.BucketReason == string(debate.ReasonKnown):
		return "is-known"
	case f.Bucket == debate.Dismissed:
		return "is-gone"
	case report.NotEvaluated(f), f.Bucket == "":
		return "is-open"
	}
	return "is-disputed"
}

// htmlFilter is the choice of findings to show.
type htmlFilter struct {
	Severities, Standings []htmlChoice
}

type htmlChoice struct {
	ID, Name string
	Count    int
}

// filter offers the severities and states on the page.
func (w pageWriter) filter(all []*report.Finding) htmlFilter {
	count := make(map[string]int)
	for _, f := range all {
		count[severityClass(f.Severity)]++
		count[standingClass(*f)]++
	}
	h := htmlFilter{Severities: []htmlChoice{{"any-severity", "all", len(all)}}, Standings: []htmlChoice{{"any-standing", "all", len(all)}}}
	offer := func(choices *[]htmlChoice, class, name string) {
		if n := count[class]; n > 0 {
			*choices = append(*choices, htmlChoice{"only-" + class, name, n})
		}
	}
	for _, s := range []string{"p1", "p2", "p3"} {
		offer(&h.Severities, s, strings.ToUpper(s))
	}
	for _, s := range standings {
		offer(&h.Standings, s.class, s.name)
	}
	return h
}
