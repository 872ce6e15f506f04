package anthropic

import (
	"cmp"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/model"
	"github.com/prdebate/debate/internal/testkit/wiretest"
)

const key = "sk-ant-api03-canary"

var question = model.Request{
	SchemaVersion: model.SchemaVersion, System: "Rules.", Packet: "<<packet>>\n+1 if a < b && \"c\" {\n<<end>>\n", Turn: `{"request":"Review."}`,
}

// prices make costs that can be checked by hand.
func prices() model.Prices {
	return model.Prices{}.With(model.Price{Model: "claude-test", Input: 1_000_000, Cached: 100_000, CacheWrite: 2_000_000, Output: 10_000_000})
}

func client(t *testing.T, s *wiretest.Server, change func(*model.Options)) *Client {
	t.Helper()
	o := model.Options{
		Model: "claude-test", Key: key, BaseURL: s.URL, Effort: "high", Prices: prices(),
		Limit: model.NewLimit(100, 1_000_000),
	}
	if change != nil {
		change(&o)
	}
	c, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestRequest(t *testing.T) {
	t.Parallel()
	s := wiretest.New(t, says("{}"))
	if _, err := client(t, s, nil).Ask(t.Context(), question); err != nil {
		t.Fatal(err)
	}
	got := s.Requests()[0]
	if got.Method != http.MethodPost || got.Path != "/v1/messages" || got.Query != "" {
		t.Errorf("%s %s?%s", got.Method, got.Path, got.Query)
	}
	for name, want := range map[string]string{
		"X-Api-Key": key, "Authorization": "", "Anthropic-Version": "2023-06-01", "Content-Type": "application/json", "Traceparent": "",
	} {
		if got.Header.Get(name) != want {
			t.Errorf("header %s is %q, want %q", name, got.Header.Get(name), want)
		}
	}
	if agent := got.Header.Get("User-Agent"); !strings.HasPrefix(agent, "debate ") {
		t.Errorf("user agent %q", agent)
	}
	want := `{
		"model": "claude-test",
		"max_tokens": 32000,
		"stream": true,
		"system": [{"type": "text", "text": "Rules.", "cache_control": {"type": "ephemeral"}}],
		"messages": [{"role": "user", "content": [
			{"type": "text", "text": "<<packet>>\n+1 if a < b && \"c\" {\n<<end>>\n", "cache_control": {"type": "ephemeral"}},
			{"type": "text", "text": "` + "```json\\n{\\\"request\\\":\\\"Review.\\\"}\\n```\\n" + `"}
		]}],
		"thinking": {"type": "adaptive"},
		"output_config": {"effort": "high"}
	}`
	if diff := gocmp.Diff(decoded(t, want), decoded(t, got.Body)); diff != "" {
		t.Errorf("body (-want +got):\n%s", diff)
	}
}

func decoded(t *testing.T, text string) (v any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return v
}

// TestPrefix sees that what the provider may cache is the same in two calls of
// one debate, to the mark after the packet.
func TestPrefix(t *testing.T) {
	t.Parallel()
	s := wiretest.New(t, says("{}"))
	c := client(t, s, nil)
	q := question
	q.Packet = strings.Repeat("+1 text of the packet\n", 1000)
	for _, turn := range []string{`{"request":"Review."}`, `{"request":"Answer the objections."}`} {
		q.Turn = turn
		if _, err := c.Ask(t.Context(), q); err != nil {
			t.Fatal(err)
		}
	}
	var prefixes [2]string
	for i, r := range s.Requests() {
		var body struct {
			System, Messages json.RawMessage
		}
		if err := json.Unmarshal([]byte(r.Body), &body); err != nil {
			t.Fatal(err)
		}
		messages, _, found := strings.Cut(string(body.Messages), "```json")
		if !found {
			t.Fatalf("no turn in %.200s", body.Messages)
		}
		prefixes[i] = string(body.System) + messages
	}
	if prefixes[0] != prefixes[1] || len(prefixes[0]) < len(q.Packet) || strings.Count(prefixes[0], "cache_control") != 2 {
		t.Errorf("the prefixes are not the same and marked:\n%.300s\n%.300s", prefixes[0], prefixes[1])
	}
}

func TestReply(t *testing.T) {
	t.Parallel()
	text := "{\"summary\": \"\u00e9 \U0001F600 <b>\"}"
	s := wiretest.New(t, streams(script{
		texts: []string{text[:12], text[12:]}, think: "The user wants a review.",
		usage: `{"input_tokens":100,"cache_creation_input_tokens":2000,"cache_read_input_tokens":30000,"output_tokens":3}`,
		final: `{"output_tokens":500,"output_tokens_details":{"thinking_tokens":400}}`,
	}))
	got, err := client(t, s, nil).Ask(t.Context(), question)
	if err != nil {
		t.Fatal(err)
	}
	want := model.Response{
		Text: text, RequestID: "req_011CTest", Model: "claude-test",
		// 100 at 1, 30,000 at 0.1, 2,000 at 2, 500 at 10 dollars a million
		Usage: debate.Usage{TokensIn: 32100, TokensCached: 30000, TokensOut: 500, CostMicro: 100 + 3000 + 4000 + 5000},
	}
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestUsageOfTheEnd lets the last event correct what the first one said.
func TestUsageOfTheEnd(t *testing.T) {
	t.Parallel()
	s := wiretest.New(t, streams(script{
		texts: []string{"{}"}, usage: `{"input_tokens":9,"output_tokens":1}`,
		final: `{"input_tokens":10,"cache_creation_input_tokens":20,"cache_read_input_tokens":30,"output_tokens":40}`,
	}))
	got, err := client(t, s, func(o *model.Options) { o.Prices = model.Prices{} }).Ask(t.Context(), question)
	if err != nil {
		t.Fatal(err)
	}
	want := debate.Usage{TokensIn: 60, TokensCached: 30, TokensOut: 40, CostUnknown: true}
	if got.Usage != want {
		t.Errorf("%+v, want %+v", got.Usage, want)
	}
}

// ask asks once, with the usual client.
func ask(t *testing.T) func(*wiretest.Server) (model.Response, error) {
	t.Helper()
	return func(s *wiretest.Server) (model.Response, error) { return client(t, s, nil).Ask(t.Context(), question) }
}

// TestStops keeps what came, what it costs and its id, for each reason to stop.
func TestStops(t *testing.T) {
	t.Parallel()
	stop := func(script script, class debate.CallStatus, says string) wiretest.Row {
		script.texts = []string{`{"summary": "par`}
		return wiretest.When(streams(script), class, says, script.texts[0], 1)
	}
	wiretest.Billed(t, func(s *wiretest.Server) (model.Response, error) {
		got, err := ask(t)(s)
		if got.Usage.TokensOut != 15 || got.RequestID != "req_011CTest" {
			t.Errorf("what came is lost: %+v", got)
		}
		return got, err
	}, []wiretest.Row{
		stop(script{stop: "end_turn"}, "", ""),
		stop(script{stop: "stop_sequence"}, "", ""),
		stop(script{stop: "max_tokens"}, debate.CallMalformed, "cut off"),
		stop(script{stop: "model_context_window_exceeded"}, debate.CallTooLong, "longer than the model can take"),
		stop(script{stop: "refusal"}, debate.CallRefused, "the model refuses"),
		stop(script{stop: "refusal", more: `,"stop_details":{"type":"refusal","category":"cyber","explanation":null}`}, debate.CallRefused, "answer: cyber"),
		stop(script{stop: "tool_use"}, debate.CallMalformed, "tool_use"),
		stop(script{stop: "pause_turn"}, debate.CallMalformed, "pause_turn"),
		stop(script{stop: "\n" + strings.Repeat("x", 1000)}, debate.CallMalformed, `"\nxxx`),
	})
}

func TestFailures(t *testing.T) {
	t.Parallel()
	wiretest.Refused(t, ask(t), []wiretest.Row{
		wiretest.When(fails(401, "authentication_error", "invalid x-api-key "+key), debate.CallAuth, "401", "", 1),
		wiretest.When(fails(403, "permission_error", "Your API key does not have permission"), debate.CallAuth, "403", "", 1),
		wiretest.When(fails(400, "invalid_request_error", "Your credit balance is too low to access the Anthropic API."), debate.CallAuth, "400", "", 1),
		wiretest.When(fails(402, "billing_error", "payment"), debate.CallAuth, "402", "", 1),
		wiretest.When(fails(404, "not_found_error", "model: claude-test"), debate.CallNotFound, "model: claude-test", "", 1),
		wiretest.When(fails(413, "request_too_large", "Request exceeds the maximum size"), debate.CallTooLong, "413", "", 1),
		wiretest.When(fails(400, "invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum"), debate.CallTooLong, "210000", "", 1),
		wiretest.When(fails(400, "invalid_request_error", "messages.0: unexpected"), debate.CallError, "unexpected", "", 1),
		wiretest.When(fails(429, "rate_limit_error", "slow down", "Retry-After-Ms", "1"), debate.CallRate, "slow down", "", 3),
		wiretest.When(fails(429, "rate_limit_error", "later", "Retry-After", "600"), debate.CallRate, "later", "", 1),
		wiretest.When(fails(429, "rate_limit_error", "no", "X-Should-Retry", "false"), debate.CallRate, "no", "", 1),
		wiretest.When(fails(500, "api_error", "Internal server error", "Retry-After-Ms", "1"), debate.CallError, "500", "", 3),
		wiretest.When(fails(504, "timeout_error", "too slow", "Retry-After-Ms", "1"), debate.CallTimeout, "504", "", 3),
		wiretest.When(fails(529, "overloaded_error", "Overloaded", "Retry-After-Ms", "1"), debate.CallOverloaded, "Overloaded", "", 3),
		wiretest.When(wiretest.HTML(502, "<html>\x1b[31mbad gateway</html>", "Retry-After-Ms", "1"), debate.CallError, "502", "", 3),
		wiretest.When(wiretest.JSON(200, errorBody("overloaded_error", "Overloaded")), debate.CallOverloaded, "Overloaded", "", 1),
		wiretest.When(wiretest.Elsewhere(t), debate.CallError, "another place", "", 1),
		wiretest.When(wiretest.HTML(407, "proxy"), debate.CallAuth, "407", "", 1),
		wiretest.When(wiretest.JSON(500, strings.Repeat("x", 1<<20), "Retry-After-Ms", "1"), debate.CallError, "500", "", 3),
	})
}

func TestRetryAfterIsSaid(t *testing.T) {
	t.Parallel()
	s := wiretest.New(t, fails(429, "rate_limit_error", "later", "Retry-After", "600"))
	got, err := client(t, s, nil).Ask(t.Context(), question)
	if e := wiretest.Failed(t, err, debate.CallRate, "later"); e.RetryAfter != 10*time.Minute || got.RequestID != "req_011CFail" {
		t.Errorf("retry after %s, request id %q", e.RetryAfter, got.RequestID)
	}
}

// TestErrorEvent sees errors that come after the status was good.
func TestErrorEvent(t *testing.T) {
	t.Parallel()
	event := func(text string) http.HandlerFunc { return wiretest.SSE(text, "Request-Id", "req_2") }
	wiretest.Billed(t, func(s *wiretest.Server) (model.Response, error) {
		got, err := ask(t)(s)
		if got.RequestID != "req_2" || got.Usage.TokensIn != 25 && !got.Usage.CostUnknown {
			t.Errorf("%+v", got)
		}
		return got, err
	}, []wiretest.Row{
		wiretest.When(event(wiretest.Events("error", errorBody("overloaded_error", "Overloaded"))), debate.CallOverloaded, "Overloaded", "", 1),
		wiretest.When(event(begun("half of it")+wiretest.Events("error", errorBody("overloaded_error", "Overloaded"))), debate.CallOverloaded, "Overloaded", "half of it", 1),
		wiretest.When(event(begun("half")+wiretest.Events("error", errorBody("api_error", "Internal server error"))), debate.CallError, "Internal", "half", 1),
		wiretest.When(event(begun("half")+wiretest.Events("error", errorBody("rate_limit_error", "slow"))), debate.CallRate, "slow", "half", 1),
		wiretest.When(event(begun("half")+wiretest.Events("error", "no JSON \x1b[31m"+key)), debate.CallError, "the provider reports an error", "half", 1),
		wiretest.When(event(begun("half")+wiretest.Events("content_block_delta", "{no JSON")), debate.CallError, "cannot be read", "half", 1),
		wiretest.When(event(begun("half")+wiretest.Events("content_block_delta", `{"type":"content_block_delta","delta":5}`)+wiretest.Events("future", `{"type":"future"}`)),
			debate.CallError, "the stream ended before the reply did", "half", 1),
	})
}

func TestBroken(t *testing.T) {
	t.Parallel()
	flood := wiretest.Events("content_block_delta", `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"`+strings.Repeat("x", 20_000)+`"}}`)
	wiretest.Billed(t, ask(t), []wiretest.Row{
		wiretest.When(wiretest.Cut(begun("half")), debate.CallError, "broke in the middle", "half", 1),
		wiretest.When(wiretest.Hangup, debate.CallError, "cannot be reached", "", 3),
		wiretest.When(wiretest.SSE(begun("half")), debate.CallError, "ended before", "half", 1),
		wiretest.When(wiretest.SSE(""), debate.CallError, "ended before", "", 1),
		wiretest.When(wiretest.JSON(200, `{"id":"msg_1","content":[]}`), debate.CallError, `"application/json"`, "", 1),
		wiretest.When(wiretest.HTML(200, "<html>Sign in</html>"), debate.CallError, "web page", "", 1),
		wiretest.When(wiretest.Flood(begun("x"), flood), debate.CallMalformed, "larger than", strings.Repeat("x", model.MaxReply), 1),
		wiretest.When(wiretest.Flood("event: content_block_delta\ndata: ", strings.Repeat("x", 1<<16)), debate.CallError, "cannot be read", "", 1),
	})
}

// TestRetries sees that the SDK retries, within the bounds of the guard.
func TestRetries(t *testing.T) {
	t.Parallel()
	sdk := wiretest.SDK{Reply: script{texts: []string{"{}"}}.events(), Begin: begun("half"), Kept: "half", Heeds: true, New: func(way *http.Client) (model.Client, error) {
		return New(model.Options{Model: "claude-test", Key: key, Effort: "high", HTTP: way})
	}}
	wiretest.Retries(t, sdk)
	wiretest.Cancelled(t, sdk)
}

// TestParametersThatAModelRefuses sees that they are left out, one by one, and
// that this is remembered.
func TestParametersThatAModelRefuses(t *testing.T) {
	t.Parallel()
	s := wiretest.New(t, func(w http.ResponseWriter, r *http.Request) {
		answer := says("{}")
		switch asked := r.Header.Get("Asked"); {
		case strings.Contains(asked, `"thinking"`):
			answer = fails(400, "invalid_request_error", "adaptive thinking is not supported on this model")
		case strings.Contains(asked, `"effort"`):
			answer = fails(400, "invalid_request_error", "This model does not support the effort parameter.")
		case strings.Contains(asked, `"max_tokens":32000`):
			answer = fails(400, "invalid_request_error", "max_tokens: 32000 > 8192, which is the maximum allowed number of output tokens for claude-test")
		}
		answer(w, r)
	})
	c := client(t, s, func(o *model.Options) { o.HTTP = &http.Client{Transport: tell{}} })
	for range 2 {
		if got, err := c.Ask(t.Context(), question); err != nil || got.Text != "{}" {
			t.Fatalf("%q, %v", got.Text, err)
		}
	}
	var asked [][]string
	for _, r := range s.Requests() {
		var has []string
		for _, parameter := range []string{`"thinking"`, `"effort"`, `"max_tokens":32000`, `"max_tokens":8192`} {
			if strings.Contains(r.Body, parameter) {
				has = append(has, parameter)
			}
		}
		asked = append(asked, has)
	}
	want := [][]string{
		{`"thinking"`, `"effort"`, `"max_tokens":32000`}, {`"effort"`, `"max_tokens":32000`}, {`"max_tokens":32000`},
		{`"max_tokens":8192`}, {`"max_tokens":8192`},
	}
	if diff := gocmp.Diff(want, asked); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// tell repeats the body in a header, where the answers of these tests see it.
type tell struct{}

func (tell) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := r.GetBody()
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	if _, err := io.Copy(&b, body); err != nil {
		return nil, err
	}
	r.Header.Set("Asked", b.String())
	return http.DefaultTransport.RoundTrip(r)
}

func TestEffort(t *testing.T) {
	t.Parallel()
	for _, effort := range []string{"", "low", "medium", "high"} {
		s := wiretest.New(t, says("{}"))
		if _, err := client(t, s, func(o *model.Options) { o.Effort = effort }).Ask(t.Context(), question); err != nil {
			t.Fatal(err)
		}
		body := decoded(t, s.Requests()[0].Body).(map[string]any)
		var want any
		if effort != "" {
			want = map[string]any{"effort": effort}
		}
		if diff := gocmp.Diff(want, body["output_config"]); diff != "" {
			t.Errorf("%q (-want +got):\n%s", effort, diff)
		}
		if _, thinks := body["thinking"]; thinks != (effort != "") {
			t.Errorf("%q: thinking %v", effort, body["thinking"])
		}
	}
}

// TestEnvironment sees that nothing of the environment redirects a call, or adds
// to it.
func TestEnvironment(t *testing.T) {
	elsewhere := wiretest.New(t, says("{}"))
	for name, value := range map[string]string{
		"ANTHROPIC_BASE_URL": elsewhere.URL, "ANTHROPIC_API_KEY": "other", "ANTHROPIC_AUTH_TOKEN": "other", "ANTHROPIC_PROFILE": "other",
		"ANTHROPIC_CUSTOM_HEADERS": "X-Custom: 1", "ANTHROPIC_OPEN_TELEMETRY_TRACES_CONTENT_MODE": "content",
	} {
		t.Setenv(name, value)
	}
	for _, own := range []string{key, ""} {
		s := wiretest.New(t, says("{}"))
		if _, err := client(t, s, func(o *model.Options) { o.Key = own }).Ask(t.Context(), question); err != nil {
			t.Fatal(err)
		}
		h := s.Requests()[0].Header
		if h.Get("X-Api-Key") != own || h.Get("Authorization") != "" || h.Get("X-Custom") != "" {
			t.Errorf("with the key %q: %v", own, h)
		}
	}
	if n := len(elsewhere.Requests()); n != 0 {
		t.Errorf("%d requests went elsewhere", n)
	}
}

func TestAddress(t *testing.T) {
	t.Parallel()
	for suffix, path := range map[string]string{"": "/v1/messages", "/": "/v1/messages", "/v1": "/v1/messages", "/v1/": "/v1/messages", "/gate": "/gate/v1/messages"} {
		s := wiretest.New(t, says("{}"))
		if _, err := client(t, s, func(o *model.Options) { o.BaseURL += suffix }).Ask(t.Context(), question); err != nil {
			t.Fatal(err)
		}
		if got := s.Requests()[0].Path; got != path {
			t.Errorf("%q: %s, want %s", suffix, got, path)
		}
	}
}

func TestNew(t *testing.T) {
	t.Parallel()
	if c, err := New(model.Options{Model: "m", Key: key}); err != nil || c.wire.Model() != "m" {
		t.Errorf("the defaults: %v", err)
	}
	for _, tt := range []struct {
		o     model.Options
		class debate.CallStatus
	}{
		{model.Options{}, debate.CallAuth},
		{model.Options{Key: key + "\n"}, debate.CallAuth},
		{model.Options{Key: key, BaseURL: "http://203.0.113.9"}, debate.CallNotFound},
		{model.Options{Key: key, BaseURL: "https://a:canary@example.com"}, debate.CallNotFound},
	} {
		tt.o.Model = cmp.Or(tt.o.Model, "m")
		_, err := New(tt.o)
		wiretest.Failed(t, err, tt.class, "anthropic")
	}
}
