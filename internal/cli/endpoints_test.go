package cli

import (
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/config"
	"github.com/prdebate/debate/internal/model"
	"github.com/prdebate/debate/internal/model/provider"
	"github.com/prdebate/debate/internal/model/wiretest"
)

// blocks are the settings that docs/endpoints.md shows, by their heading.
func blocks(t *testing.T) map[string]string {
	t.Helper()
	page, err := os.ReadFile("../../docs/endpoints.md")
	if err != nil {
		t.Fatal(err)
	}
	all := make(map[string]string)
	for _, section := range strings.Split(string(page), "\n## ")[1:] {
		heading, rest, _ := strings.Cut(section, "\n")
		_, rest, found := strings.Cut(rest, "```yaml\n")
		block, _, closed := strings.Cut(rest, "```")
		if !found || !closed {
			t.Fatalf("%s has no block", heading)
		}
		if _, input, ok := strings.Cut(block, "operator-config: |\n"); ok {
			block = regexp.MustCompile(`(?m)^ {8}`).ReplaceAllString(input, "")
		}
		all[heading] = block
	}
	return all
}

// speaks answers as a server of either wire does.
func speaks(w http.ResponseWriter, r *http.Request) {
	answer := wiretest.Data(`{"id":"1","model":"m","choices":[{"index":0,"delta":{"content":"{}"},"finish_reason":"stop"}]}`, "[DONE]")
	if strings.HasSuffix(r.URL.Path, "/responses") {
		answer = wiretest.Events("response.completed", `{"type":"response.completed","response":{"id":"1","model":"m","status":"completed",`+
			`"output":[{"type":"message","role":"assistant","content":[{"type":"output_text","text":"{}"}]}]}}`)
	}
	wiretest.SSE(answer)(w, r)
}

// TestEndpoints: each block of docs/endpoints.md is settings of an operator, seats
// parties of two families, and leads to a server of its wire, with its key.
func TestEndpoints(t *testing.T) {
	t.Parallel()
	all := blocks(t)
	if len(all) < 6 {
		t.Fatalf("only %d blocks", len(all))
	}
	for heading, block := range all {
		t.Run(heading, func(t *testing.T) {
			t.Parallel()
			c, err := known.services().ParseOperator("endpoints.md", []byte(block))
			if err != nil {
				t.Fatalf("%v in\n%s", err, block)
			}
			getenv := func(name string) string { // nothing but the keys that the block names, and one provider's own
				if name == "ANTHROPIC_API_KEY" || name != "" && strings.Contains(block, "api_key_env: "+name) {
					return "key-of-" + name
				}
				return ""
			}
			seated, err := participants(config.Merge(c, config.Config{}), provider.All(), getenv, nil)
			if err != nil {
				t.Fatal(err)
			}
			families := seated.families(c.Parties)
			if len(families) < 2 || strings.Contains(strings.Join(families, " "), model.UnknownFamily) {
				t.Errorf("the families are %v", families)
			}
			for _, one := range append(c.Parties.Challengers, *c.Parties.Primary) {
				if one.BaseURL != "" {
					leads(t, one, getenv)
				}
			}
		})
	}
}

// leads asks a party at a local server in the place of its own.
func leads(t *testing.T, one config.Party, getenv func(string) string) {
	t.Helper()
	server := wiretest.New(t, speaks)
	own, err := url.Parse(one.BaseURL)
	if err != nil || model.CheckBaseURL(one.BaseURL, "some-key") != nil {
		t.Fatalf("%s: %v", one.BaseURL, err)
	}
	one.BaseURL = server.URL + own.Path
	asked, err := newBackends(provider.All(), nil, getenv).connect(one)
	if err != nil {
		t.Fatal(err)
	}
	got, err := asked.Ask(t.Context(), model.Request{System: "s", Packet: "p\n", Turn: `{"request":"now"}`})
	if err != nil || got.Text != "{}" {
		t.Errorf("%s: %q, %v", one.Name(), got.Text, err)
	}
	path, key := "/responses", ""
	if one.API == config.ChatAPI {
		path = "/chat/completions"
	}
	if one.APIKeyEnv != "" {
		key = "Bearer key-of-" + one.APIKeyEnv
	}
	for _, r := range server.Requests() {
		if r.Path != own.Path+path || r.Header.Get("Authorization") != key || !strings.Contains(r.Body, `"model":"`+one.Model+`"`) {
			t.Errorf("%s: %s with %q: %s", one.Name(), r.Path, r.Header.Get("Authorization"), r.Body)
		}
	}
}
