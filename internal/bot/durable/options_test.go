package durable

import (
	"context"
	"database/sql"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
)

func TestOptions(t *testing.T) {
	memory, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	defer memory.Close()
	good := Options{SQLite: memory, Node: "a", Workers: 1, Logger: logger(t), Do: func(context.Context, Job) error { return nil }}
	for name, c := range map[string]struct {
		change func(o *Options)
		want   string
	}{
		"in memory":       {func(*Options) {}, "in memory"},
		"no database":     {func(o *Options) { o.SQLite = nil }, "exactly one"},
		"two databases":   {func(o *Options) { o.Postgres = &pgxpool.Pool{} }, "exactly one"},
		"no node":         {func(o *Options) { o.Node = "" }, "name of the node"},
		"long node":       {func(o *Options) { o.Node = strings.Repeat("n", 101) }, "name of the node"},
		"no workers":      {func(o *Options) { o.Workers = 0 }, "0 workers"},
		"many workers":    {func(o *Options) { o.Workers = 1001 }, "1001 workers"},
		"no logger":       {func(o *Options) { o.Logger = nil }, "logger"},
		"nothing to do":   {func(o *Options) { o.Do = nil }, "function"},
		"cloud of DBOS":   {func(*Options) { t.Setenv("DBOS__CLOUD", "true") }, "DBOS__CLOUD"},
		"another version": {func(*Options) { t.Setenv("DBOS__APPVERSION", "2") }, "DBOS__APPVERSION"},
		"another node":    {func(*Options) { t.Setenv("DBOS__VMID", "b") }, "DBOS__VMID"},
	} {
		for _, name := range []string{"DBOS__CLOUD", "DBOS__APPVERSION", "DBOS__VMID"} {
			t.Setenv(name, "")
		}
		o := good
		c.change(&o)
		if _, err := New(t.Context(), o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want an error with %q", name, err, c.want)
		}
	}
}

// TestTogether: processes that start at the same moment on a new database prepare it once.
func TestTogether(t *testing.T) {
	t.Parallel()
	places(t, func(t *testing.T, p place) {
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				o := Options{Node: "a", Workers: 1, Logger: logger(t), Do: func(context.Context, Job) error { return nil }}
				closeIt, err := p.open(&o)
				if err != nil {
					t.Error(err)
					return
				}
				defer closeIt()
				q, err := New(t.Context(), o)
				if err != nil {
					t.Error(err)
					return
				}
				if err := q.Enqueue(t.Context(), Job{Subject: "1/pull/1"}); err != nil {
					t.Error(err)
				}
				if jobs, err := q.Active(t.Context()); len(jobs) != 1 || err != nil {
					t.Errorf("%v %v", jobs, err)
				}
				if err := q.Drain(context.Background(), 0); err != nil {
					t.Error(err)
				}
				if o.SQLite != nil && o.SQLite.Ping() != nil || o.Postgres != nil && o.Postgres.Ping(t.Context()) != nil {
					t.Error("the caller's handle was closed")
				}
			})
		}
		all.Wait()
	})
}
