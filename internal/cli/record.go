package cli

import (
	"crypto/rand"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"runtime"
	"time"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/store"
)

// randomSource draws the seed of a debate (S24).
var randomSource io.Reader = rand.Reader

// session is the identity of a new debate.
type session struct {
	id   string // debate-YYYYmmdd-HHMMSS-<number> (R050)
	seed string
}

func newSession(now time.Time, random io.Reader) (session, error) {
	var bits [16]byte
	if _, err := io.ReadFull(random, bits[:]); err != nil {
		return session{}, fmt.Errorf("draw the seed of the debate: %w", err)
	}
	var number [4]byte
	if _, err := io.ReadFull(random, number[:]); err != nil {
		return session{}, fmt.Errorf("draw the number of the session: %w", err)
	}
	return session{
		id:   fmt.Sprintf("debate-%s-%d", now.UTC().Format("20060102-150405"), binary.BigEndian.Uint32(number[:])),
		seed: hex.EncodeToString(bits[:]),
	}, nil
}

// stateDir is where the records of this user live: never in a work tree (A08).
// It is "" where the environment names no home.
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

// recordPath is where the record of a session goes: where the user says, else
// the user's own directory, else the directory for temporary files.
func (r *run) recordPath(asked, session, temp string) string {
	if asked != "" {
		return r.path(asked)
	}
	dir := r.stateDir()
	if dir == "" {
		dir = filepath.Join(temp, "debate")
	}
	return filepath.Join(dir, session, "record.jsonl")
}

// createRecord opens a new record. An existing file is the user's, and stays.
func createRecord(path string) (*store.File, error) {
	log, err := store.Create(path)
	if errors.Is(err, fs.ErrExist) {
		return nil, usage(fmt.Errorf("the record %s exists already; name another file, or go on with it by --resume", path))
	}
	return log, err
}

// foldRecord reads a record and folds it.
func (r *run) foldRecord(name string) (store.Record, debate.State, error) {
	rec, err := store.Read(r.path(name))
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return rec, debate.State{}, usage(err)
		}
		return rec, debate.State{}, err
	}
	state, err := debate.Fold(rec.Entries)
	if err != nil {
		return rec, state, fmt.Errorf("the record %s does not fold: %w", name, err)
	}
	return rec, state, nil
}
