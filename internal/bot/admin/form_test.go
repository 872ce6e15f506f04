package admin

import (
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/prdebate/debate/internal/store/database"
	"github.com/prdebate/debate/internal/testkit/admintest"
)

const stopped = "502/sweep"

// parked reports whether the sample's job is still given up.
func parked(t *testing.T, db *admintest.Database) bool {
	t.Helper()
	tasks, err := db.Tasks(t.Context(), database.TaskFilter{Parked: true, Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range tasks {
		if one.Subject == stopped {
			return true
		}
	}
	return false
}

func TestRunAgain(t *testing.T) {
	t.Parallel()
	db := sample(t)
	o := options(db)
	woken := 0
	o.Wake = func() { woken++ }
	d := New(o)
	token := d.forms.token("")
	if page := get(d, "/jobs").Body.String(); !strings.Contains(page, `<input type="hidden" name="token" value="`+token+`">`) || !strings.Contains(page, `name="subject" value="`+stopped+`"`) {
		t.Fatal(page)
	}
	w := ask(d, form(token, stopped))
	if w.Code != http.StatusSeeOther || w.Header().Get("Location") != "/jobs?ran=1" {
		t.Fatalf("%d %s: %s", w.Code, w.Header().Get("Location"), w.Body)
	}
	if parked(t, db) || woken != 1 {
		t.Errorf("the job is still given up, or nobody was woken: %d", woken)
	}
	after := get(d, "/jobs?ran=1").Body.String()
	if !strings.Contains(after, "The job runs again.") || strings.Contains(after, stopped) {
		t.Error(after)
	}
	if now := get(d, "/").Body.String(); !strings.Contains(now, "all open pull requests of acme/docs") {
		t.Error("the job is not in line:", now)
	}
}

// TestFormsOfOthers: nothing but our own page, shown to the same person not long ago, can
// change something.
func TestFormsOfOthers(t *testing.T) {
	t.Parallel()
	now := admintest.Now
	for name, change := range map[string]func(d *Dashboard, r *http.Request){
		"another site":               func(_ *Dashboard, r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") },
		"another site of the domain": func(_ *Dashboard, r *http.Request) { r.Header.Set("Sec-Fetch-Site", "same-site") },
		"another origin": func(_ *Dashboard, r *http.Request) {
			r.Header.Del("Sec-Fetch-Site")
			r.Header.Set("Origin", "https://evil.example")
		},
		"a hidden origin": func(_ *Dashboard, r *http.Request) {
			r.Header.Del("Sec-Fetch-Site")
			r.Header.Set("Origin", "null")
		},
		"no token":         func(d *Dashboard, r *http.Request) { *r = *form("", stopped) },
		"a made-up token":  func(d *Dashboard, r *http.Request) { *r = *form("AAAA", stopped) },
		"a token of alice": func(d *Dashboard, r *http.Request) { *r = *form(d.forms.token("alice"), stopped) },
		"a token in the address": func(d *Dashboard, r *http.Request) {
			*r = *form("", stopped)
			r.URL.RawQuery = "token=" + d.forms.token("")
		},
		"a token of yesterday": func(d *Dashboard, r *http.Request) {
			d.forms.now = func() time.Time { return now.Add(-2 * formLife) }
			*r = *form(d.forms.token(""), stopped)
			d.forms.now = func() time.Time { return now }
		},
		"a token of another server": func(d *Dashboard, r *http.Request) {
			*r = *form((&forms{key: []byte("another"), now: d.Now}).token(""), stopped)
		},
		"a huge body": func(d *Dashboard, r *http.Request) {
			*r = *form(d.forms.token(""), stopped+strings.Repeat("x", maxForm))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := sample(t)
			d := New(options(db))
			r := form(d.forms.token(""), stopped)
			change(d, r)
			if w := ask(d, r); w.Code != http.StatusForbidden || !strings.Contains(w.Body.String(), "again") {
				t.Errorf("%d %s", w.Code, w.Body)
			}
			if !parked(t, db) {
				t.Error("the job runs again")
			}
		})
	}
}

func TestFormsThatAreTaken(t *testing.T) {
	t.Parallel()
	now := admintest.Now
	for name, change := range map[string]func(d *Dashboard, r *http.Request){
		"same origin":        func(*Dashboard, *http.Request) {},
		"by the address bar": func(_ *Dashboard, r *http.Request) { r.Header.Set("Sec-Fetch-Site", "none") },
		"an older browser": func(_ *Dashboard, r *http.Request) {
			r.Header.Del("Sec-Fetch-Site")
			r.Header.Set("Origin", "http://127.0.0.1:8081")
		},
		"a page that stood open": func(d *Dashboard, r *http.Request) {
			d.forms.now = func() time.Time { return now.Add(-formLife) }
			*r = *form(d.forms.token(""), stopped)
			d.forms.now = func() time.Time { return now }
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := sample(t)
			d := New(options(db))
			r := form(d.forms.token(""), stopped)
			change(d, r)
			if w := ask(d, r); w.Code != http.StatusSeeOther || parked(t, db) {
				t.Errorf("%d %s", w.Code, w.Body)
			}
		})
	}
}

// TestTokenIsOfAPerson: behind a proxy, each person has tokens of their own.
func TestTokenIsOfAPerson(t *testing.T) {
	t.Parallel()
	db := sample(t)
	o := options(db)
	o.Proxy = Proxy{Header: "X-Forwarded-User", From: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}
	d := New(o)
	r := form(d.forms.token("bob"), stopped)
	r.Header.Set("X-Forwarded-User", "alice")
	if w := ask(d, r); w.Code != http.StatusForbidden {
		t.Errorf("alice with a token of bob: %d", w.Code)
	}
	r = form(d.forms.token("bob"), stopped)
	r.Header.Set("X-Forwarded-User", "bob")
	if w := ask(d, r); w.Code != http.StatusSeeOther || parked(t, db) {
		t.Errorf("bob: %d", w.Code)
	}
}

func TestRunAgainWithoutDatabase(t *testing.T) {
	t.Parallel()
	db := sample(t)
	d := New(options(db))
	db.Break(admintest.ErrDown)
	if w := ask(d, form(d.forms.token(""), stopped)); w.Code != http.StatusServiceUnavailable || !strings.Contains(w.Body.String(), "the disk is full") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}
