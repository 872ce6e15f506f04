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

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/report"
)

// MaxSize bounds the HTML report, in bytes: a browser on a phone still shows a
// page of this size.
const MaxSize = 2 << 20

// maxPageDecisions bounds, in bytes, the decisions that wait for a person. They are shortened
// first, and left out only if that is not enough.
const maxPageDecisions = MaxSize / 2

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

// Render renders the envelope as one page that needs no other file: no script, no address, no
// picture. It works offline, printed and read aloud. Text from outside stays text, with its line
// breaks, and invisible characters appear as code points. Parts beyond MaxSize are left out and
// counted, the history first; the outcome and the decisions of people never are.
//
// It fails if the template cannot write a part.
func Render(e report.Envelope) ([]byte, error) {
	var failed error
	w := pageWriter{scale: fullScale, anchors: anchors(e), text: "pull request text", failed: &failed}
	if e.Inquiry != nil {
		w.text = "question"
	}
	p := htmlPage{Headline: w.line(report.Headline(e)), Head: w.execute("head", w.head(e)), Foot: w.foot(e)}
	room := &pageRoom{bytes: MaxSize - len(w.execute("page", p)) - report.Reserved}
	room.add(&p, htmlSection{ID: "answer", Title: "The question and its answer", Blocks: w.answers(e)})
	decide := htmlSection{ID: "decide", Title: "Decisions to make", Count: len(report.Awaiting(e)), Blocks: w.waiting(e)}
	room.add(&p, decide)
	decideAt := len(p.Sections) - 1
	w.anchors = room.findings(&p, w, e)
	if len(decide.Blocks) > 0 { // it must not link to a finding left out
		p.Sections[decideAt].Blocks = w.waiting(e)[:len(p.Sections[decideAt].Blocks)]
	}
	if figures := w.figures(e); len(figures) > 0 {
		room.add(&p, htmlSection{ID: "figures", Title: "Figures", Blocks: []template.HTML{w.execute("facts", figures)}})
	}
	room.add(&p, htmlSection{ID: "decisions", Title: "Recommendation", Blocks: w.decisions(e)})
	room.add(&p, htmlSection{ID: "notices", Title: "Also worth knowing", Blocks: w.parts(report.Noticed(e))})
	room.add(&p, htmlSection{ID: "history", Title: "How the debate went", Blocks: w.folded("Show how the debate went", w.gain(e), w.parts(report.History(e)))})
	calls := [][]string{{"Model", "Asked for", "After", "Took", "Cost", "Result"}}
	for _, c := range e.Calls {
		calls = append(calls, []string{c.Party, askedFor(c.Kind), report.Took(c.StartedMS), report.Took(c.TookMS), report.Cost(c.CostUSD, c.CostUnknown), strings.ReplaceAll(string(c.Status), "_", " ")})
	}
	all := append(report.Participants(e), report.Section{Title: "All calls", Table: calls})
	room.add(&p, htmlSection{ID: "costs", Title: "Models, calls and costs", Blocks: w.folded("Show models, calls and costs", w.timeline(e), w.parts(all))})
	if room.left > 0 {
		p.Foot = append([]string{fmt.Sprintf("The report is too long for a page: %s left out. The record holds everything.", report.Count(room.left, "part"))}, p.Foot...)
	}
	page := []byte(w.execute("page", p))
	if failed != nil {
		return nil, failed
	}
	return page, nil
}

// htmlPage is the page as the template sees it.
type htmlPage struct {
	Headline string
	Head     template.HTML
	Sections []htmlSection
	Foot     []string
}

// htmlSection is a part of the page with a heading. Its blocks were written by the
// template itself.
type htmlSection struct {
	ID     string // fixed
	Title  string // fixed
	Count  int    // of its entries, 0 for no number
	Note   string // fixed, below the title
	Blocks []template.HTML
	Filter template.HTML // above the blocks
}

// pageRoom is the room left on the page.
type pageRoom struct {
	bytes int
	left  int // blocks without room
}

// chrome, in bytes, is more than the page adds around the blocks of a section.
const chrome = 500

// add adds a section with as many of its blocks as fit.
func (r *pageRoom) add(p *htmlPage, s htmlSection) {
	blocks := s.Blocks
	s.Blocks = nil
	r.each(p, s, len(blocks), func(i int) template.HTML { return blocks[i] })
}

// findings adds the section of all findings, the confirmed ones first, and returns the anchors of
// those that fit.
func (r *pageRoom) findings(p *htmlPage, w pageWriter, e report.Envelope) map[string]string {
	without := e
	without.Unproved = nil // a list further down has a line of each
	all := slices.Collect(without.Findings())
	s := htmlSection{ID: "findings", Title: "Findings", Count: len(all), Note: report.Severities + "."}
	if e.Inquiry != nil {
		s.Title, s.Note = "Points of the debate", ""
	}
	if len(all) > 1 {
		s.Filter = w.execute("filter", w.filter(all))
		r.bytes -= len(s.Filter)
	}
	shown := make(map[string]string)
	n := r.each(p, s, len(all), func(i int) template.HTML { return w.article(*all[i]) })
	for _, f := range all[:n] {
		shown[f.ID] = w.anchors[f.ID]
	}
	return shown
}

// maxArticle bounds, in bytes, a finding: a longer one is written shorter.
const maxArticle = 64 << 10

// article is a finding, at ever smaller scales until it is no longer than others.
func (w pageWriter) article(f report.Finding) template.HTML {
	var text template.HTML
	for _, scale := range []pageScale{w.scale, {listed: report.MaxListed, line: report.MaxEntry, said: report.MaxBody}, {listed: report.MaxSides, line: report.MaxTitle, said: report.MaxTitle}} {
		w.scale = scale
		if text = w.execute("finding", w.finding(f)); len(text) <= maxArticle {
			break
		}
	}
	return text
}

// each adds a section with its n blocks up to the first without room, and returns their number.
// It does not write the blocks after that one.
func (r *pageRoom) each(p *htmlPage, s htmlSection, n int, block func(i int) template.HTML) int {
	r.bytes -= chrome
	for i := range n {
		text := block(i)
		if len(text) > r.bytes {
			r.left += n - i
			break
		}
		r.bytes -= len(text)
		s.Blocks = append(s.Blocks, text)
	}
	if len(s.Blocks) > 0 {
		p.Sections = append(p.Sections, s)
	}
	return len(s.Blocks)
}

// execute writes one part of the template. An error makes Render fail.
func (w pageWriter) execute(name string, data any) template.HTML {
	var b strings.Builder
	if err := pageTemplate().ExecuteTemplate(&b, name, data); err != nil {
		*w.failed = cmp.Or(*w.failed, fmt.Errorf("write %s of the page: %w", name, err))
	}
	return template.HTML(b.String())
}

// pageScale bounds the texts about one thing.
type pageScale struct {
	listed int // entries of a list, rows of a table
	line   int // characters of a field on one line
	said   int // characters of a text with line breaks
}

// fullScale is the normal scale.
var fullScale = pageScale{listed: 200, line: 2000, said: 10_000}

// pageWriter writes parts of the page. Everything it gives to the template went through line,
// said or code.
type pageWriter struct {
	scale   pageScale
	anchors map[string]string // of the claims on the page, by their ids
	text    string            // the name for people of the text of the pull request or the question
	failed  *error            // the first error of the template
}

// line is a field from outside on one line, bounded.
func (w pageWriter) line(s string) string { return report.ClipLine(s, w.scale.line) }

// said is a text from outside with its line breaks, bounded.
func (w pageWriter) said(s string) string {
	return strings.Trim(comment.Clip(comment.Terminal(comment.Clip(s, w.scale.said)), w.scale.said), "\n")
}

// code is a quotation from outside, bounded.
func (w pageWriter) code(s string) string { return report.BoundedTo(s, w.scale.listed, w.scale.line) }

// htmlList is a list with a title. More entries than it shows are counted.
type htmlList struct {
	Title string // fixed; "" for none
	Items []string
	More  int
}

func (w pageWriter) list(title string, entries []string) htmlList {
	l := htmlList{Title: title, More: w.beyond(len(entries))}
	for _, entry := range entries[:len(entries)-l.More] {
		l.Items = append(l.Items, w.line(entry))
	}
	return l
}

// beyond is how many of so many entries a list does not show.
func (w pageWriter) beyond(entries int) int { return max(0, entries-w.scale.listed) }

// htmlTable is a table with its caption. More rows than it shows are counted.
type htmlTable struct {
	Caption string
	Head    []string
	Rows    [][]string
	More    int
}

// htmlPart is the content under a heading within a section.
type htmlPart struct {
	Title string
	List  htmlList
	Table *htmlTable
}

// parts are sections of the report below headings.
func (w pageWriter) parts(sections []report.Section) []template.HTML {
	var out []template.HTML
	for _, s := range sections {
		part := htmlPart{Title: s.Title, List: w.list("", s.Lines)}
		if more := len(s.Table) - 1; more > 0 {
			part.Table = &htmlTable{Caption: s.Title, Head: lists.Map(s.Table[0], w.line), More: w.beyond(more)}
			for _, row := range s.Table[1 : 1+more-part.Table.More] {
				part.Table.Rows = append(part.Table.Rows, lists.Map(row, w.line))
			}
		}
		if len(s.Lines) > 0 || part.Table != nil {
			out = append(out, w.execute("part", part))
		}
	}
	return out
}

// folded hides a chart and other blocks behind a line to open them.
func (w pageWriter) folded(title string, chart *htmlChart, blocks []template.HTML) []template.HTML {
	if chart != nil {
		blocks = append([]template.HTML{w.execute("chart", chart)}, blocks...)
	}
	if len(blocks) == 0 {
		return nil
	}
	return []template.HTML{w.execute("fold", htmlSection{Title: title, Blocks: blocks})}
}

// foot is the origin of the page, and how to write it again.
func (w pageWriter) foot(e report.Envelope) []string {
	return report.Present(
		report.Wrapped("Review ", w.line(e.SessionID), "."),
		report.Wrapped("Record: ", w.line(e.Record), ""),
		report.Wrapped("SHA-256 that seals the record: ", w.line(e.Seal), ""),
		"debate replay RECORD proves that the record comes to the same result again; debate report RECORD --format html writes this page again.",
	)
}

// answers are the question of an inquiry, its answer and the choice.
func (w pageWriter) answers(e report.Envelope) []template.HTML {
	var out []template.HTML
	for _, part := range report.Answered(e) {
		out = append(out, w.execute("said", htmlSaid{part.Name, w.said(part.Text)}))
	}
	return out
}

// htmlSaid is a text with a fixed title.
type htmlSaid struct{ Title, Text string }

// anchors names the places of claims on the page, merged ones included. A name is a number: no
// text from outside becomes part of an address.
func anchors(e report.Envelope) map[string]string {
	at := make(map[string]string)
	n := 0
	for f := range e.Findings() {
		n++
		for _, id := range f.Claims() {
			at[id] = cmp.Or(at[id], "claim-"+strconv.Itoa(n))
		}
	}
	delete(at, "") // an empty id has no link
	return at
}

// severityClass is how a severity looks.
func severityClass(s debate.Severity) string {
	return cmp.Or(severityClasses[s], "p3")
}

var severityClasses = map[debate.Severity]string{debate.P1: "p1", debate.P2: "p2"}
