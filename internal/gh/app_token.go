package gh

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"sync"
	"time"

	"github.com/google/go-github/v62/github"
)

// InstalledRepo is a repository as an installation of the App sees it.
type InstalledRepo struct {
	Installation, ID int64
	Owner, Name      string
}

// renewBefore is how long before its end a token is renewed. A request must arrive in
// time even if the clocks differ a little.
const renewBefore = 5 * time.Minute

// tokenPermissions are the permissions of the client of a repository.
var tokenPermissions = map[string]string{
	"metadata": "read", "contents": "read", "pull_requests": "write", "issues": "write", "checks": "write",
}

// scope is the target of a token: one repository of an installation, or, with 0, the
// list of all its repositories.
type scope struct{ installation, repository int64 }

// permissions returns the permissions of a token.
func (at scope) permissions() map[string]string {
	if at.repository == 0 {
		return map[string]string{"metadata": "read"}
	}
	return tokenPermissions
}

// grant is the token of a scope.
type grant struct {
	token       string
	until       time.Time // when to renew it
	owner, name string    // of the repository, as GitHub said when it gave the token
	ownerID     int64
}

// holder keeps the grant of a scope. It is locked while a caller reads or renews it.
type holder struct {
	sync.Mutex
	grant grant
}

// Client returns a client for one repository of an installation. Its token is for this
// repository only, has the permissions that a review needs, and renews itself. A
// renamed repository is found by its id. Settings is as in Options. It returns a
// *SignInError if the installation gives no such token.
func (a *App) Client(ctx context.Context, in InstalledRepo, settings string) (*Client, error) {
	full := oneLine(in.Owner + "/" + in.Name)
	if in.Installation <= 0 || in.ID <= 0 { // else the token would be for all repositories
		return nil, fmt.Errorf("sign in to %s: installation %d and repository %d are not both ids", full, in.Installation, in.ID)
	}
	at := scope{in.Installation, in.ID}
	first, err := a.grant(ctx, at, full, "")
	if err != nil {
		return nil, fmt.Errorf("sign in to %s: %w", full, err)
	}
	o := a.options
	o.Owner, o.Repo, o.Settings = cmp.Or(first.owner, in.Owner), cmp.Or(first.name, in.Name), settings
	if a.budget != nil {
		o.Budget = func(resource string, left int) { a.budget(in.Installation, resource, left) }
	}
	client, err := newClient(o, func(ctx context.Context, refused string) (string, error) {
		g, err := a.grant(ctx, at, full, refused)
		return g.token, err
	})
	if err == nil {
		client.OwnerID = first.ownerID
	}
	return client, err
}

// grant returns the token of a scope. The name full is for errors. Refused is a token
// that GitHub just rejected, or "".
func (a *App) grant(ctx context.Context, at scope, full, refused string) (grant, error) {
	a.mu.Lock()
	h := a.holders[at]
	if h == nil { // those with expired grants go, so there are as many as repositories used in the last hour
		maps.DeleteFunc(a.holders, func(_ scope, old *holder) bool {
			isFree := old.TryLock()
			if isFree {
				defer old.Unlock()
			}
			return isFree && !a.options.Now().Before(old.grant.until)
		})
		h = &holder{}
		a.holders[at] = h
	}
	a.mu.Unlock()
	h.Lock()
	defer h.Unlock()
	// Before the first renewal the grant is empty and expired.
	if h.grant.token != refused && a.options.Now().Before(h.grant.until) {
		return h.grant, nil
	}
	renewed, err := a.renew(ctx, at)
	if err != nil {
		return grant{}, a.explain(ctx, at, full, err)
	}
	h.grant = renewed
	return renewed, nil
}

// renew asks an installation for a new token. This changes nothing at GitHub, so it is
// retried like a read.
func (a *App) renew(ctx context.Context, at scope) (grant, error) {
	what, p := fmt.Sprintf("get a token of installation %d", at.installation), at.permissions()
	wanted := &github.InstallationTokenOptions{Permissions: &github.InstallationPermissions{
		Metadata: set(p["metadata"]), Contents: set(p["contents"]), PullRequests: set(p["pull_requests"]), Issues: set(p["issues"]), Checks: set(p["checks"]),
	}}
	if at.repository != 0 {
		wanted.RepositoryIDs = []int64{at.repository}
	}
	got, err := send(ctx, a.sender, request{what: what}, func(ctx context.Context, api api) (*github.InstallationToken, *github.Response, error) {
		got, resp, err := api.Apps.CreateInstallationToken(ctx, at.installation, wanted)
		return got, resp, a.refused(err)
	})
	if err != nil {
		return grant{}, err
	}
	g := grant{token: got.GetToken(), until: got.GetExpiresAt().Add(-renewBefore)}
	if g.token == "" {
		return grant{}, &UnavailableError{What: what, Err: errors.New("the answer holds no token")}
	}
	if at.repository == 0 {
		return g, nil
	}
	for _, r := range got.Repositories {
		if r.GetID() != at.repository {
			return grant{}, fmt.Errorf("%s: it is for other repositories than the one that was asked for", what)
		}
		g.owner, g.name, g.ownerID = r.GetOwner().GetLogin(), r.GetName(), r.GetOwner().GetID()
	}
	return g, nil
}
