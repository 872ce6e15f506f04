package store_test

import (
	"path/filepath"
	"testing"

	"github.com/prdebate/debate/internal/store"
	"github.com/prdebate/debate/internal/testkit/storetest"
)

// files keeps each log in a file of its own.
type files struct{ dir string }

func (f files) path(session string) string { return filepath.Join(f.dir, session, "record.jsonl") }

func (f files) Create(session string) (store.Log, error) { return store.Create(f.path(session)) }

func (f files) Open(session string) (store.Log, store.Record, error) {
	return store.Open(f.path(session))
}

func (f files) Read(session string) (store.Record, error) { return store.Read(f.path(session)) }

func TestFileConforms(t *testing.T) {
	t.Parallel()
	storetest.Conform(t, func(t *testing.T) storetest.Backend { return files{t.TempDir()} })
}
