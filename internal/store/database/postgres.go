package database

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
)

// The bounds of the connections to a server.
const (
	serverConnections = 16 // unless the address says pool_max_conns
	connectWithin     = 10 * time.Second
	sameTries         = 3 // tries after a conflict or a dead connection
)

// openServer opens the pool and asks whether the server is there.
func (c *conns) openServer(ctx context.Context, o Options) error {
	config := c.address.pool
	if !strings.Contains(config.ConnString(), "pool_max_conns") {
		config.MaxConns = serverConnections
	}
	if config.ConnConfig.ConnectTimeout == 0 {
		config.ConnConfig.ConnectTimeout = connectWithin
	}
	params := config.ConnConfig.RuntimeParams
	if params["application_name"] == "" {
		params["application_name"] = "debate"
	}
	params["synchronous_commit"] = "on" // independent of the server's default
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return fmt.Errorf("open the database: %w", err)
	}
	c.rebind, c.pool = numbered, pool
	c.reader = stdlib.OpenDBFromPool(pool)
	if !o.ReadOnly {
		c.writer = c.reader
	}
	ctx, cancel := context.WithTimeout(ctx, connectWithin)
	defer cancel()
	if err := pool.Ping(ctx); err != nil {
		return fmt.Errorf("open the database: %w", err)
	}
	return nil
}

// transact runs statements in a transaction. It reports whether a failed one may be
// committed all the same: without an answer the result of a commit is unknown.
func (c *conns) transact(ctx context.Context, change func(ctx context.Context, s statements) error) (mayBeKept bool, err error) {
	tx, err := c.writer.BeginTx(ctx, nil)
	if err != nil {
		return false, err
	}
	if err := change(ctx, statements{on: tx, rebind: c.rebind}); err != nil {
		_ = tx.Rollback() // the first error says more
		return false, err
	}
	return true, tx.Commit()
}

// repeat runs do again after a conflict, or if the connection was dead before anything was
// stored: an idle connection can be dead for long.
func (c *conns) repeat(do func() (mayBeKept bool, err error)) error {
	for tries := 1; ; tries++ {
		mayBeKept, err := do()
		if c.pool != nil && isCut(err) {
			c.pool.Reset() // the others are dead too
		}
		var server *pgconn.PgError // serialization_failure, deadlock_detected
		conflict := errors.As(err, &server) && (server.Code == "40001" || server.Code == "40P01")
		again := conflict || !mayBeKept && isCut(err)
		if !again || tries == sameTries {
			return err
		}
	}
}

// isCut reports whether an existing connection has ended. A server that refuses connections
// is not asked again at once.
func isCut(err error) bool {
	var connect *pgconn.ConnectError
	cause, _ := causeOf(err)
	return cause == Unreachable && !errors.As(err, &connect)
}
