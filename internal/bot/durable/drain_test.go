package durable

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"
)

// TestDrain: Drain waits for the jobs that run, then cuts them; what was cut, and what
// had not started, runs when the node starts again. What ended meanwhile does not.
func TestDrain(t *testing.T) {
	t.Parallel()
	places(t, func(t *testing.T, p place) {
		begun, cut, release := make(chan Job, 10), make(chan error, 10), make(chan struct{})
		q := queue(t, p, "a", 2, func(ctx context.Context, j Job) error {
			begun <- j
			if j.Subject == "1/pull/1" {
				<-release
				return nil
			}
			<-ctx.Done()
			cut <- context.Cause(ctx)
			return errors.New("written by a job that was cut")
		})
		ends, runs := Job{Subject: "1/pull/1"}, Job{Subject: "1/pull/2"}
		waits := Job{Subject: "1/pull/2", Wanted: 1}
		enqueue(t, q, ends, runs, waits)
		within(t, "the first job", begun)
		within(t, "the second job", begun)
		close(release) // ends while the queue drains
		if err := q.Drain(t.Context(), 300*time.Millisecond); err != nil {
			t.Fatal(err)
		}
		if cause := within(t, "the cut", cut); !errors.Is(cause, ErrCut) {
			t.Errorf("cut because of %v", cause)
		}
		if len(begun) != 0 {
			t.Error("a job started while the queue drained")
		}
		if err := q.Drain(t.Context(), 0); err != nil {
			t.Errorf("drained twice: %v", err)
		}

		again := make(chan Job, 10)
		q = queue(t, p, "another name", 2, func(_ context.Context, j Job) error { again <- j; return nil })
		runs.Starts, waits.Starts = 1, 1
		if first, second := within(t, "the job that was cut", again), within(t, "the job that waited", again); first != runs || second != waits {
			t.Errorf("after the restart %+v and %+v ran, want %+v and %+v", first, second, runs, waits)
		}
		untilOver(t, q)
		if len(again) != 0 {
			t.Errorf("%+v ran again", <-again)
		}
	})
}

// TestDrainDuringCheck: a drain that meets a check of the lock leaves the lock to its node.
func TestDrainDuringCheck(t *testing.T) {
	t.Parallel()
	q := queue(t, postgresPlace(t), "a", 1, func(context.Context, Job) error { return nil })
	drains, drain := context.WithCancel(t.Context())
	drain()
	q.stopKeep() // nothing else looks at the lock from here on
	<-q.kept
	if err := q.checkLock(drains); err != nil || q.lock == nil {
		t.Errorf("the check says %v, and the lock is held: %v", err, q.lock != nil)
	}
}

// TestDrainWithoutEnd: a job that ignores that it was cut keeps the lock of its node, so
// that no other starts it.
func TestDrainWithoutEnd(t *testing.T) {
	t.Parallel()
	p := postgresPlace(t)
	begun, release := make(chan Job, 1), make(chan struct{})
	q := unstarted(t, p, "a", 1, func(_ context.Context, j Job) error {
		begun <- j
		<-release
		return nil
	})
	if err := q.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	enqueue(t, q, Job{Subject: "1/pull/1"})
	within(t, "the job", begun)
	other := queue(t, p, "b", 1, func(context.Context, Job) error {
		t.Error("a job ran that still runs elsewhere")
		return nil
	})
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	err := q.Drain(ended, time.Hour)
	if err == nil || !strings.Contains(err.Error(), "1 jobs did not return") {
		t.Errorf("Drain says %v", err)
	}
	if _, err := other.TakeOver(t.Context(), "a"); !errors.Is(err, ErrNodeAlive) {
		t.Errorf("taken over: %v, want ErrNodeAlive", err)
	}
	close(release)
	q.lock.unlock()
	q.backend.close()
}
