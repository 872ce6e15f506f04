package gh

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/bradleyfalzon/ghinstallation/v2"
	"github.com/golang-jwt/jwt/v4"
	"github.com/google/go-github/v62/github"
)

// AppOptions name a GitHub App and its server. All other settings are as in Options.
type AppOptions struct {
	ID         int64
	PrivateKey []byte // PEM, as downloaded from GitHub; never part of an error

	BaseURL, GraphQLURL, UserAgent string

	HTTP   *http.Client
	Now    func() time.Time
	Wait   func(ctx context.Context, d time.Duration) error
	Random func() float64
	// Budget, if not nil, receives the number of requests of a kind that GitHub still
	// answers an installation.
	Budget func(installation int64, resource string, left int)
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
	statementBefore = time.Minute
	statementAfter  = 5 * time.Minute
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
	a := &App{id: o.ID, budget: o.Budget, holders: map[scope]*holder{}, options: Options{
		BaseURL: o.BaseURL, GraphQLURL: o.GraphQLURL, UserAgent: o.UserAgent, HTTP: o.HTTP, Now: o.Now, Wait: o.Wait, Random: o.Random,
	}}
	a.options.fill()
	if a.sender, err = newAppSender(a.options); err != nil {
		return nil, err
	}
	signer := clocked{ghinstallation.NewRSASigner(jwt.SigningMethodRS256, key), a.options.Now}
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

// clocked signs JWTs by the clock of the options.
type clocked struct {
	ghinstallation.Signer
	now func() time.Time
}

// Sign replaces the times in the claims and signs them.
func (c clocked) Sign(claims jwt.Claims) (string, error) {
	if registered, is := claims.(*jwt.RegisteredClaims); is {
		now := c.now().Truncate(time.Second)
		registered.IssuedAt, registered.ExpiresAt = jwt.NewNumericDate(now.Add(-statementBefore)), jwt.NewNumericDate(now.Add(statementAfter))
	}
	return c.Signer.Sign(claims)
}

// Registration is an App as GitHub has it registered.
type Registration struct {
	ID          int64
	Slug        string // in addresses; the App speaks as SLUG[bot]
	Name        string
	Owner       string // login
	OwnerIsUser bool
	URL         string            // of its public page
	Permissions map[string]string // requested from every installation: "pull_requests": "write"
	Events      []string          // webhook events that the App subscribes to
}

// wireApp is our own type because go-github drops permissions that it does not know,
// and Gaps reports those too.
type wireApp struct {
	ID          int64
	Slug, Name  string
	Owner       wireOwner
	HTMLURL     string `json:"html_url"`
	Permissions map[string]string
	Events      []string
}

// wireOwner is an account as the REST API tells of it.
type wireOwner struct {
	ID          int64
	Login, Type string
}

func (w wireOwner) account() (login string, isUser bool) { return w.Login, w.Type == "User" }

// Registration reads the App from GitHub. It returns a *SignInError if GitHub rejects
// the App's key.
func (a *App) Registration(ctx context.Context) (Registration, error) {
	w, err := ask[wireApp](ctx, a, "read what GitHub knows of the App", "app")
	if errors.As(err, new(*NotFoundError)) { // every API knows the address, if not the App
		err = fmt.Errorf("%w; check the address of its API (%s)", err, addressOfAPI)
	}
	if err != nil {
		return Registration{}, err
	}
	owner, isUser := w.Owner.account()
	return Registration{
		ID: w.ID, Slug: w.Slug, Name: w.Name, Owner: owner, OwnerIsUser: isUser, URL: w.HTMLURL, Permissions: w.Permissions, Events: w.Events,
	}, nil
}

// ask reads something as the App itself.
func ask[T any](ctx context.Context, a *App, what, path string) (T, error) {
	return send(ctx, a.sender, request{what: what}, func(ctx context.Context, api api) (T, *github.Response, error) {
		var got T
		req, err := api.NewRequest(http.MethodGet, path, nil)
		if err != nil {
			return got, nil, err
		}
		resp, err := api.Do(ctx, req, &got)
		return got, resp, a.refused(err)
	})
}

// refused turns GitHub's rejection of the App's JWT into a *SignInError. It returns any
// other error unchanged.
func (a *App) refused(err error) error {
	var answer *github.ErrorResponse
	if !errors.As(err, &answer) {
		return err
	}
	id, said := strconv.FormatInt(a.id, 10), said(answer)
	switch status := answer.Response.StatusCode; {
	case status == http.StatusUnauthorized && isOfClock(said):
		return &SignInError{Cause: WrongClock, Happened: a.clocks(answer.Response), Mend: "set this machine's clock (NTP does it by itself), then try again"}
	case status == http.StatusUnauthorized:
		return &SignInError{
			Cause: WrongKey, Happened: "GitHub does not accept the private key of App " + id,
			Mend: "the key is another App's or was deleted: check the App ID, or generate a new private key on the App's page and use that",
		}
	case status == http.StatusNotFound && isOfApp(said):
		return &SignInError{Cause: WrongApp, Happened: "GitHub knows no App " + id, Mend: "check the App ID and the address of the API"}
	}
	return err
}

// clocks says how far this machine's clock is from GitHub's.
func (a *App) clocks(resp *http.Response) string {
	theirs, err := http.ParseTime(resp.Header.Get("Date"))
	if err != nil {
		return "this machine's clock is wrong"
	}
	ahead, where := a.options.Now().Sub(theirs).Round(time.Second), "ahead of"
	if ahead < 0 {
		ahead, where = -ahead, "behind"
	}
	return "this machine's clock is " + cmp.Or(ahead, time.Second).String() + " " + where + " GitHub's"
}
