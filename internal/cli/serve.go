package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/prdebate/debate/internal/action"
	"github.com/prdebate/debate/internal/config"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/engine"
	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/lazyregexp"
	"github.com/prdebate/debate/internal/model"
	"github.com/prdebate/debate/internal/model/process"
	"github.com/prdebate/debate/internal/pull"
	"github.com/prdebate/debate/internal/redact"
	"github.com/prdebate/debate/internal/report/terminal"
	"github.com/prdebate/debate/internal/store"
)

type serveCmd struct {
	databaseFlag
	ServeFlags
}

// ServeFlags say how a server runs.
type ServeFlags struct {
	Listen      string        `default:":8080" placeholder:"ADDR" help:"Address for GitHub's deliveries, at /webhook (default: :8080)."`
	AdminListen string        `default:"127.0.0.1:8081" placeholder:"ADDR" help:"Address of the dashboard, the metrics and the health checks (default: 127.0.0.1:8081)."`
	Accounts    string        `placeholder:"FILE" help:"Accounts that may use models, their keys, and their limits for a month. Without it every account with the App may."`
	Workers     int           `default:"4" placeholder:"N" help:"Reviews at the same time (default: 4)."`
	Node        string        `placeholder:"NAME" help:"Name of this server if several share a database (default: the name of the machine)."`
	Setup       bool          `help:"Create a GitHub App in the browser of this machine, and end."`
	PublicURL   string        `name:"public-url" placeholder:"URL" help:"With --setup: the address at which GitHub reaches this server, such as https://debate.example.com/webhook."`
	Owner       string        `placeholder:"NAME" help:"With --setup: the organization that will own the App."`
	EnvFile     string        `placeholder:"FILE" help:"The settings written by --setup: NAME=VALUE lines, added to the environment."`
	Poll        bool          `help:"Fetch deliveries from GitHub, if GitHub cannot reach this server."`
	MigrateOnly bool          `help:"Update the database, and end."`
	Drain       time.Duration `default:"30s" placeholder:"TIME" help:"Time for running reviews to end when the server stops (default: 30s). The next start goes on with the others."`
	KeepDays    int           `default:"90" placeholder:"N" help:"Keep records and deliveries for this many days (default: 90)."`
	ProxyHeader string        `placeholder:"NAME" help:"Header of a reverse proxy with the name of the signed-in user, such as X-Forwarded-User. With it the dashboard can be reached from elsewhere, through that proxy only."`
	ProxyFrom   []string      `placeholder:"CIDR" help:"Addresses of that proxy, such as 10.0.0.5/32."`
	Log         string        `enum:"text,json" default:"text" help:"Write the log as text or json."`
}

// Run serves until it is told to stop.
func (c *serveCmd) Run(r *run) error {
	if c.Setup {
		return r.Server.Setup(r, c.ServeFlags)
	}
	if err := r.withFile(c.EnvFile); err != nil {
		return err
	}
	if !c.MigrateOnly {
		if _, err := r.operatorConfig(""); err != nil { // else every review would fail because of it
			return err
		}
	}
	return r.Server.Serve(r, c.ServeFlags, r.databaseAt(c.Database))
}

// Server is the server of a GitHub App and its database. The program debate has none, so it
// builds without databases and tracing; debate-server has one.
type Server interface {
	// Setup makes a GitHub App.
	Setup(r *Run, flags ServeFlags) error
	// Serve serves it until the context of the run ends.
	Serve(r *Run, flags ServeFlags, database string) error
	// Record reads a review from the database.
	Record(r *Run, database, id string) (store.Record, error)
	// Backup copies the database to a file and returns its source for people.
	Backup(r *Run, database, file string) (from string, err error)
	// Move copies everything to another database and returns a report.
	Move(r *Run, from, to string) (said string, err error)
}

// serverProgram is the program with a Server.
const serverProgram = "debate-server"

// handOver runs the same command line by debate-server: the one in the directory of this
// program, else the one on PATH.
func (r *run) handOver() error {
	path, err := findServer()
	if err == nil {
		return runInstead(path, append([]string{path}, r.args...), r.Environ())
	}
	version, _, _ := strings.Cut(Version(), "+")
	if !strings.HasPrefix(version, "v") {
		version = cmp.Or(revision(), "latest")
	}
	return fmt.Errorf("this needs the program %s, and there is none in the directory of this program or on PATH: run go install github.com/%s/%s/cmd/%s@%s, or take it from the release; the image has it",
		serverProgram, ownOwner, ownName, serverProgram, version)
}

func findServer() (string, error) {
	if self, err := os.Executable(); err == nil {
		if path, err := process.Resolve(filepath.Join(filepath.Dir(self), serverProgram)); err == nil {
			return path, nil
		}
	}
	return process.Resolve(serverProgram)
}

// Run is one run of the program, for its Server.
type Run = run

// Context ends when the run is interrupted.
func (r *run) Context() context.Context { return r.ctx }

// Progress prints a line on standard error, unless the run is quiet.
func (r *run) Progress(format string, args ...any) { r.progress(format, args...) }

// Hiding removes secrets from the logs and pages of a server: those of the environment, of
// these variables, and more.
func Hiding(e Env, variables []string, more ...string) *redact.Redactor {
	return hiding(append(ownSecrets(e.Environ(), variables), more...))
}

// Usage marks an error as one of the caller.
func Usage(err error) error { return usage(err) }

// Page returns the HTML page of an ended review.
func Page(rec store.Record, state debate.State) ([]byte, error) {
	return render(envelopeOf(state, rec.Entries), "html", terminal.Options{})
}

// Web returns the address of GitHub's pages.
func Web(getenv func(string) string) string {
	return "https://" + cmp.Or(Env{Getenv: getenv}.webHost(), publicHost)
}

// The variables of the GitHub App.
const (
	appID      = "DEBATE_APP_ID"
	appKey     = "DEBATE_PRIVATE_KEY"
	appKeyFile = "DEBATE_PRIVATE_KEY_FILE"
)

// IsApp reports whether the environment names a GitHub App.
func (r *run) IsApp() bool { return strings.TrimSpace(r.Getenv(appID)) != "" }

// App makes the client of the environment's GitHub App. It keeps the private key from
// models and records, and makes no request yet. Budget is gh.AppOptions.BudgetOf.
func (r *run) App(transport http.RoundTripper, budget func(installation int64, resource string, left int)) (*gh.App, error) {
	id, err := strconv.ParseInt(strings.TrimSpace(r.Getenv(appID)), 10, 64)
	if err != nil || id <= 0 {
		return nil, usage(fmt.Errorf("%s is no number: the App's page shows the App ID", appID))
	}
	key := []byte(r.Getenv(appKey))
	switch file := r.Getenv(appKeyFile); {
	case len(key) > 0 && file != "":
		return nil, usage(fmt.Errorf("both %s and %s are set: leave one of them out", appKey, appKeyFile))
	case file != "":
		if key, err = r.readSecrets(r.path(file)); errors.Is(err, fs.ErrNotExist) {
			return nil, usage(fmt.Errorf("there is no file %s, which %s names: put the private key of the App there, or change the variable", r.path(file), appKeyFile))
		} else if err != nil {
			return nil, usage(err)
		}
	case len(key) == 0:
		return nil, usage(errors.New("the App has no private key: set " + appKeyFile + " or " + appKey))
	}
	r.KeepSecret(string(key))
	app, err := gh.NewApp(gh.AppOptions{ID: id, PrivateKey: key, BudgetOf: budget, Options: gh.Options{
		BaseURL: r.Getenv("GITHUB_API_URL"), GraphQLURL: r.Getenv("GITHUB_GRAPHQL_URL"), UserAgent: "debate/" + Version(),
		HTTP: &http.Client{Transport: transport}, Now: r.Now, Wait: r.Wait,
	}})
	if err != nil {
		return nil, usage(err)
	}
	return app, nil
}

// readSecrets reads a file with secrets. It refuses one with rights for anyone but its
// owner.
func (r *run) readSecrets(path string) ([]byte, error) {
	f, err := os.Open(r.path(path))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	othersMay := info.Mode().Perm() & 0o077
	if dir := r.Getenv("CREDENTIALS_DIRECTORY"); dir != "" && filepath.Dir(r.path(path)) == filepath.Clean(dir) {
		othersMay &^= 0o040 // systemd shares credentials by access lists, and the system shows their mask as rights of the group
	}
	switch {
	case info.IsDir():
		return nil, fmt.Errorf("%s is a directory", path)
	case othersMay != 0 && runtime.GOOS != "windows": // Windows has no such modes
		return nil, fmt.Errorf("%s holds secrets and can be read or changed by others (mode %04o): run chmod 600 on it", path, info.Mode().Perm())
	}
	return limited(f, path, config.MaxBytes)
}

// withFile adds the NAME=VALUE lines of a file to the environment. The environment itself
// wins.
func (r *run) withFile(path string) error {
	if path == "" {
		return nil
	}
	data, err := r.readSecrets(path)
	if errors.Is(err, fs.ErrNotExist) {
		return usage(fmt.Errorf("there is no file %s; debate serve --setup writes one", path))
	}
	if err != nil {
		return usage(err)
	}
	values, err := variables(string(data))
	if err != nil {
		return usage(fmt.Errorf("%s:%w", path, err))
	}
	getenv, environ := r.Getenv, r.Environ
	for name, value := range values {
		switch {
		case getenv(name) != "":
			continue
		case slices.Contains(readBefore, strings.ToUpper(name)):
			return usage(fmt.Errorf("%s: %s does not count in this file, because it is read before: set it in the environment of the process, as docs/enterprise.md shows", path, name))
		case r.Setenv == nil:
			continue
		}
		if err := r.Setenv(name, value); err != nil {
			return usage(fmt.Errorf("%s: set %s: %w", path, name, err))
		}
	}
	r.Getenv = func(name string) string {
		return cmp.Or(getenv(name), values[name])
	}
	r.Environ = withKeysOf(environ, values)
	return nil
}

// readBefore are variables that libraries read at the start of the program, before any
// file.
var readBefore = []string{"HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"}

var (
	setVariable = lazyregexp.New(`^([A-Za-z_][A-Za-z0-9_]*)=(.*)$`)
	quotedValue = lazyregexp.New(`^(?:".*"|'.*')$`)
)

// variables reads NAME=VALUE lines. It refuses lines that a shell would read differently:
// the name or the secret would be wrong.
func variables(text string) (map[string]string, error) {
	values := make(map[string]string)
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		m := setVariable().FindStringSubmatch(line)
		switch {
		case m == nil:
			return nil, fmt.Errorf("%d:1: write NAME=VALUE, without export and without spaces around the =; write a key of several lines in one, with \\n between them", i+1)
		case quotedValue().MatchString(m[2]):
			return nil, fmt.Errorf("%d:%d: write the value without quotes: they would be a part of it", i+1, len(m[1])+2)
		}
		values[m[1]] = m[2]
	}
	return values, nil
}

type dbCmd struct {
	Backup dbBackupCmd `cmd:"" help:"Copy an SQLite database to a file while the server runs."`
	Move   dbMoveCmd   `cmd:"" help:"Copy everything to another, empty database. Stop the server first."`
}

type dbBackupCmd struct {
	databaseFlag

	File string `arg:"" help:"The file to make. Protect it like the database: it quotes code, and has the key for the summaries."`
}

// Run makes the backup.
func (c *dbBackupCmd) Run(r *run) error {
	from, err := r.Server.Backup(r, r.databaseAt(c.Database), r.path(c.File))
	switch {
	case errors.Is(err, fs.ErrExist):
		return usage(fmt.Errorf("cannot back up to %s: it exists; name a new file", c.File))
	case err != nil:
		return err
	}
	return r.say("Copied %s to %s.", from, c.File)
}

type dbMoveCmd struct {
	databaseFlag

	To string `required:"" placeholder:"URL" help:"The new database: postgres://... or sqlite:FILE."`
}

// Run moves the database.
func (c *dbMoveCmd) Run(r *run) error {
	said, err := r.Server.Move(r, r.databaseAt(c.Database), r.databaseAt(c.To))
	if err != nil {
		return err
	}
	return r.say("%s", said)
}

// databaseFlag is the flag for reviews in a server's database.
type databaseFlag struct {
	Database string `placeholder:"URL" help:"The server's database: sqlite:FILE or postgres://... (default: DEBATE_DATABASE, else sqlite:debate.db)."`
}

// databaseAt returns the address of the server's database: from the flag, the environment,
// or a file in this directory.
func (r *run) databaseAt(flag string) string {
	at := cmp.Or(flag, r.Getenv("DEBATE_DATABASE"), "sqlite:debate.db")
	file, isFile := strings.CutPrefix(at, "sqlite:")
	if isFile && file != "" && !strings.HasPrefix(file, ":") && !strings.HasPrefix(file, "//") {
		return "sqlite:" + r.path(file)
	}
	return at
}

// Hosting is how a server has one pull request reviewed.
type Hosting struct {
	Env      Env
	StateKey string            // seals the memory in the summary
	Accounts *config.Server    // nil: all may have models asked, up to the limits of the settings
	Settings map[string]string // operator's settings, by file name in Accounts
	// The repository and the id of its owner.
	Owner   string
	OwnerID int64
	Name    string

	Allowance Allowance
	Watch     func(client engine.Client, asked Asked) engine.Client // wraps each client
	Tell      func(models map[string]string) func(engine.Progress)  // models by party
}

// Asked is a party with a watched client.
type Asked struct {
	debate.Party
	Prices  model.Prices
	Command bool // it is a program of this machine, and is paid for elsewhere
}

// Allowance limits the spending of one job, within the limits of its settings.
type Allowance struct {
	Most      config.USD       // 0: no other limit
	Refused   string           // why no model may be asked, in a sentence; "" if some may
	Forbidden debate.Forbidden // the same as the record keeps it
}

// Configure returns a function for pull.Runner that sets up reviews, and a function that
// names the newest session.
func (h Hosting) Configure() (configure func(context.Context, gh.Repository, pull.Files, pull.Files) (pull.Setup, error), session func() string) {
	in := action.Inputs{StateKey: h.StateKey, Config: debate.SettingsFile, Target: debate.TargetAuto, Gate: debate.Advisory}
	env := h.forAccount(&in)
	env.Stderr = io.Discard
	conf := &configurer{env: env, demand: demands(in), in: in, commit: revision(), allowance: h.Allowance, watch: h.Watch}
	conf.tell = func(set settings) func(engine.Progress) {
		models := make(map[string]string)
		for _, p := range set.panel.parties {
			models[p.ID] = p.Model
		}
		return h.Tell(models)
	}
	return conf.configure, func() string { return conf.newest }
}

// forAccount gives a job the settings of its account, and the environment with its keys and none
// of the server's: an account with keys of its own never spends those of the server.
func (h Hosting) forAccount(in *action.Inputs) Env {
	env := h.Env
	if h.Accounts == nil {
		return env
	}
	account, own, listed := h.Accounts.Of(h.Owner, h.OwnerID, h.Name)
	if !listed {
		return env
	}
	in.OperatorConfig = h.Settings[cmp.Or(own.Settings, account.Settings)]
	keys := make(map[string]string)
	for _, k := range account.Keys {
		if p, known := env.Providers.Find(string(k.Provider)); known && len(p.Keys) > 0 {
			keys[p.Keys[0]] = env.Getenv(k.Env)
		}
	}
	if len(keys) == 0 {
		return env
	}
	env.Getenv = func(name string) string {
		isKey := slices.ContainsFunc(h.Env.Providers, func(p model.Provider) bool { return slices.Contains(p.Keys, name) })
		if value, own := keys[name]; own || isKey {
			return value
		}
		return h.Env.Getenv(name)
	}
	env.Environ = withKeysOf(env.Environ, keys)
	env.Providers = onlyListed(h.Env, account, in.OperatorConfig)
	return env
}

// onlyListed disables every provider outside the account's keys and the operator's settings
// for it: a keyless model on the server's machine belongs to the server too.
func onlyListed(e Env, account config.Account, operator string) model.Registry {
	listed := make(map[string]bool)
	for _, k := range account.Keys {
		listed[string(k.Provider)] = true
	}
	if set, err := e.operatorConfig(operator); err == nil { // else no review begins with them
		for _, p := range set.Parties.All() {
			listed[string(p.Provider)] = true
		}
	}
	all := slices.Clone(e.Providers)
	for i, p := range all {
		if !listed[p.Name] {
			all[i].New = func(model.Options) (model.Client, error) {
				return nil, &model.Error{Class: debate.CallNotFound, Detail: fmt.Sprintf("%s pays with its own keys, and the accounts file of this server has none for %s", account.Name, p.Name)}
			}
		}
	}
	return all
}

// withKeysOf adds keys to an environment, so that they count as secrets.
func withKeysOf(environ func() []string, keys map[string]string) func() []string {
	return func() []string {
		all := environ()
		for name, key := range keys {
			all = append(all, name+"="+key)
		}
		return all
	}
}

// applyTo applies the allowance to settings. If it allows no model, the panel is empty and a
// note gives the reason. A participating model without a known price makes a limit useless, so no
// model is allowed then; programs of this machine count as paid: only an operator can name them.
func (a Allowance) applyTo(set settings) (settings, error) {
	set.spendAtMost(a.Most)
	for _, one := range available(set.panel.parties) {
		served, _ := set.panel.providers.Find(one.Provider)
		if _, known := set.panel.prices.Of(one.Model); a.Refused == "" && a.Most > 0 && !known && !served.Command {
			a.Forbidden = debate.ForPrice
			a.Refused = fmt.Sprintf("the price of %s is not known, so that the monthly limit could not hold: only the built-in rules read the change. The operator of this server can "+wantsPrice, one.Model, one.Model)
		}
	}
	if a.Refused == "" {
		return set, nil
	}
	set.notes, set.forbidden = append(set.notes, a.Refused), a.Forbidden
	err := set.panel.close()
	set.panel = panel{clients: map[string]engine.Client{}, access: map[string]string{}}
	return set, err
}

// ReadAccounts reads the operator's file about accounts, and its settings files from the
// same directory. Without a file every account is allowed.
func (r *run) ReadAccounts(path string) (*config.Server, map[string]string, error) {
	if path == "" {
		return nil, nil, nil
	}
	data, err := r.readLimited(path, config.MaxBytes)
	if err != nil {
		return nil, nil, err
	}
	server, err := r.vocabulary().ParseServer(path, data)
	if err != nil {
		return nil, nil, err
	}
	texts := make(map[string]string)
	read := func(name string) error {
		if name == "" || texts[name] != "" {
			return nil
		}
		at := name
		if !filepath.IsAbs(at) {
			at = filepath.Join(filepath.Dir(r.path(path)), name)
		}
		data, err := r.readLimited(at, config.MaxBytes)
		if err == nil {
			_, err = r.vocabulary().ParseOperator(at, data)
		}
		texts[name] = string(data)
		return err
	}
	for _, a := range server.Accounts {
		for _, k := range a.Keys {
			// An account without a usable key of its own would spend the server's money.
			if p, known := r.Providers.Find(string(k.Provider)); !known || len(p.Keys) == 0 {
				return nil, nil, usage(fmt.Errorf("%s: the provider %s takes no key, so that %s cannot have one of its own for it: leave it out of keys", path, k.Provider, a.Name))
			}
		}
		if err := read(a.Settings); err != nil {
			return nil, nil, err
		}
		for _, own := range a.Repositories {
			if err := read(own.Settings); err != nil {
				return nil, nil, err
			}
		}
	}
	return &server, texts, nil
}

// Keyless returns advice if the server can ask no model, else "".
func (r *run) Keyless(accounts *config.Server) string {
	var keys []string
	for _, p := range r.Providers {
		keys = append(keys, p.Keys...)
	}
	if accounts != nil {
		keys = append(keys, accounts.KeyNames()...)
	}
	set, _ := r.operatorConfig("") // its errors were reported before
	seated := newPanel(r.Providers, nil, r.Getenv)
	isServed := func(one config.Party) bool {
		_, err := seated.connect(one)
		return err == nil
	}
	if slices.ContainsFunc(keys, func(name string) bool { return r.Getenv(name) != "" }) || slices.ContainsFunc(set.Parties.All(), isServed) {
		return ""
	}
	return "no API key is set, so no model reviews anything: set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY in the environment of debate serve or in its --env-file"
}
