package ollama

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/model"
	"github.com/prdebate/debate/internal/testkit/wiretest"
)

const (
	begin = `{"model":"llama3","message":{"role":"assistant","content":"hel"},"done":false}` + "\n"
	reply = begin + `{"model":"llama3","message":{"role":"assistant","content":"lo"},"done":false}` + "\n" +
		`{"model":"llama3","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop","prompt_eval_count":1000,"eval_count":50}` + "\n"
)

var question = model.Request{SchemaVersion: 1, System: "Rules.", Packet: "<<packet>>\n", Turn: `{"request":"Review."}`}

func client(t *testing.T, o model.Options, answers ...http.HandlerFunc) (*Client, *wiretest.Server) {
	t.Helper()
	s := wiretest.New(t, answers...)
	o.Model, o.BaseURL = "llama3", s.URL
	c, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return c, s
}

// TestRequest: the server is told how much room the prompt needs, and to refuse what
// does not fit; a model that cannot think is asked without.
func TestRequest(t *testing.T) {
	t.Parallel()
	refuse := wiretest.JSON(400, `{"error":"\"llama3\" does not support thinking"}`)
	c, s := client(t, model.Options{Effort: "high"}, refuse, wiretest.SSE(reply))
	got, err := c.Ask(t.Context(), question)
	if err != nil {
		t.Fatal(err)
	}
	want := model.Response{Text: "hello", Model: "llama3", Usage: debate.Usage{TokensIn: 1000, TokensOut: 50, CostUnknown: true}} // nobody has said what running it costs
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	sent := s.Requests()
	if len(sent) != 2 || !strings.Contains(sent[0].Body, `"think":"high"`) {
		t.Fatalf("%+v", sent)
	}
	var body any
	if err := json.Unmarshal([]byte(sent[1].Body), &body); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]any{
		"model": "llama3", "stream": true, "format": "json", "truncate": false, "shift": false, "options": map[string]any{"num_ctx": 16384.0},
		"messages": []any{
			map[string]any{"role": "system", "content": "Rules."},
			map[string]any{"role": "user", "content": "<<packet>>\n```json\n{\"request\":\"Review.\"}\n```\n"},
		},
	}, body); diff != "" {
		t.Error(diff)
	}
	if sent[1].Path != "/api/chat" || sent[1].Header.Get("Authorization") != "" {
		t.Errorf("%s %v", sent[1].Path, sent[1].Header)
	}
}

func TestRoom(t *testing.T) {
	t.Parallel()
	for bytes, want := range map[int]int{0: 16384, 20_000: 16384, 21_000: 32768, 60_000: 32768, 62_000: 65536, 140_000: 65536, 100 << 20: 1 << 20} {
		if got := room(model.Request{Packet: strings.Repeat("x", bytes)}); got != want {
			t.Errorf("%d bytes get room for %d tokens, want %d", bytes, got, want)
		}
	}
}

func TestAddress(t *testing.T) {
	t.Parallel()
	for host, want := range map[string]string{
		"": "http://127.0.0.1:11434", "10.0.0.2:11434": "http://10.0.0.2:11434", "https://o.example/": "https://o.example",
		"http://localhost:1/v1/": "http://localhost:1", "box": "http://box:11434", "[::1]": "http://[::1]:11434",
	} {
		if got := address(host); got != want {
			t.Errorf("%q is %s, want %s", host, got, want)
		}
	}
}

func TestFailures(t *testing.T) {
	t.Parallel()
	ended := func(reason string) http.HandlerFunc {
		return wiretest.SSE(begin + `{"message":{},"done":true,"done_reason":"` + reason + `"}`)
	}
	part := strings.Repeat("x", 4000)
	ask := func(s *wiretest.Server) (model.Response, error) {
		c, err := New(model.Options{Model: "llama3", BaseURL: s.URL})
		if err != nil {
			return model.Response{}, err
		}
		return c.Ask(t.Context(), question)
	}
	wiretest.Refused(t, ask, []wiretest.Row{
		wiretest.When(wiretest.JSON(400, `{"error":"the input length exceeds the context length"}`), debate.CallTooLong,
			"the input length exceeds the context length (room for 16384 tokens was asked for): take a model with a larger context, or show it less with context: off", "", 1),
		wiretest.When(wiretest.JSON(404, `{"error":"model 'llama3' not found"}`), debate.CallNotFound, "model 'llama3' not found", "", 1),
	})
	wiretest.Billed(t, ask, []wiretest.Row{
		wiretest.When(wiretest.SSE(begin+`{"error":"an error was encountered while running the model: CUDA error"}`), debate.CallError, "CUDA error", "hel", 1),
		wiretest.When(ended("length"), debate.CallMalformed, "cut off", "hel", 1),
		wiretest.When(ended("unload"), debate.CallMalformed, "unload", "hel", 1),
		wiretest.When(wiretest.SSE(begin), debate.CallError, "ended before the reply did", "hel", 1),
		wiretest.When(wiretest.SSE("hello"), debate.CallError, "no JSON", "", 1),
		wiretest.When(wiretest.SSE(strings.Repeat("x", maxLine+1)), debate.CallMalformed, "larger than", "", 1),
		wiretest.When(wiretest.Flood("", `{"message":{"content":"`+part+`"}}`+"\n"), debate.CallMalformed, "larger than", strings.Repeat("x", model.MaxReply), 1),
		wiretest.When(wiretest.HTML(200, "<html>"), debate.CallError, "web page", "", 1),
	})
}

func TestKey(t *testing.T) {
	t.Parallel()
	c, s := client(t, model.Options{Key: "ollama-canary-77"}, wiretest.JSON(400, `{"error":"who is ollama-canary-77?"}`))
	_, err := c.Ask(t.Context(), question)
	if s.Requests()[0].Header.Get("Authorization") != "Bearer ollama-canary-77" || strings.Contains(err.Error(), "canary") {
		t.Errorf("%v, %v", s.Requests()[0].Header, err)
	}
}

func TestRetries(t *testing.T) {
	t.Parallel()
	sdk := wiretest.SDK{Reply: reply, Begin: begin, Kept: "hel", New: func(way *http.Client) (model.Client, error) {
		return New(model.Options{Model: "llama3", HTTP: way, Idle: model.IdleTimeout})
	}}
	wiretest.Retries(t, sdk)
	wiretest.Cancelled(t, sdk)
}

// loading answers after four minutes, as a server that loads a model.
type loading struct{}

func (loading) RoundTrip(req *http.Request) (*http.Response, error) {
	select {
	case <-time.After(4 * time.Minute):
		return wiretest.Canned(reply).RoundTrip(req)
	case <-req.Context().Done():
		return nil, errors.Join(req.Context().Err(), req.Body.Close())
	}
}

func TestLoads(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c, err := New(model.Options{Model: "llama3", HTTP: &http.Client{Transport: loading{}}})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := c.Ask(context.Background(), question); err != nil {
			t.Errorf("%q, %v", got.Text, err)
		}
	})
}

func FuzzRead(f *testing.F) {
	f.Add(reply)
	f.Add(begin + `{"error":{"message":5}}`)
	f.Add(`{"done":true,"prompt_eval_count":-1}`)
	f.Fuzz(func(t *testing.T, stream string) {
		answer, err := read(io.LimitReader(strings.NewReader(stream), 1<<20))
		if err == nil && len(answer.Text) > model.MaxReply {
			t.Errorf("%d bytes", len(answer.Text))
		}
	})
}
