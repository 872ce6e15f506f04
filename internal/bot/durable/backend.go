package durable

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// errTaken is the error if another process holds the lock.
var errTaken = errors.New("the lock is held by another process")

// backend is a database with the tables of DBOS and the locks of the nodes.
type backend interface {
	// open makes a handle for DBOS alone: DBOS closes it.
	open(ctx context.Context) (handle, error)
	// lock takes a lock by its name: tablesLock, or that of a node. errTaken: another process
	// has it.
	lock(ctx context.Context, name string) (lock, error)
	// single reports that all names mean one lock: only one process can hold any.
	single() bool
	close()
}

// The names of locks. The first keeps other processes from preparing the tables at the same
// time, the second from working under the name of this node.
const (
	tablesLock = "tables\x00"
	nodeLock   = "node\x00" // and the name of the node
)

// lock is a held lock. The end of the process releases it.
type lock interface {
	// check fails if the lock is lost or its state is unknown.
	check(ctx context.Context) error
	unlock()
}

// handle is the database for DBOS, one of two, with its close function.
type handle struct {
	sqlite   *sql.DB
	postgres *pgxpool.Pool
	close    func()
}

// sitWithin bounds how long Start waits for an ending process of the same node. PostgreSQL
// notices the loss of a machine within 25 seconds.
const (
	sitWithin = 40 * time.Second
	sitAgain  = 250 * time.Millisecond
)

// waitForLock takes the lock of the node once no other process has it, and says so if it
// has to wait.
func waitForLock(ctx context.Context, h backend, node string, log *slog.Logger) (lock, error) {
	ctx, cancel := context.WithTimeout(ctx, sitWithin)
	defer cancel()
	s, err := h.lock(ctx, nodeLock+node)
	if !errors.Is(err, errTaken) {
		return s, err
	}
	log.WarnContext(ctx, "another server is at work here; waiting for it to end", "at_most", sitWithin.String())
	for pause(ctx, sitAgain) == nil {
		if s, err := h.lock(ctx, nodeLock+node); err == nil {
			return s, nil
		}
	}
	return nil, ErrNodeInUse
}
