package anthropic

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/prdebate/debate/internal/model"
)

// dialogue is a call up to a message of the model that calls tools.
type dialogue struct {
	messages []message
	uses     []toolUse // of the last message, in its order
}

type toolUse struct {
	id     string
	broken bool
}

// tool is a tool as the API has it.
type tool struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Schema      schema `json:"input_schema"`
}

type schema struct {
	Type       string   `json:"type"`
	Properties any      `json:"properties"`
	Required   []string `json:"required,omitempty"`
}

// toolResult is what came of a call.
type toolResult struct {
	Type    string  `json:"type"`
	ID      string  `json:"tool_use_id"`
	Content []block `json:"content"`
	IsError bool    `json:"is_error,omitempty"`
	Cache   *kind   `json:"cache_control,omitempty"`
}

func offered(tools []model.Tool) []tool {
	all := make([]tool, len(tools))
	for i, t := range tools {
		all[i] = tool{t.Name, t.Description, schema{"object", t.Properties, t.Required}}
	}
	return all
}

// choice says whether the model may call tools. Forbidding it makes the provider read the
// messages anew, though not the tools and the system text; but nothing else makes a model
// answer that would look without end.
func choice(tools model.Tools) *kind {
	if tools == model.ToolsOpen {
		return &kind{"auto"}
	}
	return &kind{"none"}
}

// continued are the messages of a dialogue with the results of its last calls, all in one
// message, as the API wants them. The last one is marked, so that the next turn finds
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

// toolCalls are the calls of a message that was said after others, and the dialogue that
// it ends; none if it calls nothing.
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
			if b.Text != "" { // the API refuses to be sent back the empty texts that it sends
				own.Content = append(own.Content, block{Type: b.Type, Text: b.Text})
			}
		case "thinking":
			own.Content = append(own.Content, map[string]any{"type": b.Type, "thinking": b.Thinking, "signature": b.Signature})
		case "": // it began with nothing that could be sent back
		default:
			own.Content = append(own.Content, b.start)
		}
	}
	said.messages = append(unmarked(before), own)
	return calls, said
}

// unmarked are messages without the mark of results: the API allows four marks in all,
// and the packet and the system text have theirs.
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
