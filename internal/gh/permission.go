package gh

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/google/go-github/v62/github"

	"github.com/prdebate/debate/internal/debate"
)

// accessLevel adds to go-github's type the role, which that lacks.
type accessLevel struct {
	github.RepositoryPermissionLevel
	RoleName string `json:"role_name"`
}

// Permission reads what an account may do in the repository, and whether it is a
// bot. The role counts where the API names it, as the older field calls a
// maintainer a writer. An account that GitHub does not know here may do nothing.
// What was asked once is remembered for the life of the client.
func (r *Reader) Permission(ctx context.Context, login string) (debate.Permission, bool, error) {
	if !loginName().MatchString(login) {
		return debate.NoPermission, false, nil
	}
	r.mu.Lock()
	known, ok := r.access[login]
	r.mu.Unlock()
	if ok {
		return known.permission, known.bot, nil
	}
	level, err := send(ctx, r.sender, request{what: "read the permission of " + login}, func(ctx context.Context, api api) (level accessLevel, resp *github.Response, err error) {
		req, err := api.NewRequest(http.MethodGet, fmt.Sprintf("repos/%s/%s/collaborators/%s/permission", api.owner, api.name, url.PathEscape(login)), nil)
		if err != nil {
			return level, nil, err
		}
		resp, err = api.Do(ctx, req, &level)
		return level, resp, err
	})
	if err != nil && !errors.As(err, new(*NotFoundError)) {
		return debate.NoPermission, false, err
	}
	known = access{permission: level.permission(), bot: level.GetUser().GetType() == "Bot" || strings.HasSuffix(login, "[bot]")}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.access[login] = known
	return known.permission, known.bot, nil
}

// permission is the level of a role; that of a role which an organisation made up
// is the older field, which names the role it is built on.
func (l *accessLevel) permission() debate.Permission {
	for _, name := range []string{l.RoleName, l.GetPermission()} {
		switch p := debate.Permission(name); p {
		case debate.ReadAccess, debate.TriageAccess, debate.WriteAccess, debate.MaintainRole, debate.AdminRole:
			return p
		}
	}
	return debate.NoPermission
}
