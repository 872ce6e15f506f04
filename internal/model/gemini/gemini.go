// Package gemini asks the Gemini models of Google, by the Gemini API: the
// provider gemini, and Google's cloud. Every reply is streamed.
package gemini

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"google.golang.org/genai"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lazyregexp"
	"github.com/prdebate/debate/internal/model"
)

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
	models *genai.Models
	effort string
}

// modelName is what becomes a part of the request's path. Repositories choose
// models, so it must not lead anywhere else: no dot follows another.
var modelName = lazyregexp.New(`^((models|tunedModels)/)?[A-Za-z0-9](\.?[A-Za-z0-9_-])*\.?$`)

// New makes a client. What the environment says does not count, only the options
// do. Options that cannot work are a *model.Error.
func New(o model.Options) (*Client, error) {
	return through(provider, o, genai.ClientConfig{
		// Where there is none, a gateway of the operator has it. The SDK wants one, and
		// takes the environment's where it gets none.
		APIKey:      cmp.Or(o.Key, "none"),
		Backend:     genai.BackendGeminiAPI,
		HTTPOptions: genai.HTTPOptions{BaseURL: address(cmp.Or(o.BaseURL, api), version), APIVersion: version},
	})
}

// OnVertex makes a client of the same models at Google's cloud. The HTTP client of
// the options says who asks.
func OnVertex(o model.Options) (*Client, error) {
	return through("vertex", o, genai.ClientConfig{
		Project: o.Project, Location: o.Region,
		Backend:     genai.BackendVertexAI,
		HTTPOptions: genai.HTTPOptions{BaseURL: address(o.BaseURL, vertexVersion), APIVersion: vertexVersion},
	})
}

// address is where the API is, without the version that some write at the end.
func address(base, version string) string {
	return strings.TrimSuffix(strings.TrimRight(base, "/"), "/"+version)
}

// through makes a client of one of the places that serve these models.
func through(place string, o model.Options, config genai.ClientConfig) (*Client, error) {
	wire, err := model.NewWire(place, o)
	if err != nil {
		return nil, err
	}
	if name := wire.Model(); !modelName().MatchString(name) {
		return nil, &model.Error{Class: debate.CallNotFound, Detail: "the model has a name that no Gemini model can have"}
	}
	config.HTTPClient = wire.HTTP(true)
	if o.Key == "" {
		config.HTTPClient.Transport = keyless{config.HTTPClient.Transport}
	}
	config.HTTPOptions.RetryOptions = retries()
	c, err := genai.NewClient(context.Background(), &config)
	if err != nil {
		// The SDK's error prints its whole configuration, the key included.
		return nil, &model.Error{Class: debate.CallError, Detail: "the client of the provider " + place + " cannot be made"}
	}
	return &Client{wire: wire, models: c.Models, effort: o.Effort}, nil
}

// retries are what the other providers' SDKs do without being told, in seconds.
func retries() *genai.HTTPRetryOptions {
	attempts, first, longest, jitter := int32(1+model.Retries), 0.5, 8.0, 0.25
	return &genai.HTTPRetryOptions{Attempts: &attempts, InitialDelay: &first, MaxDelay: &longest, Jitter: &jitter}
}

type keyless struct{ base http.RoundTripper }

func (t keyless) RoundTrip(req *http.Request) (*http.Response, error) {
	req = req.Clone(req.Context())
	req.Header.Del(keyHeader)
	return t.base.RoundTrip(req)
}

// Ask sends a request and waits for the whole reply.
func (c *Client) Ask(ctx context.Context, req model.Request) (model.Response, error) {
	return c.wire.Ask(ctx, func(ctx context.Context, use func(string) bool) (model.Answer, error) {
		contents, config := c.request(req, use)
		return c.attempt(ctx, req, contents, config)
	})
}

// request is what was said, and all else of a request.
func (c *Client) request(req model.Request, use func(parameter string) bool) ([]*genai.Content, *genai.GenerateContentConfig) {
	contents := []*genai.Content{{Role: genai.RoleUser, Parts: []*genai.Part{{Text: req.Packet}, {Text: req.TurnBlock()}}}}
	once := false // a reply that the SDK puts together from several requests has no bound
	config := &genai.GenerateContentConfig{
		SystemInstruction:     &genai.Content{Parts: []*genai.Part{{Text: req.System}}},
		AutomaticContinuation: &once,
	}
	if tools := req.Offered(use); len(tools) > 0 {
		config.Tools, config.ToolConfig = offered(tools), choice(req.Tools)
		if said, ok := req.Dialogue.(*dialogue); ok {
			contents = said.continued(req)
		}
	} else if use("json mode") {
		config.ResponseMIMEType = "application/json"
	}
	if c.effort != "" && use("thinking") {
		config.ThinkingConfig = thinking(c.wire.Model(), c.effort)
	}
	return contents, config
}

// thinking asks for an effort: models know levels since version 3, and numbers of
// tokens before.
func thinking(name, effort string) *genai.ThinkingConfig {
	if strings.HasPrefix(strings.TrimPrefix(name, "models/"), "gemini-2.") {
		budget := budgets[effort]
		return &genai.ThinkingConfig{ThinkingBudget: &budget}
	}
	return &genai.ThinkingConfig{ThinkingLevel: genai.ThinkingLevel(strings.ToUpper(effort))}
}

// budgets are within what all models of version 2.5 allow.
var budgets = map[string]int32{"low": 2_048, "medium": 8_192, "high": 24_576}

var errShape = errors.New("it has not the shape of a reply")

// attempt sends a request.
func (c *Client) attempt(ctx context.Context, req model.Request, contents []*genai.Content, config *genai.GenerateContentConfig) (a model.Answer, err error) {
	r := reply{tools: len(config.Tools) > 0}
	// The SDK takes for granted which member is a list and which an object.
	defer func() {
		if recover() != nil {
			a, err = r.answer(), errShape
		}
	}()
	for chunk, err := range c.models.GenerateContentStream(ctx, c.wire.Model(), contents, config) {
		if err != nil {
			return r.answer(), failure(err)
		}
		if err := r.take(chunk); err != nil {
			return r.answer(), err
		}
	}
	if err := r.fault(); err != nil || !r.tools {
		return r.answer(), err
	}
	calls, said := r.calls(contents)
	return req.Asking(r.answer(), calls, said), nil
}

// failure reads an error that came after a good status, in the shape in which it
// came. The wire knows all others better than the SDK does, which repeats the whole answer
// where it cannot read it, such as one with a call whose arguments are no object.
func failure(err error) error {
	var said genai.APIError
	switch {
	case errors.As(err, &said):
	case strings.HasPrefix(err.Error(), "mapToStruct:"):
		return errShape
	default:
		return err
	}
	body, _ := json.Marshal(said) // it came as JSON
	return model.ReadFault(said.Code, body).Failure()
}
