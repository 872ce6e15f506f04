// Package gemini asks the Gemini models of Google by the Gemini API: at Google, the provider
// gemini, or at Google's cloud. Every reply is streamed.
package gemini

import (
	"bufio"
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lazyregexp"
	"github.com/prdebate/debate/internal/model"
)

// Prices are the prices of the provider's models, for its entry in the registry.
//
//go:embed prices.json
var Prices []byte

const provider = "gemini"

// The provider's own address, and the versions of its API here and at its cloud.
const (
	api           = "https://generativelanguage.googleapis.com"
	version       = "v1beta"
	vertexVersion = "v1"
)

// keyHeader carries the key. In the query it would get into logs.
const keyHeader = "X-Goog-Api-Key"

// Client asks one model. It may be used by several goroutines at once.
type Client struct {
	wire   *model.Wire
	http   *http.Client
	url    string
	header http.Header
	effort string
}

// modelName is the part of the request's path for the model. Repositories choose models, so
// it must not lead to another path: no two dots in a row.
var modelName = lazyregexp.New(`^((models|tunedModels)/)?[A-Za-z0-9](\.?[A-Za-z0-9_-])*\.?$`)

// New returns a client. Only the options count, never the environment. Invalid options give a
// *model.Error.
func New(o model.Options) (*Client, error) {
	header := http.Header{}
	if o.Key != "" { // without one, a gateway of the operator has it
		header.Set(keyHeader, o.Key)
	}
	return through(provider, o, address(cmp.Or(o.BaseURL, api), version), "models/", header)
}

// OnVertex returns a client for the same models at Google's cloud. The HTTP client of the
// options signs in.
func OnVertex(o model.Options) (*Client, error) {
	place := fmt.Sprintf("%s/projects/%s/locations/%s", address(o.BaseURL, vertexVersion), url.PathEscape(o.Project), url.PathEscape(o.Region))
	return through("vertex", o, place, "publishers/google/models/", nil)
}

// address adds the version of the API to a base URL, unless it is there.
func address(base, version string) string {
	return strings.TrimSuffix(strings.TrimRight(base, "/"), "/"+version) + "/" + version
}

// through returns a client for one of the services with these models. The models are in a folder
// there, unless their name has one.
func through(place string, o model.Options, address, folder string, header http.Header) (*Client, error) {
	wire, err := model.NewWire(place, o)
	if err != nil {
		return nil, err
	}
	name := wire.Model()
	if !modelName().MatchString(name) {
		return nil, &model.Error{Class: debate.CallNotFound, Detail: "the model has a name that no Gemini model can have"}
	}
	if !strings.Contains(name, "/") {
		name = folder + name
	}
	return &Client{wire: wire, http: wire.HTTP(true), url: address + "/" + name + ":streamGenerateContent?alt=sse", header: header, effort: o.Effort}, nil
}

// Ask sends a request and waits for the whole reply.
func (c *Client) Ask(ctx context.Context, req model.Request) (model.Response, error) {
	return c.wire.Ask(ctx, func(ctx context.Context, use func(string) bool) (model.Answer, error) {
		return c.attempt(ctx, req, c.request(req, use))
	})
}

// request is the body of a request.
type request struct {
	System     content          `json:"systemInstruction"`
	Contents   []content        `json:"contents"`
	Tools      []tools          `json:"tools,omitempty"`
	ToolConfig *toolConfig      `json:"toolConfig,omitempty"`
	Generation generationConfig `json:"generationConfig"`
}

// content is a message of one side.
type content struct {
	Role  string  `json:"role"`
	Parts []*part `json:"parts"`
}

type part struct {
	Text      string    `json:"text,omitempty"`
	Thought   bool      `json:"thought,omitempty"`
	Signature string    `json:"thoughtSignature,omitempty"`
	Call      *call     `json:"functionCall,omitempty"`
	Result    *function `json:"functionResponse,omitempty"`
}

type generationConfig struct {
	Format   string    `json:"responseMimeType,omitempty"`
	Thinking *thinking `json:"thinkingConfig,omitempty"`
}

type thinking struct {
	Level  string `json:"thinkingLevel,omitempty"`
	Budget int    `json:"thinkingBudget,omitempty"` // in tokens
}

func (c *Client) request(req model.Request, use func(parameter string) bool) request {
	body := request{
		System:   content{Role: "user", Parts: []*part{{Text: req.System}}},
		Contents: []content{{Role: "user", Parts: []*part{{Text: req.Packet}, {Text: req.TurnBlock()}}}},
	}
	if offers := req.Offered(use); len(offers) > 0 {
		body.Tools, body.ToolConfig = make([]tools, 1), choice(req.Tools)
		for _, t := range offers {
			body.Tools[0].Functions = append(body.Tools[0].Functions, declaration(t))
		}
		if said, ok := req.Dialogue.(*dialogue); ok {
			body.Contents = said.continued(req)
		}
	} else if use("json mode") {
		body.Generation.Format = "application/json"
	}
	if c.effort != "" && use("thinking") {
		body.Generation.Thinking = &thinking{Level: strings.ToUpper(c.effort)}
		if strings.HasPrefix(strings.TrimPrefix(c.wire.Model(), "models/"), "gemini-2.") { // in tokens before version 3
			body.Generation.Thinking = &thinking{Budget: budgets[c.effort]}
		}
	}
	return body
}

// budgets are inside the limits of all models of version 2.5.
var budgets = map[string]int{"low": 2_048, "medium": 8_192, "high": 24_576}

var errShape = errors.New("it has not the shape of a reply")

// attempt sends a request.
func (c *Client) attempt(ctx context.Context, req model.Request, body request) (model.Answer, error) {
	r := reply{tools: len(body.Tools) > 0}
	resp, err := model.Post(ctx, c.http, c.url, c.header, body)
	if err != nil {
		return r.answer(), err
	}
	defer resp.Body.Close()
	for data, err := range model.Events(resp.Body) {
		switch {
		case errors.Is(err, bufio.ErrTooLong):
			return r.answer(), model.TooLong()
		case err != nil:
			return r.answer(), err
		}
		var said streamed
		if json.Unmarshal(data, &said) != nil {
			return r.answer(), errShape
		}
		if err := r.take(said); err != nil {
			return r.answer(), err
		}
	}
	if err := r.fault(); err != nil || !r.tools {
		return r.answer(), err
	}
	calls, said := r.calls(body.Contents)
	return req.Asking(r.answer(), calls, said), nil
}
