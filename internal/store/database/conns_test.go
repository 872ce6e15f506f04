package database

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"sync"
	"testing"
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

// TestWritesTakeTurns: changes of a file wait for each other, and one that fails, or has no caller any
// more, takes back nothing of the others.
func TestWritesTakeTurns(t *testing.T) {
	t.Parallel()
	db := openTest(t)
	errWrong := errors.New("wrong")
	ctx, cancel := context.WithCancel(context.Background())
	gone := db.conns.write(ctx, "test", func(ctx context.Context, s statements) error {
		defer cancel()
		_, err := s.exec(ctx, `INSERT INTO nodes (node, beat) VALUES ('gone', 1)`)
		return err
	})
	if !errors.Is(gone, context.Canceled) {
		t.Errorf("a caller that is gone: %v", gone)
	}
	var all sync.WaitGroup
	for i := range 50 {
		all.Go(func() {
			var outcome error
			if i%10 == 0 {
				outcome = errWrong
			}
			err := db.conns.write(context.Background(), "test", func(ctx context.Context, s statements) error {
				if _, err := s.exec(ctx, `INSERT INTO nodes (node, beat) VALUES (?, 1)`, string(rune('a'+i))); err != nil {
					return err
				}
				return outcome
			})
			if !errors.Is(err, outcome) {
				t.Errorf("caller %d: %v, want %v", i, err, outcome)
			}
		})
	}
	all.Wait()
	if got := len(nodes(t, db)); got != 45 {
		t.Errorf("%d changes were kept", got)
	}
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
	if err := db.Beat(t.Context(), "late", 1); err == nil || !strings.Contains(err.Error(), "closed") {
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
