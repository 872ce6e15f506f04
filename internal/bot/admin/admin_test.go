package admin

import (
	"bytes"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/prdebate/debate/internal/bot/meter"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/redact"
	"github.com/prdebate/debate/internal/report"
	"github.com/prdebate/debate/internal/report/html"
	"github.com/prdebate/debate/internal/store"
	"github.com/prdebate/debate/internal/testkit/admintest"
	"github.com/prdebate/debate/internal/testkit/golden"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const secret = "hunter2hunter2hunter2"

var loopback = &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8081}

// options are those of a dashboard on this machine.
func options(db Database) Options {
	board := NewBoard()
	board.Set("debate-20261123-115500-1", Step{Text: "challenge: gpt", Calls: 2, Micro: 31_000})
	return Options{
		Database: db, Meter: meter.New("v1.2.3"), Board: board, Address: loopback, Key: []byte("a key for the tests"),
		GitHub: "https://github.com/", Install: func() string { return "https://github.com/apps/debate/installations/new" }, Version: "debate v1.2.3",
		Secrets: redact.New([]string{secret}, nil, nil), Logger: slog.New(slog.DiscardHandler), Now: func() time.Time { return admintest.Now },
		Render: func(_ store.Record, s debate.State) ([]byte, error) {
			return html.Render(report.FromState(s))
		},
	}
}

// sample is the database of a working day.
func sample(t *testing.T) *admintest.Database {
	t.Helper()
	db, err := admintest.Sample(filepath.Join("..", "..", "..", "testdata", "replay"))
	if err != nil {
		t.Fatal(err)
	}
	return db
}

// get asks for a path as somebody on this machine does.
func get(d *Dashboard, path string) *httptest.ResponseRecorder {
	return ask(d, request("GET", path, nil))
}

func ask(d *Dashboard, r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	d.ServeHTTP(w, r)
	return w
}

func request(method, path string, body io.Reader) *http.Request {
	r := httptest.NewRequest(method, path, body)
	r.Host, r.RemoteAddr = "127.0.0.1:8081", "127.0.0.1:50000"
	return r
}

// form is what the browser sends for "Run again".
func form(token, subject string) *http.Request {
	r := request("POST", "/jobs/run", strings.NewReader(url.Values{"token": {token}, "subject": {subject}}.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	return r
}

// TestPages compares all pages, of a server with reviews and of an empty one, with one file. What the App
// lacks comes first on the page of installations, and leads nowhere but to GitHub.
func TestPages(t *testing.T) {
	t.Parallel()
	paths := map[string]string{
		"now": "/", "reviews": "/reviews", "reviews-of-one": "/reviews?repository=503", "reviews-failed": "/reviews?result=failure", "decisions": "/decisions", "jobs": "/jobs", "jobs-ran": "/jobs?ran=1",
		"statistics": "/statistics", "spending": "/spending", "spending-model": "/spending?by=model&month=2026-10", "spending-pull": "/spending?by=pull", "installations": "/installations",
	}
	pages := make(map[string][]byte)
	for state, db := range map[string]Database{"": sample(t), "-empty": &admintest.Database{}} {
		for name, path := range paths {
			w := get(New(options(db)), path)
			if w.Code != 200 || w.Header().Get("Content-Type") != "text/html; charset=utf-8" {
				t.Errorf("%s: %d, %s", name+state, w.Code, w.Header().Get("Content-Type"))
			}
			pages[name+state+".html"] = w.Body.Bytes()
		}
		o := options(db)
		o.Gaps = func() []Gap {
			return []Gap{
				{Text: "the App asks for actions: write, which debate never uses", Link: "https://github.com/settings/apps/debate/permissions"},
				{Text: "the installation on acme does not grant checks: write: an owner has to accept it", Link: "https://github.com/organizations/acme/settings/installations/77", Missing: true},
				{Text: admintest.Hostile, Link: "javascript:alert(1)"},
			}
		}
		pages["gaps"+state+".html"] = get(New(o), "/installations").Body.Bytes()
	}
	pages["so-far.html"] = get(New(options(sample(t))), "/reviews/"+admintest.Running).Body.Bytes()
	golden.Pages(t, "testdata/pages.html", pages, report.Severities)
}

// TestGaps: the list of what the App lacks is bounded.
func TestGaps(t *testing.T) {
	t.Parallel()
	o := options(&admintest.Database{})
	o.Gaps = func() []Gap { return make([]Gap, 2*maxGaps) }
	if body := get(New(o), "/installations").Body.String(); strings.Count(body, `role="rowheader"`) != maxGaps {
		t.Error("the list is not bounded")
	}
}

// TestWarning: the first page says what is wrong with the server as a whole, the others do not.
func TestWarning(t *testing.T) {
	t.Parallel()
	o := options(sample(t))
	o.Warning = "no API key is set"
	d := New(o)
	for path, shows := range map[string]bool{"/": true, "/spending": false} {
		if body := get(d, path).Body.String(); strings.Contains(body, "Warning: no API key is set") != shows {
			t.Errorf("%s: %v", path, !shows)
		}
	}
}

func TestEveryAnswerIsProtected(t *testing.T) {
	t.Parallel()
	d := New(options(sample(t)))
	report := "/reviews/" + sample(t).Held[3].ID
	for _, path := range []string{"/", "/style.css", "/live.js", "/healthz", "/readyz", "/metrics", "/jobs", "/nowhere", "/reviews/nobody", report} {
		h := get(d, path).Header()
		for name, want := range map[string]string{"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cache-Control": "no-store", "X-Frame-Options": "DENY"} {
			if h.Get(name) != want {
				t.Errorf("%s: %s is %q", path, name, h.Get(name))
			}
		}
		policy := h.Get("Content-Security-Policy")
		if !strings.HasPrefix(policy, "default-src 'none'; ") || !strings.HasSuffix(policy, "frame-ancestors 'none'") || strings.Contains(policy, "unsafe") {
			t.Errorf("%s: %s", path, policy)
		}
		if path == report && !strings.Contains(policy, "style-src 'sha256-") {
			t.Errorf("the style of the report is not let through: %s", policy)
		}
	}
}

// TestHostileText: what others chose is text, on each page, and leads nowhere but to
// GitHub.
func TestHostileText(t *testing.T) {
	t.Parallel()
	d := New(options(admintest.HostileSample()))
	for _, path := range []string{"/", "/reviews", "/decisions", "/jobs", "/statistics", "/spending", "/spending?by=model", "/spending?by=pull", "/installations"} {
		body := get(d, path).Body.String()
		if !strings.Contains(body, "evil.example") {
			t.Errorf("%s shows nothing of the sample", path)
		}
		for _, bad := range []string{"<script src=https", "<img", "\u202e", "\x1b", `href="javascript`, `href="https://github.com.evil`, "49", strings.Repeat("W", 400)} {
			if strings.Contains(strings.ReplaceAll(body, "{{.Key}} ${7*7}", ""), bad) {
				t.Errorf("%s holds %q", path, bad)
			}
		}
		for _, link := range strings.Split(body, `href="`)[1:] {
			if !strings.HasPrefix(link, "/") && !strings.HasPrefix(link, "https://github.com/") && !strings.HasPrefix(link, "#") && !strings.HasPrefix(link, "data:,") {
				t.Errorf("%s leads to %.60s", path, link)
			}
		}
	}
}

func TestHostilePerson(t *testing.T) {
	t.Parallel()
	o := options(sample(t))
	o.Proxy = Proxy{Header: "X-Forwarded-User", From: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}
	r := request("GET", "/", nil)
	r.Header.Set("X-Forwarded-User", "<b>bob</b>")
	if body := ask(New(o), r).Body.String(); !strings.Contains(body, "signed in as <bdi>&lt;b&gt;bob&lt;/b&gt;</bdi>") {
		t.Error(body)
	}
}

func TestListsHavePages(t *testing.T) {
	t.Parallel()
	db := sample(t)
	for len(db.Held) < 2*pageRows+10 {
		db.Held = append(db.Held, db.Held[len(db.Held)-1])
	}
	for len(db.Items) < pageRows+1 {
		db.Items = append(db.Items, db.Items[0])
	}
	d := New(options(db))
	for _, c := range []struct {
		path         string
		rows         int
		newer, older string
	}{
		{"/reviews", pageRows, "", "/reviews?page=2"},
		{"/reviews?page=2", pageRows, "/reviews?page=1", "/reviews?page=3"},
		{"/reviews?page=3", 10, "/reviews?page=2", ""},
		{"/reviews?page=4", 0, "/reviews?page=3", ""},
		{"/decisions", pageRows, "", "/decisions?page=2"},
		{"/decisions?page=2", 1, "/decisions?page=1", ""},
		{"/decisions?page=10000", 0, "/decisions?page=9999", ""},
	} {
		body := get(d, c.path).Body.String()
		if rows := strings.Count(body, `role="rowheader"`); rows != c.rows {
			t.Errorf("%s has %d rows", c.path, rows)
		}
		for rel, to := range map[string]string{"prev": c.newer, "next": c.older} {
			if (to != "") != strings.Contains(body, `rel="`+rel+`"`) || to != "" && !strings.Contains(body, `rel="`+rel+`" href="`+to+`"`) {
				t.Errorf("%s does not lead to %q", c.path, to)
			}
		}
	}
}

func TestBadAddresses(t *testing.T) {
	t.Parallel()
	d := New(options(sample(t)))
	for path, want := range map[string]int{
		"/reviews?page=0": 400, "/reviews?page=-1": 400, "/reviews?page=x": 400, "/reviews?page=10001": 400, "/reviews?repository=x": 400, "/reviews?repository=-3": 400, "/reviews?result=x": 400,
		"/statistics?days=8": 400, "/statistics?days=x": 400, "/spending?by=person": 400, "/spending?month=2026-13": 400, "/spending?month=2027-01": 400, "/spending?month=1999-01": 400,
		"/decisions?page=x": 400, "/jobs?page=x": 400, "/installations?page=x": 400, "/statistics?page=x": 400, "/spending?page=x": 400,
		"/nowhere": 404, "/reviews/nobody": 404, "/reviews/": 404, "/%2e%2e/etc/passwd": 404, "/spending?month=2026-11": 200,
	} {
		if w := get(d, path); w.Code != want {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
	for _, method := range []string{"POST", "PUT", "DELETE"} {
		if w := ask(d, request(method, "/reviews", nil)); w.Code != http.StatusNotFound && w.Code != http.StatusMethodNotAllowed {
			t.Errorf("%s /reviews: %d", method, w.Code)
		}
	}
}

// TestDatabaseDown: each page says so in a line that holds no secret.
func TestDatabaseDown(t *testing.T) {
	t.Parallel()
	db := sample(t)
	session := db.Held[3].ID
	var log bytes.Buffer
	o := options(db)
	o.Logger = slog.New(slog.NewTextHandler(&log, nil))
	d := New(o)
	db.Break(&net.OpError{Op: "dial", Net: "tcp", Err: &net.AddrError{Err: "refused", Addr: secret}})
	for _, path := range []string{"/", "/reviews", "/decisions", "/jobs", "/statistics", "/spending", "/installations", "/reviews/" + session} {
		w := get(d, path)
		body := w.Body.String()
		if w.Code != 503 || !strings.Contains(body, "dial tcp: address [redacted]: refused") || strings.Contains(body, secret) {
			t.Errorf("%s: %d %s", path, w.Code, body)
		}
	}
	if !strings.Contains(log.String(), "a page of the dashboard could not be made") {
		t.Error("the log says nothing")
	}
	db.Break(nil)
	if w := get(d, "/"); w.Code != 200 {
		t.Errorf("afterwards: %d", w.Code)
	}
}
