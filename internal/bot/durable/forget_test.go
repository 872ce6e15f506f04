package durable

import (
	"context"
	"errors"
	"testing"
	"time"
)

// TestForget: nothing is left of a job that was over before the time given.
func TestForget(t *testing.T) {
	t.Parallel()
	places(t, func(t *testing.T, p place) {
		release := make(chan struct{})
		q := queue(t, p, "a", 5, func(_ context.Context, j Job) error {
			switch j.Subject {
			case "1/pull/0":
				<-release
			case "1/pull/1":
				return errors.New("failed")
			}
			return nil
		})
		for _, j := range someJobs(15) {
			enqueue(t, q, j)
		}
		untilActive(t, q, 5) // those of pull request 0
		if n, err := q.Forget(t.Context(), time.Now().Add(-time.Hour)); n != 0 || err != nil {
			t.Errorf("forgot %d jobs of the last hour: %v", n, err)
		}
		if n, err := q.Forget(t.Context(), time.Now().Add(time.Hour)); n != 10 || err != nil {
			t.Errorf("forgot %d jobs, want 10: %v", n, err)
		}
		close(release)
		untilOver(t, q)
		if n, err := q.Forget(t.Context(), time.Now().Add(time.Hour)); n != 5 || err != nil {
			t.Errorf("forgot %d jobs, want 5: %v", n, err)
		}
		for table, n := range rows(t, q) {
			if n != 0 {
				t.Errorf("%d rows are left in %s", n, table)
			}
		}
	})
}

// rows counts what DBOS keeps of jobs.
func rows(t *testing.T, q *Queue) map[string]int {
	t.Helper()
	h, err := q.backend.open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer h.close()
	counts := make(map[string]int)
	for _, table := range []string{"workflow_status", "workflow_input", "workflow_output", "operation_outputs", "workflow_events", "notifications", "streams"} {
		var n int
		if h.sqlite != nil {
			err = h.sqlite.QueryRow("SELECT count(*) FROM " + table).Scan(&n)
		} else {
			err = h.postgres.QueryRow(t.Context(), "SELECT count(*) FROM debate_queue."+table).Scan(&n)
		}
		if err != nil {
			t.Fatal(err)
		}
		counts[table] = n
	}
	return counts
}
