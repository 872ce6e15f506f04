// Package openai asks models of OpenAI, and of every server that speaks its
// language: the providers openai and azure, and models of other makers in Amazon's
// cloud.
//
// Two wires lead there. The Responses API is OpenAI's own; Chat Completions is
// what others have copied. Both are streamed if the model allows it, so that a long
// answer is told from a dead connection. Nothing is stored at the provider, which runs
// no tools of its own, and the text of the model is returned unchanged.
package openai

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"strings"

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
	wire   *model.Wire
	http   *http.Client
	url    string
	header http.Header
	effort string
	own    bool // the server is OpenAI's
	ask    func(context.Context, model.Request, use) (model.Answer, error)
}

// use reports whether the model may be sent a parameter.
type use = func(parameter string) bool

// New makes a client. Nothing is asked and no connection opened. Options that
// cannot work are a *model.Error.
func New(o Options) (*Client, error) {
	header := make(http.Header)
	if o.Key != "" {
		header.Set("Authorization", "Bearer "+o.Key)
	}
	base := strings.TrimRight(cmp.Or(o.BaseURL, ownURL), "/")
	c, err := Through("openai", o, base+"/responses", base+"/chat/completions", header)
	if err == nil {
		c.own = o.BaseURL == ""
	}
	return c, err
}

// Through makes a client of a cloud that speaks one of the two wires, at the address
// that it has for it. The header holds the key, if the cloud wants one.
func Through(cloud string, o Options, responses, chat string, header http.Header) (*Client, error) {
	wire, err := model.NewWire(cloud, o.Options)
	if err != nil {
		return nil, err
	}
	c := &Client{wire: wire, http: wire.HTTP(false), url: responses, header: header, effort: o.Effort}
	c.ask = c.respond
	if o.Chat {
		c.url, c.ask = chat, c.complete
	}
	return c, nil
}

// Ask asks once.
func (c *Client) Ask(ctx context.Context, req model.Request) (model.Response, error) {
	return c.wire.Ask(ctx, func(ctx context.Context, may use) (model.Answer, error) { return c.ask(ctx, req, may) })
}

// whole asks for a reply in one piece.
func (c *Client) whole(ctx context.Context, body, reply any) error {
	resp, err := model.Post(ctx, c.http, c.url, c.header, body)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, reply)
}

// cacheKey is the same for all calls about one packet, so that the provider
// sends them to the machine that has its beginning cached.
func cacheKey(req model.Request) string {
	sum := sha256.Sum256([]byte(req.System + "\x00" + req.Packet))
	return "debate-" + hex.EncodeToString(sum[:8])
}

// format asks for a reply of one kind.
type format struct {
	Type string `json:"type"`
}

// function is a tool with the members that both wires share.
type function struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Parameters  any    `json:"parameters"`
}

func functionOf(t model.Tool) function {
	schema := map[string]any{"type": "object", "properties": t.Properties}
	if len(t.Required) > 0 {
		schema["required"] = t.Required
	}
	return function{Name: t.Name, Description: t.Description, Parameters: schema}
}

// choice says whether the model may call tools.
func choice(tools model.Tools) string {
	if tools == model.ToolsOpen {
		return "auto"
	}
	return "none"
}

// sendable are the arguments of a call as a server takes them back: many read them, and
// fail on text that is no JSON.
func sendable(arguments string) string {
	if json.Valid([]byte(arguments)) {
		return arguments
	}
	return "{}"
}
