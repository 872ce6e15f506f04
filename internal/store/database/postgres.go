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
	sameTries         = 3 // of a transaction that met another one
)

// openServer opens the pool and asks whether the server is there.
func (db *DB) openServer(ctx context.Context) error {
	config := db.address.pool
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
	db.rebind, db.pool = numbered, pool
	db.writer = stdlib.OpenDBFromPool(pool)
	db.reader = db.writer
	ctx, cancel := context.WithTimeout(ctx, connectWithin)
	defer cancel()
	if err := pool.Ping(ctx); err != nil {
		return fmt.Errorf("open the database: %w", err)
	}
	return nil
}

// transact runs statements in a transaction, again where it met another one.
func (db *DB) transact(ctx context.Context, change func(ctx context.Context, s statements) error) (err error) {
	for range sameTries {
		if err = db.transactOnce(ctx, change); !metAnother(err) {
			return err
		}
	}
	return err
}

func (db *DB) transactOnce(ctx context.Context, change func(ctx context.Context, s statements) error) error {
	tx, err := db.writer.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := change(ctx, statements{on: tx, rebind: db.rebind}); err != nil {
		_ = tx.Rollback() // the first error says more
		return err
	}
	return tx.Commit()
}

// metAnother reports whether a transaction was ended in favour of another one, and may
// succeed when it is repeated.
func metAnother(err error) bool {
	var server *pgconn.PgError
	return errors.As(err, &server) && (server.Code == "40001" || server.Code == "40P01") // serialization_failure, deadlock_detected
}
