package gh

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/bradleyfalzon/ghinstallation/v2"
	"github.com/golang-jwt/jwt/v4"
	"github.com/google/go-github/v62/github"

	"github.com/prdebate/debate/internal/lazyregexp"
)

// AppOptions name a GitHub App and its server.
type AppOptions struct {
	Options    // without token, repository and budget, which are of one installation
	ID         int64
	PrivateKey []byte // PEM, as downloaded from GitHub; never part of an error
	// BudgetOf is as Options.Budget, for each installation.
	BudgetOf func(installation int64, resource string, left int)
}

// App is a GitHub App that signs in with its private key. It is safe for concurrent
// use.
//
// A request about the App itself carries a signed JWT that lives for a few minutes. A
// request about a repository carries an installation token: it lives for an hour, is
// for this one repository, and has only the permissions that a review needs.
type App struct {
	id      int64
	options Options // of every client
	budget  func(installation int64, resource string, left int)
	sender  *sender // requests about the App itself

	mu      sync.Mutex
	holders map[scope]*holder
}

// The lifetime of a JWT. GitHub rejects one from the future and one that lives longer
// than ten minutes, by its own clock. These margins allow for a difference of the
// clocks.
const (
	jwtBefore = time.Minute
	jwtAfter  = 5 * time.Minute
)

// NewApp makes an App. It makes no request. The error is for the operator.
func NewApp(o AppOptions) (*App, error) {
	if o.ID <= 0 {
		return nil, fmt.Errorf("%d is no id of a GitHub App: the App's page shows it as App ID", o.ID)
	}
	key, err := parsePrivateKey(o.PrivateKey)
	if err != nil {
		return nil, err
	}
	a := &App{id: o.ID, budget: o.BudgetOf, holders: map[scope]*holder{}, options: o.Options}
	a.options.fill()
	if a.sender, err = newAppSender(a.options); err != nil {
		return nil, err
	}
	signer := clockSigner{ghinstallation.NewRSASigner(jwt.SigningMethodRS256, key), a.options.Now}
	// This transport is below ours, so the JWT goes only to the hosts of the API.
	a.sender.calls.base, err = ghinstallation.NewAppsTransportWithOptions(a.sender.calls.base, o.ID, ghinstallation.WithSigner(signer))
	return a, err
}

// newAppSender returns the sender for requests about Apps. It requires TLS except on
// localhost, because the answers contain keys and tokens.
func newAppSender(o Options) (*sender, error) {
	s, err := newSender(o, fixed(""))
	if err != nil {
		return nil, err
	}
	host := s.base.Hostname()
	isLocal := host == "localhost" || net.ParseIP(host).IsLoopback()
	if s.base.Scheme != "https" && !isLocal {
		return nil, fmt.Errorf("an App does not sign in to %s: it is not reached by https", s.base.Redacted())
	}
	return s, nil
}

// clockSigner signs JWTs by the clock of the options.
type clockSigner struct {
	ghinstallation.Signer
	now func() time.Time
}

// Sign replaces the times in the claims and signs them.
func (c clockSigner) Sign(claims jwt.Claims) (string, error) {
	if registered, is := claims.(*jwt.RegisteredClaims); is {
		now := c.now().Truncate(time.Second)
		registered.IssuedAt, registered.ExpiresAt = jwt.NewNumericDate(now.Add(-jwtBefore)), jwt.NewNumericDate(now.Add(jwtAfter))
	}
	return c.Signer.Sign(claims)
}

// Owner is the owner of an App, or the account of an installation.
type Owner struct {
	ID    int64 // does not change if the account is renamed
	Login string
	Type  string // "User" or "Organization"
}

// Registration is an App as registered at GitHub. Go-github's type drops permissions that
// it does not know, and Gaps reports those too.
type Registration struct {
	ID          int64
	Slug        string // in addresses; the App speaks as SLUG[bot]
	Name        string
	Owner       Owner
	URL         string            `json:"html_url"` // of its public page
	Permissions map[string]string // requested from every installation: "pull_requests": "write"
	Events      []string          // webhook events that the App subscribes to
}

// Registration reads the App from GitHub. It returns a *SignInError if GitHub rejects
// the App's key.
func (a *App) Registration(ctx context.Context) (Registration, error) {
	registration, err := ask[Registration](ctx, a, "read what GitHub knows of the App", "app")
	if errors.As(err, new(*NotFoundError)) { // every API knows the address, if not the App
		err = fmt.Errorf("%w; check the address of its API (%s)", err, addressOfAPI)
	}
	return registration, err
}

// ask makes a GET request as the App itself.
func ask[T any](ctx context.Context, a *App, what, path string) (T, error) {
	return send(ctx, a.sender, request{what: what}, func(ctx context.Context, api api) (T, *github.Response, error) {
		got, resp, err := do[T](ctx, api, http.MethodGet, path, nil)
		return got, resp, a.refused(err)
	})
}

// wrongTimes matches GitHub's answer to a JWT with wrong times.
var wrongTimes = lazyregexp.New(`'(exp|iat)'`)

// refused turns GitHub's rejection of the App's JWT into a *SignInError. It returns any
// other error unchanged.
func (a *App) refused(err error) error {
	var answer *github.ErrorResponse
	if !errors.As(err, &answer) {
		return err
	}
	id, said := strconv.FormatInt(a.id, 10), messageOf(answer)
	switch status := answer.Response.StatusCode; {
	case status == http.StatusUnauthorized && wrongTimes().MatchString(said):
		ours := a.options.Now().UTC().Format(http.TimeFormat)
		return &SignInError{
			OfApp: true, Happened: "this machine's clock says " + ours + ", and GitHub's " + cmp.Or(answer.Response.Header.Get("Date"), "another time"),
			Mend: "set this machine's clock (NTP does it by itself), then try again",
		}
	case status == http.StatusUnauthorized:
		return &SignInError{
			OfApp: true, Happened: "GitHub does not accept the private key of App " + id,
			Mend: "the key is another App's or was deleted: check the App ID, or generate a new private key on the App's page and use that",
		}
	case status == http.StatusNotFound && strings.Contains(said, "Integration not found"):
		return &SignInError{OfApp: true, Happened: "GitHub knows no App " + id, Mend: "check the App ID and the address of the API"}
	}
	return err
}

// SignInError means that GitHub does not let the App in, or not into a repository. It
// is certain: a retry fails until a person fixes the cause.
type SignInError struct {
	OfApp    bool   // the App as a whole, not only one installation
	Happened string // a sentence without its full stop
	Mend     string // the next step for a person
}

func (e *SignInError) Error() string { return e.Happened + ": " + e.Mend }

// explain finds out why an installation gives no token, since GitHub's answer rarely
// says so. It returns an error that is not a refusal unchanged.
func (a *App) explain(ctx context.Context, at scope, full string, err error) error {
	var refused *RefusedError
	if !errors.As(err, &refused) && !errors.As(err, new(*PermissionError)) && !errors.As(err, new(*NotFoundError)) {
		return err
	}
	in, lookup := a.Installation(ctx, at.installation)
	on, there := "the installation of the App on "+in.Account.Login, " at "+in.URL
	switch lacking := lackOf(at.permissions(), in.Permissions); {
	case errors.As(lookup, new(*NotFoundError)):
		return &SignInError{
			Happened: fmt.Sprintf("the App is not installed for %s any more: installation %d is gone", full, at.installation),
			Mend:     "an owner can install it again from the App's page",
		}
	case lookup != nil:
		return err
	case in.Suspended != nil:
		return &SignInError{Happened: on + " is suspended", Mend: "an owner can unsuspend it" + there}
	case len(lacking) > 0:
		return &SignInError{Happened: on + " does not grant " + enumerate(lacking), Mend: "an owner can accept the new permissions" + there}
	case refused != nil && refused.Status == http.StatusUnprocessableEntity:
		return &SignInError{Happened: on + " does not include " + full, Mend: "an owner can add the repository" + there}
	}
	return err
}

// maxInstalledPages limits the lists of installations and of the repositories of one to
// 10,000 entries each.
const maxInstalledPages = 100

// Installation is an account with an installed App, on some or all of its repositories.
type Installation struct {
	ID          int64
	Account     Owner
	URL         string     `json:"html_url"`     // of the page to change it
	Suspended   *time.Time `json:"suspended_at"` // since when it gives out no tokens, nil if it does
	Permissions map[string]string
}

// Installation reads one installation. It returns a *NotFoundError if it was removed.
func (a *App) Installation(ctx context.Context, id int64) (Installation, error) {
	return ask[Installation](ctx, a, fmt.Sprintf("read installation %d of the App", id), "app/installations/"+strconv.FormatInt(id, 10))
}

// Installations lists the installations of the App, including suspended ones. More is
// true if there are more than 10,000.
func (a *App) Installations(ctx context.Context) (all []Installation, more bool, err error) {
	const what = "list the installations of the App"
	found, more, err := pages(ctx, a.sender, what, maxInstalledPages, func(ctx context.Context, api api, at github.ListOptions) ([]*Installation, *github.Response, error) {
		path := fmt.Sprintf("app/installations?page=%d&per_page=%d", max(at.Page, 1), at.PerPage)
		part, resp, err := do[[]*Installation](ctx, api, http.MethodGet, path, nil)
		return part, resp, a.refused(err)
	})
	for _, in := range found {
		all = append(all, *in)
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

const (
	maxDeliveryPages = 20              // 2,000 deliveries
	lateDelivery     = 2 * time.Minute // a delivery may enter the list this much later
)

// Delivery is an entry of the App's list of deliveries. GitHub adds one for each event
// while the App's webhook is active, received or not, and keeps it for some days.
type Delivery struct {
	ID    int64  // of the entry; a redelivery has another
	GUID  string // of the delivery
	Event string
}

// Deliveries lists the deliveries since a moment, oldest first. It starts two minutes
// earlier, because entries may appear late. Whole is false if there are more than 2,000
// and the oldest are missing.
func (a *App) Deliveries(ctx context.Context, since time.Time) (list []Delivery, whole bool, err error) {
	since = since.Add(-lateDelivery)
	options := &github.ListCursorOptions{PerPage: perPage}
	for page := 0; page < maxDeliveryPages && !whole; page++ {
		part, err := send(ctx, a.sender, request{what: "list the deliveries of the App"}, func(ctx context.Context, api api) ([]*github.HookDelivery, *github.Response, error) {
			part, resp, err := api.Apps.ListHookDeliveries(ctx, options)
			if err == nil {
				options.Cursor = resp.Cursor
			}
			return part, resp, a.refused(err)
		})
		if err != nil {
			return nil, false, err
		}
		for _, d := range part {
			if whole = d.GetDeliveredAt().Before(since); whole {
				break
			}
			list = append(list, Delivery{ID: d.GetID(), GUID: d.GetGUID(), Event: d.GetEvent()})
		}
		whole = whole || options.Cursor == ""
	}
	slices.Reverse(list)
	return list, whole, nil
}

// Payload reads the payload of a Delivery by its ID. It carries no signature and needs
// none: the App fetches it from GitHub itself.
func (a *App) Payload(ctx context.Context, id int64) ([]byte, error) {
	what := fmt.Sprintf("read delivery %d of the App", id)
	d, err := send(ctx, a.sender, request{what: what}, func(ctx context.Context, api api) (*github.HookDelivery, *github.Response, error) {
		d, resp, err := api.Apps.GetHookDelivery(ctx, id)
		return d, resp, a.refused(err)
	})
	if err != nil {
		return nil, err
	}
	if d.Request == nil || d.Request.RawPayload == nil {
		return nil, &UnavailableError{What: what, Err: errors.New("the answer holds no payload")}
	}
	return *d.Request.RawPayload, nil
}
