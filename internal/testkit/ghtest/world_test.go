package ghtest_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/testkit/ghtest"
)

// world is a small story: a repository with one pull request.
type world struct {
	t     *testing.T
	gh    *ghtest.Server
	repo  *ghtest.Repo
	pull  *ghtest.Pull
	token string
}

// all a job of a workflow may ask for.
func full() map[string]string {
	return map[string]string{
		"contents": "read", "pull-requests": "write", "issues": "write", "checks": "write", "statuses": "write",
	}
}

func lines(n int) string {
	var text bytes.Buffer
	for i := range n {
		text.WriteString("line " + string(rune('a'+i%26)) + "\n")
	}
	return text.String()
}

func newWorld(t *testing.T) *world {
	t.Helper()
	gh := ghtest.New(t)
	repo := gh.Repo("acme/widgets")
	repo.SetPermission("carol", ghtest.Write)
	base := repo.Commit("", map[string]string{"a.txt": lines(40), "docs/b.md": "# b\n", ".github/debate.yml": "mode: code\n"})
	repo.SetBranch("main", base)
	changed := "first\n" + lines(30) + "middle\n" + lines(40)[30*7:]
	repo.SetBranch("topic", repo.Change(base, map[string]string{"a.txt": changed, "new.go": "package new\n"}, "docs/b.md"))
	pull := repo.OpenPull("alice", ghtest.NewPull{Title: "A change", Body: "Why.", Head: "topic"})
	return &world{t: t, gh: gh, repo: repo, pull: pull, token: gh.JobToken(full())}
}

// reply is an answer.
type reply struct {
	status int
	header http.Header
	text   string
	err    error // a cut connection
}

func (r reply) json(t *testing.T) map[string]any {
	t.Helper()
	var o map[string]any
	if err := json.Unmarshal([]byte(r.text), &o); err != nil {
		t.Fatalf("%d %s: %v", r.status, r.text, err)
	}
	return o
}

func (r reply) list(t *testing.T) []map[string]any {
	t.Helper()
	var o []map[string]any
	if err := json.Unmarshal([]byte(r.text), &o); err != nil {
		t.Fatalf("%d %s: %v", r.status, r.text, err)
	}
	return o
}

// do sends a request; body is JSON or nil. accept may be left out.
func (w *world) do(method, path string, body any, accept ...string) reply {
	w.t.Helper()
	return w.as(w.token, method, path, body, accept...)
}

func (w *world) as(token, method, path string, body any, accept ...string) reply {
	w.t.Helper()
	var in io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			w.t.Fatal(err)
		}
		in = bytes.NewReader(text)
	}
	req, err := http.NewRequestWithContext(w.t.Context(), method, w.gh.URL+path, in)
	if err != nil {
		w.t.Fatal(err)
	}
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	req.Header.Set("User-Agent", "test")
	for _, kind := range accept {
		req.Header.Set("Accept", kind)
	}
	resp, err := w.client().Do(req)
	if err != nil {
		return reply{err: err}
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	return reply{status: resp.StatusCode, header: resp.Header, text: string(text), err: err}
}

// client makes no second try of its own, and shares no connection with other tests.
func (w *world) client() *http.Client {
	return &http.Client{
		Transport:     &http.Transport{DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// must is a request that succeeds.
func (w *world) must(method, path string, body any, accept ...string) reply {
	w.t.Helper()
	r := w.do(method, path, body, accept...)
	if r.err != nil || r.status >= 300 {
		w.t.Fatalf("%s %s: %d %s %v", method, path, r.status, r.text, r.err)
	}
	return r
}

// archive is the archive of a commit, by its link.
func (w *world) archive(ref string) string {
	w.t.Helper()
	link := w.do("GET", repoPath+"/tarball/"+ref, nil)
	path, is := strings.CutPrefix(link.header.Get("Location"), w.gh.URL)
	if link.err != nil || link.status != http.StatusFound || !is {
		w.t.Fatalf("%d %s %v", link.status, path, link.err)
	}
	r := w.as("", "GET", path, nil)
	if r.err != nil || r.status != http.StatusOK {
		w.t.Fatalf("%d %s %v", r.status, r.text, r.err)
	}
	return r.text
}

// graph asks a query and returns its data and its errors.
func (w *world) graph(query string, vars map[string]any) (map[string]any, []any) {
	w.t.Helper()
	o := w.must("POST", "/graphql", map[string]any{"query": query, "variables": vars}).json(w.t)
	data, _ := o["data"].(map[string]any)
	problems, _ := o["errors"].([]any)
	return data, problems
}

// at walks into a value of JSON.
func at(t *testing.T, value any, path ...any) any {
	t.Helper()
	for _, step := range path {
		switch step := step.(type) {
		case string:
			o, ok := value.(map[string]any)
			if !ok {
				t.Fatalf("%v: no object in %v", path, value)
			}
			value = o[step]
		case int:
			list, ok := value.([]any)
			if !ok || step >= len(list) {
				t.Fatalf("%v: no item %d in %v", path, step, value)
			}
			value = list[step]
		}
	}
	return value
}

type o = map[string]any

func itoa(n int64) string { return strconv.FormatInt(n, 10) }
