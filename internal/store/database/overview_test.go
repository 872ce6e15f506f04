package database_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/prdebate/debate/internal/event"
	"github.com/prdebate/debate/internal/store/database"
)

func TestBacklog(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, address func(t testing.TB) string) {
		now := int64(noon)
		db := open(t, address(t), database.Options{Now: func() time.Time { return time.UnixMilli(now) }})
		backlog := func() database.Backlog {
			b, err := db.Backlog(t.Context())
			must(t, err)
			return b
		}
		same(t, "nothing waits", backlog(), database.Backlog{})
		for number := 7; number <= 10; number++ {
			must(t, db.Want(t.Context(), shop, event.Trigger{Number: number}))
			now++
		}
		must(t, db.Done(t.Context(), fmt.Sprintf("%d/pull/7", shop.ID), 1))
		must(t, db.Fail(t.Context(), fmt.Sprintf("%d/pull/8", shop.ID), database.Failure{Wanted: 1, Error: "502", Park: true}))
		must(t, db.SetItems(t.Context(), shop, 9, []database.Item{{Decision: "D1", AskedAt: noon - 5}, {Decision: "D2", AskedAt: noon - 9, ClosedAt: noon}}))
		must(t, db.SetItems(t.Context(), docs, 9, []database.Item{{Decision: "D1", AskedAt: noon - 3}}))
		same(t, "what waits", backlog(), database.Backlog{Open: 2, Since: noon + 2, Parked: 1, Decisions: 2, AskedAt: noon - 5})
	})
}

func TestRepoStats(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, address func(t testing.TB) string) {
		db := open(t, address(t), database.Options{})
		stats := func(f database.StatsFilter) []database.RepoStats {
			all, err := db.RepoStats(t.Context(), f)
			must(t, err)
			return all
		}
		same(t, "of nothing", stats(database.StatsFilter{}), []database.RepoStats(nil))
		for i, repo := range []database.Repo{docs, shop, shop, shop, docs} {
			s := database.Session{ID: fmt.Sprintf("debate-%d", i), Repo: repo, Pull: i + 1, Started: noon + int64(i)*1000}
			log, err := db.BeginSession(t.Context(), s)
			must(t, err)
			must(t, log.Close())
			if i == 4 { // it runs
				continue
			}
			must(t, db.EndSession(t.Context(), s.ID, database.Session{Ended: s.Started + 300, P1: 1, P2: i, P3: 2, Micro: 3_000_000_000, Unpriced: i == 2, Calls: 4}))
		}
		want := []database.RepoStats{
			{Repo: shop, Reviews: 3, P1: 3, P2: 6, P3: 6, Calls: 12, Micro: 9_000_000_000, Unpriced: true, Millis: 900},
			{Repo: docs, Reviews: 1, P1: 1, P3: 2, Calls: 4, Micro: 3_000_000_000, Millis: 300},
		}
		same(t, "all", stats(database.StatsFilter{}), want)
		same(t, "the second", stats(database.StatsFilter{Offset: 1, Limit: 5}), want[1:])
		same(t, "the first", stats(database.StatsFilter{Limit: 1}), want[:1])
		late := stats(database.StatsFilter{Since: noon + 2300})
		if len(late) != 1 || late[0].Reviews != 2 {
			t.Errorf("those that ended late: %+v", late)
		}
	})
}

// TestPagesOfLists: a list that is asked for in parts holds each row once.
func TestPagesOfLists(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, address func(t testing.TB) string) {
		db := open(t, address(t), database.Options{Now: at(noon)})
		for i := range 5 {
			log, err := db.BeginSession(t.Context(), database.Session{ID: fmt.Sprintf("debate-%d", i), Repo: shop, Pull: 7, Started: noon})
			must(t, err)
			must(t, log.Close())
			must(t, db.Want(t.Context(), shop, event.Trigger{Number: i + 1}))
			must(t, db.Arrive(t.Context(), database.Session{}, 0, []database.Spend{spent(fmt.Sprintf("debate-%d", i), shop, i+1, "claude", 100, noon+int64(i))}, nil))
		}
		parts := map[string]func(limit, offset int) []string{
			"sessions": func(limit, offset int) (ids []string) {
				all, err := db.Sessions(t.Context(), database.SessionFilter{Limit: limit, Offset: offset})
				must(t, err)
				for _, s := range all {
					ids = append(ids, s.ID)
				}
				return ids
			},
			"tasks": func(limit, offset int) (ids []string) {
				all, err := db.Tasks(t.Context(), database.TaskFilter{Limit: limit, Offset: offset})
				must(t, err)
				for _, s := range all {
					ids = append(ids, s.Subject)
				}
				return ids
			},
			"spend": func(limit, offset int) (ids []string) {
				all, err := db.SpendBy(t.Context(), database.SpendFilter{By: database.ByPull, Limit: limit, Offset: offset})
				must(t, err)
				for _, s := range all {
					ids = append(ids, fmt.Sprint(s.Pull))
				}
				return ids
			},
		}
		for name, part := range parts {
			whole := part(10, 0)
			if len(whole) != 5 {
				t.Fatalf("%s: %v", name, whole)
			}
			same(t, name, append(append(part(2, 0), part(2, 2)...), part(2, 4)...), whole)
			same(t, name+" behind the end", part(2, 5), []string(nil))
		}
		some, err := db.SpendBy(t.Context(), database.SpendFilter{By: database.ByRepository, From: noon + 1, To: noon + 3})
		must(t, err)
		if len(some) != 1 || some[0].Micro != 200 {
			t.Errorf("what was spent in a time: %+v", some)
		}
	})
}
