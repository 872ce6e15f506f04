// Package anthropic asks the models of Anthropic, by its Messages API: the
// provider anthropic, and the clouds that serve it. Every reply is streamed.
package anthropic

import (
	"cmp"
	"context"
	"errors"
	"strings"

	sdk "github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"

	"github.com/prdebate/debate/internal/model"
)

const provider = "anthropic"

// api is the provider's own address.
const api = "https://api.anthropic.com"

// The API wants a limit of the reply in tokens, thoughts included, and every
// model has its own highest. That of a model that refuses the usual one is lower.
const (
	usualTokens = 32_000
	fewerTokens = 8_192
)

// Client asks one model. It may be used by several goroutines at once.
type Client struct {
	wire     *model.Wire
	messages sdk.MessageService
	effort   string
}

// New makes a client. What the environment and the profiles of the provider's
// own tools say does not count, only the options do. Options that cannot
// work are a *model.Error.
func New(o model.Options) (*Client, error) {
	own := []option.RequestOption{option.WithBaseURL(address(o.BaseURL))}
	if o.Key != "" {
		own = append(own, option.WithAPIKey(o.Key))
	}
	return Through(provider, o, own...)
}

// Through makes a client of the same API at a cloud. The SDK's options for that
// cloud say where it is and as whom it is asked.
func Through(cloud string, o model.Options, own ...option.RequestOption) (*Client, error) {
	wire, err := model.NewWire(cloud, o)
	if err != nil {
		return nil, err
	}
	options := append([]option.RequestOption{
		option.WithoutEnvironmentDefaults(),
		option.WithoutOpenTelemetry(),
		option.WithHTTPClient(wire.HTTP(true)),
		option.WithMaxRetries(model.Retries),
	}, own...)
	return &Client{wire: wire, messages: sdk.NewClient(options...).Messages, effort: o.Effort}, nil
}

// address is where the API is; its paths begin with the version that some write
// at the end of a base URL.
func address(base string) string {
	return strings.TrimSuffix(strings.TrimRight(cmp.Or(base, api), "/"), "/v1")
}

// Ask sends a request and waits for the whole reply.
func (c *Client) Ask(ctx context.Context, req model.Request) (model.Response, error) {
	return c.wire.Ask(ctx, func(ctx context.Context, use func(string) bool) (model.Answer, error) {
		return c.attempt(ctx, c.params(req, use))
	})
}

// params makes the body of a request. The provider caches up to marks: the system
// text is the same for all calls, the packet for those of one debate.
func (c *Client) params(req model.Request, use func(parameter string) bool) sdk.MessageNewParams {
	p := sdk.MessageNewParams{
		Model:     sdk.Model(c.wire.Model()),
		MaxTokens: fewerTokens,
		System:    []sdk.TextBlockParam{{Text: req.System, CacheControl: sdk.NewCacheControlEphemeralParam()}},
		Messages: []sdk.MessageParam{sdk.NewUserMessage(
			sdk.ContentBlockParamUnion{OfText: &sdk.TextBlockParam{Text: req.Packet, CacheControl: sdk.NewCacheControlEphemeralParam()}},
			sdk.NewTextBlock(req.TurnBlock()),
		)},
	}
	if use("max_tokens") {
		p.MaxTokens = usualTokens
	}
	if c.effort == "" {
		return p
	}
	if use("thinking") { // else the effort is about the length of the reply only
		p.Thinking = sdk.ThinkingConfigParamUnion{OfAdaptive: &sdk.ThinkingConfigAdaptiveParam{}}
	}
	if use("effort") {
		p.OutputConfig = sdk.OutputConfigParam{Effort: sdk.OutputConfigEffort(c.effort)}
	}
	return p
}

// attempt sends a request. The SDK puts the reply together, from a stream that may
// be broken or without end.
func (c *Client) attempt(ctx context.Context, p sdk.MessageNewParams) (model.Answer, error) {
	stream := c.messages.NewStreaming(ctx, p)
	defer stream.Close()
	var m sdk.Message
	complete := false
	for !complete && stream.Next() {
		event := stream.Current()
		if err := m.Accumulate(event); err != nil {
			return answer(m), err
		}
		if tooLong(m) {
			return answer(m), model.TooLong()
		}
		complete = event.Type == "message_stop"
	}
	if err := stream.Err(); err != nil && !complete {
		return answer(m), failure(err)
	}
	return answer(m), ended(m, complete)
}

// failure reads an error that came as an event, after a good status. The wire
// knows all others better than the SDK does.
func failure(err error) error {
	var event *sdk.Error
	if errors.As(err, &event) {
		return model.ReadFault(0, []byte(event.RawJSON())).Failure()
	}
	return err
}
