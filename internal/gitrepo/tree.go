package gitrepo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"sort"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/patch"
)

// Tree is both sides of a snapshot, for reviewers that look at files. It works until
// the snapshot is closed and is not safe for concurrent use. A failed look is an answer
// and does not stop the review.
type Tree struct {
	objects    *objects
	shadow     *shadow
	base, head string // ids of trees
}

// Tree returns the sides of the snapshot; nil without a repository.
func (s *Snapshot) Tree() *Tree { return s.tree }

// Fetch does nothing: all files are local.
func (t *Tree) Fetch(context.Context, []debate.Look) {}

// Lacks is always false: a look reaches all of a side.
func (t *Tree) Lacks(debate.LookKind, debate.Side) bool { return false }

// Name returns the id of the tree of a side.
func (t *Tree) Name(side debate.Side) string {
	if side == debate.Left {
		return t.base
	}
	return t.head
}

// Read returns a regular file of at most 4 MiB, or why there is none.
func (t *Tree) Read(path string, side debate.Side) ([]byte, debate.Withheld) {
	entry, why := t.entry(path, side)
	if why != "" {
		return nil, why
	}
	if why := patch.Withheld(entry.mode); why != "" {
		return nil, why
	}
	content, err := t.objects.read(entry.id, "blob", blobLimit)
	switch {
	case errors.Is(err, errTooLarge):
		return nil, debate.LookTooLarge
	case err != nil:
		return nil, debate.LookUnreadable
	}
	return content, ""
}

func (t *Tree) entry(path string, side debate.Side) (treeEntry, debate.Withheld) {
	entry, err := t.objects.lookup(t.Name(side), path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return entry, debate.LookMissing
	case err != nil:
		return entry, debate.LookUnreadable
	}
	return entry, ""
}

// List returns the names in a directory, "" for the top, sorted. Those of directories
// end with a slash.
func (t *Tree) List(path string, side debate.Side) ([]string, debate.Withheld) {
	at := treeEntry{mode: patch.TypeDirectory, id: t.Name(side)}
	if path != "" {
		var why debate.Withheld
		if at, why = t.entry(path, side); why != "" {
			return nil, why
		}
	}
	if why := patch.Unlisted(at.mode); why != "" {
		return nil, why
	}
	entries, err := t.objects.tree(at.id)
	if err != nil {
		return nil, debate.LookUnreadable
	}
	names := make([]string, 0, len(entries))
	for name, e := range entries {
		if e.mode&patch.TypeMask == patch.TypeDirectory {
			name += "/"
		}
		names = append(names, name)
	}
	sort.Strings(names)
	return names, ""
}

// Files returns the sorted paths of the regular files with a text; all of them for "".
// Paths that match no glob may be missing, and so may paths not found before ctx ends.
func (t *Tree) Files(ctx context.Context, side debate.Side, holding string, globs []string) ([]string, error) {
	if holding == "" {
		out, err := t.shadow.run(ctx, nil, listingLimit, "ls-tree", "-r", "-z", "--full-tree", t.Name(side))
		if err != nil {
			return nil, err
		}
		return regularFiles(out.stdout), nil
	}
	args := []string{"grep", "-I", "-l", "-z", "-F", "--no-color", "--no-textconv", "--full-name", "-e", holding, t.Name(side), "--"}
	out, err := t.shadow.run(ctx, nil, listingLimit, append(args, pathspecs(globs)...)...)
	if isNothingFound(out, err) {
		return nil, nil
	}
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	var paths []string
	for name := range strings.SplitSeq(string(out.stdout), "\x00") {
		if path, ok := strings.CutPrefix(name, t.Name(side)+":"); ok {
			paths = append(paths, path)
		}
	}
	sort.Strings(paths)
	return paths, err
}

// pathspecs returns globs in git's syntax; none if git would read one of them
// differently.
func pathspecs(globs []string) []string {
	var specs []string
	for _, g := range globs {
		if g == "" || strings.ContainsAny(g, `{}[]?\`) {
			return nil
		}
		specs = append(specs, ":(top,glob)"+g)
	}
	return specs
}

// regularFiles reads NUL-terminated entries of MODE blob ID, a tab and the path.
func regularFiles(listing []byte) []string {
	var paths []string
	for entry := range bytes.SplitSeq(listing, nul) {
		facts, path, ok := bytes.Cut(entry, []byte("\t"))
		if ok && bytes.HasPrefix(facts, []byte("100")) {
			paths = append(paths, string(path))
		}
	}
	sort.Strings(paths)
	return paths
}

// maxWrittenFile is the maximum size in bytes of a file written to disk.
const maxWrittenFile = 256 << 20

// Each calls take for the wanted regular files and links of a side, with their modes
// and contents. It skips submodules.
func (t *Tree) Each(ctx context.Context, side debate.Side, wanted func(path string) bool, take func(path string, mode uint32, content []byte) error) error {
	var directory func(at, id string) error
	directory = func(at, id string) error {
		entries, err := t.objects.tree(id)
		if err != nil {
			return err
		}
		for name, e := range entries {
			plain := name != "" && name != "." && name != ".." && !strings.ContainsAny(name, "/\x00")
			name := path.Join(at, name)
			switch {
			case ctx.Err() != nil:
				return ctx.Err()
			case !plain, !wanted(name), e.mode&patch.TypeMask == patch.TypeSubmodule:
				continue
			case e.mode&patch.TypeMask == patch.TypeDirectory:
				if err := directory(name, e.id); err != nil {
					return err
				}
				continue
			}
			content, err := t.objects.read(e.id, "blob", maxWrittenFile)
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			if err := take(name, e.mode, content); err != nil {
				return err
			}
		}
		return nil
	}
	return directory("", t.Name(side))
}
