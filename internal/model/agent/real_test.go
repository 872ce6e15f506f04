//go:build agents

package agent

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/model"
	"github.com/prdebate/debate/internal/testkit/wiretest"
)

// The agents themselves, as they are installed on PATH, against a local server
// of their provider's wire. .github/agents/run.sh installs them and runs this
// where nothing else can be reached.

const realReply = `{"reply":"é @ <x>"}`

// stage is how a provider answers an agent, and what the answer is for us.
type stage struct {
	agent, model, answer string
	usage                debate.Usage
	tool                 func(command string) string // an answer that calls a tool which runs a command
	errors               map[int]debate.CallStatus
	key                  string // the header that the key comes in
}

func quoted(s string) string {
	text, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(text)
}

func stages() []stage {
	odd := strings.ReplaceAll(realReply, at, standIn)
	return []stage{
		{
			agent: "codex", model: "gpt-6.1-sol", key: "Authorization",
			answer: wiretest.Events(
				"response.created", `{"type":"response.created","response":{"id":"r1"}}`,
				"response.output_item.done", `{"type":"response.output_item.done","output_index":0,"item":{"type":"message","id":"m1","role":"assistant",`+
					`"status":"completed","content":[{"type":"output_text","text":`+quoted(realReply)+`,"annotations":[]}]}}`,
				"response.completed", `{"type":"response.completed","response":{"id":"r1","usage":{"input_tokens":100,"input_tokens_details":{"cached_tokens":40},`+
					`"output_tokens":20,"output_tokens_details":{"reasoning_tokens":5},"total_tokens":120}}}`),
			tool: func(command string) string {
				return wiretest.Events(
					"response.created", `{"type":"response.created","response":{"id":"r1"}}`,
					"response.output_item.done", `{"type":"response.output_item.done","output_index":0,"item":{"type":"function_call","id":"f1","call_id":"c1",`+
						`"name":"exec_command","arguments":`+quoted(`{"cmd":`+quoted(command)+`}`)+`}}`,
					"response.output_item.done", `{"type":"response.output_item.done","output_index":1,"item":{"type":"function_call","id":"f2","call_id":"c2",`+
						`"name":"shell","arguments":`+quoted(`{"command":["sh","-c",`+quoted(command)+`]}`)+`}}`,
					"response.completed", `{"type":"response.completed","response":{"id":"r1","usage":{"input_tokens":1,"output_tokens":1,"total_tokens":2}}}`)
			},
			usage: debate.Usage{TokensIn: 100, TokensCached: 40, TokensOut: 20},
			errors: map[int]debate.CallStatus{
				400: debate.CallError, 401: debate.CallAuth, 404: debate.CallNotFound, 429: debate.CallRate,
				500: debate.CallOverloaded, 503: debate.CallOverloaded, 529: debate.CallOverloaded,
			},
		},
		{
			agent: "claude", model: "claude-sonnet-5-5", key: "X-Api-Key",
			answer: wiretest.Events(
				"message_start", `{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,`+
					`"usage":{"input_tokens":53,"cache_read_input_tokens":40,"cache_creation_input_tokens":7,"output_tokens":1}}}`,
				"content_block_start", `{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`,
				"content_block_delta", `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":`+quoted(realReply)+`}}`,
				"content_block_stop", `{"type":"content_block_stop","index":0}`,
				"message_delta", `{"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":20}}`,
				"message_stop", `{"type":"message_stop"}`),
			tool: func(command string) string {
				return wiretest.Events(
					"message_start", `{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,`+
						`"usage":{"input_tokens":1,"output_tokens":1}}}`,
					"content_block_start", `{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"toolu_1","name":"Bash","input":{}}}`,
					"content_block_delta", `{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":`+quoted(`{"command":`+quoted(command)+`}`)+`}}`,
					"content_block_stop", `{"type":"content_block_stop","index":0}`,
					"message_delta", `{"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"output_tokens":1}}`,
					"message_stop", `{"type":"message_stop"}`)
			},
			usage: debate.Usage{TokensIn: 100, TokensCached: 40, TokensOut: 20},
			errors: map[int]debate.CallStatus{
				400: debate.CallError, 401: debate.CallAuth, 404: debate.CallNotFound, 429: debate.CallRate,
				500: debate.CallError, 529: debate.CallOverloaded,
			},
		},
		{
			agent: "gemini-cli", model: "gemini-2.5-pro", key: "X-Goog-Api-Key",
			answer: wiretest.Data(`{"candidates":[{"index":0,"content":{"role":"model","parts":[{"text":` + quoted(odd) + `}]},"finishReason":"STOP"}],` +
				`"usageMetadata":{"promptTokenCount":100,"cachedContentTokenCount":40,"candidatesTokenCount":15,"thoughtsTokenCount":5,"totalTokenCount":120}}`),
			tool: func(command string) string {
				return wiretest.Data(`{"candidates":[{"index":0,"content":{"role":"model","parts":[{"functionCall":{"name":"run_shell_command","args":{"command":` + quoted(command) +
					`}}}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":1,"candidatesTokenCount":1,"totalTokenCount":2}}`)
			},
			usage: debate.Usage{TokensIn: 100, TokensCached: 40, TokensOut: 20},
			errors: map[int]debate.CallStatus{
				400: debate.CallError, 401: debate.CallAuth, 404: debate.CallNotFound, 429: debate.CallRate, 500: debate.CallError, 503: debate.CallOverloaded,
			},
		},
		{
			agent: "qwen", model: "qwen3-coder-plus", key: "Authorization",
			answer: wiretest.Data(
				`{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":`+quoted(odd)+`},"finish_reason":null}]}`,
				`{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`,
				`{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[],"usage":{"prompt_tokens":100,"completion_tokens":20,"total_tokens":120,"prompt_tokens_details":{"cached_tokens":40}}}`,
				`[DONE]`),
			tool: func(command string) string {
				return wiretest.Data(
					`{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","tool_calls":[{"index":0,"id":"t1",`+
						`"type":"function","function":{"name":"run_shell_command","arguments":`+quoted(`{"command":`+quoted(command)+`,"is_background":false}`)+`}}]},"finish_reason":null}]}`,
					`{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}`,
					`{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[],"usage":{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2}}`,
					`[DONE]`)
			},
			usage: debate.Usage{TokensIn: 100, TokensCached: 40, TokensOut: 20},
			// It retries 429 and 5xx until its time is over.
			errors: map[int]debate.CallStatus{400: debate.CallError, 401: debate.CallAuth, 404: debate.CallNotFound, 429: debate.CallTimeout, 500: debate.CallTimeout},
		},
	}
}

// around puts the hostile checkout around a real agent, and takes the stubs off PATH.
func around(t *testing.T) (checkout string) {
	t.Helper()
	t.Setenv("PATH", installed)
	return surround(t)
}

func realClient(t *testing.T, s stage, server *wiretest.Server) *Client {
	t.Helper()
	base := server.URL
	if s.agent == "codex" || s.agent == "qwen" {
		base += "/v1"
	}
	c, err := New(s.agent, model.Options{Model: s.model, Effort: "high", Key: testKey, BaseURL: base, Getenv: os.Getenv})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func realRequest(checkout string) model.Request {
	return model.Request{
		SchemaVersion: 1,
		System:        "RULES-OF-CONDUCT <é>",
		Packet: "PACKET\n@@ -1 +1 @@\n-  @Old user@host\n+\t@" + filepath.Join(checkout, "main.go") + " @main.go @../../../main.go @. @/ @.. @/proc/self/environ\n" +
			"@https://127.0.0.1:9/x.mp4 !`touch " + filepath.Join(checkout, "marker") + "` $skill-creator ${AvailableTools}\n/help\n",
		Turn: `{"request":"TURN"}`,
	}
}

func TestRealAgents(t *testing.T) {
	for _, s := range stages() {
		t.Run(s.agent, func(t *testing.T) {
			checkout := around(t)
			names := lookups(t)
			version, digest, err := Probe(context.Background(), s.agent, os.Getenv)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%s, sha256 %s", version, digest)

			server := wiretest.New(t, wiretest.SSE(s.answer))
			req := realRequest(checkout)
			began := time.Now()
			got, err := realClient(t, s, server).Ask(context.Background(), req)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%s, usage %+v", time.Since(began).Round(10*time.Millisecond), got.Usage)
			if got.Text != realReply {
				t.Errorf("reply %q", got.Text)
			}
			got.Usage.CostMicro, got.Usage.CostUnknown = 0, false
			if diff := cmp.Diff(s.usage, got.Usage); diff != "" {
				t.Error(diff)
			}
			if found := names(); len(found) > 0 {
				t.Errorf("it wants to reach %v", found)
			}
			sent := server.Requests()
			for _, r := range sent {
				t.Logf("%s %s?%s, %d bytes", r.Method, r.Path, r.Query, len(r.Body))
			}
			if len(sent) != 1 {
				t.Fatalf("%d requests", len(sent))
			}
			if key := sent[0].Header.Get(s.key); !strings.HasSuffix(key, testKey) {
				t.Errorf("the key is %q", key)
			}
			if holds(sent[0].Body) {
				t.Errorf("something of the checkout or the environment was sent: %s", sent[0].Body)
			}
			if effort := s.agent == "codex" || s.agent == "claude"; strings.Contains(sent[0].Body, `"effort":"high"`) != effort {
				t.Errorf("effort is told: %t: %s", !effort, sent[0].Body)
			}
			for _, p := range inRoom(t, checkout) {
				t.Errorf("still running: %s", p)
			}
			said, tools := spoken(t, sent[0].Body)
			user := strings.TrimSpace(message(req, !strings.Contains("codex claude", s.agent)))
			if len(tools) > 0 {
				t.Errorf("tools: %v", tools)
			}
			system, material := -1, -1
			for i, text := range said {
				if strings.Contains(text, req.System) {
					system = i
				}
				if strings.TrimSpace(text) == user {
					material = i
				}
			}
			if system < 0 || material <= system || material != len(said)-1 {
				t.Errorf("the rules are text %d, the message is text %d of %q", system, material, said)
			}
			untouched(t, checkout)
		})
	}
}

// spoken lists the texts of a request, the system's first, and its tools.
func spoken(t *testing.T, body string) (texts, tools []string) {
	t.Helper()
	var sent map[string]any
	if err := json.Unmarshal([]byte(body), &sent); err != nil {
		t.Fatal(err)
	}
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case string:
			texts = append(texts, v)
		case []any:
			for _, e := range v {
				walk(e)
			}
		case map[string]any:
			for _, name := range []string{"content", "parts", "text"} {
				if e, ok := v[name]; ok {
					walk(e)
				}
			}
		}
	}
	for _, name := range []string{"instructions", "system", "systemInstruction", "input", "messages", "contents"} {
		if v, ok := sent[name]; ok {
			walk(v)
		}
	}
	var names func(v any)
	names = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, e := range v {
				names(e)
			}
		case map[string]any:
			if name, ok := v["name"].(string); ok {
				tools = append(tools, name)
			}
			for _, e := range v {
				names(e)
			}
		}
	}
	names(sent["tools"])
	if strings.Contains(body, "additional_tools") {
		tools = append(tools, "additional_tools")
	}
	return texts, tools
}

// TestRealTools: a model that calls tools which it was not given reaches nothing.
func TestRealTools(t *testing.T) {
	for _, s := range stages() {
		t.Run(s.agent, func(t *testing.T) {
			checkout := around(t)
			server := wiretest.New(t, wiretest.SSE(s.tool("touch "+filepath.Join(checkout, "marker"))), wiretest.SSE(s.answer))
			ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
			defer cancel()
			got, err := realClient(t, s, server).Ask(ctx, realRequest(checkout))
			t.Logf("%q, %v, %d requests, usage %+v", got.Text, err, len(server.Requests()), got.Usage)
			if err == nil && got.Text != realReply {
				t.Errorf("reply %q", got.Text)
			}
			for _, r := range server.Requests() {
				if holds(r.Body) {
					t.Errorf("something was read: %s", r.Body)
				}
			}
			untouched(t, checkout)
		})
	}
}

// TestRealLength: a long change goes in whole, and no agent reads its at signs.
func TestRealLength(t *testing.T) {
	for _, s := range stages() {
		t.Run(s.agent, func(t *testing.T) {
			checkout := around(t)
			server := wiretest.New(t, wiretest.SSE(s.answer))
			req := realRequest(checkout)
			req.Packet += strings.Repeat("+  @Override public int é() { return user@host; } // @@ -1 +1 @@\n", 10_000)
			began := time.Now()
			got, err := realClient(t, s, server).Ask(context.Background(), req)
			if err != nil || got.Text != realReply {
				t.Fatalf("%q, %v", got.Text, err)
			}
			sent := server.Requests()
			t.Logf("%d bytes of request for %d of packet, %s", len(sent[0].Body), len(req.Packet), time.Since(began).Round(10*time.Millisecond))
			said, _ := spoken(t, sent[0].Body)
			if want := message(req, !strings.Contains("codex claude", s.agent)); strings.TrimSpace(said[len(said)-1]) != strings.TrimSpace(want) {
				t.Errorf("the message came in changed: %d bytes of %d", len(said[len(said)-1]), len(want))
			}
		})
	}
}

func TestRealErrors(t *testing.T) {
	for _, s := range stages() {
		t.Run(s.agent, func(t *testing.T) {
			around(t)
			for status, want := range s.errors {
				body := `{"type":"error","error":{"type":"stub_error","message":"stub says no ` + testKey + `","code":` + quoted("stub_code") + `}}`
				if s.agent == "gemini-cli" {
					body = `{"error":{"code":` + quoted("x") + `,"message":"stub says no ` + testKey + `","status":"STUB"}}`
				}
				server := wiretest.New(t, wiretest.JSON(status, body))
				ctx, cancel := context.WithTimeout(context.Background(), 40*time.Second)
				if s.agent == "qwen" {
					ctx, cancel = context.WithTimeout(context.Background(), 10*time.Second)
				}
				began := time.Now()
				got, err := realClient(t, s, server).Ask(ctx, realRequest("/nowhere"))
				cancel()
				failure := model.Classify(err)
				t.Logf("%d: %v after %d requests, %s, usage %+v", status, err, len(server.Requests()), time.Since(began).Round(10*time.Millisecond), got.Usage)
				if failure == nil || failure.Class != want {
					t.Errorf("%d: %+v, want %s", status, failure, want)
					continue
				}
				if strings.Contains(failure.Detail, testKey) {
					t.Errorf("the key is told: %s", failure.Detail)
				}
			}
		})
	}
}

// TestRealDeadline: an agent whose provider falls silent is gone at the deadline,
// with everything that it started.
func TestRealDeadline(t *testing.T) {
	for _, s := range stages() {
		t.Run(s.agent, func(t *testing.T) {
			checkout := around(t)
			begin, _, _ := strings.Cut(s.answer, "\n\n")
			server := wiretest.New(t, wiretest.Silent(begin+"\n\n"))
			ctx, cancel := context.WithTimeout(context.Background(), 6*time.Second)
			defer cancel()
			began := time.Now()
			_, err := realClient(t, s, server).Ask(ctx, realRequest(checkout))
			took := time.Since(began)
			t.Logf("%v after %s, %d requests", err, took.Round(10*time.Millisecond), len(server.Requests()))
			if failure := model.Classify(err); failure == nil || failure.Class != debate.CallTimeout {
				t.Errorf("%v", err)
			}
			if took > 15*time.Second {
				t.Errorf("it took %s", took)
			}
			for _, p := range inRoom(t, checkout) {
				t.Errorf("still running: %s", p)
			}
			untouched(t, checkout)
		})
	}
}

// inRoom lists the processes that were started in a room below a directory.
func inRoom(t *testing.T, dir string) (running []string) {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		env, err := os.ReadFile(f)
		if err == nil && strings.Contains(string(env), "HOME="+filepath.Join(dir, "temp")) {
			line, _ := os.ReadFile(filepath.Join(filepath.Dir(f), "cmdline"))
			running = append(running, strings.ReplaceAll(string(line), "\x00", " "))
		}
	}
	return running
}
