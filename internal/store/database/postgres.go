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
	sameTries         = 3 // of what met another transaction or a dead connection
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
	params["synchronous_commit"] = "on" // whatever the server's default is
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

// transact runs statements in a transaction. It reports whether what failed may be kept
// all the same: nobody knows what became of a commit that was not answered.
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

// repeat does something again where it met another transaction, or where the server had
// ended the connection before anything was kept: an idle connection can be dead for long.
func (c *conns) repeat(do func() (mayBeKept bool, err error)) error {
	for tries := 1; ; tries++ {
		mayBeKept, err := do()
		if c.pool != nil && isCut(err) {
			c.pool.Reset() // the others are dead too
		}
		again := metAnother(err) || !mayBeKept && isCut(err)
		if !again || tries == sameTries {
			return err
		}
	}
}

// isCut reports whether a connection that was there has ended. A server that lets nobody
// in is not asked again at once.
func isCut(err error) bool {
	var connect *pgconn.ConnectError
	cause, _ := causeOf(err)
	return cause == Unreachable && !errors.As(err, &connect)
}

// metAnother reports whether a transaction was ended in favour of another one, and may
// succeed when it is repeated.
func metAnother(err error) bool {
	var server *pgconn.PgError
	return errors.As(err, &server) && (server.Code == "40001" || server.Code == "40P01") // serialization_failure, deadlock_detected
}
