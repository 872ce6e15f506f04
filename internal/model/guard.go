package model

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/reach"
)

const (
	longestAsked = 30 * time.Second // the longest wait for a provider, if the call has no limit of its own
	waitMargin   = 5 * time.Second  // the shortest rest of a call after a wait
	maxErrorBody = 64 << 10         // bytes of an error
	maxWire      = 64 * MaxReply    // bytes of a response: events wrap each word of a reply in hundreds of bytes
)

// guard is the transport below Post, which retries, or below an SDK with its own retries.
// It bounds the size of responses, ends silent ones, and notes in the call the facts that
// SDKs hide. If no retry can help a call, it ends the call at once.
type guard struct {
	base   http.RoundTripper
	idle   time.Duration
	events bool // a success must be a stream of events

	keyless bool     // the request uses a cloud account, without a key
	headers []string // of the settings, as "NAME: VALUE"
}

// RoundTrip sends a request once, after the provider's wait.
func (g *guard) RoundTrip(req *http.Request) (*http.Response, error) {
	c := callOf(req.Context())
	if err := c.begin(req.Context()); err != nil {
		return nil, err
	}
	stop := c.stop
	silence := time.AfterFunc(g.idle, func() { stop(errSilent) })
	sent := req.Clone(req.Context())
	sent.Header.Set("User-Agent", userAgent)
	for _, header := range g.headers {
		name, value, _ := strings.Cut(header, ": ")
		sent.Header.Set(name, value)
	}
	resp, err := g.base.RoundTrip(sent)
	if err != nil {
		silence.Stop()
		c.unreached(sent, err)
		return nil, err
	}
	silence.Reset(g.idle)
	c.keys = keysOf(cmp.Or(resp.Request, sent).Header)
	resp.Body = &body{ReadCloser: resp.Body, call: c, silence: silence, idle: g.idle, left: maxWire}
	h := resp.Header
	c.requestID = cmp.Or(h.Get("X-Request-Id"), h.Get("Request-Id"), h.Get("X-Goog-Request-Id"), h.Get("X-Amzn-Requestid"))
	if resp.StatusCode >= http.StatusBadRequest {
		c.refused(resp, g.keyless)
		return resp, nil
	}
	c.billed = resp.StatusCode < http.StatusMultipleChoices
	if c.billed {
		c.failed = g.unfit(c, resp)
	}
	return resp, nil
}

// unfit says why a success cannot be an answer: some gateways answer 200 with an error
// inside, and SDKs read any other body as an empty stream.
func (g *guard) unfit(c *call, resp *http.Response) *Error {
	kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	switch kind {
	case "text/event-stream", "application/vnd.amazon.eventstream":
		return nil
	case "text/html":
		return &Error{Class: debate.CallError, Detail: "a web page came back, not an answer of the provider's API: look at the base URL and the proxy"}
	case "application/json":
		text, _ := io.ReadAll(io.LimitReader(resp.Body, maxErrorBody))
		resp.Body = &resumed{Reader: io.MultiReader(bytes.NewReader(text), resp.Body), Closer: resp.Body}
		if hasError(text) {
			c.fault, c.billed = ReadFault(resp.StatusCode, text), false
			return c.fault.Failure()
		}
	}
	if !g.events {
		return nil
	}
	return &Error{
		Class:  debate.CallError,
		Detail: fmt.Sprintf("the provider answers with %q where a stream of events is due", printable(kind)),
	}
}

// resumed is a body with its start already read.
type resumed struct {
	io.Reader
	io.Closer
}

// body is a response's body that ends when it is too large or silent. A broken connection
// also ends it without an error, since SDKs would log or repeat that error; the call notes
// it. So a backend has to check by itself if a reply is complete.
type body struct {
	io.ReadCloser
	call    *call
	silence *time.Timer
	idle    time.Duration
	left    int
}

func (b *body) Read(p []byte) (int, error) {
	if b.left <= 0 {
		b.call.failed = &Error{Class: debate.CallMalformed, Detail: fmt.Sprintf("the response is larger than %d bytes", maxWire)}
		return 0, io.EOF
	}
	n, err := b.ReadCloser.Read(p[:min(len(p), b.left)])
	b.left -= n
	if n > 0 {
		b.silence.Reset(b.idle)
	}
	if err != nil && err != io.EOF {
		b.call.broken("the connection broke in the middle of the answer", err)
		err = io.EOF
	}
	return n, err
}

func (b *body) Close() error {
	b.silence.Stop()
	_ = b.ReadCloser.Close() // an error is known already
	return nil
}

// call is the state of the last request of a call. One goroutine at a time uses it.
type call struct {
	ctx       context.Context
	stop      context.CancelCauseFunc // ends the call with all its retries
	failed    *Error                  // of the last request; nil if it did not fail
	fault     Fault                   // the provider's answer to it
	billed    bool                    // the provider may have worked on it
	requestID string
	keys      []string      // of the request
	wait      time.Duration // requested by the provider
	notBefore time.Time     // the end of the wait
}

// errSilent ends a silent call.
var errSilent = &Error{Class: debate.CallTimeout, Detail: "the provider fell silent"}

type callKey struct{}

// callOf returns the call of a request.
func callOf(ctx context.Context) *call {
	c, _ := ctx.Value(callKey{}).(*call)
	return c
}

// begin waits until the end of the provider's wait, and forgets the last request.
func (c *call) begin(ctx context.Context) error {
	select {
	case <-time.After(time.Until(c.notBefore)):
	case <-ctx.Done():
		return ctx.Err()
	}
	*c = call{ctx: c.ctx, stop: c.stop}
	return nil
}

// broken notes an error of the connection, unless the call has ended already.
func (c *call) broken(what string, err error) {
	if c.ctx.Err() != nil {
		return
	}
	if c.failed = Classify(err); c.failed.Class != debate.CallTimeout {
		c.failed = &Error{Class: debate.CallError, Detail: what + ": " + printable(err.Error())}
	}
}

// unreached notes a request without an answer. If this program refuses it, it is not sent
// again.
func (c *call) unreached(req *http.Request, err error) {
	if known := (*Error)(nil); errors.As(err, &known) {
		c.stop(known)
		return
	}
	c.billed = reach.Connected(err)
	c.broken("the provider cannot be reached", err)
	if why := reach.Why(req.URL, err); why != "" && c.failed != nil {
		c.failed = &Error{Class: c.failed.Class, Detail: "the provider cannot be reached: " + printable(why)}
	}
}

// refused reads an error answer, and ends the call if a retry would not help or would come
// too late.
func (c *call) refused(resp *http.Response, keyless bool) {
	text, _ := io.ReadAll(io.LimitReader(resp.Body, maxErrorBody)) // a part is enough
	resp.Body.Close()
	resp.Body, resp.ContentLength = io.NopCloser(bytes.NewReader(text)), int64(len(text))
	c.fault = ReadFault(resp.StatusCode, text)
	kind, _, _ := strings.Cut(resp.Header.Get("X-Amzn-Errortype"), ":")
	c.fault.Code, c.fault.Keyless = strings.TrimSpace(c.fault.Code+" "+kind), keyless
	c.failed = c.fault.Failure()
	if c.wait = retryAfter(resp.Header); c.wait == 0 {
		c.wait = c.fault.RetryAfter
	}
	c.notBefore = time.Now().Add(c.wait)
	end, bounded := c.ctx.Deadline()
	tooLate := c.wait > longestAsked
	if bounded {
		tooLate = end.Before(c.notBefore.Add(waitMargin))
	}
	passing := []debate.CallStatus{debate.CallRate, debate.CallOverloaded, debate.CallTimeout, debate.CallError}
	if !slices.Contains(passing, c.failed.Class) || tooLate {
		c.stop(c.failed)
	}
}

// failure is the reason of a failed call: the failure of its last request, else the reason
// of the guard to end it, else its timeout, else the backend's error, else the SDK's.
func (c *call) failure(err error) *Error {
	var ended, known *Error
	switch {
	case c.failed != nil:
		return c.failed
	case errors.As(context.Cause(c.ctx), &ended):
		return ended
	case c.ctx.Err() != nil:
		return Classify(c.ctx.Err())
	case errors.As(err, &known):
		return known
	}
	return &Error{Class: debate.CallError, Detail: "the provider's answer cannot be read: " + printable(err.Error())}
}

// secretHeaders are parts of the names of headers with a key, a token or another secret.
var secretHeaders = []string{"auth", "key", "token", "secret", "cookie"}

// keysOf returns the keys and tokens of a request, also those of a cloud account outside of
// the settings: a server may send them back.
func keysOf(h http.Header) []string {
	var keys []string
	for name, values := range h {
		name = strings.ToLower(name)
		if !slices.ContainsFunc(secretHeaders, func(part string) bool { return strings.Contains(name, part) }) {
			continue
		}
		for _, value := range values {
			keys = append(keys, strings.TrimPrefix(value, "Bearer "))
		}
	}
	return keys
}

// retryAfter is the wait requested by an answer; 0 if there is none or if it is unreadable.
func retryAfter(h http.Header) time.Duration {
	said := strings.TrimSpace(h.Get("Retry-After"))
	for i, text := range []string{h.Get("Retry-After-Ms"), said} {
		if n, err := strconv.ParseFloat(text, 64); err == nil && n > 0 {
			return seconds(n * []float64{0.001, 1}[i])
		}
	}
	at, err := http.ParseTime(said)
	if err != nil {
		return 0
	}
	return max(0, time.Until(at))
}

// seconds bounds a provider's wait before it can overflow.
func seconds(s float64) time.Duration {
	return time.Duration(min(s, (24*time.Hour).Seconds()) * float64(time.Second))
}
