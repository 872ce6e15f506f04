// Package openai asks models of OpenAI, and of every server that speaks its
// language: the providers openai and ollama.
//
// Two wires lead there. The Responses API is OpenAI's own; Chat Completions is
// what others have copied. Both are streamed where they can be, so that a long
// answer is told from a dead connection. Nothing is stored at the provider, no
// tool is offered, and what the model wrote is returned as it is.
package openai

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net"
	"strings"
	"time"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/ssestream"
	"github.com/openai/openai-go/v3/responses"
	"github.com/openai/openai-go/v3/shared"

	"github.com/prdebate/debate/internal/model"
)

const (
	ownURL     = "https://api.openai.com/v1"
	ollamaPort = "11434" // where none is named
	// ollamaIdle is longer than usual: a server says nothing while it loads the
	// model and reads the prompt.
	ollamaIdle = 5 * time.Minute
)

// Options say which model is asked, and how.
type Options struct {
	model.Options
	Chat   bool // by Chat Completions instead of the Responses API
	Ollama bool // by Chat Completions of an Ollama server; BaseURL is its address, with or without /v1
}

// Client asks one model. It may be used by several goroutines at once.
type Client struct {
	wire   *model.Wire
	effort shared.ReasoningEffort
	own    bool // the server is OpenAI's
	// effortName is how a server calls the effort where it refuses it.
	effortName string
	chat       openai.ChatCompletionService
	responses  responses.ResponseService
	ask        func(context.Context, model.Request, use) (model.Answer, error)
}

// use reports whether the model may be sent a parameter.
type use = func(parameter string) bool

// New makes a client. Nothing is asked and no connection opened. Options that
// cannot work are a *model.Error.
func New(o Options) (*Client, error) {
	provider, effortName := "openai", "reasoning_effort"
	if o.Ollama {
		provider, effortName = "ollama", "think"
		o.BaseURL = ollamaAddress(o.BaseURL)
		o.Idle = cmp.Or(o.Idle, ollamaIdle)
	}
	wire, err := model.NewWire(provider, o.Options)
	if err != nil {
		return nil, err
	}
	c := &Client{wire: wire, effort: shared.ReasoningEffort(o.Effort), effortName: effortName, own: o.BaseURL == ""}
	// The services are made directly: a client of the SDK would take addresses,
	// keys and headers from the environment.
	settings := []option.RequestOption{
		option.WithBaseURL(cmp.Or(o.BaseURL, ownURL)), option.WithHTTPClient(wire.HTTP(false)), option.WithMaxRetries(model.Retries),
	}
	if o.Key != "" {
		settings = append(settings, option.WithAPIKey(o.Key))
	}
	if o.Chat || o.Ollama {
		c.chat = openai.NewChatCompletionService(settings...)
		c.ask = c.complete
	} else {
		c.responses = responses.NewResponseService(settings...)
		c.ask = c.respond
	}
	return c, nil
}

// ollamaAddress makes a base URL of what OLLAMA_HOST may hold.
func ollamaAddress(host string) string {
	host = cmp.Or(host, "127.0.0.1")
	if !strings.Contains(host, "://") {
		if _, _, err := net.SplitHostPort(host); err != nil {
			host = net.JoinHostPort(strings.Trim(host, "[]"), ollamaPort)
		}
		host = "http://" + host
	}
	return strings.TrimSuffix(strings.TrimRight(host, "/"), "/v1") + "/v1"
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
