package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"github.com/prdebate/debate/internal/action"
	"github.com/prdebate/debate/internal/config"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/engine"
	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/model"
	"github.com/prdebate/debate/internal/pull"
)

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
func (h Hosting) Configure() (configure func(context.Context, gh.Repository, pull.File, pull.File) (pull.Setup, error), session func() string) {
	in := action.Inputs{StateKey: h.StateKey, Config: debate.SettingsFile, Target: debate.TargetAuto, Gate: debate.Advisory}
	env := h.forAccount(&in)
	env.Stderr = io.Discard
	conf := &configurer{env: env, in: in, commit: revision(), allowance: h.Allowance, watch: h.Watch}
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
		served, _ := set.panel.backends.providers.Find(one.Provider)
		if _, known := set.panel.backends.prices.Of(one.Model); a.Refused == "" && a.Most > 0 && !known && !served.Command {
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
	isSet := func(name string) bool { return r.Getenv(name) != "" }
	if accounts != nil && slices.ContainsFunc(accounts.KeyNames(), isSet) {
		return ""
	}
	if slices.ContainsFunc(r.Providers, func(p model.Provider) bool { return slices.ContainsFunc(p.Keys, isSet) }) {
		return ""
	}
	set, _ := r.operatorConfig() // its errors were reported before
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
