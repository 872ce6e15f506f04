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
	// MigrateOnly migrates the schema and opens only the connections for that. On the
	// result of Open only Close may be called.
	MigrateOnly bool
	// ReadOnly opens the database without any change of schema or content, for a look next
	// to a running server. Writes fail.
	ReadOnly bool
}

// DB is an open database. Goroutines and programs may share one.
type DB struct {
	conns *conns
	now   func() time.Time
}

// Open opens the database at an address, "sqlite:PATH" or "postgres://...", and migrates
// its schema. It makes a missing file, for this user alone. Known causes of failure are an
// *AddressError, a *NewerSchemaError, an *OlderSchemaError (only with ReadOnly) and a
// *FaultError.
func Open(ctx context.Context, url string, o Options) (*DB, error) {
	a, err := parseAddress(url)
	if err != nil {
		return nil, err
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	c := &conns{address: a}
	open := c.openServer
	if a.isFile() {
		open = c.openFile
	}
	if err = open(ctx, o); err == nil && o.ReadOnly {
		err = checkSchema(ctx, c.reader, a)
	} else if err == nil {
		err = migrate(ctx, c.writer, a)
	}
	if err != nil {
		return nil, errors.Join(a.classify(err), c.close())
	}
	return &DB{conns: c, now: o.Now}, nil
}

// Close ends running work and closes all connections.
func (db *DB) Close() error { return db.conns.close() }

// Address names the database for people, without a password.
func (db *DB) Address() string { return db.conns.address.name }

// SQLite returns a read handle of the file; nil for PostgreSQL. The job queue finds the
// file with it, and makes connections of its own.
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
