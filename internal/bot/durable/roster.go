package durable

import (
	"context"
	"maps"
	"sync"
	"time"
)

// roster knows the jobs of this process and decides which of them may run: none while the
// lock of the node is lost or the queue drains, and one of each subject.
type roster struct {
	mu       sync.Mutex
	held     bool                       // the lock of the node is held
	draining bool                       // no job may start any more
	running  map[string]func(why error) // by subject: stops the job
	settling int                        // ended jobs without a recorded end
	given    map[string]int             // ids of the jobs that DBOS gave to this process and has not got back
	changed  chan struct{}              // closed and renewed when something above changes
}

func newRoster() *roster {
	return &roster{
		running: make(map[string]func(error)),
		given:   make(map[string]int),
		changed: make(chan struct{}),
	}
}

// change changes the roster and wakes all waiters.
func (r *roster) change(alter func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	alter()
	close(r.changed)
	r.changed = make(chan struct{})
}

// wait returns once try returns true; it calls try again after every change.
func (r *roster) wait(ctx context.Context, try func() bool) error {
	for {
		r.mu.Lock()
		ok, changed := try(), r.changed
		r.mu.Unlock()
		if ok {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-changed:
		}
	}
}

// begin waits until the job may run and records that it runs. The returned context ends
// when the queue cuts the job, and with ctx. It has no values of ctx: otherwise DBOS would
// take a call of the queue from inside a job for a step of the job.
func (r *roster) begin(ctx context.Context, j Job) (context.Context, error) {
	run, cancel := context.WithCancelCause(context.Background())
	unlink := context.AfterFunc(ctx, func() { cancel(ErrCut) })
	stop := func(why error) {
		unlink()
		cancel(why)
	}
	err := r.wait(ctx, func() bool {
		_, busy := r.running[j.Subject]
		if !r.held || r.draining || busy {
			return false
		}
		r.running[j.Subject] = stop
		return true
	})
	if err != nil {
		stop(ErrCut)
		return nil, err
	}
	return run, nil
}

// end records that the job has returned.
func (r *roster) end(j Job) {
	r.change(func() { r.remove(j) })
}

func (r *roster) remove(j Job) {
	r.running[j.Subject](context.Canceled)
	delete(r.running, j.Subject)
}

// settle records that the job has ended and its end is being recorded; settled ends that.
func (r *roster) settle(j Job) (settled func()) {
	r.change(func() {
		r.remove(j)
		r.settling++
	})
	return func() { r.change(func() { r.settling-- }) }
}

// cut asks all running jobs to stop.
func (r *roster) cut() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, stop := range r.running {
		stop(ErrCut)
	}
}

// idle waits until no job runs and all ends are recorded, at most d.
func (r *roster) idle(ctx context.Context, d time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	return r.wait(ctx, func() bool { return len(r.running) == 0 && r.settling == 0 })
}

// hold says whether this process holds the lock of its node.
func (r *roster) hold(held bool) { r.change(func() { r.held = held }) }

func (r *roster) isHeld() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.held
}

// give adds n to how often DBOS has given a job to this process without getting it back.
func (r *roster) give(id string, n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.given[id] += n; r.given[id] == 0 {
		delete(r.given, id)
	}
}

// ids returns the jobs that DBOS gave to this process and has not got back.
func (r *roster) ids() map[string]int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return maps.Clone(r.given)
}

// count returns how many jobs run.
func (r *roster) count() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.running)
}
