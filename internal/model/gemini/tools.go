package gemini

import (
	"encoding/json"
	"slices"

	"google.golang.org/genai"

	"github.com/prdebate/debate/internal/model"
)

// dialogue is a call up to a reply that calls functions.
type dialogue struct {
	contents []*genai.Content
	calls    []*genai.FunctionCall // of the last content, in its order
}

// offered are tools as the API has them.
func offered(tools []model.Tool) []*genai.Tool {
	var all []*genai.FunctionDeclaration
	for _, t := range tools {
		schema := map[string]any{"type": "object", "properties": t.Properties}
		if len(t.Required) > 0 {
			schema["required"] = t.Required
		}
		all = append(all, &genai.FunctionDeclaration{Name: t.Name, Description: t.Description, ParametersJsonSchema: schema})
	}
	return []*genai.Tool{{FunctionDeclarations: all}}
}

// choice says whether the model may call functions.
func choice(tools model.Tools) *genai.ToolConfig {
	mode := genai.FunctionCallingConfigModeNone
	if tools == model.ToolsOpen {
		mode = genai.FunctionCallingConfigModeAuto
	}
	return &genai.ToolConfig{FunctionCallingConfig: &genai.FunctionCallingConfig{Mode: mode}}
}

// continued is a dialogue with the results of its last calls. Calls need not have ids:
// without them the order tells which is which.
func (d *dialogue) continued(req model.Request) []*genai.Content {
	results := &genai.Content{Role: genai.RoleUser}
	for i, call := range d.calls {
		results.Parts = append(results.Parts, &genai.Part{FunctionResponse: &genai.FunctionResponse{
			ID: call.ID, Name: call.Name, Response: map[string]any{"output": req.Result(i)},
		}})
	}
	return append(slices.Clone(d.contents), results)
}

// keep adds what the model says in a content, without what it thought, and keeps what has
// to be sent back with the results of calls: the calls and the words, with the signatures
// of thoughts, which the API wants back. It refuses parts that are empty.
func (r *reply) keep(content *genai.Content) {
	if content == nil {
		return
	}
	for _, part := range content.Parts {
		if part == nil || part.Thought || part.Text == "" && part.FunctionCall == nil {
			continue
		}
		r.text.WriteString(part.Text)
		r.parts = append(r.parts, part)
		if call := part.FunctionCall; call != nil {
			r.called = append(r.called, call)
			r.size += len(arguments(call))
		}
	}
}

// arguments are those of a call, in JSON.
func arguments(call *genai.FunctionCall) string {
	if call.Args == nil {
		return ""
	}
	data, _ := json.Marshal(call.Args) // it came as JSON
	return string(data)
}

// calls are those of a reply to some contents, and the dialogue that it ends. Of a call
// that the provider itself could not read nothing is left: it is told below the turn that
// it was not understood.
func (r *reply) calls(before []*genai.Content) ([]model.ToolCall, model.Dialogue) {
	if r.finish == genai.FinishReasonMalformedFunctionCall {
		return []model.ToolCall{{Arguments: string(r.finish)}}, nil
	}
	var calls []model.ToolCall
	for _, call := range r.called {
		calls = append(calls, model.ToolCall{Name: call.Name, Arguments: arguments(call)})
	}
	return calls, &dialogue{
		contents: append(slices.Clone(before), &genai.Content{Role: genai.RoleModel, Parts: r.parts}),
		calls:    r.called,
	}
}
