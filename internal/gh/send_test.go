package gh

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

func TestNewRefusesWhatIsNoRepository(t *testing.T) {
	t.Parallel()
	for _, o := range []Options{
		{Owner: "", Repo: "demo"}, {Owner: "octo", Repo: ".."}, {Owner: "octo/x", Repo: "demo"}, {Owner: "octo", Repo: "de mo"},
		{Owner: "octo", Repo: "demo", BaseURL: "ftp://x"}, {Owner: "octo", Repo: "demo", BaseURL: "https://user:pass@host/api/v3"},
		{Owner: "octo", Repo: "demo", GraphQLURL: "nowhere"},
	} {
		if _, err := New(o); err == nil {
			t.Errorf("%+v was taken", o)
		} else if strings.Contains(err.Error(), "pass") {
			t.Errorf("%v tells the password", err)
		}
	}
}

func TestAddresses(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ base, rest, graphQL string }{
		{"", "https://api.github.com/", "https://api.github.com/graphql"},
		{"https://ghe.example/api/v3", "https://ghe.example/api/v3/", "https://ghe.example/api/graphql"},
		{"https://api.octo.ghe.com/", "https://api.octo.ghe.com/", "https://api.octo.ghe.com/graphql"},
		{"https://host/prefix/api/v3/", "https://host/prefix/api/v3/", "https://host/prefix/api/graphql"},
	} {
		c, err := New(Options{BaseURL: test.base, Owner: "octo", Repo: "demo"})
		if err != nil {
			t.Fatal(err)
		}
		if wire := c.Reader.sender; wire.base.String() != test.rest || wire.graphQL != test.graphQL {
			t.Errorf("%q: %s and %s, want %s and %s", test.base, wire.base, wire.graphQL, test.rest, test.graphQL)
		}
	}
}

// TestAnswers holds what each refusal means, for a read and for a create.
func TestAnswers(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		status int
		header map[string]string
		body   string
		read   error
		create error
		calls  int // of the read
	}{
		{"no permission", 403, nil, `{"message":"Resource not accessible by integration"}`, &PermissionError{}, &PermissionError{}, 1},
		{"bad token", 401, nil, `{"message":"Bad credentials"}`, &PermissionError{}, &PermissionError{}, 2},
		{"missing", 404, nil, `{"message":"Not Found"}`, &NotFoundError{}, &PermissionError{}, 1},
		{"issues are off", 410, nil, `{"message":"Issues are disabled for this repo"}`, &NotFoundError{}, &PermissionError{}, 1},
		{"bad place", 422, nil, `{"message":"Validation Failed","errors":["line must be part of the diff"]}`, &RefusedError{}, &RefusedError{}, 1},
		{"down", 502, nil, `<html>`, &UnavailableError{}, &UnavailableError{}, maxTries},
		{"primary", 403, map[string]string{"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1772370000"}, `{"message":"API rate limit exceeded"}`,
			&LimitError{}, &LimitError{}, 1},
		{"secondary, far", 403, map[string]string{"Retry-After": "3600"}, `{"message":"You have exceeded a secondary rate limit"}`, &LimitError{}, &LimitError{}, 1},
		{"too many", 429, map[string]string{"Retry-After": "200"}, `{}`, &LimitError{}, &LimitError{}, 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s, c := newScript(t, func(w http.ResponseWriter, r *http.Request, body string) {
				if asked(body, "NewestComments") {
					give(w, 200, `{"data":{"repository":{"issueOrPullRequest":{"comments":{"nodes":[]}}}}}`)
					return
				}
				for k, v := range test.header {
					w.Header().Set(k, v)
				}
				give(w, test.status, test.body)
			})
			_, err := checkRuns(t.Context(), c.Reader.sender, "look", strings.Repeat("a", 40), "")
			if fmt.Sprintf("%T", err) != fmt.Sprintf("%T", test.read) {
				t.Errorf("read: %T %v, want %T", err, err, test.read)
			}
			if s.count() != test.calls {
				t.Errorf("read: %d requests, want %d", s.count(), test.calls)
			}
			_, err = c.Writer.CreateComment(t.Context(), 7, "hello", "<!-- m -->")
			if fmt.Sprintf("%T", err) != fmt.Sprintf("%T", test.create) {
				t.Errorf("create: %T %v, want %T", err, err, test.create)
			}
			if err == nil || strings.Contains(err.Error(), testToken) || !strings.Contains(err.Error(), "comment on #7") {
				t.Errorf("create: the error is %v", err)
			}
		})
	}
}

// TestLimits holds how long is waited.
func TestLimits(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		status int
		header map[string]string
		body   string
		times  int
		want   time.Duration // in all, -1 for a LimitError
	}{
		{"retry-after", 403, map[string]string{"Retry-After": "30"}, `{"message":"secondary rate limit"}`, 1, 31 * time.Second},
		{"reset in 90 s", 403, map[string]string{"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1772366490"}, `{"message":"API rate limit exceeded"}`, 1, 91 * time.Second},
		{"reset in the past", 429, map[string]string{"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "5"}, `{}`, 1, time.Second},
		{"no time", 403, nil, `{"message":"You have exceeded a secondary rate limit"}`, 2, 180 * time.Second},
		{"no time, thrice", 403, nil, `{"message":"You have exceeded a secondary rate limit"}`, 3, -1},
		{"disguised", 422, nil, `{"message":"Validation Failed","errors":[{"resource":"IssueComment","code":"unprocessable","field":"data","message":"was submitted too quickly"}]}`, 1, time.Minute},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			left := test.times
			s, c := newScript(t, func(w http.ResponseWriter, r *http.Request, body string) {
				if left--; left >= 0 {
					for k, v := range test.header {
						w.Header().Set(k, v)
					}
					give(w, test.status, test.body)
					return
				}
				give(w, 201, `{"id":5,"body":"hello"}`)
			})
			got, err := c.Writer.CreateComment(t.Context(), 7, "hello", "m")
			var limited *LimitError
			switch {
			case test.want < 0 && (!errors.As(err, &limited) || !limited.Until.After(s.time())):
				t.Errorf("got %v, want a limit", err)
			case test.want >= 0 && (err != nil || got.ID != 5 || s.sum() != test.want):
				t.Errorf("got %v, %v after %v, want it after %v", got, err, s.sum(), test.want)
			}
		})
	}
}

// TestLimitHolds: nobody asks again before the time that GitHub named.
func TestLimitHolds(t *testing.T) {
	t.Parallel()
	s, c := newScript(t, func(w http.ResponseWriter, r *http.Request, body string) {
		w.Header().Set("Retry-After", "3600")
		give(w, 429, `{}`)
	})
	for range 3 {
		_, err := c.Reader.Checks(t.Context(), strings.Repeat("a", 40), "")
		var limited *LimitError
		if !errors.As(err, &limited) {
			t.Fatalf("got %v", err)
		}
	}
	if s.count() != 1 {
		t.Errorf("%d requests, want 1", s.count())
	}
}

func TestReadsAreTriedAgain(t *testing.T) {
	t.Parallel()
	for name, fail := range map[string]func(w http.ResponseWriter){
		"status":    func(w http.ResponseWriter) { give(w, 503, `{}`) },
		"reset":     func(w http.ResponseWriter) { panic(http.ErrAbortHandler) },
		"truncated": func(w http.ResponseWriter) { cut(w, 200, `{"permission":"wri`) },
		"garbled":   func(w http.ResponseWriter) { give(w, 200, `{"permission":"wri`) },
		"empty":     func(w http.ResponseWriter) { give(w, 200, ``) },
		"null":      func(w http.ResponseWriter) { give(w, 200, `null`) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := 0
			s, c := newScript(t, func(w http.ResponseWriter, r *http.Request, body string) {
				if n++; n <= 2 {
					fail(w)
					return
				}
				give(w, 200, `{"permission":"write","role_name":"maintain","user":{"type":"User"}}`)
			})
			got, bot, err := c.Reader.Permission(t.Context(), "mona")
			if err != nil || got != "maintain" || bot {
				t.Errorf("got %q, %t, %v", got, bot, err)
			}
			if s.sum() != 3*time.Second {
				t.Errorf("waited %v, want 1 s and 2 s", s.waits)
			}
		})
	}
}

func TestEndOfTheContext(t *testing.T) {
	t.Parallel()
	ended := errors.New("the run is stopped")
	s, c := newScript(t, func(w http.ResponseWriter, r *http.Request, body string) { give(w, 500, `{}`) })
	ctx, end := context.WithCancelCause(t.Context())
	end(ended)
	if _, err := c.Reader.Glance(ctx, 7, "", 0); !errors.Is(err, ended) {
		t.Errorf("got %v", err)
	}
	if err := c.Writer.EditComment(ctx, 7, "x"); !errors.Is(err, ended) {
		t.Errorf("got %v", err)
	}
	if s.count() > 1 {
		t.Errorf("%d requests after the end", s.count())
	}
}

// TestBomb: an answer that grows without end is given up.
func TestBomb(t *testing.T) {
	t.Parallel()
	s, c := newScript(t, func(w http.ResponseWriter, r *http.Request, body string) {
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		zeros := make([]byte, 1<<20)
		for range 8 {
			if _, err := z.Write(zeros); err != nil {
				return
			}
		}
		_ = z.Close()
	})
	c.Reader.sender.calls.most = 4 << 20
	_, err := c.Reader.Checks(t.Context(), strings.Repeat("a", 40), "")
	if !errors.Is(err, errTooMuch) || s.count() != 1 {
		t.Errorf("got %v after %d requests", err, s.count())
	}
}

// TestRedirects: a repository that was renamed is followed with method and body;
// credentials go to no other host.
func TestRedirects(t *testing.T) {
	t.Parallel()
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		t.Errorf("another host was asked: %q", r.Header.Get("Authorization"))
		give(w, 200, `{}`)
	}))
	defer other.Close()
	for _, status := range []int{301, 302, 307, 308} {
		s, c := newScript(t, func(w http.ResponseWriter, r *http.Request, body string) {
			if strings.HasPrefix(r.URL.Path, "/repos/") {
				w.Header().Set("Location", "/repositories/9"+strings.TrimPrefix(r.URL.Path, "/repos/octo/demo"))
				w.WriteHeader(status)
				return
			}
			if r.Method != http.MethodPost || body != `{"body":"hello"}`+"\n" || r.Header.Get("Authorization") != "Bearer "+testToken {
				t.Errorf("%d: got %s %q", status, r.Method, body)
			}
			give(w, 201, `{"id":5}`)
		})
		if got, err := c.Writer.CreateComment(t.Context(), 7, "hello", "m"); err != nil || got.ID != 5 {
			t.Errorf("%d: %v", status, err)
		}
		if s.count() != 2 {
			t.Errorf("%d: %d requests", status, s.count())
		}
	}
	s, c := newScript(t, func(w http.ResponseWriter, r *http.Request, body string) {
		http.Redirect(w, r, other.URL+"/", http.StatusTemporaryRedirect)
	})
	if _, err := c.Writer.CreateComment(t.Context(), 7, "hello", "m"); !errors.Is(err, errRedirect) || s.count() != 1 {
		t.Errorf("got %v after %d requests", err, s.count())
	}
	_, c = newScript(t, func(w http.ResponseWriter, r *http.Request, body string) {
		http.Redirect(w, r, r.URL.Path, http.StatusFound)
	})
	if _, _, err := c.Reader.Permission(t.Context(), "mona"); !errors.Is(err, errRedirect) {
		t.Errorf("a circle: got %v", err)
	}
}

// TestHostileErrors: what GitHub says of an error is one bounded line, and never
// holds the token.
func TestHostileErrors(t *testing.T) {
	t.Parallel()
	_, c := newScript(t, func(w http.ResponseWriter, r *http.Request, body string) {
		give(w, 422, map[string]string{"message": "bad " + testToken + "\n::error::\x1b[31m" + strings.Repeat("x", 5000)})
	})
	err := c.Writer.EditComment(t.Context(), 7, "x")
	if err == nil || strings.Contains(err.Error(), testToken) || strings.ContainsAny(err.Error(), "\n\x1b") || len(err.Error()) > 500 {
		t.Errorf("the error is %q", err)
	}
}

// TestGraphQLErrors: GraphQL says 200 to nearly everything.
func TestGraphQLErrors(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		body  string
		want  error
		calls int
	}{
		{`{"data":{"repository":null},"errors":[{"type":"NOT_FOUND","message":"Could not resolve to a Repository"}]}`, &NotFoundError{}, 1},
		{`{"data":{"repository":{"pullRequest":null}}}`, &NotFoundError{}, 1},
		{`{"data":null,"errors":[{"type":"FORBIDDEN","message":"Resource not accessible by integration"}]}`, &PermissionError{}, 1},
		{`{"errors":[{"message":"Something went wrong while executing your query."}]}`, &UnavailableError{}, maxTries},
		{`{"errors":[{"message":"Field 'x' doesn't exist on type 'Query'"}]}`, &RefusedError{}, 1},
		{`{"errors":[{"type":"RATE_LIMITED","message":"API rate limit exceeded"}]}`, &LimitError{}, 3},
		{`{"data":null}`, &UnavailableError{}, maxTries},
		{`{"data":{"repository":{"pullRequest":[]}}}`, &UnavailableError{}, 1},
	} {
		s, c := newScript(t, func(w http.ResponseWriter, r *http.Request, body string) { give(w, 200, test.body) })
		_, err := c.Reader.Pull(t.Context(), 7)
		if fmt.Sprintf("%T", err) != fmt.Sprintf("%T", test.want) || s.count() != test.calls {
			t.Errorf("%s: %T %v after %d requests, want %T after %d", test.body, err, err, s.count(), test.want, test.calls)
		}
	}
}
