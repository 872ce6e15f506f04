package config

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseServer(t *testing.T) {
	t.Parallel()
	v := Vocabulary{Services: Services{{Name: "openai"}, {Name: "anthropic"}}}
	got, err := v.ParseServer("debate-server.yml", []byte(`version: 1
monthly_usd: 500
accounts:
  - name: acme
    monthly_usd: 99.50
    settings: acme.yml
    keys:
      - provider: openai
        env: ACME_OPENAI_KEY
    repositories:
      - name: shop
        monthly_usd: 10
  - name: mona
    id: 583231
`))
	if err != nil {
		t.Fatal(err)
	}
	want := Server{Version: 1, MonthlyUSD: 500 * Dollar, Accounts: []Account{
		{
			Name: "acme", MonthlyUSD: 99_500_000, Settings: "acme.yml", Keys: []OwnKey{{Provider: "openai", Env: "ACME_OPENAI_KEY"}},
			Repositories: []OwnRepository{{Name: "shop", MonthlyUSD: 10 * Dollar}},
		},
		{Name: "mona", ID: 583231},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("settings differ (-want +got):\n%s", diff)
	}
	for _, tt := range []struct {
		owner string
		id    int64
		name  string
		limit USD
		ok    bool
		other int64
	}{
		{"Acme", 1, "Shop", 10 * Dollar, true, 0}, {"acme", 2, "till", 0, true, 0}, {"Mona", 583231, "x", 0, true, 0}, {"evil", 3, "shop", 0, false, 0},
		{"mona", 4, "x", 0, false, 583231}, {"mona", 0, "x", 0, false, 583231}, // somebody took the name
	} {
		if _, r, ok := got.Of(tt.owner, tt.id, tt.name); ok != tt.ok || r.MonthlyUSD != tt.limit {
			t.Errorf("Of(%s, %d, %s) = %v, %v", tt.owner, tt.id, tt.name, r, ok)
		}
		if other := got.Other(tt.owner, tt.id); other != tt.other {
			t.Errorf("Other(%s, %d) = %d", tt.owner, tt.id, other)
		}
	}
}

func TestParseServerErrors(t *testing.T) {
	t.Parallel()
	v := Vocabulary{Services: Services{{Name: "openai"}}}
	for _, tt := range []struct{ name, file, want string }{
		{"empty", "", "1:1: the file says nothing"},
		{"no account", "version: 1", ":1:1: the file lacks accounts"},
		{"no YAML", "accounts: [", "server.yml:1:11: "},
		{"nobody", "accounts: []", "accounts"},
		{"an unknown setting", "accounts:\n  - name: acme\n    budget: 3\n", `:3:5: unknown setting "budget"`},
		{"a provider that nobody knows", "accounts:\n  - name: acme\n    keys: [{provider: opnai, env: A}]\n", "opnai"},
		{"a key in the place of its name", "accounts:\n  - name: acme\n    keys: [{provider: openai, env: sk-1}]\n", "env"},
		{"no amount", "accounts:\n  - name: acme\n    monthly_usd: much\n", "must be an amount"},
		{"no number of an account", "accounts: [{name: acme, id: 0}]", "id"},
		{"an account twice", "accounts: [{name: acme}, {name: Acme}]", "Acme is listed twice"},
		{"a repository twice", "accounts: [{name: acme, repositories: [{name: a}, {name: A}]}]", "acme/A is listed twice"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := v.ParseServer("server.yml", []byte(tt.file))
			if says := strings.Contains(fmt.Sprint(err), "says nothing"); says != (tt.name == "empty") {
				t.Errorf("it says that the file says nothing: %t", says)
			}
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error = %v, want %q in it", err, tt.want)
			}
		})
	}
}
