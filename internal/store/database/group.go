package database

import (
	"context"
	"database/sql"
	"errors"
	"sync"
)

// maxGroup bounds how many changes share a transaction, so that the first of them does
// not wait for ever.
const maxGroup = 256

// errClosed is the answer to a change that comes after Close.
var errClosed = errors.New("the database is closed")

// group lets changes of a SQLite file share a commit: while one transaction is being
// written to disk, the changes that arrive meanwhile wait for the next, together.
type group struct {
	db      *sql.DB
	changes chan *change
	stop    chan struct{}
	stopped sync.WaitGroup
}

// change is one caller's part of a transaction.
type change struct {
	gone <-chan struct{} // its caller does not wait any more
	run  func(ctx context.Context, s statements) error
	err  error // of this part alone
	done chan error
}

func newGroup(db *sql.DB) *group {
	g := &group{db: db, changes: make(chan *change), stop: make(chan struct{})}
	g.stopped.Go(g.work)
	return g
}

// close ends the group behind the transaction that runs.
func (g *group) close() {
	close(g.stop)
	g.stopped.Wait()
}

// do returns once a change is durable, or failed. If the context ends first, it is not
// known which.
func (g *group) do(ctx context.Context, run func(ctx context.Context, s statements) error) error {
	c := &change{gone: ctx.Done(), run: run, done: make(chan error, 1)}
	select {
	case g.changes <- c:
	case <-g.stop:
		return errClosed
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	select {
	case err := <-c.done:
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// work runs one transaction after the other.
func (g *group) work() {
	for {
		select {
		case <-g.stop:
			return
		case first := <-g.changes:
			g.commit(g.gather(first))
		}
	}
}

// gather takes all changes that wait.
func (g *group) gather(first *change) []*change {
	all := []*change{first}
	for len(all) < maxGroup {
		select {
		case next := <-g.changes:
			all = append(all, next)
		default:
			return all
		}
	}
	return all
}

// commit runs changes in one transaction and tells each caller what became of it.
func (g *group) commit(all []*change) {
	ctx, cancel := context.WithTimeout(context.Background(), answerWithin)
	defer cancel()
	err := g.transact(ctx, all)
	for _, c := range all {
		if err != nil {
			c.done <- err
		} else {
			c.done <- c.err
		}
	}
}

func (g *group) transact(ctx context.Context, all []*change) error {
	tx, err := g.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	for _, c := range all {
		if err := c.apply(ctx, tx); err != nil {
			_ = tx.Rollback() // the first error says more
			return err
		}
	}
	return tx.Commit()
}

// apply runs one change so that its failure takes back nothing else. An error says that
// the whole transaction has failed.
func (c *change) apply(ctx context.Context, tx *sql.Tx) error {
	select {
	case <-c.gone:
		c.err = context.Canceled
		return nil
	default:
	}
	if _, err := tx.ExecContext(ctx, "SAVEPOINT one"); err != nil {
		return err
	}
	if c.err = c.run(ctx, statements{on: tx, rebind: asWritten}); c.err != nil {
		if _, err := tx.ExecContext(ctx, "ROLLBACK TO one"); err != nil {
			return errors.Join(c.err, err)
		}
	}
	_, err := tx.ExecContext(ctx, "RELEASE one")
	return err
}
