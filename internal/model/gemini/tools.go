package gemini

import (
	"encoding/json"
	"slices"

	"github.com/prdebate/debate/internal/model"
)

// tools are functions that a model may call.
type tools struct {
	Functions []declaration `json:"functionDeclarations"`
}

type declaration struct {
	Name        string         `json:"name"`
	Description string         `json:"description"`
	Schema      map[string]any `json:"parametersJsonSchema"`
}

type toolConfig struct {
	Calling struct {
		Mode string `json:"mode"`
	} `json:"functionCallingConfig"`
}

// call is a call of a function.
type call struct {
	ID   string                     `json:"id,omitempty"`
	Name string                     `json:"name"`
	Args map[string]json.RawMessage `json:"args,omitempty"`
}

// function is the result of a call.
type function struct {
	ID       string            `json:"id,omitempty"`
	Name     string            `json:"name"`
	Response map[string]string `json:"response"`
}

// dialogue is a call up to a reply with function calls.
type dialogue struct {
	contents []content
	calls    []*call // of the last content, in its order
}

// choice says whether the model may call functions.
func choice(may model.Tools) *toolConfig {
	c := &toolConfig{}
	c.Calling.Mode = "NONE"
	if may == model.ToolsOpen {
		c.Calling.Mode = "AUTO"
	}
	return c
}

// continued returns a dialogue with the results of its last calls. Calls may have no ids: then
// their order counts.
func (d *dialogue) continued(req model.Request) []content {
	results := content{Role: "user"}
	for i, c := range d.calls {
		results.Parts = append(results.Parts, &part{Result: &function{ID: c.ID, Name: c.Name, Response: map[string]string{"output": req.Result(i)}}})
	}
	return append(slices.Clone(d.contents), results)
}

// keep adds the text of a content, without thoughts. It also keeps the parts that the API
// wants back with the results of calls: the calls and the words, with the signatures of
// thoughts. It drops empty parts, which the API refuses.
func (r *reply) keep(said content) {
	for _, p := range said.Parts {
		if p == nil || p.Thought || p.Text == "" && p.Call == nil {
			continue
		}
		r.text.WriteString(p.Text)
		r.parts = append(r.parts, p)
		if p.Call != nil {
			r.called = append(r.called, p.Call)
			r.size += len(arguments(p.Call))
		}
	}
}

// arguments returns the arguments of a call as JSON.
func arguments(c *call) string {
	if c.Args == nil {
		return ""
	}
	data, _ := json.Marshal(c.Args) // it came as JSON
	return string(data)
}

// calls returns the calls of a reply, and the dialogue up to it. A call that the provider
// could not read is lost; the next turn tells the model.
func (r *reply) calls(before []content) ([]model.ToolCall, model.Dialogue) {
	if r.finish == malformedCall {
		return []model.ToolCall{{Arguments: r.finish}}, nil
	}
	var calls []model.ToolCall
	for _, c := range r.called {
		calls = append(calls, model.ToolCall{Name: c.Name, Arguments: arguments(c)})
	}
	return calls, &dialogue{
		contents: append(slices.Clone(before), content{Role: "model", Parts: r.parts}),
		calls:    r.called,
	}
}
