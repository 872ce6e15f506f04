package openai

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/model"
	"github.com/prdebate/debate/internal/testkit/wiretest"
)

// canned answers every request with one stream.
type canned string

func (c canned) RoundTrip(req *http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: http.StatusOK, Request: req, Body: io.NopCloser(strings.NewReader(string(c))),
		Header: http.Header{"Content-Type": {"text/event-stream"}},
	}, nil
}

// read gives a stream to a client of each dialect.
func read(t *testing.T, stream string) {
	t.Helper()
	for _, d := range dialects {
		o := d.o
		o.HTTP = &http.Client{Transport: canned(stream)}
		c, err := New(o)
		if err != nil {
			t.Fatal(err)
		}
		looking := request
		for _, looking.Tools = range []model.Tools{model.NoTools, model.ToolsOpen, model.ToolsOpen} {
			got, err := c.Ask(context.Background(), looking)
			if err != nil && model.Classify(err).Class == "" || err == nil && len(got.Text) > model.MaxReply {
				t.Errorf("%s: %d bytes, %v", d.name, len(got.Text), err)
			}
			looking.Dialogue = got.Dialogue
		}
	}
}

// FuzzStream: no stream makes a client panic or hand over more than it may.
func FuzzStream(f *testing.F) {
	for _, d := range dialects {
		for _, seed := range []string{d.stream, d.cutOff, d.filter, d.refuse} {
			f.Add(seed)
		}
	}
	for _, wire := range []string{"responses", "chat"} {
		f.Add(wiretest.Wires[wire].Says(wiretest.Turn{Text: "I look.", Signed: "c2lnbmVk", Calls: []wiretest.Call{{ID: "1", Name: "read", Arguments: `{"path":"a"}`}, {Name: "grep", Arguments: `{"`}}}))
	}
	f.Add("data: {\"error\":null}\n\ndata: 7\n\nevent:\ndata:\n\n")
	f.Fuzz(func(t *testing.T, stream string) { read(t, stream) })
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
		read(t, wiretest.Data(data))
	}
}
