package durable

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/dbos-inc/dbos-transact-golang/dbos"
)

const (
	checkEvery  = 3 * time.Second
	checkWithin = 5 * time.Second
	// A node stops its jobs after it was unsure of its lock for this time. With the times
	// above they stop at most 23 seconds after the loss of the lock.
	cutAfter = 15 * time.Second

	sweepEvery = 15 * time.Second
	// DBOS writes the end of a job again after at most 32 seconds if the database did not
	// answer. A job without a runner for longer is lost.
	lostAfter = 45 * time.Second
)

// DeadAfter is the silence of a node before TakeOver may be called for it. By then a node
// without the database has stopped its jobs.
const DeadAfter = 45 * time.Second

// Start runs jobs from now on, first the unfinished ones of this node. ctx bounds only the
// start.
func (q *Queue) Start(ctx context.Context) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.started || q.drained {
		return errors.New("start the job queue: it was started before")
	}
	own, err := waitForLock(ctx, q.backend, q.node, q.log)
	if err != nil {
		return fmt.Errorf("start the job queue as node %q: %w", q.node, err)
	}
	if err := q.launch(ctx); err != nil {
		own.unlock()
		return fmt.Errorf("start the job queue: %w", err)
	}
	q.started, q.lock = true, own
	q.roster.hold(true)
	background, stop := context.WithCancel(context.Background())
	q.stopKeep, q.kept = stop, make(chan struct{})
	go func() {
		defer close(q.kept)
		q.keep(background)
	}()
	return nil
}

// launch tells DBOS about the queue and lets it begin.
func (q *Queue) launch(ctx context.Context) error {
	stop := context.AfterFunc(ctx, func() { _ = q.shut() })
	defer stop()
	_, err := dbos.RegisterQueue(q.dbos, queueName,
		dbos.WithPartitionConcurrency(1),
		dbos.WithWorkerConcurrency(q.workers),
		// No limit, but it makes DBOS take jobs in serializable transactions. Without, two
		// nodes could take two jobs of one subject if these were enqueued at the same moment.
		dbos.WithGlobalConcurrency(1<<30),
		dbos.WithQueueBasePollingInterval(pollEvery),
		dbos.WithQueueOnConflict(dbos.QueueConflictAlwaysUpdate),
	)
	if err != nil {
		return fmt.Errorf("register the queue: %w", err)
	}
	if q.backend.single() {
		// Their nodes are dead, because this process has the only lock.
		if _, err := q.putBack(q.dbos, func(j dbos.WorkflowStatus) bool { return j.ExecutorID != q.node }); err != nil {
			return err
		}
	}
	err = dbos.Launch(q.dbos)
	if !stop() {
		return ctx.Err()
	}
	return err
}

// keeper is the memory of the goroutine that keeps the lock of the node.
type keeper struct {
	sure  time.Time // when the lock was held for certain
	swept time.Time // when lost jobs were looked for
	lost  map[string]lostJob
	rival bool // the log already names the other process
}

// lostJob is a job of this node without a runner: when it was first seen, and when it was
// taken.
type lostJob struct{ seen, taken time.Time }

// keep watches over the lock of the node and over lost jobs until ctx ends.
func (q *Queue) keep(ctx context.Context) {
	tick := time.NewTicker(checkEvery)
	defer tick.Stop()
	k := newKeeper(time.Now())
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			q.watch(ctx, k, time.Now)
		}
	}
}

func newKeeper(now time.Time) *keeper { return &keeper{sure: wallClock(now)} }

// wallClock removes the monotonic clock, which stops while the machine sleeps.
func wallClock(t time.Time) time.Time { return t.Round(0) }

// watch checks the lock, stops jobs that run without it for too long, and looks for lost
// jobs.
func (q *Queue) watch(ctx context.Context, k *keeper, clock func() time.Time) {
	err := q.checkLock(ctx)
	now := clock()
	if taken := errors.Is(err, errTaken); taken != k.rival {
		k.rival = taken
		if taken {
			q.log.Error("no job starts: another process is running under the name of this node", "node", q.node)
		}
	}
	if err != nil {
		k.lost = nil
		if now.Sub(k.sure) > cutAfter {
			q.roster.cut()
		}
		return
	}
	k.sure = wallClock(now)
	if now.Sub(k.swept) >= sweepEvery {
		k.swept = now
		q.sweep(ctx, k, now)
	}
}

// checkLock checks the lock of the node, and takes it again after a lost connection. No job
// starts meanwhile. A draining queue lets the check finish: an interrupted check would
// close the connection and lose the lock while a job may still run.
func (q *Queue) checkLock(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), checkWithin)
	defer cancel()
	var err error
	if q.lock != nil {
		if err = q.lock.check(ctx); err == nil {
			return nil
		}
		q.log.Warn("the job queue lost its connection to the database; no job starts until it is back", "error", err)
		q.roster.hold(false)
		q.lock.unlock()
		q.lock = nil
	}
	again, err := q.backend.lock(ctx, nodeLock+q.node)
	if err != nil {
		return err
	}
	q.lock = again
	q.roster.hold(true)
	q.log.Info("the job queue is connected to the database again")
	return nil
}

// sweep puts jobs back that DBOS took for this node and then lost, for example because the
// connection broke.
func (q *Queue) sweep(ctx context.Context, k *keeper, now time.Time) {
	pending, err := q.pending(dbos.From(q.dbos, ctx), dbos.WithFilterExecutorIDs(q.node))
	if err != nil {
		k.lost = nil
		return
	}
	given := q.roster.ids()
	still := make(map[string]lostJob)
	var back []string
	for _, p := range pending {
		if given[p.ID] > 0 {
			continue
		}
		l, known := k.lost[p.ID]
		if !known || !l.taken.Equal(p.StartedAt) {
			l = lostJob{seen: now, taken: p.StartedAt}
		}
		if now.Sub(l.seen) >= lostAfter {
			back = append(back, p.ID)
		} else {
			still[p.ID] = l
		}
	}
	k.lost = still
	if len(back) == 0 {
		return
	}
	if err := q.resume(dbos.From(q.dbos, ctx), back); err != nil {
		q.log.Warn("lost jobs could not be put back into the queue", "jobs", len(back), "error", err)
		return
	}
	q.log.Warn("jobs of an ended server were put back into the queue", "jobs", len(back))
}
