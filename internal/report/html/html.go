// Package html renders a report as one page that needs no other file. Its texts come from package
// report; the look of the page is its own.
package html

import (
	"cmp"
	_ "embed"
	"fmt"
	"html/template"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/report"
)

// MaxSize bounds the HTML report, in bytes: a browser on a phone still shows a
// page of this size.
const MaxSize = 2 << 20

// The bounds of the texts about one thing.
const (
	maxListed = 60   // entries of a list, lines of code
	maxLine   = 500  // characters of a field on one line
	maxSaid   = 4000 // characters of a text with line breaks
)

// pageParts has the parts of the page. The template escapes everything outside its own text, and
// bounds each field from outside with line, said or code.
//
//go:embed page.tmpl.html
var pageParts string

var pageTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{
		"line": line, "said": said, "code": code, "spans": report.Spans, "upTo": func(entries []string) []string { return report.UpTo(maxListed, entries) }, "bounded": report.Bounded,
		"look": look, "lines": linesOf, "row": rowOf, "facts": facts, "place": report.Place, "standing": report.Standing,
		"tests": report.Proofs, "thread": report.Thread, "finders": report.StandsBehind, "crux": report.Crux,
	}).Parse(pageParts))
})

// page is the page as the template sees it, and its writer.
type page struct {
	Headline string
	Head     template.HTML
	Sections []section
	Foot     []string

	room   int   // bytes left
	left   int   // blocks without room
	failed error // the first error of the template
}

// section is a part of the page with a heading. Its blocks were written by the template itself.
type section struct {
	ID     string // fixed
	Title  string // fixed
	Count  int    // of its entries, 0 for no number
	Note   string // fixed, below the title
	Fold   bool   // the blocks are folded
	Blocks []template.HTML
}

// Render renders the envelope as one page that needs no other file: no script, no address, no
// picture. It works offline, printed and read aloud. Text from outside stays text, with its line
// breaks, and invisible characters appear as code points. Parts beyond MaxSize are left out and
// counted, the history first.
//
// It fails if the template cannot write a part.
func Render(e report.Envelope) ([]byte, error) {
	p := &page{Headline: line(report.Headline(e)), Foot: report.Present( // the origin of the page, and how to write it again
		report.Wrapped("Review ", line(e.SessionID), "."),
		report.Wrapped("Record: ", line(e.Record), ""),
		report.Wrapped("SHA-256 of the record: ", line(e.Seal), ""),
		"debate replay RECORD computes this result from the record again; debate report RECORD --format html writes this page again.",
	)}
	p.Head = p.execute("head", headOf(e))
	p.room = MaxSize - len(p.execute("page", p)) - report.Reserved

	answers := report.Answered(e)
	p.add(section{ID: "answer", Title: "The question and its answer"}, len(answers), func(i int) template.HTML { return p.execute("said", answers[i]) })
	open, closed := report.Awaiting(e), report.Closed(e)
	p.add(section{ID: "decide", Title: "Decisions to make", Count: len(open)}, len(open), func(i int) template.HTML { return p.execute("decision", decisionOf(e, open[i], i, true)) })

	shown := e
	shown.Unproved = nil // a list further down has a line of each
	all := slices.Collect(shown.Findings())
	findings := section{ID: "findings", Title: "Findings", Count: len(all), Note: report.Severities + "."}
	if e.Inquiry != nil {
		findings.Title, findings.Note = "Points of the debate", ""
	}
	p.add(findings, len(all), func(i int) template.HTML { return p.execute("finding", *all[i]) })
	if figures := report.Figures(e); len(figures) > 0 {
		p.add(section{ID: "figures", Title: "Figures"}, 1, func(int) template.HTML { return p.execute("facts", figures) })
	}
	p.add(section{ID: "decisions", Title: report.AnsweredTitle}, len(closed), func(i int) template.HTML { return p.execute("decision", decisionOf(e, closed[i], i, false)) })
	p.parts(section{ID: "notices", Title: "Also worth knowing"}, report.Noticed(e))
	p.parts(section{ID: "history", Title: "How the debate went", Fold: true}, report.History(e))
	p.parts(section{ID: "costs", Title: "Models, calls and costs", Fold: true}, report.Participants(e))
	if p.left > 0 {
		p.Foot = append([]string{fmt.Sprintf("The report is too long for a page: %s left out. The record holds everything.", report.Count(p.left, "part"))}, p.Foot...)
	}
	text := []byte(p.execute("page", p))
	if p.failed != nil {
		return nil, p.failed
	}
	return text, nil
}

// chrome, in bytes, is more than the page adds around the blocks of a section.
const chrome = 500

// add adds a section with its n blocks up to the first one without room. It writes no block after
// that one.
func (p *page) add(s section, n int, block func(i int) template.HTML) {
	p.room -= chrome
	for i := range n {
		text := block(i)
		if len(text) > p.room {
			p.left += n - i
			break
		}
		p.room -= len(text)
		s.Blocks = append(s.Blocks, text)
	}
	if len(s.Blocks) > 0 {
		p.Sections = append(p.Sections, s)
	}
}

// parts adds a section made of sections of the report below headings.
func (p *page) parts(in section, some []report.Section) {
	p.add(in, len(some), func(i int) template.HTML { return p.execute("part", some[i]) })
}

// execute writes one part of the template. An error makes Render fail.
func (p *page) execute(name string, data any) template.HTML {
	var b strings.Builder
	if err := pageTemplate().ExecuteTemplate(&b, name, data); err != nil {
		p.failed = cmp.Or(p.failed, fmt.Errorf("write %s of the page: %w", name, err))
	}
	return template.HTML(b.String())
}

// line is a field from outside on one line, bounded.
func line(s string) string { return report.ClipLine(s, maxLine) }

// said is a text from outside with its line breaks, bounded.
func said(s string) string { return strings.Trim(report.BoundedText(s, maxSaid), "\n") }

// code is a quotation from outside, bounded.
func code(s string) string { return report.BoundedTo(s, maxListed, maxLine) }

// head is the subject of the page and the result.
type head struct {
	About    []string // repository, pull request, commit, date, version
	Title    string   // of the pull request
	Headline string
	Outcome  string
	Change   report.Section // the overview, folded
	Caveats  []report.Titled
}

func headOf(e report.Envelope) head {
	check, question, number, started := "", "", "", ""
	if e.Conclusion != "" && e.Inquiry == nil {
		check = report.CheckSays(e, e.Conclusion, e.ConclusionWhy)
	}
	if e.Question != nil {
		question = *e.Question
	}
	if e.About.PullRequest > 0 {
		number = fmt.Sprintf("pull request #%d", e.About.PullRequest)
	}
	if e.About.StartedAt > 0 {
		started = time.UnixMilli(e.About.StartedAt).UTC().Format("2 January 2006, 15:04 UTC")
	}
	commit := []rune(line(e.About.Head))
	h := head{
		About: report.Present(line(e.About.Repository), number, report.Wrapped("commit ", string(lists.First(commit, 7)), ""), started, line(e.Version)),
		Title: line(e.About.Title), Headline: line(report.Headline(e)), Outcome: said(e.Summary), Change: report.Section{Title: report.OverviewTitle, Lines: report.OverviewLines(e)},
		Caveats: report.Texts("Question", line(question), "Models", line(report.MissingParties(e, e.About.PullRequest > 0)), "Check", line(check)),
	}
	for _, note := range report.UpTo(maxListed, e.Notes) {
		h.Caveats = append(h.Caveats, report.Texts("Note", line(note))...)
	}
	return h
}

// decision is a decision with everything for a reader who did not follow the debate (R028).
type decision struct {
	Anchor     string
	Waits      bool
	Question   string
	Recommends string // the option, and its supporters
	Why        string
	Linked     string // ids of its findings
	Lists      []report.Section
	Answer     string // how to answer an open one
	Thread     []report.Side
}

// decisionOf is the i-th open or closed decision.
func decisionOf(e report.Envelope, d report.Decision, i int, open bool) decision {
	h := decision{Anchor: "closed-" + strconv.Itoa(i+1), Waits: open, Question: line(report.Question(d)), Recommends: line(report.Recommends(d)), Linked: line(report.Capped(d.Claims, ", ")), Thread: report.ThreadAbout(e, d)}
	which := report.NamedIn(e, d)
	if open {
		h.Anchor = "decision-" + strconv.Itoa(i+1)
	}
	switch {
	case !open:
	case e.About.PullRequest == 0:
		h.Answer = "To record your decision: debate decide RECORD " + which + "OPTION WHY"
	case e.Inquiry != nil:
		h.Answer = report.NotRecorded
	case report.Clickable(d):
		h.Answer = "Someone with write access approves the pull request, requests changes, or comments /debate decide " + which + "OPTION WHY."
	default:
		h.Answer = "Someone with write access comments /debate decide " + which + "OPTION WHY on the pull request."
	}
	if d.Why != "" && !report.RestsOnWhy(d) {
		h.Why = "Why: " + line(d.Why)
	}
	add := func(title string, entries []string) {
		h.Lists = append(h.Lists, report.Section{Title: title, Lines: entries})
	}
	add("Answers of people", report.HumanLines(e, d))
	add("Why a person decides", report.Reasons(d))
	ofMerge := d.ID == "D0" && e.Inquiry == nil
	if ofMerge && report.Recommended(d) == "revise" {
		add("Asked for before it is merged", lists.Map(slices.Concat(e.P1, e.P2), report.Named))
	}
	if d.ID == "D0" { // the thread of another question has them
		add("Other answers", report.Dissent(e, d))
	}
	if ofMerge {
		add("Alternatives", lists.Map(e.Alternatives, func(a report.Alternative) string { return a.Party + ": " + a.Text }))
	} else if d.ID != "D0" {
		add("Options", lists.Map(d.Options, report.OptionLine))
	}
	add("It also asks", d.Grouped)
	return h
}

// facts has the remaining details of a finding.
func facts(f report.Finding) string {
	also := report.Capped(lists.Map(f.Also(), report.Cited.At), ", ")
	rule := ""
	if len(f.Conversation) > 0 { // else the line about its finder names it
		rule = report.Wrapped("rule ", f.Rule, "")
	}
	out := []string{f.Category, rule, report.Wrapped("also at ", also, "")}
	if f.Carried != "" {
		out = append(out, "known since an earlier commit")
	}
	if raised := cmp.Or(f.Asserted, f.Severity); raised != f.Severity {
		out = append(out, "raised as "+string(raised))
	}
	return strings.Join(report.Present(out...), "; ")
}

// linesOf has the lines of the change around a finding, those of the finding marked, or else its
// quote. A quote that was not found is no code.
func linesOf(f report.Finding) []report.CodeLine {
	if len(f.Around) > 0 || f.Misquoted {
		return lists.First(f.Around, maxListed)
	}
	return report.QuotedLines(f.Quote, maxListed, maxLine, f.Line)
}

// rowOf has the class of a line of code.
func rowOf(l report.CodeLine) string {
	class := map[string]string{"+": "row plus", "-": "row minus"}[l.Mark]
	if l.Hit {
		return cmp.Or(class, "row") + " hit"
	}
	return cmp.Or(class, "row")
}

// look has the classes of a finding: its severity and its state.
func look(f report.Finding) string {
	class := cmp.Or(map[debate.Severity]string{debate.P1: "p1", debate.P2: "p2"}[f.Severity], "p3")
	switch {
	case f.Bucket == debate.Agreed:
		return class + " is-confirmed"
	case f.Bucket == debate.Dismissed, f.BucketReason == string(debate.ReasonKnown):
		return class + " is-gone"
	case report.Contradicted(f) && !report.NotEvaluated(f):
		return class + " is-disputed"
	}
	return class + " is-open"
}
