package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"

	"github.com/prdebate/debate/internal/action"
	"github.com/prdebate/debate/internal/bot"
	"github.com/prdebate/debate/internal/bot/admin"
	"github.com/prdebate/debate/internal/bot/meter"
	"github.com/prdebate/debate/internal/bot/spans"
	"github.com/prdebate/debate/internal/config"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/model"
	"github.com/prdebate/debate/internal/pull"
	"github.com/prdebate/debate/internal/store/database"
)

// serving is what the reviews of a server have in common.
type serving struct {
	env      Env
	app      *gh.App
	accounts *config.Server    // who may spend what; nil: all may, up to the limits of the settings
	texts    map[string]string // operator's settings by the file that an account names
	stateKey string            // seals what a summary remembers
	spent    spender
	meter    *meter.Meter
	board    *admin.Board
	spans    *spans.Tracer
	log      *slog.Logger
}

var _ bot.Bench = (*serving)(nil)

// Reviewer makes the reviewer of a repository for one job, signed in for it alone.
func (s *serving) Reviewer(ctx context.Context, repo database.Repo, task string) (bot.Reviewer, error) {
	client, err := s.app.Client(ctx, gh.InstalledRepo(repo), repositoryConfig)
	if err != nil {
		return bot.Reviewer{}, err
	}
	may, err := s.allowanceOf(ctx, repo, client.OwnerID, task)
	if err != nil {
		return bot.Reviewer{}, err
	}
	in := inputsOf(s)
	env := s.asConfigured(&in, repo, client.OwnerID)
	env.Stderr = io.Discard
	named := &sessions{now: env.Now, random: env.Random}
	watch := &watcher{board: s.board, meter: s.meter, session: func() string { return named.last }}
	conf := &configurer{
		env: env, in: in, commit: revision(), sessions: named, allowance: may, calls: watchedCalls{spans: s.spans}, tell: watch.of,
	}
	return bot.Reviewer{
		Runner: &pull.Runner{Reader: client.Reader, Writer: client.Writer, Configure: conf.configure, Now: env.Now},
		GitHub: client.Reader, Within: may.within, Close: watch.end,
		Book: func(depart func(ctx context.Context, f database.Flight) error) { conf.calls.depart = depart },
	}, nil
}

// inputsOf are what every job of a server is given.
func inputsOf(s *serving) action.Inputs {
	return action.Inputs{StateKey: s.stateKey, Config: repositoryConfig, Target: debate.TargetAuto, Gate: debate.Advisory}
}

// asConfigured gives a job the settings of its account, and the environment with its keys.
func (s *serving) asConfigured(in *action.Inputs, repo database.Repo, owner int64) Env {
	env := s.env
	if s.accounts == nil {
		return env
	}
	account, own, listed := s.accounts.Of(repo.Owner, owner, repo.Name)
	if !listed {
		return env
	}
	in.OperatorConfig = s.texts[cmp.Or(own.Settings, account.Settings)]
	keys := make(map[string]string)
	for _, k := range account.Keys {
		if p, known := env.Providers.Find(string(k.Provider)); known && len(p.Keys) > 0 {
			keys[p.Keys[0]] = env.Getenv(k.Env)
		}
	}
	if len(keys) > 0 {
		env.Getenv, env.Environ = onlyKeys(s.env, keys), withKeysOf(env.Environ, keys)
		env.Providers = onlyListed(s.env, account, in.OperatorConfig)
	}
	return env
}

// onlyListed are the providers with those out of reach that the operator lists neither
// among the keys of an account nor in the settings for it: a model that wants no key, such
// as one on the server's machine, is the server's as well.
func onlyListed(e Env, account config.Account, operator string) model.Registry {
	listed := make(map[string]bool)
	for _, k := range account.Keys {
		listed[string(k.Provider)] = true
	}
	set, err := e.operatorConfig()
	if operator != "" {
		set, err = e.vocabulary().ParseOperator("operator-config", []byte(operator))
	}
	if err == nil { // else no review begins with them
		for _, p := range set.Parties.All() {
			listed[string(p.Provider)] = true
		}
	}
	all := slices.Clone(e.Providers)
	for i, p := range all {
		if !listed[p.Name] {
			all[i].New = func(model.Options) (model.Client, error) {
				return nil, &model.Error{Class: debate.CallNotFound, Detail: fmt.Sprintf("%s pays with keys of its own, and whoever runs this server lists none for %s", account.Name, p.Name)}
			}
		}
	}
	return all
}

// onlyKeys is the environment with these keys of providers, and with none of the others: an
// account with keys of its own never spends those of the server.
func onlyKeys(e Env, keys map[string]string) func(string) string {
	others := make(map[string]bool)
	for _, p := range e.Providers {
		for _, name := range p.Keys {
			others[name] = true
		}
	}
	return func(name string) string {
		if value, own := keys[name]; own || others[name] {
			return value
		}
		return e.Getenv(name)
	}
}

// withKeysOf is an environment that holds these keys too, so that they are known as secrets.
func withKeysOf(environ func() []string, keys map[string]string) func() []string {
	return func() []string {
		all := environ()
		for name, key := range keys {
			all = append(all, name+"="+key)
		}
		return all
	}
}

// readAccounts reads the file of whoever runs the server, and the settings that it names,
// which stand beside it. Without a file everybody may.
func (r *run) readAccounts(path string) (*config.Server, map[string]string, error) {
	if path == "" {
		return nil, nil, nil
	}
	data, err := r.readLimited(path, config.MaxBytes)
	if err != nil {
		return nil, nil, err
	}
	server, err := r.vocabulary().ParseServer(path, data)
	if err != nil {
		return nil, nil, usage(err)
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
		if err != nil {
			return err
		}
		if _, err := r.vocabulary().ParseOperator(at, data); err != nil {
			return usage(err)
		}
		texts[name] = string(data)
		return nil
	}
	for _, a := range server.Accounts {
		if err := checkKeys(r.Providers, a); err != nil {
			return nil, nil, usage(fmt.Errorf("%s: %w", path, err))
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

// checkKeys refuses keys that could not count: an account all of whose keys are ignored
// would spend those of the server.
func checkKeys(providers model.Registry, a config.Account) error {
	for _, k := range a.Keys {
		if p, known := providers.Find(string(k.Provider)); !known || len(p.Keys) == 0 {
			return fmt.Errorf("the provider %s takes no key, so that %s cannot have one of its own for it: leave it out of keys", k.Provider, a.Name)
		}
	}
	return nil
}

// nodeName is how this server is called among those that share a database.
func nodeName(asked string) string {
	if asked != "" {
		return asked
	}
	if name, err := os.Hostname(); err == nil {
		return name
	}
	return "debate"
}
