package cli

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/store"
)

// randomSource draws the seed of a debate (S24).
var randomSource io.Reader = rand.Reader

// stateDir returns the directory for the user's records, never in a work tree (A08); ""
// without a home.
func (e Env) stateDir() string {
	if dir := e.Getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "debate")
	}
	if runtime.GOOS == "windows" {
		if dir := e.Getenv("LOCALAPPDATA"); dir != "" {
			return filepath.Join(dir, "debate")
		}
		return ""
	}
	if home := e.Getenv("HOME"); filepath.IsAbs(home) {
		return filepath.Join(home, ".local", "state", "debate")
	}
	return ""
}

// newRecord creates the record of a new session: at the named path, else in the user's
// directory, else in a temporary directory, so that a read-only home does not prevent a
// review.
func (r *run) newRecord(asked, session string) (log *store.File, path string, err error) {
	if asked != "" {
		path = r.path(asked)
		log, err = store.Create(path)
		if errors.Is(err, fs.ErrExist) {
			err = usage(fmt.Errorf("the record %s exists already; name another file, or go on with it by --resume", path))
		} else if err != nil {
			err = fmt.Errorf("cannot write the record %s: %w; name another file", path, bare(err))
		}
		return log, path, err
	}
	if dir := r.stateDir(); dir != "" {
		path = filepath.Join(dir, session, "record.jsonl")
		if log, err = store.Create(path); err == nil {
			return log, path, nil
		}
	}
	dir, tempErr := os.MkdirTemp("", "debate-")
	if tempErr != nil {
		return nil, "", fmt.Errorf("no place for the record: cannot make a directory in %s: %w; name a file with --record", os.TempDir(), bare(tempErr))
	}
	path = filepath.Join(dir, "record.jsonl")
	r.progress("the record goes to %s, the usual place cannot be written", path)
	log, err = store.Create(path)
	return log, path, err
}

// foldRecord reads and folds a record: a file, or a review in the server's database.
func (r *run) foldRecord(name, database string) (store.Record, debate.State, error) {
	rec, err := r.readRecord(name, database)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return rec, debate.State{}, usage(err)
		}
		return rec, debate.State{}, err
	}
	state, err := debate.Fold(rec.Entries)
	if err != nil {
		return rec, state, fmt.Errorf("the record %s contradicts itself: %w", name, err)
	}
	return rec, state, nil
}
