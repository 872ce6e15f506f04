package gh

import (
	"context"
	"fmt"
	"strconv"

	"github.com/google/go-github/v62/github"
)

// treeEntry is a file, a directory, a link or a submodule of a commit.
type treeEntry struct {
	mode uint32
	oid  string
	size int
}

// tree reads the entries of a commit or a folder by path, and those in its folders if
// recursive. Whole is false if GitHub cut the list.
func (r *Reader) tree(ctx context.Context, what, sha string, recursive bool) (entries map[string]treeEntry, whole bool, err error) {
	tree, err := send(ctx, r.sender, request{what: what}, func(ctx context.Context, api api) (*github.Tree, *github.Response, error) {
		return api.Git.GetTree(ctx, api.owner, api.name, sha, recursive)
	})
	if err != nil {
		return nil, false, err
	}
	entries = make(map[string]treeEntry, len(tree.Entries))
	for _, e := range tree.Entries {
		mode, err := strconv.ParseUint(e.GetMode(), 8, 32)
		if err != nil || e.GetPath() == "" {
			return nil, false, &UnavailableError{What: what, Err: fmt.Errorf("the tree of %.12s cannot be read", sha)}
		}
		entries[e.GetPath()] = treeEntry{mode: uint32(mode), oid: e.GetSHA(), size: e.GetSize()}
	}
	return entries, !tree.GetTruncated(), nil
}
