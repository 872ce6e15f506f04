// Package openai asks models of OpenAI, and of every server that speaks its
// language: the providers openai and azure, and models of other makers in Amazon's
// cloud.
//
// Two wires lead there. The Responses API is OpenAI's own; Chat Completions is
// what others have copied. Both are streamed where they can be, so that a long
// answer is told from a dead connection. Nothing is stored at the provider, which runs
// no tools of its own, and what the model wrote is returned as it is.
package openai

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/ssestream"
	"github.com/openai/openai-go/v3/responses"
	"github.com/openai/openai-go/v3/shared"

	"github.com/prdebate/debate/internal/model"
)

const ownURL = "https://api.openai.com/v1"

// Options say which model is asked, and how.
type Options struct {
	model.Options
	Chat bool // by Chat Completions instead of the Responses API
}

// Client asks one model. It may be used by several goroutines at once.
type Client struct {
	wire      *model.Wire
	effort    shared.ReasoningEffort
	own       bool // the server is OpenAI's
	chat      openai.ChatCompletionService
	responses responses.ResponseService
	ask       func(context.Context, model.Request, use) (model.Answer, error)
}

// use reports whether the model may be sent a parameter.
type use = func(parameter string) bool

// New makes a client. Nothing is asked and no connection opened. Options that
// cannot work are a *model.Error.
func New(o Options) (*Client, error) {
	own := []option.RequestOption{option.WithBaseURL(cmp.Or(o.BaseURL, ownURL))}
	if o.Key != "" {
		own = append(own, option.WithAPIKey(o.Key))
	}
	c, err := Through("openai", o, own...)
	if err == nil {
		c.own = o.BaseURL == ""
	}
	return c, err
}

// Through makes a client of a cloud that speaks one of the two wires. The SDK's
// options for that cloud say where it is and as whom it is asked.
func Through(cloud string, o Options, own ...option.RequestOption) (*Client, error) {
	wire, err := model.NewWire(cloud, o.Options)
	if err != nil {
		return nil, err
	}
	c := &Client{wire: wire, effort: shared.ReasoningEffort(o.Effort)}
	// The services are made directly: a client of the SDK would take addresses,
	// keys and headers from the environment, and link all that there is.
	own = append([]option.RequestOption{option.WithHTTPClient(wire.HTTP(false)), option.WithMaxRetries(model.Retries)}, own...)
	if o.Chat {
		c.chat, c.ask = openai.NewChatCompletionService(own...), c.complete
	} else {
		c.responses, c.ask = responses.NewResponseService(own...), c.respond
	}
	return c, nil
}

// Ask asks once.
func (c *Client) Ask(ctx context.Context, req model.Request) (model.Response, error) {
	return c.wire.Ask(ctx, func(ctx context.Context, may use) (model.Answer, error) { return c.ask(ctx, req, may) })
}

// cacheKey is the same for all calls about one packet, so that the provider
// sends them where its beginning is cached.
func cacheKey(req model.Request) string {
	sum := sha256.Sum256([]byte(req.System + "\x00" + req.Packet))
	return "debate-" + hex.EncodeToString(sum[:8])
}

// streamed is what ended a stream: the failure that a provider put into an event,
// or whatever broke it.
func streamed(err error) error {
	var event *ssestream.StreamError
	if errors.As(err, &event) {
		return model.ReadFault(0, event.Event.Data).Failure()
	}
	return err
}
