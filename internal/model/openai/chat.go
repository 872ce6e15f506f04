package openai

import (
	"context"
	"errors"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/shared"

	"github.com/prdebate/debate/internal/model"
)

// complete asks by Chat Completions. The user's message is one text: not all
// servers take parts, and those that cache look at its beginning anyway.
func (c *Client) complete(ctx context.Context, req model.Request, may use) (model.Answer, error) {
	params := openai.ChatCompletionNewParams{
		Model: c.wire.Model(),
		Messages: []openai.ChatCompletionMessageParamUnion{
			openai.SystemMessage(req.System),
			openai.UserMessage(req.Packet + req.TurnBlock()),
		},
	}
	if !offerChatTools(&params, req, may) && may("response_format") {
		params.ResponseFormat.OfJSONObject = &shared.ResponseFormatJSONObjectParam{}
	}
	if c.effort != "" && may("reasoning_effort") {
		params.ReasoningEffort = c.effort
	}
	if c.own {
		params.Store = openai.Bool(false)
		if may("prompt_cache_key") {
			params.PromptCacheKey = openai.String(cacheKey(req))
		}
	}
	if !may("stream") {
		resp, err := c.chat.New(ctx, params)
		if err != nil {
			return model.Answer{}, err
		}
		var used *model.Tokens
		if resp.JSON.Usage.Valid() {
			used = tokens(resp.Usage)
		}
		return asked(req, params, *resp, used, extrasOf(first(*resp).Message))
	}
	if may("stream_options") {
		params.StreamOptions.IncludeUsage = openai.Bool(true)
	}
	resp, used, own, err := c.chatStream(ctx, params)
	if err != nil {
		return answer(resp, used), err
	}
	return asked(req, params, resp, used, own)
}

// chatStream puts the reply together from its chunks, as the SDK does it, and keeps what
// the SDK drops.
func (c *Client) chatStream(ctx context.Context, params openai.ChatCompletionNewParams) (resp openai.ChatCompletion, used *model.Tokens, own extras, err error) {
	stream := c.chat.NewStreaming(ctx, params)
	defer stream.Close()
	own.calls = make(map[int64]string)
	var sum openai.ChatCompletionAccumulator // its usage would add up what servers repeat
	for stream.Next() {
		chunk := stream.Current()
		if chunk.JSON.Usage.Valid() {
			used = tokens(chunk.Usage)
		}
		chunk.ID = sum.ID // some servers name each chunk, which the SDK takes for another reply
		if !sum.AddChunk(chunk) {
			return sum.ChatCompletion, used, own, errors.New("its chunks do not fit together")
		}
		own.add(chunk)
		if size(first(sum.ChatCompletion).Message) > model.MaxReply {
			return sum.ChatCompletion, used, own, model.TooLong()
		}
	}
	if err := stream.Err(); err != nil {
		return sum.ChatCompletion, used, own, streamed(err)
	}
	return sum.ChatCompletion, used, own, nil
}

// size is the length of what a message says, arguments of tools included.
func size(m openai.ChatCompletionMessage) int {
	n := len(m.Content) + len(m.Refusal)
	for _, call := range m.ToolCalls {
		n += len(call.Function.Arguments)
	}
	return n
}

// first is the only choice that is asked for; empty if there is none.
func first(resp openai.ChatCompletion) openai.ChatCompletionChoice {
	if len(resp.Choices) == 0 {
		return openai.ChatCompletionChoice{}
	}
	return resp.Choices[0]
}

func answer(resp openai.ChatCompletion, used *model.Tokens) model.Answer {
	return model.Answer{Text: first(resp).Message.Content, Model: resp.Model, Tokens: used}
}

func tokens(u openai.CompletionUsage) *model.Tokens {
	return &model.Tokens{
		In: int(u.PromptTokens), Cached: int(u.PromptTokensDetails.CachedTokens),
		CacheWrite: int(u.PromptTokensDetails.CacheWriteTokens), Out: int(u.CompletionTokens),
	}
}

// badEnds are the reasons to stop of a model that has not said all. Servers have names of
// their own for an end that is none of these.
var badEnds = map[string]error{
	"":               model.Unfinished(),
	"length":         model.CutOff(),
	"content_filter": model.Refusal(""),
}

// ended reads why a model stopped.
func ended(resp openai.ChatCompletion) error {
	choice := first(resp)
	if refused := choice.Message.Refusal; refused != "" {
		return model.Refusal(refused)
	}
	return badEnds[choice.FinishReason]
}
