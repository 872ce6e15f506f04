package database_test

import (
	"testing"

	"github.com/prdebate/debate/internal/store/database"
)

// TestArrive: of the calls that were begun, those count in full of which the record does
// not tell what came of them: once, however often that is booked, and after each crash.
func TestArrive(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, address func(t testing.TB) string) {
		db := open(t, address(t), database.Options{Now: at(noon)})
		depart := func(session, ask string, micro int64) {
			t.Helper()
			must(t, db.Depart(t.Context(), database.Flight{Session: session, Ask: ask, Provider: "openai", Model: "gpt-5", Micro: micro}))
		}
		arrive := func(paid int64, answered string) {
			t.Helper()
			spend := []database.Spend{{Session: "debate-1", Repo: shop, Pull: 7, Model: "gpt-5", Provider: "openai", Calls: 1, Micro: paid, At: noon}}
			must(t, db.Arrive(t.Context(), begun("debate-1", 7, noon), noon, spend, func(ask string) bool { return ask == answered }))
		}
		depart("debate-1", "A", 100)
		depart("debate-1", "B", 1000)
		depart("debate-1", "B", 1000) // made twice
		depart("debate-2", "A", 9)    // of another
		sum(t, db, 0, noon, 0, false) // what is under way is in its session's reservation
		arrive(70, "A")
		sum(t, db, 0, noon, 2070, false)
		arrive(70, "A")
		sum(t, db, 0, noon, 2070, false)
		depart("debate-1", "B", 1000)
		depart("debate-1", "C", 0)
		must(t, db.Depart(t.Context(), database.Flight{Session: "debate-1", Ask: "D", Provider: "openai", Model: "new", Unpriced: true}))
		arrive(90, "C")
		sum(t, db, 0, noon, 3090, true)
		rows, err := db.SpendBy(t.Context(), database.SpendFilter{By: database.ByModel})
		must(t, err)
		if len(rows) != 2 || rows[0].Calls != 4 || rows[1].Model != "new" || rows[1].Calls != 1 {
			t.Errorf("spent by model: %+v", rows)
		}
	})
}
