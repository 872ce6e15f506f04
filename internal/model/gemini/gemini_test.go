package gemini

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/model"
	"github.com/prdebate/debate/internal/testkit/wiretest"
)

const key = "AIzaCanary"

var question = model.Request{
	SchemaVersion: model.SchemaVersion, System: "Rules.", Packet: "<<packet>>\n+1 if a < b && \"c\" {\n<<end>>\n", Turn: `{"request":"Review."}`,
}

// prices make costs that can be checked by hand.
func prices() model.Prices {
	return model.Prices{}.With(model.Price{Model: "gemini-test", Input: 1_000_000, Cached: 100_000, Output: 10_000_000})
}

func client(t *testing.T, s *wiretest.Server, change func(*model.Options)) *Client {
	t.Helper()
	o := model.Options{
		Model: "gemini-test", Key: key, BaseURL: s.URL, Effort: "high", Prices: prices(),
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
	// The key is in the header, never in the query.
	if got.Method != http.MethodPost || got.Path != "/v1beta/models/gemini-test:streamGenerateContent" || got.Query != "alt=sse" {
		t.Errorf("%s %s?%s", got.Method, got.Path, got.Query)
	}
	for name, want := range map[string]string{keyHeader: key, "Authorization": "", "Content-Type": "application/json"} {
		if got.Header.Get(name) != want {
			t.Errorf("header %s is %q, want %q", name, got.Header.Get(name), want)
		}
	}
	if agent := got.Header.Get("User-Agent"); !strings.HasPrefix(agent, "debate ") {
		t.Errorf("user agent %q", agent)
	}
	want := `{
		"systemInstruction": {"role": "user", "parts": [{"text": "Rules."}]},
		"contents": [{"role": "user", "parts": [
			{"text": "<<packet>>\n+1 if a < b && \"c\" {\n<<end>>\n"},
			{"text": "` + "```json\\n{\\\"request\\\":\\\"Review.\\\"}\\n```\\n" + `"}
		]}],
		"generationConfig": {"responseMimeType": "application/json", "thinkingConfig": {"thinkingLevel": "HIGH"}}
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

// TestPrefix sees that two calls of one debate differ only after the packet: the
// provider caches by what the input begins with.
func TestPrefix(t *testing.T) {
	t.Parallel()
	s := wiretest.New(t, says("{}"))
	c := client(t, s, nil)
	q := question
	q.Packet = strings.Repeat("+1 text of the packet\n", 1000)
	var rest [2]any
	for i, turn := range []string{`{"request":"Review."}`, `{"request":"Answer the objections."}`} {
		q.Turn = turn
		if _, err := c.Ask(t.Context(), q); err != nil {
			t.Fatal(err)
		}
		body := decoded(t, s.Requests()[i].Body).(map[string]any)
		parts := body["contents"].([]any)[0].(map[string]any)["parts"].([]any)
		if last := parts[1].(map[string]any)["text"].(string); len(parts) != 2 || !strings.Contains(last, turn) {
			t.Errorf("the turn is not the last part: %q", last)
		}
		parts[1] = nil
		rest[i] = body
	}
	if diff := gocmp.Diff(rest[0], rest[1]); diff != "" {
		t.Errorf("the calls differ before the turn:\n%s", diff)
	}
}

func TestReply(t *testing.T) {
	t.Parallel()
	thought := `{"candidates":[{"content":{"role":"model","parts":[{"text":"I think.","thought":true,"thoughtSignature":"AAAA"}]}}]}`
	other := `{"candidates":[{"content":{"role":"model","parts":[{"text":"other"}]},"finishReason":"SAFETY","index":1}]}`
	s := wiretest.New(t, wiretest.SSE(wiretest.Data(
		thought, chunk("{\"summary\": \"\u00e9"), other, chunk(" \U0001F600 <b>"),
		last("\"}", "STOP", `{"promptTokenCount":30100,"cachedContentTokenCount":30000,"candidatesTokenCount":100,"thoughtsTokenCount":400,"totalTokenCount":30600}`),
	)))
	got, err := client(t, s, nil).Ask(t.Context(), question)
	if err != nil {
		t.Fatal(err)
	}
	want := model.Response{
		Text: "{\"summary\": \"\u00e9 \U0001F600 <b>\"}", RequestID: "rsp-1", Model: "gemini-test",
		// 100 at 1, 30,000 at 0.1, 500 at 10 dollars a million
		Usage: debate.Usage{TokensIn: 30100, TokensCached: 30000, TokensOut: 500, CostMicro: 100 + 3000 + 5000},
	}
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestUnknownPrice(t *testing.T) {
	t.Parallel()
	s := wiretest.New(t, says("{}"))
	got, err := client(t, s, func(o *model.Options) { o.Prices = model.Prices{} }).Ask(t.Context(), question)
	if want := (debate.Usage{TokensIn: 25, TokensOut: 15, CostUnknown: true}); err != nil || got.Usage != want {
		t.Errorf("%+v, %v, want %+v", got.Usage, err, want)
	}
}

// ask asks once, with the usual client.
func ask(t *testing.T) func(*wiretest.Server) (model.Response, error) {
	t.Helper()
	return func(s *wiretest.Server) (model.Response, error) { return client(t, s, nil).Ask(t.Context(), question) }
}

// TestEnds keeps what came, what it costs and its id, for each reason to end.
func TestEnds(t *testing.T) {
	t.Parallel()
	end := func(reason string, class debate.CallStatus, says string) wiretest.Row {
		return wiretest.When(ends(reason), class, says, "part", 1)
	}
	wiretest.Billed(t, func(s *wiretest.Server) (model.Response, error) {
		got, err := ask(t)(s)
		if got.Usage.TokensOut != 15 || got.RequestID != "rsp-1" {
			t.Errorf("what came is lost: %+v", got)
		}
		return got, err
	}, []wiretest.Row{
		end("STOP", "", ""),
		end("MAX_TOKENS", debate.CallMalformed, "cut off"),
		end("CONTINUATION", debate.CallMalformed, "cut off"),
		end("SAFETY", debate.CallRefused, "SAFETY"),
		end("RECITATION", debate.CallRefused, "RECITATION"),
		end("BLOCKLIST", debate.CallRefused, "BLOCKLIST"),
		end("PROHIBITED_CONTENT", debate.CallRefused, "PROHIBITED_CONTENT"),
		end("SPII", debate.CallRefused, "SPII"),
		end("LANGUAGE", debate.CallRefused, "LANGUAGE"),
		end("OTHER", debate.CallMalformed, "OTHER"),
		end("MALFORMED_FUNCTION_CALL", debate.CallMalformed, "MALFORMED_FUNCTION_CALL"),
		end("FINISH_REASON_UNSPECIFIED", debate.CallError, "ended before"),
		end("FUTURE"+strings.Repeat("X", 1000), debate.CallMalformed, "FUTUREXXX"),
	})
}

func TestBlocked(t *testing.T) {
	t.Parallel()
	block := func(reason string) wiretest.Row {
		return wiretest.When(wiretest.SSE(wiretest.Data(
			`{"promptFeedback":{"blockReason":"`+reason+`","safetyRatings":[]},"usageMetadata":{"promptTokenCount":25,"totalTokenCount":25},"responseId":"rsp-2"}`)),
			debate.CallRefused, "the request is blocked: "+reason, "", 1)
	}
	wiretest.Billed(t, func(s *wiretest.Server) (model.Response, error) {
		got, err := ask(t)(s)
		if got.Usage.TokensIn != 25 || got.RequestID != "rsp-2" {
			t.Errorf("%+v", got)
		}
		return got, err
	}, []wiretest.Row{block("SAFETY"), block("PROHIBITED_CONTENT"), block("OTHER")})
}

func TestFailures(t *testing.T) {
	t.Parallel()
	const badKey = `{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"API_KEY_INVALID","domain":"googleapis.com"}`
	wiretest.Refused(t, ask(t), []wiretest.Row{
		wiretest.When(fails(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key: "+key, badKey), debate.CallAuth, "400", "", 1),
		wiretest.When(fails(401, "UNAUTHENTICATED", "no"), debate.CallAuth, "401", "", 1),
		wiretest.When(fails(403, "PERMISSION_DENIED", "no"), debate.CallAuth, "403", "", 1),
		wiretest.When(fails(404, "NOT_FOUND", "models/gemini-test is not found for API version v1beta"), debate.CallNotFound, "is not found", "", 1),
		wiretest.When(fails(400, "INVALID_ARGUMENT", "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)."), debate.CallTooLong, "1200000", "", 1),
		wiretest.When(fails(400, "INVALID_ARGUMENT", "Request contains an invalid argument."), debate.CallError, "invalid argument", "", 1),
		wiretest.When(fails(429, "RESOURCE_EXHAUSTED", "You exceeded your current quota"), debate.CallRate, "quota", "", 3),
		wiretest.When(fails(500, "INTERNAL", "An internal error has occurred."), debate.CallError, "500", "", 3),
		wiretest.When(fails(503, "UNAVAILABLE", "The model is overloaded. Please try again later."), debate.CallOverloaded, "overloaded", "", 3),
		wiretest.When(fails(504, "DEADLINE_EXCEEDED", "too slow"), debate.CallTimeout, "504", "", 3),
		wiretest.When(wiretest.JSON(503, "["+errorBody(503, "UNAVAILABLE", "busy")+"]"), debate.CallOverloaded, "busy", "", 3),
		wiretest.When(wiretest.HTML(502, "<html>\x1b[31mbad gateway</html>"), debate.CallError, "502", "", 3),
		wiretest.When(wiretest.JSON(200, errorBody(503, "UNAVAILABLE", "busy")), debate.CallOverloaded, "busy", "", 1),
		wiretest.When(wiretest.Elsewhere(t), debate.CallError, "another place", "", 1),
		wiretest.When(wiretest.HTML(407, "proxy"), debate.CallAuth, "407", "", 1),
		wiretest.When(wiretest.JSON(500, strings.Repeat("x", 1<<20)), debate.CallError, "500", "", 3),
	})
}

// TestRetryInfo sees that the wait that the API asks for in the body counts.
func TestRetryInfo(t *testing.T) {
	t.Parallel()
	info := func(delay string) string {
		return `{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"` + delay + `"}`
	}
	s := wiretest.New(t, fails(429, "RESOURCE_EXHAUSTED", "quota", info("41.5s")))
	_, err := client(t, s, nil).Ask(t.Context(), question)
	if e := wiretest.Failed(t, err, debate.CallRate, "quota"); e.RetryAfter != 41500*time.Millisecond || len(s.Requests()) != 1 {
		t.Errorf("retry after %s, %d requests", e.RetryAfter, len(s.Requests()))
	}
	s = wiretest.New(t, fails(429, "RESOURCE_EXHAUSTED", "quota", info("0.001s")), says("{}"))
	if _, err := client(t, s, nil).Ask(t.Context(), question); err != nil {
		t.Error(err)
	}
}

// TestBroken sees what goes wrong after a good status, and that the SDK does not
// write about it to the log of the process.
func TestBroken(t *testing.T) {
	var logged bytes.Buffer
	log.SetOutput(&logged)
	defer log.SetOutput(io.Discard)
	begun := wiretest.Data(chunk("half"))
	t.Run("rows", func(t *testing.T) {
		wiretest.Billed(t, ask(t), []wiretest.Row{
			wiretest.When(wiretest.Cut(begun), debate.CallError, "broke in the middle", "half", 1),
			wiretest.When(wiretest.Cut(begun+"data: {\"candi"), debate.CallError, "broke in the middle", "half", 1),
			wiretest.When(wiretest.Hangup, debate.CallError, "cannot be reached", "", 3),
			wiretest.When(wiretest.SSE(begun), debate.CallError, "ended before", "half", 1),
			wiretest.When(wiretest.SSE(""), debate.CallError, "ended before", "", 1),
			wiretest.When(wiretest.SSE(begun+wiretest.Data("{no JSON")), debate.CallError, "cannot be read", "half", 1),
			wiretest.When(wiretest.SSE(begun+wiretest.Data(`{"candidates":5}`)), debate.CallError, "cannot be read", "half", 1),
			wiretest.When(wiretest.SSE(begun+wiretest.Data(`{"candidates":[{"content":{"parts":[{"functionCall":{"name":"read","args":"{\"path\":"}}]}}]}`)), debate.CallError, "read: it has not the shape of a reply", "half", 1),
			wiretest.When(wiretest.SSE(begun+wiretest.Data(`{"candidates":[null]}`)), debate.CallError, "cannot be read", "half", 1),
			wiretest.When(wiretest.SSE(begun+wiretest.Data(`{"candidates":[{"content":{"parts":[null]}}]}`)), debate.CallError, "ended before", "half", 1),
			wiretest.When(wiretest.SSE(begun+wiretest.Data(oneLine(errorBody(503, "UNAVAILABLE", "busy")))), debate.CallOverloaded, "busy", "half", 1),
			wiretest.When(wiretest.SSE(begun+wiretest.Data(oneLine(errorBody(429, "RESOURCE_EXHAUSTED", "slow")))), debate.CallRate, "slow", "half", 1),
			wiretest.When(wiretest.SSE(errorBody(503, "UNAVAILABLE", "busy")), debate.CallOverloaded, "busy", "", 1),
			wiretest.When(wiretest.JSON(200, "["+chunk("x")+"]"), debate.CallError, `"application/json"`, "", 1),
			wiretest.When(wiretest.HTML(200, "<html>Sign in</html>"), debate.CallError, "web page", "", 1),
			wiretest.When(wiretest.Flood("", wiretest.Data(chunk(strings.Repeat("x", 20_000)))), debate.CallMalformed, "larger than", strings.Repeat("x", model.MaxReply), 1),
			wiretest.When(wiretest.Flood("data: ", strings.Repeat("x", 1<<16)), debate.CallMalformed, "larger than", "", 1),
		})
	})
	if logged.Len() > 0 {
		t.Errorf("logged: %s", logged.String())
	}
}

func oneLine(s string) string { return strings.ReplaceAll(s, "\n", "") }

// TestRetries sees that the SDK retries, within the bounds of the guard.
func TestRetries(t *testing.T) {
	t.Parallel()
	sdk := wiretest.SDK{Reply: wiretest.Data(chunk("{"), last("}", "STOP", usual)), Begin: wiretest.Data(chunk("half")), Kept: "half", New: func(way *http.Client) (model.Client, error) {
		return New(model.Options{Model: "gemini-test", Key: key, Effort: "high", HTTP: way})
	}}
	wiretest.Retries(t, sdk)
	wiretest.Cancelled(t, sdk)
}

// TestParametersThatAModelRefuses sees that they are left out, and that this is
// remembered.
func TestParametersThatAModelRefuses(t *testing.T) {
	t.Parallel()
	s := wiretest.New(t,
		fails(400, "INVALID_ARGUMENT", "Thinking level is not supported for this model."),
		fails(400, "INVALID_ARGUMENT", "JSON mode is not enabled for models/gemini-test"),
		says("{}"),
	)
	c := client(t, s, nil)
	for range 2 {
		if got, err := c.Ask(t.Context(), question); err != nil || got.Text != "{}" {
			t.Fatalf("%q, %v", got.Text, err)
		}
	}
	var asked []any
	for _, r := range s.Requests() {
		asked = append(asked, decoded(t, r.Body).(map[string]any)["generationConfig"])
	}
	jsonOnly := map[string]any{"responseMimeType": "application/json"}
	want := []any{
		map[string]any{"responseMimeType": "application/json", "thinkingConfig": map[string]any{"thinkingLevel": "HIGH"}}, jsonOnly, map[string]any{}, map[string]any{},
	}
	if diff := gocmp.Diff(want, asked); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestEffort(t *testing.T) {
	t.Parallel()
	level := func(l string) any { return map[string]any{"thinkingLevel": l} }
	budget := func(n float64) any { return map[string]any{"thinkingBudget": n} }
	for _, tt := range []struct {
		model, effort string
		want          any
	}{
		{"gemini-3.8-flash", "low", level("LOW")},
		{"gemini-3-pro", "medium", level("MEDIUM")},
		{"gemini-flash-latest", "high", level("HIGH")},
		{"gemini-2.5-pro", "low", budget(2048)},
		{"models/gemini-2.5-flash", "medium", budget(8192)},
		{"gemini-2.5-flash-lite", "high", budget(24576)},
		{"gemini-2.5-pro", "", nil},
	} {
		s := wiretest.New(t, says("{}"))
		c := client(t, s, func(o *model.Options) { o.Model, o.Effort = tt.model, tt.effort })
		if _, err := c.Ask(t.Context(), question); err != nil {
			t.Fatal(err)
		}
		config := decoded(t, s.Requests()[0].Body).(map[string]any)["generationConfig"].(map[string]any)
		if diff := gocmp.Diff(tt.want, config["thinkingConfig"]); diff != "" {
			t.Errorf("%s %s (-want +got):\n%s", tt.model, tt.effort, diff)
		}
	}
}

// TestEnvironment sees that nothing of the environment redirects a call, or adds
// to it.
func TestEnvironment(t *testing.T) {
	elsewhere := wiretest.New(t, says("{}"))
	for name, value := range map[string]string{
		"GOOGLE_GEMINI_BASE_URL": elsewhere.URL, "GOOGLE_VERTEX_BASE_URL": elsewhere.URL, "GEMINI_API_KEY": "other", "GOOGLE_GENAI_USE_VERTEXAI": "1",
		"GOOGLE_GENAI_USE_ENTERPRISE": "1", "GOOGLE_CLOUD_PROJECT": "p", "GOOGLE_CLOUD_LOCATION": "l",
	} {
		t.Setenv(name, value)
	}
	for _, own := range []string{key, ""} {
		s := wiretest.New(t, says("{}"))
		if _, err := client(t, s, func(o *model.Options) { o.Key = own }).Ask(t.Context(), question); err != nil {
			t.Fatal(err)
		}
		r := s.Requests()[0]
		if values := r.Header.Values(keyHeader); strings.Join(values, " ") != own || r.Path != "/v1beta/models/gemini-test:streamGenerateContent" {
			t.Errorf("with the key %q: %v to %s", own, r.Header, r.Path)
		}
	}
	if n := len(elsewhere.Requests()); n != 0 {
		t.Errorf("%d requests went elsewhere", n)
	}
}

func TestAddress(t *testing.T) {
	t.Parallel()
	const path = "/v1beta/models/gemini-test:streamGenerateContent"
	for suffix, want := range map[string]string{"": path, "/": path, "/v1beta": path, "/v1beta/": path, "/gate/": "/gate" + path} {
		s := wiretest.New(t, says("{}"))
		if _, err := client(t, s, func(o *model.Options) { o.BaseURL += suffix }).Ask(t.Context(), question); err != nil {
			t.Fatal(err)
		}
		if got := s.Requests()[0].Path; got != want {
			t.Errorf("%q: %s, want %s", suffix, got, want)
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
		{model.Options{Key: key, Model: "../cachedContents/x"}, debate.CallNotFound},
		{model.Options{Key: key, Model: "models/a..b"}, debate.CallNotFound},
		{model.Options{Key: key, Model: "a?key=b"}, debate.CallNotFound},
		{model.Options{Key: key, Model: "a%2e%2e/b"}, debate.CallNotFound},
		{model.Options{Key: key, Model: "a\n"}, debate.CallNotFound},
	} {
		tt.o.Model = cmp.Or(tt.o.Model, "m")
		_, err := New(tt.o)
		wiretest.Failed(t, err, tt.class, "")
	}
}
