package gitrepo

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/prdebate/debate/internal/spelling"
	"github.com/prdebate/debate/internal/text"
)

const (
	nameLimit = 1 << 10 // bytes of a revision
)

// resolve turns a name of the user into a full commit id. After this no name is
// ever handed to git again.
func (r *Repo) resolve(ctx context.Context, name string) (string, error) {
	if name == "" || len(name) > nameLimit || strings.ContainsAny(name, "\x00\n\r") {
		return "", &RequestError{Reason: fmt.Sprintf("%q names no commit here", text.Message(name)), unknown: true}
	}
	out, err := r.front(ctx, "rev-parse", "--verify", "--end-of-options", name+"^{commit}")
	id := strings.TrimSpace(string(out.stdout))
	isIncomplete := r.isShallow || r.isPartial
	switch {
	case ctx.Err() != nil:
		return "", err
	case strings.Contains(string(out.stderr), "is ambiguous"): // git only warns of it
		return "", requestError("%q means more than one thing here: write the full name (refs/heads/NAME, refs/tags/NAME) or more digits of the commit id", name)
	case err == nil && r.format.isID(id):
		return id, nil
	case err != nil && !errors.As(err, new(*CommandError)):
		return "", err
	case isIncomplete && r.format.isID(name):
		return "", r.missingObjectError(name)
	}
	advice := ": `git branch --all` and `git tag` list the names there are"
	if similar := r.similar(ctx, name); similar != "" {
		advice = fmt.Sprintf(": did you mean %q?", similar)
	} else if r.isShallow {
		advice = "; " + otherBranches
	}
	return "", &RequestError{Reason: fmt.Sprintf("%q names no commit here%s", name, advice), unknown: true}
}

// Head returns the id of the commit at HEAD; ok is false on a branch without a commit.
func (r *Repo) Head(ctx context.Context) (id string, ok bool, err error) {
	id, err = r.resolve(ctx, "HEAD")
	if !isUnknown(err) {
		return id, err == nil, err
	}
	// HEAD with the name of a branch without a commit is unborn; any other failure is
	// an error.
	if _, symbolic := r.front(ctx, "symbolic-ref", "-q", "HEAD"); symbolic == nil {
		return "", false, nil
	}
	return "", false, err
}

// branch is a branch to compare with.
type branch struct {
	name string // as in the scope: without the remote for a default branch
	ref  string // its source, for people
	tip  string
}

// baseBranch resolves the name in --base: a local branch, any other revision, or a
// branch of the remote `origin`, in this order. A tag of the same name does not hide a
// branch.
func (r *Repo) baseBranch(ctx context.Context, name string) (branch, error) {
	if name != "HEAD" && !strings.Contains(name, ":") {
		if id, err := r.resolve(ctx, "refs/heads/"+name); err == nil {
			return branch{name, name, id}, nil
		}
	}
	id, err := r.resolve(ctx, name)
	if isUnknown(err) {
		if id, remote := r.resolve(ctx, "refs/remotes/origin/"+name); remote == nil {
			return branch{name, "origin/" + name, id}, nil
		}
	}
	return branch{name, name, id}, err
}

// findDefaultBranch tries origin/HEAD, then the usual names; ok is false if there is
// none.
func (r *Repo) findDefaultBranch(ctx context.Context) (found branch, ok bool, err error) {
	var refs []string
	if out, err := r.front(ctx, "symbolic-ref", "-q", "refs/remotes/origin/HEAD"); err == nil {
		refs = append(refs, strings.TrimSpace(string(out.stdout)))
	}
	for _, name := range []string{r.defaultBranch, "main", "master"} {
		if name != "" {
			refs = append(refs, "refs/heads/"+name, "refs/remotes/origin/"+name)
		}
	}
	for _, ref := range refs {
		if id, err := r.resolve(ctx, ref); err == nil {
			short := strings.TrimPrefix(strings.TrimPrefix(ref, "refs/heads/"), "refs/remotes/")
			return branch{strings.TrimPrefix(short, "origin/"), short, id}, true, nil
		}
	}
	return branch{}, false, ctx.Err()
}

// mergeBase finds the best common ancestor; names are the user's names of a and b.
func (s *shadow) mergeBase(ctx context.Context, a, b string, names [2]string) (string, error) {
	out, err := s.run(ctx, nil, listingLimit, "merge-base", "--end-of-options", a, b)
	if err == nil {
		id, _, _ := strings.Cut(string(out.stdout), "\n")
		return id, nil
	}
	if statusOf(err) == 1 {
		if s.repo.isShallow { // an older common commit may exist
			return "", fmt.Errorf("no common ancestor of %q and %q in this shallow clone: run `git fetch --unshallow` (with actions/checkout: fetch-depth: 0)", names[0], names[1])
		}
		return "", fmt.Errorf("%q and %q have no common ancestor: name another base", names[0], names[1])
	}
	return "", err
}

// similar returns the ref that the user may have meant, "" if there is none.
func (r *Repo) similar(ctx context.Context, name string) string {
	if strings.HasPrefix(name, "refs/") || r.format.isID(name) {
		return "" // a name from this package, or a full one
	}
	out, err := r.front(ctx, "for-each-ref", "--count=2000", "--format=%(refname)", "refs/heads", "refs/remotes", "refs/tags")
	if err != nil {
		return ""
	}
	var names []string
	for ref := range strings.Lines(string(out.stdout)) {
		for _, prefix := range []string{"refs/heads/", "refs/remotes/", "refs/tags/"} {
			if short, is := strings.CutPrefix(strings.TrimSpace(ref), prefix); is {
				names = append(names, short)
			}
		}
	}
	return spelling.Nearest(name, names)
}
