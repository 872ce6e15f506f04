package bot_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prdebate/debate/internal/bot/durable"
	"github.com/prdebate/debate/internal/event"
	"github.com/prdebate/debate/internal/store/database"
)

// away is a ledger whose database does not answer until a time.
type away struct {
	taskAlone
	until time.Time
	tries int
}

func (l *away) Fail(ctx context.Context, subject string, f database.Failure) error {
	l.tries++
	if time.Now().Before(l.until) {
		return &database.FaultError{Cause: database.Unreachable, Address: "postgres://db.internal/debate", Err: errors.New("it is away")}
	}
	return l.taskAlone.Fail(ctx, subject, f)
}

// TestWorkerWaitsForTheDatabase: how a job ended is kept once the database is back, unless
// the job has to end or the database is away for too long.
func TestWorkerWaitsForTheDatabase(t *testing.T) {
	t.Parallel()
	db := opened(t)
	job := wanted(t, db, event.Trigger{Event: "pull_request", Number: 7})
	task := taskOf(t, db, seven)
	for _, tt := range []struct {
		name       string
		away       time.Duration
		cut        time.Duration // 0: never
		took       time.Duration
		kept, says string
	}{
		{name: "it is back", away: 90 * time.Second, took: 90 * time.Second, kept: "out of luck", says: "out of luck"},
		{name: "the job is cut", away: time.Hour, cut: 20 * time.Second, took: 20 * time.Second, says: "it is away"},
		{name: "it stays away", away: time.Hour, took: 10 * time.Minute, says: "it is away"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ledger := &away{taskAlone: taskAlone{task: task}, until: time.Now().Add(tt.away)}
				worker := newWorker(db, closed{err: errors.New("out of luck")})
				worker.Ledger = ledger
				ctx, stop := context.WithCancelCause(context.Background())
				defer stop(nil)
				if tt.cut > 0 {
					time.AfterFunc(tt.cut, func() { stop(durable.ErrCut) })
				}
				began := time.Now()
				err := worker.Do(ctx, job)
				if err == nil || !strings.Contains(err.Error(), tt.says) || ledger.failed.Error != tt.kept {
					t.Errorf("Do = %v, kept %q", err, ledger.failed.Error)
				}
				if took := time.Since(began); took != tt.took || ledger.tries > 601 {
					t.Errorf("after %s and %d tries", took, ledger.tries)
				}
			})
		})
	}
}
