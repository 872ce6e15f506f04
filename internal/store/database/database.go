package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

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

// DB is an open database. Goroutines and programs may share one.
type DB struct {
	conns *conns
	now   func() time.Time
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
	c := &conns{address: a}
	if err = c.open(ctx, o); err == nil && o.ReadOnly {
		err = checkSchema(ctx, c.reader, a)
	} else if err == nil {
		err = migrate(ctx, c.writer, a)
	}
	if err != nil {
		return nil, errors.Join(a.classified(err), c.close())
	}
	return &DB{conns: c, now: o.Now}, nil
}

// Close ends what runs and closes all connections.
func (db *DB) Close() error { return db.conns.close() }

// Address names the database for people, without a password.
func (db *DB) Address() string { return db.conns.address.name }

// SQLite is a handle that reads the file; nil for PostgreSQL. The job queue finds the
// file by it, and makes connections of its own.
func (db *DB) SQLite() *sql.DB {
	if !db.conns.address.isFile() {
		return nil
	}
	return db.conns.reader
}

// Postgres is the pool of connections; nil for SQLite.
func (db *DB) Postgres() *pgxpool.Pool { return db.conns.pool }

// Ready reports whether the database can be read and written now: it writes.
func (db *DB) Ready(ctx context.Context) error {
	return db.SetSetting(ctx, "ready_at", fmt.Sprint(db.now().UnixMilli()))
}
