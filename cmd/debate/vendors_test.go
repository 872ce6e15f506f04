package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/prdebate/debate/internal/testkit/exectest"
	"github.com/prdebate/debate/internal/testkit/wiretest"
)

// vendor plays one provider of models on a local port. It wants its key, keeps
// what it is sent, and says in its own language what its mind says.
type vendor struct {
	name, key, address string // of the provider, and its variables
	credential         string // the header that carries the key
	stream             func(text string) string
	secret             string // the key that it takes
	mind               mind
	fails              func(kind string) http.HandlerFunc // instead of an answer to a call of a kind; nil: it answers
	url                string

	mu    sync.Mutex
	calls []call
}

// mind gives the reply of a vendor. It is told the key, as providers are.
type mind func(vendor string, t exectest.Turn, packet, key string) string

// replying is a mind that finds what is wrong by its mark.
func replying(_ string, turn exectest.Turn, packet, _ string) string {
	return inJSON(exectest.Reply(turn, packet, "bugs"))
}

// call is what a vendor was asked once.
type call struct {
	kind, packet string
	body         string
	rest         string // everything else of the request but the key where it belongs
}

// vendors starts all providers.
func vendors(t testing.TB, m mind) []*vendor {
	t.Helper()
	all := []*vendor{
		{name: "anthropic", key: "ANTHROPIC_API_KEY", address: "ANTHROPIC_BASE_URL", credential: "X-Api-Key", stream: messages},
		{name: "openai", key: "OPENAI_API_KEY", address: "OPENAI_BASE_URL", credential: "Authorization", stream: responses},
		{name: "gemini", key: "GEMINI_API_KEY", address: "GOOGLE_GEMINI_BASE_URL", credential: "X-Goog-Api-Key", stream: contents},
	}
	for _, v := range all {
		v.mind, v.secret = m, "sk-"+v.name+"-5b1f0c77e2"
		server := httptest.NewServer(v)
		t.Cleanup(server.Close)
		v.url = server.URL
	}
	return all
}

// environment is what a process needs to reach the vendors.
func environment(all []*vendor) map[string]string {
	env := map[string]string{}
	for _, v := range all {
		env[v.key], env[v.address] = v.secret, v.url
	}
	return env
}

func (v *vendor) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	data, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	header := r.Header.Clone()
	key := strings.TrimPrefix(header.Get(v.credential), "Bearer ")
	header.Del(v.credential)
	packet, asked := read(data)
	v.mu.Lock()
	v.calls = append(v.calls, call{
		kind: asked.Envelope.Call, packet: packet, body: string(data), rest: fmt.Sprint(r.Method, r.URL, r.Host, header, string(data)),
	})
	v.mu.Unlock()
	if key != v.secret {
		wiretest.JSON(http.StatusUnauthorized,
			`{"type":"error","error":{"type":"authentication_error","code":401,"status":"UNAUTHENTICATED","message":"the key has expired"}}`)(w, r)
		return
	}
	if v.fails != nil {
		if failing := v.fails(asked.Envelope.Call); failing != nil {
			failing(w, r)
			return
		}
	}
	v.mu.Lock()
	mind := v.mind
	v.mu.Unlock()
	wiretest.SSE(v.stream(mind(v.name, asked, packet, key)))(w, r)
}

// setMind changes the mind while calls come.
func (v *vendor) setMind(m mind) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.mind = m
}

func (v *vendor) asked() []call {
	v.mu.Lock()
	defer v.mu.Unlock()
	return append([]call(nil), v.calls...)
}

// read finds the packet and the turn in a request, wherever its language has them.
func read(body []byte) (packet string, t exectest.Turn) {
	var any any
	_ = json.Unmarshal(body, &any) // without them the call has no kind, which tests notice
	walk(any, func(text string) {
		at := strings.LastIndex(text, "```json\n") // chats have one text for both
		if at >= 0 && json.Unmarshal([]byte(strings.TrimSuffix(text[at+len("```json\n"):], "\n```\n")), &t) == nil {
			text = text[:at]
		}
		if strings.HasPrefix(text, "What is debated stands") || strings.HasPrefix(text, "There is no material.") {
			packet = text
		}
	})
	return packet, t
}

func walk(v any, text func(string)) {
	switch v := v.(type) {
	case string:
		text(v)
	case []any:
		for _, one := range v {
			walk(one, text)
		}
	case map[string]any:
		for _, one := range v {
			walk(one, text)
		}
	}
}

func quoted(text string) string {
	return inJSON(text)
}

// messages is a stream of the Messages API: 1000 tokens in, 600 of them cached,
// and 100 out.
func messages(text string) string {
	return wiretest.Events(
		"message_start", `{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"claude-sonnet-5-5","content":[],"stop_reason":null,`+
			`"usage":{"input_tokens":400,"cache_read_input_tokens":600,"output_tokens":1}}}`,
		"content_block_start", `{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`,
		"content_block_delta", `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":`+quoted(text)+`}}`,
		"content_block_stop", `{"type":"content_block_stop","index":0}`,
		"message_delta", `{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":100}}`,
		"message_stop", `{"type":"message_stop"}`,
	)
}

// responses is a stream of the Responses API, with the same usage.
func responses(text string) string {
	return wiretest.Events(
		"response.output_text.delta", `{"type":"response.output_text.delta","item_id":"m1","output_index":0,"content_index":0,"delta":`+quoted(text)+`}`,
		"response.completed", `{"type":"response.completed","sequence_number":9,"response":{"id":"r1","object":"response","model":"gpt-6.1-sol","status":"completed","error":null,`+
			`"output":[{"type":"message","id":"m1","role":"assistant","status":"completed","content":[{"type":"output_text","text":`+quoted(text)+`,"annotations":[]}]}],`+
			`"usage":{"input_tokens":1000,"input_tokens_details":{"cached_tokens":600},"output_tokens":100,"output_tokens_details":{"reasoning_tokens":0},"total_tokens":1100}}}`,
	)
}

// contents is a stream of generateContent, with the same usage.
func contents(text string) string {
	return wiretest.Data(`{"candidates":[{"content":{"role":"model","parts":[{"text":` + quoted(text) + `}]},"finishReason":"STOP","index":0}],` +
		`"usageMetadata":{"promptTokenCount":1000,"cachedContentTokenCount":600,"candidatesTokenCount":100,"totalTokenCount":1100},"modelVersion":"gemini-3.8-flash","responseId":"rsp-1"}`)
}
