package admin

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"html/template"
	"maps"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"time"

	"github.com/prdebate/debate/internal/report"
)

// The bounds of a page.
const (
	pageRows   = 50               // of a list; further pages have the rest
	maxPages   = 10_000           // of a list
	pageWithin = 15 * time.Second // a page is written, or not at all
)

//go:embed page.tmpl.html
var pageParts string

var pageTemplate = sync.OnceValue(func() *template.Template { return template.Must(template.New("").Parse(pageParts)) })

// page is one page as the template sees it.
type page struct {
	Title    string
	Lead     string // the page's content, in a sentence or two
	Notice   string // the effect of the last form
	Live     bool   // the script keeps it up to date
	Sections []section

	Nav     []tab
	Person  string
	Version string
}

// tab is a link to a page of the dashboard, or to another view of this one.
type tab struct {
	Text, URL string
	Here      bool
	Count     int // of waiting entries, 0 for none
}

// section is a part of a page: a table, or advice instead of an empty one.
type section struct {
	ID    string // fixed
	Title string // "" if the page's title is enough
	Note  string
	Tabs  []tab
	Table *table
	Empty *empty
	Pager pager
}

// table is a list of things, one row each. On a phone each row is a card.
type table struct {
	Caption string // for screen readers
	Head    []column
	Rows    [][]cell
}

// column is the head of a column.
type column struct {
	Name   string
	Number bool // its cells are numbers, aligned right
}

// cell is a field of a table.
type cell struct {
	Text  string
	URL   string // link of Text, "" for none
	Away  bool   // URL leaves the dashboard
	Sub   string // below Text, smaller
	Marks []mark
	At    string // the moment in Text, for programs
	Exact string // the same moment for people, to the minute
	Again *again

	Name   string // of its column; the template needs it on a phone
	Number bool
}

// mark is a short highlighted word.
type mark struct{ Class, Text string }

// again is the form to run a job again.
type again struct{ Token, Subject, What string }

// empty explains an empty list, with advice.
type empty struct {
	Text string
	Next string
	Link *tab
}

// pager leads to the pages before and behind this one.
type pager struct{ Newer, Older, Here string }

// add appends a row. Each of its cells learns its column.
func (t *table) add(cells ...cell) {
	for i := range cells {
		cells[i].Name, cells[i].Number = t.Head[i].Name, t.Head[i].Number
	}
	t.Rows = append(t.Rows, cells)
}

var (
	errNoPage   = errors.New("there is no such page")
	errBadQuery = errors.New("the address does not exist")
)

// page returns a handler for a page, and for the requested part of its list.
func (d *Dashboard) page(make func(ctx context.Context, at part) (page, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		ctx, done := context.WithTimeout(r.Context(), pageWithin)
		defer done()
		at, err := partOf(r)
		var p page
		if err == nil {
			p, err = make(ctx, at)
		}
		if err != nil {
			d.broken(w, r, err)
			return
		}
		d.write(w, r.WithContext(ctx), http.StatusOK, p)
	}
}

// broken explains an error, with advice.
func (d *Dashboard) broken(w http.ResponseWriter, r *http.Request, err error) {
	switch {
	case errors.Is(err, errNoPage):
		d.write(w, r, http.StatusNotFound, page{Title: "Nothing here", Lead: "There is no such page. It may have been removed, or the address is wrong."})
	case errors.Is(err, errBadQuery):
		d.write(w, r, http.StatusBadRequest, page{Title: "Nothing here", Lead: "This address does not exist. Choose a page above."})
	default:
		d.Logger.ErrorContext(r.Context(), "a page of the dashboard could not be made", "path", r.URL.Path, "error", err)
		d.write(w, r, http.StatusServiceUnavailable, page{
			Title: "This page could not be made",
			Lead:  "The server says: " + d.reason(err) + ". Try again in a moment. If it goes on, look at the log of the server and at /readyz.",
		})
	}
}

// write sends a page. Nothing is sent before all of it is there.
func (d *Dashboard) write(w http.ResponseWriter, r *http.Request, status int, p page) {
	p.Version, p.Person = report.OneLine(d.Version), report.OneLine(person(r.Context()))
	p.Nav = d.nav(r)
	var b bytes.Buffer
	if err := pageTemplate().ExecuteTemplate(&b, "page", p); err != nil {
		d.Logger.ErrorContext(r.Context(), "a page of the dashboard could not be written", "path", r.URL.Path, "error", err)
		http.Error(w, "The page could not be written. The log of the server says why.", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	w.Write(b.Bytes())
}

// nav lists the pages of the dashboard with their counts. Without the database there are no
// counts; the page itself reports the error.
func (d *Dashboard) nav(r *http.Request) []tab {
	backlog, err := d.Database.Backlog(r.Context())
	if err != nil {
		backlog.Decisions, backlog.Parked = 0, 0
	}
	all := []tab{
		{Text: "Now", URL: "/"},
		{Text: "Reviews", URL: "/reviews"},
		{Text: "Decisions", URL: "/decisions", Count: backlog.Decisions},
		{Text: "Jobs", URL: "/jobs", Count: backlog.Parked},
		{Text: "Statistics", URL: "/statistics"},
		{Text: "Spending", URL: "/spending"},
		{Text: "Installations", URL: "/installations", Count: len(missing(d.gaps()))},
	}
	for i := range all {
		all[i].Here = all[i].URL == r.URL.Path
	}
	return all
}

// part is the requested part of a list.
type part struct {
	number int // 1 is the first
	path   string
	query  url.Values
}

// partOf reads the requested part of a list.
func partOf(r *http.Request) (part, error) {
	p := part{number: 1, path: r.URL.Path, query: r.URL.Query()}
	if text := p.query.Get("page"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > maxPages {
			return p, errBadQuery
		}
		p.number = n
	}
	return p, nil
}

// offset returns the number of rows before the part.
func (p part) offset() int { return (p.number - 1) * pageRows }

// pager links the neighbors of a part with so many found rows; the query asked for one row
// more than a page has.
func (p part) pager(found int) pager {
	to := func(n int) string {
		q := maps.Clone(p.query)
		q.Set("page", strconv.Itoa(n))
		return p.path + "?" + q.Encode()
	}
	var out pager
	if p.number > 1 {
		out.Newer = to(p.number - 1)
	}
	if found > pageRows && p.number < maxPages {
		out.Older = to(p.number + 1)
	}
	if out.Newer != "" || out.Older != "" {
		out.Here = "Page " + strconv.Itoa(p.number)
	}
	return out
}

// shown returns the rows of a part without the extra one.
func shown[T any](found []T) []T { return found[:min(len(found), pageRows)] }

// slice returns the rows of a part from all rows, and one more.
func slice[T any](p part, all []T) []T {
	from := min(p.offset(), len(all))
	return all[from:min(from+pageRows+1, len(all))]
}
