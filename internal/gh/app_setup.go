package gh

import (
	"bytes"
	"context"
	"crypto/rsa"
	"encoding/pem"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/golang-jwt/jwt/v4"
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
	type wire struct {
		Registration
		PEM           string
		WebhookSecret string `json:"webhook_secret"`
	}
	made, err := send(ctx, s, request{what: what, kind: create}, func(ctx context.Context, api api) (wire, *github.Response, error) {
		return do[wire](ctx, api, http.MethodPost, "app-manifests/"+code+"/conversions", nil)
	})
	if err != nil {
		return CreatedApp{}, err
	}
	app := CreatedApp{Registration: made.Registration, PrivateKey: []byte(made.PEM), WebhookSecret: made.WebhookSecret}
	if _, err := parsePrivateKey(app.PrivateKey); err != nil || app.ID <= 0 {
		return CreatedApp{}, &UnavailableError{What: what, Err: errors.New("the answer holds no App with a private key")}
	}
	return app, nil
}

// parsePrivateKey reads a key in PEM. In an environment variable it may be one line
// with \n between the lines of the key.
func parsePrivateKey(text []byte) (*rsa.PrivateKey, error) {
	text = bytes.TrimSpace(text)
	if !bytes.Contains(text, []byte("\n")) {
		text = bytes.ReplaceAll(text, []byte(`\n`), []byte("\n"))
	}
	if block, _ := pem.Decode(text); block == nil {
		return nil, errors.New(`read the App's private key: it is no private key in PEM: it begins with "-----BEGIN RSA PRIVATE KEY-----" and is the file that GitHub's page of the App generates`)
	}
	key, err := jwt.ParseRSAPrivateKeyFromPEM(text)
	if err != nil { // its text may quote the key
		return nil, errors.New("read the App's private key: it is no whole private RSA key: take the file that GitHub's page of the App generates, as it is")
	}
	return key, nil
}

// appPermissions are the permissions that an App asks for: those of its tokens, plus
// merge_queues, because GitHub requires it for the event merge_group.
var appPermissions = func() map[string]string {
	all := maps.Clone(tokenPermissions)
	all["merge_queues"] = "read"
	return all
}()

// appEvents are the events that an App subscribes to. Events of its installations
// arrive without a subscription.
var appEvents = []string{"issue_comment", "issues", "merge_group", "pull_request", "pull_request_review", "pull_request_review_comment"}

// AppPermissions returns the permissions that an App asks for, by GitHub's names.
func AppPermissions() map[string]string { return maps.Clone(appPermissions) }

// AppEvents returns the events that an App subscribes to, in alphabetical order.
func AppEvents() []string { return slices.Clone(appEvents) }

// Gap is a permission or event that an App or an installation lacks or does not need,
// or a suspension.
type Gap struct {
	Text    string // a sentence without its full stop
	Link    string // of the page to change it
	Missing bool   // without it debate cannot do all of its work
}

// Gaps compares the requests of an App and the grants of its installations with the
// needs of debate. It also lists suspended installations.
func Gaps(app Registration, installed []Installation) []Gap {
	settings := app.settings()
	var gaps []Gap
	add := func(isMissing bool, link, before string, names []string, after string) {
		if len(names) > 0 {
			gaps = append(gaps, Gap{Text: before + enumerate(names) + after, Link: link, Missing: isMissing})
		}
	}
	unasked := lackOf(appPermissions, app.Permissions)
	add(true, settings, "the App does not ask for ", unasked, "")
	add(true, settings, "the App is not told of ", without(appEvents, app.Events), "")
	add(false, settings, "the App asks for ", lackOf(app.Permissions, appPermissions), ", which debate never uses")
	add(false, settings, "the App is told of ", without(app.Events, appEvents), ", which debate ignores")
	for _, in := range installed {
		on := "the installation on " + oneLine(in.Account.Login)
		if in.Suspended != nil {
			gaps = append(gaps, Gap{Text: on + " is suspended: nothing is reviewed there", Link: in.URL})
			continue
		}
		add(true, in.URL, on+" does not grant ", without(lackOf(appPermissions, in.Permissions), unasked), ": an owner has to accept it")
	}
	return gaps
}

// settings returns the address of the page for the App's permissions and events, "" if
// GitHub gave no address of the App.
func (r Registration) settings() string {
	at, err := url.Parse(r.URL)
	if err != nil || at.Host == "" {
		return ""
	}
	path := []string{"settings", "apps", r.Slug, "permissions"}
	if r.Owner.Type != "User" {
		path = append([]string{"organizations", r.Owner.Login}, path...)
	}
	return (&url.URL{Scheme: at.Scheme, Host: at.Host}).JoinPath(path...).String()
}

// lackOf lists needed permissions that are not granted, as "checks: write", in
// alphabetical order.
func lackOf(needed, granted map[string]string) []string {
	var lacking []string
	for _, name := range slices.Sorted(maps.Keys(needed)) {
		if levels[granted[name]] < levels[needed[name]] {
			lacking = append(lacking, oneLine(name+": "+needed[name]))
		}
	}
	return lacking
}

// levels orders the levels of a permission; 0 is not granted.
var levels = map[string]int{"read": 1, "write": 2, "admin": 3}

// without lists the names of one list that another one lacks.
func without(list, other []string) []string {
	var rest []string
	for _, name := range list {
		if !slices.Contains(other, name) {
			rest = append(rest, oneLine(name))
		}
	}
	return rest
}

// enumerate joins the entries of a list in words: "a, b and c".
func enumerate(list []string) string {
	last := len(list) - 1
	if last < 1 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:last], ", ") + " and " + list[last]
}
