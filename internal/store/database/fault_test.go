package database_test

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/prdebate/debate/internal/store/database"
	"github.com/prdebate/debate/internal/testkit/databasetest"
)

func TestAddresses(t *testing.T) {
	t.Parallel()
	for address, why := range map[string]string{
		"":                                  "neither SQLite nor PostgreSQL",
		"debate.db":                         "neither SQLite nor PostgreSQL",
		"mysql://bob:secret@db/debate":      "neither SQLite nor PostgreSQL",
		"sqlite:":                           "no file",
		"sqlite::memory:":                   "in memory",
		"sqlite:debate.db?_pragma=fsync(0)": "not supported",
		"sqlite:" + t.TempDir():             "directory",
		"postgres://bob:secret@db:x/debate": "cannot read",
		"postgres://bob:secret@db/debate?sslmode=secret": "cannot read",
		"postgres://bob:an@secret@db/debate":             "write % as %25, @ as %40",
	} {
		_, err := database.Open(t.Context(), address, database.Options{})
		var refused *database.AddressError
		if !errors.As(err, &refused) || !strings.Contains(err.Error(), why) {
			t.Errorf("%q: %v", address, err)
			continue
		}
		if strings.Contains(strings.ReplaceAll(err.Error(), "sslmode=secret", ""), "secret") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: a password or a second line in %q", address, err)
		}
	}
}

func TestAddressOfAnOpenDatabase(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("not tested on Windows: paths and rights have another form there")
	}
	path := filepath.Join(t.TempDir(), "deep", "a b%2f.db")
	db := open(t, "sqlite://"+path, database.Options{})
	if db.Address() != "sqlite:"+path {
		t.Errorf("address %s", db.Address())
	}
	must(t, db.Ready(t.Context()))
	files, err := filepath.Glob(filepath.Join(filepath.Dir(path), "*"))
	must(t, err)
	for _, file := range files {
		if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: others may read it: %v, %v", file, info.Mode(), err)
		}
	}
	if len(files) == 0 {
		t.Error("the file is somewhere else")
	}
}

// faultOf opens a database that cannot be used and returns why.
func faultOf(t *testing.T, address string) database.Cause {
	t.Helper()
	db, err := database.Open(t.Context(), address, database.Options{})
	if err == nil {
		t.Fatal(db.Close())
	}
	var fault *database.FaultError
	if !errors.As(err, &fault) {
		t.Fatalf("no known fault: %v", err)
	}
	if strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), fault.Address) {
		t.Errorf("not one line that names the database: %q", err)
	}
	return fault.Cause
}

func TestFileIsNoDatabase(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "debate.db")
	must(t, os.WriteFile(path, []byte(strings.Repeat("this is a text\n", 1000)), 0o600))
	if cause := faultOf(t, "sqlite:"+path); cause != database.Damaged {
		t.Errorf("cause %s", cause)
	}
}

func TestServerIsAway(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]database.Cause{
		"postgres://bob:secret@127.0.0.1:1/debate": database.Unreachable,
		"postgres://bob:secret@debate.invalid/x":   database.Unreachable,
	} {
		if cause := faultOf(t, address); cause != want {
			t.Errorf("%s: cause %s, want %s", address, cause, want)
		}
	}
	at := databasetest.Postgres(t)
	if cause := faultOf(t, strings.ReplaceAll(at, "debate_test_", "debate_none_")); cause != database.Missing {
		t.Errorf("a database that is not there: cause %s", cause)
	}
}

// newerSchema is a version that no program knows yet.
const newerSchema = 1_000_000

func TestSchemaOfTheFuture(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, address func(t testing.TB) string) {
		at := address(t)
		db, err := database.Open(t.Context(), at, database.Options{})
		must(t, err)
		insert := `INSERT INTO goose_db_version (version_id, is_applied) VALUES (1000000, `
		if pool := db.Postgres(); pool != nil {
			_, err = pool.Exec(t.Context(), insert+"true)")
		} else {
			_, err = writable(t, at).ExecContext(t.Context(), insert+"1)")
		}
		must(t, errors.Join(err, db.Close()))
		for _, o := range []database.Options{{}, {MigrateOnly: true}, {ReadOnly: true}} {
			_, err = database.Open(t.Context(), at, o)
			var newer *database.NewerSchemaError
			if !errors.As(err, &newer) || newer.Found != newerSchema || newer.Know < 1 || strings.Contains(err.Error(), "\n") {
				t.Errorf("opened: %v", err)
			}
		}
	})
}

// TestReadOnly: a look changes nothing, and makes nothing.
func TestReadOnly(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, address func(t testing.TB) string) {
		at := address(t)
		_, err := database.Open(t.Context(), at, database.Options{ReadOnly: true})
		var older *database.OlderSchemaError
		if !errors.As(err, &older) && !errors.Is(err, fs.ErrNotExist) {
			t.Fatalf("where there is none: %v", err)
		}
		if path, isFile := strings.CutPrefix(at, "sqlite:"); isFile {
			if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("a look made a file: %v", err)
			}
		}
		db := open(t, at, database.Options{})
		fill(t, db)
		look := open(t, at, database.Options{ReadOnly: true})
		sameContent(t, "what a look sees", contentOf(t, look), contentOf(t, db))
		if _, err := look.Accept(t.Context(), opened("9", shop, 9, noon)); err == nil {
			t.Error("a look keeps a delivery")
		}
	})
}

func TestOlderSchema(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, address func(t testing.TB) string) {
		at := address(t)
		db, err := database.Open(t.Context(), at, database.Options{})
		must(t, err)
		const take = `DELETE FROM goose_db_version WHERE version_id > 0`
		if pool := db.Postgres(); pool != nil {
			_, err = pool.Exec(t.Context(), take)
		} else {
			_, err = writable(t, at).ExecContext(t.Context(), take)
		}
		must(t, errors.Join(err, db.Close()))
		_, err = database.Open(t.Context(), at, database.Options{ReadOnly: true})
		var older *database.OlderSchemaError
		if !errors.As(err, &older) || older.Need < 1 || strings.Contains(err.Error(), "\n") {
			t.Errorf("opened: %v", err)
		}
	})
}

// writable opens a file behind the back of the database.
func writable(t *testing.T, at string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", strings.TrimPrefix(at, "sqlite:")+"?_pragma=busy_timeout(5000)")
	must(t, err)
	t.Cleanup(func() { must(t, db.Close()) })
	return db
}

// TestMigrateAtOnce: of many that start at once one migrates.
func TestMigrateAtOnce(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, address func(t testing.TB) string) {
		at := address(t)
		var all sync.WaitGroup
		for range 6 {
			all.Go(func() {
				db, err := database.Open(context.Background(), at, database.Options{MigrateOnly: true})
				if err != nil {
					t.Error(err)
					return
				}
				if err := db.Close(); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		must(t, open(t, at, database.Options{}).Ready(t.Context()))
	})
}

// TestConnectionsCut: the server ends all connections again and again while deliveries
// arrive. What was acknowledged is there, and the rest can be repeated.
func TestConnectionsCut(t *testing.T) {
	t.Parallel()
	at := databasetest.Postgres(t)
	db := open(t, at, database.Options{})
	const callers, each, cuts = 8, 40, 10
	acknowledged := make(chan string, callers*each)
	failed := make(chan error, callers*each)
	var all sync.WaitGroup
	for c := range callers {
		all.Go(func() {
			for i := range each {
				id := string(rune('a'+c)) + string(rune('0'+i))
				if _, err := db.Accept(context.Background(), opened(id, shop, 1+i%3, noon)); err != nil {
					failed <- err
				} else {
					acknowledged <- id
				}
			}
		})
	}
	cutter := connect(t, at)
	for range cuts {
		cut(t, cutter)
	}
	all.Wait()
	close(acknowledged)
	close(failed)
	for err := range failed {
		var fault *database.FaultError
		if !errors.As(err, &fault) || fault.Cause != database.Unreachable {
			t.Errorf("a cut is told as %v", err)
		}
	}
	for id := range acknowledged {
		if accept(t, db, opened(id, shop, 1, noon)) {
			t.Errorf("%s was acknowledged and is lost", id)
		}
	}
	var deliveries, wanted int64
	count(t, db, "SELECT count(*) FROM deliveries", &deliveries)
	count(t, db, "SELECT CAST(sum(wanted) AS BIGINT) FROM tasks", &wanted)
	if deliveries != wanted {
		t.Errorf("%d deliveries, %d wanted", deliveries, wanted)
	}
}

// TestServerGoneForAWhile: while no connection is let in everything fails with one clear
// cause, and afterwards everything works without a restart.
func TestServerGoneForAWhile(t *testing.T) {
	t.Parallel()
	at := databasetest.Postgres(t)
	db := open(t, at, database.Options{})
	accept(t, db, opened("1", shop, 7, noon))
	log, err := db.BeginSession(t.Context(), begun("debate-1", 7, noon))
	must(t, err)

	server, err := pgx.ParseConfig(at)
	must(t, err)
	name := server.Database
	outside := connect(t, strings.Replace(at, "/"+name, "/postgres", 1))
	allow := func(is string) {
		_, err := outside.Exec(t.Context(), "ALTER DATABASE "+name+" WITH ALLOW_CONNECTIONS "+is)
		must(t, err)
	}
	allow("false")
	_, err = outside.Exec(t.Context(), "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = $1", name)
	must(t, err)
	_, accepting := db.Accept(t.Context(), opened("2", shop, 7, noon))
	_, reading := db.Due(t.Context(), noon, 1)
	for what, err := range map[string]error{"ready": db.Ready(t.Context()), "accept": accepting, "due": reading} {
		var fault *database.FaultError
		if !errors.As(err, &fault) || fault.Cause != database.Unreachable {
			t.Errorf("%s: %v", what, err)
		}
	}
	allow("true")
	must(t, db.Ready(t.Context()))
	if !accept(t, db, opened("2", shop, 7, noon)) || accept(t, db, opened("1", shop, 7, noon)) {
		t.Error("what was kept is lost, or what failed is kept")
	}
	must(t, log.Append(abort(1)))
}

// connect opens one connection beside the database's own.
func connect(t *testing.T, at string) *pgx.Conn {
	t.Helper()
	at, _, _ = strings.Cut(at, "?") // what follows is for a pool
	conn, err := pgx.Connect(t.Context(), at)
	must(t, err)
	t.Cleanup(func() { must(t, conn.Close(context.Background())) })
	return conn
}

// cut ends all other connections to a database.
func cut(t *testing.T, conn *pgx.Conn) {
	t.Helper()
	_, err := conn.Exec(t.Context(), "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()")
	must(t, err)
}

// TestWaitForWriter: a new file that somebody writes to is waited for, which SQLite does
// not do by itself as long as the file has no log.
func TestWaitForWriter(t *testing.T) {
	t.Parallel()
	at := databasetest.SQLite(t)
	writer, err := writable(t, at).Conn(t.Context())
	must(t, err)
	_, err = writer.ExecContext(t.Context(), "BEGIN IMMEDIATE")
	must(t, err)

	opened := make(chan error, 1)
	go func() {
		db, err := database.Open(context.Background(), at, database.Options{MigrateOnly: true})
		if err == nil {
			err = db.Close()
		}
		opened <- err
	}()
	select {
	case err := <-opened:
		t.Errorf("it did not wait: %v", err)
	case <-time.After(100 * time.Millisecond):
		_, err = writer.ExecContext(t.Context(), "COMMIT")
		must(t, errors.Join(err, <-opened))
	}
	must(t, writer.Close())
}
