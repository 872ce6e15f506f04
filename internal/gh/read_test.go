package gh

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

const at = `"createdAt":"2026-03-01T00:00:00Z"`

// TestLongThreads: a thread with more comments than are read is noted.
func TestLongThreads(t *testing.T) {
	t.Parallel()
	s, c := newScript(t, func(w http.ResponseWriter, r *http.Request, body string) {
		give(w, 200, `{"data":{"viewer":{"login":"mona"},"repository":{"databaseId":5,"owner":{"__typename":"User","login":"octo"},"pullRequest":{"state":"OPEN",`+
			`"baseRefOid":"b","baseRef":null,"headRefOid":"h","reviewThreads":{"nodes":[null,{"path":"a.go","comments":`+
			`{"pageInfo":{"hasNextPage":true},"nodes":[{"id":"3000000001","body":"0",`+at+`,"author":null}]}}]},`+
			`"reviews":{"nodes":[null,{"state":"PENDING","submittedAt":null}]},"comments":{"nodes":[null]}}}}}`)
	})
	p, err := c.Reader.Pull(t.Context(), 7)
	if err != nil {
		t.Fatal(err)
	}
	th := p.Threads[0]
	if len(p.Threads) != 1 || th.Path != "a.go" || th.Comments[0].ID != 3_000_000_001 || th.Comments[0].Author.Login != "ghost" {
		t.Errorf("got %+v", p.Threads)
	}
	if !slices.Contains(p.Truncated, "comments of threads") || s.count() != 1 {
		t.Errorf("truncated %v after %d requests", p.Truncated, s.count())
	}
	if p.Reviews != nil || p.Comments != nil || p.BaseSHA != "b" || !p.Repository.OwnerIsUser {
		t.Errorf("got %+v", p)
	}
}

// TestTimeout: a request that nobody answers ends.
func TestTimeout(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		nobody := roundTrip(func(r *http.Request) (*http.Response, error) {
			asked++
			<-r.Context().Done()
			return nil, r.Context().Err()
		})
		c, err := New(Options{
			Owner: "octo", Repo: "demo", HTTP: &http.Client{Transport: nobody},
			Wait: func(context.Context, time.Duration) error { return nil },
		})
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		if _, err := c.Reader.Glance(t.Context(), 7, "", 0); err == nil || asked != maxTries || time.Since(began) != maxTries*requestTime {
			t.Errorf("got %v after %d requests in %v", err, asked, time.Since(began))
		}
	})
}

// roundTrip is a way to GitHub without a server.
type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// TestGraphQLLimit: the headers say how long a limit of GraphQL lasts.
func TestGraphQLLimit(t *testing.T) {
	t.Parallel()
	n := 0
	s, c := newScript(t, func(w http.ResponseWriter, r *http.Request, body string) {
		if n++; n == 1 {
			w.Header().Set("X-RateLimit-Remaining", "0")
			w.Header().Set("X-RateLimit-Reset", fmt.Sprint(time.Date(2026, 3, 1, 12, 2, 0, 0, time.UTC).Unix()))
			give(w, 200, `{"errors":[{"type":"RATE_LIMITED","message":"API rate limit exceeded"}]}`)
			return
		}
		give(w, 200, `{"data":{"repository":{"pullRequest":{"state":"OPEN","headRefOid":"h"}}}}`)
	})
	if g, err := c.Reader.Glance(t.Context(), 7, "", 0); err != nil || g.HeadSHA != "h" || s.sum() != 121*time.Second {
		t.Errorf("got %+v, %v after %v", g, err, s.sum())
	}
}

// TestNextPage: the Link header names a page, and never another place to ask.
func TestNextPage(t *testing.T) {
	t.Parallel()
	for link, want := range map[string]int{
		"": 1, `<%s/x?page=2>; rel="next"`: 2, `<%s/x?page=1>; rel="prev", <%s/x?page=3>; rel="next"`: 2,
		`<%s/x?page=1>; rel="last"`: 1, `<https://evil.example/x?page=2>; rel="next"`: 2, `<:bad>; rel="next"`: 1, `garbage`: 1,
	} {
		s, c := newScript(t, func(w http.ResponseWriter, r *http.Request, body string) {
			if r.URL.Query().Get("page") == "" {
				w.Header().Set("Link", strings.ReplaceAll(link, "%s", "http://"+r.Host))
			}
			give(w, 200, `{"check_runs":[]}`)
		})
		if _, err := checkRuns(t.Context(), c.Reader.sender, "look", strings.Repeat("a", 40), ""); err != nil || s.count() != want {
			t.Errorf("%q: %d requests, want %d: %v", link, s.count(), want, err)
		}
		for _, call := range s.calls {
			if !strings.HasPrefix(call.path, "/repos/octo/demo/commits/") {
				t.Errorf("%q: asked for %s", link, call.path)
			}
		}
	}
}

// TestManyChecks: all pages are read, and failures are bounded.
func TestManyChecks(t *testing.T) {
	t.Parallel()
	page := 0
	s, c := newScript(t, func(w http.ResponseWriter, r *http.Request, body string) {
		if strings.Contains(r.URL.Path, "/annotations") {
			give(w, 200, `[null,{"path":"a.go","start_line":3,"end_line":4,"annotation_level":"failure","title":"t","message":"`+strings.Repeat("m", 5000)+`"}]`)
			return
		}
		var runs []string
		for i := range perPage {
			runs = append(runs, fmt.Sprintf(`{"id":%d,"name":"n%d","status":"completed","conclusion":"failure","output":{"annotations_count":%d}}`, page*perPage+i+1, i, i%2))
		}
		if page++; page < 3 {
			w.Header().Set("Link", fmt.Sprintf(`<http://%s%s?page=%d>; rel="next"`, r.Host, r.URL.Path, page+1))
		}
		give(w, 200, `{"check_runs":[null,`+strings.Join(runs, ",")+`]}`)
	})
	c.Reader.viewer = "octocat"
	all, err := c.Reader.Checks(t.Context(), strings.Repeat("a", 40), "")
	if err != nil {
		t.Fatal(err)
	}
	runs, err := c.Reader.FailedRuns(t.Context(), all, "debate")
	if err != nil || len(runs) != maxFailedRuns+maxFailedRuns/2 || s.count() != 3+maxFailedRuns/2 {
		t.Errorf("got %d runs, %v after %d requests", len(runs), err, s.count())
	}
	for _, r := range runs {
		if !r.Failed || len(r.Text) > maxEvidenceText+3 || r.Text == "" || len(r.Hash) != 64 {
			t.Errorf("got %+v", r)
		}
	}
}

// TestClosedIssue: the issue has the reason that its closing lacks.
func TestClosedIssue(t *testing.T) {
	t.Parallel()
	_, c := newScript(t, func(w http.ResponseWriter, r *http.Request, body string) {
		give(w, 200, `{"data":{"repository":{"issue":{"number":3,"state":"CLOSED","stateReason":"DUPLICATE",`+at+`,"timelineItems":{"nodes":[{"__typename":"ClosedEvent",`+at+`,"stateReason":null,"actor":null}]},`+
			`"comments":{"nodes":[{"body":"1",`+at+`}]}}}}}`)
	})
	i, err := c.Reader.Issue(t.Context(), 3)
	if err != nil || len(i.Comments) != 1 || i.Open {
		t.Errorf("got %+v, %v", i, err)
	}
	if e := i.Events[0]; e.Reason != Duplicate || e.By.Login != "ghost" {
		t.Errorf("got %+v", e)
	}
}

// TestEditedIssue has a row for each way in which an issue gets another text or title.
func TestEditedIssue(t *testing.T) {
	t.Parallel()
	minute := func(n int) time.Time { return time.Date(2026, 1, 1, 12, n, 0, 0, time.UTC) }
	us, carol, dave := Account{Login: "us", Bot: true}, Account{Login: "carol"}, Account{Login: "dave"}
	rename := func(by Account, n int, from, to string) wireRename { return wireRename{minute(n), from, to, by} }
	body := func(by Account, n int) Issue { return Issue{EditedBy: by, EditedAt: minute(n)} }
	many := make([]wireRename, maxRenames)
	for i := range many {
		many[i] = rename(dave, i, "ours", "ours")
	}
	for name, row := range map[string]struct {
		issue   Issue
		title   string
		renames []wireRename
		by      Account
		minute  int // 0: never
	}{
		"as it was":                       {Issue{}, "ours", nil, Account{}, 0},
		"its text":                        {body(carol, 1), "ours", nil, carol, 1},
		"its title":                       {Issue{}, "mine", []wireRename{rename(dave, 2, "ours", "mine")}, dave, 2},
		"both, by two people":             {body(carol, 1), "mine", []wireRename{rename(dave, 2, "ours", "mine")}, carol, 2},
		"its title, after our own edit":   {body(us, 3), "mine", []wireRename{rename(dave, 2, "ours", "mine")}, dave, 3},
		"its title, and back":             {Issue{}, "ours", []wireRename{rename(dave, 1, "ours", "mine"), rename(dave, 2, "mine", "ours")}, us, 2},
		"its title, by us":                {body(us, 1), "new", []wireRename{rename(us, 2, "ours", "new")}, us, 2},
		"its title, after ours":           {Issue{}, "mine", []wireRename{rename(us, 1, "old", "ours"), rename(dave, 2, "ours", "mine")}, dave, 2},
		"its title, too often to be sure": {Issue{}, "ours", many, dave, maxRenames - 1},
	} {
		w := wireIssue{Issue: row.issue}
		w.Author, w.Title, w.Renames.Nodes = us, row.title, row.renames
		i := w.issue()
		if i.Edited != (row.minute > 0) || row.minute > 0 && (i.EditedBy != row.by || !i.EditedAt.Equal(minute(row.minute))) {
			t.Errorf("%s: %t, by %v at %s", name, i.Edited, i.EditedBy, i.EditedAt)
		}
	}
}

func TestAccounts(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		actor string
		want  Account
	}{
		{`null`, Account{Login: "ghost"}}, {`{"__typename":"User","login":"mona"}`, Account{Login: "mona"}},
		{`{"__typename":"Bot","login":"dependabot"}`, Account{Login: "dependabot[bot]", Bot: true}},
		{`{"__typename":"Mannequin","login":"old"}`, Account{Login: "old", Bot: true}},
		{`{"__typename":"EnterpriseUserAccount","login":"mona_corp"}`, Account{Login: "mona_corp"}},
		{`{"Login":"dependabot[bot]","Bot":true}`, Account{Login: "dependabot[bot]", Bot: true}}, {`{"Login":"","Bot":false}`, Account{}},
	} {
		var got Account
		if err := json.Unmarshal([]byte(test.actor), &got); err != nil || got != test.want {
			t.Errorf("%s: got %+v, %v", test.actor, got, err)
		}
	}
}

// TestWhoMadeCommits: the authors and the committer of a commit are accounts, without
// GitHub itself; a bot is known by its account, or by its address where GitHub signed.
func TestWhoMadeCommits(t *testing.T) {
	t.Parallel()
	actor := func(login, email string) string {
		if login == "" {
			return fmt.Sprintf(`{"email":%q,"user":null}`, email)
		}
		return fmt.Sprintf(`{"email":%q,"user":{"__typename":"User","login":%q}}`, email, login)
	}
	const app, signed, unsigned = "49699333+dependabot[bot]@users.noreply.github.com", `{"isValid":true,"wasSignedByGitHub":true}`, "null"
	for _, row := range []struct{ authors, committer, signature, want string }{
		{actor("alice", "a@example.com"), actor("alice", "a@example.com"), unsigned, "[{alice false}] false"},
		{actor("alice", "a@example.com") + "," + actor("bob", "b@example.com"), actor("carol", "c@example.com"), unsigned, "[{alice false} {bob false} {carol false}] false"},
		{actor("alice", "a@example.com"), actor("", "noreply@github.com"), signed, "[{alice false}] true"},
		{actor("alice", "a@example.com"), actor("web-flow", "x@example.com"), signed, "[{alice false}] true"},
		{actor("dependabot[bot]", app), actor("", "noreply@github.com"), signed, "[{dependabot[bot] true}] true"},
		{actor("", app), "null", signed, "[{dependabot[bot] true}] true"},
		{actor("", app), "null", unsigned, "[{ false}] false"},
		{actor("", "x@example.com"), "null", `{"isValid":false,"wasSignedByGitHub":true}`, "[{ false}] false"},
		{actor("alice", "a@example.com"), "null", `{"isValid":true,"wasSignedByGitHub":false}`, "[{alice false}] false"},
	} {
		_, c := newScript(t, func(w http.ResponseWriter, r *http.Request, body string) {
			give(w, 200, `{"data":{"repository":{"databaseId":5,"owner":{"login":"octo"},"pullRequest":{"state":"OPEN","made":{"nodes":[{"commit":{"oid":"h","authors":{"nodes":[`+
				row.authors+`]},"committer":`+row.committer+`,"signature":`+row.signature+`}}]}}}}}`)
		})
		p, err := c.Reader.Pull(t.Context(), 7)
		if err != nil || len(p.Commits) != 1 || fmt.Sprint(p.Commits[0].By, " ", p.Commits[0].Signed) != row.want {
			t.Errorf("%+v, %v, want %s", p.Commits, err, row.want)
		}
	}
}
