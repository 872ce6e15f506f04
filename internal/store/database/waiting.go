package database

import (
	"context"
	"errors"
	"log/slog"
	"time"
)

// The bounds of waiting for an absent database.
const (
	tryAgain      = time.Second
	longestOutage = 10 * time.Minute
)

// Waiting returns the database for one job. Its reads and writes wait while the database is
// away: otherwise paid answers and the ends of jobs would be lost. The end of the job ends the
// wait.
func (db *DB) Waiting(job <-chan struct{}, log *slog.Logger) *DB {
	c := *db.conns
	c.job, c.log = job, log
	return &DB{conns: &c, now: db.now}
}

// wait calls do, within answerWithin, and again until the database works.
func (c *conns) wait(ctx context.Context, doing string, do func(ctx context.Context) error) error {
	var enough <-chan time.Time
	for {
		within, cancel := context.WithTimeout(ctx, answerWithin)
		err := c.wrap(doing, do(within))
		cancel()
		if c.job == nil || !errors.As(err, new(*FaultError)) {
			return err
		}
		if enough == nil {
			c.log.WarnContext(ctx, "a job waits for the database", "error", err.Error())
			enough = time.After(longestOutage)
		}
		select {
		case <-time.After(tryAgain):
			continue
		case <-c.job:
		case <-enough:
		}
		return err
	}
}
