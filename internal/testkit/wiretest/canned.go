package wiretest

import (
	"context"
	"io"
	"net/http"
	"strings"
)

// Canned is an HTTP client's transport that answers every request with a stream
// of events, without a server.
type Canned string

// RoundTrip reads the request and answers it.
func (c Canned) RoundTrip(r *http.Request) (*http.Response, error) {
	if _, err := io.Copy(io.Discard, r.Body); err != nil {
		return nil, err
	}
	return stream(r, io.NopCloser(strings.NewReader(string(c)))), nil
}

// Quiet is an HTTP client's transport that answers every request with the
// beginning of a stream of events and then with nothing, until the client leaves.
// It needs no server, so that in a bubble of testing/synctest nothing but the
// client's own patience can end it, however slow the machine is.
type Quiet string

// RoundTrip reads the request and begins to answer it.
func (q Quiet) RoundTrip(r *http.Request) (*http.Response, error) {
	if _, err := io.Copy(io.Discard, r.Body); err != nil {
		return nil, err
	}
	return stream(r, &quiet{ctx: r.Context(), begin: strings.NewReader(string(q))}), nil
}

type quiet struct {
	ctx   context.Context
	begin *strings.Reader
}

func (q *quiet) Read(p []byte) (int, error) {
	if q.begin.Len() > 0 {
		return q.begin.Read(p)
	}
	<-q.ctx.Done()
	return 0, q.ctx.Err()
}

func (q *quiet) Close() error { return nil }

func stream(r *http.Request, body io.ReadCloser) *http.Response {
	return &http.Response{
		StatusCode: http.StatusOK, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, ContentLength: -1,
		Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: body, Request: r,
	}
}

// Mute is an HTTP client's transport that never answers: a request ends when the
// client leaves.
type Mute struct{}

// RoundTrip waits.
func (Mute) RoundTrip(r *http.Request) (*http.Response, error) {
	<-r.Context().Done()
	return nil, r.Context().Err()
}
