package database

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/prdebate/debate/internal/event"
	"github.com/prdebate/debate/internal/text"
)

// Task is a subject to look at.
type Task struct {
	Subject  string // as the function Subject names it
	Repo     Repo
	Wanted   int64  // counts up with every delivery, and never begins again
	Done     int64  // as much of Wanted as was looked at
	Attempts int    // failures in a row
	RetryAt  int64  // not before, Unix ms, 0 at once
	Parked   int64  // given up at, Unix ms; 0: not
	Error    string // of the last attempt, one line
	Since    int64  // when the oldest thing not done was wanted, Unix ms
	// Triggers are why it was wanted since it was done last, the oldest first; of those of
	// one kind the last. Only the method Task reads them.
	Triggers []event.Trigger
	Traces   []string // the spans of the deliveries among them, in the same order
}

// Failure is the result of a failed attempt.
type Failure struct {
	Wanted  int64  // Task.Wanted as it was when the attempt began
	Error   string // one line, without secrets
	RetryAt int64  // not before, Unix ms, 0 at once
	Park    bool   // give up until the next wish
	Wait    bool   // it could not begin before RetryAt; this is no failure
}

// TaskFilter chooses tasks.
type TaskFilter struct {
	Parked bool // tasks given up; otherwise open ones
	Limit  int  // at most as many, 0 for 100
	Offset int  // tasks to skip
}

// The bounds of a task.
const (
	maxTaskError = 2000 // bytes
	defaultLimit = 100
	maxLimit     = 10_000 // rows of one call
)

const taskColumns = `subject, installation, repo, owner, name, wanted, done, attempts, retry_at, parked, error, since`

// Want asks for a look at a subject without a delivery, for a sweep or a person. It reopens
// a task that was given up.
func (db *DB) Want(ctx context.Context, repo Repo, t event.Trigger) error {
	w, err := newWant(repo, t, db.now().UnixMilli(), "")
	if err != nil {
		return err
	}
	return db.conns.write(ctx, "want "+w.subject, w.write)
}

// Due returns the tasks to do now, the oldest first: wanted, not given up, and not waiting
// for a later time. Now is Unix ms.
func (db *DB) Due(ctx context.Context, now int64, limit int) ([]Task, error) {
	return readTasks(ctx, db.conns, "find due tasks", `WHERE wanted > done AND parked = 0 AND retry_at <= ? ORDER BY since, subject LIMIT ?`, now, bounded(limit))
}

// Tasks returns open or parked tasks, the oldest first.
func (db *DB) Tasks(ctx context.Context, f TaskFilter) ([]Task, error) {
	parked := `parked = 0`
	if f.Parked {
		parked = `parked > 0`
	}
	return readTasks(ctx, db.conns, "list tasks", `WHERE wanted > done AND `+parked+` ORDER BY since, subject LIMIT ? OFFSET ?`, bounded(f.Limit), f.Offset)
}

// Task returns one task with its triggers. It reports whether there is one. A wish between
// its two queries is already among the triggers, and stays open after the task is done.
func (db *DB) Task(ctx context.Context, subject string) (Task, bool, error) {
	all, err := readTasks(ctx, db.conns, "read the task "+subject, `WHERE subject = ?`, subject)
	if err != nil || len(all) == 0 {
		return Task{}, false, err
	}
	t := all[0]
	causes, err := list(ctx, db.conns, "read why "+subject+" is wanted", func(text *string) []any { return []any{text} },
		`SELECT cause FROM wishes WHERE subject = ? ORDER BY n, kind`, subject)
	for _, text := range causes {
		var why cause
		if err := json.Unmarshal([]byte(text), &why); err != nil {
			return t, false, fmt.Errorf("the trigger of %s: %w", subject, err)
		}
		t.Triggers = append(t.Triggers, why.Trigger)
		if why.Trace != "" {
			t.Traces = append(t.Traces, why.Trace)
		}
	}
	return t, err == nil, err
}

// Done records the work up to wanted. Later wishes stay open.
func (db *DB) Done(ctx context.Context, subject string, wanted int64) error {
	return db.conns.write(ctx, "finish the task "+subject, func(ctx context.Context, s statements) error {
		rows, err := s.exec(ctx, `UPDATE tasks SET done = ?, attempts = 0, retry_at = 0, parked = 0, error = '', since = wanted_at
			WHERE subject = ? AND done < ? AND wanted >= ?`, wanted, subject, wanted, wanted)
		if err != nil || rows == 0 {
			return err
		}
		_, err = s.exec(ctx, `DELETE FROM wishes WHERE subject = ? AND n <= ?`, subject, wanted)
		return err
	})
}

// Fail records a failed attempt. Wishes since its start get a chance of their own at once.
// An attempt that has to wait adds one wish instead, so that the queue, which runs each job
// once, takes it for a new job.
func (db *DB) Fail(ctx context.Context, subject string, f Failure) error {
	parked := int64(0)
	if f.Park {
		parked = db.now().UnixMilli()
	}
	waits, failures := number(f.Wait), number(!f.Wait)
	message := text.Clip(text.OneLine(clean(f.Error)), maxTaskError)
	return db.conns.write(ctx, "record the failure of the task "+subject, func(ctx context.Context, s statements) error {
		rows, err := s.exec(ctx, `UPDATE tasks SET error = ?, attempts = attempts + ?, wanted = wanted + ?, retry_at = ?, parked = ? WHERE subject = ? AND wanted > done AND wanted <= ?`,
			message, failures, waits, f.RetryAt, parked, subject, f.Wanted)
		if err == nil && rows > 0 && f.Park { // a resumed session reserves again
			_, err = s.exec(ctx, `UPDATE sessions SET reserved = 0 WHERE ended = 0 AND subject = ?`, subject)
		}
		if err != nil || rows > 0 {
			return err
		}
		_, err = s.exec(ctx, `UPDATE tasks SET error = ? WHERE subject = ? AND wanted > done`, message, subject)
		return err
	})
}

// Unpark reopens a task that was given up. It adds one wish, so that the queue, which runs
// each job once, takes it for a new job.
func (db *DB) Unpark(ctx context.Context, subject string) error {
	return db.conns.change(ctx, "open the task "+subject+" again",
		`UPDATE tasks SET parked = 0, attempts = 0, retry_at = 0, wanted = wanted + 1, wanted_at = ? WHERE subject = ? AND parked > 0`,
		db.now().UnixMilli(), subject)
}

func readTasks(ctx context.Context, c *conns, doing, where string, args ...any) ([]Task, error) {
	return list(ctx, c, doing, func(t *Task) []any {
		return []any{&t.Subject, &t.Repo.Installation, &t.Repo.ID, &t.Repo.Owner, &t.Repo.Name, &t.Wanted, &t.Done, &t.Attempts, &t.RetryAt, &t.Parked, &t.Error, &t.Since}
	}, `SELECT `+taskColumns+` FROM tasks `+where, args...)
}

// bounded returns a caller's limit within the bounds.
func bounded(limit int) int {
	if limit <= 0 {
		return defaultLimit
	}
	return min(limit, maxLimit)
}
