package gh

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/google/go-github/v62/github"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
)

// accessLevel adds the role, which go-github's type lacks.
type accessLevel struct {
	github.RepositoryPermissionLevel
	RoleName string `json:"role_name"`
}

// Permission reads the permission of an account in the repository, and whether it is a
// bot. The role counts if the API names one, since the older field calls a maintainer a
// writer. An unknown account has no permission.
func (r *Reader) Permission(ctx context.Context, login string) (debate.Permission, bool, error) {
	if !loginName().MatchString(login) {
		return debate.NoPermission, false, nil
	}
	level, err := send(ctx, r.sender, request{what: "read the permission of " + login}, func(ctx context.Context, api api) (accessLevel, *github.Response, error) {
		path := fmt.Sprintf("repos/%s/%s/collaborators/%s/permission", api.owner, api.name, url.PathEscape(login))
		return do[accessLevel](ctx, api, http.MethodGet, path, nil)
	})
	if err != nil && !errors.As(err, new(*NotFoundError)) {
		return debate.NoPermission, false, err
	}
	bot := level.GetUser().GetType() == "Bot" || strings.HasSuffix(login, "[bot]")
	for _, name := range []string{level.RoleName, level.GetPermission()} { // a custom role has another one under it
		switch p := debate.Permission(name); p {
		case debate.ReadAccess, debate.TriageAccess, debate.WriteAccess, debate.MaintainRole, debate.AdminRole:
			return p, bot, nil
		}
	}
	return debate.NoPermission, bot, nil
}

// pushed is one change of a branch in GitHub's list of activities, which go-github lacks.
type pushed struct {
	After string       `json:"after"` // the tip since then
	Actor *github.User `json:"actor"`
}

// Pushers lists the accounts that pushed commits of a pull request, as far as the last 100
// changes of its branch tell. A commit itself names only an author and a committer, and
// git lets you claim any address there. If the repository of the head
// is gone, the error is a *NotFoundError.
// Source: https://docs.github.com/en/rest/repos/repos#list-repository-activities
func (r *Reader) Pushers(ctx context.Context, p Pull) ([]Account, error) {
	what := fmt.Sprintf("read who pushed to pull request #%d", p.Number)
	owner, name, known := strings.Cut(p.HeadRepo, "/")
	if !known {
		return nil, &NotFoundError{What: what}
	}
	path := fmt.Sprintf("repos/%s/%s/activity?per_page=%d&ref=%s", url.PathEscape(owner), url.PathEscape(name), perPage, url.QueryEscape("refs/heads/"+p.HeadRef))
	all, err := send(ctx, r.sender, request{what: what}, func(ctx context.Context, api api) ([]pushed, *github.Response, error) {
		return do[[]pushed](ctx, api, http.MethodGet, path, nil)
	})
	var list []Account
	for _, one := range all {
		by := restAccount(one.Actor)
		made := slices.ContainsFunc(p.Commits, func(c Commit) bool { return c.SHA == one.After })
		if made && one.Actor.GetLogin() != "" && !slices.Contains(list, by) {
			list = append(list, by)
		}
	}
	return list, err
}

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
	return lists.Map(asked.Users, restAccount), nil
}
