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
	Pull    gh.Pull
	Ahead   bool
	Issue   gh.Issue
	Twins   []gh.Issue
	Access  map[string]access
	Pushers []gh.Account
	Checks  []gh.CheckRun
	Own     gh.CheckRun // our check
	Denied  string      // the reason to read no check runs, "" if they were read
	Notes   []string
	Files   map[string][]byte // of the base side, by commit and path; a missing one is nil
	Failed  []debate.Run      // checks of the head

	Snapshot []byte `json:"-"` // as gh.Snapshot.Encode writes it
}

// keep takes over the reads of a snapshot.
func (f *Facts) keep(s *Snapshot) {
	f.Pull, f.Ahead, f.Issue, f.Twins, f.Access, f.Pushers, f.Notes = s.pull, s.ahead, s.issue, s.twins, s.access, s.pushers, s.notes
	f.Checks, f.Own = s.checks.runs, s.checks.own
	if s.checks.denied != nil {
		f.Denied = s.checks.denied.Error()
	}
}

// fill gives the reads to a snapshot of the pull request.
func (f *Facts) fill(s *Snapshot) {
	s.ahead, s.issue, s.twins, s.access, s.pushers, s.notes = f.Ahead, f.Issue, f.Twins, f.Access, f.Pushers, f.Notes
	s.checks = headChecks{runs: f.Checks, own: f.Own}
	if f.Denied != "" {
		s.checks.denied = errors.New(f.Denied)
	}
	s.requests, s.verdicts = readRequests(s), readVerdicts(s)
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
