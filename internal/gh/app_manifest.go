package gh

import (
	"context"
	"errors"

	"github.com/google/go-github/v62/github"

	"github.com/prdebate/debate/internal/lazyregexp"
)

// Manifest says how GitHub is to make an App. Its JSON is what GitHub's page for new Apps
// takes.
type Manifest struct {
	Name        string            `json:"name"`
	URL         string            `json:"url"` // for people who want to know more
	Description string            `json:"description,omitempty"`
	Hook        ManifestHook      `json:"hook_attributes"`
	Redirect    string            `json:"redirect_url"` // where the browser goes once the App is made
	Public      bool              `json:"public"`       // others than the owner may install it
	Permissions map[string]string `json:"default_permissions"`
	Events      []string          `json:"default_events"`
}

// ManifestHook is where events of the App go. GitHub lists deliveries, and makes a secret
// for them, only while the hook is active.
type ManifestHook struct {
	URL    string `json:"url"`
	Active bool   `json:"active"`
}

// NewManifest is a manifest with the permissions and events that debate needs.
func NewManifest(name, page, hook, redirect string) Manifest {
	return Manifest{
		Name: name, URL: page, Description: "Reviews pull requests by a debate of models.", Hook: ManifestHook{URL: hook, Active: true},
		Redirect: redirect, Permissions: AppPermissions(), Events: AppEvents(),
	}
}

// CreatedApp is what GitHub hands out once, when an App was made from a manifest.
type CreatedApp struct {
	Registration
	PrivateKey    []byte // PEM
	WebhookSecret string // "" where GitHub made none
}

var manifestCode = lazyregexp.New(`^[A-Za-z0-9_-]{1,100}$`)

// IsManifestCode reports whether a text can be the code that CreateApp takes.
func IsManifestCode(code string) bool { return manifestCode().MatchString(code) }

// CreateApp takes over an App that was made from a manifest, with the code that GitHub
// gave to the browser. A code works once and within the hour. Of the options, those of a
// repository and of a token are not used.
func CreateApp(ctx context.Context, o Options, code string) (CreatedApp, error) {
	if !IsManifestCode(code) {
		return CreatedApp{}, errors.New("take over the new App: GitHub's code has an unexpected shape")
	}
	o.fill()
	s, err := newAppSender(o)
	if err != nil {
		return CreatedApp{}, err
	}
	const what = "take over the new App"
	made, err := send(ctx, s, request{what: what, kind: create}, func(ctx context.Context, api api) (*github.AppConfig, *github.Response, error) {
		return api.Apps.CompleteAppManifest(ctx, code)
	})
	if err != nil {
		return CreatedApp{}, err
	}
	app := CreatedApp{
		Registration: Registration{
			ID: made.GetID(), Slug: made.GetSlug(), Name: made.GetName(), Owner: made.GetOwner().GetLogin(), OwnerIsUser: made.GetOwner().GetType() == "User",
			URL: made.GetHTMLURL(),
		},
		PrivateKey: []byte(made.GetPEM()), WebhookSecret: made.GetWebhookSecret(),
	}
	if _, err := parsePrivateKey(app.PrivateKey); err != nil || app.ID <= 0 {
		return CreatedApp{}, &UnavailableError{What: what, Err: errors.New("the answer holds no App with a private key")}
	}
	return app, nil
}
