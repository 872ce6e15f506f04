package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/store"
)

// recordFiles are the records that names stand for: files, and directories with the
// records of sessions. Without a name they are those of this user, the newest first. They
// are at most as many as most; left is how many more there are.
func (r *run) recordFiles(names []string, most int) (files []string, left int, err error) {
	if len(names) == 0 {
		dir := r.stateDir()
		if dir == "" {
			return nil, 0, usage(errors.New("name the records, or a directory with records"))
		}
		files = recordsIn(dir)
		slices.Reverse(files) // their names begin with the time
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

// ended is the state of a review that has ended. An error says why the record does not
// say how one ended.
func ended(path string) (rec store.Record, state debate.State, err error) {
	if rec, err = store.Read(path); err != nil {
		var corrupt *store.CorruptError
		if errors.As(err, &corrupt) { // without its path
			err = corrupt
		}
		return rec, state, bare(err)
	}
	if state, err = debate.Fold(rec.Entries); err != nil {
		return rec, state, fmt.Errorf("it contradicts itself: %w", err)
	}
	if state.Ending.Outcome == "" {
		return rec, state, errors.New("the review has not ended")
	}
	return rec, state, nil
}
