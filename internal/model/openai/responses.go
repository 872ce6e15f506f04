package openai

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/model"
)

// responseRequest is the body of a request by the Responses API.
type responseRequest struct {
	Tools          []responseTool `json:"tools,omitempty"`
	ToolChoice     string         `json:"tool_choice,omitempty"`
	Instructions   string         `json:"instructions"`
	Input          []any          `json:"input"`
	Model          string         `json:"model"`
	Text           *textFormat    `json:"text,omitempty"`
	Reasoning      *reasoning     `json:"reasoning,omitempty"`
	Include        []string       `json:"include,omitempty"`
	Store          bool           `json:"store"`
	PromptCacheKey string         `json:"prompt_cache_key,omitempty"`
	Stream         bool           `json:"stream,omitempty"`
}

// responseTool is not strict: strict mode makes every argument required.
type responseTool struct {
	Type string `json:"type"`
	function
	Strict bool `json:"strict"`
}

type textFormat struct {
	Format format `json:"format"`
}

type reasoning struct {
	Effort string `json:"effort"`
}

type inputMessage struct {
	Role    string      `json:"role"`
	Content []inputText `json:"content"`
}

type inputText struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

// functionCall is a call of a tool, sent back.
type functionCall struct {
	Type      string `json:"type"`
	CallID    string `json:"call_id"`
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

type functionOutput struct {
	Type   string `json:"type"`
	CallID string `json:"call_id"`
	Output string `json:"output"`
}

// responseReply is a reply, whole or at the end of a stream.
type responseReply struct {
	Model      string `json:"model"`
	Status     string `json:"status"`
	Incomplete struct {
		Reason string `json:"reason"`
	} `json:"incomplete_details"`
	Error struct {
		Code    string `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
	Output []json.RawMessage `json:"output"`
	Usage  *struct {
		In      int `json:"input_tokens"`
		Out     int `json:"output_tokens"`
		Details struct {
			Cached     int `json:"cached_tokens"`
			CacheWrite int `json:"cache_write_tokens"`
		} `json:"input_tokens_details"`
	} `json:"usage"`
}

// outputItem is a part of a reply.
type outputItem struct {
	Type      string `json:"type"`
	Name      string `json:"name"`
	CallID    string `json:"call_id"`
	Arguments string `json:"arguments"`
	Encrypted string `json:"encrypted_content"`
	Content   []struct {
		Text    string `json:"text"`
		Refusal string `json:"refusal"`
	} `json:"content"`
}

// responseEvent is an event of a stream.
type responseEvent struct {
	Type     string          `json:"type"`
	Delta    string          `json:"delta"`
	Item     json.RawMessage `json:"item"`
	Response responseReply   `json:"response"`
}

// responseDialogue is a call by the Responses API up to a response with tool calls.
type responseDialogue struct {
	items []any
	ids   []string // of the calls of the last response, in its order
}

// respond asks by the Responses API. Packet and turn are separate parts of the
// user's message.
func (c *Client) respond(ctx context.Context, req model.Request, may use) (model.Answer, error) {
	body := responseRequest{
		Model: c.wire.Model(), Instructions: req.System,
		Input: []any{inputMessage{"user", []inputText{{"input_text", req.Packet}, {"input_text", req.TurnBlock()}}}},
	}
	for _, t := range req.Offered(may) {
		body.Tools = append(body.Tools, responseTool{Type: "function", function: function(t)})
		body.ToolChoice = choice(req.Tools)
	}
	switch {
	case len(body.Tools) == 0:
		if may("text.format") {
			body.Text = &textFormat{format{"json_object"}}
		}
	default:
		if may("include") { // else the thoughts of the model are lost, as nothing is stored
			body.Include = []string{"reasoning.encrypted_content"}
		}
		if said, ok := req.Dialogue.(*responseDialogue); ok {
			body.Input = slices.Clone(said.items)
			for i, id := range said.ids {
				body.Input = append(body.Input, functionOutput{"function_call_output", id, req.Result(i)})
			}
		}
	}
	if c.effort != "" && may("reasoning") {
		body.Reasoning = &reasoning{c.effort}
	}
	if c.own && may("prompt_cache_key") {
		body.PromptCacheKey = cacheKey(req)
	}
	var end responseReply
	var text, refused string
	if body.Stream = may("stream"); body.Stream {
		var err error
		if end, text, refused, err = c.responseStream(ctx, body); err != nil {
			return model.Answer{Text: text}, err
		}
	} else if err := c.whole(ctx, body, &end); err != nil {
		return model.Answer{}, err
	}
	return finished(req, body, end, text, refused)
}

// responseStream reads a stream up to its final response, with the text and the refusal so
// far. It fails if the stream ends without one.
func (c *Client) responseStream(ctx context.Context, body responseRequest) (end responseReply, written, refusal string, err error) {
	resp, err := model.Post(ctx, c.http, c.url, c.header, body)
	if err != nil {
		return end, "", "", err
	}
	defer resp.Body.Close()
	var text, refused strings.Builder
	var items []json.RawMessage
	size := 0
	for data, err := range model.Events(resp.Body) {
		if err != nil {
			return end, text.String(), "", err
		}
		var event responseEvent
		_ = json.Unmarshal(data, &event) // a member with another shape is left out
		switch event.Type {
		case "response.output_text.delta":
			text.WriteString(event.Delta)
			size += len(event.Delta)
		case "response.refusal.delta":
			refused.WriteString(event.Delta)
			size += len(event.Delta)
		case "response.function_call_arguments.delta":
			size += len(event.Delta)
		case "response.output_item.done":
			items = append(items, event.Item)
		case "response.completed", "response.incomplete", "response.failed":
			if len(event.Response.Output) == 0 {
				event.Response.Output = items // some servers do not repeat them
			}
			return event.Response, text.String(), refused.String(), nil
		case "": // the whole response, of a server that streams nothing
			_ = json.Unmarshal(data, &end)
			if len(end.Output) > 0 {
				return end, "", "", nil
			}
		}
		if size > model.MaxReply {
			return end, text.String(), "", model.TooLong()
		}
	}
	return end, text.String(), "", model.Unfinished()
}

// finished returns the answer of a response, or a question if it calls tools that were
// offered. Some servers send no deltas; then the text is in the items alone.
func finished(req model.Request, body responseRequest, end responseReply, text, refused string) (model.Answer, error) {
	said := &responseDialogue{items: slices.Clone(body.Input)}
	var calls []model.ToolCall
	var written, refusal strings.Builder
	for _, raw := range end.Output {
		var item outputItem
		_ = json.Unmarshal(raw, &item) // a member with another shape is left out
		for _, part := range item.Content {
			refusal.WriteString(part.Refusal)
			if item.Type == "message" {
				written.WriteString(part.Text)
			}
		}
		switch {
		case item.Type == "function_call":
			calls = append(calls, model.ToolCall{Name: item.Name, Arguments: item.Arguments})
			said.ids = append(said.ids, item.CallID)
			if !json.Valid([]byte(item.Arguments)) {
				said.items = append(said.items, functionCall{"function_call", item.CallID, item.Name, sendable(item.Arguments)})
				continue
			}
			said.items = append(said.items, raw)
		case item.Type == "message", item.Type == "reasoning" && item.Encrypted != "": // else the provider has not kept it, and could not find it
			said.items = append(said.items, raw)
		}
	}
	answer := model.Answer{Text: cmp.Or(text, written.String()), Model: end.Model}
	if u := end.Usage; u != nil {
		answer.Tokens = &model.Tokens{In: u.In, Cached: u.Details.Cached, CacheWrite: u.Details.CacheWrite, Out: u.Out}
	}
	fault := model.Fault{Code: end.Error.Code, Message: end.Error.Message}
	refused = cmp.Or(refused, refusal.String())
	switch {
	case fault != (model.Fault{}), end.Status == "failed":
		return answer, fault.Failure()
	case refused != "", end.Incomplete.Reason == "content_filter":
		return answer, model.Refusal(refused)
	case end.Incomplete.Reason == "max_output_tokens":
		return answer, model.CutOff()
	case end.Status != "completed" && (end.Status != "" || answer.Text == ""): // some servers give no status
		return answer, model.Unfinished()
	case len(body.Tools) == 0:
		return answer, nil
	}
	return req.Asking(answer, calls, said), nil
}
