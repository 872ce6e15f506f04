package vertex

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/model"
	"github.com/prdebate/debate/internal/testkit/wiretest"
)

var question = model.Request{SchemaVersion: 1, System: "Rules.", Packet: "<<packet>>\n", Turn: `{"request":"Review."}`}

const token = "ya29.token-canary-4711"

// signedIn puts a service account's file where its variable says, and starts who
// gives it tokens.
func signedIn(t *testing.T, answer http.HandlerFunc) *wiretest.Server {
	t.Helper()
	s := wiretest.New(t, answer)
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	file, err := json.Marshal(map[string]string{
		"type": "service_account", "project_id": "acme", "private_key_id": "1", "client_email": "debate@acme.iam.gserviceaccount.com",
		"private_key": string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})), "token_uri": s.URL + "/token",
	})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "account.json")
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOOGLE_APPLICATION_CREDENTIALS", path)
	t.Setenv("GOOGLE_API_KEY", "")
	return s
}

func gives(t *testing.T) *wiretest.Server {
	t.Helper()
	return signedIn(t, wiretest.JSON(200, `{"access_token":"`+token+`","token_type":"Bearer","expires_in":3600}`))
}

func options(name string, s *wiretest.Server) model.Options {
	return model.Options{Model: name, BaseURL: s.URL, Region: "europe-west1", Project: "acme-prod", Getenv: func(string) string { return "" }}
}

// TestModels: Claude and Gemini are asked each by the API of its maker, in the
// project and the region of the settings, with a token of the account.
func TestModels(t *testing.T) {
	tokens := gives(t)
	for _, tt := range []struct{ name, path, stream string }{
		{"gemini-2.5-pro", "/v1/projects/acme-prod/locations/europe-west1/publishers/google/models/gemini-2.5-pro:streamGenerateContent",
			wiretest.Data(`{"candidates":[{"index":0,"content":{"role":"model","parts":[{"text":"{}"}]},"finishReason":"STOP"}]}`)},
		{"claude-sonnet-4-5@20250929", "/v1/projects/acme-prod/locations/europe-west1/publishers/anthropic/models/claude-sonnet-4-5@20250929:streamRawPredict", wiretest.Events(
			"message_start", `{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"claude","content":[],"usage":{"input_tokens":1,"output_tokens":1}}}`,
			"content_block_start", `{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`,
			"content_block_delta", `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"{}"}}`,
			"content_block_stop", `{"type":"content_block_stop","index":0}`,
			"message_delta", `{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":1}}`,
			"message_stop", `{"type":"message_stop"}`)},
	} {
		s := wiretest.New(t, wiretest.SSE(tt.stream), wiretest.JSON(403, `{"error":{"code":403,"status":"PERMISSION_DENIED","message":"Vertex AI API has not been used in project acme-prod. `+token+`"}}`))
		before := len(tokens.Requests())
		c, err := New(options(tt.name, s))
		if err != nil {
			t.Fatal(err)
		}
		if n := len(tokens.Requests()); n != before {
			t.Errorf("%s: a token was asked for before it is needed", tt.name)
		}
		if got, err := c.Ask(t.Context(), question); err != nil || got.Text != "{}" {
			t.Fatalf("%s: %+v, %v", tt.name, got, err)
		}
		r := s.Requests()[0]
		if r.Path != tt.path || r.Header.Get("Authorization") != "Bearer "+token || r.Header.Get("X-Goog-Api-Key") != "" {
			t.Errorf("%s: %s %v", tt.name, r.Path, r.Header)
		}
		_, err = c.Ask(t.Context(), question)
		if f := model.Classify(err); f == nil || f.Class != debate.CallAuth || !strings.Contains(f.Error(), "has not been used in project acme-prod. [key]") {
			t.Errorf("%s: %v", tt.name, err)
		}
		if n := len(tokens.Requests()); n != before+1 {
			t.Errorf("%s: %d tokens for two calls", tt.name, n-before)
		}
	}
}

// TestTools: both makers' models look further by their own tools.
func TestTools(t *testing.T) {
	gives(t)
	for name, wire := range map[string]string{"gemini-2.5-pro": "contents", "claude-sonnet-4-5@20250929": "messages"} {
		w := wiretest.Wires[wire]
		s := wiretest.New(t, wiretest.SSE(w.Says(wiretest.Turn{Calls: []wiretest.Call{{ID: "call_a", Name: "list", Arguments: "{}"}}})), wiretest.SSE(w.Says(wiretest.Turn{Text: "{}"})))
		c, err := New(options(name, s))
		if err != nil {
			t.Fatal(err)
		}
		req := question
		req.Tools = model.ToolsOpen
		asks, err := c.Ask(t.Context(), req)
		if err != nil || asks.Text != `{"look":[{"list":{}}]}` {
			t.Fatalf("%s: %+v, %v", name, asks, err)
		}
		req.Dialogue, req.Results = asks.Dialogue, []string{"names\n"}
		if got, err := c.Ask(t.Context(), req); err != nil || got.Text != "{}" {
			t.Fatalf("%s: %+v, %v", name, got, err)
		}
		if asked := w.Reads([]byte(s.Requests()[1].Body)); len(asked.Tools) != len(w.Tools()) || asked.Format || len(asked.Results) != 1 || asked.Results[0].Arguments != "names\n" {
			t.Errorf("%s: %+v", name, asked)
		}
	}
}

// TestNobody: without credentials nothing is sent, and people are told what to do.
func TestNobody(t *testing.T) {
	signedIn(t, wiretest.JSON(400, `{"error":"invalid_grant","error_description":"Invalid JWT Signature."}`))
	for _, name := range []string{"gemini-2.5-pro", "claude-x"} {
		s := wiretest.New(t, wiretest.JSON(200, "{}"))
		c, err := New(options(name, s))
		if err != nil {
			t.Fatal(err)
		}
		_, err = c.Ask(t.Context(), question)
		if f := model.Classify(err); f.Class != debate.CallAuth || !strings.Contains(f.Detail, "google-github-actions/auth") || len(s.Requests()) != 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
	o := options("claude-x", wiretest.New(t, wiretest.JSON(200, "{}")))
	o.Project = ""
	if _, err := New(o); err == nil || !strings.Contains(err.Error(), "write project") {
		t.Errorf("without a project: %v", err)
	}
}

func TestAddress(t *testing.T) {
	t.Parallel()
	for region, want := range map[string]string{
		"global": "https://aiplatform.googleapis.com", "eu": "https://aiplatform.eu.rep.googleapis.com", "europe-west1": "https://europe-west1-aiplatform.googleapis.com",
	} {
		if got := address(region); got != want {
			t.Errorf("%s is at %s", region, got)
		}
	}
}
