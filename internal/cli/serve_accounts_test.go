package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/action"
	"github.com/prdebate/debate/internal/config"
	"github.com/prdebate/debate/internal/debate"
)

// TestHoldTo: an allowance lowers the limit of the settings, or has nobody take part.
func TestHoldTo(t *testing.T) {
	t.Parallel()
	own := settings{config: config.Config{Limits: config.Limits{MaxCostUSD: 2 * config.Dollar}}}
	own.panel.parties = []debate.Party{{ID: "one"}}
	for _, tt := range []struct {
		Allowance
		limit config.USD
		asked int
		notes []string
	}{
		{Allowance{}, 2 * config.Dollar, 1, nil},
		{Allowance{Most: config.Dollar}, config.Dollar, 1, nil},
		{Allowance{Most: 10 * config.Dollar}, 2 * config.Dollar, 1, nil},
		{Allowance{Refused: "it is spent", Forbidden: debate.ForMoney}, 2 * config.Dollar, 0, []string{"it is spent"}},
	} {
		set, err := tt.applyTo(own)
		if err != nil {
			t.Fatal(err)
		}
		if set.config.Limits.MaxCostUSD != tt.limit || len(set.panel.parties) != tt.asked || !slices.Equal(set.notes, tt.notes) || set.forbidden != tt.Forbidden {
			t.Errorf("%+v: it may cost %s, parties %v, notes %v, forbidden for %q", tt.Allowance, set.config.Limits.MaxCostUSD, set.panel.parties, set.notes, set.forbidden)
		}
	}
}

// TestUnpricedModel: where a monthly limit holds nobody is asked whose price is not known:
// a repository could choose such a model, and spend without a limit.
func TestUnpricedModel(t *testing.T) {
	t.Parallel()
	getenv := func(name string) string { return map[string]string{"OPENAI_API_KEY": "sk-test"}[name] }
	for _, tt := range []struct {
		model string
		most  config.USD
		asked bool
	}{
		{model: "nobody-knows-1", most: config.Dollar},
		{model: "nobody-knows-1", asked: true},
		{model: "gpt-5", most: config.Dollar, asked: true},
	} {
		c := config.Config{Parties: config.Parties{Primary: &config.Party{ID: "one", Provider: "openai", Model: tt.model}}}
		seated, err := participants(c, System().Providers, getenv, nil)
		if err != nil {
			t.Fatal(err)
		}
		set, err := Allowance{Most: tt.most}.applyTo(settings{config: c, panel: seated})
		if err != nil {
			t.Fatal(err)
		}
		if asked := len(set.panel.parties) > 0; asked != tt.asked {
			t.Errorf("%s within %s: asked %v, notes %q", tt.model, tt.most, asked, set.notes)
		}
		if forbidden := set.forbidden == debate.ForPrice; forbidden == tt.asked {
			t.Errorf("%s within %s: forbidden for %q", tt.model, tt.most, set.forbidden)
		}
		if !tt.asked && (len(set.notes) != 1 || !strings.Contains(set.notes[0], "the price of nobody-knows-1 is not known")) {
			t.Errorf("it says %q", set.notes)
		}
	}
}

// TestKeysOfAccounts: an account with keys of its own never spends those of the server.
func TestKeysOfAccounts(t *testing.T) {
	t.Parallel()
	values := map[string]string{"OPENAI_API_KEY": "of the server", "ANTHROPIC_API_KEY": "of the server, too", "ACME_KEY": "of acme", "HOME": "/home/a"}
	base := System()
	base.Getenv = func(name string) string { return values[name] }
	base.Environ = func() []string { return nil }
	s := Hosting{Env: base, Accounts: &config.Server{Accounts: []config.Account{
		{Name: "acme", Keys: []config.OwnKey{{Provider: "openai", Env: "ACME_KEY"}}}, {Name: "mona"},
	}}}
	for owner, want := range map[string]map[string]string{
		"acme": {"OPENAI_API_KEY": "of acme", "ANTHROPIC_API_KEY": "", "HOME": "/home/a"},
		"mona": {"OPENAI_API_KEY": "of the server", "ANTHROPIC_API_KEY": "of the server, too", "HOME": "/home/a"},
	} {
		s.Owner, s.OwnerID, s.Name = owner, 5, "shop"
		job := s.forAccount(&action.Inputs{})
		for name, value := range want {
			if got := job.Getenv(name); got != value {
				t.Errorf("%s: %s is %q, want %q", owner, name, got, value)
			}
		}
		if owner == "acme" && !strings.Contains(strings.Join(job.Environ(), " "), "OPENAI_API_KEY=of acme") {
			t.Error("the key of an account is not known as a secret")
		}
	}
}

// TestListedProviders: an account with keys of its own may not name a model that the server
// pays for, with or without a key, unless the operator lists it for the account.
func TestListedProviders(t *testing.T) {
	t.Parallel()
	values := map[string]string{"ACME_KEY": "key-of-acme-alone", "OPENAI_API_KEY": "key-of-the-server", "OLLAMA_HOST": "http://127.0.0.1:11434", "ANTHROPIC_BASE_URL": "http://127.0.0.1:1"}
	base := System()
	base.Getenv = func(name string) string { return values[name] }
	base.Environ = func() []string { return nil }
	s := Hosting{Env: base, Accounts: &config.Server{Accounts: []config.Account{
		{Name: "acme", Keys: []config.OwnKey{{Provider: "openai", Env: "ACME_KEY"}}},
		{Name: "granted", Settings: "granted.yml", Keys: []config.OwnKey{{Provider: "openai", Env: "ACME_KEY"}}},
		{Name: "mona"},
	}}, Settings: map[string]string{"granted.yml": "parties: {challengers: [{id: local, provider: ollama, model: a}]}"}}
	for _, tt := range []struct {
		owner, provider string
		asked           bool
	}{
		{"acme", "openai", true}, {"acme", "ollama", false}, {"acme", "anthropic", false},
		{"granted", "ollama", true}, {"granted", "anthropic", false}, {"mona", "ollama", true}, {"mona", "anthropic", true},
	} {
		s.Owner, s.OwnerID, s.Name = tt.owner, 5, "shop"
		job := s.forAccount(&action.Inputs{})
		c := config.Config{Parties: config.Parties{Primary: &config.Party{ID: "one", Provider: config.Provider(tt.provider), Model: "a"}}}
		seated, err := participants(c, job.Providers, job.Getenv, nil)
		if err != nil {
			t.Fatal(err)
		}
		if asked := seated.clients["one"] != nil; asked != tt.asked {
			t.Errorf("%s may ask %s: %v (%s)", tt.owner, tt.provider, asked, seated.parties[0].Detail)
		}
	}
}

// TestKeylessServer: a server without any key says so; one key, a key of an account or a model
// that needs none is enough.
func TestKeylessServer(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	if err := os.MkdirAll(filepath.Join(home, "debate"), 0o700); err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(home, "debate", "config.yml"), []byte("version: 1\nparties:\n  primary: {provider: ollama, model: qwen3}\n"), 0o600)
	accounts := &config.Server{Accounts: []config.Account{{Name: "acme", Keys: []config.OwnKey{{Provider: "openai", Env: "ACME"}}}}}
	for name, tt := range map[string]struct {
		values map[string]string
		warns  bool
	}{
		"nothing":           {nil, true},
		"one key":           {map[string]string{"GEMINI_API_KEY": "k"}, false},
		"key of an account": {map[string]string{"ACME": "k"}, false},
		"a local model":     {map[string]string{"XDG_CONFIG_HOME": home}, false},
	} {
		env := aloneWith(tt.values)
		got := (&run{Env: env}).Keyless(accounts)
		if (got != "") != tt.warns || tt.warns && !strings.Contains(got, "set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY in the environment of debate serve") {
			t.Errorf("%s: %q", name, got)
		}
	}
}
