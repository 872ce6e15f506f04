package durable

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// TestOwnFile: the queue works while somebody writes to the file of its caller, and nobody
// else may read what it keeps.
func TestOwnFile(t *testing.T) {
	t.Parallel()
	p := sqlitePlace(t)
	ran := make(chan Job, 1)
	q := queue(t, p, "a", 1, func(_ context.Context, j Job) error { ran <- j; return nil })
	callers, err := sql.Open("sqlite", address(p.sqlite, "_txlock=immediate"))
	if err != nil {
		t.Fatal(err)
	}
	defer callers.Close()
	writing, err := callers.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	enqueue(t, q, Job{Subject: "1/pull/7"})
	within(t, "the job", ran)
	untilOver(t, q)
	if err := writing.Rollback(); err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS == "windows" {
		return
	}
	files, err := filepath.Glob(filepath.Join(filepath.Dir(p.sqlite), "*.queue*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("files of the queue: %v, %v", files, err)
	}
	for _, name := range files {
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
}

// TestWithoutItsFile: a queue whose file was taken away takes the jobs that it is given
// again.
func TestWithoutItsFile(t *testing.T) {
	t.Parallel()
	p := sqlitePlace(t)
	ran := make(chan Job, 2)
	work := func(_ context.Context, j Job) error { ran <- j; return nil }
	for range 2 {
		q := queue(t, p, "a", 1, work)
		enqueue(t, q, Job{Subject: "1/pull/7", Wanted: 3})
		within(t, "the job", ran)
		untilOver(t, q)
		if err := q.Drain(t.Context(), 0); err != nil {
			t.Fatal(err)
		}
		for _, ending := range []string{"", "-wal", "-shm"} {
			if err := os.Remove(p.sqlite + ".queue" + ending); err != nil && !os.IsNotExist(err) {
				t.Fatal(err)
			}
		}
	}
}
