package bot_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prdebate/debate/internal/bot"
	"github.com/prdebate/debate/internal/bot/durable"
	"github.com/prdebate/debate/internal/event"
	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/store/database"
)

// shelf is a queue that runs nothing.
type shelf struct {
	mu   sync.Mutex
	jobs []durable.Job
	over map[durable.Job]bool
	came chan struct{}
}

func newShelf() *shelf { return &shelf{over: map[durable.Job]bool{}, came: make(chan struct{}, 100)} }

func (s *shelf) Enqueue(_ context.Context, j durable.Job) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over[j] {
		return durable.ErrOver
	}
	s.jobs = append(s.jobs, j)
	s.came <- struct{}{}
	return nil
}

func (s *shelf) Active(context.Context) ([]durable.Job, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(s.jobs), func(j durable.Job) bool { return s.over[j] }), nil
}

func (s *shelf) end(j durable.Job) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.over[j] = true
}

func (s *shelf) all() []durable.Job {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.jobs)
}

// TestDispatcher queues what is due, once; however often it is wanted while a job waits or
// runs, one job more does all of it, as soon as the first has said how it ended.
func TestDispatcher(t *testing.T) {
	t.Parallel()
	db, queue := opened(t), newShelf()
	d := dispatching(t, db, queue)
	first := wanted(t, db, event.Trigger{Event: "pull_request", Number: 7})
	d.Wake()
	<-queue.came
	var second durable.Job
	for range 20 {
		second = wanted(t, db, event.Trigger{Event: "pull_request", Number: 7})
		d.Wake()
	}
	other := wanted(t, db, event.Trigger{Event: "pull_request", Number: 8})
	d.Wake()
	<-queue.came // of the other one, which comes after it
	if err := db.Done(t.Context(), seven, first.Wanted); err != nil {
		t.Fatal(err)
	}
	d.Wake()
	<-queue.came // the queue does not know yet that the first is over
	if got := queue.all(); !slices.Equal(got, []durable.Job{first, other, second}) {
		t.Errorf("queued %v", got)
	}
}

// TestDispatcherAfterAFailure: what is wanted anew after a job failed does not wait for
// that job.
func TestDispatcherAfterAFailure(t *testing.T) {
	t.Parallel()
	db, queue := opened(t), newShelf()
	d := dispatching(t, db, queue)
	first := wanted(t, db, event.Trigger{Event: "pull_request", Number: 7})
	d.Wake()
	<-queue.came
	failure := database.Failure{Wanted: first.Wanted, Error: "out of luck", RetryAt: noon.Add(time.Hour).UnixMilli()}
	if err := db.Fail(t.Context(), seven, failure); err != nil {
		t.Fatal(err)
	}
	second := wanted(t, db, event.Trigger{Event: "pull_request", Number: 7}) // which counts no failures
	d.Wake()
	queue.end(first)
	<-queue.came // by its own clock, a second later
	if got := queue.all(); !slices.Equal(got, []durable.Job{first, second}) {
		t.Errorf("queued %v", got)
	}
}

// looks counts how often somebody looks for tasks. There are none.
type looks struct{ n int }

func (l *looks) Due(context.Context, int64, int) ([]database.Task, error) { l.n++; return nil, nil }

func (l *looks) Fail(context.Context, string, database.Failure) error { return nil }

// TestDispatcherRests: it looks at once where nothing happened for a while, and not for
// every one of many deliveries.
func TestDispatcherRests(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		tasks := &looks{}
		d := bot.NewDispatcher(tasks, newShelf(), now, silent())
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		go d.Run(ctx)
		time.Sleep(500 * time.Millisecond)
		d.Wake()
		synctest.Wait()
		if tasks.n != 2 { // the first was at the start
			t.Errorf("it looked %d times", tasks.n)
		}
		for range 200 {
			d.Wake()
			time.Sleep(time.Millisecond)
		}
		synctest.Wait()
		if tasks.n > 6 {
			t.Errorf("it looked %d times within 200 ms", tasks.n)
		}
	})
}

// dispatching runs a dispatcher for the time of a test.
func dispatching(t *testing.T, db *database.DB, queue bot.Queue) *bot.Dispatcher {
	t.Helper()
	d := bot.NewDispatcher(db, queue, now, silent())
	ctx, stop := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { d.Run(ctx) })
	t.Cleanup(func() {
		stop()
		running.Wait()
	})
	return d
}

// TestDispatcherFindsAJobOver: a job that ended and did not say so is tried once more.
func TestDispatcherFindsAJobOver(t *testing.T) {
	t.Parallel()
	db, queue := opened(t), newShelf()
	job := wanted(t, db, event.Trigger{Event: "pull_request", Number: 7})
	queue.end(job)
	dispatching(t, db, queue)
	<-queue.came // by its own clock, a second later
	job.Attempt++
	if got := queue.all(); !slices.Equal(got, []durable.Job{job}) {
		t.Errorf("queued %v, want %v", got, job)
	}
}

// TestDispatcherGivesUp: a job whose every attempt ends without a word is not tried for
// ever.
func TestDispatcherGivesUp(t *testing.T) {
	t.Parallel()
	db, queue := opened(t), newShelf()
	job := wanted(t, db, event.Trigger{Event: "pull_request", Number: 7})
	for range 7 {
		if err := db.Fail(t.Context(), seven, database.Failure{Wanted: job.Wanted}); err != nil {
			t.Fatal(err)
		}
	}
	queue.end(jobOf(t, db, seven))
	last := wanted(t, db, event.Trigger{Event: "pull_request", Number: 8})
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { bot.NewDispatcher(db, queue, now, silent()).Run(ctx) })
	<-queue.came // of the other one, which comes after it
	stop()
	running.Wait()
	if task := taskOf(t, db, seven); task.Parked == 0 {
		t.Errorf("the task is %+v", task)
	}
	if got := queue.all(); !slices.Equal(got, []durable.Job{last}) {
		t.Errorf("queued %v", got)
	}
}

// heirs takes over from nodes, unless they live.
type heirs struct {
	alive string
	asked []string
}

func (h *heirs) TakeOver(_ context.Context, node string) (int, error) {
	h.asked = append(h.asked, node)
	if node == h.alive {
		return 0, durable.ErrNodeAlive
	}
	return 2, nil
}

// TestBeat: a node says that it lives, and takes over from those that do not, once.
func TestBeat(t *testing.T) {
	t.Parallel()
	db := opened(t)
	for node, at := range map[string]time.Time{"dead": noon.Add(-time.Hour), "late": noon.Add(-time.Hour), "fresh": noon.Add(-time.Second)} {
		if err := db.Beat(t.Context(), node, at.UnixMilli()); err != nil {
			t.Fatal(err)
		}
	}
	queue := &heirs{alive: "late"}
	for range 2 {
		if err := bot.Beat(t.Context(), db, queue, "me", noon, silent()); err != nil {
			t.Fatal(err)
		}
	}
	if want := []string{"dead", "late", "late"}; !slices.Equal(queue.asked, want) {
		t.Errorf("asked to take over from %v, want %v", queue.asked, want)
	}
}

// appList is an App as GitHub knows it.
type appList struct {
	installed []gh.Installation
	repos     map[int64][]gh.InstalledRepo
	broken    int64
}

func (a appList) Installations(context.Context) ([]gh.Installation, bool, error) {
	return a.installed, false, nil
}

func (a appList) Repositories(_ context.Context, id int64) ([]gh.InstalledRepo, bool, error) {
	if id == a.broken {
		return nil, false, errors.New("502")
	}
	return a.repos[id], false, nil
}

// TestReadInstallations: what GitHub lists counts; what fails for one installation leaves
// it as it was, and the others are read.
func TestReadInstallations(t *testing.T) {
	t.Parallel()
	db := opened(t)
	docs := database.Repo{Installation: 5, ID: 55, Owner: "mona", Name: "docs"}
	for _, i := range []database.Installation{{ID: shop.Installation, Account: "acme"}, {ID: 5, Account: "mona", Repos: []database.Repo{docs}}, {ID: 9, Account: "gone", Repos: []database.Repo{{Installation: 9, ID: 99, Owner: "gone", Name: "x"}}}} {
		if err := db.PutInstallation(t.Context(), i); err != nil {
			t.Fatal(err)
		}
	}
	app := appList{
		installed: []gh.Installation{{ID: shop.Installation, Account: gh.Owner{Login: "acme"}}, {ID: 5, Account: gh.Owner{Login: "mona"}}, {ID: 6, Account: gh.Owner{Login: "rest"}, Suspended: new(time.Time)}},
		repos:     map[int64][]gh.InstalledRepo{shop.Installation: {gh.InstalledRepo(shop)}}, broken: 5,
	}
	if err := bot.ReadInstallations(t.Context(), app, db, silent()); err == nil {
		t.Error("what failed is not told")
	}
	repos, err := db.Repositories(t.Context())
	if err != nil || !slices.Equal(repos, []database.Repo{docs, shop}) {
		t.Errorf("repositories %v, %v", repos, err)
	}
	list, err := db.Installations(t.Context())
	if err != nil || len(list) != 3 || !list[1].Suspended {
		t.Errorf("installations %+v, %v", list, err)
	}
}
