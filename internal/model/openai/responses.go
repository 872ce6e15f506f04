package openai

import (
	"cmp"
	"context"
	"strings"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/responses"
	"github.com/openai/openai-go/v3/shared"

	"github.com/prdebate/debate/internal/model"
)

// respond asks by the Responses API. Packet and turn are separate parts of the
// user's message.
func (c *Client) respond(ctx context.Context, req model.Request, may use) (model.Answer, error) {
	params := responses.ResponseNewParams{
		Model:        c.wire.Model(),
		Instructions: openai.String(req.System),
		Store:        openai.Bool(false),
		Input: responses.ResponseNewParamsInputUnion{OfInputItemList: responses.ResponseInputParam{
			responses.ResponseInputItemParamOfMessage(responses.ResponseInputMessageContentListParam{
				responses.ResponseInputContentParamOfInputText(req.Packet),
				responses.ResponseInputContentParamOfInputText(req.TurnBlock()),
			}, responses.EasyInputMessageRoleUser),
		}},
	}
	if !offerTools(&params, req, may) && may("text.format") {
		params.Text.Format.OfJSONObject = &shared.ResponseFormatJSONObjectParam{}
	}
	if c.effort != "" && may("reasoning") {
		params.Reasoning.Effort = c.effort
	}
	if c.own && may("prompt_cache_key") {
		params.PromptCacheKey = openai.String(cacheKey(req))
	}
	if !may("stream") {
		resp, err := c.responses.New(ctx, params)
		if err != nil {
			return model.Answer{}, err
		}
		answer, err := finished(*resp, resp.OutputText(), refusal(*resp))
		return askedItems(req, params, answer, resp.Output, err)
	}
	answer, items, err := c.responseStream(ctx, params)
	return askedItems(req, params, answer, items, err)
}

// responseStream puts the reply together from its events, and returns the items that it
// has beside it.
func (c *Client) responseStream(ctx context.Context, params responses.ResponseNewParams) (model.Answer, []responses.ResponseOutputItemUnion, error) {
	stream := c.responses.NewStreaming(ctx, params)
	defer stream.Close()
	var text, refused strings.Builder
	var items []responses.ResponseOutputItemUnion
	arguments := 0
	for stream.Next() {
		switch event := stream.Current(); event.Type {
		case "response.output_text.delta":
			text.WriteString(event.Delta)
		case "response.refusal.delta":
			refused.WriteString(event.Delta)
		case "response.function_call_arguments.delta":
			arguments += len(event.Delta)
		case "response.output_item.done":
			items = append(items, event.Item)
		case "response.completed", "response.incomplete", "response.failed":
			if len(event.Response.Output) > 0 {
				items = event.Response.Output
			}
			written := cmp.Or(text.String(), event.Response.OutputText()) // some servers send no deltas
			answer, err := finished(event.Response, written, cmp.Or(refused.String(), refusal(event.Response)))
			return answer, items, err
		case "error":
			return model.Answer{Text: text.String()}, nil, model.Fault{Code: event.Code, Param: event.Param, Message: event.Message}.Failure()
		}
		if text.Len()+refused.Len()+arguments > model.MaxReply {
			return model.Answer{Text: text.String()}, nil, model.TooLong()
		}
	}
	if err := stream.Err(); err != nil {
		return model.Answer{Text: text.String()}, nil, streamed(err)
	}
	return model.Answer{Text: text.String()}, nil, model.Unfinished()
}

// finished reads how a response ended.
func finished(resp responses.Response, text, refused string) (model.Answer, error) {
	answer := model.Answer{Text: text, Model: resp.Model}
	if resp.JSON.Usage.Valid() {
		u := resp.Usage
		answer.Tokens = &model.Tokens{
			In: int(u.InputTokens), Cached: int(u.InputTokensDetails.CachedTokens),
			CacheWrite: int(u.InputTokensDetails.CacheWriteTokens), Out: int(u.OutputTokens),
		}
	}
	fault := model.Fault{Code: string(resp.Error.Code), Message: resp.Error.Message}
	whole := text != "" && resp.Status == "" // some servers give no status
	switch reason := resp.IncompleteDetails.Reason; {
	case fault != (model.Fault{}), resp.Status == responses.ResponseStatusFailed:
		return answer, fault.Failure()
	case refused != "", reason == "content_filter":
		return answer, model.Refusal(refused)
	case reason == "max_output_tokens":
		return answer, model.CutOff()
	case whole, resp.Status == responses.ResponseStatusCompleted:
		return answer, nil
	}
	return answer, model.Unfinished()
}

// refusal is what a model said instead of a reply.
func refusal(resp responses.Response) string {
	var said strings.Builder
	for _, item := range resp.Output {
		for _, part := range item.Content {
			said.WriteString(part.Refusal)
		}
	}
	return said.String()
}
