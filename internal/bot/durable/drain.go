package durable

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/dbos-inc/dbos-transact-golang/dbos"
)

const (
	// noQueue is a queue that does not exist; a node that listens only to it takes no job.
	noQueue = "nowhere"
	// stopWithin is how long jobs have to return after they were cut.
	stopWithin = 5 * time.Second
)

// Drain stops the queue for good. No new job starts; running jobs have d to end, are cut
// then, and have five more seconds to return. Unfinished jobs wait in the queue again, for
// any node. If ctx ends, the jobs are cut at once. The error lists jobs that did not
// return: they may still run, and keep the lock of the node until the process ends.
func (q *Queue) Drain(ctx context.Context, d time.Duration) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.drained {
		return nil
	}
	q.drained = true
	q.roster.change(func() { q.roster.draining = true })
	if !q.started {
		err := q.shut()
		q.backend.close()
		return err
	}
	dbos.ListenQueues(q.dbos, noQueue)
	if q.roster.idle(ctx, d) != nil {
		q.roster.cut()
		_ = q.roster.idle(context.WithoutCancel(ctx), stopWithin)
	}
	err := q.shut()
	left := q.roster.count()
	q.stopKeep()
	<-q.kept
	if left > 0 {
		// No other node may take these jobs while one of them may still run.
		return errors.Join(fmt.Errorf("stop the job queue: %d jobs did not return within %s of being told to stop", left, stopWithin), err)
	}
	if back := q.handBack(context.WithoutCancel(ctx)); back != nil {
		q.log.Warn("jobs that were stopped stay with this node until it starts again or another takes over", "error", back)
	}
	if q.lock != nil {
		q.lock.unlock()
	}
	q.backend.close()
	return err
}

// shut ends DBOS, which leaves the unfinished jobs with this node.
func (q *Queue) shut() error {
	q.hush.set(true)
	if err := dbos.Shutdown(q.dbos, shutWithin); err != nil {
		return fmt.Errorf("stop the job queue: %w", err)
	}
	return nil
}

// handBack puts the jobs of this node back into the queue. DBOS is shut down by now, so it
// uses a client.
func (q *Queue) handBack(ctx context.Context) error {
	if q.lock == nil {
		return errors.New("the database does not answer")
	}
	ctx, cancel := context.WithTimeout(ctx, shutWithin)
	defer cancel()
	h, err := q.backend.open(ctx)
	if err != nil {
		return err
	}
	client, err := dbos.NewClient(ctx, dbos.ClientConfig{
		AppName:                appName,
		SQLiteSystemDB:         h.sqlite,
		SystemDBPool:           h.postgres,
		DatabaseSchema:         schema,
		Logger:                 slog.New(q.hush),
		SystemDBStartupTimeout: shutWithin,
	})
	if err != nil {
		h.close()
		return err
	}
	_, err = q.putBack(client, nil, dbos.WithFilterExecutorIDs(q.node))
	return errors.Join(err, dbos.Shutdown(client, shutWithin))
}
