package setup

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/lazyregexp"
)

// site is the page while it is served.
type site struct {
	options Options
	files   files
	host    string // of the listener, with its port
	path    string // secret path below which it lives
	cookie  string

	made   chan struct{} // closed when there is a result
	taking sync.Mutex    // held while an App is taken over

	mu    sync.Mutex
	token string // one-time; "" once it was entered
	state string // that GitHub sends back; new for each App
	name  string
	owner string
	app   Credentials
	err   error
}

func newSite(o Options, f files, host string) *site {
	return &site{
		options: o, files: f, host: host, path: rand.Text(), cookie: rand.Text(), token: rand.Text(), state: rand.Text(), name: o.Name, owner: o.Owner,
		made: make(chan struct{}),
	}
}

// at returns an address below the secret path.
func (s *site) at(name string) string { return "/" + s.path + "/" + name }

// result returns the App, or the error; end is the cause of the end. It waits for an App
// that is being taken over: GitHub hands the key out only once.
func (s *site) result(end error) (Credentials, error) {
	s.taking.Lock()
	defer s.taking.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.app.ID != 0 {
		return s.app, nil
	}
	return Credentials{}, errors.Join(s.err, end)
}

func (s *site) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) { s.show(w, http.StatusOK, view{Locked: true}) })
	mux.HandleFunc("POST /enter", s.enter)
	mux.HandleFunc("GET /{path}/{$}", s.requireToken(func(w http.ResponseWriter, _ *http.Request) { s.show(w, http.StatusOK, s.form("")) }))
	mux.HandleFunc("POST /{path}/choose", s.requireToken(s.choose))
	mux.HandleFunc("GET /{path}/made", s.requirePath(s.offered))
	mux.HandleFunc("POST /{path}/take", s.requireToken(s.take))
	return s.guard(mux)
}

// enter takes the token, once.
func (s *site) enter(w http.ResponseWriter, r *http.Request) {
	given := strings.TrimSpace(r.PostFormValue("token"))
	s.mu.Lock()
	isRight := equalSecrets(s.token, given)
	if isRight {
		s.token = ""
	}
	s.mu.Unlock()
	if !isRight {
		s.show(w, http.StatusForbidden, view{Locked: true, Problem: "That is not the token, or it was entered before. The terminal shows it, and it works once."})
		return
	}
	http.SetCookie(w, &http.Cookie{
		Name: cookieName, Value: s.cookie, Path: "/" + s.path + "/", MaxAge: int(lifetime.Seconds()), HttpOnly: true, SameSite: http.SameSiteStrictMode,
	})
	http.Redirect(w, r, s.at(""), http.StatusSeeOther)
}

// choose takes another name or owner.
func (s *site) choose(w http.ResponseWriter, r *http.Request) {
	name, owner := strings.TrimSpace(r.PostFormValue("name")), strings.TrimSpace(r.PostFormValue("owner"))
	if problem := problemOf(name, owner); problem != "" {
		s.show(w, http.StatusUnprocessableEntity, s.form(problem))
		return
	}
	s.mu.Lock()
	s.name, s.owner = name, owner
	s.mu.Unlock()
	http.Redirect(w, r, s.at(""), http.StatusSeeOther)
}

// takeTime bounds the hand-over of an App.
const takeTime = 90 * time.Second

// maxName is how many letters GitHub takes for the name of an App.
const maxName = 34

var ownerName = lazyregexp.New(`^([A-Za-z0-9][A-Za-z0-9_-]{0,99})?$`)

// problemOf returns the problem with a name and an owner, "" for none.
func problemOf(name, owner string) string {
	switch {
	case name == "" || len(name) > maxName || strings.ContainsFunc(name, unicode.IsControl):
		return fmt.Sprintf("GitHub takes a name of 1 to %d letters for an App.", maxName)
	case !ownerName().MatchString(owner):
		return "That is no name of an organization on GitHub."
	}
	return ""
}

// form returns the page with the form for GitHub.
func (s *site) form(problem string) view {
	to := s.apps("/new")
	s.mu.Lock()
	defer s.mu.Unlock()
	manifest, err := json.Marshal(gh.NewManifest(s.name, "https://github.com/prdebate/debate", s.options.Hook, "http://"+s.host+s.at("made")))
	if err != nil {
		problem = err.Error() // texts and lists only: it does not happen
	}
	return view{
		Problem: problem, Name: s.name, Owner: s.owner, Hook: s.options.Hook, IsPolling: s.options.Hook == nowhere, Manifest: string(manifest),
		To: to + "?state=" + url.QueryEscape(s.state), Pages: s.options.Pages, Permissions: permissions(), Events: gh.AppEvents(), Choose: s.at("choose"),
	}
}

// offered receives the browser from GitHub with the code of the new App. The next step must
// come from a form of this page.
func (s *site) offered(w http.ResponseWriter, r *http.Request) {
	code, state := r.URL.Query().Get("code"), r.URL.Query().Get("state")
	s.mu.Lock()
	isExpected := equalSecrets(s.state, state)
	s.mu.Unlock()
	if !isExpected || !gh.IsManifestCode(code) {
		s.show(w, http.StatusForbidden, view{Again: s.at(""), Problem: "This did not come from the form that this page sent to GitHub, or it came twice."})
		return
	}
	s.show(w, http.StatusOK, view{Take: s.at("take"), Code: code, State: state})
}

// take takes the App over.
func (s *site) take(w http.ResponseWriter, r *http.Request) {
	code := r.PostFormValue("code")
	if !s.taking.TryLock() {
		s.show(w, http.StatusConflict, view{Problem: "An App is being taken over right now."})
		return
	}
	defer s.taking.Unlock()
	if !gh.IsManifestCode(code) || !s.useState(r.PostFormValue("state")) {
		s.show(w, http.StatusForbidden, view{Again: s.at(""), Problem: "This App was taken over already, or it is not the one that this page asked for."})
		return
	}
	// A browser that goes away now must not cost the key.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), takeTime)
	defer cancel()
	app, err := s.takeOver(ctx, code)
	var lost *lostError
	if err != nil && !errors.As(err, &lost) {
		s.show(w, http.StatusBadGateway, view{Again: s.at(""), Apps: s.apps(""), Problem: "GitHub did not hand the App over: " + err.Error()})
		return
	}
	s.mu.Lock()
	s.app, s.err = app, err
	s.mu.Unlock()
	if err != nil {
		s.show(w, http.StatusInternalServerError, view{Problem: err.Error()})
	} else {
		s.show(w, http.StatusOK, view{Made: &app})
	}
	close(s.made)
}

// useState uses up the state, so that each code counts once.
func (s *site) useState(state string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	isOver := s.app.ID != 0 || s.err != nil
	if isOver || !equalSecrets(s.state, state) {
		return false
	}
	s.state = rand.Text()
	return true
}

// apps is the address of the owner's Apps on GitHub, or of a page below it.
func (s *site) apps(name string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := s.options.Pages
	if s.owner != "" {
		at += "/organizations/" + url.PathEscape(s.owner)
	}
	return at + "/settings/apps" + name
}

// lostError means that an App was made and its key is lost.
type lostError struct {
	app gh.CreatedApp
	err error
}

func (e *lostError) Error() string {
	return fmt.Sprintf("GitHub made the App %q (id %d), but its key could not be written: %v; generate another private key on %s and write it down yourself", e.app.Name, e.app.ID, e.err, e.app.URL)
}

func (e *lostError) Unwrap() error { return e.err }

// takeOver asks GitHub for the App and writes its credentials down.
func (s *site) takeOver(ctx context.Context, code string) (Credentials, error) {
	o := s.options
	made, err := gh.CreateApp(ctx, gh.Options{BaseURL: o.API, UserAgent: o.UserAgent, HTTP: o.HTTP, Wait: o.Wait}, code)
	if err != nil {
		return Credentials{}, err
	}
	c := Credentials{
		ID: made.ID, Name: made.Name, URL: strings.TrimRight(made.URL, "/") + "/installations/new", PrivateKey: made.PrivateKey,
		WebhookSecret: made.WebhookSecret, KeyFile: s.files.key, EnvFile: s.files.env,
	}
	if strings.ContainsFunc(c.WebhookSecret, unicode.IsControl) {
		return Credentials{}, &lostError{made, errors.New("GitHub's secret for the webhook has an unexpected shape")}
	}
	if err := s.files.write(c, &s.options); err != nil {
		return Credentials{}, &lostError{made, err}
	}
	return c, nil
}
