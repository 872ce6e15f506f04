package gitrepo

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"sort"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/patch"
	"github.com/prdebate/debate/internal/policy"
)

// Snapshot is a frozen change. Close it when done: until then it may hold a
// process and a temporary directory.
type Snapshot struct {
	// Scope is spelt uncommitted, commit:ID, base:BRANCH,
	// range:ID..ID, file:PATH or snippet.
	Scope string
	// Notes tell more about the scope, one line each, the most important first.
	Notes []string
	// BaseSHA is the first commit of the change: the merge base, the first parent, or
	// HEAD; "" if there is none.
	BaseSHA string
	// HeadSHA is the last commit of the change, "" if this is the work tree or no
	// commit.
	HeadSHA string
	// PolicySHA is the commit with the policy and configuration in force: the tip of
	// the base side; "" if there is none.
	PolicySHA string
	// Change is the difference, with its files. Its functions work until Close, and
	// while the context given to Repo.Snapshot lives.
	Change patch.Change
	// Hash is the SHA-256, in hex, over the kind of scope, the ids of both sides and
	// the text of the difference.
	Hash string

	shadow  *shadow
	objects *objects
	tree    *Tree
	failure error
}

// Close ends the process and deletes the temporary files of the snapshot. It returns
// the first error in Change.Blob or Change.BaseHas.
func (s *Snapshot) Close() error {
	if s.shadow == nil {
		return nil
	}
	err := s.objects.close()
	s.shadow.remove()
	s.shadow = nil
	return cmp.Or(s.failure, err)
}

// Top is the work tree of its repository, "" if there is none.
func (s *Snapshot) Top() string {
	if s.shadow == nil {
		return ""
	}
	return s.shadow.repo.top
}

// Err returns the first error in Change.Blob or Change.BaseHas.
func (s *Snapshot) Err() error { return s.failure }

// Snapshot freezes the change in a scope. It writes nothing in the repository or its
// work tree. The context must live as long as the snapshot is read.
//
// The errors are of this package, each with advice. An empty change is no error: its
// Set has no files.
func (r *Repo) Snapshot(ctx context.Context, scope Scope) (*Snapshot, error) {
	shadow, err := r.newShadow()
	if err != nil {
		return nil, err
	}
	t := &builder{repo: r, shadow: shadow, objects: shadow.objects(ctx)}
	snapshot, err := t.take(ctx, scope)
	if err != nil {
		_ = t.objects.close()
		shadow.remove()
		return nil, err
	}
	return snapshot, nil
}

// PolicyFiles reads files of a commit: policy and configuration come from the base side,
// never from the change. sha is a full commit id (Snapshot.PolicySHA), "" of no commit; paths
// are relative to the top of the repository. A missing file is nil. For one
// that is no regular file or over 1 MiB it returns a FileError together with the others. A nil
// Repo has no files.
func (r *Repo) PolicyFiles(ctx context.Context, sha string, paths []string) (map[string][]byte, error) {
	if r == nil || sha == "" {
		return nil, nil
	}
	shadow, err := r.newShadow()
	if err != nil {
		return nil, err
	}
	defer shadow.remove()
	store := shadow.objects(ctx)
	defer store.close()
	return store.policyFiles(sha, paths)
}

// PolicyFiles reads files of the base side, as Repo.PolicyFiles does.
func (s *Snapshot) PolicyFiles(_ context.Context, paths []string) (map[string][]byte, error) {
	if s.PolicySHA == "" {
		return nil, nil
	}
	return s.objects.policyFiles(s.PolicySHA, paths)
}

func (o *objects) policyFiles(sha string, paths []string) (map[string][]byte, error) {
	c, err := o.commit(sha)
	if err != nil {
		return nil, err
	}
	found := make(map[string][]byte)
	var wrong []error
	for _, path := range paths {
		entry, err := o.lookup(c.tree, path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return nil, o.missingError("", err)
		case entry.mode&patch.TypeMask == patch.TypeSymlink:
			wrong = append(wrong, &FileError{Path: path, Reason: "is a symbolic link at the base, and links are not followed: make it a regular file"})
			continue
		case entry.mode&patch.TypeMask != patch.TypeRegular:
			wrong = append(wrong, &FileError{Path: path, Reason: "is a directory or a submodule at the base: make it a regular file"})
			continue
		}
		switch found[path], err = o.read(entry.id, "blob", policyLimit); {
		case errors.Is(err, errTooLarge):
			wrong = append(wrong, &FileError{Path: path, Reason: "is over 1 MiB at the base: make it smaller"})
		case err != nil:
			return nil, o.missingError(entry.id, err)
		}
	}
	return found, errors.Join(wrong...)
}

// builder is an unfinished snapshot.
type builder struct {
	repo    *Repo
	shadow  *shadow
	objects *objects
}

// sides are the two trees of a change and the notes about them.
type sides struct {
	scope              string
	notes              []string
	base, head, policy string // commits, "" if there is none
	baseTree, headTree string
}

func (t *builder) take(ctx context.Context, scope Scope) (*Snapshot, error) {
	find := map[ScopeKind]func(context.Context, Scope) (sides, error){
		Default: t.defaultSides, Base: t.baseSides, Commit: t.commitSides,
		Range: t.rangeSides, Uncommitted: t.uncommittedSides, File: t.fileSides,
	}[scope.Kind]
	if find == nil {
		return nil, requestError("scope %q: there is no such scope", scope.Kind)
	}
	at, err := find(ctx, scope)
	if isUnknown(err) {
		if _, born, _ := t.repo.Head(ctx); !born {
			err = requestError("the scope %q needs a commit and the current branch has none yet: commit first, or use --uncommitted", scope.Kind)
		}
	}
	if err != nil {
		return nil, err
	}
	return t.snapshotOf(ctx, scope.Kind, at)
}

// snapshotOf returns the change from one side to the other.
func (t *builder) snapshotOf(ctx context.Context, kind ScopeKind, at sides) (*Snapshot, error) {
	d, err := t.shadow.diff(ctx, at.baseTree, at.headTree)
	if err != nil {
		return nil, err
	}
	listing, err := patch.ParseListing(d.raw, d.numstat)
	if err != nil {
		return nil, fmt.Errorf("read the listing of git diff-tree: %w", err)
	}
	set := patch.Parse(d.text, listing)
	if err := t.findLargeText(at, set); err != nil {
		return nil, err
	}
	s := &Snapshot{
		Scope: at.scope, Notes: at.notes, BaseSHA: at.base, HeadSHA: at.head, PolicySHA: at.policy,
		Hash:   hash(string(kind), []string{at.base, at.head, at.baseTree, at.headTree}, d.text),
		shadow: t.shadow, objects: t.objects,
		tree: &Tree{objects: t.objects, shadow: t.shadow, base: at.baseTree, head: at.headTree},
	}
	s.Change = patch.Change{
		Set: set,
		Blob: func(path string, side debate.Side) ([]byte, bool) {
			if side == debate.Left {
				return s.blob(at.baseTree, path)
			}
			return s.blob(at.headTree, path)
		},
		Search: func(names []string) ([]patch.Use, patch.Reach) { return s.search(ctx, at.headTree, names) },
		BaseHas: func(path string) bool {
			_, err := s.objects.lookup(at.baseTree, path)
			s.note(err)
			return err == nil
		},
		BaseNames:   func(dir string) ([]string, bool) { return s.names(at.baseTree, dir, patch.TypeRegular) },
		BaseFolders: func(dir string) ([]string, bool) { return s.names(at.baseTree, dir, patch.TypeDirectory) },
	}
	set.Decode(s.Change.Blob)
	set.Unfold(s.Change.Blob, policy.TakesEffect)
	return s, nil
}

// names returns the names of one kind of entries in a directory below a tree; all is
// true if it can be read.
func (s *Snapshot) names(tree, dir string, mode uint32) (names []string, all bool) {
	entry, err := s.objects.lookup(tree, dir)
	s.note(err)
	if entry.mode != patch.TypeDirectory {
		return nil, err == nil || errors.Is(err, fs.ErrNotExist)
	}
	entries, err := s.objects.tree(entry.id)
	s.note(err)
	for name, e := range entries {
		if e.mode&patch.TypeMask == mode {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	return names, err == nil
}

// blob reads a regular file below a tree.
func (s *Snapshot) blob(tree, path string) ([]byte, bool) {
	entry, err := s.objects.lookup(tree, path)
	s.note(err)
	if entry.mode&patch.TypeMask != patch.TypeRegular {
		return nil, false
	}
	content, err := s.objects.read(entry.id, "blob", blobLimit)
	s.note(err)
	if err != nil {
		return nil, false
	}
	return content, true
}

// note keeps the first error other than a missing file.
func (s *Snapshot) note(err error) {
	if s.failure == nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, errTooLarge) {
		s.failure = s.objects.missingError("", err)
	}
}

// hash is over length-prefixed parts, so no two changes share their bytes.
func hash(kind string, ids []string, text []byte) string {
	h := sha256.New()
	for _, part := range append([]string{kind}, ids...) {
		fmt.Fprintf(h, "%d %s\n", len(part), part)
	}
	fmt.Fprintf(h, "%d\n", len(text))
	h.Write(text)
	return hex.EncodeToString(h.Sum(nil))
}
