package bot_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prdebate/debate/internal/bot"
	"github.com/prdebate/debate/internal/bot/durable"
	"github.com/prdebate/debate/internal/bot/meter"
	"github.com/prdebate/debate/internal/event"
	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/pull"
	"github.com/prdebate/debate/internal/store/database"
)

var shop = database.Repo{Installation: 375706, ID: 186853002, Owner: "acme", Name: "shop"}

const (
	seven = "186853002/pull/7"
	swept = "186853002/sweep"
)

// closed is a bench that has a reviewer for nobody, or one that reads pull requests alone.
type closed struct {
	err    error
	github github
}

func (c closed) Reviewer(context.Context, database.Repo, string) (bot.Reviewer, error) {
	return bot.Reviewer{Runner: &pull.Runner{Reader: c.github}}, c.err
}

// github is what a sweep reads of GitHub.
type github struct {
	pull.Reader
	changed []int
	since   *time.Time
}

func (g github) ChangedPulls(_ context.Context, since time.Time) ([]int, error) {
	if g.since != nil {
		*g.since = since
	}
	return g.changed, nil
}

func (github) QueueMembers(context.Context, string, string, string) ([]gh.Member, error) {
	return nil, errors.New("there is no queue")
}

func newWorker(db *database.DB, bench bot.Bench) *bot.Worker {
	return &bot.Worker{
		Ledger: func(job <-chan struct{}) bot.Ledger { return db.Waiting(job, silent()) }, Database: db, Bench: bench, Meter: meter.New("test"), Wake: func() {}, Clean: func(s string) string { return s }, Now: now, Log: silent(),
		Random: func() float64 { return 0 }, Limits: &bot.Limits{},
	}
}

func wanted(t *testing.T, db *database.DB, trigger event.Trigger) durable.Job {
	t.Helper()
	if err := db.Want(t.Context(), shop, trigger); err != nil {
		t.Fatal(err)
	}
	return jobOf(t, db, database.Subject(shop, trigger))
}

func jobOf(t *testing.T, db *database.DB, subject string) durable.Job {
	t.Helper()
	task := taskOf(t, db, subject)
	return durable.Job{Subject: subject, Wanted: task.Wanted, Attempt: task.Attempts}
}

func taskOf(t *testing.T, db *database.DB, subject string) database.Task {
	t.Helper()
	task, found, err := db.Task(t.Context(), subject)
	if err != nil || !found {
		t.Fatalf("task %s: %v, %v", subject, found, err)
	}
	return task
}

// TestWorkerFails: what becomes of a task follows from why it failed.
func TestWorkerFails(t *testing.T) {
	t.Parallel()
	until := noon.Add(40 * time.Minute)
	tests := []struct {
		name   string
		err    error
		before int // attempts that failed
		done   bool
		again  time.Time
		parked bool
	}{
		{name: "the first time", err: errors.New("out of luck"), again: noon.Add(15 * time.Second)},
		{name: "the third time", err: errors.New("out of luck"), before: 2, again: noon.Add(time.Minute)},
		{name: "the seventh time", err: errors.New("out of luck"), before: 6, again: noon.Add(16 * time.Minute)},
		{name: "the last time", err: errors.New("out of luck"), before: 7, parked: true},
		{name: "GitHub says when", err: fmt.Errorf("read: %w", &gh.LimitError{What: "read", Until: until}), again: until.Add(time.Second)},
		{name: "GitHub says when, as often as it likes", err: &gh.LimitError{What: "read", Until: until}, before: 9, again: until.Add(time.Second)},
		{name: "GitHub says when, and that is over by our clock", err: &gh.LimitError{What: "read", Until: noon.Add(-time.Hour)}, again: noon.Add(15 * time.Second)},
		{name: "GitHub is away", err: &gh.UnavailableError{What: "read", Err: errors.New("502")}, again: noon.Add(15 * time.Second)},
		{name: "the pull request is gone", err: &gh.NotFoundError{What: "read"}, before: 2, done: true},
		{name: "GitHub does not find the pull request yet", err: &gh.NotFoundError{What: "read"}, again: noon.Add(15 * time.Second)},
		{name: "the installation is gone", err: &gh.SignInError{}, done: true},
		{name: "the App's key is wrong", err: &gh.SignInError{OfApp: true, Happened: "GitHub refuses the key", Mend: "make another"}, again: noon.Add(15 * time.Second)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			db := opened(t)
			wanted(t, db, event.Trigger{Event: "pull_request", Number: 7})
			for range tt.before {
				if err := db.Fail(t.Context(), seven, database.Failure{Wanted: 1}); err != nil {
					t.Fatal(err)
				}
			}
			err := newWorker(db, closed{err: tt.err}).Do(t.Context(), jobOf(t, db, seven))
			if !errors.Is(err, tt.err) {
				t.Errorf("Do = %v", err)
			}
			task := taskOf(t, db, seven)
			again := int64(0)
			if !tt.again.IsZero() {
				again = tt.again.UnixMilli()
			}
			if (task.Done == task.Wanted) != tt.done || task.RetryAt != again || (task.Parked != 0) != tt.parked {
				t.Errorf("the task is %+v", task)
			}
			failures := tt.before + 1
			switch { // to wait is no failure
			case errors.As(tt.err, new(*gh.LimitError)):
				failures = tt.before
			case tt.done:
				failures = 0
			}
			if task.Attempts != failures {
				t.Errorf("%d attempts failed, want %d", task.Attempts, failures)
			}
			if !tt.done && task.Error != tt.err.Error() {
				t.Errorf("it says %q", task.Error)
			}
		})
	}
}

// counting is a bench that is told of GitHub's limit, and counts who asks.
type counting struct {
	until time.Time
	asked *int
}

func (c counting) Reviewer(context.Context, database.Repo, string) (bot.Reviewer, error) {
	*c.asked++
	return bot.Reviewer{}, &gh.LimitError{What: "read", Until: c.until}
}

// TestWorkerRemembersLimit: once the limit of an installation is used up its other jobs
// wait for its end without asking, as long as it takes, and each runs again as a job of its
// own; those of other installations go on.
func TestWorkerRemembersLimit(t *testing.T) {
	t.Parallel()
	db := opened(t)
	asked, clock := 0, noon
	worker := newWorker(db, counting{noon.Add(time.Hour), &asked})
	worker.Now = func() time.Time { return clock }
	other := database.Repo{Installation: 9, ID: 10, Owner: "mona", Name: "shop"}
	if err := db.Want(t.Context(), other, event.Trigger{Event: "pull_request", Number: 7}); err != nil {
		t.Fatal(err)
	}
	for n := 1; n <= 3; n++ {
		wanted(t, db, event.Trigger{Event: "pull_request", Number: n})
	}
	seen := make(map[string]bool)
	for range 9 { // more often than a failure is tried again
		for n := 1; n <= 3; n++ {
			job := jobOf(t, db, database.Subject(shop, event.Trigger{Number: n}))
			if seen[job.ID()] {
				t.Errorf("the job %s runs twice", job.ID())
			}
			seen[job.ID()] = true
			_ = worker.Do(t.Context(), job)
			if task := taskOf(t, db, job.Subject); task.Parked != 0 || task.Attempts != 0 || task.RetryAt <= clock.UnixMilli() {
				t.Fatalf("the task is %+v", task)
			}
		}
		clock = clock.Add(time.Hour + 20*time.Second)
		worker.Bench = counting{clock.Add(time.Hour), &asked}
	}
	if asked != 9 {
		t.Errorf("GitHub was asked %d times, want once for each of 9 limits", asked)
	}
	_ = worker.Do(t.Context(), jobOf(t, db, database.Subject(other, event.Trigger{Number: 7})))
	if asked != 10 {
		t.Error("another installation waits too")
	}
}

// TestWorkerSurvives: what panics, or ends the whole process, every time is given up in the
// end, and its page says why.
func TestWorkerSurvives(t *testing.T) {
	t.Parallel()
	panics := stopping{stop: func() { panic("a fault") }}
	for _, tt := range []struct {
		name   string
		bench  bot.Bench
		starts int
		panics bool
		says   string
	}{
		{name: "a panic", bench: panics, starts: 1, panics: true, says: "a fault of debate itself"},
		{name: "a process that died", bench: panics, starts: 6, says: "the server ended every time"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			db := opened(t)
			wanted(t, db, event.Trigger{Event: "pull_request", Number: 7})
			worker, clock := newWorker(db, tt.bench), noon
			worker.Now = func() time.Time { return clock }
			for range 8 {
				job := jobOf(t, db, seven)
				job.Starts = tt.starts
				if got := panicsIn(func() { _ = worker.Do(t.Context(), job) }); got != tt.panics {
					t.Errorf("it panics: %v", got)
				}
				clock = clock.Add(time.Hour)
			}
			if task := taskOf(t, db, seven); task.Parked == 0 || !strings.Contains(task.Error, tt.says) {
				t.Errorf("the task is %+v", task)
			}
		})
	}
}

// panicsIn reports whether something panics: the queue is told of it.
func panicsIn(do func()) (panics bool) {
	defer func() { panics = recover() != nil }()
	do()
	return false
}

// TestWorkerCut: a job that was stopped leaves its task as it was.
func TestWorkerCut(t *testing.T) {
	t.Parallel()
	db := opened(t)
	job := wanted(t, db, event.Trigger{Event: "pull_request", Number: 7})
	before := taskOf(t, db, seven)
	ctx, stop := context.WithCancelCause(t.Context())
	bench := stopping{closed{err: context.Canceled}, func() { stop(durable.ErrCut) }}
	if err := newWorker(db, bench).Do(ctx, job); !errors.Is(err, context.Canceled) {
		t.Errorf("Do = %v", err)
	}
	if task := taskOf(t, db, seven); task.Attempts != 0 || task.Done != 0 || task.Error != before.Error {
		t.Errorf("the task is %+v", task)
	}
}

// stopping is a bench during whose work the server is told to stop.
type stopping struct {
	closed
	stop func()
}

func (s stopping) Reviewer(ctx context.Context, repo database.Repo, task string) (bot.Reviewer, error) {
	s.stop()
	return s.closed.Reviewer(ctx, repo, task)
}

// hanging is a bench whose work never ends.
type hanging struct{}

func (hanging) Reviewer(ctx context.Context, _ database.Repo, _ string) (bot.Reviewer, error) {
	<-ctx.Done()
	return bot.Reviewer{}, ctx.Err()
}

// TestWorkerHangs: a job that never ends is a failure at last, and keeps its subject from
// nobody.
func TestWorkerHangs(t *testing.T) {
	t.Parallel()
	db := opened(t)
	job := wanted(t, db, event.Trigger{Event: "pull_request", Number: 7})
	ledger := taskAlone{task: taskOf(t, db, seven)}
	synctest.Test(t, func(t *testing.T) {
		worker := newWorker(db, hanging{})
		worker.Ledger = func(<-chan struct{}) bot.Ledger { return &ledger }
		began := time.Now()
		if err := worker.Do(context.Background(), job); err == nil || !strings.Contains(err.Error(), "did not end within 6h") {
			t.Errorf("Do = %v", err)
		}
		if took := time.Since(began); took != 6*time.Hour || ledger.failed.Error == "" {
			t.Errorf("after %s: %+v", took, ledger.failed)
		}
	})
}

// taskAlone is a ledger that knows one task, and keeps how it failed.
type taskAlone struct {
	bot.Ledger
	task   database.Task
	failed database.Failure
}

func (l *taskAlone) Task(context.Context, string) (database.Task, bool, error) {
	return l.task, true, nil
}

func (l *taskAlone) Fail(_ context.Context, _ string, f database.Failure) error {
	l.failed = f
	return nil
}

// TestWorkerHasNothingToDo: a job whose task was done, waits, or was given up meanwhile
// asks nobody.
func TestWorkerHasNothingToDo(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(db *database.DB) error{
		"done": func(db *database.DB) error { return db.Done(context.Background(), seven, 1) },
		"waits": func(db *database.DB) error {
			return db.Fail(context.Background(), seven, database.Failure{Wanted: 1, RetryAt: noon.UnixMilli() + 1})
		},
		"given up": func(db *database.DB) error {
			return db.Fail(context.Background(), seven, database.Failure{Wanted: 1, Park: true})
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := opened(t)
			job := wanted(t, db, event.Trigger{Event: "pull_request", Number: 7})
			if err := change(db); err != nil {
				t.Fatal(err)
			}
			if err := newWorker(db, closed{err: errors.New("it asked")}).Do(t.Context(), job); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestSweep: of a repository is wanted what changed since the last sweep, and what waits
// for a person.
func TestSweep(t *testing.T) {
	t.Parallel()
	db := opened(t)
	if err := db.PutInstallation(t.Context(), database.Installation{ID: shop.Installation, Account: "acme", Repos: []database.Repo{shop}}); err != nil {
		t.Fatal(err)
	}
	if err := db.SetItems(t.Context(), shop, 3, []database.Item{{Repo: shop, Pull: 3, Decision: "D0", AskedAt: 1}}); err != nil {
		t.Fatal(err)
	}
	var since time.Time
	worker := newWorker(db, closed{github: github{changed: []int{9, 7}, since: &since}})
	sweep := func(at time.Time) []string {
		t.Helper()
		worker.Now = func() time.Time { return at }
		if err := bot.WantSweeps(t.Context(), db, at); err != nil {
			t.Fatal(err)
		}
		due, err := db.Due(t.Context(), at.UnixMilli(), 10)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(due, func(task database.Task) bool { return task.Subject == swept }) {
			return nil
		}
		if err := worker.Do(t.Context(), jobOf(t, db, swept)); err != nil {
			t.Fatal(err)
		}
		if due, err = db.Due(t.Context(), at.UnixMilli(), 10); err != nil {
			t.Fatal(err)
		}
		var subjects []string
		for _, task := range due {
			subjects = append(subjects, task.Subject)
			if err := db.Done(t.Context(), task.Subject, task.Wanted); err != nil {
				t.Fatal(err)
			}
		}
		slices.Sort(subjects)
		return subjects
	}
	if err := db.SetItems(t.Context(), shop, 4, []database.Item{{Repo: shop, Pull: 4, Decision: "D0", AskedAt: 1}}); err != nil {
		t.Fatal(err)
	}
	wanted(t, db, event.Trigger{Event: "pull_request", Number: 4})
	if err := db.Fail(t.Context(), "186853002/pull/4", database.Failure{Wanted: 1, Park: true}); err != nil { // it stays given up
		t.Fatal(err)
	}
	want := []string{"186853002/pull/3", "186853002/pull/7", "186853002/pull/9"}
	if got := sweep(noon); !slices.Equal(got, want) || since.After(time.Unix(0, 0)) {
		t.Errorf("the first sweep wants %v of what changed since %s", got, since)
	}
	if got := sweep(noon.Add(59 * time.Minute)); got != nil {
		t.Errorf("it is swept again too early: %v", got)
	}
	if got := sweep(noon.Add(time.Hour)); !slices.Equal(got, want) || !since.Equal(noon.Add(-5*time.Minute)) {
		t.Errorf("the next sweep wants %v of what changed since %s", got, since)
	}
}
