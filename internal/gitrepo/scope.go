package gitrepo

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/text"
)

// ScopeKind names the part of a repository to review.
type ScopeKind string

// The scopes of `debate review`. All but Default and Patch have a spelling of
// their own; Default becomes Base or Uncommitted, a patch has the spelling of a
// snippet.
const (
	// Default is the work since the merge base of HEAD and the default branch, plus
	// uncommitted work.
	Default ScopeKind = "default"
	// Base is the same against a named branch.
	Base ScopeKind = "base"
	// Commit is one commit against its first parent.
	Commit ScopeKind = "commit"
	// Range is To against its merge base with From.
	Range ScopeKind = "range"
	// Uncommitted is the work tree (staged, unstaged and untracked) against HEAD.
	Uncommitted ScopeKind = "uncommitted"
	// File is one file of the work tree as if it was new, tracked or not.
	File ScopeKind = "file"
	// Snippet is some bytes as one new file; see FromSnippet.
	Snippet ScopeKind = "snippet"
	// Patch is the text of a diff; see FromPatch.
	Patch ScopeKind = "patch"
)

// Scope describes a snapshot. Each field except Kind belongs to the kind of its name;
// From and To belong to Range, and "" means HEAD in them. Path is relative to the
// directory the repository was opened in, or absolute.
type Scope struct {
	Kind                         ScopeKind
	Base, Commit, From, To, Path string
}

// ParseRange reads A..B or A...B. Both mean the work on B since its merge base
// with A; a missing side is HEAD, and comes back as "".
func ParseRange(s string) (from, to string, err error) {
	from, to, ok := strings.Cut(s, "..")
	to = strings.TrimPrefix(to, ".")
	if !ok || from+to == "" || strings.Contains(to, "..") || strings.HasPrefix(to, ".") {
		return "", "", requestError("%q is no range: write it as A..B, such as main..HEAD", s)
	}
	return from, to, nil
}

// defaultSides is the scope of a plain `debate review`.
func (t *builder) defaultSides(ctx context.Context, _ Scope) (sides, error) {
	base, found, err := t.repo.findDefaultBranch(ctx)
	if err != nil {
		return sides{}, err
	}
	head, born, err := t.repo.Head(ctx)
	if err != nil {
		return sides{}, err
	}
	canCompare := found && born
	if isAhead := canCompare && base.tip != head; t.repo.top == "" && !isAhead {
		return sides{}, bareError(Default)
	}
	if !canCompare {
		return t.uncommittedOnly(ctx, born)
	}
	at, err := t.compareWith(ctx, base, head)
	committed := "nothing is ahead of " + base.ref
	switch {
	case err != nil:
		return at, err
	case at.base != head:
		return at.comparedWith(base), nil
	case at.baseTree != at.headTree:
		at.scope = "uncommitted"
		committed = "uncommitted work; " + committed
	default:
		committed += " and nothing is uncommitted"
		if t.repo.isShallow {
			committed += "; " + otherBranches
		}
	}
	at.notes = slices.Insert(at.notes, 0, committed)
	return at, nil
}

// bareError is the error of a scope that needs a work tree.
func bareError(kind ScopeKind) error {
	return requestError("the scope %q needs a work tree and there is none here (a bare repository, or the inside of a git directory): use --commit, --range or --base", kind)
}

// uncommittedOnly is the default scope without a branch to compare with.
func (t *builder) uncommittedOnly(ctx context.Context, born bool) (sides, error) {
	at, err := t.uncommittedSides(ctx, Scope{Kind: Uncommitted})
	switch isEmpty := at.baseTree == at.headTree; {
	case err != nil:
		return at, err
	case isEmpty && born:
		return sides{}, requestError("no default branch found to compare with (looked for origin/HEAD, init.defaultBranch, main, master) and nothing is uncommitted: name a branch with --base BRANCH")
	case isEmpty:
		at.notes = append(at.notes, "there is no commit and no file here yet")
	case born:
		at.notes = append(at.notes, "no default branch found to compare with: name one with --base BRANCH")
	}
	return at, nil
}

func (t *builder) baseSides(ctx context.Context, scope Scope) (sides, error) {
	base, err := t.repo.baseBranch(ctx, scope.Base)
	if err != nil {
		return sides{}, err
	}
	head, err := t.repo.resolve(ctx, "HEAD")
	if err != nil {
		return sides{}, err
	}
	at, err := t.compareWith(ctx, base, head)
	return at.comparedWith(base), err
}

// comparedWith adds a note about the branch, unless it would only repeat the scope.
func (at sides) comparedWith(base branch) sides {
	said := "compared with " + base.ref
	switch {
	case at.head == "":
		said += ", with uncommitted work"
	case base.ref == base.name:
		return at
	}
	at.notes = slices.Insert(at.notes, 0, said)
	return at
}

// compareWith is the work on head since its merge base with a branch, plus uncommitted
// work.
func (t *builder) compareWith(ctx context.Context, base branch, head string) (sides, error) {
	from, err := t.shadow.mergeBase(ctx, base.tip, head, [2]string{base.ref, "HEAD"})
	if err != nil {
		return sides{}, err
	}
	at := sides{scope: "base:" + base.name, base: from, head: head, policy: base.tip}
	if err := t.trees(&at); err != nil || t.repo.top == "" {
		return at, err
	}
	work, err := t.shadow.freeze(ctx)
	if work != at.headTree {
		at.headTree, at.head = work, ""
	}
	at.notes = t.shadow.notes
	return at, err
}

func (t *builder) commitSides(ctx context.Context, scope Scope) (sides, error) {
	id, err := t.repo.resolve(ctx, scope.Commit)
	if err != nil {
		return sides{}, err
	}
	c, err := t.objects.commit(id)
	if err != nil {
		return sides{}, err
	}
	at := sides{scope: "commit:" + id, head: id, headTree: c.tree, baseTree: t.repo.format.emptyTree}
	switch len(c.parents) {
	case 0:
		at.notes = []string{at.scope + ", the first commit, as new files"}
		return at, nil
	case 1:
	default:
		at.notes = []string{fmt.Sprintf("%s is a merge of %d commits, compared with the first", at.scope, len(c.parents))}
	}
	at.base, at.policy = c.parents[0], c.parents[0]
	parent, err := t.objects.commit(at.base)
	at.baseTree = parent.tree
	return at, err
}

func (t *builder) rangeSides(ctx context.Context, scope Scope) (sides, error) {
	names := [2]string{scope.From, scope.To}
	var ids [2]string
	for i, name := range names {
		if name == "" {
			names[i] = "HEAD"
		}
		id, err := t.repo.resolve(ctx, names[i])
		if err != nil {
			return sides{}, err
		}
		ids[i] = id
	}
	from, err := t.shadow.mergeBase(ctx, ids[0], ids[1], names)
	if err != nil {
		return sides{}, err
	}
	at := sides{scope: "range:" + ids[0] + ".." + ids[1], base: from, head: ids[1], policy: ids[0]}
	if from != ids[0] {
		at.notes = []string{"the work on " + text.Message(names[1]) + " since its merge base " + from[:12] + " with " + text.Message(names[0])}
	}
	return at, t.trees(&at)
}

func (t *builder) uncommittedSides(ctx context.Context, scope Scope) (sides, error) {
	if t.repo.top == "" {
		return sides{}, bareError(scope.Kind)
	}
	head, born, err := t.repo.Head(ctx)
	if err != nil {
		return sides{}, err
	}
	at := sides{scope: "uncommitted", baseTree: t.repo.format.emptyTree}
	if born {
		c, err := t.objects.commit(head)
		if err != nil {
			return sides{}, err
		}
		at.base, at.policy, at.baseTree = head, head, c.tree
	}
	at.headTree, err = t.shadow.freeze(ctx)
	at.notes = t.shadow.notes
	return at, err
}

func (t *builder) fileSides(ctx context.Context, scope Scope) (sides, error) {
	if t.repo.top == "" {
		return sides{}, bareError(File)
	}
	path, err := t.repo.inWorkTree(scope.Path)
	if err != nil {
		return sides{}, err
	}
	head, _, err := t.repo.Head(ctx)
	if err != nil {
		return sides{}, err
	}
	if err := t.shadow.addFiles(ctx, []string{path}); err != nil {
		return sides{}, err
	}
	tree, err := t.shadow.writeTree(ctx)
	return sides{scope: "file:" + path, notes: t.shadow.notes, policy: head, baseTree: t.repo.format.emptyTree, headTree: tree}, err
}

// trees fills in the trees of both commits.
func (t *builder) trees(at *sides) error {
	base, err := t.objects.commit(at.base)
	if err != nil {
		return err
	}
	head, err := t.objects.commit(at.head)
	at.baseTree, at.headTree = base.tree, head.tree
	return err
}

// inWorkTree returns the path of a file relative to the top of the work tree, with
// slashes. It follows links in the directories on the way if they stay inside; a link
// at the end is the file itself.
func (r *Repo) inWorkTree(path string) (string, error) {
	if path == "" || strings.ContainsRune(path, 0) {
		return "", &FileError{Path: path, Reason: "is no file name"}
	}
	full := path
	if !filepath.IsAbs(full) {
		full = filepath.Join(r.dir, path)
	}
	dir, err := filepath.EvalSymlinks(filepath.Dir(full))
	if err != nil {
		return "", &FileError{Path: path, Reason: "does not exist"}
	}
	top, err := filepath.EvalSymlinks(r.top)
	if err != nil {
		return "", fmt.Errorf("find the work tree: %w", err)
	}
	full = filepath.Join(dir, filepath.Base(full))
	rel, err := filepath.Rel(top, full)
	if err != nil || !filepath.IsLocal(rel) {
		return "", &FileError{Path: path, Reason: "is outside the work tree"}
	}
	isGits := func(part string) bool { return strings.EqualFold(part, ".git") }
	if slices.ContainsFunc(strings.Split(filepath.ToSlash(rel), "/"), isGits) {
		return "", &FileError{Path: path, Reason: "is inside a git directory"}
	}
	return filepath.ToSlash(rel), isFile(path, full)
}

// isFile returns an error unless this is a file; path is the user's name of it.
func isFile(path, full string) error {
	info, err := os.Lstat(full)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return &FileError{Path: path, Reason: "does not exist"}
	case errors.Is(err, os.ErrPermission):
		return unreadableError(path, "permission denied")
	case err != nil:
		return fmt.Errorf("look at %q: %w", path, err)
	case info.IsDir():
		return &FileError{Path: path, Reason: "is a directory: name a file"}
	case !info.Mode().IsRegular() && info.Mode()&os.ModeSymlink == 0:
		return &FileError{Path: path, Reason: "is no regular file"}
	}
	return nil
}
