package provider

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/model"
	"github.com/prdebate/debate/internal/prompt"
	"github.com/prdebate/debate/internal/testkit/wiretest"
)

// asking is a request of a party that may look.
var asking = model.Request{
	SchemaVersion: model.SchemaVersion, System: "Rules.", Packet: "<<packet>>\n", Turn: `{"request":"Review."}`, Tools: model.ToolsOpen,
}

// served makes a client of the model that a server plays.
func served(t *testing.T, w wiretest.Wire, answers ...http.HandlerFunc) (model.Client, func() []wiretest.Asked) {
	t.Helper()
	s := wiretest.New(t, answers...)
	p, known := All().Find(w.Provider)
	if !known {
		t.Fatalf("no provider %s", w.Provider)
	}
	c, err := p.New(model.Options{Model: "m", Key: "key-0123456789", BaseURL: s.URL, API: w.API, Effort: "high"})
	if err != nil {
		t.Fatal(err)
	}
	return c, func() (all []wiretest.Asked) {
		for _, r := range s.Requests() {
			all = append(all, w.Reads([]byte(r.Body)))
		}
		return all
	}
}

// turns are what a model says in its turns.
func turns(w wiretest.Wire, all ...wiretest.Turn) (answers []http.HandlerFunc) {
	for _, turn := range all {
		answers = append(answers, wiretest.SSE(w.Says(turn)))
	}
	return answers
}

// onEachWire runs a test on every wire that has tools.
func onEachWire(t *testing.T, test func(t *testing.T, name string, w wiretest.Wire)) {
	t.Helper()
	for name, w := range wiretest.Wires {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, name, w)
		})
	}
}

// further is the next turn of a call whose party asked to see something.
func further(req model.Request, resp model.Response, results ...string) model.Request {
	req.Dialogue, req.Results = resp.Dialogue, results
	req.Looked += strings.Join(results, "")
	return req
}

var (
	readIt = wiretest.Call{ID: "call_a", Name: "read", Arguments: `{"path":"a/b.go","start_line":3}`}
	grepIt = wiretest.Call{ID: "call_b", Name: "grep", Arguments: `{"paths":["**/*.go"],"pattern":"A\\("}`}
	listIt = wiretest.Call{ID: "call_c", Name: "list", Arguments: `{}`}
)

// A model that calls tools asks for the same as one that replies with "look". The results
// go back in the same conversation with its signed thoughts, so that each turn begins with
// all of the one before; the tools are the same in each, and at last must not be called.
func TestTools(t *testing.T) {
	t.Parallel()
	onEachWire(t, func(t *testing.T, name string, w wiretest.Wire) {
		c, asked := served(t, w, turns(w,
			wiretest.Turn{Text: "I look.", Calls: []wiretest.Call{readIt, grepIt}, Signed: "c2VhbGVkIHRob3VnaHQ="},
			wiretest.Turn{Calls: []wiretest.Call{listIt}},
			wiretest.Turn{Text: `{"disposition":"keep"}`})...)
		first, err := c.Ask(t.Context(), asking)
		if err != nil {
			t.Fatal(err)
		}
		looks, _ := prompt.Looks([]byte(first.Text))
		want := []debate.Look{{Kind: debate.LookRead, Path: "a/b.go", StartLine: 3}, {Kind: debate.LookGrep, Pattern: `A\(`, Paths: []string{"**/*.go"}}}
		if diff := cmp.Diff(want, looks); diff != "" {
			t.Errorf("it asks with %s: %s", first.Text, diff)
		}
		if want := (debate.Usage{TokensIn: 1000, TokensCached: 600, TokensOut: 100, CostUnknown: true}); first.Usage != want {
			t.Errorf("usage %+v", first.Usage)
		}
		req := further(asking, first, "lines of a\n", "matches\n")
		second, err := c.Ask(t.Context(), req)
		if err != nil || second.Text != `{"look":[{"list":{}}]}` {
			t.Fatalf("%q, %v", second.Text, err)
		}
		req = further(req, second, "names\nYou cannot look any further.\n")
		req.Tools = model.ToolsHeld
		third, err := c.Ask(t.Context(), req)
		if err != nil || third.Text != `{"disposition":"keep"}` || third.Dialogue != nil {
			t.Fatalf("%+v, %v", third, err)
		}
		all := asked()
		for i, a := range all {
			choice := []string{"auto", "auto", "none"}[i]
			if !slices.Equal(a.Tools, w.Tools()) || a.Format || a.Choice != choice {
				t.Errorf("turn %d: tools %v, format %v, choice %q", i, a.Tools, a.Format, a.Choice)
			}
			if i > 0 && !strings.HasPrefix(a.Prefix, all[i-1].Prefix) {
				t.Errorf("turn %d does not begin with the one before:\n%s\n%s", i, all[i-1].Prefix, a.Prefix)
			}
			if name == "messages" && a.Marks != min(2+i, 3) {
				t.Errorf("turn %d has %d marks of the cache", i, a.Marks)
			}
		}
		if diff := cmp.Diff([]wiretest.Call{readIt, grepIt, listIt}, all[2].Back); diff != "" {
			t.Errorf("what is sent back: %s", diff)
		}
		results := []wiretest.Call{{ID: "call_a", Arguments: "lines of a\n"}, {ID: "call_b", Arguments: "matches\n"}, {ID: "call_c", Arguments: "names\nYou cannot look any further.\n"}}
		if name == "contents" {
			for i, call := range []string{"read", "grep", "list"} {
				results[i].Name = call
			}
		}
		if diff := cmp.Diff(results, all[2].Results); diff != "" {
			t.Errorf("results: %s", diff)
		}
		if !slices.Contains(all[1].Signed, "c2VhbGVkIHRob3VnaHQ=") || !slices.Equal(all[1].Signed, all[2].Signed) && name != "chat" || slices.Contains(all[1].Signed, "") {
			t.Errorf("thoughts: %q, then %q", all[1].Signed, all[2].Signed)
		}
	})
}

// A call that is broken or names no tool asks for something that is not understood, beside
// the others of its turn. It goes back as what a server can read again.
func TestBrokenCalls(t *testing.T) {
	t.Parallel()
	broken := wiretest.Call{ID: "call_x", Name: "grep", Arguments: `{"pattern": "A`}
	unknown := wiretest.Call{ID: "call_y", Name: "run", Arguments: `{"path":"x"}`}
	onEachWire(t, func(t *testing.T, name string, w wiretest.Wire) {
		c, asked := served(t, w, turns(w, wiretest.Turn{Calls: []wiretest.Call{readIt, broken, unknown}}, wiretest.Turn{Text: "{}"})...)
		resp, err := c.Ask(t.Context(), asking)
		if err != nil {
			t.Fatal(err)
		}
		looks, _ := prompt.Looks([]byte(resp.Text))
		want := []debate.Look{{Kind: debate.LookRead, Path: "a/b.go", StartLine: 3}, {}, {}}
		if name == "contents" { // the provider has dropped the turn
			want = []debate.Look{{}}
		}
		if diff := cmp.Diff(want, looks); diff != "" {
			t.Fatalf("it asks with %s: %s", resp.Text, diff)
		}
		if _, err := c.Ask(t.Context(), further(asking, resp, []string{"one\n", "two\n", "three\n"}[:len(want)]...)); err != nil {
			t.Fatal(err)
		}
		a := asked()[1]
		if name == "contents" {
			if len(a.Results) > 0 || !strings.Contains(a.Prefix, `one\n`) || len(a.Tools) == 0 {
				t.Errorf("after a call that the provider could not read: %+v", a)
			}
			return
		}
		if len(a.Results) != 3 || a.Results[1].ID != "call_x" || a.Results[2].Arguments != "three\n" {
			t.Errorf("results %+v", a.Results)
		}
		if len(a.Back) != 3 || a.Back[1].Arguments != "{}" {
			t.Errorf("sent back: %+v", a.Back)
		}
		if name == "messages" && !slices.Equal(a.Failed, []string{"call_x", "call_y"}) {
			t.Errorf("marked as failures: %v", a.Failed)
		}
	})
}

// A model that hands in its reply with a tool has answered, as one that writes the same text below the
// same words: also with looks in the same turn, with broken arguments for the reader to judge, and if it
// must not call tools. Without arguments it hands in nothing.
func TestSubmit(t *testing.T) {
	t.Parallel()
	reply := `{"claims":[{"title":"<a> & \"b\""}],"disposition":"revise"}`
	submit := wiretest.Call{ID: "call_s", Name: "submit", Arguments: reply}
	empty := wiretest.Call{ID: "call_e", Name: "submit", Arguments: `{}`}
	onEachWire(t, func(t *testing.T, name string, w wiretest.Wire) {
		for says, c := range map[string]struct {
			turn        wiretest.Turn
			use         model.Tools
			words, want string
		}{
			"alone":                       {wiretest.Turn{Calls: []wiretest.Call{submit}}, model.ToolsOpen, "", reply},
			"with words and a look":       {wiretest.Turn{Text: "I have seen enough.", Calls: []wiretest.Call{readIt, submit}}, model.ToolsOpen, "I have seen enough.\n\n", reply},
			"where no tool may be called": {wiretest.Turn{Text: "Here.", Calls: []wiretest.Call{submit}}, model.ToolsHeld, "Here.\n\n", reply},
			"empty, and a reply as text":  {wiretest.Turn{Text: `{"disposition":"keep"}`, Calls: []wiretest.Call{empty}}, model.ToolsOpen, "", `{"disposition":"keep"}`},
			"empty, and a look":           {wiretest.Turn{Text: "{I look}", Calls: []wiretest.Call{empty, listIt}}, model.ToolsOpen, "", `{"look":[{"broken_call":{"arguments":"{}","tool":"submit"}},{"list":{}}]}`},
		} {
			client, _ := served(t, w, turns(w, c.turn)...)
			req := asking
			req.Tools = c.use
			resp, err := client.Ask(t.Context(), req)
			got, ok := strings.CutPrefix(resp.Text, c.words)
			if err != nil || !ok || decoded(t, got) != decoded(t, c.want) || (resp.Dialogue == nil) != !strings.Contains(c.want, "look") {
				t.Errorf("%s: %q with the dialogue %v, %v; want %q", says, resp.Text, resp.Dialogue, err, c.want)
			}
		}
		broken := wiretest.Call{ID: "call_b", Name: "submit", Arguments: `{"disposition":"keep"`}
		client, _ := served(t, w, turns(w, wiretest.Turn{Calls: []wiretest.Call{broken}})...)
		resp, err := client.Ask(t.Context(), asking)
		if err != nil || name != "contents" && resp.Text != broken.Arguments { // Gemini drops a broken call
			t.Errorf("broken: %q, %v", resp.Text, err)
		}
	})
}

// decoded is a JSON text with its members in order: Gemini sends arguments as an object.
func decoded(t *testing.T, text string) string {
	t.Helper()
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		t.Fatalf("%v in %q", err, text)
	}
	ordered, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(ordered)
}

// A turn that was cut off within a call is a failure, as one that was cut off within a
// reply.
func TestCutOffCall(t *testing.T) {
	t.Parallel()
	onEachWire(t, func(t *testing.T, _ string, w wiretest.Wire) {
		c, _ := served(t, w, turns(w, wiretest.Turn{Calls: []wiretest.Call{readIt, grepIt}, CutOff: true})...)
		_, err := c.Ask(t.Context(), asking)
		var failure *model.Error
		if !errors.As(err, &failure) || failure.Class != debate.CallMalformed || !strings.Contains(failure.Error(), "cut off") {
			t.Errorf("%v", err)
		}
	})
}

// A model that calls tools where it has to answer has answered if it said something, else
// its reply is a question that the engine does not take. Calls of tools that were not
// offered are no question at all.
func TestCallsThatMayNotBe(t *testing.T) {
	t.Parallel()
	onEachWire(t, func(t *testing.T, name string, w wiretest.Wire) {
		held, none := asking, asking
		held.Tools, none.Tools = model.ToolsHeld, model.NoTools
		c, asked := served(t, w, turns(w,
			wiretest.Turn{Text: `{"disposition":"keep"}`, Calls: []wiretest.Call{listIt}},
			wiretest.Turn{Calls: []wiretest.Call{listIt}},
			wiretest.Turn{Calls: []wiretest.Call{listIt}})...)
		if resp, err := c.Ask(t.Context(), held); err != nil || resp.Text != `{"disposition":"keep"}` {
			t.Errorf("an answer with a call: %q, %v", resp.Text, err)
		}
		if resp, err := c.Ask(t.Context(), held); err != nil || resp.Text != `{"look":[{"list":{}}]}` {
			t.Errorf("a call and no answer: %q, %v", resp.Text, err)
		}
		if resp, err := c.Ask(t.Context(), none); resp.Text != "" || resp.Dialogue != nil || (err != nil) != (name == "messages") {
			t.Errorf("a call of what is not there: %q, %v", resp.Text, err)
		}
		if a := asked()[2]; len(a.Tools) > 0 || a.Choice != "" || a.Format != (name != "messages") {
			t.Errorf("without tools: %+v", a)
		}
	})
}

// A server that knows no tools is asked without them, and again for a format; so is one
// that does not take back what was said with them. What the party looked at stands below
// the turn then.
func TestToolsRefused(t *testing.T) {
	t.Parallel()
	onEachWire(t, func(t *testing.T, name string, w wiretest.Wire) {
		for says, status := range map[string]int{
			`\"auto\" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set`: 400,
			"this model does not support tools":                                          400,
			"Function calling is not enabled for this model":                             400,
			"Function call is missing a thought_signature in functionCall parts":         400,
			"Item 'fc_1' of type 'function_call' was provided without its required item": 400,
			"Failed to call a function. Please adjust your prompt.":                      400,
			"No endpoints found that support tool use.":                                  404, // OpenRouter
			"JSON Schema not supported: {'$ref': '#/$defs/ref'}":                         400,
		} {
			refused := wiretest.JSON(status, fmt.Sprintf(`{"type":"error","error":{"type":"invalid_request_error","code":400,"message":"%s"}}`, says))
			c, asked := served(t, w, slices.Concat(turns(w, wiretest.Turn{Calls: []wiretest.Call{listIt}}), []http.HandlerFunc{refused}, turns(w, wiretest.Turn{Text: "{}"}))...)
			first, err := c.Ask(t.Context(), asking)
			if err != nil {
				t.Fatal(err)
			}
			if resp, err := c.Ask(t.Context(), further(asking, first, "names of files\n")); err != nil || resp.Text != "{}" {
				t.Fatalf("%s: %q, %v", says, resp.Text, err)
			}
			all := asked()
			if a := all[len(all)-1]; len(all) != 3 || len(a.Tools)+len(a.Back)+len(a.Results) > 0 || !strings.Contains(a.Prefix, `names of files\n`) || a.Format != (name != "messages") {
				t.Errorf("%s: after %d requests %+v", says, len(all), a)
			}
		}
	})
}

// More calls than are read of one turn are each given a result all the same: providers
// refuse a conversation in which one is missing.
func TestTooManyCalls(t *testing.T) {
	t.Parallel()
	onEachWire(t, func(t *testing.T, _ string, w wiretest.Wire) {
		many := make([]wiretest.Call, 50)
		for i := range many {
			many[i] = wiretest.Call{ID: fmt.Sprint("call_", i), Name: "list", Arguments: `{}`}
		}
		c, asked := served(t, w, turns(w, wiretest.Turn{Calls: many}, wiretest.Turn{Text: "{}"})...)
		resp, err := c.Ask(t.Context(), asking)
		if err != nil {
			t.Fatal(err)
		}
		looks, _ := prompt.Looks([]byte(resp.Text))
		results := make([]string, len(looks))
		if _, err := c.Ask(t.Context(), further(asking, resp, results...)); err != nil {
			t.Fatal(err)
		}
		if a := asked()[1]; len(looks) >= 50 || len(a.Results) != 50 || !strings.Contains(a.Results[49].Arguments, "not shown") {
			t.Errorf("%d looks, %d results", len(looks), len(a.Results))
		}
	})
}
