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
	if may("response_format") {
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
		return answer(*resp, used), ended(*resp)
	}
	if may("stream_options") {
		params.StreamOptions.IncludeUsage = openai.Bool(true)
	}
	return c.chatStream(ctx, params)
}

// chatStream puts the reply together from its chunks, as the SDK does it.
func (c *Client) chatStream(ctx context.Context, params openai.ChatCompletionNewParams) (model.Answer, error) {
	stream := c.chat.NewStreaming(ctx, params)
	defer stream.Close()
	var sum openai.ChatCompletionAccumulator
	var used *model.Tokens // the sum of the SDK would add up what servers repeat
	for stream.Next() {
		chunk := stream.Current()
		if chunk.JSON.Usage.Valid() {
			used = tokens(chunk.Usage)
		}
		chunk.ID = sum.ID // some servers name each chunk, which the SDK takes for another reply
		if !sum.AddChunk(chunk) {
			return answer(sum.ChatCompletion, used), errors.New("its chunks do not fit together")
		}
		if reply := first(sum.ChatCompletion).Message; len(reply.Content)+len(reply.Refusal) > model.MaxReply {
			return answer(sum.ChatCompletion, used), model.TooLong()
		}
	}
	if err := stream.Err(); err != nil {
		return answer(sum.ChatCompletion, used), streamed(err)
	}
	return answer(sum.ChatCompletion, used), ended(sum.ChatCompletion)
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

// ended reads why a model stopped. Servers have names of their own for an end
// that is none of the bad ones.
func ended(resp openai.ChatCompletion) error {
	choice := first(resp)
	switch refused := choice.Message.Refusal; {
	case refused != "", choice.FinishReason == "content_filter":
		return model.Refusal(refused)
	case choice.FinishReason == "length":
		return model.CutOff()
	case choice.FinishReason == "":
		return model.Unfinished()
	}
	return nil
}
