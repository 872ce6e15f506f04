package gitrepo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
)

// FromFiles makes a snapshot of a patch applied to some files, as if they were the
// whole repository at the base. Paths are relative to its top, with slashes. It reads
// and writes no repository. The context must live as long as the snapshot is read.
//
// The errors are GitMissingError, GitTooOldError, LimitError, a FileError for a path
// that no repository can hold, and a PatchError for a patch that does not fit the
// files.
func FromFiles(ctx context.Context, files map[string][]byte, patch []byte) (*Snapshot, error) {
	if len(patch) > diffLimit {
		return nil, &LimitError{What: "patch", Limit: diffLimit, Unit: "bytes", Do: "split it"}
	}
	stream, err := importOf(files)
	if err != nil {
		return nil, err
	}
	git, err := findGit(ctx)
	if err != nil {
		return nil, err
	}
	repo := &Repo{git: git, format: objectFormats["sha1"]}
	shadow, err := repo.newShadow()
	if err != nil {
		return nil, err
	}
	t := &taking{repo: repo, shadow: shadow, objects: shadow.objects(ctx)}
	at, err := t.plantedSides(ctx, stream, patch)
	if err != nil {
		shadow.remove()
		return nil, err
	}
	snapshot, err := t.between(ctx, Patch, at)
	if err != nil {
		_ = t.objects.close()
		shadow.remove()
	}
	return snapshot, err
}

// importOf is a commit of some files as git fast-import reads it.
func importOf(files map[string][]byte) ([]byte, error) {
	var b bytes.Buffer
	total := 0
	b.WriteString("commit refs/heads/frozen\ncommitter - <> 0 +0000\ndata 0\n")
	for _, path := range slices.Sorted(maps.Keys(files)) {
		isGits := func(part string) bool { return strings.EqualFold(part, ".git") }
		if !fs.ValidPath(path) || path == "." || slices.ContainsFunc(strings.Split(path, "/"), isGits) {
			return nil, &FileError{Path: path, Reason: "is no path of a repository"}
		}
		if total += len(files[path]); total > frozenLimit {
			return nil, &LimitError{What: "files", Limit: frozenLimit, Unit: "bytes", Do: "leave out large ones"}
		}
		fmt.Fprintf(&b, "M 100644 inline %s\ndata %d\n", quoteC(path), len(files[path]))
		b.Write(files[path])
		b.WriteByte('\n')
	}
	return b.Bytes(), nil
}

// plantedSides writes the files of a stream as the base, and the patched files as the
// head.
func (t *taking) plantedSides(ctx context.Context, stream, patch []byte) (sides, error) {
	const branch = "refs/heads/frozen"
	if _, err := t.shadow.run(ctx, bytes.NewReader(stream), listingLimit, "fast-import", "--quiet"); err != nil {
		return sides{}, err
	}
	base, err := t.shadow.run(ctx, nil, listingLimit, "rev-parse", "--verify", branch+"^{tree}")
	if err != nil {
		return sides{}, err
	}
	at := sides{scope: "snippet", baseTree: strings.TrimSpace(string(base.stdout))}
	if _, err := t.shadow.run(ctx, nil, listingLimit, "read-tree", at.baseTree); err != nil {
		return sides{}, err
	}
	_, err = t.shadow.run(ctx, bytes.NewReader(patch), listingLimit, "apply", "--cached", "--whitespace=nowarn", "-")
	var failed *CommandError
	if errors.As(err, &failed) {
		return sides{}, &PatchError{Reason: failed.Message}
	}
	if err != nil {
		return sides{}, err
	}
	head, err := t.shadow.writeTree(ctx, false)
	at.headTree = head.tree
	return at, err
}
