package cli

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gitrepo"
	"github.com/prdebate/debate/internal/lazyregexp"
	"github.com/prdebate/debate/internal/store"
)

// maxRecords bounds how many records are looked at for one of this repository.
const maxRecords = 50

// newestReview is the word of the command line for the newest review of this repository.
const newestReview = "newest"

// recordNamed returns the record of a command's argument: nothing and "newest" are the newest
// review of this repository, a number counts as in debate reviews, anything else is a file or an
// id at a server.
func (r *run) recordNamed(name string) (string, error) {
	number, err := strconv.Atoi(name)
	newest := name == "" || name == newestReview
	switch {
	case name != "" && exists(r.path(name)):
		return name, nil
	case newest:
		number = 1
	case err != nil:
		return name, nil
	}
	path, err := r.recordAt(number, func(store.Record) bool { return true })
	if err == nil && newest {
		r.progress("the newest review: %s", path)
	}
	return path, err
}

// recordAt returns the wanted record of this repository with a number; 1 is the newest.
func (r *run) recordAt(number int, wanted func(store.Record) bool) (string, error) {
	n := 0
	for path, rec := range r.ownRecords() {
		if wanted(rec) {
			n++
		}
		if n == number {
			return path, nil
		}
	}
	switch {
	case r.stateDir() == "":
		return "", usage(errors.New("name the record of a review"))
	case n == 0:
		return "", usage(fmt.Errorf("no record of a review of this repository is in %s: name one", r.stateDir()))
	}
	return "", usage(fmt.Errorf("there is no review %d of this repository: debate reviews lists %d", number, n))
}

// ownRecords are the newest records of this user about this repository: its commits, or
// no commit at all, as of a patch. Outside of a repository they are all records.
func (r *run) ownRecords() iter.Seq2[string, store.Record] {
	return func(yield func(string, store.Record) bool) {
		sessions, _ := filepath.Glob(filepath.Join(r.stateDir(), "debate-*", "record.jsonl")) // the pattern is ours
		if r.stateDir() == "" {
			return
		}
		second := func(path string) string { // a name begins with the time of the session
			return filepath.Base(filepath.Dir(path))[:min(len("debate-20060102-150405"), len(filepath.Base(filepath.Dir(path))))]
		}
		begun := func(path string) int64 { // later changes of the record leave its directory as it is
			info, err := os.Stat(filepath.Dir(path))
			if err != nil {
				return 0
			}
			return info.ModTime().UnixNano()
		}
		slices.SortFunc(sessions, func(a, b string) int {
			return cmp.Or(cmp.Compare(second(b), second(a)), cmp.Compare(begun(b), begun(a)))
		})
		repo, outside := gitrepo.Open(r.ctx, r.Dir)
		for _, path := range sessions[:min(len(sessions), maxRecords)] {
			rec, err := store.Read(path)
			if err != nil {
				continue // a broken record hides no other
			}
			if (outside != nil || isOf(r.ctx, repo, rec)) && !yield(path, rec) {
				return
			}
		}
	}
}

// maxAnswered is how many of the newest reviews are searched for answers.
const maxAnswered = 20

// decidedHere returns the user's own answers in the newest reviews of this repository. An
// answer about the same lines is not asked for again.
func (r *run) decidedHere() []debate.PriorDecision {
	if _, err := gitrepo.Open(r.ctx, r.Dir); err != nil {
		return nil // the records may be about other repositories
	}
	var list []debate.PriorDecision
	n := 0
	for _, rec := range r.ownRecords() {
		if n++; n > maxAnswered {
			break
		}
		state, err := debate.Fold(rec.Entries)
		if err != nil || state.Received.Anchor.PR > 0 {
			continue
		}
		for _, p := range state.Memory().Previous().Decisions {
			if p.Local {
				list = append(list, p)
			}
		}
	}
	return list
}

// isOf reports whether the repository has the record's commits, or the record has none.
func isOf(ctx context.Context, repo *gitrepo.Repo, rec store.Record) bool {
	for _, e := range rec.Entries {
		if ev, ok := e.Event.(debate.Snapshotted); ok {
			return ev.BaseSHA+ev.HeadSHA == "" || repo.Has(ctx, ev.BaseSHA) || repo.Has(ctx, ev.HeadSHA)
		}
	}
	return false
}

// recordFiles returns at most `most` records: the named files, and the records in named
// directories. Without names it returns the user's own, the newest first. left counts the
// rest.
func (r *run) recordFiles(names []string, most int) (files []string, left int, err error) {
	if len(names) == 0 {
		dir := r.stateDir()
		if dir == "" {
			return nil, 0, usage(errors.New("name the records, or a directory with records"))
		}
		files = recordsIn(dir)
		slices.Reverse(files) // names begin with the time
	}
	for _, name := range names {
		path := r.path(name)
		info, err := os.Stat(path)
		switch {
		case err != nil:
			return nil, 0, usage(unreadable(name, err))
		case info.IsDir():
			files = append(files, recordsIn(path)...)
		default:
			files = append(files, path)
		}
	}
	n := min(len(files), most)
	return files[:n], len(files) - n, nil
}

// recordsIn are the records in a directory and in the directories of sessions in it,
// sorted.
func recordsIn(dir string) []string {
	var all []string
	for _, pattern := range []string{"*.jsonl", filepath.Join("*", "record.jsonl")} {
		found, _ := filepath.Glob(filepath.Join(dir, pattern)) // the pattern is ours
		all = append(all, found...)
	}
	slices.Sort(all)
	return all
}

// ended returns the state of an ended review, or the reason as an error.
func ended(path string) (rec store.Record, state debate.State, err error) {
	if rec, err = store.Read(path); err != nil {
		var corrupt *store.CorruptError
		if errors.As(err, &corrupt) { // without its path
			err = corrupt
		}
		return rec, state, systemError(err)
	}
	if state, err = debate.Fold(rec.Entries); err != nil {
		return rec, state, fmt.Errorf("it contradicts itself: %w", err)
	}
	if state.Ending.Outcome == "" {
		return rec, state, errors.New("the review has not ended")
	}
	return rec, state, nil
}

// sessionID is the form of a review's id at a server.
var sessionID = lazyregexp.New(`^debate-[0-9]{8}-[0-9]{6}-[0-9]+$`)

// isKept reports whether a name is the id of a review in a database, and not a file.
func (r *run) isKept(name string) bool { return sessionID().MatchString(name) && !exists(r.path(name)) }

// randomSource draws the seed of a debate.
var randomSource io.Reader = rand.Reader

// stateDir returns the directory for the user's records, never in a work tree; ""
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
			err = fmt.Errorf("cannot write the record %s: %w; name another file", path, systemError(err))
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
		return nil, "", fmt.Errorf("no place for the record: cannot make a directory in %s: %w; name a file with --record", os.TempDir(), systemError(tempErr))
	}
	path = filepath.Join(dir, "record.jsonl")
	r.progress("the record goes to %s, the usual place cannot be written", path)
	log, err = store.Create(path)
	return log, path, err
}

// foldRecord reads and folds a record: a file, or a review in the server's database.
func (r *run) foldRecord(name, database string) (store.Record, debate.State, error) {
	var rec store.Record
	var err error
	switch {
	case !r.isKept(name):
		rec, err = store.Read(r.path(name))
	case r.Server == nil:
		err = r.handOver()
	default:
		rec, err = r.Server.Record(r, r.databaseAt(database), name)
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = usage(err)
	}
	if err != nil {
		return rec, debate.State{}, err
	}
	state, err := debate.Fold(rec.Entries)
	if err != nil {
		return rec, state, fmt.Errorf("the record %s contradicts itself: %w", name, err)
	}
	return rec, state, nil
}
