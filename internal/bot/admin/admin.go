// Package admin is the operator's view of the server: health, readiness, metrics, and a
// dashboard with running and finished reviews, open decisions, stopped jobs and the costs.
// It reads the database and changes one thing: a stopped job runs again.
//
//	request ─> gate: may this one see it? ─> mux ─┬─> /healthz, /readyz  (open to all, name nothing)
//	              │ no                            ├─> /metrics
//	              └─> 403                         ├─> pages: database ─> page ─> template
//	                                              ├─> /events: live ─> what runs now
//	                                              └─> /jobs/run: form check ─> database
//
// Pages are plain HTML. One small script updates the first one; without it, there is a
// link. All text from pull requests, models and GitHub is hostile: it is bounded, made
// visible, and escaped by the template.
package admin

import (
	"context"
	"crypto/rand"
	_ "embed"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/prdebate/debate/internal/bot/meter"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/redact"
	"github.com/prdebate/debate/internal/store"
	"github.com/prdebate/debate/internal/store/database"
)

// Database is the part of the database for the pages.
type Database interface {
	Backlog(ctx context.Context) (database.Backlog, error)
	Sessions(ctx context.Context, f database.SessionFilter) ([]database.Session, error)
	Record(ctx context.Context, session string) (store.Record, error)
	Tasks(ctx context.Context, f database.TaskFilter) ([]database.Task, error)
	Unpark(ctx context.Context, subject string) error
	OpenItems(ctx context.Context) ([]database.Item, error)
	Installations(ctx context.Context) ([]database.Installation, error)
	RepoStats(ctx context.Context, f database.StatsFilter) ([]database.RepoStats, error)
	SpendBy(ctx context.Context, f database.SpendFilter) ([]database.Spend, error)
}

// Check is a condition for readiness. Its name comes before its error: "the database".
type Check struct {
	Name string
	Run  func(ctx context.Context) error
}

// Gap is a missing or an unneeded permission of the App or an installation.
type Gap struct {
	Text    string // a sentence without its full stop
	Link    string // of GitHub's page to change it, "" if unknown
	Missing bool   // without it debate cannot do all of its work
}

// Options are the parts of a dashboard.
type Options struct {
	Database Database
	Meter    *meter.Meter
	Ready    []Check
	// Render writes the HTML report of an ended review.
	Render func(rec store.Record, s debate.State) ([]byte, error)
	// Board has the steps of this process's reviews.
	Board *Board
	// Gaps returns the known gaps of the App; nil for none.
	Gaps func() []Gap
	// Install returns the address at which the App is installed, "" if it is not known; nil: never.
	Install func() string
	// Wake is called when a job is wanted again; nil: its dispatcher finds it by itself.
	Wake func()

	Address net.Addr // of the listener
	Proxy   Proxy    // needed if Address is not loopback
	// Key signs the forms of the pages. Servers with one address need the same key; nil is
	// a random one.
	Key []byte

	Warning string // about the server as a whole, shown on the first page
	GitHub  string // its address for people, such as https://github.com
	Version string
	Secrets *redact.Redactor // taken out of errors before they are shown; may be nil
	Logger  *slog.Logger
	Now     func() time.Time
	Ended   <-chan struct{} // closed when the server stops: it ends the live updates
}

// Dashboard answers the requests of the admin listener.
type Dashboard struct {
	Options
	gate     gate
	forms    forms
	live     live
	verdicts *verdicts
	mux      *http.ServeMux
}

// New returns the handler of the admin listener.
func New(o Options) *Dashboard {
	if len(o.Key) == 0 {
		o.Key = []byte(rand.Text())
	}
	o.GitHub = strings.TrimSuffix(o.GitHub, "/")
	tcp, ok := o.Address.(*net.TCPAddr)
	d := &Dashboard{
		Options:  o,
		gate:     gate{loopback: ok && tcp.IP.IsLoopback(), proxy: o.Proxy},
		forms:    forms{key: o.Key, now: o.Now},
		live:     live{listeners: make(chan struct{}, maxListeners)},
		verdicts: newVerdicts(o.Database),
		mux:      http.NewServeMux(),
	}
	if d.gate.shut() {
		o.Logger.Warn("the dashboard stays closed: its address is not a loopback one, and no proxy signs people in: set --proxy-header and --proxy-from, or --admin-listen 127.0.0.1:8081", "address", o.Address.String())
	}
	d.route()
	return d
}

// The files of the pages.
var (
	//go:embed style.css
	style []byte
	//go:embed live.js
	script []byte
)

// route adds the handlers of all paths.
func (d *Dashboard) route() {
	d.mux.Handle("GET /metrics", d.Meter.Handler(d.backlog))
	d.mux.HandleFunc("GET /style.css", file("text/css; charset=utf-8", style))
	d.mux.HandleFunc("GET /live.js", file("text/javascript; charset=utf-8", script))
	d.mux.HandleFunc("GET /events", d.events)
	d.mux.HandleFunc("GET /{$}", d.page(d.nowPage))
	d.mux.HandleFunc("GET /reviews", d.page(d.reviewsPage))
	d.mux.HandleFunc("GET /reviews/{id}", d.report)
	d.mux.HandleFunc("GET /decisions", d.page(d.decisionsPage))
	d.mux.HandleFunc("GET /jobs", d.page(d.jobsPage))
	d.mux.HandleFunc("POST /jobs/run", d.runAgain)
	d.mux.HandleFunc("GET /statistics", d.page(d.statisticsPage))
	d.mux.HandleFunc("GET /spending", d.page(d.spendingPage))
	d.mux.HandleFunc("GET /installations", d.page(d.installationsPage))
	d.mux.HandleFunc("/", d.page(func(context.Context, part) (page, error) { return page{}, errNoPage }))
}

// ServeHTTP answers a request, or refuses it.
func (d *Dashboard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	protect(w.Header())
	if r.URL.Path == "/healthz" { // without any details: anyone may ask
		if reads(w, r) {
			plain(w, http.StatusOK, "alive")
		}
		return
	}
	who, why := d.gate.admit(r)
	if r.URL.Path == "/readyz" {
		d.ready(w, r, why == "")
		return
	}
	if why != "" {
		http.Error(w, why, http.StatusForbidden)
		return
	}
	d.mux.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), personKey{}, who)))
}

// protect sets the headers of every answer: no caching, embedding, type guessing or
// referrer, and no other scripts or files than the two of the pages.
func protect(h http.Header) {
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cache-Control", "no-store")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
}

// file answers with a file of the pages.
func file(kind string, content []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", kind)
		w.Write(content)
	}
}
