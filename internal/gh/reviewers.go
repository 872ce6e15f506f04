package gh

import (
	"context"
	"fmt"

	"github.com/google/go-github/v62/github"
)

// Reviewers lists the requested reviewers without a review so far: people and bots, no
// teams, in GitHub's order.
func (r *Reader) Reviewers(ctx context.Context, number int) ([]Account, error) {
	what := fmt.Sprintf("read who was asked to review pull request #%d", number)
	asked, err := send(ctx, r.sender, request{what: what}, func(ctx context.Context, api api) (*github.Reviewers, *github.Response, error) {
		return api.PullRequests.ListReviewers(ctx, api.owner, api.name, number, nil)
	})
	if err != nil {
		return nil, err
	}
	var list []Account
	for _, u := range asked.Users {
		list = append(list, Account{Login: u.GetLogin(), Bot: u.GetType() == "Bot"})
	}
	return list, nil
}
