package pull

import (
	"errors"
	"fmt"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
)

// Facts are the reads of GitHub by one job, for another without a token.
type Facts struct {
	Trigger Trigger
	reads
	Files  map[string][]byte // of the base side, by commit and path; a missing one is nil
	Failed []debate.Run      // checks of the head

	Snapshot []byte `json:"-"` // as gh.Snapshot.Encode writes it
}

// fileName names a file of a commit.
func fileName(sha, path string) string { return sha + ":" + path }

// files are collected files of a commit.
func (f *Facts) files(sha string, paths []string) (map[string][]byte, error) {
	found := make(map[string][]byte)
	for _, path := range paths {
		data, isKept := f.Files[fileName(sha, path)]
		if !isKept {
			return nil, fmt.Errorf("%s of %s was not collected", path, short(sha))
		}
		found[path] = data
	}
	return found, nil
}

// change is the collected change of a head.
func (f *Facts) change(head string) (*gh.Snapshot, error) {
	if len(f.Snapshot) == 0 {
		return nil, errors.New("it was not collected")
	}
	s, err := gh.DecodeSnapshot(f.Snapshot)
	if err == nil && s.HeadSHA != head {
		err = fmt.Errorf("the collected change is that of head %s", short(s.HeadSHA))
	}
	return s, err
}
