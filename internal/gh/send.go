package gh

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/cenkalti/backoff/v5"
	"github.com/google/go-github/v62/github"
)

const (
	requestTime    = 60 * time.Second
	maxTries       = 4
	firstPause     = time.Second
	longestPause   = 15 * time.Second
	longestLimit   = 5 * time.Minute // of all waits for a limit of one request
	secondaryPause = time.Minute     // if GitHub names no time; doubled each time

	// After a burst of writes there is a pause between two: at most 60 a minute.
	burst         = 10
	betweenWrites = 1200 * time.Millisecond
)

// kind tells how to continue if the outcome of a request is unknown.
type kind int

const (
	read   kind = iota // sent again
	edit               // a write that may be made twice: sent again
	create             // a write that must not be made twice: the caller looks for its result
)

// request describes a request.
type request struct {
	what string // for errors
	kind kind
}

// sender makes requests: one write at a time and few in a short time, none during a
// rate limit, and retries if a repetition is harmless.
type sender struct {
	calls    *transport // without a token: each try has its own
	tokens   tokens
	base     *url.URL
	graphQL  string
	options  Options
	patience time.Duration // with one request

	mu      sync.Mutex
	written time.Time // until when the writes made so far would last with pauses between them
	limited time.Time // no request before

	writing sync.Mutex // held while a write is made
}

// tokens returns the token for a request, "" for none. If refused is not "", GitHub
// just rejected that token and a new one is needed.
type tokens func(ctx context.Context, refused string) (string, error)

// fixed returns the same token for every request.
func fixed(token string) tokens {
	return func(context.Context, string) (string, error) { return token, nil }
}

// api is go-github's client for one request, with the names of the repository.
type api struct {
	*github.Client
	owner, name string
	token       string
}

// service calls a service of go-github.
type service[T any] func(ctx context.Context, api api) (T, *github.Response, error)

// do makes a request that go-github has no method for.
func do[T any](ctx context.Context, api api, method, path string, body any) (got T, resp *github.Response, err error) {
	req, err := api.NewRequest(method, path, body)
	if err != nil {
		return got, nil, err
	}
	resp, err = api.Do(ctx, req, &got)
	return got, resp, err
}

// send makes a request. It retries reads and edits if GitHub fails, and every kind
// after a rate limit, since a limited request has no effect. A create that fails with an
// *UnavailableError may have had its effect, unless it was redirected.
func send[T any](ctx context.Context, s *sender, r request, call service[T]) (T, error) {
	if r.kind != read {
		s.writing.Lock()
		defer s.writing.Unlock()
	}
	var none T
	pauses := &backoff.ExponentialBackOff{InitialInterval: firstPause, Multiplier: 2, MaxInterval: longestPause}
	pauses.Reset()
	t := &tries{request: r, sender: s, pauses: pauses}
	for {
		if err := t.pace(ctx); err != nil {
			return none, err
		}
		var err error
		if t.token, err = s.tokens(ctx, t.refused); err != nil {
			return none, fmt.Errorf("%s: %w", r.what, err)
		}
		got, err := once(ctx, s, t, call)
		if err == nil {
			return got, nil
		}
		if err := t.retry(ctx, err); err != nil {
			return none, err
		}
	}
}

// once makes a request once, with its own client of go-github. A shared one would
// remember limits and refuse requests by the clock of this machine, which may differ from
// GitHub's.
func once[T any](ctx context.Context, s *sender, t *tries, call service[T]) (T, error) {
	ctx, cancel := context.WithTimeout(ctx, s.patience)
	defer cancel()
	client := github.NewClient(&http.Client{
		Transport:     s.calls.with(t.token),
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	})
	client.BaseURL, client.UserAgent = s.base, s.options.UserAgent
	got, _, err := call(ctx, api{client, s.options.Owner, s.options.Repo, t.token})
	if t.kind != read {
		s.mu.Lock()
		if now := s.options.Now(); s.written.Before(now) {
			s.written = now
		}
		s.written = s.written.Add(betweenWrites)
		s.mu.Unlock()
	}
	if err != nil {
		return got, hideToken(s.classify(err), t.token)
	}
	return got, nil
}

// tries is the state of one request with its retries.
type tries struct {
	request
	sender       *sender
	pauses       *backoff.ExponentialBackOff
	failures     int
	limits       int
	waited       time.Duration // for limits
	token        string        // of the next try
	refused      string        // a token that GitHub rejected
	unauthorised bool          // GitHub did not take one
}

// pace waits for the end of a rate limit and between the writes after a burst. It
// returns a *LimitError if the limit lasts too long.
func (t *tries) pace(ctx context.Context) error {
	s := t.sender
	s.mu.Lock()
	until, free := s.limited, s.written.Add(-(burst-1)*betweenWrites)
	s.mu.Unlock()
	if left := until.Sub(s.options.Now()); left > 0 {
		if t.waited += left; t.waited > longestLimit {
			return &LimitError{What: t.what, Until: until}
		}
		if err := t.wait(ctx, left); err != nil {
			return err
		}
		s.mu.Lock()
		if s.limited.Equal(until) {
			s.limited = time.Time{}
		}
		s.mu.Unlock()
	}
	left := free.Sub(s.options.Now())
	if t.kind == read || left <= 0 || left > betweenWrites { // else the clock was set back
		return nil
	}
	return t.wait(ctx, left)
}

func (t *tries) wait(ctx context.Context, d time.Duration) error {
	if err := t.sender.options.Wait(ctx, d); err != nil {
		return fmt.Errorf("%s: %w", t.what, err)
	}
	return nil
}

// retry decides about a failed try: it returns nil after a pause to try again, else
// the final error.
func (t *tries) retry(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil && t.kind != create {
		return fmt.Errorf("%s: %w", t.what, cause)
	}
	var limited limit
	if errors.As(err, &limited) { // all requests wait as long as GitHub asks
		after := limited.after
		if after <= 0 {
			after = secondaryPause << min(t.limits, 6)
		}
		t.limits++
		t.sender.mu.Lock()
		defer t.sender.mu.Unlock()
		t.sender.limited = t.sender.options.Now().Add(after)
		return nil
	}
	if final := t.finalError(err); final != nil {
		return final
	}
	pause := t.pauses.NextBackOff()
	return t.wait(ctx, pause+time.Duration(float64(pause)*0.25*t.sender.options.Random()))
}

// finalError returns the error for the caller, or nil if a retry may succeed.
func (t *tries) finalError(err error) error {
	var refused *refusal
	var outside *SignInError
	isOutside := errors.As(err, &outside)
	isRefused := errors.As(err, &refused) && refused.status < 500 && refused.status != http.StatusRequestTimeout
	isTokenRefused := isRefused && (refused.status == http.StatusUnauthorized || refused.status == http.StatusForbidden && strings.Contains(refused.message, "has been suspended"))
	switch {
	case (isOutside || isTokenRefused) && !t.unauthorised:
		// GitHub sometimes rejects a good token, too, and the token of a new App.
		t.unauthorised, t.refused = true, t.token
		return nil
	case isOutside:
		return fmt.Errorf("%s: %w", t.what, outside)
	case isRefused:
		return refused.public(t.request)
	}
	unavailable := &UnavailableError{What: t.what, Err: err}
	switch {
	case t.kind == create, errors.Is(err, errRedirect), errors.Is(err, errTooMuch) && t.kind == read:
		return unavailable
	}
	if t.failures++; t.failures >= maxTries {
		return unavailable
	}
	return nil
}

const maxCreates = 3

// lookAfter are the waits before GitHub is asked whether something was created:
// its lists are at times some seconds old.
var lookAfter = [...]time.Duration{2 * time.Second, 6 * time.Second}

// createOnce makes a thing that must not be made twice. If the outcome is unknown, it
// calls find and makes the thing again only if find returns nil.
func createOnce[T any](ctx context.Context, s *sender, what string, make service[T], find func() (*T, error)) (T, error) {
	var none T
	var uncertain *UnavailableError
	for range maxCreates {
		made, err := send(ctx, s, request{what, create}, make)
		if !errors.As(err, &uncertain) || errors.Is(err, errRedirect) {
			return made, err
		}
		for _, pause := range lookAfter {
			if err := s.options.Wait(ctx, pause); err != nil {
				return none, fmt.Errorf("%s: %w", what, err)
			}
			found, err := find()
			if err != nil {
				return none, fmt.Errorf("%s: find out whether it was done: %w", what, err)
			}
			if found != nil {
				return *found, nil
			}
		}
	}
	return none, uncertain
}
