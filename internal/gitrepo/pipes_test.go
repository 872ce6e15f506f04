package gitrepo

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"time"
)

// TestPipeDoesNotBlock: git opens these names without a look and waits for ever.
func TestPipeDoesNotBlock(t *testing.T) {
	t.Parallel()
	for _, name := range []string{".gitignore", ".gitattributes", "sub/.gitignore"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			f.commit("one", "a.go", "package a\n")
			f.commit("two", "a.go", "package b\n")
			f.write("a.go", "package c\n", "sub/b.go", "package b\n")
			fifo(t, filepath.Join(f.dir, name))
			ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
			defer cancel()
			r := f.open()
			var unreadable *UnreadableError
			if _, err := r.Snapshot(ctx, Scope{Kind: Uncommitted}); !errors.As(err, &unreadable) || unreadable.Path != name {
				t.Errorf("uncommitted: %v, want an UnreadableError about %s", err, name)
			}
			// Committed work has nothing to do with the work tree.
			s, err := r.Snapshot(ctx, Scope{Kind: Commit, Commit: "HEAD"})
			if err != nil {
				t.Fatalf("commit: %v", err)
			}
			s.Close()
		})
	}
}
