package durable

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"log/slog"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/dbos-inc/dbos-transact-golang/dbos"
	"github.com/jackc/pgx/v5"

	"github.com/prdebate/debate/internal/testkit/long"
)

var (
	crowd   = flag.Int("crowd", long.Pick(100, 500), "how many jobs TestTwoNodes enqueues in two seconds")
	outage  = flag.Duration("outage", time.Second, "how long TestOutage keeps PostgreSQL away")
	outages = flag.Int("outages", long.Pick(1, 2), "how often TestOutage does that")
)

// oneEach fails a test in which two jobs of one subject run at once.
type oneEach struct{ busy sync.Map }

func (o *oneEach) begin(t *testing.T, subject string) (end func()) {
	if _, other := o.busy.LoadOrStore(subject, true); other {
		t.Errorf("two jobs of %s at once", subject)
	}
	return func() { o.busy.Delete(subject) }
}

// TestTwoNodes: two nodes that look for work all the time never do two jobs of a subject
// at once, however close together these are enqueued.
func TestTwoNodes(t *testing.T) {
	t.Parallel()
	p := postgresPlace(t)
	subjects := []string{"1/pull/1", "1/pull/2", "1/pull/3", "1/pull/4", "1/pull/5"}
	var one oneEach
	do := func(ctx context.Context, j Job) error {
		defer one.begin(t, j.Subject)()
		return pause(ctx, 5*time.Millisecond)
	}
	a, b := queue(t, p, "a", 8, do), queue(t, p, "b", 8, do)
	setting, err := dbos.RetrieveQueue(a.dbos, queueName)
	if err != nil {
		t.Fatal(err)
	}
	if err := setting.SetPollingInterval(a.dbos, 2*time.Millisecond); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for i := range *crowd {
		all.Go(func() {
			if pause(t.Context(), time.Duration(rand.IntN(2000))*time.Millisecond) != nil {
				return
			}
			q := a
			if i%2 == 0 {
				q = b
			}
			if err := q.Enqueue(t.Context(), Job{Subject: subjects[i%5], Wanted: int64(i)}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	untilOver(t, a)
}

// TestTakeOver: the jobs of a dead node run on another, those of a living one stay where
// they are, and a node that comes back does not do what was taken from it.
func TestTakeOver(t *testing.T) {
	t.Parallel()
	p := postgresPlace(t)
	begun, release := make(chan string, 10), make(chan struct{})
	work := func(name string) func(context.Context, Job) error {
		return func(ctx context.Context, _ Job) error {
			begun <- name
			select {
			case <-release:
			case <-ctx.Done():
			}
			return ctx.Err()
		}
	}
	a := queue(t, p, "a", 1, work("a"))
	b := queue(t, p, "b", 1, work("b"))
	job := Job{Subject: "1/pull/1"}
	stopTaking(t, b, true)
	enqueue(t, b, job)
	if name := within(t, "the job", begun); name != "a" {
		t.Fatalf("%s took the job", name)
	}
	if _, err := b.TakeOver(t.Context(), "a"); !errors.Is(err, ErrNodeAlive) {
		t.Errorf("took over a living node: %v", err)
	}
	if _, err := b.TakeOver(t.Context(), "b"); err == nil {
		t.Error("a node took itself over")
	}

	// Node a loses its connection for so long that its jobs are stopped.
	a.stopKeep()
	<-a.kept
	a.lock.unlock()
	a.lock = nil
	a.roster.hold(false)
	a.roster.cut()
	stopTaking(t, b, false)
	if n, err := b.TakeOver(t.Context(), "a"); n != 1 || err != nil {
		t.Fatalf("took over %d jobs: %v", n, err)
	}
	if name := within(t, "the job on node b", begun); name != "b" {
		t.Fatalf("%s took the job", name)
	}

	// It comes back while node b does the job.
	a.watch(t.Context(), newKeeper(time.Now()), time.Now)
	if !a.roster.isHeld() {
		t.Fatal("node a did not get its lock back")
	}
	if n, err := b.TakeOver(t.Context(), "a"); !errors.Is(err, ErrNodeAlive) {
		t.Errorf("took over %d jobs: %v", n, err)
	}
	if err := pause(t.Context(), 2*lookAgain); err != nil {
		t.Fatal(err)
	}
	close(release)
	untilOver(t, b)
	if len(begun) != 0 {
		t.Errorf("node %s did the job too", <-begun)
	}
}

// stopTaking keeps a node from taking jobs, or lets it.
func stopTaking(t *testing.T, q *Queue, stop bool) {
	t.Helper()
	name := queueName
	if stop {
		name = noQueue
	}
	dbos.ListenQueues(q.dbos, name)
	// DBOS looks at this once a second.
	if err := pause(t.Context(), 1500*time.Millisecond); err != nil {
		t.Fatal(err)
	}
}

// TestSameNode: two processes cannot work under one name, nor on one file. The second one
// says once that it waits.
func TestSameNode(t *testing.T) {
	t.Parallel()
	places(t, func(t *testing.T, p place) {
		do := func(context.Context, Job) error { return nil }
		queue(t, p, "a", 1, do)
		second := unstarted(t, p, "a", 1, do)
		var said bytes.Buffer
		second.log = slog.New(slog.NewTextHandler(&said, nil))
		soon, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := second.Start(soon); !errors.Is(err, ErrNodeInUse) {
			t.Errorf("started twice: %v", err)
		}
		if n := strings.Count(said.String(), "another server is at work here"); n != 1 {
			t.Errorf("it says %d times that it waits: %s", n, said.String())
		}
		if _, err := second.TakeOver(t.Context(), "b"); err == nil {
			t.Error("a queue that was not started took over a node")
		}
	})
}

// TestLost: a job that DBOS took for this node and that nobody runs is put back, but not
// before DBOS has had the time to start it or to record its end.
func TestLost(t *testing.T) {
	t.Parallel()
	places(t, func(t *testing.T, p place) {
		ran := make(chan Job, 1)
		q := queue(t, p, "a", 1, func(_ context.Context, j Job) error { ran <- j; return nil })
		q.stopKeep()
		<-q.kept
		stopTaking(t, q, true)
		j := Job{Subject: "1/pull/1"}
		enqueue(t, q, j)
		claim(t, q, j)
		now := time.Now()
		k := newKeeper(now)
		for _, after := range []time.Duration{0, sweepEvery, 2 * sweepEvery} {
			q.watch(t.Context(), k, func() time.Time { return now.Add(after) })
			if f, err := q.lookUp(q.dbos, j.ID()); err != nil || f.standing != here {
				t.Fatalf("after %s the job was moved: %+v %v", after, f, err)
			}
		}
		q.watch(t.Context(), k, func() time.Time { return now.Add(lostAfter) })
		if f, err := q.lookUp(q.dbos, j.ID()); err != nil || f.standing != elsewhere {
			t.Fatalf("the job was not put back: %+v %v", f, err)
		}
		stopTaking(t, q, false)
		within(t, "the job", ran)
	})
}

// claim takes a job for the node as DBOS does, and forgets it.
func claim(t *testing.T, q *Queue, j Job) {
	t.Helper()
	h, err := q.backend.open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer h.close()
	const change = ` SET status = 'PENDING', executor_id = $1, started_at_epoch_ms = 1, recovery_attempts = recovery_attempts + 1 WHERE workflow_uuid = $2`
	if h.sqlite != nil {
		_, err = h.sqlite.Exec(`UPDATE workflow_status`+change, q.node, j.ID())
	} else {
		_, err = h.postgres.Exec(t.Context(), `UPDATE debate_queue.workflow_status`+change, q.node, j.ID())
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestRestart: a node that starts again runs what it was doing when it died, and says how
// often that was tried.
func TestRestart(t *testing.T) {
	t.Parallel()
	places(t, func(t *testing.T, p place) {
		ran := make(chan Job, 1)
		q := unstarted(t, p, "a", 1, func(_ context.Context, j Job) error { ran <- j; return nil })
		j := Job{Subject: "1/pull/1"}
		enqueue(t, q, j)
		for range 3 {
			claim(t, q, j)
		}
		if err := q.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		j.Starts = 4
		if got := within(t, "the job", ran); got != j {
			t.Errorf("%+v ran, want %+v", got, j)
		}
		if err := q.Start(t.Context()); err == nil {
			t.Error("started twice")
		}
	})
}

// TestOutage: PostgreSQL is away for a while in the middle of the work. No job is lost,
// and the queue goes on by itself.
func TestOutage(t *testing.T) {
	t.Parallel()
	p := postgresPlace(t)
	var one oneEach
	do := func(ctx context.Context, j Job) error {
		defer one.begin(t, j.Subject)()
		return pause(ctx, time.Duration(rand.IntN(400))*time.Millisecond)
	}
	a, b := queue(t, p, "a", 4, do), queue(t, p, "b", 4, do)
	jobs := someJobs(40 + 8**outages)
	enqueue(t, a, jobs...)
	for range *outages {
		if err := pause(t.Context(), 300*time.Millisecond); err != nil {
			t.Fatal(err)
		}
		goAway(t, p, *outage)
	}
	back := time.Now()
	late := Job{Subject: "1/pull/11", Wanted: 1000}
	enqueue(t, b, late)
	untilOver(t, b)
	t.Logf("all jobs were over %v after the last outage", time.Since(back))
	for _, j := range append(jobs, late) {
		if f, err := a.lookUp(a.dbos, j.ID()); err != nil || f.standing != over {
			t.Errorf("%s: %+v %v", j.ID(), f, err)
		}
	}
}

// goAway ends every connection to the database and refuses new ones for a while.
func goAway(t *testing.T, p place, d time.Duration) {
	t.Helper()
	settings, err := pgx.ParseConfig(p.postgres)
	if err != nil {
		t.Fatal(err)
	}
	admin, err := pgx.Connect(t.Context(), postgresURL())
	if err != nil {
		t.Fatal(err)
	}
	defer admin.Close(context.Background())
	must := func(sql string) {
		if _, err := admin.Exec(context.Background(), sql); err != nil {
			t.Fatal(err)
		}
	}
	name := pgx.Identifier{settings.Database}.Sanitize()
	must("ALTER DATABASE " + name + " ALLOW_CONNECTIONS false")
	must("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '" + settings.Database + "'")
	err = pause(t.Context(), d)
	must("ALTER DATABASE " + name + " ALLOW_CONNECTIONS true")
	if err != nil {
		t.Fatal(err)
	}
}
