package cli

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/config"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/model"
	"github.com/prdebate/debate/internal/model/provider"
)

// seated reads settings of an operator, in which CMD is a command that exists.
func seated(t *testing.T, yaml string, env map[string]string) (panel, error) {
	t.Helper()
	c, err := known.vocabulary().ParseOperator("a.yml", []byte(strings.ReplaceAll(yaml, "CMD", "provider: exec, command: [git, version]")))
	if err != nil {
		t.Fatal(err)
	}
	return participants(config.Merge(config.Config{}, c), provider.All(), func(name string) string { return env[name] }, nil)
}

// short is a party in one line.
func short(p debate.Party) string {
	out := p.ID + " " + string(p.Role) + " " + p.Provider + " " + p.Family + " " + string(p.Status)
	if p.Persona != "" {
		out += " " + p.Persona
	}
	if p.Debater != "" {
		out += " by " + p.Debater
	}
	return out
}

func TestParticipants(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, yaml string
		env        map[string]string
		want       []string
		sameFamily bool
	}{
		{"nothing", "", nil, nil, false},
		{"one key", "", map[string]string{"OPENAI_API_KEY": "k"}, []string{
			"gpt primary openai openai ok", "gpt-2 challenger openai openai ok skeptic",
			"risk judge openai openai ok by gpt", "value judge openai openai ok by gpt-2", "effort judge openai openai ok by gpt",
			"arbiter arbiter openai openai ok by gpt-2",
		}, true},
		{"keys in their order", "", map[string]string{"GEMINI_API_KEY": "k", "OPENAI_API_KEY": "k", "ANTHROPIC_API_KEY": "k"}, []string{
			"claude primary anthropic anthropic ok", "gpt challenger openai openai ok", "gemini challenger gemini google ok",
			"risk judge anthropic anthropic ok by claude", "value judge openai openai ok by gpt", "effort judge gemini google ok by gemini",
			"arbiter arbiter gemini google ok by gemini",
		}, false},
		{"settings win over keys", "parties: {primary: {CMD}, challengers: [{id: other, CMD, family: Mistral, timeout: 3m}]}",
			map[string]string{"OPENAI_API_KEY": "k"}, []string{
				"primary primary exec unknown ok", "other challenger exec mistral ok",
				"risk judge exec unknown ok by primary", "value judge exec mistral ok by other", "effort judge exec unknown ok by primary",
				"arbiter arbiter exec mistral ok by other",
			}, false},
		{"named judges and arbiter", `
parties:
  primary: {id: lead, CMD, model: claude-opus-4}
  challengers: [{CMD, model: gpt-5}, {provider: ollama, model: qwen3}]
  judges: {from: [ollama, primary]}
  arbiter: {CMD, model: grok-4}
`, nil, []string{
			"lead primary exec anthropic ok", "exec challenger exec openai ok", "ollama challenger ollama qwen ok",
			"risk judge ollama qwen ok by ollama", "value judge exec anthropic ok by lead", "effort judge ollama qwen ok by ollama",
			"arbiter arbiter exec xai ok",
		}, false},
		{"a primary alone", "parties: {primary: {CMD}}", nil, []string{
			"primary primary exec unknown ok",
		}, false},
		{"a challenger of the same name", "parties: {primary: {provider: openai}, challengers: [{provider: openai, family: x}], judges: {from: [openai]}}", nil, []string{
			"primary primary openai openai not_found", "openai challenger openai x not_found",
		}, false},
		{"nobody can", "parties: {primary: {provider: openai}, challengers: [{provider: gemini}, {provider: claude}], judges: {from: [primary]}}", nil, []string{
			"openai primary openai openai not_found", "gemini challenger gemini google not_found",
			"claude challenger claude anthropic not_found",
		}, false},
	}
	for _, tt := range tests {
		p, err := seated(t, tt.yaml, tt.env)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		var got []string
		for _, one := range p.parties {
			got = append(got, short(one))
			asked := one.Status == debate.PartyOK && one.Debater == "" // the others are served
			if (p.clients[one.ID] != nil) != asked || (one.Detail == "") != (one.Status == debate.PartyOK) {
				t.Errorf("%s: %s: client %v, detail %q", tt.name, one.ID, p.clients[one.ID], one.Detail)
			}
			if one.Status != debate.PartyOK && !strings.Contains(one.Detail, one.Provider) {
				t.Errorf("%s: %s: the reason names no provider: %q", tt.name, one.ID, one.Detail)
			}
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s: %s", tt.name, diff)
		}
		if p.sameFamily != tt.sameFamily {
			t.Errorf("%s: same family: %t", tt.name, p.sameFamily)
		}
	}
}

func TestPartyTimeout(t *testing.T) {
	t.Parallel()
	p, err := seated(t, "parties: {primary: {CMD, timeout: 3m}, challengers: [{id: b, CMD}]}", nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []int{180, 0, 180, 0, 180, 0} {
		if got := p.parties[i].TimeoutS; got != want {
			t.Errorf("%s: %d s, want %d", p.parties[i].ID, got, want)
		}
	}
}

// TestPartyDefects: a party that cannot be asked says which variable, address or
// model is wrong, and never the value of a key. Nobody is asked.
func TestPartyDefects(t *testing.T) {
	t.Parallel()
	key := "sk-a-very-secret-value"
	for _, tt := range []struct {
		party  string
		env    map[string]string
		status debate.PartyStatus
		detail string
	}{
		{"provider: openai", nil, debate.PartyNotFound, "OPENAI_API_KEY is not set"},
		{"provider: openai, api_key_env: MINE", map[string]string{"OPENAI_API_KEY": key}, debate.PartyNotFound, "MINE is not set"},
		{"provider: openai, api_key_env: MINE", map[string]string{"MINE": key}, debate.PartyOK, ""},
		{"provider: openai, api: chat, base_url: 'http://127.0.0.1:1/v1'", nil, debate.PartyOK, ""},
		{"provider: openai", map[string]string{"OPENAI_BASE_URL": "http://127.0.0.1:1/v1"}, debate.PartyOK, ""},
		{"provider: openai", map[string]string{"OPENAI_BASE_URL": "http://models.example/v1", "OPENAI_API_KEY": key}, debate.PartyNotFound, "without encryption"},
		{"provider: anthropic", map[string]string{"ANTHROPIC_API_KEY": key + "\n"}, debate.PartyNotFound, "line ends"},
		{"provider: anthropic", map[string]string{"ANTHROPIC_API_KEY": key}, debate.PartyOK, ""},
		{"provider: gemini", map[string]string{"GEMINI_API_KEY": key}, debate.PartyOK, ""},
		{"provider: gemini, model: ../x", map[string]string{"GEMINI_API_KEY": key}, debate.PartyNotFound, "model"},
		{"provider: gemini", map[string]string{"GEMINI_API_KEY": key, "SSL_CERT_FILE": "/no/such/file"}, debate.PartyError, "/no/such/file"},
		{"provider: ollama", nil, debate.PartyOK, ""},
		{"provider: ollama", map[string]string{"OLLAMA_HOST": "gpu:11434"}, debate.PartyOK, ""},
		{"provider: codex", map[string]string{"PATH": "/nowhere"}, debate.PartyNotFound, "codex"},
		{"provider: exec, command: [git], api_key_env: MINE", map[string]string{"PATH": os.Getenv("PATH")}, debate.PartyNotFound, "MINE is not set"},
	} {
		p, err := seated(t, "parties: {primary: {"+tt.party+"}}", tt.env)
		if err != nil {
			t.Fatal(err)
		}
		got := p.parties[0]
		if got.Status != tt.status || !strings.Contains(got.Detail, tt.detail) || strings.Contains(got.Detail, key) {
			t.Errorf("%s with %v: %s %q, want %s and %q", tt.party, tt.env, got.Status, got.Detail, tt.status, tt.detail)
		}
	}
}

// TestPartyCommand: a command that is not there leaves its party out and says
// why; one that is there gets the key that the operator names, and no other.
func TestPartyCommand(t *testing.T) {
	t.Parallel()
	p, err := seated(t, `
parties:
  primary: {provider: exec, command: ["no-such-command-here"]}
  challengers:
    - {id: a, provider: exec, command: [/no/such/place]}
    - {id: b, provider: exec, command: [/bin/sh, -c, 'echo "$MINE,$THEIRS"'], api_key_env: MINE}
`, map[string]string{"MINE": "short", "THEIRS": "secret", "PATH": os.Getenv("PATH")})
	if err != nil {
		t.Fatal(err)
	}
	for i, why := range []string{"no-such-command-here", "/no/such/place", ""} {
		if !strings.Contains(p.parties[i].Detail, why) || (p.parties[i].Status == debate.PartyNotFound) != (why != "") {
			t.Errorf("%+v", p.parties[i])
		}
	}
	got, err := p.clients["b"].Ask(context.Background(), model.Request{Turn: "{}"})
	if err != nil || got.Text != "short,\n" {
		t.Errorf("%q, %v", got.Text, err)
	}
}

// TestStrangeJudges: settings that fit only in parts, here judges of an operator
// and parties of a repository, are refused.
func TestStrangeJudges(t *testing.T) {
	t.Parallel()
	_, err := participants(config.Config{Parties: config.Parties{
		Primary: &config.Party{Provider: "openai"},
		Judges:  &config.Judges{From: []config.Name{"gpt"}},
	}}, provider.All(), func(string) string { return "" }, nil)
	if err == nil || !strings.Contains(err.Error(), `"gpt"`) || fail(Env{Stderr: new(strings.Builder)}, err) != exitUsage {
		t.Errorf("%v", err)
	}
}

// TestDoctorShowsParties: the doctor knows the operator's own file.
func TestDoctorShowsParties(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	path := filepath.Join(w.home, ".config", "debate", "config.yml")
	for _, tt := range []struct {
		yaml string
		want []string
	}{
		{"primary: {provider: exec, command: [git]}", []string{"ok  primary        exec, maker unknown\n--  maker          the maker of its model is not known", "write family for this party", "claude-sonnet", "Only one model will review your changes. A debate needs a second one"}},
		{"primary: {provider: exec, command: [git]}\n  challengers: [{id: b, provider: exec, command: [git]}]", []string{"allow_same_family", "ok  arbiter        b reads the outcome once more", "ok  risk           primary weighs this side"}},
		{"primary: {provider: exec, command: [git]}\n  challengers: [{id: b, provider: exec, command: [git], family: x}, {provider: openai}]",
			[]string{"2 models of 2 makers will debate", "--  openai         openai cannot take part: there is no key for the provider openai: OPENAI_API_KEY is not set"}},
		{"primary: {provider: openai, base_url: \"http://localhost:1/v1\", model: gpt-unheard-of}\n  challengers: [{provider: ollama}]",
			[]string{"--  price          not known, so that limits of cost do not count it: copy the price of gpt-unheard-of from its maker into prices: of your settings, as docs/costs.md shows", "copy the price of gpt-oss:20b from"}},
		{"primary: {provider: exec, command: [no-such-command-here]}", []string{"No model is available", "--  primary        exec cannot take part: there is no program"}},
	} {
		write(t, path, "parties:\n  "+tt.yaml+"\n")
		if code := w.debate("doctor"); code != exitDone {
			t.Errorf("exit code %d: %s", code, w.stderr.String())
		}
		for _, part := range tt.want {
			if !strings.Contains(w.stdout.String(), part) {
				t.Errorf("%s\nlacks %q:\n%s", tt.yaml, part, w.stdout.String())
			}
		}
	}
}
