package cli

import (
	"crypto/rand"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
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

// sessions names the sessions of one job.
type sessions struct {
	now    func() time.Time
	random io.Reader
	number string // of the job, in the names; "" draws one for each session
	named  int    // so far
	last   string // name of the newest, "" before the first
}

// next returns the next session. In GitHub Actions its number is the run and attempt, with
// an index from the second session on (S24).
func (n *sessions) next() (session, error) {
	s, err := newSession(n.now(), n.random)
	if err != nil {
		return s, err
	}
	n.named++
	if n.number != "" {
		s.id = fmt.Sprintf("debate-%s-%s", n.now().UTC().Format("20060102-150405"), n.number)
		if n.named > 1 {
			s.id += fmt.Sprintf("-%d", n.named)
		}
	}
	n.last = s.id
	return s, nil
}

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
