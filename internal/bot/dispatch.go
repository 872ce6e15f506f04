package bot

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/prdebate/debate/internal/bot/durable"
	"github.com/prdebate/debate/internal/store/database"
)

// The bounds of dispatching.
const (
	dispatchEvery  = time.Second     // where nothing woke it: another node may have taken a delivery
	dispatchAtMost = 1000            // tasks at a time
	assumeQueued   = 5 * time.Minute // for how long a job that this node queued is taken for queued
)

// Tasks says what there is to look at.
type Tasks interface {
	// Due are tasks that may begin now, the oldest first.
	Due(ctx context.Context, now int64, limit int) ([]database.Task, error)
	Fail(ctx context.Context, subject string, f database.Failure) error
}

// Queue runs jobs durably. Queued twice, a job runs once.
type Queue interface {
	Enqueue(ctx context.Context, j durable.Job) error
}

// Dispatcher queues a job for every task that is due.
type Dispatcher struct {
	tasks  Tasks
	queue  Queue
	now    func() time.Time
	log    *slog.Logger
	wake   chan struct{}
	queued map[durable.Job]time.Time // by this node, and when
}

// NewDispatcher makes a dispatcher. Run runs it.
func NewDispatcher(tasks Tasks, queue Queue, now func() time.Time, log *slog.Logger) *Dispatcher {
	return &Dispatcher{tasks: tasks, queue: queue, now: now, log: log, wake: make(chan struct{}, 1), queued: make(map[durable.Job]time.Time)}
}

// Wake has the dispatcher look at once. It never waits.
func (d *Dispatcher) Wake() {
	select {
	case d.wake <- struct{}{}:
	default:
	}
}

// Run queues what is due until the context ends. What it could not queue it tries again.
func (d *Dispatcher) Run(ctx context.Context) {
	tick := time.NewTicker(dispatchEvery)
	defer tick.Stop()
	for ctx.Err() == nil {
		if err := d.dispatch(ctx); err != nil && ctx.Err() == nil {
			d.log.ErrorContext(ctx, "tasks were not queued", "error", err.Error())
		}
		select {
		case <-ctx.Done():
		case <-d.wake:
		case <-tick.C:
		}
	}
}

// dispatch queues what is due now.
func (d *Dispatcher) dispatch(ctx context.Context) error {
	now := d.now()
	for job, at := range d.queued {
		if now.Sub(at) > assumeQueued {
			delete(d.queued, job)
		}
	}
	due, err := d.tasks.Due(ctx, now.UnixMilli(), dispatchAtMost)
	if err != nil {
		return err
	}
	for _, t := range due {
		job := durable.Job{Subject: t.Subject, Wanted: t.Wanted, Attempt: t.Attempts}
		if _, known := d.queued[job]; known {
			continue
		}
		err := d.queue.Enqueue(ctx, job)
		if errors.Is(err, durable.ErrOver) { // it ended without a word about its task: there is another attempt, if not for ever
			failure := database.Failure{Wanted: t.Wanted, Error: "the last attempt could not say how it ended", Park: t.Attempts+1 >= maxAttempts}
			err = d.tasks.Fail(ctx, t.Subject, failure)
		}
		if err != nil {
			return err
		}
		d.queued[job] = now
	}
	return nil
}
