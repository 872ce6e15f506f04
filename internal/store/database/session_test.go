package database_test

import (
	"errors"
	"io/fs"
	"testing"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/store/database"
)

func begun(id string, pull int, started int64) database.Session {
	return database.Session{ID: id, Repo: shop, Pull: pull, Subject: "186853002/pull/7", Title: "Drop a\ncolumn \x00", Head: "ec26c3e", Started: started}
}

// abort is an event.
func abort(n int) debate.Entry {
	return debate.Entry{N: n, At: 1, Event: debate.AbortedEvent{Reason: "why"}}
}

func TestSessions(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, address func(t testing.TB) string) {
		db := open(t, address(t), database.Options{Now: at(noon + 500)})
		unfinished := func() []database.Session {
			t.Helper()
			all, err := db.Sessions(t.Context(), database.SessionFilter{Repo: shop.ID, Pull: 7, Running: true})
			must(t, err)
			return all
		}
		if all := unfinished(); len(all) != 0 {
			t.Errorf("sessions in an empty database: %v", all)
		}
		for i, id := range []string{"debate-1", "debate-2", "debate-3"} {
			log, err := db.BeginSession(t.Context(), begun(id, 7+i/2, noon+int64(i)))
			must(t, err)
			must(t, log.Append(debate.Entry{N: 1, At: 1, Event: debate.AbortedEvent{Reason: id}}))
			must(t, log.Close())
		}
		if _, err := db.BeginSession(t.Context(), begun("debate-1", 7, noon)); !errors.Is(err, fs.ErrExist) {
			t.Errorf("begun twice: %v", err)
		}
		log, rec, err := db.Resume(t.Context(), unfinished()[0].ID)
		if err != nil || len(rec.Entries) != 1 || rec.Entries[0].Event != (debate.AbortedEvent{Reason: "debate-2"}) {
			t.Fatalf("the newest unfinished session: %+v, %v", rec, err)
		}
		must(t, log.Append(debate.Entry{N: 2, At: 2, Event: debate.AbortedEvent{Reason: "on"}}))

		end := begun("", 0, 0)
		end.Title, end.Outcome, end.Conclusion, end.P1, end.P3, end.Micro, end.Unpriced, end.Calls = "Drop", "CONSENSUS", "failure", 1, 2, 170_000, true, 12
		must(t, db.EndSession(t.Context(), "debate-2", end))
		must(t, db.EndSession(t.Context(), "debate-1", database.Session{Ended: noon + 9}))
		if err := db.EndSession(t.Context(), "debate-9", end); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("the end of nothing: %v", err)
		}
		if all := unfinished(); len(all) != 0 {
			t.Errorf("all have ended: %v", all)
		}
		want := begun("debate-2", 7, noon+1)
		want.Title, want.Ended, want.Outcome, want.Conclusion, want.P1, want.P3, want.Micro, want.Unpriced, want.Calls = "Drop", noon+500, "CONSENSUS", "failure", 1, 2, 170_000, true, 12
		all, err := db.Sessions(t.Context(), database.SessionFilter{Repo: shop.ID})
		must(t, err)
		if len(all) != 3 || all[0].ID != "debate-3" || all[0].Title != "Drop a column" {
			t.Fatalf("sessions: %+v", all)
		}
		same(t, "an ended session", all[1], want)
		for f, n := range map[database.SessionFilter]int{{Pull: 7}: 2, {Running: true}: 1, {Limit: 1}: 1, {Repo: docs.ID}: 0, {Conclusion: "failure"}: 1, {Conclusion: "success"}: 0} {
			if some, err := db.Sessions(t.Context(), f); err != nil || len(some) != n {
				t.Errorf("%+v: %d sessions, want %d; %v", f, len(some), n, err)
			}
		}
		again, err := db.Record(t.Context(), "debate-2")
		if err != nil || len(again.Entries) != 2 || again.Last != log.Last() {
			t.Errorf("the record: %+v, %v", again, err)
		}
	})
}
