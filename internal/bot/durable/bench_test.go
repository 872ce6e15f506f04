package durable

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"
)

// TestPrompt: an idle queue starts a job soon after it was enqueued. The test is not one of
// those that run side by side: beside them the machine is busy, not the queue.
func TestPrompt(t *testing.T) {
	places(t, func(t *testing.T, p place) {
		begun := make(chan time.Time, 1)
		q := queue(t, p, "a", 4, func(context.Context, Job) error { begun <- time.Now(); return nil })
		var delays []time.Duration
		for i := range 15 {
			start := time.Now()
			enqueue(t, q, Job{Subject: fmt.Sprintf("1/pull/%d", i)})
			delays = append(delays, within(t, "the job", begun).Sub(start))
			untilOver(t, q)
		}
		slices.Sort(delays)
		t.Logf("a job starts after %v (half of them), at most %v", delays[7], delays[14])
		if delays[7] > 400*time.Millisecond {
			t.Errorf("half of the jobs started only after %v", delays[7])
		}
	})
}
