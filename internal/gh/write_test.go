package gh

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prdebate/debate/internal/debate"
)

// TestCreateHappensOnce: whatever becomes of the answer, what was made is not made
// again, and what was not made is.
func TestCreateHappensOnce(t *testing.T) {
	t.Parallel()
	fails := map[string]func(w http.ResponseWriter){
		"500":       func(w http.ResponseWriter) { give(w, 500, `{}`) },
		"502":       func(w http.ResponseWriter) { give(w, 502, `{}`) },
		"reset":     func(w http.ResponseWriter) { panic(http.ErrAbortHandler) },
		"truncated": func(w http.ResponseWriter) { cut(w, 201, `{"id":4`) },
		"garbled":   func(w http.ResponseWriter) { give(w, 201, `{"id":4`) },
		"empty":     func(w http.ResponseWriter) { give(w, 201, ``) },
	}
	const marker = "<!-- debate:summary v1 -->"
	kinds := map[string]struct {
		do   func(c *Client) (int64, error)
		find string // the answer that holds it, with the body in %s
		none string
		made string
		want int64
	}{
		"comment": {
			do: func(c *Client) (int64, error) {
				got, err := c.Writer.CreateComment(t.Context(), 7, "hello "+marker, marker)
				return got.ID, err
			},
			find: `{"data":{"repository":{"issueOrPullRequest":{"comments":{"nodes":[` +
				`{"id":"2","body":%[1]q,"mine":false,"createdAt":"2026-03-01T00:00:00Z"},` +
				`{"id":"41","body":%[1]q,"mine":true,"createdAt":"2026-03-01T00:00:00Z"}]}}}}}`,
			none: `{"data":{"repository":{"issueOrPullRequest":{"comments":{"nodes":[]}}}}}`,
			made: `{"id":41}`, want: 41,
		},
		"review": {
			do: func(c *Client) (int64, error) {
				return c.Writer.PostReview(t.Context(), 7, NewReview{HeadSHA: strings.Repeat("a", 40), Body: "hello " + marker, Marker: marker})
			},
			find: `{"data":{"repository":{"pullRequest":{"reviews":{"nodes":[` +
				`{"id":"3000000041","body":%[1]q,"mine":true},{"id":"5","body":%[1]q,"mine":false}]}}}}}`,
			none: `{"data":{"repository":{"pullRequest":{"reviews":{"nodes":[]}}}}}`,
			made: `{"id":3000000041}`, want: 3_000_000_041,
		},
		"reply": {
			do: func(c *Client) (int64, error) { return 0, c.Writer.Reply(t.Context(), 7, 12, "hello "+marker, marker) },
			find: `{"data":{"repository":{"pullRequest":{"reviews":{"nodes":[{"id":"3","body":"","mine":true,` +
				`"comments":{"nodes":[{"id":"4","body":%[1]q,"mine":true}]}}]}}}}}`,
			none: `{"data":{"repository":{"pullRequest":{"reviews":{"nodes":[]}}}}}`,
			made: `{"id":4}`,
		},
		"issue": {
			do: func(c *Client) (int64, error) {
				got, err := c.Writer.CreateIssue(t.Context(), NewIssue{Title: "t", Body: "hello " + marker, Labels: []string{"awaiting_human"}, Marker: marker})
				return int64(got.Number), err
			},
			find: `{"data":{"repository":{"issues":{"nodes":[{"number":9,"body":%[1]q,"state":"OPEN","mine":true,"createdAt":"2026-03-01T00:00:00Z"}]}}}}`,
			none: `{"data":{"repository":{"issues":{"nodes":[]}}}}`,
			made: `{"number":9}`, want: 9,
		},
		"check": {
			do: func(c *Client) (int64, error) {
				return c.Writer.CreateCheck(t.Context(), Check{Name: "debate", HeadSHA: strings.Repeat("a", 40), ExternalID: "hello " + marker})
			},
			find: `{"check_runs":[{"id":1,"name":"debate"},{"id":77,"name":"debate","external_id":%[1]q}]}`,
			none: `{"check_runs":[]}`,
			made: `{"id":77}`, want: 77,
		},
	}
	for kindName, kind := range kinds {
		for failName, fail := range fails {
			for _, done := range []bool{true, false} {
				t.Run(fmt.Sprintf("%s %s done=%t", kindName, failName, done), func(t *testing.T) {
					creates, looks := 0, 0
					_, c := newScript(t, func(w http.ResponseWriter, r *http.Request, body string) {
						if r.Method == http.MethodGet || strings.Contains(body, `"query":"query`) {
							// The list is stale at the first look.
							if looks++; looks > 1 && (done || creates > 1) {
								give(w, 200, fmt.Sprintf(kind.find, "hello "+marker))
							} else {
								give(w, 200, kind.none)
							}
							return
						}
						if creates++; creates == 1 {
							fail(w)
							return
						}
						give(w, 201, kind.made)
					})
					got, err := kind.do(c)
					if err != nil || got != kind.want {
						t.Errorf("got %d, %v; want %d", got, err, kind.want)
					}
					if want := 2 - btoi(done); creates != want {
						t.Errorf("%d creates, want %d", creates, want)
					}
				})
			}
		}
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func TestCreateGivesUp(t *testing.T) {
	t.Parallel()
	creates := 0
	_, c := newScript(t, func(w http.ResponseWriter, r *http.Request, body string) {
		if asked(body, "NewestComments") {
			give(w, 200, `{"data":{"repository":{"issueOrPullRequest":{"comments":{"nodes":[]}}}}}`)
			return
		}
		creates++
		give(w, 500, `{}`)
	})
	_, err := c.Writer.CreateComment(t.Context(), 7, "hello", "m")
	var down *UnavailableError
	if !errors.As(err, &down) || creates != maxCreates {
		t.Errorf("got %v after %d creates", err, creates)
	}
}

// TestPace: the few writes of a review wait for nothing, and of many there are at most
// sixty in any minute.
func TestPace(t *testing.T) {
	t.Parallel()
	s, c := newScript(t, func(w http.ResponseWriter, r *http.Request, body string) { give(w, 200, `{"id":1,"body":"x"}`) })
	var at []time.Time
	write := func(n int) {
		for range n {
			if err := c.Writer.EditComment(t.Context(), 1, "x"); err != nil {
				t.Fatal(err)
			}
			at = append(at, s.time())
		}
	}
	if write(10); s.sum() != 0 {
		t.Errorf("ten writes waited %v", s.waits)
	}
	write(190)
	for i := range at {
		if i >= 60 && at[i].Sub(at[i-60]) < time.Minute {
			t.Fatalf("writes %d to %d within %v", i-60, i, at[i].Sub(at[i-60]))
		}
	}
	if most := 190 * betweenWrites; s.sum() > most {
		t.Errorf("two hundred writes waited %v", s.sum())
	}
}

// TestBodies holds what is sent.
func TestBodies(t *testing.T) {
	t.Parallel()
	sha := strings.Repeat("a", 40)
	open, text := false, "new"
	for _, test := range []struct {
		name         string
		do           func(c *Client) error
		method, path string
		body         string
	}{
		{"review", func(c *Client) error {
			_, err := c.Writer.PostReview(t.Context(), 7, NewReview{HeadSHA: sha, Body: "b", Comments: []NewInline{
				{Path: "a.go", Side: debate.Right, StartLine: 3, Line: 5, Body: "x"},
				{Path: "a.go", Side: debate.Left, StartLine: 4, Line: 4, Body: "y"},
			}})
			return err
		}, "POST", "/repos/octo/demo/pulls/7/reviews", `{"commit_id":"` + sha + `","body":"b","event":"COMMENT","comments":[` +
			`{"path":"a.go","body":"x","start_side":"RIGHT","side":"RIGHT","start_line":3,"line":5},{"path":"a.go","body":"y","side":"LEFT","line":4}]}`},
		{"check", func(c *Client) error {
			return c.Writer.UpdateCheck(t.Context(), 5, Check{Name: "debate", HeadSHA: sha, Conclusion: debate.Neutral, Summary: "s",
				Annotations: []Annotation{{Path: "a.go", StartLine: 2, Level: "warning", Message: "m"}}})
		}, "PATCH", "/repos/octo/demo/check-runs/5", `{"name":"debate","status":"completed","conclusion":"neutral","output":{"title":"debate","summary":"s",` +
			`"annotations":[{"path":"a.go","start_line":2,"end_line":2,"annotation_level":"warning","message":"m"}]}}`},
		{"close", func(c *Client) error {
			return c.Writer.EditIssue(t.Context(), 7, IssueChange{Open: &open, Reason: NotPlanned, Labels: []string{}})
		},
			"PATCH", "/repos/octo/demo/issues/7", `{"labels":[],"state":"closed","state_reason":"not_planned"}`},
		{"edit an issue", func(c *Client) error {
			return c.Writer.EditIssue(t.Context(), 7, IssueChange{Title: &text, Body: &text})
		},
			"PATCH", "/repos/octo/demo/issues/7", `{"title":"new","body":"new"}`},
		{"edit a thread", func(c *Client) error { return c.Writer.EditReviewComment(t.Context(), 7, "new") }, "PATCH", "/repos/octo/demo/pulls/comments/7", `{"body":"new"}`},
		{"react", func(c *Client) error { return c.Writer.React(t.Context(), 8, true, "eyes") }, "POST", "/repos/octo/demo/pulls/comments/8/reactions", `{"content":"eyes"}`},
		{"react to a comment", func(c *Client) error { return c.Writer.React(t.Context(), 8, false, "+1") }, "POST", "/repos/octo/demo/issues/comments/8/reactions", `{"content":"+1"}`},
	} {
		s, c := newScript(t, func(w http.ResponseWriter, r *http.Request, body string) { give(w, 200, `{"id":1,"body":"new"}`) })
		if err := test.do(c); err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if got, want := s.calls[0], (recorded{test.method, test.path, test.body}); got.method != want.method || got.path != want.path || strings.TrimSpace(got.body) != want.body {
			t.Errorf("%s: got %+v\nwant %+v", test.name, got, want)
		}
	}
}

// TestManyAnnotations: no request carries more than 50.
func TestManyAnnotations(t *testing.T) {
	t.Parallel()
	var sizes []int
	_, c := newScript(t, func(w http.ResponseWriter, r *http.Request, body string) {
		var sent struct {
			Output struct{ Annotations []json.RawMessage }
		}
		if err := json.Unmarshal([]byte(body), &sent); err != nil {
			t.Error(err)
		}
		sizes = append(sizes, len(sent.Output.Annotations))
		give(w, 201, `{"id":5}`)
	})
	check := Check{Name: "debate", HeadSHA: strings.Repeat("a", 40), Conclusion: debate.Success, Annotations: make([]Annotation, 300)}
	if id, err := c.Writer.CreateCheck(t.Context(), check); err != nil || id != 5 {
		t.Fatal(id, err)
	}
	if fmt.Sprint(sizes) != "[50]" {
		t.Errorf("sent %v", sizes)
	}
}

// TestOnlyCommits: what is no id of a commit gets into no path.
func TestOnlyCommits(t *testing.T) {
	t.Parallel()
	s, c := newScript(t, func(w http.ResponseWriter, r *http.Request, body string) { give(w, 200, `{}`) })
	for _, sha := range []string{"", "main", "--output=x", strings.Repeat("a", 39), strings.Repeat("A", 40), "../" + strings.Repeat("a", 40)} {
		_, err1 := c.Reader.Checks(t.Context(), sha, "")
		_, err2 := c.Reader.Files(t.Context(), sha, []string{"x"})
		_, err3 := c.Reader.Snapshot(t.Context(), sha, strings.Repeat("a", 40), 7)
		_, err4 := c.Writer.CreateCheck(t.Context(), Check{Name: "debate", HeadSHA: sha})
		_, err5 := c.Writer.PostReview(t.Context(), 7, NewReview{HeadSHA: sha})
		_, err6 := c.Reader.QueueMembers(t.Context(), "main", sha, sha)
		for i, err := range []error{err1, err2, err3, err4, err5, err6} {
			if err == nil {
				t.Errorf("%d took %q", i+1, sha)
			}
		}
	}
	if s.count() != 0 {
		t.Errorf("%d requests", s.count())
	}
	if got, _, err := c.Reader.Permission(t.Context(), "../../x"); got != "" || err != nil || s.count() != 0 {
		t.Errorf("got %q, %v", got, err)
	}
}

// TestCreateTimesOut: what was made while nobody answered is found.
func TestCreateTimesOut(t *testing.T) {
	t.Parallel()
	var stored atomic.Int32
	s, _ := newScript(t, func(w http.ResponseWriter, r *http.Request, body string) {
		if asked(body, "NewestComments") {
			give(w, 200, `{"data":{"repository":{"issueOrPullRequest":{"comments":{"nodes":[{"id":"41","body":"hello m","mine":true,`+at+`}]}}}}}`)
			return
		}
		stored.Add(1)
		select {
		case <-r.Context().Done():
		case <-time.After(10 * time.Second):
		}
	})
	o := s.options()
	var c *Client
	o.Wait = func(context.Context, time.Duration) error {
		c.Writer.sender.patience = time.Minute // what follows the create is not in a hurry
		return nil
	}
	c, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	c.Writer.sender.patience = 300 * time.Millisecond
	if got, err := c.Writer.CreateComment(t.Context(), 7, "hello m", "m"); err != nil || got.ID != 41 || stored.Load() > 1 {
		t.Errorf("got %d, %v with %d creates", got.ID, err, stored.Load())
	}
}
