package gh

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

const testToken = "ghs_secret-token-that-is-in-no-error"

// script plays GitHub with one handler, and keeps the time: it goes on only where
// the client waits.
type script struct {
	*httptest.Server
	turn  sync.Mutex // held by the handler that answers
	mu    sync.Mutex // guards what follows
	calls []recorded
	waits []time.Duration
	now   time.Time
}

type recorded struct{ method, path, body string }

func newScript(t testing.TB, handle func(w http.ResponseWriter, r *http.Request, body string)) (*script, *Client) {
	t.Helper()
	s := &script{now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		s.mu.Lock()
		s.calls = append(s.calls, recorded{r.Method, r.URL.RequestURI(), string(body)})
		s.mu.Unlock()
		w.Header().Set("Date", s.time().Format(http.TimeFormat))
		// One at a time, so that a handler may count in plain variables: where it
		// breaks the connection off, no answer would tell the race detector what
		// happened first.
		s.turn.Lock()
		defer s.turn.Unlock()
		handle(w, r, string(body))
	}))
	t.Cleanup(s.Close)
	c, err := New(s.options())
	if err != nil {
		t.Fatal(err)
	}
	return s, c
}

func (s *script) options() Options {
	return Options{
		BaseURL: s.URL, Token: testToken, Owner: "octo", Repo: "demo", Now: s.time,
		// Connections of its own: httptest closes the idle ones of http.DefaultTransport
		// whenever a server of any test ends, and a connection is idle a moment before an
		// answer without a body is handed over.
		HTTP: s.Client(),
		Wait: func(ctx context.Context, d time.Duration) error {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.waits = append(s.waits, d)
			s.now = s.now.Add(d)
			return context.Cause(ctx)
		},
		Random: func() float64 { return 0 },
	}
}

func (s *script) time() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now
}

func (s *script) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.calls)
}

// sum is how long the client waited.
func (s *script) sum() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all time.Duration
	for _, d := range s.waits {
		all += d
	}
	return all
}

func give(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	if text, ok := body.(string); ok {
		_, _ = io.WriteString(w, text)
		return
	}
	_ = json.NewEncoder(w).Encode(body)
}

// cut answers with less than it promises.
func cut(w http.ResponseWriter, status int, body string) {
	w.Header().Set("Content-Length", "1000")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, body)
	panic(http.ErrAbortHandler)
}

// asked is the document of a request to GraphQL by its name.
func asked(body, name string) bool { return strings.Contains(body, `"query":"query `+name+`(`) }
