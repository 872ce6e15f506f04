package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// answerWithin bounds one read or write, with its wait for others.
const answerWithin = 30 * time.Second

// errReadOnly is the error for a change of a database opened read-only.
var errReadOnly = errors.New("the database was opened to be read only")

// conns are the connections to a database. They know how to run statements, and nothing of
// the content.
type conns struct {
	address address
	rebind  func(query string) string

	writer *sql.DB // one connection for SQLite; nil for a read-only database
	reader *sql.DB
	pool   *pgxpool.Pool // nil for SQLite

	job <-chan struct{} // ends a wait for an absent database; nil: there is none, see DB.Waiting
	log *slog.Logger    // of waits
}

// close ends running work and closes all connections.
func (c *conns) close() error {
	var errs []error
	for _, handle := range []*sql.DB{c.reader, c.writer} {
		if handle != nil {
			errs = append(errs, handle.Close())
		}
	}
	if c.pool != nil {
		c.pool.Close()
	}
	return errors.Join(errs...)
}

// read runs queries without changes. Several queries may see different states. They may run
// a second time, and must then begin with an empty result.
func (c *conns) read(ctx context.Context, doing string, queries func(ctx context.Context, s statements) error) error {
	return c.wait(ctx, doing, func(ctx context.Context) error {
		return c.repeat(func() (bool, error) { return false, queries(ctx, statements{on: c.reader, rebind: c.rebind}) })
	})
}

// write runs statements in one transaction and returns once it is durable. The
// statements may run a second time, after nothing was kept of the first.
func (c *conns) write(ctx context.Context, doing string, change func(ctx context.Context, s statements) error) error {
	return c.wait(ctx, doing, func(ctx context.Context) error {
		if c.writer == nil {
			return errReadOnly
		}
		return c.repeat(func() (bool, error) { return c.transact(ctx, change) })
	})
}

// wrap adds the operation and a known cause to an error.
func (c *conns) wrap(doing string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", doing, c.address.classify(err))
}

// change runs one statement.
func (c *conns) change(ctx context.Context, doing, query string, args ...any) error {
	return c.write(ctx, doing, func(ctx context.Context, s statements) error {
		_, err := s.exec(ctx, query, args...)
		return err
	})
}
