package durable

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

const (
	// DBOS needs a connection each for listening, for its polling loops, and for the jobs
	// that begin or end at the same moment.
	fewConnections  = 4
	mostConnections = 16
	// One connection holds the lock of the node, one the lock of a dead node.
	lockConnections = 2

	unlockWithin = 2 * time.Second
)

// server is a backend in PostgreSQL. The lock of a node is an advisory lock of a session:
// the server gives it free when the connection ends.
type server struct {
	settings *pgxpool.Config
	locks    *pgxpool.Pool
}

func newServer(ctx context.Context, pool *pgxpool.Pool, workers int) (*server, error) {
	settings := pool.Config()
	settings.MinConns, settings.MinIdleConns = 0, 0
	settings.ConnConfig.RuntimeParams["application_name"] = "debate queue"
	settings.MaxConns = int32(min(fewConnections+workers, mostConnections))

	forLocks := settings.Copy()
	forLocks.MaxConns = lockConnections
	locks, err := pgxpool.NewWithConfig(ctx, forLocks)
	if err != nil {
		return nil, fmt.Errorf("job queue: connect to PostgreSQL: %w", err)
	}
	return &server{settings: settings, locks: locks}, nil
}

func (s *server) open(ctx context.Context) (handle, error) {
	pool, err := pgxpool.NewWithConfig(ctx, s.settings.Copy())
	if err != nil {
		return handle{}, fmt.Errorf("job queue: connect to PostgreSQL: %w", err)
	}
	return handle{postgres: pool, close: pool.Close}, nil
}

// lock does not wait on the server: a waiting session would stop DBOS from making an index.
func (s *server) lock(ctx context.Context, name string) (lock, error) {
	conn, err := s.locks.Acquire(ctx)
	if err != nil {
		return nil, fmt.Errorf("job queue: connect to PostgreSQL: %w", err)
	}
	held := &serverLock{conn: conn}
	if err := held.take(ctx, key(name)); err != nil {
		held.unlock()
		return nil, err
	}
	return held, nil
}

func (s *server) single() bool { return false }

func (s *server) close() { s.locks.Close() }

// key is the number of a lock. Other users of the database have other numbers.
func key(name string) int64 {
	sum := sha256.Sum256([]byte("debate job queue\x00" + schema + "\x00" + name))
	return int64(binary.BigEndian.Uint64(sum[:8])) //nolint:gosec // any 64 bits will do
}

type serverLock struct{ conn *pgxpool.Conn }

// take asks the server to notice within 25 seconds when this machine is gone, and takes
// the lock if it is free.
func (s *serverLock) take(ctx context.Context, key int64) error {
	_, err := s.conn.Exec(ctx, "SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3")
	if err != nil {
		return fmt.Errorf("job queue: set up the connection that holds a lock: %w", err)
	}
	var got bool
	if err := s.conn.QueryRow(ctx, "SELECT pg_try_advisory_lock($1)", key).Scan(&got); err != nil {
		return fmt.Errorf("job queue: take a lock: %w", err)
	}
	if !got {
		return errTaken
	}
	return nil
}

func (s *serverLock) check(ctx context.Context) error { return s.conn.Ping(ctx) }

// unlock releases the lock and ends the connection, which releases it in any case.
func (s *serverLock) unlock() {
	ctx, cancel := context.WithTimeout(context.Background(), unlockWithin)
	defer cancel()
	_, _ = s.conn.Exec(ctx, "SELECT pg_advisory_unlock_all()")
	_ = s.conn.Hijack().Close(ctx)
}
