package ghtest_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/prdebate/debate/internal/testkit/ghtest"
)

// TestFaults puts each fault on the second of three comments, and looks at the
// answer and at what was done.
func TestFaults(t *testing.T) {
	t.Parallel()
	reset := time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)
	for name, test := range map[string]struct {
		fault  ghtest.Fault
		status int // 0: no answer, or a part of one
		done   bool
		header map[string]string
	}{
		"nothing":                  {fault: ghtest.Fault{}, status: 201, done: true},
		"500":                      {fault: ghtest.Answer(500), status: 500},
		"502":                      {fault: ghtest.Answer(502), status: 502},
		"503":                      {fault: ghtest.Answer(503), status: 503},
		"502 though it was done":   {fault: ghtest.DoneBut(502), status: 502, done: true},
		"a reset":                  {fault: ghtest.Reset()},
		"a lost answer":            {fault: ghtest.Lost(), done: true},
		"half an answer":           {fault: ghtest.Truncated(), done: true},
		"slow":                     {fault: ghtest.Slow(time.Millisecond), status: 201, done: true},
		"too quick":                {fault: ghtest.TooQuick(), status: 422},
		"a secondary limit":        {fault: ghtest.Secondary(403, 60), status: 403, header: map[string]string{"Retry-After": "60"}},
		"a silent secondary limit": {fault: ghtest.Secondary(429, 0), status: 429, header: map[string]string{"Retry-After": ""}},
		"a primary limit": {
			fault: ghtest.Primary(403, reset), status: 403,
			header: map[string]string{"X-Ratelimit-Remaining": "0", "X-Ratelimit-Reset": "1772445600"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.gh.FaultAt(2, test.fault)
			for i := 1; i <= 3; i++ {
				r := w.do("POST", repoPath+"/issues/1/comments", o{"body": "text"})
				if i != 2 {
					if r.status != 201 {
						t.Fatalf("request %d: %d %v", i, r.status, r.err)
					}
					continue
				}
				if test.status == 0 && r.err == nil || test.status != 0 && r.status != test.status {
					t.Errorf("answered %d %v, want %d", r.status, r.err, test.status)
				}
				for key, want := range test.header {
					if got := r.header.Get(key); got != want {
						t.Errorf("%s is %q, want %q", key, got, want)
					}
				}
			}
			want := 2
			if test.done {
				want = 3
			}
			if got := len(w.pull.Comments()); got != want {
				t.Errorf("%d comments, want %d", got, want)
			}
			if got := w.gh.Writes(); len(got) != 3 || got[0].Status != 201 {
				t.Errorf("the log says %v", got)
			}
		})
	}
}

// TestHang gives no answer until the client gives up, with and without doing what
// was asked.
func TestHang(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		fault ghtest.Fault
		want  int
	}{"before": {ghtest.Hang(), 0}, "after": {ghtest.DoneHang(), 1}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			test.fault.Hanging = cancel
			w.gh.FaultAt(1, test.fault)
			req, err := http.NewRequestWithContext(ctx, "POST", w.gh.URL+repoPath+"/issues/1/comments", strings.NewReader(`{"body":"b"}`))
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("Authorization", "token "+w.token)
			req.Header.Set("User-Agent", "test")
			if resp, err := w.client().Do(req); err == nil {
				resp.Body.Close()
				t.Errorf("answered %d", resp.StatusCode)
			}
			if got := len(w.pull.Comments()); got != test.want {
				t.Errorf("%d comments, want %d", got, test.want)
			}
		})
	}
}

// TestStale lets the next lists lack what was just made.
func TestStale(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.pull.Comment("bob", "old")
	w.gh.FaultOn("POST /repos/acme/widgets/issues/1/comments", 1, ghtest.Stale(2))
	w.must("POST", repoPath+"/issues/1/comments", o{"body": "new"})
	count := func() int { return len(w.must("GET", repoPath+"/issues/1/comments", nil).list(t)) }
	if first := count(); first != 1 {
		t.Errorf("the first list has %d", first)
	}
	data, _ := w.graph(`{ repository(owner: "acme", name: "widgets") { pullRequest(number: 1) {
		comments(first: 5) { totalCount } reviews(first: 5) { totalCount } } } }`, nil)
	if got := at(t, data, "repository", "pullRequest", "comments", "totalCount"); got != 1.0 {
		t.Errorf("the second list has %v", got)
	}
	if third := count(); third != 2 {
		t.Errorf("the third list has %d", third)
	}
}

// TestDrop loses comments of a review without a word.
func TestDrop(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.gh.FaultOn("/reviews", 1, ghtest.Fault{Drop: 2})
	one := o{"path": "a.txt", "line": 1, "body": "b"}
	w.must("POST", repoPath+"/pulls/1/reviews", o{"event": "COMMENT", "comments": []o{one, one, one}})
	if got := len(w.pull.Inline()); got != 2 {
		t.Errorf("%d comments, want 2", got)
	}
}

// TestOperation lets a query of a name go wrong.
func TestOperation(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.gh.FaultOn("/graphql Second", 1, ghtest.Answer(502))
	ask := func(name string) int {
		return w.do("POST", "/api/graphql", o{"query": "query " + name + " { viewer { login } }"}).status
	}
	if got := []int{ask("First"), ask("Second"), ask("Second")}; got[0] != 200 || got[1] != 502 || got[2] != 200 {
		t.Errorf("answers %v", got)
	}
	if log := w.gh.Reads(); len(log) != 3 || log[1].Operation != "Second" || log[1].Status != 502 {
		t.Errorf("the log says %+v", log)
	}
}

// TestGraphFaults are errors in an answer that is 200.
func TestGraphFaults(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for want, fault := range map[string]ghtest.Fault{"rate limit": ghtest.GraphLimited(), "went wrong": ghtest.GraphBroken()} {
		w.gh.FaultAt(1, fault)
		_, problems := w.graph("{ viewer { login } }", nil)
		if len(problems) != 1 || !strings.Contains(at(t, problems[0], "message").(string), want) {
			t.Errorf("%v, want %q", problems, want)
		}
	}
}

// TestLimit counts the requests of an hour.
func TestLimit(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.gh.SetLimit(w.token, 2)
	ask := func() reply { return w.do("GET", repoPath, nil) }
	if first := ask(); first.status != 200 || first.header.Get("X-Ratelimit-Remaining") != "1" {
		t.Errorf("the first: %d, %s remaining", first.status, first.header.Get("X-Ratelimit-Remaining"))
	}
	ask()
	third := ask()
	reset := itoa(w.gh.Now().Truncate(time.Hour).Add(time.Hour).Unix())
	if third.status != 403 || third.header.Get("X-Ratelimit-Remaining") != "0" || third.header.Get("X-Ratelimit-Reset") != reset {
		t.Errorf("the third: %d %v", third.status, third.header)
	}
	w.gh.Advance(time.Hour)
	if fourth := ask(); fourth.status != 200 {
		t.Errorf("an hour later: %d", fourth.status)
	}
}

// TestUnknown tells of requests that are not played.
func TestUnknown(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		method, path string
		body         any
	}{
		"a path":          {"GET", "/repos/acme/widgets/branches", nil},
		"a merge":         {"PUT", "/repos/acme/widgets/pulls/1/merge", o{}},
		"a field":         {"POST", "/graphql", o{"query": "{ viewer { shoeSize } }"}},
		"an argument":     {"POST", "/graphql", o{"query": `{ repository(owner: "a", name: "b", colour: 1) { id } }`}},
		"no page size":    {"POST", "/graphql", o{"query": `{ repository(owner: "acme", name: "widgets") { issues { nodes { id } } } }`}},
		"a page too long": {"POST", "/graphql", o{"query": `{ repository(owner: "acme", name: "widgets") { issues(first: 101) { nodes { id } } } }`}},
		"too many nodes": {"POST", "/graphql", o{"query": `{ repository(owner: "acme", name: "widgets") { pullRequests(first: 100) { nodes {
			reviewThreads(first: 100) { nodes { comments(first: 100) { nodes { id } } } } } } } }`}},
		"a variable that is missing": {"POST", "/graphql", o{"query": `query($n: Int!) { repository(owner: "a", name: "b") { issue(number: $n) { id } } }`}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			told := make(chan string, 8)
			gh := ghtest.Start(func(message string) { told <- message })
			defer gh.Close()
			gh.Repo("acme/widgets")
			w := &world{t: t, gh: gh, token: gh.JobToken(full())}
			w.do(test.method, test.path, test.body)
			if len(told) == 0 {
				t.Error("nothing was said")
			}
		})
	}
}
