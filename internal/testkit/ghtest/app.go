package ghtest

import (
	"cmp"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
)

// App is a GitHub App.
type App struct {
	ID            int64
	Slug, Name    string
	WebhookSecret string // "" for an App whose webhook is not active
	PrivateKey    []byte // PEM, the newest

	world       *world
	owner       *user
	hook        string
	keys        []*rsa.PublicKey
	permissions map[string]string
	events      []string
	made        time.Time
	installed   []*Installation
	deliveries  []*Delivery
}

// NewApp is what an App is made with.
type NewApp struct {
	Name        string
	Owner       string            // "" is an organisation of the App's name
	Permissions map[string]string // spelt as in REST: pull_requests
	Events      []string
	Hook        string // address of its webhook, "" for one that nobody listens at
}

// Installation is where an App is installed.
type Installation struct {
	ID int64

	app         *App
	account     *user
	repos       []*Repo
	permissions map[string]string
	suspended   time.Time
	removed     bool
	made        time.Time
	limit       int // of the requests of a token in an hour
}

// hookNowhere is the address of a webhook that nobody listens at.
const hookNowhere = "https://hook.example.invalid/"

// apps are the Apps that there are, and those that nobody has taken over yet.
type apps struct {
	clock  *clock
	byID   map[int64]*App
	offers map[string]*offer // by code
	keys   int               // made so far
}

// newKey makes a key that no other App has.
func (all *apps) newKey() *rsa.PrivateKey {
	all.keys++
	return keyNumber(all.keys - 1)
}

// NewApp makes an App.
func (s *Server) NewApp(n NewApp) *App {
	defer s.world.lock()()
	w, slug := s.world, slugOf(n.Name)
	owner := w.accounts.owner(cmp.Or(n.Owner, slug+"-makers"))
	a := &App{
		ID: w.clock.next(), Slug: slug, Name: n.Name, WebhookSecret: "hook-secret-of-" + slug, world: w, owner: owner, hook: cmp.Or(n.Hook, hookNowhere),
		permissions: maps.Clone(n.Permissions), events: slices.Clone(n.Events), made: w.clock.tick(),
	}
	a.newKey()
	w.apps.byID[a.ID] = a
	return a
}

// slugOf is what a name is in addresses.
func slugOf(name string) string {
	return strings.Trim(strings.Join(strings.FieldsFunc(strings.ToLower(name), func(r rune) bool {
		return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyz0123456789", r)
	}), "-"), "-")
}

// Bot is the login that the App speaks as.
func (a *App) Bot() string { return a.Slug + "[bot]" }

// SetPermissions changes what the App asks for. An installation grants it once its owner
// has accepted that; see Installation.Grant.
func (a *App) SetPermissions(permissions map[string]string) {
	defer a.lock()()
	a.permissions = maps.Clone(permissions)
}

// SetEvents changes what the App asks to be told of.
func (a *App) SetEvents(events ...string) {
	defer a.lock()()
	a.events = slices.Clone(events)
}

// SetHook changes the address of the webhook.
func (a *App) SetHook(address string) {
	defer a.lock()()
	a.hook = address
}

// Hook is the address of the webhook.
func (a *App) Hook() string {
	defer a.lock()()
	return a.hook
}

// NewKey makes a further private key. The older ones work on.
func (a *App) NewKey() []byte {
	defer a.lock()()
	a.newKey()
	return a.PrivateKey
}

// DeleteKeys makes all keys but the newest worthless.
func (a *App) DeleteKeys() {
	defer a.lock()()
	a.keys = a.keys[len(a.keys)-1:]
}

// Delete removes the App: its id is unknown from now on.
func (a *App) Delete() {
	defer a.lock()()
	delete(a.world.apps.byID, a.ID)
	for _, in := range a.installed {
		in.removed = true
	}
}

func (a *App) lock() func() { return a.world.lock() }

func (a *App) newKey() {
	key := a.world.apps.newKey()
	a.keys = append(a.keys, &key.PublicKey)
	a.PrivateKey = pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)})
}

// pool are the keys for all servers of a program: to make one takes long.
var pool struct {
	sync.Mutex
	made []*rsa.PrivateKey
}

func keyNumber(n int) *rsa.PrivateKey {
	pool.Lock()
	defer pool.Unlock()
	for len(pool.made) <= n {
		key, err := rsa.GenerateKey(rand.Reader, 2048)
		if err != nil {
			panic(err) // never, for this size
		}
		pool.made = append(pool.made, key)
	}
	return pool.made[n]
}

// Install installs the App for an account, with what the App asks for. Without
// repositories it is for all of the account.
func (a *App) Install(account string, repos ...*Repo) *Installation {
	defer a.lock()()
	in := &Installation{
		ID: a.world.clock.next(), app: a, account: a.world.accounts.get(account), repos: slices.Clone(repos),
		permissions: maps.Clone(a.permissions), made: a.world.clock.tick(), limit: 5000,
	}
	a.installed = append(a.installed, in)
	return in
}

// SetLimit says how many requests each new token may make in an hour. It is 5,000 at first.
func (in *Installation) SetLimit(limit int) {
	defer in.app.lock()()
	in.limit = limit
}

// Suspend lets the installation rest: its tokens are refused.
func (in *Installation) Suspend() {
	defer in.app.lock()()
	in.suspended = in.app.world.clock.tick()
}

// Unsuspend ends that.
func (in *Installation) Unsuspend() {
	defer in.app.lock()()
	in.suspended = time.Time{}
}

// Remove uninstalls the App.
func (in *Installation) Remove() {
	defer in.app.lock()()
	in.removed = true
	in.app.installed = slices.DeleteFunc(in.app.installed, func(other *Installation) bool { return other == in })
}

// Grant changes what the installation grants.
func (in *Installation) Grant(permissions map[string]string) {
	defer in.app.lock()()
	in.permissions = maps.Clone(permissions)
}

// Select changes the repositories that the installation is for.
func (in *Installation) Select(repos ...*Repo) {
	defer in.app.lock()()
	in.repos = slices.Clone(repos)
}

// includes tells whether the installation is for a repository.
func (in *Installation) includes(r *Repo) bool {
	if len(in.repos) > 0 {
		return slices.Contains(in.repos, r)
	}
	return r.access.owner == in.account
}

// all are the repositories of the installation, oldest first.
func (in *Installation) all() []*Repo {
	all := slices.SortedFunc(maps.Values(in.app.world.repos.byID), func(a, b *Repo) int { return int(a.ID - b.ID) })
	return slices.DeleteFunc(all, func(r *Repo) bool { return !in.includes(r) })
}

// token makes a token of an installation. Repositories are the only ones that it is
// for; nil: all of the installation.
func (in *Installation) token(permissions map[string]string, only []*Repo) *token {
	w := in.app.world
	t := &token{
		user: w.accounts.get(in.app.Bot()), app: in.app.ID, permissions: granted(permissions), limit: in.limit,
		installation: in, only: only, until: w.clock.time().Add(time.Hour),
	}
	return w.tokens.give(t)
}
