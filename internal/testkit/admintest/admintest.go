// Package admintest holds a database in memory for the tests of the dashboard, and samples
// that fill it.
package admintest

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"sync"

	"github.com/prdebate/debate/internal/store"
	"github.com/prdebate/debate/internal/store/database"
)

// Database answers from its fields. Every answer is Err where that is set.
type Database struct {
	mu       sync.Mutex
	err      error
	Held     []database.Session // the newest first
	Records  map[string]store.Record
	Waiting  []database.Task // open and parked, the oldest first
	Items    []database.Item
	Accounts []database.Installation
	Repos    []database.RepoStats
	Spent    map[database.SpendKey][]database.Spend
}

// Break makes every further answer this error; nil mends it.
func (db *Database) Break(err error) {
	db.mu.Lock()
	defer db.mu.Unlock()
	db.err = err
}

// ErrDown is an error to break with.
var ErrDown = errors.New("the disk is full")

// Begin adds a session that runs.
func (db *Database) Begin(s database.Session) {
	db.mu.Lock()
	defer db.mu.Unlock()
	db.Held = append([]database.Session{s}, db.Held...)
}

func (db *Database) Ready(context.Context) error {
	db.mu.Lock()
	defer db.mu.Unlock()
	return db.err
}

func (db *Database) Backlog(context.Context) (database.Backlog, error) {
	db.mu.Lock()
	defer db.mu.Unlock()
	var b database.Backlog
	for _, t := range db.Waiting {
		switch {
		case t.Parked > 0:
			b.Parked++
		case b.Open == 0:
			b.Since = t.Since
			b.Open++
		default:
			b.Open++
		}
	}
	b.Decisions = len(db.Items)
	if b.Decisions > 0 {
		b.AskedAt = db.Items[0].AskedAt
	}
	return b, db.err
}

func (db *Database) Sessions(_ context.Context, f database.SessionFilter) ([]database.Session, error) {
	db.mu.Lock()
	defer db.mu.Unlock()
	var all []database.Session
	for _, s := range db.Held {
		if (f.Repo == 0 || s.Repo.ID == f.Repo) && (!f.Running || s.Ended == 0) && (f.Conclusion == "" || s.Conclusion == f.Conclusion) {
			all = append(all, s)
		}
	}
	return cut(all, f.Offset, f.Limit), db.err
}

func (db *Database) Record(_ context.Context, session string) (store.Record, error) {
	db.mu.Lock()
	defer db.mu.Unlock()
	rec, known := db.Records[session]
	if !known && db.err == nil {
		return rec, fs.ErrNotExist
	}
	return rec, db.err
}

func (db *Database) Tasks(_ context.Context, f database.TaskFilter) ([]database.Task, error) {
	db.mu.Lock()
	defer db.mu.Unlock()
	var all []database.Task
	for _, t := range db.Waiting {
		if f.Parked == (t.Parked > 0) {
			all = append(all, t)
		}
	}
	return cut(all, f.Offset, f.Limit), db.err
}

func (db *Database) Unpark(_ context.Context, subject string) error {
	db.mu.Lock()
	defer db.mu.Unlock()
	for i := range db.Waiting {
		if t := &db.Waiting[i]; t.Subject == subject && db.err == nil {
			t.Parked, t.Attempts = 0, 0
		}
	}
	return db.err
}

func (db *Database) OpenItems(context.Context) ([]database.Item, error) {
	db.mu.Lock()
	defer db.mu.Unlock()
	return slices.Clone(db.Items), db.err
}

func (db *Database) Installations(context.Context) ([]database.Installation, error) {
	db.mu.Lock()
	defer db.mu.Unlock()
	return slices.Clone(db.Accounts), db.err
}

func (db *Database) RepoStats(_ context.Context, f database.StatsFilter) ([]database.RepoStats, error) {
	db.mu.Lock()
	defer db.mu.Unlock()
	return cut(db.Repos, f.Offset, f.Limit), db.err
}

func (db *Database) SpendBy(_ context.Context, f database.SpendFilter) ([]database.Spend, error) {
	db.mu.Lock()
	defer db.mu.Unlock()
	return cut(db.Spent[f.By], f.Offset, f.Limit), db.err
}

func cut[T any](all []T, offset, limit int) []T {
	from := min(offset, len(all))
	return slices.Clone(all[from:min(from+limit, len(all))])
}
