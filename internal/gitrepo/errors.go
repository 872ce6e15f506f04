package gitrepo

import (
	"errors"
	"fmt"
)

// ErrNoGit reports a missing git.
var ErrNoGit = errors.New("git was not found on PATH: install git " + minimumVersion + " or newer")

// NotRepositoryError reports a directory outside any git repository.
type NotRepositoryError struct{ Dir string }

func (e *NotRepositoryError) Error() string {
	return fmt.Sprintf("%q is not in a git repository: run this in one, or name one with -C DIR", e.Dir)
}

// RequestError reports a scope that does not fit the repository.
type RequestError struct {
	Reason  string // with advice
	unknown bool   // a name of the scope names no commit
}

func (e *RequestError) Error() string { return e.Reason }

// requestError formats a RequestError.
func requestError(format string, args ...any) error {
	return &RequestError{Reason: fmt.Sprintf(format, args...)}
}

// isUnknown reports whether a name names no commit.
func isUnknown(err error) bool {
	var request *RequestError
	return errors.As(err, &request) && request.unknown
}

// otherBranches is advice for a shallow clone with only one branch.
const otherBranches = "this clone is shallow and may lack the branch to compare with: run `git fetch --unshallow origin '+refs/heads/*:refs/remotes/origin/*'` " +
	"(with actions/checkout: fetch-depth: 0), and name it with --base origin/BRANCH"

// missingObjectError reports an object of the change missing in this clone; object is "" if git
// did not name it. This package never fetches it, since it does not use the network.
func (r *Repo) missingObjectError(object string) error {
	what := "an object"
	if object != "" {
		what = "object " + object
	}
	switch {
	case r.isPartial:
		return errors.New(what + " is not in this partial clone, and nothing is fetched here: run `git diff BASE HEAD > /dev/null` once so that git downloads it, or `git fetch --refetch --no-filter`")
	case r.isShallow:
		return errors.New(what + " is not in this shallow clone: run `git fetch --unshallow` (with actions/checkout: fetch-depth: 0)")
	}
	return errors.New(what + " is missing: the repository may be damaged, `git fsck` tells")
}

// FileError reports a path of the wrong kind.
type FileError struct{ Path, Reason string }

func (e *FileError) Error() string { return fmt.Sprintf("%q %s", e.Path, e.Reason) }

// LimitError reports something too large to freeze.
type LimitError struct{ Reason string }

func (e *LimitError) Error() string { return e.Reason }

// limitError formats a LimitError.
func limitError(format string, args ...any) error {
	return &LimitError{Reason: fmt.Sprintf(format, args...)}
}

// CommandError is the failure of a git command without a more exact error; git's words
// are all there is.
type CommandError struct {
	Command string // the subcommand
	Message string // one line of git's own words, shortened
	status  int    // exit status
}

func (e *CommandError) Error() string { return fmt.Sprintf("git %s: %s", e.Command, e.Message) }

// statusOf returns the exit status of a failed git command, 0 for any other error.
func statusOf(err error) int {
	var failed *CommandError
	if errors.As(err, &failed) {
		return failed.status
	}
	return 0
}

// isNothingFound reports whether git grep found nothing.
func isNothingFound(out output, err error) bool { return statusOf(err) == 1 && len(out.stdout) == 0 }
