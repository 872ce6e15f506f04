// Package openai asks models of OpenAI, and of every server with the same API: the providers
// openai and azure, and models of other makers in Amazon's cloud.
//
// There are two wires. The Responses API is OpenAI's own; other servers have Chat
// Completions. Both are streamed if the model allows it, to tell a long answer from a dead
// connection. The provider stores nothing and runs no tools. The text of the model is
// returned unchanged.
package openai

import (
	"cmp"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/model"
)

// Prices are the prices of the provider's models, for its entry in the registry.
//
//go:embed prices.json
var Prices []byte

const ownURL = "https://api.openai.com/v1"

// Chat is the API of the options for Chat Completions instead of the Responses API.
const Chat = "chat"

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

// use reports whether a request to the model may have a parameter.
type use = func(parameter string) bool

// New returns a client. It opens no connection. Invalid options give a *model.Error.
func New(o model.Options) (*Client, error) {
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

// Through returns a client for a cloud with one of the two wires, at its address there. The
// header holds the key, if the cloud wants one.
func Through(cloud string, o model.Options, responses, chat string, header http.Header) (*Client, error) {
	wire, err := model.NewWire(cloud, o)
	if err != nil {
		return nil, err
	}
	c := &Client{wire: wire, http: wire.HTTP(false), url: responses, header: header, effort: o.Effort}
	c.ask = c.respond
	if o.API == Chat {
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

// cacheKey is the same for all calls about one packet, so that they reach the same machine
// with its cache.
func cacheKey(req model.Request) string {
	sum := sha256.Sum256([]byte(req.System + "\x00" + req.Packet))
	return "debate-" + hex.EncodeToString(sum[:8])
}

// format asks for a reply of one kind.
type format struct {
	Type string `json:"type"`
}

// function is a tool, with the members of both wires.
type function struct {
	Name        string         `json:"name"`
	Description string         `json:"description"`
	Schema      map[string]any `json:"parameters"`
}

// choice says whether the model may call tools.
func choice(tools model.Tools) string {
	if tools == model.ToolsOpen {
		return "auto"
	}
	return "none"
}

// sendable returns the arguments of a call in the form that servers take back: many parse them,
// and fail on anything but JSON.
func sendable(arguments string) string {
	if json.Valid([]byte(arguments)) {
		return arguments
	}
	return "{}"
}

// azureVersion is a version of the API with both wires.
const azureVersion = "2025-04-01-preview"

// NewAzure returns a client for a deployment of Azure OpenAI, by its key. The model in the
// options is the name of the deployment, and the address is that of the resource.
func NewAzure(o model.Options) (*Client, error) {
	if o.BaseURL == "" {
		return nil, &model.Error{Class: debate.CallNotFound, Detail: "the provider azure has no address: write base_url: https://RESOURCE.openai.azure.com for this party, or set AZURE_OPENAI_ENDPOINT"}
	}
	// An address from an example of the other SDKs includes their path.
	base := strings.TrimSuffix(strings.TrimSuffix(strings.TrimRight(o.BaseURL, "/"), "/v1"), "/openai") + "/openai"
	version := "?api-version=" + url.QueryEscape(cmp.Or(o.APIVersion, azureVersion))
	return Through("azure", o, base+"/responses"+version, base+"/deployments/"+url.PathEscape(o.Model)+"/chat/completions"+version, http.Header{"Api-Key": {o.Key}})
}
