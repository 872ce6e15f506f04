// Package setup makes a GitHub App: it serves a page to the browser of this machine that
// sends a filled-in form to GitHub, takes over the App that GitHub makes of it, and writes
// its key and secret into files that nobody else may read.
//
//	locked ──one-time token──> open ──form──> GitHub ──code, state──> offered ──taken over──> made
//	  │                         ▲ │                                     │                       │
//	  └── ten minutes ── end    │ └── ten minutes ── end                └── refused: open       └── end
//	                            └── another name or owner
//
// Who may use the page: whoever reads the terminal. The listener is on loopback, but every
// page in the browser and every program of the machine can reach that. So the page asks
// for a token that stands in the terminal, once, and then goes by a cookie. It answers to
// its own name only (or a name that an attacker owns could be pointed here), takes forms
// only from itself, lives below a path that nobody can guess (cookies do not tell ports
// apart), and takes a code from GitHub only together with the state that it sent there. It
// runs no script, loads nothing, and shows no secret.
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

// Options say where the page is served, and what App it makes.
type Options struct {
	// Listen is an address of this machine, "127.0.0.1:0" where it is "". Another one is
	// refused.
	Listen string
	// Dir is the directory for the two files, which must not be there yet.
	Dir string

	// Pages is the address of GitHub's pages, https://github.com where it is ""; API is
	// that of its REST API. Both are given for GitHub Enterprise Server.
	Pages, API string
	// Hook is the public address that GitHub delivers events to; "" where there is none,
	// and the deliveries are read from GitHub's list of them.
	Hook string
	// Name is proposed for the App, Owner is the organisation that is to own it; "" for
	// one that is made up, and for whoever is signed in. Both can be changed on the page.
	Name, Owner string

	// Say tells whoever started this what to do: lines for the terminal. The one-time
	// token is among them.
	Say func(format string, args ...any)

	UserAgent string
	HTTP      *http.Client // to GitHub, as in gh.Options
	// Wait sleeps, or returns the cause of the context's end; nil is the real clock's.
	Wait func(ctx context.Context, d time.Duration) error
}

// Credentials are those of the App that was made.
type Credentials struct {
	ID            int64
	Slug, Name    string
	URL           string // of the page where it is installed
	PrivateKey    []byte // PEM
	WebhookSecret string
	KeyFile       string // that holds the key
	EnvFile       string // that holds the settings of the server, for its environment
}

const (
	lifetime = 10 * time.Minute
	farewell = 5 * time.Second // for the last answer to arrive

	publicPages = "https://github.com"
	publicAPI   = "https://api.github.com"

	// nowhere is the address of a webhook that nobody can own: the domain cannot exist.
	// GitHub lists deliveries only of a webhook that is active.
	nowhere = "https://webhook.debate.invalid/"
)

// ErrTimeUp means that nobody made an App while the page was there.
var ErrTimeUp = errors.New("no App was made within ten minutes, so the set-up page is closed: start it again")

// Run serves the page until an App is made, which it returns, or until ten minutes are
// over (ErrTimeUp) or the context ends. Everything is checked before anybody is told to
// open the page.
func Run(ctx context.Context, o Options) (Credentials, error) {
	if err := o.check(); err != nil {
		return Credentials{}, err
	}
	files, err := place(o.Dir)
	if err != nil {
		return Credentials{}, err
	}
	listener, err := listen(ctx, cmp.Or(o.Listen, "127.0.0.1:0"))
	if err != nil {
		return Credentials{}, err
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
	o.Say("Open %s in a browser on this machine and enter this one-time token: %s", s.address(), token)
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
		_ = server.Close() // a browser that reads no answer is cut off
	}
	app, err := s.result(end)
	if err == nil {
		o.Say("GitHub made the App %q (id %d). Its key is in %s and its settings are in %s.", app.Name, app.ID, app.KeyFile, app.EnvFile)
		o.Say("Install it for the repositories that it is to review: %s", app.URL)
	}
	return app, err
}

// check fills in what was left out, and says what is wrong.
func (o *Options) check() error {
	if (o.Pages == "") != (o.API == "") {
		return errors.New("the addresses of GitHub's pages and of its API are given together, or not at all")
	}
	o.Pages, o.API = strings.TrimRight(cmp.Or(o.Pages, publicPages), "/"), cmp.Or(o.API, publicAPI)
	o.Hook = cmp.Or(o.Hook, nowhere)
	pages, hook := plain(o.Pages), plain(o.Hook)
	isPrivate := pages.Scheme == "https" || isLoopback(pages.Hostname())
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
		o.Wait = sleep
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

// listen opens a listener that nothing but this machine reaches.
func listen(ctx context.Context, address string) (net.Listener, error) {
	host, _, _ := net.SplitHostPort(address) // "" where it is no address
	if !isLoopback(host) {
		return nil, fmt.Errorf("the set-up page is served on this machine only, not on %q: write 127.0.0.1:PORT", address)
	}
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("serve the set-up page: %w", err)
	}
	if tcp, is := listener.Addr().(*net.TCPAddr); !is || !tcp.IP.IsLoopback() { // what localhost means is for the machine to say
		_ = listener.Close()
		return nil, fmt.Errorf("the set-up page is served on this machine only, and %q is not", address)
	}
	return listener, nil
}

func isLoopback(host string) bool { return host == "localhost" || net.ParseIP(host).IsLoopback() }

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// client are the options of requests to GitHub.
func (o *Options) client() gh.Options {
	return gh.Options{BaseURL: o.API, UserAgent: o.UserAgent, HTTP: o.HTTP, Wait: o.Wait}
}
