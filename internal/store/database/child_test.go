package database_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/prdebate/debate/internal/store/database"
	"github.com/prdebate/debate/internal/testkit/long"
)

// The program of the tests is also a program of its own: what only another process can
// show, such as a death in the middle of a commit, is done by it.
const (
	childMode  = "DEBATE_DATABASE_TEST_CHILD" // what to do
	childAt    = "DEBATE_DATABASE_TEST_AT"    // address of the database
	childNamed = "DEBATE_DATABASE_TEST_NAMED" // begins the ids of its deliveries
	childOpens = "open"                       // open, keep one delivery, say what happened
	childKeeps = "keep"                       // keep deliveries until it is killed, say each id
)

func TestMain(m *testing.M) {
	at := os.Getenv(childAt)
	switch os.Getenv(childMode) {
	case childOpens:
		fmt.Println(tryOpen(at))
	case childKeeps:
		if err := keepDeliveries(at, os.Getenv(childNamed)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	default:
		os.Exit(m.Run())
	}
}

// tryOpen opens a database and writes to it. It returns the cause of a fault, or "ok".
func tryOpen(at string) string {
	db, err := database.Open(context.Background(), at, database.Options{})
	if err == nil {
		_, err = db.Accept(context.Background(), opened("1", shop, 7, noon))
		err = errors.Join(err, db.Close())
	}
	var fault *database.FaultError
	switch {
	case err == nil:
		return "ok"
	case errors.As(err, &fault):
		return string(fault.Cause)
	}
	return err.Error()
}

// keepDeliveries keeps deliveries from several callers at once and prints the id of each
// once it is kept.
func keepDeliveries(at, named string) error {
	db, err := database.Open(context.Background(), at, database.Options{})
	if err != nil {
		return err
	}
	var mu sync.Mutex
	failed := make(chan error)
	for caller := range 4 {
		go func() {
			for i := 0; ; i++ {
				id := fmt.Sprintf("%s-%d-%d", named, caller, i)
				if _, err := db.Accept(context.Background(), opened(id, shop, 1+i%3, noon)); err != nil {
					failed <- err
					return
				}
				mu.Lock()
				fmt.Println(id) // one write: a line is whole or not there
				mu.Unlock()
			}
		}()
	}
	return <-failed
}

// child is this program as another process.
func child(t *testing.T, mode, at, named string) *exec.Cmd {
	t.Helper()
	program, err := os.Executable()
	must(t, err)
	cmd := exec.Command(program)
	cmd.Env = append(os.Environ(), childMode+"="+mode, childAt+"="+at, childNamed+"="+named)
	cmd.Stderr = os.Stderr
	return cmd
}

// TestKilled: whatever was acknowledged is there after the process was killed in the
// middle of its work, beside another process that works on the same database.
func TestKilled(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("not tested on Windows: processes are killed by a signal")
	}
	kills := long.Pick(5, 40)
	onBoth(t, func(t *testing.T, address func(t testing.TB) string) {
		at := address(t)
		db := open(t, at, database.Options{}) // the other process
		acknowledged := 0
		for kill := range kills {
			named := fmt.Sprint("kill ", kill)
			// What the other process keeps meanwhile is not lost either.
			accept(t, db, opened(named, docs, 1, noon))
			ids := killAfter(t, at, named, 1+(kill*37)%90)
			acknowledged += len(ids)
			for _, id := range ids {
				if accept(t, db, opened(id, shop, 1, noon)) {
					t.Fatalf("%s was acknowledged and is lost", id)
				}
			}
		}
		var deliveries, wanted int64
		count(t, db, "SELECT count(*) FROM deliveries", &deliveries)
		count(t, db, "SELECT CAST(sum(wanted) AS BIGINT) FROM tasks", &wanted)
		if deliveries != wanted || deliveries < int64(acknowledged+kills) {
			t.Errorf("%d deliveries, %d wanted, %d acknowledged", deliveries, wanted, acknowledged+kills)
		}
	})
}

// killAfter lets a process work until it has acknowledged some deliveries, kills it, and
// returns the ids of all that it acknowledged.
func killAfter(t *testing.T, at, named string, after int) (ids []string) {
	t.Helper()
	cmd := child(t, childKeeps, at, named)
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	stuck := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
	defer stuck.Stop()
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if ids = append(ids, lines.Text()); len(ids) == after {
			must(t, cmd.Process.Kill())
		}
	}
	_ = cmd.Wait() // it was killed
	if len(ids) < after {
		t.Fatalf("the process ended by itself after %d deliveries", len(ids))
	}
	return ids
}

// count reads one number behind the back of the database.
func count(t *testing.T, db *database.DB, query string, into *int64) {
	t.Helper()
	if db.Postgres() != nil {
		must(t, db.Postgres().QueryRow(t.Context(), query).Scan(into))
		return
	}
	must(t, db.SQLite().QueryRowContext(t.Context(), query).Scan(into))
}
