package anthropic

import (
	"errors"
	"net/http"
	"testing"

	"github.com/prdebate/debate/internal/model"
	"github.com/prdebate/debate/internal/testkit/wiretest"
)

// FuzzStream lets a server say anything: it makes a reply or a failure, and
// neither a panic nor a reply without an end.
func FuzzStream(f *testing.F) {
	f.Add(script{texts: []string{"{}"}, think: "so", stop: "refusal", more: `,"stop_details":{"category":"cyber"}`}.events())
	f.Add(begun("half") + wiretest.Events("error", errorBody("overloaded_error", "Overloaded")))
	f.Add(wiretest.Events("message_start", `{"type":"message_start","message":[]}`, "message_delta", `{"type":"message_delta","usage":{"output_tokens":-1e300}}`))
	f.Add(wiretest.Wires["messages"].Says(wiretest.Turn{Text: "I look.", Signed: "c2lnbmVk", Calls: []wiretest.Call{{ID: "1", Name: "read", Arguments: `{"path":"a"}`}, {Name: "grep", Arguments: `{"`}}}))
	f.Add("data:\r\n\r\n:\n\nevent: error\n\n")
	f.Fuzz(func(t *testing.T, stream string) {
		c, err := New(model.Options{Model: "claude-test", Key: key, HTTP: &http.Client{Transport: wiretest.Canned(stream)}, Limit: model.NewLimit(1, 1_000_000_000)})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Ask(t.Context(), question); err != nil && !errors.As(err, new(*model.Error)) {
			t.Errorf("%v is no failure of a call", err)
		}
		looking := question
		looking.Tools = model.ToolsOpen
		got, err := c.Ask(t.Context(), looking)
		if looking.Dialogue = got.Dialogue; looking.Dialogue != nil {
			got, err = c.Ask(t.Context(), looking)
		}
		var failure *model.Error
		if err != nil && !errors.As(err, &failure) {
			t.Errorf("%v is no failure of a call", err)
		}
		if u := got.Usage; len(got.Text) > model.MaxReply || u.TokensIn < 0 || u.TokensOut < 0 || u.TokensCached > u.TokensIn || u.CostMicro < 0 {
			t.Errorf("%d bytes, %+v", len(got.Text), u)
		}
	})
}
