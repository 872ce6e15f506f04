package cli

import (
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"github.com/prdebate/debate/internal/config"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/model"
	"github.com/prdebate/debate/internal/model/provider"
	"github.com/prdebate/debate/internal/testkit/wiretest"
)

// endpoint is one section of docs/endpoints.md: the settings, and the part of a workflow
// with them, if the section shows one.
type endpoint struct{ settings, workflow string }

// sameWay is a row with another server for the settings of its section.
var sameWay = regexp.MustCompile("(?m)^\\| `([a-z]+)` \\| `(https://[^`]+)` \\| `([A-Z_]+)` \\| `([^`]+)` \\|$")

func endpoints(t *testing.T) map[string]endpoint {
	t.Helper()
	page := readFile(t, "../../docs/endpoints.md")
	all := make(map[string]endpoint)
	for _, section := range strings.Split(string(page), "\n## ")[1:] {
		heading, _, _ := strings.Cut(section, "\n")
		blocks := regexp.MustCompile("(?s)```yaml\n(.*?)```").FindAllStringSubmatch(section, -1)
		if len(blocks) == 0 {
			t.Fatalf("%s has no block to copy", heading)
		}
		one := endpoint{settings: blocks[0][1]}
		if len(blocks) > 1 {
			one.workflow = blocks[1][1]
		}
		all[heading] = one
		for _, row := range sameWay.FindAllStringSubmatch(section, -1) {
			other := strings.NewReplacer(
				"id: mistral,", "id: "+row[1]+",", "https://api.mistral.ai/v1", row[2], "MISTRAL_API_KEY", row[3], "mistral-large-latest", row[4])
			all[row[1]] = endpoint{settings: other.Replace(one.settings)}
		}
	}
	return all
}

// handed are the settings that a workflow hands over, after a look at what they need
// of the job.
func (e endpoint) handed(t *testing.T) string {
	t.Helper()
	var job struct {
		Permissions map[string]string `yaml:"permissions"`
		Env         map[string]string `yaml:"env"`
		Steps       []struct {
			Uses string            `yaml:"uses"`
			With map[string]string `yaml:"with"`
		} `yaml:"steps"`
	}
	if err := yaml.Unmarshal([]byte(e.workflow), &job); err != nil || len(job.Steps) == 0 {
		t.Fatalf("%v in\n%s", err, e.workflow)
	}
	for _, key := range regexp.MustCompile(`api_key_env: ([A-Z_]+)|provider: anthropic()`).FindAllStringSubmatch(e.settings, -1) {
		name := key[1]
		if name == "" {
			name = "ANTHROPIC_API_KEY"
		}
		if job.Env[name] != "${{ secrets."+name+" }}" {
			t.Errorf("the workflow does not hand over %s: %v", name, job.Env)
		}
	}
	cloud := strings.Contains(e.settings, "provider: bedrock") || strings.Contains(e.settings, "provider: vertex")
	if oidc := job.Permissions["id-token"] == "write" && len(job.Steps) == 2; oidc != cloud {
		t.Errorf("signs in by OIDC: %v, in a cloud: %v", oidc, cloud)
	}
	return job.Steps[len(job.Steps)-1].With["operator-config"]
}

// speaks answers as a server of any of the wires does.
func speaks(w http.ResponseWriter, r *http.Request) {
	answer := wiretest.Data(`{"id":"1","model":"m","choices":[{"index":0,"delta":{"content":"{}"},"finish_reason":"stop"}]}`, "[DONE]")
	switch {
	case strings.HasSuffix(r.URL.Path, "/responses"):
		answer = wiretest.Events("response.completed", `{"type":"response.completed","response":{"id":"1","model":"m","status":"completed",`+
			`"output":[{"type":"message","role":"assistant","content":[{"type":"output_text","text":"{}"}]}]}}`)
	case strings.HasSuffix(r.URL.Path, "/api/chat"):
		answer = `{"model":"m","message":{"content":"{}"},"done":true,"done_reason":"stop"}` + "\n"
	case strings.HasSuffix(r.URL.Path, ":streamGenerateContent"):
		answer = wiretest.Data(`{"candidates":[{"index":0,"content":{"role":"model","parts":[{"text":"{}"}]},"finishReason":"STOP"}]}`)
	case strings.Contains(r.URL.Path, "claude"):
		answer = wiretest.Events(
			"message_start", `{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"m","content":[],"usage":{"input_tokens":1,"output_tokens":1}}}`,
			"content_block_start", `{"type":"content_block_start","index":0,"content_block":{"type":"text","text":"{}"}}`,
			"content_block_stop", `{"type":"content_block_stop","index":0}`,
			"message_delta", `{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":1}}`,
			"message_stop", `{"type":"message_stop"}`)
	}
	wiretest.SSE(answer)(w, r)
}

// arrives is where a party's request has to arrive, below the path of its address, and
// the header that says who asks.
func arrives(one config.Party) (path, header, value string) {
	header, value = "Authorization", ""
	if one.APIKeyEnv != "" {
		value = "Bearer key-of-" + one.APIKeyEnv
	}
	switch {
	case one.Provider == "ollama":
		path = "/api/chat"
	case one.Provider == "azure":
		path, header, value = "/openai/responses", "Api-Key", "key-of-"+one.APIKeyEnv
	case one.Provider == "bedrock" && strings.Contains(one.Model, "anthropic."):
		path, value = "/model/"+one.Model+"/invoke-with-response-stream", "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/"
	case one.Provider == "bedrock":
		path, value = "/chat/completions", "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/"
	case one.Provider == "vertex" && strings.HasPrefix(one.Model, "claude"):
		path, value = fmt.Sprintf("/v1/projects/%s/locations/%s/publishers/anthropic/models/%s:streamRawPredict", one.Project, one.Region, one.Model), "Bearer ya29.token"
	case one.Provider == "vertex":
		path, value = fmt.Sprintf("/v1/projects/%s/locations/%s/publishers/google/models/%s:streamGenerateContent", one.Project, one.Region, one.Model), "Bearer ya29.token"
	case one.API == config.ChatAPI:
		path = "/chat/completions"
	default:
		path = "/responses"
	}
	return path, header, value
}

// TestEndpoints: each block of docs/endpoints.md is settings of an operator, seats
// parties of two families, and leads to a server of its wire, with its key or as its
// account. A block of a workflow hands over the same.
func TestEndpoints(t *testing.T) {
	signIn(t)
	all := endpoints(t)
	if len(all) < 12 {
		t.Fatalf("only %d endpoints", len(all))
	}
	for heading, one := range all {
		t.Run(heading, func(t *testing.T) {
			if one.workflow != "" {
				if handed := one.handed(t); handed != one.settings {
					t.Errorf("the workflow hands over\n%s\nand not\n%s", handed, one.settings)
				}
			}
			c, err := known.vocabulary().ParseOperator("endpoints.md", []byte(one.settings))
			if err != nil {
				t.Fatalf("%v in\n%s", err, one.settings)
			}
			if _, err := known.vocabulary().Parse("debate.yml", []byte(one.settings)); err == nil {
				t.Error("the file of a repository may say it")
			}
			getenv := func(name string) string { // nothing but the keys that the block names, and one provider's own
				if name == "ANTHROPIC_API_KEY" || name != "" && strings.Contains(one.settings, "api_key_env: "+name) {
					return "key-of-" + name
				}
				return ""
			}
			seated, err := participants(config.Merge(c, config.Config{}), provider.All(), getenv, nil)
			if err != nil {
				t.Fatal(err)
			}
			families := slices.Compact(slices.Sorted(slices.Values(lists.Map(lists.Keep(seated.parties, debate.Party.Debates), func(p debate.Party) string { return p.Family }))))
			if len(families) < 2 || slices.Contains(families, model.UnknownFamily) {
				t.Errorf("the families are %v", families)
			}
			for _, party := range append(c.Parties.Challengers, *c.Parties.Primary) {
				if party.Provider != "anthropic" {
					leads(t, party, getenv)
				}
			}
		})
	}
}

// signIn leaves credentials of both clouds where their tools do.
func signIn(t *testing.T) {
	t.Helper()
	home := t.TempDir()
	account := filepath.Join(home, "account.json")
	tokens := wiretest.New(t, wiretest.JSON(200, `{"access_token":"ya29.token","token_type":"Bearer","expires_in":3600}`))
	refreshed := `{"type":"external_account","audience":"a","subject_token_type":"urn:ietf:params:oauth:token-type:jwt","token_url":"` + tokens.URL + `",` +
		`"credential_source":{"file":"` + account + `"}}` // as the action that signs in by OIDC writes it
	writeFile(t, account, []byte(refreshed), 0o600)
	for name, value := range map[string]string{
		"GOOGLE_APPLICATION_CREDENTIALS": account, "GOOGLE_API_KEY": "",
		"HOME": home, "AWS_ACCESS_KEY_ID": "AKIDEXAMPLE", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_SESSION_TOKEN": "session", "AWS_PROFILE": "",
		"AWS_BEARER_TOKEN_BEDROCK": "", "AWS_EC2_METADATA_DISABLED": "true", "AWS_CONFIG_FILE": home + "/c", "AWS_SHARED_CREDENTIALS_FILE": home + "/s",
	} {
		t.Setenv(name, value)
	}
}

// leads asks a party at a local server in the place of its own.
func leads(t *testing.T, one config.Party, getenv func(string) string) {
	t.Helper()
	server := wiretest.NewTLS(t, speaks)
	own, err := url.Parse(one.BaseURL)
	if err != nil || model.CheckBaseURL(one.BaseURL, "some-key") != nil {
		t.Fatalf("%s: %v", one.BaseURL, err)
	}
	one.BaseURL = server.URL + own.Path
	trusted := filepath.Join(t.TempDir(), "server.pem")
	writeFile(t, trusted, server.PEM, 0o600)
	seated := newPanel(provider.All(), nil, func(name string) string {
		if name == "SSL_CERT_FILE" {
			return trusted
		}
		return getenv(name)
	})
	client, err := seated.connect(one)
	if err != nil {
		t.Fatal(err)
	}
	got, err := client.Ask(t.Context(), model.Request{System: "s", Packet: "p\n", Turn: `{"request":"now"}`})
	if err != nil || got.Text != "{}" {
		t.Errorf("%s: %q, %v", one.Name(), got.Text, err)
	}
	path, header, value := arrives(one)
	for _, r := range server.Requests() {
		sent := r.Header.Get(header)
		if r.Path != own.Path+path || sent != value && !(one.Provider == "bedrock" && strings.HasPrefix(sent, value)) {
			t.Errorf("%s: %s with %q, want %s with %q", one.Name(), r.Path, sent, own.Path+path, value)
		}
		if !strings.Contains(r.Body+r.Path, one.Model) {
			t.Errorf("%s: the model is not asked for: %s", one.Name(), r.Body)
		}
		for _, header := range one.Headers {
			name, value, _ := strings.Cut(string(header), ": ")
			if r.Header.Get(name) != value {
				t.Errorf("%s: header %s is %q", one.Name(), name, r.Header.Get(name))
			}
		}
	}
}
