package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/model"
	"github.com/prdebate/debate/internal/model/process"
)

func codexFails(words string) scene {
	return scene{Stdout: `{"type":"thread.started","thread_id":"t"}
{"type":"turn.started"}
{"type":"error","message":"Reconnecting... 1/1"}
{"type":"turn.failed","error":{"message":` + mustQuote(words) + `}}
`, Exit: 1}
}

func claudeFails(status, kind, words string) scene {
	return scene{Stdout: `{"type":"result","subtype":"success","is_error":true,"num_turns":1,"stop_reason":"stop_sequence","total_cost_usd":0,"modelUsage":{},` +
		`"usage":{"input_tokens":0,"output_tokens":0},"api_error_status":` + status + `,"api_error_type":"` + kind + `","result":` + mustQuote(words) + `}`, Exit: 1}
}

// geminiFails prints an error twice, first in its own way.
func geminiFails(above, code, words string, exit int) scene {
	return scene{Stderr: "Ripgrep is not available. Falling back to GrepTool.\nError when talking to Gemini API\n    at async main {\n  " + above + "\n}\n" +
		"{\n  \"session_id\": \"s\",\n  \"error\": {\n    \"type\": \"Error\",\n    \"message\": " + mustQuote(words) + ",\n    \"code\": " + code + "\n  }\n}\n", Exit: exit}
}

func qwenFails(words string) scene {
	return scene{Stdout: `[{"type":"system","subtype":"init"},{"type":"assistant","message":{"content":[{"type":"text","text":` + mustQuote(words) + `}]}},` +
		`{"type":"result","subtype":"error_during_execution","is_error":true,"num_turns":1,"usage":{"input_tokens":0,"output_tokens":0},"error":{"message":` + mustQuote(words) + `}}]`,
		Stderr: "{\n  \"error\": {\n    \"type\": \"AlreadyReportedError\",\n    \"message\": " + mustQuote(words) + ",\n    \"code\": 1\n  }\n}\n", Exit: 1}
}

func mustQuote(s string) string {
	text, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// written puts a scene where a stub finds it.
func written(t *testing.T, s scene) (path string) {
	t.Helper()
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(t.TempDir(), "scene")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestFailures: what each agent says, as its release of that version says it, and
// what it means.
func TestFailures(t *testing.T) {
	t.Parallel()
	played := make(map[string]bool)
	for _, tt := range []struct {
		agent string
		scene scene
		want  debate.CallStatus
		say   string // part of the detail
	}{
		{"codex", codexFails(`{"error":{"type":"invalid_request_error","message":"no such thing"}}`), debate.CallError, "400 Bad Request (invalid_request_error): no such thing"},
		{"codex", codexFails("unexpected status 401 Unauthorized: bad key " + testKey + ", url: http://x"), debate.CallAuth, "401"},
		{"codex", codexFails("unexpected status 404 Not Found: no model, url: http://x"), debate.CallNotFound, "404"},
		{"codex", codexFails("exceeded retry limit, last status: 429 Too Many Requests"), debate.CallRate, "429"},
		{"codex", codexFails("We’re currently experiencing high demand, which may cause temporary errors."), debate.CallOverloaded, "high demand"},
		{"codex", codexFails("unexpected status 529 <unknown status code>: busy " + testKey + ", url: http://x"), debate.CallOverloaded, "[key]"},
		{"codex", codexFails("Quota exceeded. Check your plan and billing details."), debate.CallAuth, "Quota"},
		{"codex", codexFails("Codex ran out of room in the model's context window. Start a new thread."), debate.CallTooLong, "room"},
		{"codex", codexFails("stream disconnected before completion: Incomplete response returned, reason: max_output_tokens"), debate.CallTooLong, "max_output_tokens"},
		{"codex", codexFails("stream disconnected before completion: Incomplete response returned, reason: content_filter"), debate.CallRefused, "content_filter"},
		{"codex", codexFails("stream disconnected before completion: idle timeout waiting for SSE"), debate.CallTimeout, "idle"},
		{"codex", codexFails("stream disconnected before completion: error sending request"), debate.CallError, "disconnected"},
		{"codex", scene{Stderr: "Error: Unknown feature flag: sleep_tool\n", Exit: 1}, debate.CallError, "Unknown feature flag: sleep_tool"},
		{"codex", scene{Stdout: `{"type":"turn.started"}` + "\n"}, debate.CallMalformed, "cannot be read"},
		{"codex", scene{Stdout: `{"type":"turn.completed","usage":{}}` + "\n"}, debate.CallMalformed, "nothing"},
		{"codex", scene{}, debate.CallMalformed, "cannot be read"},

		{"claude", claudeFails("400", "invalid_request_error", "API Error: 400 no"), debate.CallError, "400"},
		{"claude", claudeFails("400", "invalid_request_error", "API Error: 400 prompt is too long: 300000 tokens > 200000 maximum"), debate.CallTooLong, "too long"},
		{"claude", claudeFails("401", "authentication_error", "Failed to authenticate. API Error: 401 "+testKey), debate.CallAuth, "401"},
		{"claude", claudeFails("404", "not_found_error", "There's an issue with the selected model (x)."), debate.CallNotFound, "404"},
		{"claude", claudeFails("413", "request_too_large", "API Error: 413"), debate.CallTooLong, "413"},
		{"claude", claudeFails("429", "rate_limit_error", "API Error: Request rejected (429)"), debate.CallRate, "429"},
		{"claude", claudeFails("529", "overloaded_error", "API Error: 529 Overloaded"), debate.CallOverloaded, "529"},
		{"claude", claudeFails("null", "", "API Error: Connection refused"), debate.CallError, "Connection refused"},
		{"claude", scene{Stdout: `{"type":"result","subtype":"success","is_error":false,"num_turns":0,"result":"Unknown command"}`}, debate.CallMalformed, "asked no model"},
		{"claude", scene{Stdout: `{"type":"result","is_error":false,"num_turns":1,"result":"I will not","stop_reason":"refusal"}`}, debate.CallRefused, "refuses"},
		{"claude", scene{Stdout: `{"type":"result","is_error":false,"num_turns":1,"result":"{","stop_reason":"max_tokens"}`}, debate.CallTooLong, "limit of output"},
		{"claude", scene{Stdout: `{"type":"result","is_error":false,"num_turns":1,"result":"x"}`, Stderr: "late failure\n", Exit: 1}, debate.CallError, "late failure"},
		{"claude", scene{Stdout: "error: unknown option", Stderr: "error: unknown option '--bare'\n", Exit: 1}, debate.CallError, "unknown option"},

		{"gemini-cli", geminiFails("status: 400", "400", `{"error":{"code":400,"message":"API key not valid. `+testKey+`","status":"INVALID_ARGUMENT","details":[{"reason":"API_KEY_INVALID"}]}}`, 144), debate.CallAuth, "400"},
		{"gemini-cli", geminiFails("status: 400", "400", `{"error":{"code":400,"message":"The input token count exceeds the maximum","status":"INVALID_ARGUMENT"}}`, 144), debate.CallTooLong, "token count"},
		{"gemini-cli", geminiFails("status: 401", "401", "no", 145), debate.CallAuth, "401"},
		{"gemini-cli", geminiFails("code: 404", "1", "stub says 404", 1), debate.CallNotFound, "404"},
		{"gemini-cli", geminiFails("status: 429", "429", "slow down", 173), debate.CallRate, "429"},
		{"gemini-cli", geminiFails("status: 500", "500", "{}", 244), debate.CallError, "500"},
		{"gemini-cli", geminiFails("status: 503", "503", "busy", 247), debate.CallOverloaded, "503"},
		{"gemini-cli", geminiFails("x", "41", "Invalid auth method selected", 41), debate.CallError, "Invalid auth method"},
		{"gemini-cli", scene{Stderr: "{ no json\n{\"a\":1}\nlast words\n", Exit: 1}, debate.CallError, "last words"},
		{"gemini-cli", scene{Stdout: `{"response":"","stats":{"models":{}}}`}, debate.CallMalformed, "nothing"},

		{"qwen", qwenFails("[API Error: 400 no]"), debate.CallError, "400"},
		{"qwen", qwenFails("[API Error: 401 " + testKey + "]"), debate.CallAuth, "401"},
		{"qwen", qwenFails("[API Error: 404 no]"), debate.CallNotFound, "404"},
		{"qwen", qwenFails("[API Error: 400 This model's maximum context length is 8192 tokens]"), debate.CallTooLong, "context"},
		{"qwen", qwenFails("[API Error: Connection error.]"), debate.CallError, "Connection"},
		{"qwen", scene{Stderr: "{\n  \"error\": {\n    \"type\": \"FatalBudgetExceededError\",\n    \"message\": \"Run aborted: wall-clock budget of 8s exceeded (--max-wall-time).\",\n    \"code\": 55\n  }\n}\n", Exit: 55}, debate.CallTimeout, "in time"},
		{"qwen", scene{Stderr: "{\"error\":{\"message\":\"Run aborted: tool call budget exceeded (--max-tool-calls).\",\"code\":55}}\n", Exit: 55}, debate.CallMalformed, "tool"},
		{"qwen", scene{Stdout: `[{"type":"system"}]`, Stderr: "killed\n", Exit: 1}, debate.CallError, "killed"},
	} {
		c := &Client{key: testKey, model: "m"}
		c.tool = tools[tt.agent]
		ended := process.Result{Stdout: tt.scene.Stdout, Stderr: model.Redactor(testKey).Replace(tt.scene.Stderr)}
		if tt.scene.Exit != 0 {
			ended.Exit = fmt.Sprintf("exit status %d", tt.scene.Exit)
		}
		got, err := c.response(ended)
		if !played[tt.agent] { // one of each as a whole
			played[tt.agent] = true
			got, err = client(t, tt.agent, "say="+written(t, tt.scene)).Ask(context.Background(), request)
		}
		failure := model.Classify(err)
		switch {
		case failure == nil:
			t.Errorf("%s %+v: %q", tt.agent, tt.scene, got.Text)
		case failure.Class != tt.want || !strings.Contains(failure.Detail, tt.say):
			t.Errorf("%s %+v: %s, %q; want %s, %q", tt.agent, tt.scene, failure.Class, failure.Detail, tt.want, tt.say)
		case strings.Contains(failure.Detail, testKey) || strings.ContainsAny(failure.Detail, "\n\r\x1b") || got.Text != "":
			t.Errorf("%s: %q, %+v", tt.agent, failure.Detail, got)
		case got.Usage.CostUnknown == slices.Contains(unbilled, failure.Class):
			t.Errorf("%s, %s: %+v", tt.agent, failure.Class, got.Usage)
		}
	}
}

// TestCosts: the agent's account counts where it knows the model, else the table
// of prices, and what nobody knows is unknown.
func TestCosts(t *testing.T) {
	t.Parallel()
	price := model.Price{Model: "known", Input: 1e6, Cached: 1e6, Output: 1e6}
	c := &Client{model: "known", prices: model.Prices{}.With(price)}
	tokens := model.Tokens{In: 10, Cached: 4, Out: 5}
	for _, tt := range []struct {
		r    reading
		free bool
		want debate.Usage
	}{
		{reading{}, false, debate.Usage{CostUnknown: true}},
		{reading{}, true, debate.Usage{}},
		{reading{spent: []spent{{}}}, true, debate.Usage{}},
		{reading{spent: []spent{{tokens: tokens}}}, false, debate.Usage{TokensIn: 10, TokensCached: 4, TokensOut: 5, CostMicro: 15}},
		{reading{spent: []spent{{tokens: tokens}}, cost: 7, priced: true}, false, debate.Usage{TokensIn: 10, TokensCached: 4, TokensOut: 5, CostMicro: 7}},
		{reading{spent: []spent{{tokens: tokens}, {model: "other", tokens: tokens}}}, false, debate.Usage{TokensIn: 20, TokensCached: 8, TokensOut: 10, CostUnknown: true}},
		{reading{spent: []spent{{model: "other", tokens: tokens}}, cost: 7, priced: true}, false, debate.Usage{TokensIn: 10, TokensCached: 4, TokensOut: 5, CostMicro: 7}},
	} {
		if diff := cmp.Diff(tt.want, c.usage(tt.r, tt.free)); diff != "" {
			t.Errorf("%+v: %s", tt.r, diff)
		}
	}
}

// FuzzRead: whatever an agent says, it is read, in time, and an answer that is
// none is a failure.
func FuzzRead(f *testing.F) {
	f.Add("claude", `{"type":"result","result":"x","num_turns":1,"total_cost_usd":-1e300,"usage":{"input_tokens":-5}}`, "", "")
	f.Add("codex", "{}\n{\"type\":\"turn.completed\",\"usage\":{\"input_tokens\":1e3}}", "", "")
	f.Add("qwen", "[]", strings.Repeat("{\n", 100), "exit status 55")
	f.Add("gemini-cli", "", "{\n\"error\":{\"message\":\"\",\"code\":\"x\"}}", "exit status 1")
	f.Fuzz(func(t *testing.T, agent, stdout, stderr, exit string) {
		tool, known := tools[agent]
		if !known {
			return
		}
		c := &Client{tool: tool, model: "m", key: testKey}
		got, err := c.response(process.Result{Stdout: stdout, Stderr: stderr, Exit: exit})
		switch {
		case err == nil && got.Text == "":
			t.Error("no text and no failure")
		case err != nil && (model.Classify(err).Class == debate.CallOK || model.Classify(err).Detail == ""):
			t.Errorf("%+v", err)
		case got.Usage.CostMicro < 0 || got.Usage.TokensIn < 0 || got.Usage.TokensCached > got.Usage.TokensIn:
			t.Errorf("%+v", got.Usage)
		}
	})
}
