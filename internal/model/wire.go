package model

import (
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/prompt"
)

// IdleTimeout is the default limit for the silence of a provider.
const IdleTimeout = 120 * time.Second

// Options are the model of a backend, and how to ask it. Only an operator sets Key, BaseURL,
// HTTP and Command.
type Options struct {
	Model   string
	Key     string        // "": none is sent
	BaseURL string        // "": the provider's own
	Effort  string        // of the model's thinking: low, medium, high; "": the model's default
	HTTP    *http.Client  // nil: HTTPClient("")
	Idle    time.Duration // of a silent stream; 0: IdleTimeout
	Limit   *Limit        // shared by the clients of a provider; nil: the usual one
	Prices  Prices

	Headers    []string                    // of every request, as "NAME: VALUE"
	APIVersion string                      // if the provider needs one
	Region     string                      // of a cloud
	Project    string                      // of a cloud
	Ready      func(context.Context) error // checks credentials other than a key before every call; nil: there are none

	API     string              // the wire format, if the provider has several; "": its usual one
	Command []string            // the program, if the settings name it
	KeyName string              // the variable of the key; "": there is none
	Getenv  func(string) string // the environment of programs
}

// Connect makes the HTTP client, unless the operator gave one. Its error is an *Error.
func (o *Options) Connect() error {
	if o.HTTP != nil {
		return nil
	}
	client, err := HTTPClient("")
	if err != nil {
		return &Error{Class: debate.CallError, Detail: "no HTTP client", Err: err}
	}
	o.HTTP = client
	return nil
}

// Wire is the shared part of the HTTP backends: the client, limits, retries, classes of
// failures, and prices. A backend adds only the shape of its requests and replies.
type Wire struct {
	model  string
	key    string
	ready  func(context.Context) error
	way    guard
	limit  *Limit
	prices Prices

	mu      sync.Mutex
	refused map[string]bool // parameters refused by the model
}

// NewWire makes the wire of one client of a provider. Its errors are *Error, of class
// debate.CallNotFound without a model or a usable address, of class debate.CallAuth without
// a required key.
func NewWire(provider string, o Options) (*Wire, error) {
	if err := Check("the provider "+provider, o); err != nil {
		return nil, err
	}
	if err := o.Connect(); err != nil {
		return nil, err
	}
	return &Wire{
		model: o.Model, key: o.Key, ready: o.Ready, limit: cmp.Or(o.Limit, Provider{}.NewLimit()), prices: o.Prices, refused: make(map[string]bool),
		way: guard{base: cmp.Or(o.HTTP.Transport, http.DefaultTransport), idle: cmp.Or(max(o.Idle, 0), IdleTimeout), headers: o.Headers, keyless: o.Ready != nil && o.Key == ""},
	}, nil
}

// Check refuses unusable options of a provider or an agent. Its errors are *Error.
func Check(who string, o Options) error {
	address := CheckBaseURL(o.BaseURL, o.Key)
	switch {
	case o.Model == "":
		return &Error{Class: debate.CallNotFound, Detail: "no model is configured for " + who}
	case o.Key == "" && o.BaseURL == "" && o.Ready == nil:
		return &Error{Class: debate.CallAuth, Detail: "there is no key for " + who}
	case strings.ContainsFunc(o.Key, func(r rune) bool { return r <= ' ' || r > '~' }):
		return &Error{Class: debate.CallAuth, Detail: "the key for " + who + " has spaces, line ends or characters that no key has"}
	case address != nil:
		return &Error{Class: debate.CallNotFound, Detail: "the base URL of " + who + " cannot be used: " + address.Error()}
	}
	return nil
}

// Model is the name of the asked model.
func (w *Wire) Model() string { return w.model }

// HTTP is the client for Post, or for a provider's SDK with Retries retries. With
// onlyEvents, a success must be a stream of events.
func (w *Wire) HTTP(onlyEvents bool) *http.Client {
	way := w.way
	way.events = onlyEvents
	return &http.Client{Transport: &way, CheckRedirect: sameHost}
}

// Answer is a provider's response as read by a backend.
type Answer struct {
	Text      string
	Model     string  // the provider's name of it; "" if unknown
	Tokens    *Tokens // nil if the provider gives none
	RequestID string  // "" for the one in the response's headers
	Dialogue  Dialogue
}

// Attempt asks once. use reports whether a parameter may be sent, by its name in the
// provider's refusals: it is false after the model refused the parameter. A true result also
// notes the parameter as sent. With an error, the attempt may return the answer so far: it
// costs money, too.
type Attempt func(ctx context.Context, use func(parameter string) bool) (Answer, error)

// Ask makes a call with an attempt. It waits for a free slot and asks. If the model refuses a
// parameter, it asks again without it, and leaves it out for the life of the process. The
// attempt's context must reach the request.
func (w *Wire) Ask(ctx context.Context, attempt Attempt) (Response, error) {
	release, err := w.limit.acquire(ctx)
	if err != nil {
		return Response{}, err
	}
	defer release()
	if err := w.credentials(ctx); err != nil {
		return Response{}, err
	}
	for {
		response, again, err := w.once(ctx, attempt)
		if !again {
			return response, err
		}
	}
}

// credentials checks the credentials of a cloud. It waits only for the cloud's local service.
func (w *Wire) credentials(ctx context.Context) error {
	if w.ready == nil {
		return nil
	}
	err := w.ready(ctx)
	if known := (*Error)(nil); err == nil || errors.As(err, &known) {
		return err
	}
	return &Error{Class: debate.CallAuth, Detail: printable(err.Error())}
}

// once makes an attempt, and reports in again whether it failed for an optional parameter.
func (w *Wire) once(ctx context.Context, attempt Attempt) (response Response, again bool, err error) {
	c := &call{}
	c.ctx, c.stop = context.WithCancelCause(ctx)
	c.ctx = context.WithValue(c.ctx, callKey{}, c)
	defer c.stop(nil)
	var sent []string
	answer, err := attempt(c.ctx, func(parameter string) bool {
		w.mu.Lock()
		defer w.mu.Unlock()
		if w.refused[parameter] {
			return false
		}
		sent = append(sent, parameter)
		return true
	})
	if w.learn(c.fault, sent) {
		return Response{}, true, nil
	}
	response, err = w.response(c, answer, err)
	return response, false, err
}

// refusals are the possible statuses for a refused parameter. A gateway to many servers
// answers 404 if none of them accepts it.
var refusals = []int{http.StatusBadRequest, http.StatusUnprocessableEntity, http.StatusNotFound}

// learn notes the sent parameters refused by a fault, and reports whether there are any.
func (w *Wire) learn(f Fault, sent []string) bool {
	if !slices.Contains(refusals, f.Status) {
		return false
	}
	// The longer name first: a refusal of stream_options is no refusal of stream.
	slices.SortFunc(sent, func(a, b string) int { return len(b) - len(a) })
	said := strings.ToLower(f.Param + " " + f.Message)
	w.mu.Lock()
	defer w.mu.Unlock()
	learned := false
	for _, parameter := range sent {
		if strings.Contains(said, parameter) {
			w.refused[parameter] = true
			learned = true
		}
		said = strings.ReplaceAll(said, parameter, "")
	}
	return learned
}

// response makes the engine's response of an attempt's answer and failure.
func (w *Wire) response(c *call, a Answer, err error) (Response, error) {
	keys := Redactor(append(c.keys, w.key)...)
	r := Response{Text: keys.Replace(a.Text), RequestID: printable(keys.Replace(cmp.Or(a.RequestID, c.requestID))), Model: printable(keys.Replace(a.Model))}
	switch {
	case a.Tokens != nil:
		name := w.model
		if _, known := w.prices.Of(a.Model); known {
			name = a.Model
		}
		r.Usage = w.prices.Usage(name, *a.Tokens)
	case err == nil, c.billed:
		r.Usage.CostUnknown = true
	}
	if err == nil && len(a.Text) > MaxReply {
		err = TooLong()
	}
	if err == nil {
		r.Dialogue = a.Dialogue
		return r, nil
	}
	r.Text = strings.ToValidUTF8(r.Text[:min(len(r.Text), MaxReply)], "")
	failure := c.failure(err)
	return r, &Error{Class: failure.Class, Detail: keys.Replace(failure.Detail), RetryAfter: c.wait}
}

// minKey is the smallest length of a key to take out, in bytes. Private servers accept any
// word as a key, such as "test" or "EMPTY", and such words are in replies, too.
const minKey = 8

// Redactor takes keys out of texts, in all their possible forms.
func Redactor(keys ...string) *strings.Replacer {
	const masked = "[key]"
	var pairs []string
	for _, key := range keys {
		if len(key) >= minKey {
			pairs = append(pairs, key, masked, url.QueryEscape(key), masked, base64.StdEncoding.EncodeToString([]byte(key)), masked)
		}
	}
	return strings.NewReplacer(pairs...)
}

// TurnBlock is the turn as the last fenced block of the user's message, with the results of
// looks below it. It is for providers with separate blocks for the packet and the turn.
func (r Request) TurnBlock() string { return prompt.Prompt{Turn: r.Turn}.Message() + r.Looked }
