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

// pageParts has the parts of the page. The template escapes everything outside its own text, and
// bounds each field from outside with line, said or code.
//
//go:embed page.tmpl.html
var pageParts string

var pageTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{
		"line": line, "said": said, "code": code, "spans": spans, "list": listOf, "rows": rows, "bounded": report.Bounded,
		"look": look, "lines": linesOf, "facts": facts, "place": report.Place, "standing": report.Standing, "settled": report.Settled,
		"tests": report.Proofs, "talk": talk, "leftOut": report.LeftOut, "speaker": report.Speaker, "spoken": report.Spoken, "finders": report.StandsBehind,
	}).Parse(pageParts))
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
		report.Wrapped("SHA-256 that seals the record: ", line(e.Seal), ""),
		"debate replay RECORD proves that the record comes to the same result again; debate report RECORD --format html writes this page again.",
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
	if figures := figures(e); len(figures) > 0 {
		p.add(section{ID: "figures", Title: "Figures"}, 1, func(int) template.HTML { return p.execute("facts", figures) })
	}
	p.add(section{ID: "decisions", Title: "Recommendation"}, len(closed), func(i int) template.HTML { return p.execute("decision", decisionOf(e, closed[i], i, false)) })
	p.parts(section{ID: "notices", Title: "Also worth knowing"}, report.Noticed(e))
	p.parts(section{ID: "history", Title: "How the debate went", Fold: true}, report.History(e))

	calls := [][]string{{"Model", "Asked for", "After", "Took", "Cost", "Result"}}
	for _, c := range e.Calls {
		calls = append(calls, []string{
			c.Party, cmp.Or(asks[c.Kind], string(c.Kind)), report.Took(c.StartedMS), report.Took(c.TookMS),
			report.Cost(c.CostUSD, c.CostUnknown), strings.ReplaceAll(string(c.Status), "_", " "),
		})
	}
	p.parts(section{ID: "costs", Title: "Models, calls and costs", Fold: true}, append(report.Participants(e), report.Section{Title: "All calls", Table: calls}))
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
	some = lists.Keep(some, func(s report.Section) bool { return len(s.Lines) > 0 || len(s.Table) > 1 })
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

// rows has the rows of a table below its head. More than it shows are counted.
func rows(table [][]string) (out struct {
	Rows [][]string
	More int
}) {
	out.Rows = table[1:min(len(table), 1+maxListed)]
	out.More = len(table) - 1 - len(out.Rows)
	return out
}

// asks has plain words for the kinds of calls.
var asks = map[debate.CallKind]string{
	debate.CallOpen: "opening", debate.CallLocal: "review alone", debate.CallChallenge: "challenge", debate.CallRespond: "answers",
	debate.CallRebut: "reply to the answers", debate.CallArbiter: "last look", debate.CallJudge1: "vote", debate.CallJudge2: "second vote",
	debate.CallScore: "scores", debate.CallSumUp: "summing up",
}
