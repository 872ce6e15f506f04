package gh

import (
	"context"
	"errors"

	"github.com/google/go-github/v62/github"

	"github.com/prdebate/debate/internal/lazyregexp"
)

// Manifest describes a new App. Its JSON is the input of GitHub's page for new Apps.
type Manifest struct {
	Name        string            `json:"name"`
	URL         string            `json:"url"` // the App's homepage
	Description string            `json:"description,omitempty"`
	Hook        ManifestHook      `json:"hook_attributes"`
	Redirect    string            `json:"redirect_url"` // GitHub sends the browser here after it created the App
	Public      bool              `json:"public"`       // others than the owner may install it
	Permissions map[string]string `json:"default_permissions"`
	Events      []string          `json:"default_events"`
}

// ManifestHook is the webhook of the App. GitHub makes a secret and lists deliveries
// only if the hook is active.
type ManifestHook struct {
	URL    string `json:"url"`
	Active bool   `json:"active"`
}

// NewManifest returns a manifest with the permissions and events of debate.
func NewManifest(name, page, hook, redirect string) Manifest {
	return Manifest{
		Name: name, URL: page, Description: "Reviews pull requests by a debate of models.", Hook: ManifestHook{URL: hook, Active: true},
		Redirect: redirect, Permissions: AppPermissions(), Events: AppEvents(),
	}
}

// CreatedApp is an App just created from a manifest. GitHub hands these fields out only
// once.
type CreatedApp struct {
	Registration
	PrivateKey    []byte // PEM
	WebhookSecret string // "" if GitHub made none
}

var manifestCode = lazyregexp.New(`^[A-Za-z0-9_-]{1,100}$`)

// IsManifestCode reports whether a text has the shape of a code for CreateApp.
func IsManifestCode(code string) bool { return manifestCode().MatchString(code) }

// CreateApp takes over an App created from a manifest, with the code that GitHub gave
// to the browser. A code works once and for one hour. CreateApp ignores the repository
// and the token of the options.
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
