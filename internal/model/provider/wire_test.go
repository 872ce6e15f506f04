package provider

import (
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/prdebate/debate/internal/model"
	"github.com/prdebate/debate/internal/testkit/wiretest"
)

// TestManyAtOnce: one client serves many calls at once, and reads compressed replies.
func TestManyAtOnce(t *testing.T) {
	t.Parallel()
	onEachWire(t, func(t *testing.T, _ string, w wiretest.Wire) {
		c, asked := served(t, w, wiretest.Gzip(w.Says(wiretest.Turn{Text: "{}"})))
		var all sync.WaitGroup
		for range 16 {
			all.Go(func() {
				if got, err := c.Ask(t.Context(), asking); err != nil || got.Text != "{}" {
					t.Errorf("%q, %v", got.Text, err)
				}
			})
		}
		all.Wait()
		if n := len(asked()); n != 16 {
			t.Errorf("%d requests", n)
		}
	})
}

// tell gives a stream to a client of each wire: it makes a reply or a failure, and neither
// a panic nor a reply without an end. The party looks, and answers after that.
func tell(t *testing.T, stream string) {
	t.Helper()
	for name, w := range wiretest.Wires {
		p, _ := All().Find(w.Provider)
		c, err := p.New(model.Options{
			Model: "m", Key: "key-0123456789", API: w.API, HTTP: &http.Client{Transport: wiretest.Canned(stream)}, Limit: model.NewLimit(1, 1_000_000_000),
		})
		if err != nil {
			t.Fatal(err)
		}
		looking := asking
		for _, looking.Tools = range []model.Tools{model.NoTools, model.ToolsOpen, model.ToolsOpen} {
			got, err := c.Ask(t.Context(), looking)
			if err != nil && !errors.As(err, new(*model.Error)) {
				t.Errorf("%s: %v is no failure of a call", name, err)
			}
			if u := got.Usage; len(got.Text) > model.MaxReply || u.TokensIn < 0 || u.TokensOut < 0 || u.TokensCached > u.TokensIn || u.CostMicro < 0 {
				t.Errorf("%s: %d bytes, %+v", name, len(got.Text), u)
			}
			looking.Dialogue = got.Dialogue
		}
	}
}

func FuzzStream(f *testing.F) {
	for _, w := range wiretest.Wires {
		f.Add(w.Says(wiretest.Turn{Text: "{}"}))
		f.Add(w.Says(wiretest.Turn{Text: `{"summary": "par`, CutOff: true}))
		f.Add(w.Says(wiretest.Turn{Text: "I look.", Signed: "c2lnbmVk", Calls: []wiretest.Call{{ID: "1", Name: "read", Arguments: `{"path":"a"}`}, {Name: "grep", Arguments: `{"`}}}))
	}
	f.Add("data:\r\n\r\n:\n\nevent: error\n\n")
	f.Add("data:\n\n:\n\n[{\"error\":{}}]")
	f.Add("data: {\"error\":null}\n\ndata: 7\n\nevent:\ndata:\n\n")
	f.Add(wiretest.Events("message_start", `{"type":"message_start","message":[]}`, "message_delta", `{"type":"message_delta","usage":{"output_tokens":-1e300}}`))
	f.Add(wiretest.Events("error", `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`))
	f.Add(wiretest.Data(`{"candidates":[{"content":{"parts":[{"text":"x","thoughtSignature":5}]}}],"usageMetadata":{"promptTokenCount":-1e300}}`))
	f.Add(wiretest.Data(`{"promptFeedback":{"blockReason":[]}}`, `{"candidates":{}}`, `[]`))
	f.Add(wiretest.Data(`{"type":"response.refusal.delta","delta":"I will not"}`, `{"choices":[{"delta":{"refusal":"I will"},"finish_reason":"content_filter"}]}`))
	f.Fuzz(func(t *testing.T, stream string) { tell(t, stream) })
}

// TestBombs: nesting and numbers without end cost no more than their bytes.
func TestBombs(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("[", 1_000_000)
	for _, data := range []string{
		deep, `{"response":` + deep, `{"choices":` + deep + strings.Repeat("]", 1_000_000) + `}`,
		`{"type":"response.completed","response":{"output":` + deep + strings.Repeat("]", 1_000_000) + `}}`,
		`{"usage":{"prompt_tokens":1e999,"completion_tokens":NaN},"choices":[]}`,
		`{"type":"response.completed","response":{"status":"completed","usage":{"input_tokens":99999999999999999999,"output_tokens":-5}}}`,
		`{"choices":[{"delta":{"content":"` + strings.Repeat(`\ud800`, 1000) + `"},"finish_reason":"stop"}]}`,
	} {
		tell(t, wiretest.Data(data))
	}
}
