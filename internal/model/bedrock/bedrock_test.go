package bedrock

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws/protocol/eventstream"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/model"
	"github.com/prdebate/debate/internal/testkit/wiretest"
)

var question = model.Request{SchemaVersion: 1, System: "Rules.", Packet: "<<packet>>\n", Turn: `{"request":"Review."}`}

// session is what the account's temporary credentials send along.
const session = "session-token-canary-4711"

// signedIn puts credentials where the tools of the cloud leave them, and hides those
// of whoever runs the tests.
func signedIn(t *testing.T) {
	t.Helper()
	home := t.TempDir()
	for name, value := range map[string]string{
		"HOME": home, "AWS_ACCESS_KEY_ID": "AKIDEXAMPLE", "AWS_SECRET_ACCESS_KEY": "secret-canary", "AWS_SESSION_TOKEN": session, "AWS_REGION": "eu-central-1",
		"AWS_PROFILE": "", "AWS_BEARER_TOKEN_BEDROCK": "", "AWS_EC2_METADATA_DISABLED": "true", "AWS_CONFIG_FILE": home + "/c", "AWS_SHARED_CREDENTIALS_FILE": home + "/s",
	} {
		t.Setenv(name, value)
	}
}

func options(name string, s *wiretest.Server, more ...string) model.Options {
	set := map[string]string{"AWS_REGION": "eu-central-1"}
	for i := 0; i+1 < len(more); i += 2 {
		set[more[i]] = more[i+1]
	}
	return model.Options{Model: name, BaseURL: s.URL, Getenv: func(name string) string { return set[name] }}
}

func client(t *testing.T, o model.Options) model.Client {
	t.Helper()
	c, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// events are a stream of the Messages API as this cloud wraps it.
func events(t *testing.T, payloads ...string) http.HandlerFunc {
	t.Helper()
	var b bytes.Buffer
	for _, payload := range payloads {
		frame(t, &b, "event", ":event-type", "chunk", fmt.Sprintf(`{"bytes":%q}`, base64.StdEncoding.EncodeToString([]byte(payload))))
	}
	return binary(b.String())
}

func frame(t *testing.T, b *bytes.Buffer, kind, name, value, payload string) {
	t.Helper()
	headers := eventstream.Headers{
		{Name: ":message-type", Value: eventstream.StringValue(kind)}, {Name: name, Value: eventstream.StringValue(value)},
	}
	if err := eventstream.NewEncoder().Encode(b, eventstream.Message{Headers: headers, Payload: []byte(payload)}); err != nil {
		t.Fatal(err)
	}
}

func binary(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/vnd.amazon.eventstream")
		w.Header().Set("X-Amzn-Requestid", "req-1")
		_, _ = w.Write([]byte(body))
	}
}

var claude = []string{
	`{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"claude","content":[],"usage":{"input_tokens":25,"output_tokens":1}}}`,
	`{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`,
	`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"hello"}}`,
	`{"type":"content_block_stop","index":0}`,
	`{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":15}}`,
	`{"type":"message_stop"}`,
}

// TestClaude: a model of Anthropic is asked by its own API, signed for the account.
func TestClaude(t *testing.T) {
	signedIn(t)
	s := wiretest.New(t, events(t, claude...))
	c := client(t, options("eu.anthropic.claude-sonnet-4-5-20250929-v1:0", s))
	got, err := c.Ask(t.Context(), question)
	if err != nil || got.Text != "hello" || got.Usage.TokensIn != 25 || got.Usage.TokensOut != 15 || got.RequestID != "req-1" {
		t.Fatalf("%+v, %v", got, err)
	}
	r := s.Requests()[0]
	if r.Path != "/model/eu.anthropic.claude-sonnet-4-5-20250929-v1:0/invoke-with-response-stream" || !strings.Contains(r.Body, `"anthropic_version":"bedrock-2023-05-31"`) {
		t.Errorf("%s %s", r.Path, r.Body)
	}
	isSigned(t, r)
}

func isSigned(t *testing.T, r wiretest.Request) {
	t.Helper()
	auth := r.Header.Get("Authorization")
	if !strings.HasPrefix(auth, "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/") || !strings.Contains(auth, "/eu-central-1/bedrock/aws4_request") || r.Header.Get("X-Amz-Security-Token") != session {
		t.Errorf("%v", r.Header)
	}
	if all := fmt.Sprint(r); strings.Contains(all, "secret-canary") {
		t.Errorf("the secret is sent: %s", all)
	}
}

// TestOthers: every other model is asked by Chat Completions.
func TestOthers(t *testing.T) {
	signedIn(t)
	s := wiretest.New(t, wiretest.SSE(wiretest.Data(`{"id":"1","model":"m","choices":[{"index":0,"delta":{"content":"{}"},"finish_reason":"stop"}]}`, "[DONE]")))
	o := options("openai.gpt-oss-120b-1:0", s)
	o.BaseURL += "/openai/v1"
	c := client(t, o)
	if got, err := c.Ask(t.Context(), question); err != nil || got.Text != "{}" {
		t.Fatalf("%+v, %v", got, err)
	}
	r := s.Requests()[0]
	if r.Path != "/openai/v1/chat/completions" || !strings.Contains(r.Body, `"model":"openai.gpt-oss-120b-1:0"`) {
		t.Errorf("%s %s", r.Path, r.Body)
	}
	isSigned(t, r)
}

// TestTools: a model that looks further does so by the tools of its wire, in this cloud,
// too, and gets what it asked for in the same conversation.
func TestTools(t *testing.T) {
	signedIn(t)
	for name, wire := range map[string]string{"eu.anthropic.claude-sonnet-4-5-20250929-v1:0": "messages", "openai.gpt-oss-120b-1:0": "chat"} {
		w := wiretest.Wires[wire]
		var answers []http.HandlerFunc
		for _, turn := range []wiretest.Turn{{Calls: []wiretest.Call{{ID: "call_a", Name: "list", Arguments: "{}"}}}, {Text: "{}"}} {
			answer := wiretest.SSE(w.Says(turn))
			if wire == "messages" {
				answer = events(t, payloads(w.Says(turn))...)
			}
			answers = append(answers, answer)
		}
		s := wiretest.New(t, answers...)
		c := client(t, options(name, s))
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
		for _, r := range s.Requests() {
			if asked := w.Reads([]byte(r.Body)); len(asked.Tools) != len(w.Tools()) || asked.Format {
				t.Errorf("%s: %s", name, r.Body)
			}
			isSigned(t, r)
		}
		if asked := w.Reads([]byte(s.Requests()[1].Body)); len(asked.Results) != 1 || asked.Results[0].ID != "call_a" || asked.Results[0].Arguments != "names\n" {
			t.Errorf("%s: %+v", name, asked.Results)
		}
	}
}

// payloads are the data of a stream of events.
func payloads(stream string) (all []string) {
	for line := range strings.Lines(stream) {
		if data, ok := strings.CutPrefix(line, "data: "); ok {
			all = append(all, strings.TrimSpace(data))
		}
	}
	return all
}

// TestKey: a key of the service goes before the account.
func TestKey(t *testing.T) {
	signedIn(t)
	const key = "bedrock-api-key-canary"
	t.Setenv("AWS_BEARER_TOKEN_BEDROCK", key)
	for _, name := range []string{"anthropic.claude-x", "openai.gpt-oss-120b-1:0"} {
		s := wiretest.New(t, wiretest.JSON(403, `{"Message":"who is `+key+`"}`, "X-Amzn-ErrorType", "AccessDeniedException:http://x"))
		c := client(t, options(name, s, "AWS_BEARER_TOKEN_BEDROCK", key))
		_, err := c.Ask(t.Context(), question)
		if f := model.Classify(err); f.Class != debate.CallAuth || strings.Contains(f.Error(), "canary") || !strings.Contains(f.Error(), "AccessDeniedException") {
			t.Errorf("%s: %v", name, err)
		}
		if auth := s.Requests()[0].Header.Get("Authorization"); auth != "Bearer "+key {
			t.Errorf("%s: %s", name, auth)
		}
	}
}

func TestFailures(t *testing.T) {
	signedIn(t)
	var thrown bytes.Buffer
	frame(t, &thrown, "exception", ":exception-type", "throttlingException", `{"message":"Too many tokens"}`)
	for name, tt := range map[string]struct {
		answer http.HandlerFunc
		class  debate.CallStatus
		says   string
	}{
		"no access": {wiretest.JSON(403, `{"message":"You don't have access to the model. `+session+`"}`, "X-Amzn-ErrorType", "AccessDeniedException"), debate.CallAuth,
			"the provider answers 403 Forbidden (AccessDeniedException): You don't have access to the model. [key]"},
		"no profile": {wiretest.JSON(400, `{"message":"Retry your request with the ID or ARN of an inference profile"}`, "X-Amzn-ErrorType", "ValidationException"), debate.CallError, "ARN of an inference profile"},
		"too long":   {wiretest.JSON(400, `{"message":"Input is too long for requested model."}`), debate.CallTooLong, "too long"},
		"in between": {binary(thrown.String()), debate.CallRate, "Too many tokens"},
		"unfinished": {events(t, claude[:3]...), debate.CallError, "ended before"},
	} {
		c := client(t, options("anthropic.claude-x", wiretest.New(t, tt.answer)))
		_, err := c.Ask(t.Context(), question)
		if f := model.Classify(err); f == nil || f.Class != tt.class || !strings.Contains(f.Error(), tt.says) || strings.Contains(f.Error(), "canary") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestNobody: without credentials nothing is sent, and people are told what to do.
func TestNobody(t *testing.T) {
	signedIn(t)
	t.Setenv("AWS_ACCESS_KEY_ID", "")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "")
	for _, name := range []string{"anthropic.claude-x", "openai.gpt-oss-120b-1:0"} {
		s := wiretest.New(t, wiretest.JSON(200, "{}"))
		c := client(t, options(name, s))
		_, err := c.Ask(t.Context(), question)
		if f := model.Classify(err); f.Class != debate.CallAuth || !strings.Contains(f.Detail, "aws-actions/configure-aws-credentials") || len(s.Requests()) != 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
	t.Setenv("AWS_REGION", "")
	_, err := New(options("anthropic.claude-x", wiretest.New(t, wiretest.JSON(200, "{}")), "AWS_REGION", ""))
	if f := model.Classify(err); f == nil || !strings.Contains(f.Detail, "write region") {
		t.Errorf("without a region: %v", err)
	}
}
