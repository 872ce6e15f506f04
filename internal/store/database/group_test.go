package database

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"testing"
	"testing/synctest"
)

// openTest opens a SQLite file for the time of a test.
func openTest(t *testing.T) *DB {
	t.Helper()
	db, err := Open(context.Background(), "sqlite:"+filepath.Join(t.TempDir(), "debate.db"), Options{})
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

func nodes(t *testing.T, db *DB) []string {
	t.Helper()
	all, err := db.DeadNodes(context.Background(), 10)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestGroupSharesACommit: what arrives while one transaction runs is in the next one,
// all of it, and one part that fails takes back nothing of the others.
func TestGroupSharesACommit(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db := openTest(t)
		const callers = 50
		errWrong := errors.New("wrong")
		release := make(chan struct{})
		var mu sync.Mutex
		transactions := make(map[querier]int)
		part := func(name string, wait <-chan struct{}, outcome error) error {
			return db.conns.write(context.Background(), "test", func(ctx context.Context, s statements) error {
				mu.Lock()
				transactions[s.on]++
				mu.Unlock()
				if wait != nil {
					<-wait
				}
				if _, err := s.exec(ctx, `INSERT INTO nodes (node, beat) VALUES (?, 1)`, name); err != nil {
					return err
				}
				return outcome
			})
		}
		var all sync.WaitGroup
		all.Go(func() {
			if err := part("first", release, nil); err != nil {
				t.Error(err)
			}
		})
		synctest.Wait()
		for i := range callers {
			all.Go(func() {
				var outcome error
				if i%10 == 0 {
					outcome = errWrong
				}
				if err := part(string(rune('a'+i)), nil, outcome); !errors.Is(err, outcome) {
					t.Errorf("caller %d: %v, want %v", i, err, outcome)
				}
			})
		}
		synctest.Wait()
		close(release)
		all.Wait()
		if len(transactions) != 2 {
			t.Errorf("%d transactions, want 2: %v", len(transactions), transactions)
		}
		if got := len(nodes(t, db)); got != 1+callers-callers/10 {
			t.Errorf("%d parts were kept", got)
		}
	})
}

// TestGroupSkipsWhoIsGone: a caller that does not wait any more is not served.
func TestGroupSkipsWhoIsGone(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db := openTest(t)
		var all sync.WaitGroup
		blocked := func() (release chan struct{}) {
			release = make(chan struct{})
			all.Go(func() {
				err := db.conns.write(context.Background(), "test", func(context.Context, statements) error {
					<-release
					return nil
				})
				if err != nil {
					t.Error(err)
				}
			})
			synctest.Wait()
			return release
		}
		ctx, cancel := context.WithCancel(context.Background())
		first, second := blocked(), blocked() // the second one leads the next transaction
		all.Go(func() {
			if err := db.Beat(ctx, "gone", 1); !errors.Is(err, context.Canceled) {
				t.Errorf("beat: %v", err)
			}
		})
		synctest.Wait()
		close(first)
		synctest.Wait() // the caller is part of the transaction that runs
		cancel()
		close(second)
		all.Wait()
		if got := nodes(t, db); len(got) != 0 {
			t.Errorf("kept: %v", got)
		}
	})
}

func TestClosedDatabase(t *testing.T) {
	t.Parallel()
	db, err := Open(t.Context(), "sqlite:"+filepath.Join(t.TempDir(), "debate.db"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if err := db.Beat(t.Context(), "late", 1); !errors.Is(err, errClosed) {
		t.Errorf("beat: %v", err)
	}
	if _, err := db.DeadNodes(t.Context(), 1); err == nil {
		t.Error("a closed database answers")
	}
}

func TestNumbered(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]string{
		"":                                      "",
		"SELECT 1":                              "SELECT 1",
		"a = ? AND (b = ? OR c < ?) = ":         "a = $1 AND (b = $2 OR c < $3) = ",
		"VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)": "VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
	} {
		if got := numbered(query); got != want {
			t.Errorf("%s became %s, want %s", query, got, want)
		}
	}
}
