package openai

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"go.uber.org/goleak"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/model"
	"github.com/prdebate/debate/internal/testkit/wiretest"
)

// TestMain lays out bait: addresses, keys and headers come from the settings, not
// from an environment that somebody else may have set.
func TestMain(m *testing.M) {
	for name, value := range map[string]string{
		"OPENAI_BASE_URL": "http://127.0.0.1:1/decoy", "OPENAI_API_KEY": "sk-decoy", "OPENAI_ADMIN_KEY": "sk-decoy-admin",
		"OPENAI_ORG_ID": "decoy", "OPENAI_PROJECT_ID": "decoy", "OPENAI_CUSTOM_HEADERS": "X-Decoy: decoy", "OPENAI_LOG": "debug",
	} {
		os.Setenv(name, value)
	}
	goleak.VerifyTestMain(m)
}

// soon are headers that spare a test the waits of the SDK.
var soon = []string{"Retry-After-Ms", "1"}

// answered is the model that the recorded answers name.
const answered = "gpt-4o-2024-08-06"

// whoever is for answers that break off before or after they name the model.
var whoever = cmpopts.IgnoreFields(model.Response{}, "Model")

var wantUsage = debate.Usage{TokensIn: 1000, TokensCached: 600, TokensOut: 50, CostMicro: 1000 + 750 + 500}

func TestReply(t *testing.T) {
	t.Parallel()
	for _, d := range dialects {
		whole := `{"error":{"message":"Your organization must be verified to stream this model.","type":"invalid_request_error","param":"stream","code":"unsupported_value"}}`
		for name, answers := range map[string][]http.HandlerFunc{
			"stream":     {wiretest.SSE(d.stream, "X-Request-Id", "req-1")},
			"compressed": {wiretest.Gzip(d.stream)},
			"comments":   {wiretest.SSE(": keep alive\n\n" + d.stream)},
			"no stream":  {wiretest.JSON(400, whole), wiretest.JSON(200, d.whole, "X-Request-Id", "req-1")},
			"ignored":    {wiretest.JSON(200, d.whole)}, // the wish for a stream
			"second try": {wiretest.Hangup, wiretest.JSON(503, "{}", soon...), wiretest.SSE(d.stream)},
		} {
			t.Run(d.name+"/"+name, func(t *testing.T) {
				t.Parallel()
				c, server := clientOf(t, d.o, answers...)
				got, err := c.Ask(t.Context(), request)
				if err != nil {
					t.Fatal(err)
				}
				want := model.Response{Text: "hello there", Usage: wantUsage, Model: answered}
				if name == "stream" || name == "no stream" {
					want.RequestID = "req-1"
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Error(diff)
				}
				for _, r := range server.Requests() {
					if r.Method != http.MethodPost || r.Path != d.path || r.Query != "" {
						t.Errorf("%s %s?%s", r.Method, r.Path, r.Query)
					}
				}
			})
		}
	}
}

// TestRequestBody: what is sent, byte by byte but for the order of members.
func TestRequestBody(t *testing.T) {
	t.Parallel()
	turn := "```json\n{\"request\": \"open\"}\n```\n"
	text := func(s string) any { return map[string]any{"type": "input_text", "text": s} }
	chatBody := map[string]any{
		"model": "gpt-4o", "stream": true, "stream_options": map[string]any{"include_usage": true},
		"messages": []any{
			map[string]any{"role": "system", "content": request.System},
			map[string]any{"role": "user", "content": request.Packet + turn},
		},
		"response_format": map[string]any{"type": "json_object"}, "reasoning_effort": "high",
	}
	want := map[string]map[string]any{
		"responses": {
			"model": "gpt-4o", "stream": true, "store": false, "instructions": request.System,
			"input": []any{map[string]any{"role": "user", "content": []any{text(request.Packet), text(turn)}}},
			"text":  map[string]any{"format": map[string]any{"type": "json_object"}}, "reasoning": map[string]any{"effort": "high"},
		},
		"chat": chatBody,
	}
	for _, d := range dialects {
		c, server := clientOf(t, d.o, wiretest.SSE(d.stream))
		for _, o := range []bool{false, true} {
			c.own = o
			if _, err := c.Ask(t.Context(), request); err != nil {
				t.Fatal(err)
			}
			r := server.Requests()[len(server.Requests())-1]
			if o { // OpenAI's own server gets what others may not know
				want[d.name]["store"] = false
				want[d.name]["prompt_cache_key"] = cacheKey(request)
			}
			var got map[string]any
			if err := json.Unmarshal([]byte(r.Body), &got); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want[d.name], got); diff != "" {
				t.Errorf("%s: %s", d.name, diff)
			}
			for name, value := range map[string]string{
				"Authorization": "Bearer " + canary, "Content-Type": "application/json", "User-Agent": "debate (+https://github.com/prdebate/debate)",
				"Openai-Organization": "", "Openai-Project": "", "X-Decoy": "",
			} {
				if r.Header.Get(name) != value {
					t.Errorf("%s: %s is %q", d.name, name, r.Header.Get(name))
				}
			}
			if strings.Contains(r.Body+r.Path+r.Query, canary) {
				t.Errorf("the key is in the request: %s", r.Body)
			}
		}
	}
}

// TestSharedPrefix: the calls of one debate begin alike, so that the provider's
// cache serves them.
func TestSharedPrefix(t *testing.T) {
	t.Parallel()
	packet := strings.Repeat("+1 some changed line of code\n", 2000)
	for _, d := range dialects {
		c, server := clientOf(t, d.o, wiretest.SSE(d.stream))
		for _, call := range []string{"OPEN", "CHALLENGE"} {
			req := model.Request{System: "rules", Packet: packet, Turn: `{"call": "` + call + `"}`}
			if _, err := c.Ask(t.Context(), req); err != nil {
				t.Fatal(err)
			}
		}
		sent := server.Requests()
		a, b := prompts(t, sent[0].Body), prompts(t, sent[1].Body)
		shared := 0
		for shared < min(len(a), len(b)) && a[shared] == b[shared] {
			shared++
		}
		if shared < len("rules")+len(packet) {
			t.Errorf("%s: only %d of %d bytes are shared", d.name, shared, len(packet))
		}
	}
	if a, b := cacheKey(model.Request{System: "s", Packet: "p", Turn: "1"}), cacheKey(model.Request{System: "s", Packet: "p", Turn: "2"}); a != b {
		t.Errorf("two calls about one packet have the cache keys %s and %s", a, b)
	}
	if a, b := cacheKey(model.Request{Packet: "p"}), cacheKey(model.Request{Packet: "q"}); a == b {
		t.Error("two packets have one cache key")
	}
}

// prompts is what the model reads of a request, in its order.
func prompts(t *testing.T, body string) string {
	t.Helper()
	var got struct {
		Instructions string
		Input        []struct{ Content []struct{ Text string } }
		Messages     []struct{ Content string }
	}
	if err := json.Unmarshal([]byte(body), &got); err != nil {
		t.Fatal(err)
	}
	all := got.Instructions
	for _, m := range got.Input {
		for _, part := range m.Content {
			all += part.Text
		}
	}
	for _, m := range got.Messages {
		all += m.Content
	}
	return all
}

// TestFailures: every way in which a call fails has its class, keeps what was
// written, says what was billed and never tells the key.
func TestFailures(t *testing.T) {
	t.Parallel()
	fault := func(code, message string) string {
		return fmt.Sprintf(`{"error":{"message":%q,"type":"t","param":null,"code":%q}}`, message+" "+canary, code)
	}
	billed := debate.Usage{CostUnknown: true}
	for _, d := range dialects {
		inStream := d.begin + wiretest.Data(fault("rate_limit_exceeded", "too many"))
		for name, tt := range map[string]struct {
			answer http.HandlerFunc
			class  debate.CallStatus
			says   string
			text   string
			usage  debate.Usage
			tries  int // 0: 1
		}{
			"wrong key":     {wiretest.JSON(401, fault("invalid_api_key", "wrong")), debate.CallAuth, "401", "", debate.Usage{}, 0},
			"forbidden":     {wiretest.JSON(403, fault("unsupported_country_region_territory", "no")), debate.CallAuth, "403", "", debate.Usage{}, 0},
			"no money":      {wiretest.JSON(429, fault("insufficient_quota", "pay")), debate.CallAuth, "insufficient_quota", "", debate.Usage{}, 0},
			"no model":      {wiretest.JSON(404, fault("model_not_found", "none")), debate.CallNotFound, "none", "", debate.Usage{}, 0},
			"too long":      {wiretest.JSON(400, fault("context_length_exceeded", "long")), debate.CallTooLong, "long", "", debate.Usage{}, 0},
			"flagged":       {wiretest.JSON(400, fault("content_policy_violation", "bad")), debate.CallRefused, "bad", "", debate.Usage{}, 0},
			"bad request":   {wiretest.JSON(400, fault("x", "odd")), debate.CallError, "odd", "", debate.Usage{}, 0},
			"rate":          {wiretest.JSON(429, fault("rate_limit_exceeded", "slow"), soon...), debate.CallRate, "slow", "", debate.Usage{}, 3},
			"rate for long": {wiretest.JSON(429, fault("rate_limit_exceeded", "slow"), "Retry-After", "60"), debate.CallRate, "slow", "", debate.Usage{}, 1},
			"overloaded":    {wiretest.JSON(503, fault("", "busy"), soon...), debate.CallOverloaded, "busy", "", debate.Usage{}, 3},
			"broken":        {wiretest.JSON(500, "no JSON", soon...), debate.CallError, "500", "", debate.Usage{}, 3},
			"gateway":       {wiretest.HTML(504, "<html>", soon...), debate.CallTimeout, "504", "", debate.Usage{}, 3},
			"web page":      {wiretest.HTML(200, "<html>log in</html>"), debate.CallError, "web page", "", billed, 0},
			"error in 200":  {wiretest.JSON(200, `{"error":{"code":429,"message":"upstream"}}`), debate.CallRate, "upstream", "", debate.Usage{}, 0},
			"empty":         {wiretest.SSE(""), debate.CallError, "ended before", "", billed, 0},
			"not a stream":  {wiretest.JSON(200, `{"hello":"world"}`), debate.CallError, "ended before", "", billed, 0},
			"no JSON":       {wiretest.SSE(d.begin + "data: {oops\n\n"), debate.CallError, "cannot be read", "hello", billed, 0},
			"unfinished":    {wiretest.SSE(d.begin), debate.CallError, "ended before", "hello", billed, 0},
			"cut":           {wiretest.Cut(d.begin), debate.CallError, "broke in the middle", "hello", billed, 0},
			"hung up":       {wiretest.Hangup, debate.CallError, "cannot be reached", "", billed, 3},
			"in the stream": {wiretest.SSE(inStream), debate.CallRate, "too many", "hello", billed, 0},
			"cut off":       {wiretest.SSE(d.cutOff), debate.CallMalformed, "shorter", "hello", wantUsage, 0},
			"filtered":      {wiretest.SSE(d.filter), debate.CallRefused, "refuses", "hello", wantUsage, 0},
			"refused":       {wiretest.SSE(d.refuse), debate.CallRefused, "I will not", "", wantUsage, 0},
		} {
			t.Run(d.name+"/"+name, func(t *testing.T) {
				t.Parallel()
				c, server := clientOf(t, d.o, tt.answer)
				got, err := c.Ask(t.Context(), request)
				failure := model.Classify(err)
				if failure == nil || failure.Class != tt.class || !strings.Contains(failure.Detail, tt.says) {
					t.Errorf("%v, want %s %q", err, tt.class, tt.says)
				}
				if strings.Contains(err.Error(), canary) {
					t.Errorf("the key is told: %v", err)
				}
				if diff := cmp.Diff(model.Response{Text: tt.text, Usage: tt.usage}, got, whoever); diff != "" {
					t.Error(diff)
				}
				if n := len(server.Requests()); n != max(1, tt.tries) {
					t.Errorf("%d requests", n)
				}
			})
		}
	}
}

// TestRetries: the SDK retries, within the bounds of the guard.
func TestRetries(t *testing.T) {
	t.Parallel()
	for _, d := range dialects {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			sdk := wiretest.SDK{Reply: d.stream, Begin: d.begin, Kept: "hello", Heeds: true, New: func(way *http.Client) (model.Client, error) {
				o := d.o
				o.HTTP = way
				return New(o)
			}}
			wiretest.Retries(t, sdk)
			wiretest.Cancelled(t, sdk)
		})
	}
}

// TestFlood: a reply without end is ended.
func TestFlood(t *testing.T) {
	t.Parallel()
	for _, d := range dialects {
		c, _ := clientOf(t, d.o, wiretest.Flood(d.begin, d.delta))
		got, err := c.Ask(t.Context(), request)
		if failure := model.Classify(err); failure == nil || failure.Class != debate.CallMalformed || len(got.Text) != model.MaxReply {
			t.Errorf("%s: %d bytes, %v", d.name, len(got.Text), err)
		}
	}
}

// TestRefusedParameters: servers that do not know a parameter are asked without
// it, once and for all.
func TestRefusedParameters(t *testing.T) {
	t.Parallel()
	refuse := func(param string) http.HandlerFunc {
		return wiretest.JSON(400, `{"error":{"message":"Unsupported parameter: '`+param+`' is not supported with this model.","param":"`+param+`","code":"unsupported_parameter"}}`)
	}
	for _, d := range dialects {
		c, server := clientOf(t, d.o, refuse(d.effort), refuse(d.format), wiretest.SSE(d.stream))
		for range 2 {
			if got, err := c.Ask(t.Context(), request); err != nil || got.Text != "hello there" {
				t.Fatalf("%s: %q, %v", d.name, got.Text, err)
			}
		}
		sent := server.Requests()
		if len(sent) != 4 {
			t.Fatalf("%s: %d requests", d.name, len(sent))
		}
		for i, r := range sent {
			effort, format := strings.Contains(r.Body, `"reasoning`), strings.Contains(r.Body, "json_object")
			if effort != (i < 1) || format != (i < 2) {
				t.Errorf("%s: request %d: %s", d.name, i, r.Body)
			}
		}
	}
}

func TestRedirectElsewhere(t *testing.T) {
	t.Parallel()
	decoy := wiretest.New(t, func(_ http.ResponseWriter, r *http.Request) { t.Errorf("the decoy got %v", r.Header) })
	for _, d := range dialects {
		c, _ := clientOf(t, d.o, func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, decoy.URL, http.StatusTemporaryRedirect)
		})
		if _, err := c.Ask(t.Context(), request); model.Classify(err).Class != debate.CallError || !strings.Contains(err.Error(), "not followed") {
			t.Errorf("%s: %v", d.name, err)
		}
	}
}

func TestResponseEvents(t *testing.T) {
	t.Parallel()
	failed := strings.Replace(response("failed", withUsage, ""), `"error":null`, `"error":{"code":"server_error","message":"it broke"}`, 1)
	for name, tt := range map[string]struct {
		stream string
		text   string
		class  debate.CallStatus
		says   string
	}{
		"no deltas":   {created + event("completed", response("completed", withUsage, said)), "hello there", "", ""},
		"failed":      {created + textDelta("hello") + event("failed", failed), "hello", debate.CallError, "it broke"},
		"error event": {created + wiretest.Events("error", `{"type":"error","code":"rate_limit_exceeded","message":"slow","param":null}`), "", debate.CallRate, "slow"},
		"in progress": {event("completed", response("in_progress", "", "")), "", debate.CallError, "ended before"},
	} {
		c, _ := clientOf(t, own, wiretest.SSE(tt.stream))
		got, err := c.Ask(t.Context(), request)
		if got.Text != tt.text || tt.class == "" && err != nil {
			t.Errorf("%s: %q, %v", name, got.Text, err)
		}
		if failure := model.Classify(err); tt.class != "" && (failure == nil || failure.Class != tt.class || !strings.Contains(failure.Detail, tt.says)) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestWholeFailures: the bad ends of a reply in one piece.
func TestWholeFailures(t *testing.T) {
	t.Parallel()
	noStream := wiretest.JSON(400, `{"error":{"message":"no","param":"stream"}}`)
	choice := func(message, finish string) string {
		return `{"id":"c1","choices":[{"index":0,"message":{"role":"assistant",` + message + `},"finish_reason":"` + finish + `"}]}`
	}
	for name, tt := range map[string]struct {
		o     model.Options
		body  string
		class debate.CallStatus
	}{
		"incomplete": {own, response("incomplete", incomplete("max_output_tokens"), ""), debate.CallMalformed},
		"filtered":   {own, response("incomplete", incomplete("content_filter"), ""), debate.CallRefused},
		"refused":    {own, response("completed", withUsage, message(`{"type":"refusal","refusal":"no"}`)), debate.CallRefused},
		"no object":  {own, `[1, 2]`, debate.CallError},
		"length":     {chat(own), choice(`"content":"he"`, "length"), debate.CallMalformed},
		"refusal":    {chat(own), choice(`"refusal":"no"`, "stop"), debate.CallRefused},
		"filter":     {chat(own), choice(`"content":""`, "content_filter"), debate.CallRefused},
		"no choices": {chat(own), `{"id":"c1","choices":[]}`, debate.CallError},
		"error":      {chat(own), `{"error":{"message":"upstream","code":502}}`, debate.CallError},
	} {
		c, _ := clientOf(t, tt.o, noStream, wiretest.JSON(200, tt.body))
		if got, err := c.Ask(t.Context(), request); err == nil || model.Classify(err).Class != tt.class {
			t.Errorf("%s: %q, %v", name, got.Text, err)
		}
	}
}

func TestNew(t *testing.T) {
	t.Parallel()
	if _, err := New(model.Options{Model: "gpt-4o"}); model.Classify(err).Class != debate.CallAuth {
		t.Errorf("without a key: %v", err)
	}
	c, err := New(model.Options{Model: "gpt-4o", Key: canary})
	if err != nil || c.wire.Model() != "gpt-4o" || !c.own {
		t.Errorf("%+v, %v", c, err)
	}
	if _, err = New(model.Options{Model: "m", BaseURL: "ftp://h", Key: canary}); model.Classify(err).Class != debate.CallNotFound {
		t.Errorf("with a strange address: %v", err)
	}
}
