package database

import (
	"context"
	"database/sql"
	"errors"
	"sync"
)

// maxGroup bounds the changes in a transaction, so that the first one does not wait without
// end.
const maxGroup = 256

// errClosed is the error for a change after Close.
var errClosed = errors.New("the database is closed")

// group combines changes of a SQLite file into one commit: while a transaction is being
// written to disk, new changes wait for the next one together.
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

// do returns once a change is durable, or failed. If the context ends first, the result is
// unknown.
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

// gather takes all waiting changes.
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

// commit runs changes in one transaction and returns each caller's result.
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

// apply runs one change so that its failure does not affect the others. An error means that
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
