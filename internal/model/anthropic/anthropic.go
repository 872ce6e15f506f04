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
		p := c.params(req, use)
		m, inputs, err := c.attempt(ctx, p)
		if err != nil || len(p.Tools) == 0 {
			return answer(m), err
		}
		calls, said := toolCalls(p.Messages, m, inputs)
		return req.Asking(answer(m), calls, said), nil
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
	if tools := req.Offered(use); len(tools) > 0 {
		p.Tools, p.ToolChoice = offered(tools), choice(req.Tools)
		if said, ok := req.Dialogue.(*dialogue); ok {
			p.Messages = said.continued(req)
		}
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
// be broken or without end. Beside the message it returns the arguments of tool calls as
// they came, by the place of their block: in the message, broken ones are empty.
func (c *Client) attempt(ctx context.Context, p sdk.MessageNewParams) (m sdk.Message, inputs map[int]string, err error) {
	stream := c.messages.NewStreaming(ctx, p)
	defer stream.Close()
	inputs = make(map[int]string)
	keep := func(place int) { // before the end of a block, which empties what is broken
		if _, known := inputs[place]; !known && place >= 0 && place < len(m.Content) {
			inputs[place] = string(m.Content[place].Input)
		}
	}
	complete := false
	for !complete && stream.Next() {
		event := stream.Current()
		switch event.Type {
		case "content_block_stop":
			keep(int(event.Index))
		case "message_stop":
			complete = true
			for i := range m.Content {
				keep(i)
			}
		}
		if err := m.Accumulate(event); err != nil {
			return m, nil, err
		}
		if tooLong(m) {
			return m, nil, model.TooLong()
		}
	}
	if err := stream.Err(); err != nil {
		return m, nil, failure(err)
	}
	return m, inputs, ended(m, complete, len(p.Tools) > 0)
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
