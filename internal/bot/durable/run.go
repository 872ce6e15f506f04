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

// lookAgain is the pause before a job that another node has is looked at again.
const lookAgain = 2 * time.Second

// errEnded is all that DBOS records of a job's error. What it was stands in the caller's
// table, where secrets have been taken out.
var errEnded = errors.New("the job ended with an error")

// standing says where a job stands in the database.
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

// lookUp reads where a job stands.
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

// run is what DBOS calls for a job that it has given to this node. What it returns is
// recorded as the end of the job, unless the queue has been shut down: then DBOS leaves
// the job as one that this node is doing, and it runs again.
//
// DBOS records an end without asking whose job it is by now. So run returns only while
// the job is this node's: it asks before the job starts, because DBOS may have been held
// up since it took the job, and again when the job has returned.
func (q *Queue) run(ctx dbos.Context, j Job) (string, error) {
	q.roster.take(j.ID())
	defer q.roster.giveBack(j.ID())
	for {
		job, err := q.roster.begin(ctx, j)
		if err != nil {
			return "", err
		}
		ended, err := q.attempt(ctx, job, j)
		q.roster.end(j)
		if ended {
			return "", err
		}
		if err := pause(ctx, lookAgain); err != nil {
			return "", err
		}
	}
}

// attempt does the job once if it is this node's. It says whether the job is over, here
// or elsewhere, or could not be done and has to be looked at again.
func (q *Queue) attempt(ctx dbos.Context, job context.Context, j Job) (ended bool, err error) {
	before, err := q.lookUp(q.dbos, j.ID())
	switch {
	case err != nil:
		q.log.Warn("a job waits because the database cannot be read", "subject", j.Subject, "error", err)
		return false, nil
	case before.standing == unknown || before.standing == over:
		return true, nil
	case before.standing == elsewhere:
		return false, nil
	}
	j.Starts = before.starts
	err = q.guarded(job, j)
	cut := err != nil && errors.Is(context.Cause(job), ErrCut)
	if cut {
		return false, nil
	}
	if err != nil {
		err = errEnded
	}
	return q.settle(ctx, j, err)
}

// settle waits until the end of a job may be recorded: this node holds its lock and the
// job is still its own. It says that the job is not over if another node has it by now.
func (q *Queue) settle(ctx dbos.Context, j Job, outcome error) (ended bool, err error) {
	for {
		if err := q.roster.waitHeld(ctx); err != nil {
			return true, err
		}
		now, err := q.lookUp(q.dbos, j.ID())
		switch {
		case err == nil && now.standing == elsewhere:
			return false, nil
		case err == nil:
			return true, outcome
		}
		q.log.Warn("the end of a job waits because the database cannot be read", "subject", j.Subject, "error", err)
		if err := pause(ctx, lookAgain); err != nil {
			return true, err
		}
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
		err = errEnded
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
