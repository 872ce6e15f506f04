package openai

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/shared"

	"github.com/prdebate/debate/internal/model"
)

// chatDialogue is a call by Chat Completions up to a message that calls tools.
type chatDialogue struct {
	messages  []openai.ChatCompletionMessageParamUnion
	ids       []string // of the calls of the last message, in its order
	reasoning string   // that goes with it
}

// offerChatTools puts the tools into a request that offers them, and what was said with
// them before.
func offerChatTools(params *openai.ChatCompletionNewParams, req model.Request, may use) (offered bool) {
	for _, t := range req.Offered(may) {
		params.Tools = append(params.Tools, openai.ChatCompletionFunctionTool(shared.FunctionDefinitionParam{
			Name: t.Name, Description: openai.String(t.Description), Parameters: schema(t),
		}))
	}
	if len(params.Tools) == 0 {
		return false
	}
	choice := openai.ChatCompletionToolChoiceOptionAutoNone
	if req.Tools == model.ToolsOpen {
		choice = openai.ChatCompletionToolChoiceOptionAutoAuto
	}
	params.ToolChoice.OfAuto = openai.String(string(choice))
	if said, ok := req.Dialogue.(*chatDialogue); ok {
		params.Messages = said.continued(req, may)
	}
	return true
}

// schema describes the arguments of a tool.
func schema(t model.Tool) map[string]any {
	s := map[string]any{"type": "object", "properties": t.Properties}
	if len(t.Required) > 0 {
		s["required"] = t.Required
	}
	return s
}

// continued are the messages of a dialogue with the results of its last calls.
func (d *chatDialogue) continued(req model.Request, may use) []openai.ChatCompletionMessageParamUnion {
	messages := slices.Clone(d.messages)
	if d.reasoning != "" && may("reasoning_content") {
		last := *messages[len(messages)-1].OfAssistant
		last.SetExtraFields(map[string]any{"reasoning_content": d.reasoning})
		messages[len(messages)-1].OfAssistant = &last
	}
	for i, id := range d.ids {
		messages = append(messages, openai.ToolMessage(req.Result(i), id))
	}
	return messages
}

// extras are what servers want back with tool calls, and the SDK does not know.
type extras struct {
	reasoning []byte           // of DeepSeek and others
	calls     map[int64]string // JSON by the place of the call: signatures of Gemini's thoughts
}

// add adds what a chunk of a stream has.
func (e *extras) add(chunk openai.ChatCompletionChunk) {
	for _, choice := range chunk.Choices {
		if choice.Index != 0 {
			continue // only the first is asked for
		}
		e.think(choice.Delta.JSON.ExtraFields["reasoning_content"].Raw())
		for _, call := range choice.Delta.ToolCalls {
			e.keep(call.Index, call.RawJSON())
		}
	}
}

// extrasOf are those of a message that came in one piece.
func extrasOf(m openai.ChatCompletionMessage) extras {
	e := extras{calls: make(map[int64]string)}
	e.think(m.JSON.ExtraFields["reasoning_content"].Raw())
	for i, call := range m.ToolCalls {
		e.keep(int64(i), call.RawJSON())
	}
	return e
}

// think adds a part of what the model thought, in JSON.
func (e *extras) think(part string) {
	var text string
	_ = json.Unmarshal([]byte(part), &text) // what is no text adds none
	e.reasoning = append(e.reasoning, text...)
}

// keep keeps what a call, in JSON, has of its own.
func (e *extras) keep(place int64, call string) {
	var own struct {
		Extra json.RawMessage `json:"extra_content"`
	}
	_ = json.Unmarshal([]byte(call), &own) // what is no object has nothing of its own
	if len(own.Extra) == 0 {
		return
	}
	e.calls[place] = string(own.Extra)
}

// asked makes of a response an answer, or a question where its message calls tools.
func asked(req model.Request, params openai.ChatCompletionNewParams, resp openai.ChatCompletion, used *model.Tokens, own extras) (model.Answer, error) {
	a, m := answer(resp, used), first(resp).Message
	if err := ended(resp); err != nil || len(params.Tools) == 0 {
		return a, err
	}
	said := &chatDialogue{reasoning: string(own.reasoning)}
	back := openai.ChatCompletionAssistantMessageParam{}
	if m.Content != "" {
		back.Content.OfString = openai.String(m.Content)
	}
	var calls []model.ToolCall
	for i, c := range m.ToolCalls {
		call := model.ToolCall{Name: c.Function.Name, Arguments: c.Function.Arguments}
		calls = append(calls, call)
		id := cmp.Or(c.ID, "call_"+strconv.Itoa(i)) // some servers give none, and want one back
		said.ids = append(said.ids, id)
		param := openai.ChatCompletionMessageFunctionToolCallParam{
			ID: id, Function: openai.ChatCompletionMessageFunctionToolCallFunctionParam{Name: call.Name, Arguments: sendable(call)},
		}
		if extra := own.calls[int64(i)]; extra != "" {
			param.SetExtraFields(map[string]any{"extra_content": json.RawMessage(extra)})
		}
		back.ToolCalls = append(back.ToolCalls, openai.ChatCompletionMessageToolCallUnionParam{OfFunction: &param})
	}
	said.messages = append(slices.Clone(params.Messages), openai.ChatCompletionMessageParamUnion{OfAssistant: &back})
	return req.Asking(a, calls, said), nil
}

// sendable are the arguments of a call as a server takes them back: many read them, and
// fail where they are no JSON.
func sendable(c model.ToolCall) string {
	if json.Valid([]byte(c.Arguments)) {
		return c.Arguments
	}
	return "{}"
}
