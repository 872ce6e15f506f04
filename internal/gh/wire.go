package gh

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/cenkalti/backoff/v5"
)

const (
	maxBody        = 64 << 20 // bytes of an answer, after decompression (T56)
	requestTime    = 60 * time.Second
	maxTries       = 4
	firstPause     = time.Second
	longestPause   = 15 * time.Second
	longestLimit   = 5 * time.Minute // of all waits for a limit of one call
	secondaryPause = time.Minute     // where GitHub names no time; doubled each time (R15)
	betweenWrites  = time.Second     // R17
)

// kind of a request, by what may be done when its outcome is not known.
type kind int

const (
	read   kind = iota // sent again
	edit               // a write that comes to the same when it is made twice: sent again
	create             // a write that would come to two: looked for by whoever made it
)

// call is one request.
type call struct {
	what   string // what is being done, for errors
	kind   kind
	method string
	path   string                                       // relative to the API, escaped; or absolute
	body   any                                          // JSON
	accept string                                       // "" for JSON
	judge  func(resp *http.Response, body []byte) error // reads what a success hides; nil where it hides nothing
}

// answer is a response that says yes.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// limit is an answer that says to come later.
type limit struct{ after time.Duration }

func (limit) Error() string { return "rate limit" }

// send makes a request and decodes the JSON of the answer into out, unless that is
// nil. Reads and edits are tried again where GitHub fails; every kind is where
// GitHub limits, which it does before it does anything. A create whose outcome is
// not known is an *uncertainError.
func (c *Client) send(ctx context.Context, call call, out any) (answer, error) {
	if call.kind != read {
		c.writing.Lock()
		defer c.writing.Unlock()
	}
	pauses := &backoff.ExponentialBackOff{InitialInterval: firstPause, Multiplier: 2, MaxInterval: longestPause}
	pauses.Reset()
	var waited time.Duration // for limits
	tries, limits, unauthorised := 0, 0, false
	for {
		if err := c.pace(ctx, call, &waited); err != nil {
			return answer{}, err
		}
		got, err := c.once(ctx, call, out)
		var limited limit
		var status *statusError
		switch {
		case err == nil:
			return got, nil
		case context.Cause(ctx) != nil && call.kind != create:
			return answer{}, fmt.Errorf("%s: %w", call.what, context.Cause(ctx))
		case errors.As(err, &limited):
			after := limited.after
			if after <= 0 {
				after = secondaryPause << min(limits, 6)
			}
			limits++
			c.mu.Lock()
			c.limited = c.now().Add(after)
			c.mu.Unlock()
			continue
		case errors.Is(err, errRedirect), errors.Is(err, errTooMuch) && call.kind == read:
			return answer{}, &UnavailableError{What: call.what, Err: err}
		case errors.As(err, &status) && status.code == http.StatusUnauthorized && !unauthorised:
			unauthorised = true // GitHub says so at times of a good token (R31)
		case errors.As(err, &status) && !status.passes():
			return answer{}, status.typed(call)
		case call.kind == create:
			return answer{}, &uncertainError{err: &UnavailableError{What: call.what, Err: err}}
		default:
			if tries++; tries >= maxTries {
				return answer{}, &UnavailableError{What: call.what, Err: err}
			}
		}
		pause := pauses.NextBackOff()
		pause += time.Duration(float64(pause) * 0.25 * c.random())
		if err := c.wait(ctx, pause); err != nil {
			return answer{}, fmt.Errorf("%s: %w", call.what, err)
		}
	}
}

// pace waits until a request may be made: after a limit, and a moment after the
// last write. Waited sums up the waits for limits; beyond longestLimit it is a
// *LimitError.
func (c *Client) pace(ctx context.Context, call call, waited *time.Duration) error {
	c.mu.Lock()
	until, last := c.limited, c.lastWrite
	c.mu.Unlock()
	if left := until.Sub(c.now()); left > 0 {
		if *waited += left; *waited > longestLimit {
			return &LimitError{What: call.what, Until: until}
		}
		if err := c.wait(ctx, left); err != nil {
			return fmt.Errorf("%s: %w", call.what, err)
		}
		c.mu.Lock()
		if c.limited.Equal(until) {
			c.limited = time.Time{}
		}
		c.mu.Unlock()
	}
	if call.kind == read {
		return nil
	}
	if left := last.Add(betweenWrites).Sub(c.now()); left > 0 && left <= betweenWrites {
		if err := c.wait(ctx, left); err != nil {
			return fmt.Errorf("%s: %w", call.what, err)
		}
	}
	return nil
}

// once sends a request once.
func (c *Client) once(ctx context.Context, call call, out any) (answer, error) {
	req, err := c.api.NewRequest(call.method, call.path, call.body)
	if err != nil {
		return answer{}, fmt.Errorf("make the request: %w", err)
	}
	if call.accept != "" {
		req.Header.Set("Accept", call.accept)
	}
	ctx, cancel := context.WithTimeout(ctx, c.patience)
	defer cancel()
	if call.kind != read {
		defer func() {
			c.mu.Lock()
			c.lastWrite = c.now()
			c.mu.Unlock()
		}()
	}
	resp, err := c.http.Do(req.WithContext(ctx))
	if err != nil {
		return answer{}, c.hide(err)
	}
	defer resp.Body.Close()
	body, err := c.readAll(resp)
	if resp.StatusCode >= http.StatusMultipleChoices {
		if after, ok := c.limitOf(resp, body); ok {
			return answer{}, limit{after: after}
		}
		return answer{}, &statusError{code: resp.StatusCode, message: c.conceal(said(body))}
	}
	if err != nil {
		return answer{}, fmt.Errorf("read the answer: %w", c.hide(err))
	}
	if call.judge != nil {
		if err := call.judge(resp, body); err != nil {
			return answer{}, err
		}
	}
	got := answer{status: resp.StatusCode, header: resp.Header, body: body}
	if out != nil {
		if err := json.Unmarshal(body, out); err != nil {
			return answer{}, fmt.Errorf("read the answer: it is no JSON of the expected shape: %w", err)
		}
	}
	return got, nil
}

// errTooMuch is an answer that is larger than any that is expected.
var errTooMuch = errors.New("it is too large")

func (c *Client) readAll(resp *http.Response) ([]byte, error) {
	var b bytes.Buffer
	if n := resp.ContentLength; n > 0 && n <= c.most {
		b.Grow(int(n) + bytes.MinRead)
	}
	n, err := b.ReadFrom(io.LimitReader(resp.Body, c.most+1))
	if err == nil && n > c.most {
		return nil, errTooMuch
	}
	return b.Bytes(), err
}

// limitOf reports whether an answer is a rate limit, primary, secondary, or one
// that is disguised as a refusal (R14-R16), and how long it asks to wait; 0 where
// it does not say.
func (c *Client) limitOf(resp *http.Response, body []byte) (after time.Duration, ok bool) {
	text, h := strings.ToLower(said(body)), resp.Header
	switch resp.StatusCode {
	case http.StatusTooManyRequests:
	case http.StatusForbidden:
		if !exhausted(h) && h.Get("Retry-After") == "" && !strings.Contains(text, "rate limit") && !strings.Contains(text, "abuse") {
			return 0, false
		}
	case http.StatusUnprocessableEntity:
		if !strings.Contains(text, "submitted too quickly") && !strings.Contains(text, "abuse") {
			return 0, false
		}
	default:
		return 0, false
	}
	return c.after(h), true
}

func exhausted(h http.Header) bool { return h.Get("X-RateLimit-Remaining") == "0" }

// after is how long the headers of a limit ask to wait, with a second more; 0
// where they do not say.
func (c *Client) after(h http.Header) time.Duration {
	if s, err := strconv.Atoi(strings.TrimSpace(h.Get("Retry-After"))); err == nil && s >= 0 {
		return time.Duration(min(s, 24*60*60)+1) * time.Second
	}
	if reset, err := strconv.ParseInt(h.Get("X-RateLimit-Reset"), 10, 64); err == nil && exhausted(h) {
		// By GitHub's clock, not ours.
		now := c.now()
		if date, err := http.ParseTime(h.Get("Date")); err == nil {
			now = date
		}
		return min(max(time.Unix(reset, 0).Sub(now), 0), 24*time.Hour) + time.Second
	}
	return 0
}

// statusError is an answer that says no.
type statusError struct {
	code    int
	message string
}

func (e *statusError) Error() string { return fmt.Sprintf("status %d: %s", e.code, e.message) }

// passes reports whether the same request may be answered otherwise later.
func (e *statusError) passes() bool { return e.code >= 500 || e.code == http.StatusRequestTimeout }

// typed is the error that callers act on.
func (e *statusError) typed(call call) error {
	switch e.code {
	case http.StatusUnauthorized, http.StatusForbidden:
		return &PermissionError{What: call.what, Why: e.message}
	case http.StatusNotFound, http.StatusGone:
		if call.kind == create {
			// What a token may not write, GitHub does not find; and where issues are
			// switched off, they are gone.
			return &PermissionError{What: call.what, Why: e.message}
		}
		return &NotFoundError{What: call.what}
	}
	return &RefusedError{What: call.what, Status: e.code, Message: e.message}
}

// hide keeps the token out of an error.
func (c *Client) hide(err error) error {
	if c.token == "" || !strings.Contains(err.Error(), c.token) {
		return err
	}
	return errors.New(c.conceal(err.Error()))
}

func (c *Client) conceal(text string) string {
	if c.token == "" {
		return text
	}
	return strings.ReplaceAll(text, c.token, "***")
}
