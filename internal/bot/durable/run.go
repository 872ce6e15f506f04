package durable

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/dbos-inc/dbos-transact-golang/dbos"
)

// lookAgain is the pause before the next look at a job of another node.
const lookAgain = 2 * time.Second

// The ends of a job in DBOS. The caller's table has the errors, without secrets.
const (
	endedWell  = "done"
	endedBadly = "failed"
)

// errPanic replaces a panic in Do.
var errPanic = errors.New("the job panicked")

// standing is the state of a job in the database.
type standing int

const (
	unknown   standing = iota // no such job
	here                      // given to this node and not over
	elsewhere                 // waits, or is given to another node
	over
)

type found struct {
	standing standing
	starts   int
}

// lookUp reads the state of a job, unknown after an error.
func (q *Queue) lookUp(c dbos.Client, id string) (found, error) {
	all, err := dbos.ListWorkflows(c, dbos.WithFilterWorkflowIDs(id), dbos.WithFilterLoadInput(false), dbos.WithFilterLoadOutput(false))
	if err != nil {
		return found{}, fmt.Errorf("look up job %s: %w", id, err)
	}
	if len(all) == 0 {
		return found{}, nil
	}
	f := found{standing: over, starts: all[0].Attempts}
	switch all[0].Status {
	case dbos.WorkflowStatusEnqueued, dbos.WorkflowStatusDelayed:
		f.standing = elsewhere
	case dbos.WorkflowStatusPending:
		f.standing = elsewhere
		if all[0].ExecutorID == q.node {
			f.standing = here
		}
	}
	return f, nil
}

// run is DBOS's function for a job of this node. Its result is recorded as the end of the
// job, unless the queue has been shut down: then DBOS leaves the job with this node, and it
// runs again.
//
// DBOS records an end without checking the owner of the job. So run returns only while this
// node owns the job: it checks before the job starts, because DBOS may have been delayed
// since it took the job, and again after the job.
func (q *Queue) run(ctx dbos.Context, j Job) (string, error) {
	q.roster.give(j.ID(), 1)
	defer q.roster.give(j.ID(), -1)
	for {
		end, err := q.attempt(ctx, j)
		if end != "" || err != nil {
			return end, err
		}
		if err := pause(ctx, lookAgain); err != nil {
			return "", err
		}
	}
}

// attempt does the job once, when it may run, if this node owns it. It returns the end of
// the job, or "" for another look: the job was cut, or another node has it. The error is
// that of ctx.
func (q *Queue) attempt(ctx dbos.Context, j Job) (end string, err error) {
	job, err := q.roster.begin(ctx, j)
	if err != nil {
		return "", err
	}
	before, err := q.lookUp(q.dbos, j.ID())
	mine := before.standing == here && job.Err() == nil
	if !mine {
		q.roster.end(j)
		switch {
		case err != nil:
			q.complain(ctx, "a job waits because the database cannot be read", j, err)
		case before.standing == unknown || before.standing == over:
			return endedWell, nil // there is nothing left to record
		}
		return "", ctx.Err()
	}
	j.Starts = before.starts
	end = endedWell
	if q.guarded(job, j) != nil {
		end = endedBadly
	}
	if end == endedBadly && errors.Is(context.Cause(job), ErrCut) {
		q.roster.end(j)
		return "", ctx.Err()
	}
	settled := q.roster.settle(j)
	defer settled()
	return q.settle(ctx, j, end)
}

// settle waits until the end of a job may be recorded: this node holds its lock and the
// job is still its own. It returns "" if another node has the job by now.
func (q *Queue) settle(ctx dbos.Context, j Job, end string) (string, error) {
	for {
		if err := q.roster.wait(ctx, func() bool { return q.roster.held }); err != nil {
			return "", err
		}
		now, err := q.lookUp(q.dbos, j.ID())
		switch {
		case now.standing == elsewhere:
			return "", nil
		case err == nil:
			return end, nil
		}
		q.complain(ctx, "the end of a job waits because the database cannot be read", j, err)
		if err := pause(ctx, lookAgain); err != nil {
			return "", err
		}
	}
}

// complain logs an error, except at the end of the queue.
func (q *Queue) complain(ctx context.Context, what string, j Job, err error) {
	if ctx.Err() == nil {
		q.log.Warn(what, "subject", j.Subject, "error", err)
	}
}

// guarded does a job and makes an error of its panic. Only the type of a panic's value
// is logged, and the message of Go itself: the value may hold text of others.
func (q *Queue) guarded(ctx context.Context, j Job) (err error) {
	defer func() {
		p := recover()
		if p == nil {
			return
		}
		what := fmt.Sprintf("%T", p)
		if own, ok := p.(runtime.Error); ok {
			what = own.Error()
		}
		q.log.Error("a job panicked", "subject", j.Subject, "panic", what, "stack", string(debug.Stack()))
		err = errPanic
	}()
	return q.do(ctx, j)
}

func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}
