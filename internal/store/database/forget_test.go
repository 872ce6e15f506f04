package database_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/event"
	"github.com/prdebate/debate/internal/store/database"
)

// day is a day of 2026 at noon, Unix ms.
func day(month time.Month, d int) int64 {
	return time.Date(2026, month, d, 12, 0, 0, 0, time.UTC).UnixMilli()
}

func TestForget(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, address func(t testing.TB) string) {
		db := open(t, address(t), database.Options{Now: at(day(5, 20))})
		begin := func(id string, started, ended int64) {
			log, err := db.BeginSession(t.Context(), begun(id, 7, started))
			must(t, err)
			must(t, log.Append(debate.Entry{N: 1, At: 1, Event: debate.AbortedEvent{Reason: id}}))
			if ended != 0 {
				must(t, db.EndSession(t.Context(), id, database.Session{Ended: ended}))
			}
		}
		begin("debate-old", day(3, 1), day(3, 2))
		begin("debate-left", day(3, 3), 0)
		begin("debate-long", day(3, 4), day(5, 19))
		begin("debate-new", day(5, 18), 0)
		old, recent := opened("old", shop, 7, day(3, 1)), opened("new", shop, 7, day(5, 18))
		accept(t, db, old)
		accept(t, db, recent)
		closed := database.Item{Decision: "D1", AskedAt: day(3, 1), ClosedAt: day(3, 2)}
		waiting := database.Item{Decision: "D2", AskedAt: day(3, 1)}
		must(t, db.SetItems(t.Context(), shop, 7, []database.Item{closed, waiting}))
		unpriced := spent("debate-2", shop, 7, "claude", 20, day(3, 31))
		unpriced.Unpriced = true
		must(t, db.Arrive(t.Context(), database.Session{}, 0, []database.Spend{
			spent("debate-1", shop, 7, "claude", 1, day(3, 1)), unpriced, spent("debate-3", shop, 7, "claude", 300, day(4, 1)),
			spent("debate-4", docs, 8, "claude", 4000, day(3, 1)), spent("debate-5", shop, 7, "claude", 50_000, day(5, 1)), spent("debate-6", shop, 7, "claude", 600_000, day(5, 18)),
		}, nil))

		group := func(head string) event.Trigger { return event.Trigger{Event: "merge_group", QueueHead: head} }
		now := day(3, 1)
		past := open(t, db.Address(), database.Options{Now: func() time.Time { return time.UnixMilli(now) }})
		must(t, past.Want(t.Context(), shop, group("done")))
		must(t, past.Done(t.Context(), "186853002/queue/done", 1))
		must(t, past.Want(t.Context(), shop, group("parked")))
		must(t, past.Fail(t.Context(), "186853002/queue/parked", database.Failure{Wanted: 1, Park: true}))
		must(t, past.Want(t.Context(), shop, group("open")))
		now = day(5, 18)
		must(t, past.Want(t.Context(), shop, group("new")))
		must(t, past.Done(t.Context(), "186853002/queue/new", 1))
		must(t, db.SetSetting(t.Context(), "swept/1", fmt.Sprint(day(3, 1))))
		must(t, db.SetSetting(t.Context(), "swept/2", fmt.Sprint(day(5, 18))))
		must(t, db.SetSetting(t.Context(), "state_key", "1"))
		must(t, db.Depart(t.Context(), database.Flight{Session: "debate-old", Ask: "OPEN/1/gpt", Micro: 1}))

		for range 2 { // a second time changes nothing
			must(t, db.Forget(t.Context(), day(5, 10)))
		}

		for head, stays := range map[string]bool{"done": false, "parked": false, "open": true, "new": true} {
			if _, found, err := db.Task(t.Context(), "186853002/queue/"+head); err != nil || found != stays {
				t.Errorf("the task of the group %s is there: %v, %v", head, found, err)
			}
		}
		for name, stays := range map[string]bool{"swept/1": false, "swept/2": true, "state_key": true} {
			if value, err := db.Setting(t.Context(), name); err != nil || (value != "") != stays {
				t.Errorf("the setting %s is %q, %v", name, value, err)
			}
		}

		all, err := db.Sessions(t.Context(), database.SessionFilter{})
		must(t, err)
		if len(all) != 2 || all[0].ID != "debate-new" || all[1].ID != "debate-long" {
			t.Errorf("sessions that stay: %+v", all)
		}
		if _, err := db.Record(t.Context(), "debate-old"); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("the record of a forgotten session: %v", err)
		}
		if rec, err := db.Record(t.Context(), "debate-long"); err != nil || len(rec.Entries) != 1 {
			t.Errorf("the record of a session that stays: %v", err)
		}
		if items, err := db.OpenItems(t.Context()); err != nil || len(items) != 1 {
			t.Errorf("open decisions: %+v, %v", items, err)
		}
		if accept(t, db, recent) || !accept(t, db, old) {
			t.Error("the new delivery is forgotten, or the old one is not")
		}
		if got := task(t, db, "186853002/pull/7"); got.Wanted != 3 {
			t.Errorf("the task counts %d", got.Wanted)
		}
		sum(t, db, 0, 0, 654_321, true)
		sum(t, db, shop.ID, day(4, 1)-1, 650_300, false)
		sum(t, db, shop.ID, day(5, 10), 600_000, false)
		sum(t, db, shop.ID, day(3, 30), 650_321, true) // the month cannot be divided any more
		if rows, err := db.SpendBy(t.Context(), database.SpendFilter{By: database.ByPull, Limit: 10}); err != nil || len(rows) != 1 || rows[0].Micro != 650_000 {
			t.Errorf("by pull request: %+v, %v", rows, err)
		}
		if rows, err := db.SpendBy(t.Context(), database.SpendFilter{By: database.ByModel, Limit: 10}); err != nil || len(rows) != 1 || rows[0].Calls != 12 {
			t.Errorf("by model: %+v, %v", rows, err)
		}
	})
}

// TestForgetMuch: what does not fit into one transaction is forgotten too.
func TestForgetMuch(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, address func(t testing.TB) string) {
		db := open(t, address(t), database.Options{})
		const deliveries = 1200
		for range 2 {
			var fresh atomic.Int64
			var all sync.WaitGroup
			for i := range deliveries {
				all.Go(func() {
					ok, err := db.Accept(context.Background(), opened(fmt.Sprint(i), shop, 7, noon))
					if err != nil {
						t.Error(err)
					}
					if ok {
						fresh.Add(1)
					}
				})
			}
			all.Wait()
			if fresh.Load() != deliveries {
				t.Errorf("%d of %d deliveries are fresh", fresh.Load(), deliveries)
			}
			must(t, db.Forget(t.Context(), noon+1))
		}
	})
}
