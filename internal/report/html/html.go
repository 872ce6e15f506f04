// Package html renders a report as one page that needs no other file. Its texts come from package
// report; the look of the page is its own.
package html

import (
	"cmp"
	_ "embed"
	"fmt"
	"html/template"
	"slices"
	"strings"
	"sync"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/report"
)

// MaxSize bounds the HTML report, in bytes: a browser on a phone still shows a
// page of this size.
const MaxSize = 2 << 20

// The bounds of the texts about one thing.
const (
	maxListed = 60   // entries of a list, rows of a table, lines of code
	maxLine   = 500  // characters of a field on one line
	maxSaid   = 4000 // characters of a text with line breaks
)

// pageParts has the parts of the page. The template escapes everything outside its own text.
//
//go:embed page.tmpl.html
var pageParts string

var pageTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{"spans": spans}).Parse(pageParts))
})

// span is a part of a text, as code or as it is.
type span struct {
	Text string
	Code bool
}

// spans splits a text: between two backticks of a line is code.
func spans(text string) []span {
	var all []span
	for line := range strings.Lines(text) {
		parts := strings.Split(line, "`")
		if len(parts)%2 == 0 { // one has no end
			parts = []string{line}
		}
		for i, part := range parts {
			if part != "" {
				all = append(all, span{part, i%2 == 1})
			}
		}
	}
	return all
}

// page is the page as the template sees it, and its writer. Everything it gives to the template
// went through line, said or code.
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
	p := &page{Headline: line(report.Headline(e)), Foot: foot(e)}
	p.Head = p.execute("head", headOf(e))
	p.room = MaxSize - len(p.execute("page", p)) - report.Reserved

	answers := report.Answered(e)
	p.add(section{ID: "answer", Title: "The question and its answer"}, len(answers), func(i int) template.HTML {
		return p.execute("said", fact{answers[i].Name, said(answers[i].Text)})
	})
	open, closed := report.Awaiting(e), report.Closed(e)
	p.add(section{ID: "decide", Title: "Decisions to make", Count: len(open)}, len(open), func(i int) template.HTML { return p.decision(e, open[i], i, true) })
	p.findings(e)
	if figures := figures(e); len(figures) > 0 {
		p.add(section{ID: "figures", Title: "Figures"}, 1, func(int) template.HTML { return p.execute("facts", figures) })
	}
	p.add(section{ID: "decisions", Title: "Recommendation"}, len(closed), func(i int) template.HTML { return p.decision(e, closed[i], i, false) })
	p.parts(section{ID: "notices", Title: "Also worth knowing"}, report.Noticed(e))
	p.parts(section{ID: "history", Title: "How the debate went", Fold: true}, report.History(e))
	p.parts(section{ID: "costs", Title: "Models, calls and costs", Fold: true}, append(report.Participants(e), calls(e)))
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

// findings adds the section of all findings, the confirmed ones first.
func (p *page) findings(e report.Envelope) {
	e.Unproved = nil // a list further down has a line of each
	all := slices.Collect(e.Findings())
	s := section{ID: "findings", Title: "Findings", Count: len(all), Note: report.Severities + "."}
	if e.Inquiry != nil {
		s.Title, s.Note = "Points of the debate", ""
	}
	p.add(s, len(all), func(i int) template.HTML { return p.execute("finding", findingOf(*all[i])) })
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
func said(s string) string {
	return strings.Trim(report.BoundedText(s, maxSaid), "\n")
}

// code is a quotation from outside, bounded.
func code(s string) string { return report.BoundedTo(s, maxListed, maxLine) }

// list is a list with a title. More entries than it shows are counted.
type list struct {
	Title string // fixed; "" for none
	Items []string
	More  int
}

func listOf(title string, entries []string) list {
	shown := min(len(entries), maxListed)
	return list{Title: title, Items: lists.Map(entries[:shown], line), More: len(entries) - shown}
}

// table is a table with its caption. More rows than it shows are counted.
type table struct {
	Caption string
	Head    []string
	Rows    [][]string
	More    int
}

// part is the content under a heading within a section.
type part struct {
	Title string
	List  list
	Table *table
}

// parts adds a section made of sections of the report below headings.
func (p *page) parts(in section, some []report.Section) {
	var all []part
	for _, s := range some {
		one := part{Title: s.Title, List: listOf("", s.Lines)}
		if len(s.Table) > 1 {
			rows := lists.Map(s.Table, func(row []string) []string { return lists.Map(row, line) })
			shown := min(len(rows), 1+maxListed)
			one.Table = &table{Caption: s.Title, Head: rows[0], Rows: rows[1:shown], More: len(rows) - shown}
		}
		if len(s.Lines) > 0 || one.Table != nil {
			all = append(all, one)
		}
	}
	p.add(in, len(all), func(i int) template.HTML { return p.execute("part", all[i]) })
}

// calls has one row for each call.
func calls(e report.Envelope) report.Section {
	rows := [][]string{{"Model", "Asked for", "After", "Took", "Cost", "Result"}}
	for _, c := range e.Calls {
		rows = append(rows, []string{
			c.Party, cmp.Or(asks[c.Kind], string(c.Kind)), report.Took(c.StartedMS), report.Took(c.TookMS),
			report.Cost(c.CostUSD, c.CostUnknown), strings.ReplaceAll(string(c.Status), "_", " "),
		})
	}
	return report.Section{Title: "All calls", Table: rows}
}

// asks has plain words for the kinds of calls.
var asks = map[debate.CallKind]string{
	debate.CallOpen: "opening", debate.CallLocal: "review alone", debate.CallChallenge: "challenge", debate.CallRespond: "answers",
	debate.CallRebut: "reply to the answers", debate.CallArbiter: "last look", debate.CallJudge1: "vote", debate.CallJudge2: "second vote",
	debate.CallScore: "scores", debate.CallSumUp: "summing up",
}

// foot is the origin of the page, and how to write it again.
func foot(e report.Envelope) []string {
	return report.Present(
		report.Wrapped("Review ", line(e.SessionID), "."),
		report.Wrapped("Record: ", line(e.Record), ""),
		report.Wrapped("SHA-256 that seals the record: ", line(e.Seal), ""),
		"debate replay RECORD proves that the record comes to the same result again; debate report RECORD --format html writes this page again.",
	)
}
