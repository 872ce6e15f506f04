//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package durable

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/prdebate/debate/internal/testkit/long"
)

var (
	kills = flag.Int("kills", long.Pick(2, 6), "how often TestKill kills a node, on each database")
	works = flag.Int("jobs", long.Pick(24, 60), "how many jobs TestKill enqueues, on each database")
)

func TestMain(m *testing.M) {
	if text := os.Getenv("DURABLE_TEST_NODE"); text != "" { // the test runs itself
		if err := runNode(text); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	// The tests wait for databases and processes most of the time.
	if err := flag.Set("test.parallel", "8"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	goleak.VerifyTestMain(m)
}

// nodeSettings are what a process of a node is told.
type nodeSettings struct {
	SQLite, Postgres, Node, Dir string
	Workers                     int
}

// A node's process keeps its notes in a folder that all nodes share: the journal, a file
// for each subject that a job locks while it runs, and a file for each node that is to be
// taken over.
func (s nodeSettings) journal() string { return filepath.Join(s.Dir, "journal") }
func (s nodeSettings) lock(subject string) string {
	return filepath.Join(s.Dir, "lock", strings.ReplaceAll(subject, "/", "_"))
}
func (s nodeSettings) dead() string { return filepath.Join(s.Dir, "dead") }

// runNode is the process of a node. It works until it is killed, or drains when it is
// asked to end.
func runNode(text string) error {
	var s nodeSettings
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		return err
	}
	journal, err := os.OpenFile(s.journal(), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	note := func(format string, args ...any) { fmt.Fprintf(journal, format+"\n", args...) }
	o := Options{Node: s.Node, Workers: s.Workers, Logger: slog.New(slog.NewTextHandler(os.Stderr, nil)), Do: func(ctx context.Context, j Job) error {
		f, err := os.OpenFile(s.lock(j.Subject), os.O_CREATE|os.O_RDWR, 0o600)
		if err != nil {
			return err
		}
		defer f.Close()
		if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
			note("overlap %s %s %v", j.ID(), s.Node, err)
			return err
		}
		note("begin %s %s", j.ID(), s.Node)
		if pause(ctx, time.Duration(50+rand.IntN(400))*time.Millisecond) != nil {
			note("cut %s %s", j.ID(), s.Node)
			return ctx.Err()
		}
		note("end %s %s", j.ID(), s.Node)
		return nil
	}}
	if _, err := (place{sqlite: s.SQLite, postgres: s.Postgres}).open(&o); err != nil {
		return err
	}
	asked, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	q, err := New(context.Background(), o)
	if err != nil {
		return err
	}
	if err := q.Start(asked); asked.Err() != nil {
		return q.Drain(context.Background(), 0)
	} else if err != nil {
		return err
	}
	note("ready %s", s.Node)
	for pause(asked, 100*time.Millisecond) == nil {
		s.takeOver(asked, q, note)
	}
	return q.Drain(context.Background(), 20*time.Millisecond)
}

// takeOver takes over every node that somebody called dead.
func (s nodeSettings) takeOver(ctx context.Context, q *Queue, note func(string, ...any)) {
	names, err := os.ReadDir(s.dead())
	if err != nil {
		note("fault %v", err)
		return
	}
	for _, name := range names {
		if name.Name() == s.Node {
			continue
		}
		switch n, err := q.TakeOver(ctx, name.Name()); {
		case errors.Is(err, ErrNodeAlive), ctx.Err() != nil:
		case err != nil:
			note("fault %s takes over: %v", s.Node, err)
		case n > 0:
			note("took %d of %s", n, name.Name())
		}
	}
}

// fleet is the processes that a test runs.
type fleet struct {
	t     *testing.T
	at    nodeSettings
	nodes map[string]*exec.Cmd
}

func newFleet(t *testing.T, p place) *fleet {
	t.Helper()
	f := &fleet{t: t, at: nodeSettings{SQLite: p.sqlite, Postgres: p.postgres, Dir: t.TempDir(), Workers: 4}, nodes: map[string]*exec.Cmd{}}
	for _, dir := range []string{filepath.Dir(f.at.lock("x")), f.at.dead()} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() {
		for name := range f.nodes {
			f.kill(name)
		}
	})
	return f
}

func (f *fleet) start(name string) {
	f.t.Helper()
	s := f.at
	s.Node = name
	text, err := json.Marshal(s)
	if err != nil {
		f.t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "DURABLE_TEST_NODE="+string(text))
	cmd.Stderr = f.t.Output()
	if err := cmd.Start(); err != nil {
		f.t.Fatal(err)
	}
	f.nodes[name] = cmd
}

func (f *fleet) kill(name string) {
	_ = f.nodes[name].Process.Kill()
	_ = f.nodes[name].Wait()
	delete(f.nodes, name)
}

// stop asks a node to end.
func (f *fleet) stop(name string) {
	if err := f.nodes[name].Process.Signal(syscall.SIGTERM); err != nil {
		f.t.Error(err)
	}
	var exit *exec.ExitError
	if err := f.nodes[name].Wait(); errors.As(err, &exit) && !exit.Exited() {
		f.kill(name) // the signal came before the program listened to it
		return
	} else if err != nil {
		f.t.Errorf("%s was asked to end: %v", name, err)
	}
	delete(f.nodes, name)
}

// declareDead has the other nodes take over a node, again and again.
func (f *fleet) declareDead(name string) {
	if err := os.WriteFile(filepath.Join(f.at.dead(), name), nil, 0o600); err != nil {
		f.t.Fatal(err)
	}
}

// journal returns what the nodes noted, by the kind of note.
func (f *fleet) journal() map[string][]string {
	text, err := os.ReadFile(f.at.journal())
	if err != nil && !os.IsNotExist(err) {
		f.t.Fatal(err)
	}
	notes := make(map[string][]string)
	for line := range strings.Lines(string(text)) {
		kind, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		notes[kind] = append(notes[kind], rest)
	}
	return notes
}

// TestKill: nodes are killed at random moments, and every job is done all the same,
// never beside another of its subject. On PostgreSQL there are two nodes. A node that
// died starts again, often while the other is taking it over, or one with a new name
// takes its place. Now and then a node is asked to end instead.
func TestKill(t *testing.T) {
	t.Parallel()
	places(t, func(t *testing.T, p place) {
		f := newFleet(t, p)
		names := []string{"node-0"}
		if p.postgres != "" {
			names = append(names, "node-1")
		}
		q := unstarted(t, p, "enqueuer", 4, func(context.Context, Job) error { return nil })
		for _, name := range names {
			f.start(name)
		}
		jobs := someJobs(*works)
		for k := range *kills {
			enqueue(t, q, jobs[k*len(jobs) / *kills:(k+1)*len(jobs) / *kills]...)
			if pause(t.Context(), time.Duration(rand.IntN(900))*time.Millisecond) != nil {
				return
			}
			i := rand.IntN(len(names))
			f.replace(&names[i], fmt.Sprintf("node-%d", k+2))
		}
		untilOver(t, q)
		checkJournal(t, f, jobs)
	})
}

// replace ends a node in one of the ways that nodes end, and starts it again or another.
func (f *fleet) replace(name *string, newName string) {
	f.t.Helper()
	rename := rand.IntN(3) == 0
	if rand.IntN(5) == 0 {
		f.stop(*name)
	} else {
		f.kill(*name)
		if rename || rand.IntN(2) == 0 {
			f.declareDead(*name)
		}
	}
	if rename {
		*name = newName
	}
	f.start(*name)
}

func checkJournal(t *testing.T, f *fleet, jobs []Job) {
	t.Helper()
	notes := f.journal()
	for _, kind := range []string{"overlap", "fault"} {
		for _, note := range notes[kind] {
			t.Errorf("%s: %s", kind, note)
		}
	}
	ends := make(map[string]int)
	for _, note := range notes["end"] {
		id, _, _ := strings.Cut(note, " ")
		ends[id]++
	}
	twice := 0
	for _, j := range jobs {
		switch n := ends[j.ID()]; {
		case n == 0:
			t.Errorf("%s was never done", j.ID())
		case n > 1:
			twice++
		}
	}
	t.Logf("%d jobs: begun %d times, ended %d times, %d ended more than once, %d cut; nodes ready %d times, %d takeovers",
		len(jobs), len(notes["begin"]), len(notes["end"]), twice, len(notes["cut"]), len(notes["ready"]), len(notes["took"]))
}
