package bot

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/prdebate/debate/internal/bot/durable"
	"github.com/prdebate/debate/internal/bot/journal"
	"github.com/prdebate/debate/internal/bot/meter"
	"github.com/prdebate/debate/internal/bot/spans"
	"github.com/prdebate/debate/internal/event"
	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/pull"
	"github.com/prdebate/debate/internal/store/database"
)

// The bounds of trying again.
const (
	firstPause  = 15 * time.Second
	longest     = 30 * time.Minute
	longestJob  = 6 * time.Hour // no review may take as long by its settings
	maxAttempts = 8             // then a task is given up until a new event
	missingFor  = 2             // attempts; then "not found" means gone
	maxStarts   = 5             // of one attempt, because a job may kill the process every time
)

var (
	errPanic = errors.New("the review met a fault of debate itself: the log of the server holds where")
	// errTooLong is the error of a job without an end.
	errTooLong = fmt.Errorf("it did not end within %s", longestJob)
	errDied    = errors.New("the server ended every time while it was at this: the log of the machine may say why, such as too little memory")
)

// Ledger is the worker's part of the database.
type Ledger interface {
	Records
	// Task returns a task, the zero value for an unknown one.
	Task(ctx context.Context, subject string) (database.Task, bool, error)
	// Done records that all work up to a count is done.
	Done(ctx context.Context, subject string, wanted int64) error
	// Fail records a failed attempt and the time of the next one.
	Fail(ctx context.Context, subject string, f database.Failure) error
	SetItems(ctx context.Context, repo database.Repo, number int, items []database.Item) error
}

// Bench makes the reviewer of a repository for one job.
type Bench interface {
	// Task is the subject of the task.
	Reviewer(ctx context.Context, repo database.Repo, task string) (Reviewer, error)
}

// Reviewer is the reviewer of a repository, signed in for it alone.
type Reviewer struct {
	*pull.Runner
	Within []database.Limit // limits that its debates share with all others
	Close  func()           // may be nil
	// Book receives a function that stores each call of a model before it is made; may be
	// nil.
	Book func(depart func(ctx context.Context, f database.Flight) error)
}

// Worker does jobs.
type Worker struct {
	// Ledger returns the database for one job: it waits while the database is away, until the
	// job ends.
	Ledger   func(job <-chan struct{}) Ledger
	Database *database.DB // of the sweeps
	Bench    Bench
	Meter    *meter.Meter
	Wake     func() // wakes the dispatcher
	Clean    func(string) string
	Now      func() time.Time
	Log      *slog.Logger
	Spans    *spans.Tracer // may be nil
	// Random is in [0, 1): it keeps many failures from being tried again at one moment.
	Random func() float64
	Limits *Limits // of GitHub

	ledger Ledger // of the job
}

// Do does the work of a job, unless it was done already. Its error is only for the queue:
// the consequences are already in the database.
func (w *Worker) Do(ctx context.Context, job durable.Job) error {
	own := *w
	w, own.ledger = &own, w.Ledger(ctx.Done())
	began := w.Now()
	task, _, err := w.ledger.Task(ctx, job.Subject)
	if err != nil {
		return err
	}
	now := began.UnixMilli()
	if task.Done >= task.Wanted || task.Parked != 0 || task.RetryAt > now {
		return nil
	}
	ctx = journal.Pull(ctx, task.Repo.Owner+"/"+task.Repo.Name, numberOf(task.Triggers))
	ctx, span := w.Spans.Job(ctx, task.Subject, task.Attempts+1, task.Traces)
	span.Repository(task.Repo.Owner, task.Repo.Name)
	var result meter.JobResult // none of a panic
	defer func() { endJob(span, result) }()
	until, limited := w.Limits.wait(task.Repo.Installation, began)
	switch {
	case limited:
		err = &gh.LimitError{What: "wait before the next request", Until: until.Add(-time.Second)}
	case job.Starts > maxStarts:
		err = errDied
	default:
		defer w.panicked(ctx, task)
		err = w.lookInTime(ctx, task)
	}
	var kept error
	result, kept = w.conclude(ctx, task, err)
	w.Meter.Job(result, w.Now().Sub(began))
	return errors.Join(err, kept)
}

// endJob ends the span of a job.
func endJob(span *spans.Span, result meter.JobResult) {
	span.Text("debate.job.result", string(result))
	switch result {
	case meter.Done, meter.Cut:
		span.End("")
	case "":
		span.End("panic")
	default:
		span.End(string(result))
	}
}

// panicked counts a panic as a failure and passes it on to the queue, which logs it. So a
// task that always panics is given up like any other.
func (w *Worker) panicked(ctx context.Context, task database.Task) {
	p := recover()
	if p == nil {
		return
	}
	if _, err := w.conclude(context.WithoutCancel(ctx), task, errPanic); err != nil {
		w.Log.ErrorContext(ctx, "a panic was not kept", "error", w.Clean(err.Error()))
	}
	panic(p)
}

// lookInTime does a task within longestJob, so that a hanging job does not block its
// subject. Taking too long is a failure, not a cut.
func (w *Worker) lookInTime(ctx context.Context, task database.Task) error {
	limited, stop := context.WithTimeoutCause(ctx, longestJob, errTooLong)
	defer stop()
	err := w.look(limited, task)
	if err != nil && ctx.Err() == nil && limited.Err() != nil {
		return errTooLong
	}
	return err
}

// look does a task.
func (w *Worker) look(ctx context.Context, task database.Task) error {
	reviewer, err := w.Bench.Reviewer(ctx, task.Repo, task.Subject)
	if err != nil {
		return err
	}
	if reviewer.Close != nil {
		defer reviewer.Close()
	}
	reviewer.Say = w.say(func() context.Context { return ctx })
	for _, t := range task.Triggers {
		switch {
		case t.QueueHead != "":
			conclusion, why, err := reviewer.Queue(ctx, t.QueueRef, t.QueueBase, t.QueueHead)
			if err != nil {
				return err
			}
			w.Log.InfoContext(ctx, "merge group concluded", "conclusion", conclusion, "why", why)
		case t.Sweep:
			if err := w.sweep(ctx, reviewer.Reader, task.Repo); err != nil {
				return err
			}
		case t.Number != 0:
			if err := w.review(ctx, reviewer, task, pull.TriggerOf(t)); err != nil {
				return err
			}
		}
	}
	return nil
}

// say returns a function that logs a reviewer's lines. Each line asks for its context
// again: the id of a review is known only after it began.
func (w *Worker) say(about func() context.Context) func(format string, args ...any) {
	return func(format string, args ...any) { w.Log.InfoContext(about(), w.Clean(fmt.Sprintf(format, args...))) }
}

// review reviews one pull request and stores the result.
func (w *Worker) review(ctx context.Context, reviewer Reviewer, task database.Task, t pull.Trigger) error {
	books := &jobRecords{records: w.ledger, repo: task.Repo, number: t.Number, subject: task.Subject, now: w.Now, within: reviewer.Within}
	reviewer.Record, reviewer.Left = books.open, books.left
	reviewer.Say = w.say(func() context.Context { return journal.Review(ctx, books.current()) })
	if reviewer.Book != nil {
		reviewer.Book(books.depart)
	}
	if t.Cause == pull.Asked {
		answered, err := books.answered(ctx, task.Since)
		if err != nil {
			return err
		}
		if answered { // only the steps after the review run again
			t.Cause = pull.Changed
		}
	}
	result, err := w.run(ctx, reviewer, books, task, t)
	kept := w.keep(context.WithoutCancel(ctx), books, result, err)
	return errors.Join(err, kept)
}

// run has one pull request reviewed.
func (w *Worker) run(ctx context.Context, reviewer Reviewer, b *jobRecords, task database.Task, t pull.Trigger) (result pull.Result, err error) {
	ctx, span := w.Spans.Review(ctx, task.Repo.Owner, task.Repo.Name, t.Number)
	failed := "panic"
	defer func() {
		span.Text("debate.review.session", strings.Join(b.begun, " "))
		span.Text("debate.review.outcome", string(result.State.Ending.Outcome))
		span.Text("debate.review.conclusion", string(result.Conclusion))
		span.End(failed)
	}()
	result, err = reviewer.Run(ctx, t)
	switch {
	case err == nil:
		failed = ""
	case ctx.Err() != nil:
		failed = "cut"
	default:
		failed = "failed"
	}
	return result, err
}

// numberOf returns the pull request of some triggers, 0 for none.
func numberOf(triggers []event.Trigger) int {
	return lists.Find(triggers, func(t event.Trigger) bool { return t.Number != 0 }).Number
}

// conclude stores the result of an attempt.
func (w *Worker) conclude(ctx context.Context, task database.Task, err error) (meter.JobResult, error) {
	after := context.WithoutCancel(ctx)
	// The pull request, the repository or the installation no longer exists or is out of reach.
	// GitHub may send an event before it can find the object, so "not found" counts only after
	// some attempts.
	var refused *gh.SignInError
	isGone := errors.As(err, new(*gh.NotFoundError)) && task.Attempts >= missingFor || errors.As(err, &refused) && !refused.OfApp
	switch {
	case err == nil:
		return meter.Done, w.finish(after, task)
	case ctx.Err() != nil: // cut: it runs again, and this is no failure
		w.Log.InfoContext(after, "cut")
		return meter.Cut, nil
	case isGone:
		w.Log.InfoContext(after, "gone", "why", w.Clean(err.Error()))
		return meter.Done, w.finish(after, task)
	}
	f := w.failure(task, err)
	if f.Wait {
		w.Log.InfoContext(after, "waits for GitHub's limit", "why", f.Error)
		return meter.Retried, w.ledger.Fail(after, task.Subject, f)
	}
	w.Log.ErrorContext(after, "failed", "error", f.Error, "attempt", task.Attempts+1, "parked", f.Park)
	if !f.Park {
		return meter.Retried, w.ledger.Fail(after, task.Subject, f)
	}
	booked := w.bookLeft(after, task) // this frees the reservations
	return meter.Parked, errors.Join(booked, w.ledger.Fail(after, task.Subject, f))
}

// finish records that a task is done up to its count at the start of the job.
func (w *Worker) finish(ctx context.Context, task database.Task) error {
	defer w.Wake() // something more may have been wanted meanwhile
	if err := w.ledger.Done(ctx, task.Subject, task.Wanted); err != nil {
		return err
	}
	w.Log.InfoContext(ctx, "task done", "subject", task.Subject)
	return nil
}

// failure returns the consequences of a failed attempt. GitHub's limit names its own end,
// and waiting for it is no failure. Other errors are tried again after growing pauses, up
// to maxAttempts.
func (w *Worker) failure(task database.Task, err error) database.Failure {
	f := database.Failure{Wanted: task.Wanted, Error: w.Clean(unmasked(err))}
	var limit *gh.LimitError
	if errors.As(err, &limit) {
		until := later(limit.Until.Add(time.Second), w.Now().Add(firstPause)) // this clock may be ahead of GitHub's
		w.Limits.used(task.Repo.Installation, until)
		f.Wait, f.RetryAt = true, until.UnixMilli()
		return f
	}
	if task.Attempts+1 >= maxAttempts {
		f.Park = true
		return f
	}
	pause := min(firstPause<<min(task.Attempts, 10), longest)
	pause += time.Duration(w.Random() * float64(pause) / 4)
	f.RetryAt = w.Now().Add(pause).UnixMilli()
	return f
}
