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

// IdleTimeout is how long a provider may be silent by default (S14).
const IdleTimeout = 120 * time.Second

// Options say which model a backend asks, and how. Only an operator sets Key,
// BaseURL, HTTP and Command (S02).
type Options struct {
	Model   string
	Key     string        // "": none is sent
	BaseURL string        // "": the provider's own
	Effort  string        // how hard the model thinks: low, medium, high; "": as the model likes
	HTTP    *http.Client  // nil: HTTPClient("")
	Idle    time.Duration // of a silent stream; 0: IdleTimeout
	Limit   *Limit        // shared by the clients of a provider; nil: the usual one
	Prices  Prices

	Headers    []string                    // that every request carries, as "NAME: VALUE"
	APIVersion string                      // of a provider that wants one
	Region     string                      // of a cloud
	Project    string                      // of a cloud
	Ready      func(context.Context) error // asked before every call: whether there are credentials that no key is; nil: there is nothing to ask

	API     string              // the wire format, of a provider that has several; "": its usual one
	Command []string            // the program of a provider that is one that the settings name
	KeyName string              // the variable that the key is from; "": there is none
	Getenv  func(string) string // the environment, for providers that run a program
}

// Wire is what every backend that speaks HTTP shares: the client that it
// uses, limits, retries, classes of failures, and prices. A backend brings only
// the shape of its requests and replies.
type Wire struct {
	model  string
	key    string
	ready  func(context.Context) error
	way    guard
	limit  *Limit
	prices Prices

	mu      sync.Mutex
	refused map[string]bool // parameters that the model does not know
}

// NewWire makes the wire of one client of a provider. Options that cannot work
// are an *Error: without a model or a reachable address of class
// debate.CallNotFound, without the key that the provider wants debate.CallAuth.
func NewWire(provider string, o Options) (*Wire, error) {
	if err := check(provider, o); err != nil {
		return nil, err
	}
	if o.HTTP == nil {
		var err error
		if o.HTTP, err = HTTPClient(""); err != nil {
			return nil, &Error{Class: debate.CallError, Detail: "no HTTP client", Err: err}
		}
	}
	return &Wire{
		model: o.Model, key: o.Key, ready: o.Ready, limit: cmp.Or(o.Limit, Provider{}.NewLimit()), prices: o.Prices, refused: make(map[string]bool),
		way: guard{base: cmp.Or(o.HTTP.Transport, http.DefaultTransport), idle: cmp.Or(max(o.Idle, 0), IdleTimeout), headers: o.Headers, keyless: o.Ready != nil && o.Key == ""},
	}, nil
}

// check refuses options that cannot work.
func check(provider string, o Options) error {
	if o.Model == "" {
		return &Error{Class: debate.CallNotFound, Detail: "no model is configured"}
	}
	if o.Key == "" && o.BaseURL == "" && o.Ready == nil {
		return &Error{Class: debate.CallAuth, Detail: "there is no key for the provider " + provider}
	}
	if err := CheckKey(o.Key); err != nil {
		return &Error{Class: debate.CallAuth, Detail: "the key for the provider " + provider + " " + err.Error()}
	}
	if err := CheckBaseURL(o.BaseURL, o.Key); err != nil {
		return &Error{Class: debate.CallNotFound, Detail: "the base URL of the provider " + provider + " cannot be used: " + err.Error()}
	}
	return nil
}

// Model is the name of the model that is asked.
func (w *Wire) Model() string { return w.model }

// HTTP is the client for Post, or for a provider's SDK, which retries as Retries says.
// With onlyEvents, a success that is no stream of events is a failure.
func (w *Wire) HTTP(onlyEvents bool) *http.Client {
	way := w.way
	way.events = onlyEvents
	return &http.Client{Transport: &way, CheckRedirect: sameHost}
}

// Answer is what a backend makes of a provider's response.
type Answer struct {
	Text      string
	Model     string  // as the provider names it; "" if it does not
	Tokens    *Tokens // nil: the provider did not say
	RequestID string  // "" for the one in the response's headers
	Dialogue  Dialogue
}

// Attempt asks once. It gets what it may send: use reports whether the model is
// not yet known to refuse a parameter, by the name that the provider would use
// in its refusal, and notes that it is sent now. Beside an error it may return
// the answer as far as it came: that was paid for, too.
type Attempt func(ctx context.Context, use func(parameter string) bool) (Answer, error)

// Ask makes a call of an attempt: it waits for its turn, asks, asks again
// without a parameter that the model refuses, and remembers that for as long as
// the process lives. The context that the attempt gets has to reach the request.
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

// credentials asks for those of a cloud, which wait for nothing but a local
// service of it.
func (w *Wire) credentials(ctx context.Context) error {
	if w.ready == nil {
		return nil
	}
	err := w.ready(ctx)
	if known := (*Error)(nil); err == nil || errors.As(err, &known) {
		return err
	}
	return &Error{Class: debate.CallAuth, Detail: printable(err.Error(), maxSaid)}
}

// once makes an attempt, and reports whether it failed for a parameter that can be
// left out.
func (w *Wire) once(ctx context.Context, attempt Attempt) (response Response, again bool, err error) {
	c := newCall(ctx)
	defer c.stop(nil)
	var sent []string
	answer, err := attempt(c.ctx, func(parameter string) bool {
		known := w.accepts(parameter)
		if known {
			sent = append(sent, parameter)
		}
		return known
	})
	if w.learn(c.fault, sent) {
		return Response{}, true, nil
	}
	response, err = w.response(c, answer, err)
	return response, false, err
}

func (w *Wire) accepts(parameter string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return !w.refused[parameter]
}

// refusals are the statuses that may be for a parameter. A gateway to many servers finds
// none that takes it.
var refusals = []int{http.StatusBadRequest, http.StatusUnprocessableEntity, http.StatusNotFound}

// learn notes which of the parameters that were sent a fault refuses, and
// reports whether there is one.
func (w *Wire) learn(f Fault, sent []string) bool {
	if !slices.Contains(refusals, f.Status) {
		return false
	}
	// The longer name first: who refuses stream_options says nothing of stream.
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

// response makes of an attempt's answer and failure what the engine gets.
func (w *Wire) response(c *call, a Answer, err error) (Response, error) {
	keys := redactor(append(c.keys, w.key))
	r := Response{Text: keys.Replace(a.Text), RequestID: printable(keys.Replace(cmp.Or(a.RequestID, c.requestID)), maxSaid), Model: printable(keys.Replace(a.Model), maxSaid)}
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

// minKey is the length, in bytes, from which a key is one. Servers of one's own
// take any word for it, such as "test" or "EMPTY", which stands in replies, too.
const minKey = 8

// redactor takes keys out of texts, in the forms that they may have in them.
func redactor(keys []string) *strings.Replacer {
	const masked = "[key]"
	var pairs []string
	for _, key := range keys {
		if len(key) >= minKey {
			pairs = append(pairs, key, masked, url.QueryEscape(key), masked, base64.StdEncoding.EncodeToString([]byte(key)), masked)
		}
	}
	return strings.NewReplacer(pairs...)
}

// TurnBlock is the turn as the last fenced block of the user's message, for providers
// that take the packet and the turn as separate blocks of it, and below it what the
// party has looked at since.
func (r Request) TurnBlock() string { return prompt.Prompt{Turn: r.Turn}.Message() + r.Looked }
