package database_test

import (
	"context"
	"testing"

	"github.com/prdebate/debate/internal/store"
	"github.com/prdebate/debate/internal/store/database"
	"github.com/prdebate/debate/internal/testkit/databasetest"
	"github.com/prdebate/debate/internal/testkit/storetest"
)

// onBoth runs a test on each kind of database. Each call of address names a new one.
func onBoth(t *testing.T, run func(t *testing.T, address func(t testing.TB) string)) {
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		run(t, databasetest.SQLite)
	})
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		run(t, databasetest.Postgres)
	})
}

// open opens a database for the time of a test.
func open(t testing.TB, address string, o database.Options) *database.DB {
	t.Helper()
	db, err := database.Open(context.Background(), address, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

// logs is a database as a backend of records.
type logs struct{ db *database.DB }

func (l logs) Create(session string) (store.Log, error) {
	return l.db.BeginSession(context.Background(), database.Session{ID: session, Started: 1})
}

func (l logs) Open(session string) (store.Log, store.Record, error) {
	return l.db.Resume(context.Background(), session)
}

func (l logs) Read(session string) (store.Record, error) {
	return l.db.Record(context.Background(), session)
}

func TestRecordsConform(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, address func(t testing.TB) string) {
		storetest.Conform(t, func(t *testing.T) storetest.Backend {
			return logs{open(t, address(t), database.Options{})}
		})
	})
}
