package openai

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strconv"

	"github.com/prdebate/debate/internal/model"
)

// chatRequest is the body of a request for Chat Completions.
type chatRequest struct {
	Tools          []chatTool     `json:"tools,omitempty"`
	ToolChoice     string         `json:"tool_choice,omitempty"`
	Messages       []chatMessage  `json:"messages"`
	Model          string         `json:"model"`
	Format         *format        `json:"response_format,omitempty"`
	Effort         string         `json:"reasoning_effort,omitempty"`
	Store          *bool          `json:"store,omitempty"`
	PromptCacheKey string         `json:"prompt_cache_key,omitempty"`
	Stream         bool           `json:"stream,omitempty"`
	StreamOptions  *streamOptions `json:"stream_options,omitempty"`
}

type streamOptions struct {
	IncludeUsage bool `json:"include_usage"`
}

type chatTool struct {
	Type     string   `json:"type"`
	Function function `json:"function"`
}

type chatMessage struct {
	Role       string     `json:"role"`
	Content    *string    `json:"content,omitempty"`
	Reasoning  string     `json:"reasoning_content,omitempty"` // of DeepSeek and others, which want it back with tool calls
	ToolCalls  []chatCall `json:"tool_calls,omitempty"`
	ToolCallID string     `json:"tool_call_id,omitempty"`
}

// chatCall is a call of a tool, sent back.
type chatCall struct {
	ID       string           `json:"id"`
	Type     string           `json:"type"`
	Function chatCallFunction `json:"function"`
	Extra    json.RawMessage  `json:"extra_content,omitempty"` // signatures of Gemini's thoughts, to send back
}

type chatCallFunction struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// chatReply is a reply, or a part of one in a stream.
type chatReply struct {
	Model   string       `json:"model"`
	Choices []chatChoice `json:"choices"`
	Usage   *chatTokens  `json:"usage"`
}

type chatChoice struct {
	Index   int      `json:"index"`
	Delta   chatPart `json:"delta"`
	Message chatPart `json:"message"`
	Finish  string   `json:"finish_reason"`
}

type chatPart struct {
	Content   string `json:"content"`
	Refusal   string `json:"refusal"`
	Reasoning string `json:"reasoning_content"`
	ToolCalls []struct {
		Index    *int             `json:"index"` // only in a stream
		ID       string           `json:"id"`
		Function chatCallFunction `json:"function"`
		Extra    json.RawMessage  `json:"extra_content"`
	} `json:"tool_calls"`
}

type chatTokens struct {
	In      int `json:"prompt_tokens"`
	Out     int `json:"completion_tokens"`
	Details struct {
		Cached     int `json:"cached_tokens"`
		CacheWrite int `json:"cache_write_tokens"`
	} `json:"prompt_tokens_details"`
}

// chatDialogue is a call by Chat Completions up to a message with tool calls.
type chatDialogue struct {
	messages []chatMessage
}

// complete asks by Chat Completions. The user's message is one text: some servers take no
// parts, and a cache compares the beginning anyway.
func (c *Client) complete(ctx context.Context, req model.Request, may use) (model.Answer, error) {
	body := chatRequest{
		Model: c.wire.Model(),
		Messages: []chatMessage{
			{Role: "system", Content: new(req.System)},
			{Role: "user", Content: new(req.Packet + req.TurnBlock())},
		},
	}
	for _, t := range req.Offered(may) {
		if t.Name == model.Submit { // some servers for this API refuse or drop the references in its schema
			continue
		}
		body.Tools = append(body.Tools, chatTool{Type: "function", Function: function(t)})
		body.ToolChoice = choice(req.Tools)
	}
	said, continued := req.Dialogue.(*chatDialogue)
	switch {
	case len(body.Tools) > 0 && continued:
		body.Messages = said.continued(req, may)
	case len(body.Tools) == 0 && may("response_format"):
		body.Format = &format{"json_object"}
	}
	if c.effort != "" && may("reasoning_effort") {
		body.Effort = c.effort
	}
	if c.own {
		body.Store = new(bool)
		if may("prompt_cache_key") {
			body.PromptCacheKey = cacheKey(req)
		}
	}
	var sum chatSum
	if !may("stream") {
		var reply chatReply
		if err := c.whole(ctx, body, &reply); err != nil {
			return model.Answer{}, err
		}
		sum.add(reply)
		return sum.answer(req, body)
	}
	body.Stream = true
	if may("stream_options") {
		body.StreamOptions = &streamOptions{true}
	}
	resp, err := model.Post(ctx, c.http, c.url, c.header, body)
	if err != nil {
		return model.Answer{}, err
	}
	defer resp.Body.Close()
	for data, err := range model.Events(resp.Body) {
		if err != nil {
			return sum.text(), err
		}
		var part chatReply
		_ = json.Unmarshal(data, &part) // a member with another shape is left out
		sum.add(part)
		if sum.size > model.MaxReply {
			return sum.text(), model.TooLong()
		}
	}
	return sum.answer(req, body)
}

// continued returns the messages of a dialogue with the results of its last calls.
func (d *chatDialogue) continued(req model.Request, may use) []chatMessage {
	messages := slices.Clone(d.messages)
	last := &messages[len(messages)-1]
	if !may("reasoning_content") {
		last.Reasoning = ""
	}
	for i, call := range last.ToolCalls {
		messages = append(messages, chatMessage{Role: "tool", Content: new(req.Result(i)), ToolCallID: call.ID})
	}
	return messages
}

// chatSum adds up a reply from its parts.
type chatSum struct {
	model, content, refusal, reasoning, finish string

	calls []chatCall
	place []int // of each call, as the server counts
	size  int   // of the content, the refusal and the arguments, in bytes
	usage *chatTokens
}

// add adds a part of the first choice, the only one. It does not add up the usage: some
// servers repeat it.
func (s *chatSum) add(part chatReply) {
	s.model, s.usage = cmp.Or(part.Model, s.model), cmp.Or(part.Usage, s.usage)
	for _, choice := range part.Choices {
		if choice.Index != 0 {
			continue
		}
		s.finish = cmp.Or(choice.Finish, s.finish)
		for _, p := range []chatPart{choice.Message, choice.Delta} {
			s.content, s.refusal, s.reasoning = s.content+p.Content, s.refusal+p.Refusal, s.reasoning+p.Reasoning
			s.size += len(p.Content) + len(p.Refusal)
			for i, call := range p.ToolCalls {
				place := *cmp.Or(call.Index, new(i))
				at := slices.Index(s.place, place)
				if at < 0 {
					at = len(s.calls)
					s.calls, s.place = append(s.calls, chatCall{Type: "function"}), append(s.place, place)
				}
				to := &s.calls[at]
				to.ID, to.Function.Name = cmp.Or(call.ID, to.ID), cmp.Or(call.Function.Name, to.Function.Name)
				to.Function.Arguments += call.Function.Arguments
				if len(call.Extra) > 0 {
					to.Extra = call.Extra
				}
				s.size += len(call.Function.Arguments)
			}
		}
	}
}

// text returns the text so far.
func (s *chatSum) text() model.Answer {
	a := model.Answer{Text: s.content, Model: s.model}
	if u := s.usage; u != nil {
		a.Tokens = &model.Tokens{In: u.In, Cached: u.Details.Cached, CacheWrite: u.Details.CacheWrite, Out: u.Out}
	}
	return a
}

// answer returns a complete reply, or a question if it calls tools that were offered.
func (s *chatSum) answer(req model.Request, body chatRequest) (model.Answer, error) {
	a := s.text()
	switch {
	case s.refusal != "":
		return a, model.Refusal(s.refusal)
	case s.finish == "":
		return a, model.Unfinished()
	case s.finish == "length":
		return a, model.CutOff()
	case s.finish == "content_filter":
		return a, model.Refusal("")
	case len(body.Tools) == 0: // servers have their own names for a good end
		return a, nil
	}
	back := chatMessage{Role: "assistant", Reasoning: s.reasoning}
	if s.content != "" {
		back.Content = &s.content
	}
	var calls []model.ToolCall
	for i, call := range s.calls {
		calls = append(calls, model.ToolCall{Name: call.Function.Name, Arguments: call.Function.Arguments})
		call.ID = cmp.Or(call.ID, "call_"+strconv.Itoa(i)) // some servers give no id, and want one back
		call.Function.Arguments = sendable(call.Function.Arguments)
		back.ToolCalls = append(back.ToolCalls, call)
	}
	return req.Asking(a, calls, &chatDialogue{append(slices.Clone(body.Messages), back)}), nil
}
