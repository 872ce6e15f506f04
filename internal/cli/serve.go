package cli

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	mathrand "math/rand/v2"
	"net"
	"net/http"
	"slices"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/prdebate/debate/internal/bot"
	"github.com/prdebate/debate/internal/bot/admin"
	"github.com/prdebate/debate/internal/bot/durable"
	"github.com/prdebate/debate/internal/bot/journal"
	"github.com/prdebate/debate/internal/bot/meter"
	"github.com/prdebate/debate/internal/bot/spans"
	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/config"
	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/model"
	"github.com/prdebate/debate/internal/redact"
	"github.com/prdebate/debate/internal/store/database"
)

type serveCmd struct {
	databaseFlag

	Listen      string        `default:":8080" placeholder:"ADDR" help:"Where GitHub's deliveries arrive, at /webhook. The default is :8080."`
	AdminListen string        `default:"127.0.0.1:8081" placeholder:"ADDR" help:"Where the dashboard, the metrics and the health of the server are. The default is 127.0.0.1:8081."`
	Accounts    string        `placeholder:"FILE" help:"Who may have models asked, with whose keys, for how much a month. Without it everybody who installs the App may."`
	Workers     int           `default:"4" placeholder:"N" help:"How many pull requests are reviewed at once. The default is 4."`
	Node        string        `placeholder:"NAME" help:"Name of this server among those that share a database. The default is that of the machine."`
	Setup       bool          `help:"Make a GitHub App with the browser of this machine, and end."`
	PublicURL   string        `name:"public-url" placeholder:"URL" help:"With --setup: where GitHub can reach this server, such as https://debate.example.com/webhook."`
	Owner       string        `placeholder:"NAME" help:"With --setup: the organisation that is to own the App."`
	EnvFile     string        `placeholder:"FILE" help:"Settings that --setup wrote: NAME=VALUE lines, read as if the environment held them."`
	Poll        bool          `help:"Read what GitHub delivered instead of being called: for a server that GitHub cannot reach."`
	MigrateOnly bool          `help:"Bring the database up to date and end."`
	Drain       time.Duration `default:"30s" placeholder:"TIME" help:"How long running reviews may go on once the server is told to stop, 30s by default. What is left goes on at the next start."`
	KeepDays    int           `default:"90" placeholder:"N" help:"For how many days records and deliveries are kept. The default is 90."`
	ProxyHeader string        `placeholder:"NAME" help:"Header in which a reverse proxy names who signed in, such as X-Forwarded-User. Then the dashboard may be reached from elsewhere, through that proxy alone."`
	ProxyFrom   []string      `placeholder:"CIDR" help:"Addresses of that proxy, such as 10.0.0.5/32."`
	Log         string        `enum:"text,json" default:"text" help:"How the log is written: text or json."`
}

// Help shows how the command is used.
func (c *serveCmd) Help() string {
	return `Examples:
  debate serve --setup --public-url https://debate.example.com/webhook
  debate serve --env-file app.env
  debate serve --env-file app.env --poll     behind a firewall`
}

// Run serves until it is told to stop.
func (c *serveCmd) Run(r *run) error {
	if c.Setup {
		return c.makeApp(r)
	}
	if c.Workers < 1 || c.Workers > durable.MaxWorkers {
		return usage(fmt.Errorf("--workers %d: write 1 to %d", c.Workers, durable.MaxWorkers))
	}
	if c.KeepDays < 1 { // else running reviews would be forgotten
		return usage(fmt.Errorf("--keep-days %d: records are kept for a day at least", c.KeepDays))
	}
	if err := r.withFile(c.EnvFile); err != nil {
		return err
	}
	var with credentials
	var err error
	if !c.MigrateOnly {
		if _, err = r.operatorConfig(); err != nil { // else every review would fail because of it
			return err
		}
		if with.accounts, with.texts, err = r.readAccounts(c.Accounts); err != nil {
			return err
		}
	}
	with.hidden = secretsOf(r.Env, with.accounts)
	log, err := journal.New(r.Stderr, journal.Format(c.Log), slog.LevelInfo, with.hidden)
	if err != nil {
		return usage(err)
	}
	warnOfKeys(log, with.accounts, r.Getenv)
	if !c.MigrateOnly {
		if with.warning = r.keyless(with.accounts); with.warning != "" {
			log.Warn(with.warning)
		}
		if err := c.signIn(r, &with, log); err != nil {
			return err
		}
		defer with.spans.Close(context.WithoutCancel(r.ctx)) // after the jobs, whose spans it sends
	}
	db, err := r.openDatabase(r.databaseAt(c.Database), database.Options{MigrateOnly: c.MigrateOnly})
	if err != nil {
		return err
	}
	defer db.Close()
	if c.MigrateOnly {
		r.progress("the database %s is up to date", db.Address())
		return nil
	}
	s, err := c.server(r, db, with, log)
	if err != nil {
		return err
	}
	return s.serve(r.ctx, c)
}

// warnOfKeys tells of keys of accounts that are not there: their reviews would ask no model.
func warnOfKeys(log *slog.Logger, accounts *config.Server, getenv func(string) string) {
	if accounts == nil {
		return
	}
	for _, name := range accounts.KeyNames() {
		if getenv(name) == "" {
			log.Warn("the accounts file names a key that is not set, so the account cannot have its provider asked", "variable", name)
		}
	}
}

// keyless says that a server has no key of any model and what to do, "" if a model can be asked.
func (r *run) keyless(accounts *config.Server) string {
	isSet := func(name string) bool { return r.Getenv(name) != "" }
	if accounts != nil && slices.ContainsFunc(accounts.KeyNames(), isSet) {
		return ""
	}
	if slices.ContainsFunc(r.Providers, func(p model.Provider) bool { return slices.ContainsFunc(p.Keys, isSet) }) {
		return ""
	}
	set, _ := r.operatorConfig() // what is wrong with it was said before
	backends := newBackends(r.Providers, nil, r.Getenv)
	for _, one := range set.Parties.All() {
		if p, known := r.Providers.Find(string(one.Provider)); known {
			if _, err := backends.options(p, one); err == nil {
				return ""
			}
		}
	}
	return "no API key is set, so no model reviews anything: set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY in the environment of debate serve or in its --env-file"
}

// credentials are what the server signs in with, and for whom it may spend.
type credentials struct {
	secrets  [][]byte // of the webhook
	app      *gh.App
	meter    *meter.Meter
	spans    *spans.Tracer // nil: nothing is traced
	accounts *config.Server
	warning  string // that no model can be asked, "" if one can
	texts    map[string]string
	hidden   *redact.Redactor // takes out what no log, span or page may show
	proxy    admin.Proxy
}

// secretsOf takes out of texts what no log, span or page may show: what the environment
// holds by its names, the keys of accounts, and what a receiver of traces is told.
func secretsOf(e Env, accounts *config.Server) *redact.Redactor {
	var keys []string
	if accounts != nil {
		keys = accounts.KeyNames()
	}
	return hiding(append(ownSecrets(e.Environ(), keys), spans.Secrets(e.Getenv)...))
}

// signIn reads the rest of them. Nothing is asked and nothing is made yet.
func (c *serveCmd) signIn(r *run, with *credentials, log *slog.Logger) (err error) {
	if !r.isApp() {
		return usage(errors.New(appID + " is not set to the id of your GitHub App: run debate serve --setup to make one, or see docs/app.md"))
	}
	if with.secrets, err = c.secrets(r); err != nil {
		return err
	}
	with.meter = meter.New(version())
	if with.proxy, err = c.proxy(); err != nil {
		return err
	}
	if with.spans, err = c.traced(r, with.hidden, log); err != nil {
		return err
	}
	with.app, err = r.app(with.spans.Transport(r.GitHub), with.meter.Budget)
	return err
}

// traced is what traces the server, nil where the environment names nobody to tell.
func (c *serveCmd) traced(r *run, hidden *redact.Redactor, log *slog.Logger) (*spans.Tracer, error) {
	t, err := spans.New(r.ctx, spans.Options{
		Getenv: r.Getenv, Version: version(), Node: nodeName(c.Node), Log: log,
		Clean: func(text string) string { return comment.Clip(comment.Line(hidden.Text(text)), spans.MaxText) },
	})
	if err != nil {
		return nil, usage(err)
	}
	return t, nil
}

// webhookSecret holds the secrets of the webhook, with commas between them.
const webhookSecret = "DEBATE_WEBHOOK_SECRET"

// secrets are those of the webhook: while one is exchanged for another both count.
func (c *serveCmd) secrets(r *run) ([][]byte, error) {
	var all [][]byte
	for _, secret := range strings.Split(r.Getenv(webhookSecret), ",") {
		if secret = strings.TrimSpace(secret); secret != "" {
			all = append(all, []byte(secret))
		}
	}
	if len(all) == 0 && !c.Poll {
		return nil, usage(errors.New(webhookSecret + " is not set: nobody could tell GitHub's deliveries from others; with --poll none is needed"))
	}
	return all, nil
}

// server is a running App.
type server struct {
	db         *database.DB
	queue      *durable.Queue
	dispatcher *bot.Dispatcher
	hook       *bot.Hook
	pages      admin.Options // of the dashboard, but for where it is
	chores     []bot.Chore
	node       string
	log        *slog.Logger
}

// server wires all of it. Nothing runs yet.
func (c *serveCmd) server(r *run, db *database.DB, with credentials, log *slog.Logger) (*server, error) {
	seal, err := stateKey(r.ctx, r, db)
	if err != nil {
		return nil, err
	}
	r.keepSecret(seal)
	s := &server{db: db, node: nodeName(c.Node), log: log}
	board := admin.NewBoard()
	worker := &bot.Worker{
		Ledger: db, Swept: db, Meter: with.meter, Clean: with.hidden.Text, Now: r.Now, Log: log, Spans: with.spans, Random: mathrand.Float64, Limits: &bot.Limits{},
		Bench: &serving{env: r.Env, app: with.app, accounts: with.accounts, texts: with.texts, stateKey: seal, spent: db, meter: with.meter, board: board, spans: with.spans, log: log},
		Wake:  func() { s.dispatcher.Wake() },
	}
	if s.queue, err = durable.New(r.ctx, durable.Options{
		SQLite: db.SQLite(), Postgres: db.Postgres(), Node: s.node, Workers: c.Workers, Logger: log, Do: worker.Do,
	}); err != nil {
		return nil, fmt.Errorf("open the queue: %w", err)
	}
	s.dispatcher = bot.NewDispatcher(db, s.queue, r.Now, log)
	s.hook = &bot.Hook{Inbox: db, Secrets: with.secrets, Meter: with.meter, Wake: s.dispatcher.Wake, Now: r.Now, Log: log, Spans: with.spans}
	found := &gaps{}
	s.chores = c.chores(s, r.Now, with, found)
	s.pages, err = c.pages(s, r, with)
	s.pages.Board, s.pages.Gaps = board, found.list
	return s, err
}

// stateKey is the key that seals what summaries remember: the operator's, so that it can be
// the same as that of an Action, or one that this server draws and keeps.
func stateKey(ctx context.Context, r *run, db *database.DB) (string, error) {
	if key := r.Getenv("DEBATE_STATE_KEY"); key != "" {
		return key, nil
	}
	return db.SettingOnce(ctx, "state_key", rand.Text())
}

// serve listens, works and keeps house until ctx ends; then it drains.
func (s *server) serve(ctx context.Context, c *serveCmd) error {
	hook, err := listenAt("--listen", c.Listen)
	if err != nil {
		return err
	}
	pages, err := listenAt("--admin-listen", c.AdminListen)
	if err != nil {
		return errors.Join(err, hook.Close())
	}
	s.pages.Address = pages.Addr()
	dashboard := admin.New(s.pages)
	if err := s.queue.Start(ctx); err != nil {
		return errors.Join(s.notAlone(err), hook.Close(), pages.Close())
	}
	mux := http.NewServeMux()
	mux.Handle(hookPath, s.hook)
	s.log.InfoContext(ctx, "serving", "webhook", hook.Addr().String(), "dashboard", pages.Addr().String(), "database", s.db.Address(), "node", s.node)

	work, stop := context.WithCancel(ctx)
	defer stop()
	var all errgroup.Group
	all.Go(func() error { s.dispatcher.Run(work); return nil })
	all.Go(func() error { dashboard.Run(work); return nil })
	all.Go(func() error { bot.RunChores(work, s.log, s.chores...); return nil })
	all.Go(func() error { return listen(work, stop, hook, mux) })
	all.Go(func() error { return listen(work, stop, pages, dashboard) })
	err = all.Wait()
	after, cancel := context.WithTimeout(context.WithoutCancel(ctx), c.Drain+time.Minute)
	defer cancel()
	drained := s.queue.Drain(after, c.Drain)
	if drained == nil { // else its jobs may still run, and the others have to wait until it is silent
		drained = s.db.ForgetNode(after, s.node)
	}
	return errors.Join(err, drained)
}

// hookPath is where deliveries arrive.
const hookPath = "/webhook"

// listenAt opens the address that a flag names.
func listenAt(flag, address string) (net.Listener, error) {
	listener, err := net.Listen("tcp", address)
	var wrong *net.AddrError
	switch {
	case err == nil:
		return listener, nil
	case errors.As(err, &wrong):
		return nil, usage(fmt.Errorf("%s %s is no address to listen at: %s; write HOST:PORT, or :PORT for all addresses of this machine", flag, address, wrong.Err))
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("%s %s: another program listens there; end it, or name another port", flag, address)
	case errors.Is(err, syscall.EACCES):
		return nil, fmt.Errorf("%s %s: this user may not listen there; name a port above 1023", flag, address)
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		return nil, fmt.Errorf("%s %s: this machine does not have that address", flag, address)
	}
	return nil, fmt.Errorf("%s %s: %w", flag, address, err)
}

// notAlone says what to do where another server has the name of this one.
func (s *server) notAlone(err error) error {
	switch {
	case !errors.Is(err, durable.ErrNodeInUse):
		return err
	case s.db.SQLite() != nil:
		return fmt.Errorf("another server works on %s: stop it first; several servers need PostgreSQL", s.db.Address())
	}
	return fmt.Errorf("another server works on %s as %q: stop it, or give this one a name of its own with --node", s.db.Address(), s.node)
}

// The bounds of a request, so that nobody can hold a connection for ever.
const (
	readWithin = 30 * time.Second
	endWithin  = 10 * time.Second
	maxHeader  = 64 << 10
)

// listen answers requests until ctx ends. A listener that fails stops the whole server.
func listen(ctx context.Context, stop func(), on net.Listener, with http.Handler) error {
	defer stop()
	srv := &http.Server{Handler: with, ReadHeaderTimeout: readWithin, ReadTimeout: readWithin, IdleTimeout: 2 * readWithin, MaxHeaderBytes: maxHeader}
	ended := make(chan error, 1)
	go func() {
		<-ctx.Done()
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), endWithin)
		defer cancel()
		err := srv.Shutdown(last)
		if errors.Is(err, context.DeadlineExceeded) {
			err = srv.Close()
		}
		ended <- err
	}()
	if err := srv.Serve(on); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return <-ended
}

// chores are what a server does again and again.
func (c *serveCmd) chores(s *server, now func() time.Time, with credentials, found *gaps) []bot.Chore {
	list := []bot.Chore{
		{Name: "sign of life", Every: bot.BeatEvery, Do: func(ctx context.Context) error {
			return bot.Beat(ctx, s.db, s.queue, s.node, now(), s.log)
		}},
		{Name: "list of installations", Every: bot.SweepEvery, Do: func(ctx context.Context) error { return bot.ReadInstallations(ctx, with.app, s.db, s.log) }},
		{Name: "check of the permissions", Every: bot.SweepEvery, Do: func(ctx context.Context) error { return found.look(ctx, with.app, with.accounts) }},
		{Name: "sweep", Every: bot.SweepEvery / 6, Do: func(ctx context.Context) error { return bot.WantSweeps(ctx, s.db, now()) }},
		{Name: "clearing of old records", Every: 24 * time.Hour, Do: func(ctx context.Context) error { return s.forget(ctx, now().AddDate(0, 0, -c.KeepDays)) }},
	}
	if c.Poll {
		poller := &bot.Poller{GitHub: with.app, Kept: s.db, Hook: s.hook, Now: now, Log: s.log}
		list = append(list, bot.Chore{Name: "poll", Every: bot.PollEvery, Do: poller.Poll})
	}
	return list
}

// forget takes away what is older than a time.
func (s *server) forget(ctx context.Context, before time.Time) error {
	_, err := s.queue.Forget(ctx, before)
	return errors.Join(err, s.db.Forget(ctx, before.UnixMilli()))
}
