package durable

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// postgresURL is where the tests find PostgreSQL.
func postgresURL() string {
	if url := os.Getenv("DEBATE_TEST_POSTGRES"); url != "" {
		return url
	}
	return "postgres://postgres@localhost:5432/test?sslmode=disable"
}

// place is a database of the test's own.
type place struct {
	sqlite   string // path
	postgres string // URL
}

// places runs a test on both databases.
func places(t *testing.T, test func(t *testing.T, p place)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) { t.Parallel(); test(t, sqlitePlace(t)) })
	t.Run("postgres", func(t *testing.T) { t.Parallel(); test(t, postgresPlace(t)) })
}

// sqlitePlace makes a file as its caller has it before there is a queue: those who first
// change it to a write-ahead log at the same moment can lock each other out.
func sqlitePlace(t *testing.T) place {
	t.Helper()
	p := place{sqlite: filepath.Join(t.TempDir(), "jobs and #100%.db")}
	var o Options
	closeIt, err := p.open(&o)
	if err != nil {
		t.Fatal(err)
	}
	defer closeIt()
	if err := o.SQLite.PingContext(t.Context()); err != nil {
		t.Fatal(err)
	}
	return p
}

// postgresPlace makes a database for one test and drops it afterwards.
func postgresPlace(t *testing.T) place {
	t.Helper()
	ctx := context.Background()
	admin, err := pgx.Connect(ctx, postgresURL())
	if err != nil {
		t.Skipf("PostgreSQL is not tested: %v. Start one, or name it in DEBATE_TEST_POSTGRES.", err)
	}
	name := fmt.Sprintf("debate_queue_%d_%d", os.Getpid(), time.Now().UnixNano())
	if _, err := admin.Exec(ctx, "CREATE DATABASE "+name); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if _, err := admin.Exec(ctx, "DROP DATABASE "+name+" WITH (FORCE)"); err != nil {
			t.Error(err)
		}
		_ = admin.Close(ctx)
	})
	settings, err := pgx.ParseConfig(postgresURL())
	if err != nil {
		t.Fatal(err)
	}
	return place{postgres: fmt.Sprintf("postgres://%s:%s@%s:%d/%s?sslmode=disable", settings.User, settings.Password, settings.Host, settings.Port, name)}
}

// open makes the handle that the caller of the queue has.
func (p place) open(o *Options) (closeIt func(), err error) {
	if p.sqlite != "" {
		o.SQLite, err = sql.Open("sqlite", address(p.sqlite, "_pragma=journal_mode(WAL)", "_pragma=busy_timeout(10000)"))
		return func() { _ = o.SQLite.Close() }, err
	}
	o.Postgres, err = pgxpool.New(context.Background(), p.postgres)
	return func() { o.Postgres.Close() }, err
}

// queue makes and starts a queue that is drained at the end of the test.
func queue(t *testing.T, p place, node string, workers int, do func(context.Context, Job) error) *Queue {
	t.Helper()
	q := unstarted(t, p, node, workers, do)
	if err := q.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	return q
}

func unstarted(t *testing.T, p place, node string, workers int, do func(context.Context, Job) error) *Queue {
	t.Helper()
	o := Options{Node: node, Workers: workers, Logger: logger(t), Do: do}
	closeIt, err := p.open(&o)
	if err != nil {
		t.Fatal(err)
	}
	q, err := New(t.Context(), o)
	if err != nil {
		closeIt()
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := q.Drain(context.Background(), 0); err != nil {
			t.Error(err)
		}
		closeIt()
	})
	return q
}

// logger shows what is logged at the level of information only when a test fails.
func logger(t *testing.T) *slog.Logger {
	t.Helper()
	return slog.New(slog.NewTextHandler(t.Output(), nil))
}

// enqueue puts jobs into the queue, in order.
func enqueue(t *testing.T, q *Queue, jobs ...Job) {
	t.Helper()
	for _, j := range jobs {
		if err := q.Enqueue(t.Context(), j); err != nil {
			t.Fatal(err)
		}
	}
}

// within fails the test unless the channel gives something soon.
func within[T any](t *testing.T, what string, c <-chan T) T {
	t.Helper()
	select {
	case v := <-c:
		return v
	case <-time.After(30 * time.Second):
		t.Fatalf("%s: nothing within 30 seconds", what)
		panic("unreachable")
	}
}

// TestOrder: jobs of one subject run one by one and in order; other subjects run beside
// them, as many as there are workers.
func TestOrder(t *testing.T) {
	t.Parallel()
	places(t, func(t *testing.T, p place) {
		var mu sync.Mutex
		var order []string
		busy, most := map[string]int{}, 0
		all := make(chan struct{}, 100)
		together := make(chan struct{}) // closed when three subjects run at once
		q := queue(t, p, "a", 3, func(_ context.Context, j Job) error {
			mu.Lock()
			busy[j.Subject]++
			if busy[j.Subject] > 1 {
				t.Errorf("two jobs of %s at once", j.Subject)
			}
			running := 0
			for _, n := range busy {
				running += n
			}
			if most = max(most, running); running == 3 && len(order) == 0 {
				close(together)
			}
			mu.Unlock()
			<-together
			mu.Lock()
			order = append(order, j.ID())
			busy[j.Subject]--
			mu.Unlock()
			all <- struct{}{}
			return nil
		})
		var want []string
		for i := range 5 {
			for _, s := range []string{"1/pull/7", "1/pull/8", "1/queue/abc", "2/sweep"} {
				j := Job{Subject: s, Wanted: int64(i)}
				enqueue(t, q, j, j)
				want = append(want, j.ID())
			}
		}
		for range want {
			within(t, "a job", all)
		}
		mu.Lock()
		defer mu.Unlock()
		if most != 3 {
			t.Errorf("%d jobs at once, with 3 workers", most)
		}
		slices.SortStableFunc(order, func(a, b string) int { return strings.Compare(subjectOf(a), subjectOf(b)) })
		slices.SortStableFunc(want, func(a, b string) int { return strings.Compare(subjectOf(a), subjectOf(b)) })
		if !slices.Equal(order, want) {
			t.Errorf("done %v, want %v", order, want)
		}
	})
}

func subjectOf(id string) string {
	subject, _, _ := strings.Cut(id, "#")
	return subject
}

// TestError: an error and a panic end a job, and nothing but that it failed is recorded.
func TestError(t *testing.T) {
	t.Parallel()
	places(t, func(t *testing.T, p place) {
		ran := make(chan Job, 10)
		q := queue(t, p, "a", 1, func(_ context.Context, j Job) error {
			ran <- j
			switch j.Attempt {
			case 0:
				return errors.New("a secret")
			case 1:
				panic("a secret")
			}
			return nil
		})
		for attempt := range 3 {
			j := Job{Subject: "1/pull/7", Wanted: 1, Attempt: attempt}
			enqueue(t, q, j)
			if got := within(t, "the job", ran); got.Attempt != attempt || got.Starts != 1 {
				t.Errorf("ran %+v, want attempt %d started once", got, attempt)
			}
			untilOver(t, q)
			if err := q.Enqueue(t.Context(), j); !errors.Is(err, ErrOver) {
				t.Errorf("enqueued again: %v, want ErrOver", err)
			}
		}
		if len(ran) != 0 {
			t.Error("a job that was over ran again")
		}
	})
}

// untilOver waits until no job waits or runs.
func untilOver(t *testing.T, q *Queue) {
	t.Helper()
	untilActive(t, q, 0)
}

// untilActive waits until no more than so many jobs wait or run. A database does not say
// when that is, so it is asked again and again.
func untilActive(t *testing.T, q *Queue, atMost int) {
	t.Helper()
	for range 1200 {
		jobs, err := q.Active(t.Context())
		if err == nil && len(jobs) <= atMost {
			return
		}
		if pause(t.Context(), 50*time.Millisecond) != nil {
			break
		}
	}
	t.Fatalf("more than %d jobs are still there after a minute", atMost)
}

// someJobs makes jobs for a fifth as many subjects.
func someJobs(n int) []Job {
	var jobs []Job
	for i := range n {
		jobs = append(jobs, Job{Subject: fmt.Sprintf("1/pull/%d", i%max(1, n/5)), Wanted: int64(i)})
	}
	return jobs
}
