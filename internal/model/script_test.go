package model

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
)

// script plays a provider without a network: each request takes the next act,
// the last act is for all that follow.
type script struct {
	acts   []act
	bodies []string // of the requests
}

type act struct {
	status int
	header string // name: value
	body   io.Reader
	err    error
}

func (s *script) RoundTrip(req *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return nil, err
	}
	now := s.acts[min(len(s.bodies), len(s.acts)-1)]
	s.bodies = append(s.bodies, string(body))
	if now.err != nil {
		return nil, now.err
	}
	resp := &http.Response{StatusCode: now.status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader("reply")), Request: req}
	if name, value, ok := strings.Cut(now.header, ": "); ok {
		resp.Header.Set(name, value)
	}
	switch body := now.body.(type) {
	case nil:
	default:
		resp.Body = io.NopCloser(body)
	}
	return resp, nil
}

// fetch is an attempt that sends one request and takes the body as the reply.
func fetch(w *Wire) Attempt { return fetchFrom(w, "https://models.example/v1") }

// fetchFrom asks at an address.
func fetchFrom(w *Wire, address string) Attempt {
	return func(ctx context.Context, _ func(string) bool) (Answer, error) {
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader([]byte("question")))
		if err != nil {
			return Answer{}, err
		}
		resp, err := w.HTTP(false).Do(req)
		if err != nil {
			return Answer{}, err
		}
		defer resp.Body.Close()
		text, err := io.ReadAll(resp.Body)
		if err == nil && resp.StatusCode != http.StatusOK {
			err = errors.New("the SDK says: " + resp.Status)
		}
		return Answer{Text: string(text)}, err
	}
}

// gpt are the prices of two models.
var gpt = Prices{}.With(
	Price{Model: "gpt-4o", Input: 2_500_000, Cached: 1_250_000, Output: 10_000_000},
	Price{Model: "gpt-4o-mini", Input: 150_000, Cached: 75_000, Output: 600_000},
)

func wireTo(t *testing.T, base http.RoundTripper, o Options) *Wire {
	t.Helper()
	if o.Model == "" {
		o.Model = "gpt-4o"
	}
	if o.Key == "" {
		o.Key = "sk-canary/4f1d+9c"
	}
	o.HTTP = &http.Client{Transport: base}
	o.Prices = gpt
	w, err := NewWire("openai", o)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// broken is a connection that breaks.
type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }
