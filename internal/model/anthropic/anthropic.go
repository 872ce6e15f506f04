// Package anthropic asks the models of Anthropic by its Messages API: at Anthropic, the
// provider anthropic, or at a cloud. Every reply is streamed.
package anthropic

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"io"
	"iter"
	"net/http"
	"strings"

	"github.com/prdebate/debate/internal/model"
)

// Prices are the prices of the provider's models, for its entry in the registry.
//
//go:embed prices.json
var Prices []byte

const (
	provider = "anthropic"
	api      = "https://api.anthropic.com" // the provider's own address
	version  = "2023-06-01"                // of the API
)

// The API wants a limit of the reply in tokens, thoughts included. Each model has its own
// maximum; a model that refuses the first limit gets the lower one.
const (
	usualTokens = 32_000
	fewerTokens = 8_192
)

// Cloud is a service with the same API.
type Cloud struct {
	URL    string      // of the Messages API
	Header http.Header // of every request, with the key if there is one
	// Version is in the body of requests to a cloud that names the model in its URL; "" for
	// Anthropic.
	Version string
	// Events reads the events of a stream; nil for text/event-stream.
	Events func(io.Reader) iter.Seq2[[]byte, error]
}

// Client asks one model. It may be used by several goroutines at once.
type Client struct {
	wire   *model.Wire
	http   *http.Client
	cloud  Cloud
	effort string
}

// New returns a client. Invalid options give a *model.Error.
func New(o model.Options) (*Client, error) {
	// Some base URLs end with the version, with which the paths begin.
	base := strings.TrimSuffix(strings.TrimRight(cmp.Or(o.BaseURL, api), "/"), "/v1")
	header := http.Header{"Anthropic-Version": {version}}
	if o.Key != "" {
		header.Set("X-Api-Key", o.Key)
	}
	return Through(provider, o, Cloud{URL: base + "/v1/messages", Header: header})
}

// Through returns a client for the same API at a cloud.
func Through(name string, o model.Options, cloud Cloud) (*Client, error) {
	wire, err := model.NewWire(name, o)
	if err != nil {
		return nil, err
	}
	return &Client{wire: wire, http: wire.HTTP(true), cloud: cloud, effort: o.Effort}, nil
}

// Ask sends a request and waits for the whole reply.
func (c *Client) Ask(ctx context.Context, req model.Request) (model.Response, error) {
	return c.wire.Ask(ctx, func(ctx context.Context, use func(string) bool) (model.Answer, error) {
		body := c.request(req, use)
		m, err := c.attempt(ctx, body)
		if err != nil || len(body.Tools) == 0 {
			return m.answer(), err
		}
		calls, said := m.toolCalls(body.Messages)
		return req.Asking(m.answer(), calls, said), nil
	})
}

// request is the body of a request.
type request struct {
	Tools        []tool        `json:"tools,omitempty"`
	ToolChoice   *kind         `json:"tool_choice,omitempty"`
	System       []block       `json:"system"`
	Messages     []message     `json:"messages"`
	Model        string        `json:"model,omitempty"`
	Version      string        `json:"anthropic_version,omitempty"`
	MaxTokens    int           `json:"max_tokens"`
	Thinking     *kind         `json:"thinking,omitempty"`
	OutputConfig *outputConfig `json:"output_config,omitempty"`
	Stream       bool          `json:"stream,omitempty"`
}

// kind is a choice with nothing but a name.
type kind struct {
	Type string `json:"type"`
}

type outputConfig struct {
	Effort string `json:"effort"`
}

// message is a message of one side.
type message struct {
	Role    string `json:"role"`
	Content []any  `json:"content"` // blocks of ours, and blocks of the model as JSON
}

// block is a part of a message that we write.
type block struct {
	Type  string `json:"type"`
	Text  string `json:"text"`
	Cache *kind  `json:"cache_control,omitempty"`
}

// cached asks the provider to cache everything before this mark.
var cached = &kind{"ephemeral"}

// request returns the body of a request. The provider caches up to marks: the system text
// is the same for all calls, the packet for the calls of one debate.
func (c *Client) request(req model.Request, use func(parameter string) bool) request {
	r := request{
		Model: c.wire.Model(), MaxTokens: fewerTokens, Stream: true,
		System:   []block{{"text", req.System, cached}},
		Messages: []message{{"user", []any{block{"text", req.Packet, cached}, block{"text", req.TurnBlock(), nil}}}},
	}
	if c.cloud.Version != "" {
		r.Model, r.Version = "", c.cloud.Version
	}
	if tools := req.Offered(use); len(tools) > 0 {
		// With "none" the provider reads the messages anew, though not the tools and the system
		// text. Nothing else stops a model that would look forever.
		for _, t := range tools {
			r.Tools = append(r.Tools, tool(t))
		}
		r.ToolChoice = &kind{"none"}
		if req.Tools == model.ToolsOpen {
			r.ToolChoice = &kind{"auto"}
		}
		if said, ok := req.Dialogue.(*dialogue); ok {
			r.Messages = said.continued(req)
		}
	}
	if use("max_tokens") {
		r.MaxTokens = usualTokens
	}
	if c.effort == "" {
		return r
	}
	if use("thinking") { // else the effort only changes the length of the reply
		r.Thinking = &kind{"adaptive"}
	}
	if use("effort") {
		r.OutputConfig = &outputConfig{c.effort}
	}
	return r
}

// attempt sends a request and reads the reply from a stream, which may break or never end.
func (c *Client) attempt(ctx context.Context, body request) (m reply, err error) {
	resp, err := model.Post(ctx, c.http, c.cloud.URL, c.cloud.Header, body)
	if err != nil {
		return m, err
	}
	defer resp.Body.Close()
	events := c.cloud.Events
	if events == nil || strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream") {
		events = model.Events
	}
	for data, err := range events(resp.Body) {
		if err != nil {
			return m, err
		}
		var e event
		_ = json.Unmarshal(data, &e) // a member with another shape is left out
		if m.add(e); m.size > model.MaxReply {
			return m, model.TooLong()
		}
		if m.complete {
			break
		}
	}
	return m, m.ended(len(body.Tools) > 0)
}
