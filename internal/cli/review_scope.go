package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/engine"
	"github.com/prdebate/debate/internal/gitrepo"
)

// maxInput bounds a patch or a snippet, in bytes.
const maxInput = 256 << 20

// scopeFlags choose what to review; at most one is set (R052).
type scopeFlags struct {
	Base        string `xor:"scope" placeholder:"BRANCH" help:"The changes of this branch since it left BRANCH, with uncommitted work."`
	Commit      string `xor:"scope" placeholder:"SHA" help:"One commit."`
	Range       string `xor:"scope" placeholder:"A..B" help:"The changes on B since it left A."`
	Uncommitted bool   `xor:"scope" help:"Uncommitted work: staged, unstaged and untracked."`
	File        string `xor:"scope" placeholder:"PATH" help:"One whole file."`
	Snippet     string `xor:"scope" placeholder:"FILE" help:"A text on its own; - reads standard input."`
	Patch       string `xor:"scope" placeholder:"FILE" help:"A diff; - reads standard input."`
	PR          string `xor:"scope" name:"pr" placeholder:"NUMBER|URL" help:"A pull request of GitHub. It is only read, unless you --post."`
}

// takeArgument takes an argument without a flag, nil if there is none: a range, a pull request,
// or a file.
func (f *scopeFlags) takeArgument(r *run, word *string) error {
	if word == nil {
		return nil
	}
	_, notNumber := strconv.Atoi(*word)
	info, absent := os.Stat(r.path(*word))
	repo, outside := gitrepo.Open(r.ctx, r.Dir)
	switch isFile := absent == nil && info.Mode().IsRegular(); {
	case *word == "":
		return usage(errors.New("the range is empty: write A..B, such as main..HEAD, or leave it out"))
	case *f != scopeFlags{}:
		return usage(fmt.Errorf("%s and a flag both say what to review: give one of them", *word))
	case strings.Contains(*word, "..") && !isFile:
		f.Range = *word
	case notNumber == nil, strings.HasPrefix(*word, "https://"):
		f.PR = *word
	case isFile:
		f.File = *word
	case outside != nil || !repo.Knows(r.ctx, *word):
		return usage(fmt.Errorf("%q is neither a file nor a commit here: write a file, a range such as main..HEAD, or the number of a pull request", *word))
	default:
		return usage(fmt.Errorf("%q is no file: to review all since that commit write %s..HEAD, for the commit alone --commit %s", *word, *word, *word))
	}
	return nil
}

// frozenChange is the snapshot of a review, taken before the record opens: a wrong scope
// leaves no record behind.
type frozenChange struct {
	repo     *gitrepo.Repo // nil outside a repository
	snapshot *gitrepo.Snapshot
	event    debate.Snapshotted
}

// newFrozen is a frozen change of a repository, which may be nil.
func newFrozen(repo *gitrepo.Repo, s *gitrepo.Snapshot) *frozenChange {
	return &frozenChange{repo, s, debate.Snapshotted{Scope: s.Scope, BaseSHA: s.BaseSHA, HeadSHA: s.HeadSHA, Hash: s.Hash, Notes: s.Notes}}
}

// Snapshot implements engine.Source.
func (f *frozenChange) Snapshot(ctx context.Context) (engine.Frozen, error) {
	attributes, err := f.policyFile(ctx, ".gitattributes")
	if err != nil {
		return engine.Frozen{}, err
	}
	frozen := engine.Frozen{Event: f.event, Change: f.snapshot.Change, Attributes: attributes, Err: f.snapshot.Err}
	if tree := f.snapshot.Tree(); tree != nil {
		frozen.Tree = tree
	}
	return frozen, nil
}

// covers reports whether a file is in the frozen work tree; nil has none.
func (f *frozenChange) covers(path string) bool {
	return f != nil && within(f.top(), path)
}

// within reports whether a path is in a work tree, "" for none.
func within(top, path string) bool {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	rel, err := filepath.Rel(top, path)
	return top != "" && err == nil && filepath.IsLocal(rel)
}

// top returns the work tree of the change, "" if there is none.
func (f *frozenChange) top() string {
	if f.repo == nil {
		return ""
	}
	return f.repo.Top()
}

func (f *frozenChange) close() { f.snapshot.Close() }

// snapshot freezes the scope of the flags.
func (f scopeFlags) snapshot(r *run) (*frozenChange, error) {
	var err error
	var repo *gitrepo.Repo
	var snapshot *gitrepo.Snapshot
	switch {
	case f.Snippet != "":
		var text []byte
		if text, err = r.readLimited(f.Snippet, maxInput); err == nil {
			snapshot, err = gitrepo.FromSnippet(text)
		}
	case f.Patch != "":
		var diff []byte
		if diff, err = r.readLimited(f.Patch, maxInput); err == nil {
			snapshot, err = gitrepo.FromPatch(diff)
		}
		switch {
		case err != nil: // said below
		case snapshot.Change.Set.WordDiff:
			return nil, usage(fmt.Errorf("%s is a word diff: write it again without --word-diff and --color-words", inputName(f.Patch)))
		case len(snapshot.Change.Set.Files) == 0 && len(bytes.TrimSpace(diff)) > 0:
			return nil, usage(fmt.Errorf("%s is not a diff: write one with git diff, or review the file itself with --file", inputName(f.Patch)))
		}
	default:
		if repo, err = gitrepo.Open(r.ctx, r.Dir); err == nil {
			snapshot, err = f.freeze(r.ctx, repo)
		}
	}
	if err != nil {
		return nil, err
	}
	return newFrozen(repo, snapshot), nil
}

// inputName is the name of an input for people.
func inputName(name string) string {
	if name == "-" {
		return "standard input"
	}
	return name
}

// freeze freezes a scope of a repository.
func (f scopeFlags) freeze(ctx context.Context, repo *gitrepo.Repo) (*gitrepo.Snapshot, error) {
	scope := gitrepo.Scope{Kind: gitrepo.Default}
	switch {
	case f.Base != "":
		scope = gitrepo.Scope{Kind: gitrepo.Base, Base: f.Base}
	case f.Commit != "":
		scope = gitrepo.Scope{Kind: gitrepo.Commit, Commit: f.Commit}
	case f.Range != "":
		from, to, err := gitrepo.ParseRange(f.Range)
		if err != nil {
			return nil, err
		}
		scope = gitrepo.Scope{Kind: gitrepo.Range, From: from, To: to}
	case f.Uncommitted:
		scope = gitrepo.Scope{Kind: gitrepo.Uncommitted}
	case f.File != "":
		scope = gitrepo.Scope{Kind: gitrepo.File, Path: f.File}
	}
	return repo.Snapshot(ctx, scope)
}

// policyFile reads a file of the base side. A missing file or base is nil without an error.
func (f *frozenChange) policyFile(ctx context.Context, path string) ([]byte, error) {
	return policyFileAt(ctx, f.repo, f.snapshot.PolicySHA, path)
}

func policyFileAt(ctx context.Context, repo *gitrepo.Repo, commit, path string) ([]byte, error) {
	if repo == nil || commit == "" {
		return nil, nil
	}
	data, err := repo.PolicyFile(ctx, commit, path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return data, err
}
