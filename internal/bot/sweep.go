package bot

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/prdebate/debate/internal/event"
	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/pull"
	"github.com/prdebate/debate/internal/store/database"
)

// A sweep replaces lost deliveries. In every repository it looks at open pull requests with
// changes since the last sweep, and at those with open decisions. It costs one request for
// an unchanged repository.

// SweepEvery is how long a repository rests between two sweeps.
const SweepEvery = time.Hour

// sweepOverlap is by how much two sweeps overlap: clocks differ, and lists are late.
const sweepOverlap = 5 * time.Minute

// WantSweeps adds a sweep task for every repository without a sweep in the last hour.
func WantSweeps(ctx context.Context, db *database.DB, now time.Time) error {
	list, err := db.Repositories(ctx)
	if err != nil {
		return err
	}
	var failed []error
	for _, repo := range list {
		last, err := sweptAt(ctx, db, repo)
		if err == nil && now.Sub(last) >= SweepEvery {
			err = db.Want(ctx, repo, event.Trigger{Event: "schedule", Sweep: true})
		}
		failed = append(failed, err)
	}
	return errors.Join(failed...)
}

func sweptName(repo database.Repo) string { return fmt.Sprintf("swept/%d", repo.ID) }

// sweptAt is when a repository was swept last, the beginning of time if never.
func sweptAt(ctx context.Context, db *database.DB, repo database.Repo) (time.Time, error) {
	text, err := db.Setting(ctx, sweptName(repo))
	if err != nil || text == "" {
		return time.Time{}, err
	}
	ms, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return time.Time{}, fmt.Errorf("read when %s/%s was swept: %w", repo.Owner, repo.Name, err)
	}
	return time.UnixMilli(ms), nil
}

// sweep adds tasks for the changes in a repository.
func (w *Worker) sweep(ctx context.Context, github pull.Reader, repo database.Repo) error {
	last, err := sweptAt(ctx, w.Database, repo)
	if err != nil {
		return err
	}
	began := w.Now()
	numbers, err := github.ChangedPulls(ctx, last.Add(-sweepOverlap))
	if errors.As(err, new(*gh.PermissionError)) {
		return w.sweptNow(ctx, repo, began) // the operator's page names the missing permission
	}
	if err != nil {
		return err
	}
	waiting, err := w.Database.OpenItems(ctx)
	if err != nil {
		return err
	}
	for _, item := range waiting {
		if item.Repo.ID != repo.ID || slices.Contains(numbers, item.Pull) {
			continue
		}
		task, _, err := w.ledger.Task(ctx, database.Subject(repo, event.Trigger{Number: item.Pull}))
		if err != nil {
			return err
		}
		if task.Parked == 0 { // a parked task needs a new event
			numbers = append(numbers, item.Pull)
		}
	}
	for _, n := range numbers {
		if err := w.Database.Want(ctx, repo, event.Trigger{Event: "schedule", Number: n}); err != nil {
			return err
		}
	}
	return w.sweptNow(ctx, repo, began)
}

// sweptNow says when a repository was swept.
func (w *Worker) sweptNow(ctx context.Context, repo database.Repo, at time.Time) error {
	return w.Database.SetSetting(ctx, sweptName(repo), strconv.FormatInt(at.UnixMilli(), 10))
}
