package gitrepo

import (
	"errors"
	"fmt"
	"strings"
)

// GitMissingError reports a missing git.
type GitMissingError struct{}

func (*GitMissingError) Error() string {
	return "git was not found on PATH: install git " + minimumVersion.String() + " or newer"
}

// GitTooOldError reports a git without the options for this package.
type GitTooOldError struct{ Version string }

func (e *GitTooOldError) Error() string {
	return fmt.Sprintf("git is too old (%s): install git %s or newer", e.Version, minimumVersion)
}

// NotRepositoryError reports a directory outside any git repository.
type NotRepositoryError struct{ Dir string }

func (e *NotRepositoryError) Error() string {
	return fmt.Sprintf("%q is not in a git repository: run this in one, or name one with -C DIR", e.Dir)
}

// OwnershipError reports a repository of another user, refused by git.
type OwnershipError struct{ Dir string }

func (e *OwnershipError) Error() string {
	return fmt.Sprintf("git refuses %q because another user owns it: if you trust it, run `git config --global --add safe.directory DIR` with its path", e.Dir)
}

// WorkTreeError reports a repository with a work tree that does not lead back to it
// (core.worktree). Freezing this tree could read files unrelated to the repository.
type WorkTreeError struct{ Dir, Top string }

func (e *WorkTreeError) Error() string {
	return fmt.Sprintf("the repository %q names %q as its work tree, but that directory does not belong to it: unset core.worktree or run this in the right work tree", e.Dir, e.Top)
}

// BareRepositoryError reports a scope that needs a work tree in a bare repository.
type BareRepositoryError struct{ Scope ScopeKind }

func (e *BareRepositoryError) Error() string {
	return fmt.Sprintf("the scope %q needs a work tree and there is none here (a bare repository, or the inside of a git directory): use --commit, --range or --base", e.Scope)
}

// UnbornError reports a scope that needs a commit on a branch without one.
type UnbornError struct{ Scope ScopeKind }

func (e *UnbornError) Error() string {
	return fmt.Sprintf("the scope %q needs a commit and the current branch has none yet: commit first, or use --uncommitted", e.Scope)
}

// UnknownRefError reports a name that resolves to no commit.
type UnknownRefError struct {
	Name    string
	Similar []string // at most three existing names
	Shallow bool     // the clone has only a part of the history, and often only one branch
}

// otherBranches is advice for a shallow clone with only one branch.
const otherBranches = "this clone is shallow and may lack the branch to compare with: run `git fetch --unshallow origin '+refs/heads/*:refs/remotes/origin/*'` " +
	"(with actions/checkout: fetch-depth: 0), and name it with --base origin/BRANCH"

func (e *UnknownRefError) Error() string {
	var quoted []string
	for _, name := range e.Similar {
		quoted = append(quoted, fmt.Sprintf("%q", name))
	}
	switch {
	case len(quoted) > 0:
		return fmt.Sprintf("%q names no commit here: did you mean %s?", e.Name, strings.Join(quoted, " or "))
	case e.Shallow:
		return fmt.Sprintf("%q names no commit here; %s", e.Name, otherBranches)
	}
	return fmt.Sprintf("%q names no commit here: `git branch --all` and `git tag` list the names there are", e.Name)
}

// AmbiguousRefError reports a name that resolves to more than one thing.
type AmbiguousRefError struct{ Name string }

func (e *AmbiguousRefError) Error() string {
	return fmt.Sprintf("%q means more than one thing here: write the full name (refs/heads/NAME, refs/tags/NAME) or more digits of the commit id", e.Name)
}

// NoDefaultBranchError reports a missing default branch.
type NoDefaultBranchError struct{}

func (*NoDefaultBranchError) Error() string {
	return "no default branch found to compare with (looked for origin/HEAD, init.defaultBranch, main, master) and nothing is uncommitted: name a branch with --base BRANCH"
}

// NoMergeBaseError reports two commits without a shared history.
type NoMergeBaseError struct {
	A, B    string // in the user's words
	Shallow bool   // the history is cut off, so an older common commit may exist
}

func (e *NoMergeBaseError) Error() string {
	if e.Shallow {
		return fmt.Sprintf("no common ancestor of %q and %q in this shallow clone: run `git fetch --unshallow` (with actions/checkout: fetch-depth: 0)", e.A, e.B)
	}
	return fmt.Sprintf("%q and %q have no common ancestor: name another base", e.A, e.B)
}

// MissingObjectError reports an object of the change missing in this clone. This
// package never fetches it, since it does not use the network.
type MissingObjectError struct {
	Object  string // object id, or "" if git did not name it
	Shallow bool
	Partial bool // a partial clone (git clone --filter)
}

func (e *MissingObjectError) Error() string {
	what := "an object"
	if e.Object != "" {
		what = "object " + e.Object
	}
	switch {
	case e.Partial:
		return what + " is not in this partial clone, and nothing is fetched here: run `git diff BASE HEAD > /dev/null` once so that git downloads it, or `git fetch --refetch --no-filter`"
	case e.Shallow:
		return what + " is not in this shallow clone: run `git fetch --unshallow` (with actions/checkout: fetch-depth: 0)"
	}
	return what + " is missing: the repository may be damaged, `git fsck` tells"
}

// UnreadableError reports a file of the change that the disk does not give.
type UnreadableError struct{ Path, Reason string }

func (e *UnreadableError) Error() string { return fmt.Sprintf("cannot read %q: %s", e.Path, e.Reason) }

// FileError reports a path of the wrong kind.
type FileError struct{ Path, Reason string }

func (e *FileError) Error() string { return fmt.Sprintf("%q: %s", e.Path, e.Reason) }

// LimitError reports something too large to freeze.
type LimitError struct {
	What  string // the counted things, e.g. "untracked files"
	Limit int64
	Unit  string // "bytes" or "" for a count
	Do    string // advice for the user
}

func (e *LimitError) Error() string {
	limit := fmt.Sprintf("%d", e.Limit)
	if e.Unit == "bytes" {
		limit = fmt.Sprintf("%d MiB", e.Limit>>20)
	}
	return fmt.Sprintf("more than %s of %s: %s", limit, e.What, e.Do)
}

// ScopeError reports a misspelled scope.
type ScopeError struct{ Text, Reason string }

func (e *ScopeError) Error() string { return fmt.Sprintf("scope %q: %s", e.Text, e.Reason) }

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

// PatchError reports a patch that does not fit its files.
type PatchError struct{ Reason string }

func (e *PatchError) Error() string {
	return "the patch does not fit the files: " + e.Reason
}
