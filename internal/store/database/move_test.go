package database_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/event"
	"github.com/prdebate/debate/internal/store"
	"github.com/prdebate/debate/internal/store/database"
	"github.com/prdebate/debate/internal/testkit/databasetest"
	"github.com/prdebate/debate/internal/testkit/storetest"
)

// fill puts something into every table.
func fill(t *testing.T, db *database.DB) {
	t.Helper()
	for i, id := range []string{"1", "2", "3"} {
		accept(t, db, opened(id, shop, 7+i, noon+int64(i)))
	}
	must(t, db.Done(t.Context(), "186853002/pull/7", 1))
	must(t, db.Fail(t.Context(), "186853002/pull/8", database.Failure{Wanted: 1, Error: "'; ? $1", Park: true}))
	must(t, db.Want(t.Context(), docs, event.Trigger{Sweep: true}))
	log, err := db.BeginSession(t.Context(), begun("debate-1", 7, noon))
	must(t, err)
	for _, e := range storetest.Entries(storetest.Events(t)) {
		must(t, log.Append(e))
	}
	must(t, db.EndSession(t.Context(), "debate-1", database.Session{Outcome: "CONSENSUS", Unpriced: true, Micro: 1 << 40}))
	_, err = db.BeginSession(t.Context(), begun("debate-2", 8, noon))
	must(t, err)
	must(t, db.SetItems(t.Context(), shop, 7, []database.Item{{Decision: "D1", AskedAt: noon}}))
	must(t, db.Arrive(t.Context(), database.Session{}, 0, []database.Spend{spent("debate-0", shop, 1, "claude", 7, noon-20*24*60*60*1000), spent("debate-1", shop, 7, "gpt", 9, day(5, 1))}, nil))
	must(t, db.Depart(t.Context(), database.Flight{Session: "debate-2", Ask: "OPEN/1/gpt", Provider: "openai", Model: "gpt-5", Micro: 7}))
	must(t, db.Forget(t.Context(), noon)) // last month's spend becomes a sum
	must(t, db.PutInstallation(t.Context(), database.Installation{ID: shop.Installation, Account: "acme", Repos: []database.Repo{shop, docs}}))
	must(t, db.SetSetting(t.Context(), "cursor", "\u2028 \U0001F469"))
	must(t, db.Beat(t.Context(), "node", noon))
}

// content is all that a database says about itself.
type content struct {
	Open, Parked []database.Task
	Task         database.Task
	Sessions     []database.Session
	Records      []store.Record
	Items        []database.Item
	Spend        []database.Spend
	Micro        int64
	Installed    []database.Installation
	Cursor       string
	Nodes        []string
}

func contentOf(t *testing.T, db *database.DB) (c content) {
	t.Helper()
	var errs [10]error
	c.Open, errs[0] = db.Tasks(t.Context(), database.TaskFilter{})
	c.Parked, errs[1] = db.Tasks(t.Context(), database.TaskFilter{Parked: true})
	c.Task = task(t, db, "186853002/pull/7")
	c.Sessions, errs[2] = db.Sessions(t.Context(), database.SessionFilter{})
	for _, one := range c.Sessions {
		rec, err := db.Record(t.Context(), one.ID)
		must(t, err)
		c.Records = append(c.Records, rec)
	}
	c.Items, errs[3] = db.OpenItems(t.Context())
	c.Spend, errs[4] = db.SpendBy(t.Context(), database.SpendFilter{By: database.ByModel, Limit: 10})
	c.Micro, _, errs[5] = db.Spent(t.Context(), shop.Installation, 0, 0, "")
	c.Installed, errs[6] = db.Installations(t.Context())
	c.Cursor, errs[7] = db.Setting(t.Context(), "cursor")
	c.Nodes, errs[8] = db.DeadNodes(t.Context(), noon*2)
	must(t, errors.Join(errs[:]...))
	return c
}

func sameContent(t *testing.T, what string, got, want content) {
	t.Helper()
	ends := cmp.Transformer("end", func(c store.Chain) string { return c.Last() })
	if diff := cmp.Diff(want, got, ends, cmp.AllowUnexported(store.Record{})); diff != "" {
		t.Errorf("%s: (-want +got)\n%s", what, diff)
	}
}

func TestMove(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, source func(t testing.TB) string) {
		onBoth(t, func(t *testing.T, target func(t testing.TB) string) {
			from, to := open(t, source(t), database.Options{Now: at(noon)}), open(t, target(t), database.Options{Now: at(noon)})
			fill(t, from)
			want := contentOf(t, from)
			told := make(map[string]int)
			must(t, database.Move(t.Context(), from, to, func(table string, rows int) { told[table] = rows }))
			sameContent(t, "moved", contentOf(t, to), want)
			sameContent(t, "left behind", contentOf(t, from), want)
			for _, table := range tablesOf(t, from) {
				if told[table] == 0 {
					t.Errorf("no row of the table %s was moved: the test fills it, or Move forgets it", table)
				}
			}
			if accept(t, to, opened("3", shop, 7, noon)) {
				t.Error("a delivery is not known any more")
			}
			if !accept(t, from, opened("5", shop, 7, noon)) {
				t.Error("the source is locked after the move")
			}
			var full *database.NotEmptyError
			if err := database.Move(t.Context(), from, to, nil); !errors.As(err, &full) {
				t.Errorf("moved onto what is there: %v", err)
			}
			sameContent(t, "after a move that was refused", contentOf(t, to), want)
		})
	})
}

// tablesOf lists the tables of a database without goose's.
func tablesOf(t *testing.T, db *database.DB) (names []string) {
	t.Helper()
	handle, query := db.SQLite(), "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'goose%' AND name NOT LIKE 'sqlite%'"
	if db.Postgres() != nil {
		rows, err := db.Postgres().Query(t.Context(), "SELECT tablename::text FROM pg_tables WHERE schemaname = 'public' AND tablename NOT LIKE 'goose%'")
		must(t, err)
		defer rows.Close()
		for rows.Next() {
			var name string
			must(t, rows.Scan(&name))
			names = append(names, name)
		}
		return names
	}
	rows, err := handle.QueryContext(t.Context(), query)
	must(t, err)
	defer rows.Close()
	for rows.Next() {
		var name string
		must(t, rows.Scan(&name))
		names = append(names, name)
	}
	return names
}

// TestMoveStopped: a move that does not come to its end leaves the target empty.
func TestMoveStopped(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, address func(t testing.TB) string) {
		from, to := open(t, databasetest.SQLite(t), database.Options{}), open(t, address(t), database.Options{})
		fill(t, from)
		ctx, cancel := context.WithCancel(t.Context())
		if err := database.Move(ctx, from, to, func(table string, _ int) {
			if table == "lines" {
				cancel()
			}
		}); !errors.Is(err, context.Canceled) {
			t.Fatalf("the move was stopped: %v", err)
		}
		must(t, database.Move(t.Context(), from, to, nil))
	})
}

func TestBackup(t *testing.T) {
	t.Parallel()
	db := open(t, databasetest.SQLite(t), database.Options{Now: at(noon)})
	fill(t, db)
	want := contentOf(t, db)
	path := filepath.Join(t.TempDir(), "backup.db")
	must(t, db.Backup(t.Context(), path))
	info, err := os.Stat(path)
	must(t, err)
	if runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("others may read the backup: %v", info.Mode())
	}
	left, err := filepath.Glob(path + "?*")
	if err != nil || len(left) != 0 {
		t.Errorf("files beside the backup: %v, %v", left, err)
	}
	sameContent(t, "backup", contentOf(t, open(t, "sqlite:"+path, database.Options{})), want)
	if err := db.Backup(t.Context(), path); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a backup over another one: %v", err)
	}
	if err := db.Backup(t.Context(), filepath.Join(path, "below")); err == nil {
		t.Error("a backup below a file")
	}
}

// TestBackupMeanwhile: others write while a backup is made, and it shows one moment.
func TestBackupMeanwhile(t *testing.T) {
	t.Parallel()
	db := open(t, databasetest.SQLite(t), database.Options{})
	fill(t, db)
	stop, stopped := make(chan struct{}), make(chan int)
	go func() {
		n := 0
		for {
			select {
			case <-stop:
				stopped <- n
				return
			default:
			}
			if _, err := db.Accept(context.Background(), opened("more "+string(rune('a'+n%26))+string(rune('0'+n/26)), docs, 5, noon+int64(n))); err != nil {
				t.Error(err)
			}
			n++
		}
	}()
	for range 3 {
		path := filepath.Join(t.TempDir(), "backup.db")
		must(t, db.Backup(t.Context(), path))
		copied := open(t, "sqlite:"+path, database.Options{})
		var deliveries, wanted int64
		must(t, copied.SQLite().QueryRow("SELECT count(*) FROM deliveries WHERE repo = ?", docs.ID).Scan(&deliveries))
		must(t, copied.SQLite().QueryRow("SELECT coalesce(sum(wanted), 0) FROM tasks WHERE subject = ?", "5000000000/pull/5").Scan(&wanted))
		if deliveries != wanted {
			t.Errorf("%d deliveries and %d of them wanted: not one moment", deliveries, wanted)
		}
	}
	close(stop)
	if n := <-stopped; n == 0 {
		t.Error("nothing was written meanwhile")
	}
}

func TestBackupOfPostgres(t *testing.T) {
	t.Parallel()
	db := open(t, databasetest.Postgres(t), database.Options{})
	if err := db.Backup(t.Context(), filepath.Join(t.TempDir(), "backup")); !errors.Is(err, database.ErrNoBackup) {
		t.Errorf("backup: %v", err)
	}
}
