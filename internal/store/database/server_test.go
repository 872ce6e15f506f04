package database_test

import (
	"fmt"
	"testing"

	"github.com/prdebate/debate/internal/store/database"
)

func TestItems(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, address func(t testing.TB) string) {
		db := open(t, address(t), database.Options{Now: at(noon + 500)})
		first := database.Item{Decision: "D1", Question: "Drop it?\x00", URL: "https://github.com/acme/shop/issues/5", Head: "ec26c3e", AskedAt: noon}
		second := database.Item{Decision: "D2", Question: "Break the API?", AskedAt: noon - 1}
		must(t, db.SetItems(t.Context(), shop, 7, []database.Item{first, second}))
		must(t, db.SetItems(t.Context(), docs, 7, []database.Item{first}))
		full := func(i database.Item, repo database.Repo) database.Item {
			i.Repo, i.Pull = repo, 7
			if i.Decision == "D1" {
				i.Question = "Drop it?"
			}
			return i
		}
		items, err := db.OpenItems(t.Context())
		must(t, err)
		same(t, "open", items, []database.Item{full(second, shop), full(first, shop), full(first, docs)})
		second.ClosedAt, second.Outcome, second.By = noon+9, "keep", "bob"
		must(t, db.SetItems(t.Context(), shop, 7, []database.Item{second})) // the first is not asked any more
		items, err = db.OpenItems(t.Context())
		must(t, err)
		same(t, "open after an answer", items, []database.Item{full(first, docs)})
		second.ClosedAt, second.Outcome, second.By = 0, "", "" // taken back
		must(t, db.SetItems(t.Context(), shop, 7, []database.Item{second}))
		items, err = db.OpenItems(t.Context())
		must(t, err)
		same(t, "open after it was taken back", items, []database.Item{full(second, shop), full(first, docs)})
	})
}

func spent(session string, repo database.Repo, pull int, model string, micro, ms int64) database.Spend {
	return database.Spend{Session: session, Repo: repo, Pull: pull, Model: model, Provider: "anthropic", Calls: 2, TokensIn: 10, TokensCached: 5, TokensOut: 3, Micro: micro, At: ms}
}

func sum(t *testing.T, db *database.DB, repo, since, want int64, wantUnpriced bool) {
	t.Helper()
	micro, unpriced, err := db.Spent(t.Context(), shop.Installation, repo, since, "")
	if err != nil || micro != want || unpriced != wantUnpriced {
		t.Errorf("spent of %d since %d: %d, %v, %v; want %d, %v", repo, since, micro, unpriced, err, want, wantUnpriced)
	}
}

func TestSpend(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, address func(t testing.TB) string) {
		db := open(t, address(t), database.Options{})
		sum(t, db, 0, 0, 0, false)
		must(t, db.Arrive(t.Context(), database.Session{}, 0, nil, nil))
		unpriced := spent("debate-2", docs, 8, "gpt", 0, noon+2)
		unpriced.Unpriced = true
		must(t, db.Arrive(t.Context(), database.Session{}, 0, []database.Spend{spent("debate-1", shop, 7, "claude", 100, noon), spent("debate-1", shop, 7, "gpt", 50, noon), unpriced}, nil))
		must(t, db.Arrive(t.Context(), database.Session{}, 0, []database.Spend{spent("debate-1", shop, 7, "claude", 120, noon+1)}, nil)) // the last word
		must(t, db.Arrive(t.Context(), database.Session{}, 0, []database.Spend{spent("debate-3", shop, 9, "claude", 5_000_000_000, noon+3)}, nil))
		sum(t, db, 0, 0, 5_000_000_170, true)
		sum(t, db, shop.ID, 0, 5_000_000_170, false)
		sum(t, db, shop.ID, noon+1, 5_000_000_120, false)
		sum(t, db, docs.ID, 0, 0, true)
		elsewhere, _, err := db.Spent(t.Context(), 1, 0, 0, "")
		if err != nil || elsewhere != 0 {
			t.Errorf("another installation spent %d, %v", elsewhere, err)
		}
		by := func(key database.SpendKey) []database.Spend {
			rows, err := db.SpendBy(t.Context(), database.SpendFilter{By: key, Limit: 10})
			must(t, err)
			return rows
		}
		same(t, "by repository", by(database.ByRepository), []database.Spend{
			{Repo: shop, Calls: 6, TokensIn: 30, TokensCached: 15, TokensOut: 9, Micro: 5_000_000_170},
			{Repo: docs, Calls: 2, TokensIn: 10, TokensCached: 5, TokensOut: 3, Unpriced: true},
		})
		same(t, "by model", by(database.ByModel), []database.Spend{
			{Model: "claude", Provider: "anthropic", Calls: 4, TokensIn: 20, TokensCached: 10, TokensOut: 6, Micro: 5_000_000_120},
			{Model: "gpt", Provider: "anthropic", Calls: 4, TokensIn: 20, TokensCached: 10, TokensOut: 6, Micro: 50, Unpriced: true},
		})
		pulls := by(database.ByPull)
		if len(pulls) != 3 || pulls[0].Pull != 9 || pulls[1].Pull != 7 || pulls[1].Micro != 170 {
			t.Errorf("by pull request: %+v", pulls)
		}
		if _, err := db.SpendBy(t.Context(), database.SpendFilter{By: "colour", Limit: 10}); err == nil {
			t.Error("spend was summed by colour")
		}
	})
}

func TestInstallations(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, address func(t testing.TB) string) {
		db := open(t, address(t), database.Options{})
		acme := database.Installation{ID: 375706, Account: "acme", Repos: []database.Repo{shop, docs}}
		other := database.Installation{ID: 6_000_000_000, Account: "mona"}
		must(t, db.PutInstallation(t.Context(), acme))
		must(t, db.PutInstallation(t.Context(), other))
		all := func() []database.Installation {
			list, err := db.Installations(t.Context())
			must(t, err)
			return list
		}
		repos := func() []database.Repo {
			list, err := db.Repositories(t.Context())
			must(t, err)
			return list
		}
		same(t, "installations", all(), []database.Installation{acme, other})
		same(t, "repositories", repos(), []database.Repo{shop, docs})
		must(t, db.PutInstallation(t.Context(), database.Installation{ID: acme.ID, Account: "acme", Suspended: true}))
		acme.Suspended = true
		same(t, "what is not said stays", all(), []database.Installation{acme, other})
		same(t, "repositories of a suspended one", repos(), []database.Repo(nil))
		must(t, db.ChangeRepositories(t.Context(), other.ID, []database.Repo{shop}, []int64{docs.ID}))
		moved := shop
		moved.Installation = other.ID
		acme.Repos, other.Repos = []database.Repo{docs}, []database.Repo{moved}
		same(t, "a repository changes hands", all(), []database.Installation{acme, other})
		must(t, db.PutInstallation(t.Context(), database.Installation{ID: acme.ID, Account: "acme", Repos: []database.Repo{}}))
		acme.Suspended, acme.Repos = false, nil
		same(t, "an empty list takes all away", all(), []database.Installation{acme, other})
		must(t, db.RemoveInstallation(t.Context(), other.ID))
		same(t, "after a removal", all(), []database.Installation{acme})
		same(t, "its repositories", repos(), []database.Repo(nil))
	})
}

func TestNodesAndSettings(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, address func(t testing.TB) string) {
		db := open(t, address(t), database.Options{})
		must(t, db.Beat(t.Context(), "b", noon))
		must(t, db.Beat(t.Context(), "a", noon))
		must(t, db.Beat(t.Context(), "c", noon+1))
		dead := func(before int64) []string {
			nodes, err := db.DeadNodes(t.Context(), before)
			must(t, err)
			return nodes
		}
		same(t, "dead", dead(noon+1), []string{"a", "b"})
		live, err := db.LiveNodes(t.Context(), noon+1)
		must(t, err)
		same(t, "alive", live, []string{"c"})
		must(t, db.Beat(t.Context(), "a", noon+2))
		must(t, db.ForgetNode(t.Context(), "b"))
		same(t, "dead after a beat", dead(noon+1), []string(nil))

		value, err := db.Setting(t.Context(), "cursor")
		if err != nil || value != "" {
			t.Errorf("a setting of nothing: %q, %v", value, err)
		}
		must(t, db.SetSetting(t.Context(), "cursor", "1"))
		must(t, db.SetSetting(t.Context(), "cursor", "2"))
		value, err = db.Setting(t.Context(), "cursor")
		if err != nil || value != "2" {
			t.Errorf("the setting: %q, %v", value, err)
		}
		for name, value := range map[string]string{"": "1", "cursor": "\x00", "curs\xff": "1"} {
			if err := db.SetSetting(t.Context(), name, value); err == nil {
				t.Errorf("the setting %q is %q", name, value)
			}
		}
		must(t, db.Ready(t.Context()))
	})
}

// TestReserve: what a session may cost counts as spent until it has ended, so that two
// that run at once do not spend the same money.
func TestReserve(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, address func(t testing.TB) string) {
		db := open(t, address(t), database.Options{Now: at(noon)})
		spent := func(installation, repo int64) int64 {
			t.Helper()
			micro, _, err := db.Spent(t.Context(), installation, repo, noon, "")
			must(t, err)
			return micro
		}
		for i, repo := range []database.Repo{shop, docs} {
			id := fmt.Sprint("debate-", i)
			_, err := db.BeginSession(t.Context(), database.Session{ID: id, Repo: repo, Pull: 7, Started: noon})
			must(t, err)
			must(t, db.Reserve(t.Context(), id, 2_000_000))
		}
		same(t, "of the repository", spent(shop.Installation, shop.ID), int64(2_000_000))
		same(t, "of the installation", spent(shop.Installation, 0), int64(4_000_000))
		same(t, "of all", spent(0, 0), int64(4_000_000))
		same(t, "of another installation", spent(1, 0), int64(0))
		must(t, db.Arrive(t.Context(), database.Session{}, 0, []database.Spend{{Session: "debate-0", Repo: shop, Pull: 7, Model: "m", Micro: 170_000, At: noon}}, nil))
		must(t, db.EndSession(t.Context(), "debate-0", database.Session{}))
		must(t, db.Reserve(t.Context(), "debate-0", 9_000_000)) // it has ended
		same(t, "once it ended", spent(shop.Installation, shop.ID), int64(170_000))
		same(t, "of all, once it ended", spent(0, 0), int64(2_170_000))
	})
}
