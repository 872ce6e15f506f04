package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// answerWithin bounds one read or write, with its wait for others.
const answerWithin = 30 * time.Second

// Options of an open database.
type Options struct {
	Now func() time.Time // the clock; nil is the real one
	// MigrateOnly migrates the schema and opens no more than that needs. Close and
	// nothing else may be called on what Open returns.
	MigrateOnly bool
	// ReadOnly opens what is there and changes nothing, neither the schema nor what it
	// holds: for a look beside a server. What is asked to be kept fails.
	ReadOnly bool
}

// errReadOnly is the answer to a change of a database that was opened to be read.
var errReadOnly = errors.New("the database was opened to be read only")

// DB is an open database. Goroutines and programs may share one.
type DB struct {
	address address
	now     func() time.Time
	rebind  func(query string) string

	writer *sql.DB // of SQLite it is one connection; nil where nothing is written
	reader *sql.DB
	pool   *pgxpool.Pool // nil for SQLite
	group  *group        // nil for PostgreSQL, which lets commits share a flush by itself, and where nothing is written
}

// Open opens the database at an address, "sqlite:PATH" or "postgres://...", and migrates
// its schema. A file that is not there is made, for this user alone. It fails with an
// *AddressError, a *NewerSchemaError, an *OlderSchemaError (only of ReadOnly) or a
// *FaultError where one of them is why.
func Open(ctx context.Context, url string, o Options) (*DB, error) {
	a, err := parseAddress(url)
	if err != nil {
		return nil, err
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	db := &DB{address: a, now: o.Now}
	open := db.openServer
	if a.isFile() {
		open = db.openFile
	}
	if err = open(ctx, o); err == nil && o.ReadOnly {
		err = checkSchema(ctx, db.reader, a)
	} else if err == nil {
		err = migrate(ctx, db.writer, a)
	}
	if err != nil {
		return nil, errors.Join(a.classified(err), db.Close())
	}
	return db, nil
}

// Close ends what runs and closes all connections.
func (db *DB) Close() error {
	var errs []error
	if db.group != nil {
		db.group.close()
	}
	for _, handle := range []*sql.DB{db.reader, db.writer} {
		if handle != nil {
			errs = append(errs, handle.Close())
		}
	}
	if db.pool != nil {
		db.pool.Close()
	}
	return errors.Join(errs...)
}

// Address names the database for people, without a password.
func (db *DB) Address() string { return db.address.name }

// SQLite is a handle that reads the file; nil for PostgreSQL. The job queue finds the
// file by it, and makes connections of its own.
func (db *DB) SQLite() *sql.DB {
	if !db.address.isFile() {
		return nil
	}
	return db.reader
}

// Postgres is the pool of connections; nil for SQLite.
func (db *DB) Postgres() *pgxpool.Pool { return db.pool }

// Ready reports whether the database can be read and written now: it writes.
func (db *DB) Ready(ctx context.Context) error {
	return db.SetSetting(ctx, "ready_at", fmt.Sprint(db.now().UnixMilli()))
}

// read runs queries that change nothing. Several queries may see different states. They
// may run a second time, and have to begin with an empty result then.
func (db *DB) read(ctx context.Context, doing string, queries func(ctx context.Context, s statements) error) error {
	ctx, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	return db.said(doing, db.repeat(func() (bool, error) {
		return false, queries(ctx, statements{on: db.reader, rebind: db.rebind})
	}))
}

// write runs statements in one transaction and returns once it is durable. The
// statements may run a second time, after nothing was kept of the first.
func (db *DB) write(ctx context.Context, doing string, change func(ctx context.Context, s statements) error) error {
	ctx, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	if db.writer == nil {
		return db.said(doing, errReadOnly)
	}
	if db.group != nil {
		return db.said(doing, db.group.do(ctx, change))
	}
	return db.said(doing, db.repeat(func() (bool, error) { return db.transact(ctx, change) }))
}

// said adds to an error what was being done, and its cause where that is known.
func (db *DB) said(doing string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", doing, db.address.classified(err))
}
