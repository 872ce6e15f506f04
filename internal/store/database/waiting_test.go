package database

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestWaiting: a job's read or write waits until the database is back, unless the job has to
// end or the database is away for too long. Others do not wait.
func TestWaiting(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		away time.Duration
		cut  time.Duration // 0: never
		job  bool
		took time.Duration
		says string
	}{
		{name: "it is back", away: 90 * time.Second, job: true, took: 90 * time.Second, says: "out of luck"},
		{name: "the job is cut", away: time.Hour, cut: 20 * time.Second, job: true, took: 20 * time.Second, says: "it is away"},
		{name: "it stays away", away: time.Hour, job: true, took: 10 * time.Minute, says: "it is away"},
		{name: "no job", away: time.Hour, says: "it is away"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				began, tries := time.Now(), 0
				job, stop := context.WithCancel(context.Background())
				defer stop()
				if tt.cut > 0 {
					time.AfterFunc(tt.cut, stop)
				}
				db := &DB{conns: &conns{}}
				if tt.job {
					db = db.Waiting(job.Done(), slog.New(slog.DiscardHandler))
				}
				err := db.conns.wait(context.Background(), "end the job", func(context.Context) error {
					tries++
					if time.Since(began) < tt.away {
						return &FaultError{Cause: Unreachable, Err: errors.New("it is away")}
					}
					return errors.New("out of luck")
				})
				if err == nil || !strings.Contains(err.Error(), tt.says) {
					t.Errorf("wait = %v", err)
				}
				if took := time.Since(began); took != tt.took || tries > 601 {
					t.Errorf("after %s and %d tries", took, tries)
				}
			})
		})
	}
}
