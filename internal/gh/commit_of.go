package gh

import (
	"context"
	"errors"

	"github.com/google/go-github/v62/github"
)

// CommitOf returns the full commit id of a reference: heads/NAME for a branch,
// tags/NAME for a tag, or the beginning of an id.
func (r *Reader) CommitOf(ctx context.Context, ref string) (sha string, err error) {
	what := "find the commit of " + ref
	sha, err = send(ctx, r.sender, request{what: what}, func(ctx context.Context, api api) (string, *github.Response, error) {
		commit, resp, err := api.Repositories.GetCommit(ctx, api.owner, api.name, ref, &github.ListOptions{PerPage: 1}) // one of its files
		return commit.GetSHA(), resp, err
	})
	if err != nil {
		return "", err
	}
	if !objectID().MatchString(sha) {
		return "", &UnavailableError{What: what, Err: errors.New("GitHub names no commit")}
	}
	return sha, nil
}
