package database_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/prdebate/debate/internal/store/database"
)

// TestReserveWithin: sessions that begin at once never reserve more than what is left, and
// the next session of a task takes the place of the one before.
func TestReserveWithin(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, address func(t testing.TB) string) {
		db := open(t, address(t), database.Options{Now: at(noon)})
		limit := database.Limit{Installation: shop.Installation, Since: noon, Micro: 5_000_000}
		const sessions = 8
		var all sync.WaitGroup
		var over [sessions]error
		for i := range sessions {
			_, err := db.BeginSession(t.Context(), database.Session{ID: fmt.Sprint("debate-", i), Repo: shop, Pull: i + 1, Subject: fmt.Sprint("task-", i), Started: noon})
			must(t, err)
			all.Go(func() { over[i] = db.Reserve(t.Context(), fmt.Sprint("debate-", i), 2_000_000, limit) })
		}
		all.Wait()
		reserved, refused := -1, 0
		for i, err := range over {
			switch {
			case err == nil:
				reserved = i
			case errors.As(err, new(*database.OverError)):
				refused++
			default:
				t.Fatal(err)
			}
		}
		same(t, "refused", refused, sessions-2)
		spent := func(task string) int64 {
			t.Helper()
			micro, _, err := db.Spent(t.Context(), shop.Installation, 0, noon, task)
			must(t, err)
			return micro
		}
		task := fmt.Sprint("task-", reserved)
		same(t, "of all", spent(""), int64(4_000_000))
		same(t, "beside a task", spent(task), int64(2_000_000))
		_, err := db.BeginSession(t.Context(), database.Session{ID: "debate-next", Repo: shop, Pull: reserved + 1, Subject: task, Started: noon})
		must(t, err)
		must(t, db.Reserve(t.Context(), "debate-next", 3_000_000, limit))
		same(t, "of all, later", spent(""), int64(5_000_000))
	})
}
