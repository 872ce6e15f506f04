// Package wiretest plays providers of models on a local port, for the tests of
// the backends: it answers with what a test wrote down and keeps what it was
// sent.
package wiretest

import (
	"compress/gzip"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// Request is one request as it arrived.
type Request struct {
	Method string
	Path   string
	Query  string
	Header http.Header
	Body   string
}

// Server answers requests in the order of its answers; the last answer is for
// all that follow.
type Server struct {
	URL    string
	Client *http.Client // that trusts the server
	PEM    []byte       // its certificate; nil without TLS

	mu       sync.Mutex
	requests []Request
}

// New starts a server that is closed with the test.
func New(t testing.TB, answers ...http.HandlerFunc) *Server {
	t.Helper()
	return start(t, httptest.NewServer, answers)
}

// NewTLS starts a server that speaks HTTPS.
func NewTLS(t testing.TB, answers ...http.HandlerFunc) *Server {
	t.Helper()
	return start(t, httptest.NewTLSServer, answers)
}

func start(t testing.TB, begin func(http.Handler) *httptest.Server, answers []http.HandlerFunc) *Server {
	t.Helper()
	s := &Server{}
	server := begin(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Errorf("read a request: %v", err)
		}
		s.mu.Lock()
		answer := answers[min(len(s.requests), len(answers)-1)]
		s.requests = append(s.requests, Request{
			Method: r.Method, Path: r.URL.Path, Query: r.URL.RawQuery, Header: r.Header.Clone(), Body: string(body),
		})
		s.mu.Unlock()
		answer(w, r)
	}))
	t.Cleanup(server.Close)
	s.URL, s.Client = server.URL, server.Client()
	if cert := server.Certificate(); cert != nil {
		s.PEM = pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: cert.Raw})
	}
	return s
}

// Requests are all requests up to now.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.requests...)
}

// JSON answers with a status and a JSON body. Headers are pairs of a name and a
// value.
func JSON(status int, body string, headers ...string) http.HandlerFunc {
	return typed("application/json", status, body, headers)
}

// SSE answers with a stream of events that is sent at once.
func SSE(body string, headers ...string) http.HandlerFunc {
	return typed("text/event-stream", http.StatusOK, body, headers)
}

// HTML answers with the page of a proxy or a portal.
func HTML(status int, body string, headers ...string) http.HandlerFunc {
	return typed("text/html; charset=utf-8", status, body, headers)
}

func typed(contentType string, status int, body string, headers []string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", contentType)
		set(w, headers)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body) // the client may leave
	}
}

func set(w http.ResponseWriter, headers []string) {
	for i := 0; i+1 < len(headers); i += 2 {
		w.Header().Set(headers[i], headers[i+1])
	}
}

// Gzip answers with a compressed stream of events where the client takes one.
func Gzip(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		if !strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
			_, _ = io.WriteString(w, body)
			return
		}
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		_, _ = io.WriteString(z, body)
		_ = z.Close()
	}
}

// Silent sends the beginning of a stream of events and then nothing, until the
// client leaves.
func Silent(begin string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, begin)
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	}
}

// Cut sends the beginning of a stream of events and then breaks the connection.
func Cut(begin string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, begin)
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}
}

// Hangup breaks the connection before the first byte of an answer.
func Hangup(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }

// Flood repeats a part of a stream of events until the client leaves.
func Flood(begin, part string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, err := io.WriteString(w, begin)
		for err == nil {
			_, err = io.WriteString(w, part)
		}
	}
}

// Events makes a stream of events with names, each a pair of a name and its
// data.
func Events(pairs ...string) string {
	var b strings.Builder
	for i := 0; i+1 < len(pairs); i += 2 {
		fmt.Fprintf(&b, "event: %s\ndata: %s\n\n", pairs[i], pairs[i+1])
	}
	return b.String()
}

// Data makes a stream of events without names.
func Data(data ...string) string {
	var b strings.Builder
	for _, d := range data {
		fmt.Fprintf(&b, "data: %s\r\n\r\n", d)
	}
	return b.String()
}
