package admin

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/prdebate/debate/internal/event"
	"github.com/prdebate/debate/internal/store/database"
	"github.com/prdebate/debate/internal/testkit/admintest"
	"github.com/prdebate/debate/internal/testkit/databasetest"
)

var _ Database = (*database.DB)(nil)

// TestRealDatabase: what the server keeps in its database is on the pages, and a job that
// was given up is wanted again in it.
func TestRealDatabase(t *testing.T) {
	t.Parallel()
	for name, address := range map[string]func(testing.TB) string{"sqlite": databasetest.SQLite, "postgres": databasetest.Postgres} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx := t.Context()
			db, err := database.Open(ctx, address(t), database.Options{Now: func() time.Time { return admintest.Now }})
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			filled(t, db)
			o := options(db)
			o.Ready = []Check{{"the database", db.Ready}}
			d := New(o)
			for path, want := range map[string]string{
				"/":                    "1 review is running. 1 decision waits for a person. 1 job stopped after repeated errors.",
				"/reviews":             ">changes needed<",
				"/reviews/debate-done": `<section id="findings"`,
				"/decisions":           `<a href="https://github.com/acme/shop/issues/5"`,
				"/jobs":                "GitHub answered 502",
				"/statistics":          `<a href="/reviews?repository=501">`,
				"/spending":            "In all: $1.25.",
				"/spending?by=model":   "claude-sonnet",
				"/spending?by=pull":    "acme/shop #16",
				"/installations":       ">acme<",
				"/readyz":              "ready",
				"/metrics":             "debate_queue_parked 1",
			} {
				if w := get(d, path); w.Code != 200 || !strings.Contains(w.Body.String(), want) {
					t.Errorf("%s: %d, without %s: %s", path, w.Code, want, w.Body)
				}
			}
			if w := ask(d, form(d.forms.token(""), "501/pull/9")); w.Code != http.StatusSeeOther {
				t.Errorf("run again: %d %s", w.Code, w.Body)
			}
			if due, err := db.Due(ctx, admintest.Now.UnixMilli(), 10); err != nil || len(due) != 2 {
				t.Errorf("%d tasks are due, %v", len(due), err)
			}
		})
	}
}

// filled fills a database as a server does.
func filled(t *testing.T, db *database.DB) {
	t.Helper()
	ctx, now := t.Context(), admintest.Now.UnixMilli()
	shop := database.Repo{Installation: 77, ID: 501, Owner: "acme", Name: "shop"}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(db.PutInstallation(ctx, database.Installation{ID: 77, Account: "acme", Repos: []database.Repo{shop}}))
	debates := sample(t)
	log, err := db.BeginSession(ctx, database.Session{ID: "debate-done", Repo: shop, Pull: 16, Started: now - 90_000})
	must(err)
	for _, e := range debates.Records[debates.Held[5].ID].Entries {
		must(log.Append(e))
	}
	must(log.Close())
	must(db.EndSession(ctx, "debate-done", database.Session{Ended: now - 1000, Outcome: "CONSENSUS", P1: 1}))
	running, err := db.BeginSession(ctx, database.Session{ID: "debate-runs", Repo: shop, Pull: 7, Started: now - 5000})
	must(err)
	must(running.Close())
	must(db.Want(ctx, shop, event.Trigger{Number: 7}))
	must(db.Want(ctx, shop, event.Trigger{Number: 9}))
	must(db.Fail(ctx, "501/pull/9", database.Failure{Wanted: 1, Error: "GitHub answered 502", Park: true}))
	must(db.SetItems(ctx, shop, 4, []database.Item{{Decision: "D0", Question: "Drop it?", URL: "https://github.com/acme/shop/issues/5", AskedAt: now - 1000}}))
	must(db.Arrive(ctx, database.Session{}, 0, []database.Spend{{Session: "debate-done", Repo: shop, Pull: 16, Model: "claude-sonnet", Provider: "anthropic", Calls: 3, Micro: 1_250_000, At: now}}, nil))
}
