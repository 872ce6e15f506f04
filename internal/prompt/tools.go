package prompt

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strings"

	"github.com/prdebate/debate/internal/debate"
)

// Tool is a way of looking further that a model calls by its name, where its provider
// has such calls. The others ask by the member "look" of a reply, see Looks.
type Tool struct {
	Name, Description string
	Properties        map[string]any // of its arguments, in JSON Schema
	Required          []string
}

// Tools are the three ways of looking: always the same ones in the same order and the same
// words, since providers cache what begins with them.
func Tools() []Tool {
	says := func(name string) string { return strings.TrimSuffix(text(name), "\n") }
	of := func(kind, description string) map[string]any {
		return map[string]any{"type": kind, "description": description}
	}
	number := map[string]any{"type": "integer"}
	side := map[string]any{"type": "string", "enum": []string{string(debate.Right), string(debate.Left)}} // the system text says which is which
	return []Tool{
		{
			Name: string(debate.LookRead), Description: says("tool_read"),
			Properties: map[string]any{
				"path": map[string]any{"type": "string"},
				"side": side, "start_line": number, "end_line": number,
			},
			Required: []string{"path"},
		},
		{
			Name: string(debate.LookGrep), Description: says("tool_grep"),
			Properties: map[string]any{
				"pattern": of("string", "in RE2 syntax"),
				"paths":   map[string]any{"type": "array", "items": map[string]any{"type": "string"}, "description": "globs such as **/*.go"},
				"side":    side, "max": of("integer", "30 by default"),
			},
			Required: []string{"pattern"},
		},
		{
			Name: string(debate.LookList), Description: says("tool_list"),
			Properties: map[string]any{"path": of("string", "the top by default"), "side": side},
		},
	}
}

// ToolCall is a call of a tool as a model makes it.
type ToolCall struct {
	Name      string
	Arguments string // JSON, if the model made no mistake
}

// Broken reports whether a call names no tool, or has arguments that are no object.
func (c ToolCall) Broken() bool {
	switch debate.LookKind(c.Name) {
	case debate.LookRead, debate.LookGrep, debate.LookList:
		return !json.Valid([]byte(c.arguments())) || !strings.HasPrefix(c.arguments(), "{")
	}
	return true
}

// arguments are an empty object where a model gives none.
func (c ToolCall) arguments() string {
	return cmp.Or(strings.TrimSpace(c.Arguments), "{}")
}

// LookReply is the reply that asks for the same by its member "look", so that nothing
// else has to know which way a question came. A broken call asks for something that is
// not understood, and is told so.
func LookReply(calls []ToolCall) string {
	looks := make([]map[string]any, len(calls))
	for i, c := range calls {
		if c.Broken() {
			looks[i] = map[string]any{"broken_call": map[string]string{"tool": c.Name, "arguments": c.Arguments}}
		} else {
			looks[i] = map[string]any{c.Name: json.RawMessage(c.arguments())}
		}
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(map[string]any{"look": looks}); err != nil {
		panic("prompt: a look is no JSON: " + err.Error()) // what was valid stays so
	}
	return strings.TrimRight(b.String(), "\n")
}
