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
	dispatchEvery  = time.Second           // without a wake-up: another node may have taken a delivery
	dispatchRest   = 50 * time.Millisecond // the queue itself looks for work less often
	dispatchAtMost = 1000                  // tasks at a time
	assumeQueued   = 5 * time.Minute       // time for which this node trusts that its job is still queued
)

// Tasks lists and updates tasks.
type Tasks interface {
	// Due lists the tasks that may begin now, the oldest first.
	Due(ctx context.Context, now int64, limit int) ([]database.Task, error)
	Fail(ctx context.Context, subject string, f database.Failure) error
}

// Queue runs jobs durably. Queued twice, a job runs once.
type Queue interface {
	Enqueue(ctx context.Context, j durable.Job) error
	// Active lists the jobs that wait or run, on any node.
	Active(ctx context.Context) ([]durable.Job, error)
}

// Dispatcher queues a job for every due task. A job does everything its task wants when it
// begins, so a subject gets its next job after the last one has ended. Deliveries in
// between cost the queue nothing.
type Dispatcher struct {
	tasks  Tasks
	queue  Queue
	now    func() time.Time
	log    *slog.Logger
	wake   chan struct{}
	queued map[string]queued // the last job of this node, by subject
}

// queued is a job, and when it was queued.
type queued struct {
	job durable.Job
	at  time.Time
}

// NewDispatcher makes a dispatcher. Run runs it.
func NewDispatcher(tasks Tasks, queue Queue, now func() time.Time, log *slog.Logger) *Dispatcher {
	return &Dispatcher{tasks: tasks, queue: queue, now: now, log: log, wake: make(chan struct{}, 1), queued: make(map[string]queued)}
}

// Wake has the dispatcher look at once. It never waits.
func (d *Dispatcher) Wake() {
	select {
	case d.wake <- struct{}{}:
	default:
	}
}

// Run queues due tasks until the context ends, and tries failed ones again. It rests
// between two looks, so a burst of deliveries costs few looks.
func (d *Dispatcher) Run(ctx context.Context) {
	tick := time.NewTicker(dispatchEvery)
	defer tick.Stop()
	for ask := true; ctx.Err() == nil; {
		if err := d.dispatch(ctx, ask); err != nil && ctx.Err() == nil {
			d.log.ErrorContext(ctx, "tasks were not queued", "error", err.Error())
		}
		rest := time.NewTimer(dispatchRest)
		select {
		case <-ctx.Done():
		case <-rest.C:
		}
		rest.Stop()
		select {
		case <-ctx.Done():
		case <-d.wake:
			ask = false
		case <-tick.C:
			ask = true
		}
	}
}

// dispatch queues the due tasks. If it cannot tell whether the last job of a subject has
// ended, it asks the queue, but only if ask is set: this is the most expensive query.
func (d *Dispatcher) dispatch(ctx context.Context, ask bool) error {
	now := d.now()
	for subject, last := range d.queued {
		if now.Sub(last.at) > assumeQueued {
			delete(d.queued, subject)
		}
	}
	due, err := d.tasks.Due(ctx, now.UnixMilli(), dispatchAtMost)
	if err != nil {
		return err
	}
	var unsure []database.Task
	for _, t := range due {
		last := d.queued[t.Subject]
		switch {
		case t.Done >= last.job.Wanted || t.Attempts > last.job.Attempt: // the last job has reported its result, or there is none
			if err := d.enqueue(ctx, t, now); err != nil {
				return err
			}
		case last.job.Wanted != t.Wanted: // else the last job is for this task
			unsure = append(unsure, t)
		}
	}
	if len(unsure) == 0 || !ask {
		return nil
	}
	return d.enqueueIdle(ctx, unsure, now)
}

// enqueueIdle queues the tasks without a waiting or running job.
func (d *Dispatcher) enqueueIdle(ctx context.Context, tasks []database.Task, now time.Time) error {
	active, err := d.queue.Active(ctx)
	if err != nil {
		return err
	}
	busy := make(map[string]bool)
	for _, j := range active {
		busy[j.Subject] = true
	}
	for _, t := range tasks {
		if busy[t.Subject] {
			continue
		}
		if err := d.enqueue(ctx, t, now); err != nil {
			return err
		}
	}
	return nil
}

// enqueue queues a task.
func (d *Dispatcher) enqueue(ctx context.Context, t database.Task, now time.Time) error {
	job := durable.Job{Subject: t.Subject, Wanted: t.Wanted, Attempt: t.Attempts}
	err := d.queue.Enqueue(ctx, job)
	if errors.Is(err, durable.ErrOver) { // it ended without a report: try again, up to maxAttempts
		failure := database.Failure{Wanted: t.Wanted, Error: "the last attempt could not say how it ended", Park: t.Attempts+1 >= maxAttempts}
		err = d.tasks.Fail(ctx, t.Subject, failure)
	}
	if err == nil {
		d.queued[t.Subject] = queued{job, now}
	}
	return err
}
