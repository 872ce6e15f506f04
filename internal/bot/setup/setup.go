// Package setup makes a GitHub App: it serves a page to the browser of this machine, and the
// browser sends a filled-in form to GitHub. It takes over the App from GitHub, and writes its
// key and secret into files for this user only.
//
//	locked ──one-time token──> open ──form──> GitHub ──code, state──> offered ──taken over──> made
//	  │                         ▲ │                                     │                       │
//	  └── ten minutes ── end    │ └── ten minutes ── end                └── refused: open       └── end
//	                            └── another name or owner
//
// Only the person at the terminal may use the page. The listener is on loopback, but every
// page in the browser and every program of the machine can reach it. So the page asks once
// for a token from the terminal, and then uses a cookie. It answers to its own name only
// (an attacker could point another name here), accepts forms only from itself, lives below
// a secret path (cookies do not depend on the port), and accepts a code from GitHub only
// together with its own state. It runs no script, loads nothing, and shows no secret.
package setup

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/prdebate/debate/internal/gh"
)

// Options configure the page and the App.
type Options struct {
	// Dir is the directory for the two files, which must not exist yet.
	Dir string

	// Pages is the address of GitHub's pages, by default https://github.com; API is its
	// REST API. GitHub Enterprise Server needs both.
	Pages, API string
	// Hook is the public address for GitHub's events; "" means that the server polls
	// GitHub's list of deliveries.
	Hook string
	// Name is the proposed name of the App, Owner is the organization that owns it; "" is a
	// made-up name, and the signed-in user. The page can change both.
	Name, Owner string

	// Say prints instructions on the terminal, with the one-time token.
	Say func(format string, args ...any)

	UserAgent string
	HTTP      *http.Client // to GitHub, as in gh.Options
	// Wait sleeps, or returns the cause of the context's end; nil is the real clock's.
	Wait func(ctx context.Context, d time.Duration) error
}

// Credentials are those of the new App.
type Credentials struct {
	ID            int64
	Name          string
	URL           string // of the page to install it
	PrivateKey    []byte // PEM
	WebhookSecret string
	KeyFile       string // with the key
	EnvFile       string // with the settings for the server's environment
}

const (
	lifetime = 10 * time.Minute
	farewell = 5 * time.Second // for the last answer to arrive

	publicPages = "https://github.com"
	publicAPI   = "https://api.github.com"

	// nowhere is a webhook address in a domain that cannot exist. GitHub lists deliveries
	// only for an active webhook.
	nowhere = "https://webhook.debate.invalid/"
)

// ErrTimeUp means that no App was made in time.
var ErrTimeUp = errors.New("no App was made within ten minutes, so the set-up page is closed: start it again")

// Run serves the page until an App is made, which it returns, or until ten minutes are over
// (ErrTimeUp) or the context ends. It checks everything before it prints the address.
func Run(ctx context.Context, o Options) (Credentials, error) {
	if err := o.check(); err != nil {
		return Credentials{}, err
	}
	files, err := place(o.Dir)
	if err != nil {
		return Credentials{}, err
	}
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", "127.0.0.1:0") // only this machine can reach it
	if err != nil {
		return Credentials{}, fmt.Errorf("serve the set-up page: %w", err)
	}
	s := newSite(o, files, listener.Addr().String())
	token := s.token // it is gone once it was entered
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	server := &http.Server{
		Handler: s.handler(), BaseContext: func(net.Listener) context.Context { return ctx }, MaxHeaderBytes: 32 << 10,
		ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second, WriteTimeout: 2 * time.Minute, IdleTimeout: 30 * time.Second,
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	go func() {
		if o.Wait(ctx, lifetime) == nil {
			cancel(ErrTimeUp)
		}
	}()
	o.Say("Open %s in a browser on this machine and enter this one-time token: %s", "http://"+s.host+"/", token)
	o.Say("The page closes after ten minutes.")
	var end error
	select {
	case <-s.made:
	case end = <-failed:
	case <-ctx.Done():
		end = context.Cause(ctx)
	}
	closing, stop := context.WithTimeout(context.WithoutCancel(ctx), farewell)
	defer stop()
	if err := server.Shutdown(closing); err != nil {
		_ = server.Close() // cut off a browser that does not read its answer
	}
	app, err := s.result(end)
	if err == nil {
		o.Say("GitHub made the App %q (id %d). Its key is in %s and its settings are in %s.", app.Name, app.ID, app.KeyFile, app.EnvFile)
		o.Say("Install it for your repositories: %s", app.URL)
	}
	return app, err
}

// check fills in the defaults and reports errors.
func (o *Options) check() error {
	if (o.Pages == "") != (o.API == "") {
		return errors.New("the addresses of GitHub's pages and of its API are given together, or not at all")
	}
	o.Pages, o.API = strings.TrimRight(cmp.Or(o.Pages, publicPages), "/"), cmp.Or(o.API, publicAPI)
	o.Hook = cmp.Or(o.Hook, nowhere)
	pages, hook := plain(o.Pages), plain(o.Hook)
	isPrivate := pages.Scheme == "https" || pages.Hostname() == "localhost" || net.ParseIP(pages.Hostname()).IsLoopback()
	switch {
	case pages.Host == "":
		return errors.New("the address of GitHub's pages is not one: write https://HOST")
	case !isPrivate:
		return fmt.Errorf("the address of GitHub's pages, %s, does not begin with https", o.Pages)
	case hook.Scheme != "https":
		return errors.New("the public address for events is not one: write https://HOST/PATH")
	}
	o.Name = cmp.Or(o.Name, "debate-"+strings.ToLower(rand.Text()[:6]))
	if problem := problemOf(o.Name, o.Owner); problem != "" {
		return errors.New(problem)
	}
	if o.Wait == nil {
		o.Wait = gh.Sleep
	}
	return nil
}

// plain reads an address of a scheme, a host and a path. It is empty for any other.
func plain(address string) url.URL {
	u, err := url.Parse(address)
	if err != nil {
		return url.URL{}
	}
	if *u != (url.URL{Scheme: u.Scheme, Host: cmp.Or(u.Host, "none"), Path: u.Path}) {
		return url.URL{}
	}
	return *u
}
