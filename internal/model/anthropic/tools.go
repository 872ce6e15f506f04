package anthropic

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/prdebate/debate/internal/model"
)

// dialogue is a call up to a message of the model with tool calls.
type dialogue struct {
	messages []message
	uses     []toolUse // of the last message, in its order
}

type toolUse struct {
	id     string
	broken bool
}

// tool is a tool in the form of the API.
type tool struct {
	Name        string         `json:"name"`
	Description string         `json:"description"`
	Schema      map[string]any `json:"input_schema"`
}

// toolResult is the result of a tool call.
type toolResult struct {
	Type    string  `json:"type"`
	ID      string  `json:"tool_use_id"`
	Content []block `json:"content"`
	IsError bool    `json:"is_error,omitempty"`
	Cache   *kind   `json:"cache_control,omitempty"`
}

// continued returns the messages of a dialogue with the results of its last calls, all in one
// message, as the API wants them. It marks the last one, so that the next turn finds
// everything before it in the cache.
func (d *dialogue) continued(req model.Request) []message {
	var results []any
	for i, use := range d.uses {
		result := toolResult{Type: "tool_result", ID: use.id, Content: []block{{"text", req.Result(i), nil}}, IsError: use.broken}
		if i == len(d.uses)-1 {
			result.Cache = cached
		}
		results = append(results, result)
	}
	return append(slices.Clone(d.messages), message{"user", results})
}

// toolCalls returns the tool calls of a message, and the dialogue up to it; nil without calls.
func (m reply) toolCalls(before []message) ([]model.ToolCall, model.Dialogue) {
	var calls []model.ToolCall
	said := &dialogue{}
	own := message{Role: "assistant"}
	for _, b := range m.blocks {
		switch b.Type {
		case "tool_use":
			call := model.ToolCall{Name: b.Name, Arguments: cmp.Or(b.arguments, string(b.Input))}
			calls = append(calls, call)
			said.uses = append(said.uses, toolUse{b.ID, call.Broken()})
			input := json.RawMessage("{}")
			if json.Valid([]byte(call.Arguments)) {
				input = json.RawMessage(call.Arguments)
			}
			own.Content = append(own.Content, map[string]any{"type": b.Type, "id": b.ID, "name": b.Name, "input": input})
		case "text":
			if b.Text != "" { // the API refuses the empty texts that it sends itself
				own.Content = append(own.Content, block{Type: b.Type, Text: b.Text})
			}
		case "thinking":
			own.Content = append(own.Content, map[string]any{"type": b.Type, "thinking": b.Thinking, "signature": b.Signature})
		case "": // it began with a block that cannot be sent back
		default:
			own.Content = append(own.Content, b.start)
		}
	}
	said.messages = append(unmarked(before), own)
	return calls, said
}

// unmarked removes the mark of results from messages: the API allows four marks, and the packet
// and the system text have theirs.
func unmarked(messages []message) []message {
	messages = slices.Clone(messages)
	for i, m := range messages {
		messages[i].Content = slices.Clone(m.Content)
		for j, b := range m.Content {
			if result, ok := b.(toolResult); ok {
				result.Cache = nil
				messages[i].Content[j] = result
			}
		}
	}
	return messages
}
