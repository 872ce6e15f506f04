package gh

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/google/go-github/v62/github"

	"github.com/prdebate/debate/internal/debate"
)

// Permission reads what an account may do in the repository, and whether it is a
// bot. The role counts where the API names it, as the older field calls a
// maintainer a writer. An account that GitHub does not know here may do nothing.
// What was asked once is remembered for the life of the client.
func (c *Client) Permission(ctx context.Context, login string) (debate.Permission, bool, error) {
	if !loginName.MatchString(login) {
		return debate.NoPermission, false, nil
	}
	c.mu.Lock()
	known, ok := c.access[login]
	c.mu.Unlock()
	if ok {
		return known.permission, known.bot, nil
	}
	var reply struct {
		Permission string
		RoleName   string `json:"role_name"`
		User       *github.User
	}
	_, err := c.send(ctx, call{
		what: "read the permission of " + login, method: http.MethodGet,
		path: c.repo("collaborators/%s/permission", url.PathEscape(login)),
	}, &reply)
	var missing *NotFoundError
	if err != nil && !errors.As(err, &missing) {
		return debate.NoPermission, false, err
	}
	known = access{permission: permission(reply.Permission, reply.RoleName), bot: reply.User.GetType() == "Bot" || strings.HasSuffix(login, "[bot]")}
	c.mu.Lock()
	c.access[login] = known
	c.mu.Unlock()
	return known.permission, known.bot, nil
}

// permission is the level of a role; that of a role which an organisation made up
// is the older field, which names the role it is built on.
func permission(level, role string) debate.Permission {
	for _, name := range []string{role, level} {
		switch p := debate.Permission(name); p {
		case debate.ReadAccess, debate.TriageAccess, debate.WriteAccess, debate.MaintainRole, debate.AdminRole:
			return p
		}
	}
	return debate.NoPermission
}
