package gh

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/google/go-github/v62/github"
)

// maxInstalledPages limits the lists of installations and of the repositories of one to
// 10,000 entries each.
const maxInstalledPages = 100

// Installation is an account with an installed App, on some or all of its repositories.
type Installation struct {
	ID          int64
	Account     string // login
	AccountID   int64  // does not change if the account is renamed
	OfUser      bool   // and not of an organisation
	URL         string // of the page to change it
	Suspended   bool   // it gives out no tokens
	Permissions map[string]string
	Events      []string
}

type wireInstallation struct {
	ID          int64
	Account     wireOwner
	HTMLURL     string     `json:"html_url"`
	SuspendedAt *time.Time `json:"suspended_at"`
	Permissions map[string]string
	Events      []string
}

func (w *wireInstallation) installation() Installation {
	in := Installation{ID: w.ID, AccountID: w.Account.ID, URL: w.HTMLURL, Suspended: w.SuspendedAt != nil, Permissions: w.Permissions, Events: w.Events}
	in.Account, in.OfUser = w.Account.account()
	return in
}

// Installation reads one installation. It returns a *NotFoundError if it was removed.
func (a *App) Installation(ctx context.Context, id int64) (Installation, error) {
	w, err := ask[wireInstallation](ctx, a, fmt.Sprintf("read installation %d of the App", id), "app/installations/"+strconv.FormatInt(id, 10))
	if err != nil {
		return Installation{}, err
	}
	return w.installation(), nil
}

// Installations lists the installations of the App, including suspended ones. More is
// true if there are more than 10,000.
func (a *App) Installations(ctx context.Context) (all []Installation, more bool, err error) {
	const what = "list the installations of the App"
	wires, more, err := pages(ctx, a.sender, what, maxInstalledPages, func(ctx context.Context, api api, at github.ListOptions) ([]*wireInstallation, *github.Response, error) {
		req, err := api.NewRequest(http.MethodGet, fmt.Sprintf("app/installations?page=%d&per_page=%d", max(at.Page, 1), at.PerPage), nil)
		if err != nil {
			return nil, nil, err
		}
		var part []*wireInstallation
		resp, err := api.Do(ctx, req, &part)
		return part, resp, a.refused(err)
	})
	for _, w := range wires {
		all = append(all, w.installation())
	}
	return all, more, err
}

// Repositories lists the repositories of an installation. More is true if there are
// more than 10,000. It returns a *SignInError if the installation is suspended or
// removed.
func (a *App) Repositories(ctx context.Context, installation int64) (all []InstalledRepo, more bool, err error) {
	what := fmt.Sprintf("list the repositories of installation %d", installation)
	at, full := scope{installation: installation}, fmt.Sprintf("the repositories of installation %d", installation)
	lister, err := newSender(a.options, func(ctx context.Context, refused string) (string, error) {
		g, err := a.grant(ctx, at, full, refused)
		return g.token, err
	})
	if err != nil {
		return nil, false, err
	}
	found, more, err := pages(ctx, lister, what, maxInstalledPages, func(ctx context.Context, api api, at github.ListOptions) ([]*github.Repository, *github.Response, error) {
		part, resp, err := api.Apps.ListRepos(ctx, &at)
		if err != nil {
			return nil, resp, err
		}
		return part.Repositories, resp, nil
	})
	for _, r := range found {
		all = append(all, InstalledRepo{Installation: installation, ID: r.GetID(), Owner: r.GetOwner().GetLogin(), Name: r.GetName()})
	}
	return all, more, err
}
