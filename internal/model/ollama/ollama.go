// Package ollama asks models on an Ollama server, by the server's own API: the provider
// ollama. By its other API, the server cuts a long prompt without an error. This API takes
// the room for the prompt, and refuses a longer one.
package ollama

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/model"
)

const (
	usualPort = "11434" // the default
	// idle is longer than usual: a server is silent while it loads the model and reads the
	// prompt.
	idle = 5 * time.Minute
)

// Room for a prompt and its reply, in tokens. The server loads the model anew for another
// number, so there are few.
const (
	leastRoom = 16 << 10
	mostRoom  = 1 << 20
	replyRoom = 8 << 10
)

// Client asks one model. It may be used by several goroutines at once.
type Client struct {
	wire   *model.Wire
	http   *http.Client
	url    string
	effort string
	key    string
}

// New returns a client. It opens no connection. Invalid options give a *model.Error.
func New(o model.Options) (*Client, error) {
	o.BaseURL = address(o.BaseURL)
	o.Idle = cmp.Or(o.Idle, idle)
	wire, err := model.NewWire("ollama", o)
	if err != nil {
		return nil, err
	}
	return &Client{wire: wire, http: wire.HTTP(false), url: o.BaseURL + "/api/chat", effort: o.Effort, key: o.Key}, nil
}

// address returns the base URL for a value of OLLAMA_HOST, or for the URL of the other API.
func address(host string) string {
	host = cmp.Or(host, "127.0.0.1")
	if !strings.Contains(host, "://") {
		if _, _, err := net.SplitHostPort(host); err != nil {
			host = net.JoinHostPort(strings.Trim(host, "[]"), usualPort)
		}
		host = "http://" + host
	}
	return strings.TrimSuffix(strings.TrimRight(host, "/"), "/v1")
}

type message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

type options struct {
	NumCtx int `json:"num_ctx"`
}

type request struct {
	Model    string    `json:"model"`
	Messages []message `json:"messages"`
	Stream   bool      `json:"stream"`
	Format   string    `json:"format,omitempty"`
	Think    string    `json:"think,omitempty"`
	Truncate bool      `json:"truncate"`
	Shift    bool      `json:"shift"`
	Options  options   `json:"options"`
}

// room is the number of tokens for a request and its reply: a token of source code is rarely
// shorter than two bytes and a half.
func room(req model.Request) int {
	needed := min((len(req.System)+len(req.Packet)+len(req.Turn)+len(req.Looked))*2/5+replyRoom, mostRoom)
	tokens := leastRoom
	for tokens < needed {
		tokens *= 2
	}
	return tokens
}

// Ask sends a request and waits for the whole reply.
func (c *Client) Ask(ctx context.Context, req model.Request) (model.Response, error) {
	tokens := room(req)
	response, err := c.wire.Ask(ctx, func(ctx context.Context, may func(string) bool) (model.Answer, error) {
		body := request{
			Model: c.wire.Model(), Stream: true, Options: options{NumCtx: tokens},
			Messages: []message{{"system", req.System}, {"user", req.Packet + req.TurnBlock()}},
		}
		if may("format") {
			body.Format = "json"
		}
		if c.effort != "" && may("think") {
			body.Think = c.effort
		}
		return c.attempt(ctx, body)
	})
	var failed *model.Error
	if errors.As(err, &failed) && failed.Class == debate.CallTooLong {
		const advice = "take a model with a larger context, or show it less with context: off"
		err = &model.Error{Class: failed.Class, Detail: fmt.Sprintf("%s (room for %d tokens was asked for): %s", failed.Detail, tokens, advice)}
	}
	return response, err
}

// attempt sends a request and reads its reply.
func (c *Client) attempt(ctx context.Context, body request) (model.Answer, error) {
	header := make(http.Header)
	if c.key != "" {
		header.Set("Authorization", "Bearer "+c.key)
	}
	resp, err := model.Post(ctx, c.http, c.url, header, body)
	if err != nil {
		return model.Answer{}, err
	}
	defer resp.Body.Close()
	return read(resp.Body)
}
