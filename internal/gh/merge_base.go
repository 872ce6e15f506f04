package gh

import (
	"context"
	"fmt"

	"github.com/google/go-github/v62/github"
)

// MergeBase is the commit from which a head goes on, as it stands to the tip of a branch. It is
// another one once the branch has some of the commits of the head.
func (r *Reader) MergeBase(ctx context.Context, baseTip, head string) (string, error) {
	what := fmt.Sprintf("find where %.12s left the base", head)
	if err := commitIDs(what, baseTip, head); err != nil {
		return "", err
	}
	compared, err := send(ctx, r.sender, request{what: what}, func(ctx context.Context, api api) (*github.CommitsComparison, *github.Response, error) {
		return api.Repositories.CompareCommits(ctx, api.owner, api.name, baseTip, head, &github.ListOptions{Page: 1, PerPage: 1})
	})
	if err != nil {
		return "", err
	}
	base := compared.GetMergeBaseCommit().GetSHA()
	if err := commitIDs("the merge base is missing", base); err != nil {
		return "", &UnavailableError{What: what, Err: err}
	}
	return base, nil
}
