package gh

import (
	"context"
	"fmt"
	"net/http"
	"strconv"

	"github.com/google/go-github/v62/github"
)

// treeEntry is a file, a directory, a link or a submodule of a commit.
type treeEntry struct {
	mode uint32
	oid  string
	size int
}

// tree reads all entries of a commit, by path. Whole is false where GitHub cuts
// the list.
func (c *Client) tree(ctx context.Context, what, sha string) (entries map[string]treeEntry, whole bool, err error) {
	var reply github.Tree
	if _, err := c.send(ctx, call{what: what, method: http.MethodGet, path: c.repo("git/trees/%s?recursive=1", sha)}, &reply); err != nil {
		return nil, false, err
	}
	entries = make(map[string]treeEntry, len(reply.Entries))
	for _, e := range reply.Entries {
		mode, err := strconv.ParseUint(e.GetMode(), 8, 32)
		if err != nil || e.GetPath() == "" {
			return nil, false, &UnavailableError{What: what, Err: fmt.Errorf("the tree of %.12s cannot be read", sha)}
		}
		entries[e.GetPath()] = treeEntry{mode: uint32(mode), oid: e.GetSHA(), size: e.GetSize()}
	}
	return entries, !reply.GetTruncated(), nil
}
