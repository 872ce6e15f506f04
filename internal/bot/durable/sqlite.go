package durable

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	// The driver of SQLite, as DBOS wants it named.
	_ "github.com/dbos-inc/dbos-transact-golang/dbos/driver/sqlite"
	"modernc.org/sqlite"
)

// fileConnections is how many connections DBOS has to a file. One writes at a time.
const fileConnections = 4

// The primary result code of SQLite for a lock of another connection.
const sqliteBusy = 5

// file is a backend in an SQLite file next to the caller's. A file has one writer at a time,
// and waiting writers sleep and try again: in the caller's file DBOS would delay deliveries
// with a waiting client. One process uses the file at a time: it holds a transaction open
// on another, empty file. SQLite ensures this on all systems.
type file struct{ path string } // the caller's

// newFile reads the path of the caller's open file.
func newFile(ctx context.Context, db *sql.DB) (*file, error) {
	var path string
	err := db.QueryRowContext(ctx, `SELECT file FROM pragma_database_list WHERE name = 'main'`).Scan(&path)
	if err != nil {
		return nil, fmt.Errorf("job queue: ask SQLite for its file: %w", err)
	}
	if path == "" {
		return nil, errors.New("job queue: the database is in memory only; jobs need a file")
	}
	return &file{path: path}, nil
}

// jobs is the file of DBOS.
func (f *file) jobs() string { return f.path + ".queue" }

func (f *file) open(context.Context) (handle, error) {
	made, err := os.OpenFile(f.jobs(), os.O_CREATE|os.O_RDWR, 0o600) // SQLite would let others read it
	if err == nil {
		err = made.Close()
	}
	if err != nil {
		return handle{}, fmt.Errorf("job queue: make its file: %w", err)
	}
	db, err := sql.Open("sqlite", address(f.jobs(), "_txlock=immediate",
		"_pragma=busy_timeout(10000)", "_pragma=journal_mode(WAL)", "_pragma=synchronous(FULL)", "_pragma=foreign_keys(ON)"))
	if err != nil {
		return handle{}, fmt.Errorf("job queue: open %s: %w", f.jobs(), err)
	}
	db.SetMaxOpenConns(fileConnections)
	db.SetMaxIdleConns(fileConnections)
	return handle{sqlite: db, close: func() { _ = db.Close() }}, nil
}

// address names a file with settings as the driver wants it.
func address(path string, settings ...string) string {
	slashed := filepath.ToSlash(path)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed // a drive letter
	}
	return "file://" + (&url.URL{Path: slashed}).EscapedPath() + "?" + strings.Join(settings, "&")
}

func (f *file) lock(ctx context.Context, _ string) (lock, error) {
	db, err := sql.Open("sqlite", address(f.path+".lock"))
	if err != nil {
		return nil, fmt.Errorf("job queue: open %s.lock: %w", f.path, err)
	}
	// One connection without a maximum age: it holds the lock.
	db.SetMaxOpenConns(1)
	if _, err := db.ExecContext(ctx, "BEGIN EXCLUSIVE"); err != nil {
		_ = db.Close()
		var code *sqlite.Error
		if errors.As(err, &code) && code.Code()&0xff == sqliteBusy {
			return nil, errTaken
		}
		return nil, fmt.Errorf("job queue: lock %s.lock: %w", f.path, err)
	}
	return &fileLock{db: db}, nil
}

func (f *file) single() bool { return true }

func (f *file) close() {}

// fileLock is the lock of a file. It cannot be lost while the process lives.
type fileLock struct{ db *sql.DB }

func (s *fileLock) check(context.Context) error { return nil }

func (s *fileLock) unlock() { _ = s.db.Close() }
