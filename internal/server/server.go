// Package server is the part of debate-server that debate lacks: it serves a GitHub App and
// keeps its database. So debate builds without a database.
package server

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	mathrand "math/rand/v2"
	"net"
	"net/http"
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
	"github.com/prdebate/debate/internal/cli"
	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/config"
	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/redact"
	"github.com/prdebate/debate/internal/store/database"
)

// App serves a GitHub App; it implements cli.Server.
type App struct{}

var _ cli.Server = App{}

// flags are those of debate serve.
type flags cli.ServeFlags

// Serve implements cli.Server.
func (App) Serve(r *cli.Run, given cli.ServeFlags, at string) error {
	f := flags(given)
	if f.Workers < 1 || f.Workers > durable.MaxWorkers {
		return cli.Usage(fmt.Errorf("--workers %d: write 1 to %d", f.Workers, durable.MaxWorkers))
	}
	if f.KeepDays < 1 { // else running reviews would be forgotten
		return cli.Usage(fmt.Errorf("--keep-days %d: records are kept for a day at least", f.KeepDays))
	}
	var with credentials
	var err error
	if !f.MigrateOnly {
		if with.accounts, with.texts, err = r.ReadAccounts(f.Accounts); err != nil {
			return err
		}
	}
	with.hidden = secretsOf(r.Env, with.accounts)
	log, err := journal.New(r.Stderr, journal.Format(f.Log), slog.LevelInfo, with.hidden)
	if err != nil {
		return cli.Usage(err)
	}
	warnOfKeys(log, with.accounts, r.Getenv)
	if !f.MigrateOnly {
		if with.warning = r.Keyless(with.accounts); with.warning != "" {
			log.Warn(with.warning)
		}
		if err := f.signIn(r, &with, log); err != nil {
			return err
		}
		defer with.spans.Close(context.WithoutCancel(r.Context())) // after the jobs, to send their spans
	}
	db, err := open(r, at, database.Options{MigrateOnly: f.MigrateOnly})
	if err != nil {
		return err
	}
	defer db.Close()
	if f.MigrateOnly {
		r.Progress("the database %s is up to date", db.Address())
		return nil
	}
	s, err := f.server(r, db, with, log)
	if err != nil {
		return err
	}
	return s.serve(r.Context(), f)
}

// warnOfKeys logs missing keys of accounts: their reviews would ask no model.
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

// credentials are the server's secrets and its limits of spending.
type credentials struct {
	secrets  [][]byte // of the webhook
	app      *gh.App
	meter    *meter.Meter
	spans    *spans.Tracer // nil: nothing is traced
	accounts *config.Server
	warning  string // no model can be asked; "" if one can
	texts    map[string]string
	hidden   *redact.Redactor // removes secrets from logs, spans and pages
	proxy    admin.Proxy
}

// secretsOf returns a redactor for logs, spans and pages: for secrets of the environment,
// keys of accounts, and headers for spans.
func secretsOf(e cli.Env, accounts *config.Server) *redact.Redactor {
	var keys []string
	if accounts != nil {
		keys = accounts.KeyNames()
	}
	return cli.Hiding(e, keys, spans.Secrets(e.Getenv)...)
}

// signIn reads the rest of them. Nothing is asked and nothing is made yet.
func (f flags) signIn(r *cli.Run, with *credentials, log *slog.Logger) (err error) {
	if !r.IsApp() {
		return cli.Usage(errors.New("DEBATE_APP_ID is not set to the id of your GitHub App: run debate serve --setup to make one, or see docs/app.md"))
	}
	if with.secrets, err = f.secrets(r); err != nil {
		return err
	}
	with.meter = meter.New(cli.Version())
	if with.proxy, err = f.proxy(); err != nil {
		return err
	}
	if with.spans, err = f.traced(r, with.hidden, log); err != nil {
		return err
	}
	with.app, err = r.App(with.spans.Transport(r.GitHub), with.meter.Budget)
	return err
}

// traced returns the tracer of the server, nil if the environment names no receiver.
func (f flags) traced(r *cli.Run, hidden *redact.Redactor, log *slog.Logger) (*spans.Tracer, error) {
	t, err := spans.New(r.Context(), spans.Options{
		Getenv: r.Getenv, Version: cli.Version(), Node: nodeName(f.Node), Log: log,
		Clean: func(text string) string { return comment.Clip(comment.Line(hidden.Text(text)), spans.MaxText) },
	})
	if err != nil {
		return nil, cli.Usage(err)
	}
	return t, nil
}

// webhookSecret holds the secrets of the webhook, with commas between them.
const webhookSecret = "DEBATE_WEBHOOK_SECRET"

// secrets are those of the webhook: while one is exchanged for another both count.
func (f flags) secrets(r *cli.Run) ([][]byte, error) {
	var all [][]byte
	for _, secret := range strings.Split(r.Getenv(webhookSecret), ",") {
		if secret = strings.TrimSpace(secret); secret != "" {
			all = append(all, []byte(secret))
		}
	}
	if len(all) == 0 && !f.Poll {
		return nil, cli.Usage(errors.New(webhookSecret + " is not set: without it the server cannot tell GitHub's deliveries from others; with --poll none is needed"))
	}
	return all, nil
}

// running is a served App.
type running struct {
	db         *database.DB
	queue      *durable.Queue
	dispatcher *bot.Dispatcher
	hook       *bot.Hook
	pages      admin.Options // of the dashboard, without its address
	chores     []bot.Chore
	node       string
	log        *slog.Logger
}

// server wires all of it. Nothing runs yet.
func (f flags) server(r *cli.Run, db *database.DB, with credentials, log *slog.Logger) (*running, error) {
	// The key that seals the memory in summaries: the operator's, possibly shared with an
	// Action, or a random one in the database.
	seal, err := r.Getenv("DEBATE_STATE_KEY"), error(nil)
	if seal == "" {
		if seal, err = db.SettingOnce(r.Context(), "state_key", rand.Text()); err != nil {
			return nil, err
		}
	}
	r.KeepSecret(seal)
	s := &running{db: db, node: nodeName(f.Node), log: log}
	board := admin.NewBoard()
	worker := &bot.Worker{
		Ledger: func(job <-chan struct{}) bot.Ledger { return db.Waiting(job, log) }, Database: db, Meter: with.meter, Clean: with.hidden.Text, Now: r.Now, Log: log, Spans: with.spans, Random: mathrand.Float64, Limits: &bot.Limits{},
		Bench: &serving{env: r.Env, app: with.app, accounts: with.accounts, texts: with.texts, stateKey: seal, spent: db, meter: with.meter, board: board, spans: with.spans, log: log},
		Wake:  func() { s.dispatcher.Wake() },
	}
	if s.queue, err = durable.New(r.Context(), durable.Options{
		SQLite: db.SQLite(), Postgres: db.Postgres(), Node: s.node, Workers: f.Workers, Logger: log, Do: worker.Do,
	}); err != nil {
		return nil, fmt.Errorf("open the queue: %w", err)
	}
	s.dispatcher = bot.NewDispatcher(db, s.queue, r.Now, log)
	s.hook = &bot.Hook{Inbox: db, Secrets: with.secrets, Meter: with.meter, Wake: s.dispatcher.Wake, Now: r.Now, Log: log, Spans: with.spans}
	found := &gaps{}
	s.chores = f.chores(s, r.Now, with, found)
	s.pages, err = pages(s, r, with)
	s.pages.Board, s.pages.Gaps, s.pages.Install = board, found.list, found.install
	return s, err
}

// serve listens, works and keeps house until ctx ends; then it drains.
func (s *running) serve(ctx context.Context, f flags) error {
	hook, err := listenAt("--listen", f.Listen)
	if err != nil {
		return err
	}
	pages, err := listenAt("--admin-listen", f.AdminListen)
	if err != nil {
		return errors.Join(err, hook.Close())
	}
	work, stop := context.WithCancel(ctx)
	defer stop()
	s.pages.Address, s.pages.Ended = pages.Addr(), work.Done()
	dashboard := admin.New(s.pages)
	if err := s.queue.Start(ctx); err != nil {
		return errors.Join(s.notAlone(err), hook.Close(), pages.Close())
	}
	mux := http.NewServeMux()
	mux.Handle(hookPath, s.hook)
	s.log.InfoContext(ctx, "serving", "webhook", hook.Addr().String(), "dashboard", pages.Addr().String(), "database", s.db.Address(), "node", s.node)

	var all errgroup.Group
	all.Go(func() error { s.dispatcher.Run(work); return nil })
	all.Go(func() error { bot.RunChores(work, s.log, s.chores...); return nil })
	all.Go(func() error { return listen(work, stop, hook, mux) })
	all.Go(func() error { return listen(work, stop, pages, dashboard) })
	err = all.Wait()
	after, cancel := context.WithTimeout(context.WithoutCancel(ctx), f.Drain+time.Minute)
	defer cancel()
	drained := s.queue.Drain(after, f.Drain)
	if drained == nil { // else its jobs may still run, and the others have to wait until it is silent
		drained = s.db.ForgetNode(after, s.node)
	}
	return errors.Join(err, drained)
}

// hookPath is the path for deliveries.
const hookPath = "/webhook"

// listenAt opens the address of a flag.
func listenAt(flag, address string) (net.Listener, error) {
	listener, err := net.Listen("tcp", address)
	var wrong *net.AddrError
	switch {
	case err == nil:
		return listener, nil
	case errors.As(err, &wrong):
		return nil, cli.Usage(fmt.Errorf("%s %s is no address to listen at: %s; write HOST:PORT, or :PORT for all addresses of this machine", flag, address, wrong.Err))
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("%s %s: another program listens there; end it, or name another port", flag, address)
	case errors.Is(err, syscall.EACCES):
		return nil, fmt.Errorf("%s %s: this user may not listen there; name a port above 1023", flag, address)
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		return nil, fmt.Errorf("%s %s: this machine does not have that address", flag, address)
	}
	return nil, fmt.Errorf("%s %s: %w", flag, address, err)
}

// notAlone adds advice if another server has the name of this one.
func (s *running) notAlone(err error) error {
	switch {
	case !errors.Is(err, durable.ErrNodeInUse):
		return err
	case s.db.SQLite() != nil:
		return fmt.Errorf("another server works on %s: stop it first; several servers need PostgreSQL", s.db.Address())
	}
	return fmt.Errorf("another server works on %s as %q: stop it, or give this one a name of its own with --node", s.db.Address(), s.node)
}

// The bounds of a request, so that no client holds a connection without end.
const (
	readWithin = 30 * time.Second
	endWithin  = 10 * time.Second
	maxHeader  = 64 << 10
)

// listen answers requests until ctx ends. A failed listener stops the whole server.
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

// chores returns the periodic tasks of a server.
func (f flags) chores(s *running, now func() time.Time, with credentials, found *gaps) []bot.Chore {
	list := []bot.Chore{
		{Name: "sign of life", Every: bot.BeatEvery, Do: func(ctx context.Context) error {
			return bot.Beat(ctx, s.db, s.queue, s.node, now(), s.log)
		}},
		{Name: "list of installations", Every: bot.SweepEvery, Do: func(ctx context.Context) error { return bot.ReadInstallations(ctx, with.app, s.db, s.log) }},
		{Name: "check of the permissions", Every: bot.SweepEvery, Do: func(ctx context.Context) error { return found.look(ctx, with.app, with.accounts) }},
		{Name: "sweep", Every: bot.SweepEvery / 6, Do: func(ctx context.Context) error { return bot.WantSweeps(ctx, s.db, now()) }},
		{Name: "clearing of old records", Every: 24 * time.Hour, Do: func(ctx context.Context) error {
			before := now().AddDate(0, 0, -f.KeepDays)
			_, err := s.queue.Forget(ctx, before)
			return errors.Join(err, s.db.Forget(ctx, before.UnixMilli()))
		}},
	}
	if f.Poll {
		poller := &bot.Poller{GitHub: with.app, Kept: s.db, Hook: s.hook, Now: now, Log: s.log}
		list = append(list, bot.Chore{Name: "poll", Every: bot.PollEvery, Do: poller.Poll})
	}
	return list
}
