package ghtest_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/testkit/ghtest"
)

// TestPages follows the links through a long conversation.
func TestPages(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for range 650 {
		w.pull.Comment("bob", "text")
	}
	path, seen, pages := repoPath+"/issues/1/comments?per_page=100", map[any]bool{}, 0
	for path != "" {
		r := w.must("GET", path, nil)
		for _, c := range r.list(t) {
			seen[c["id"]] = true
		}
		pages++
		path = ""
		for _, link := range strings.Split(r.header.Get("Link"), ", ") {
			if strings.HasSuffix(link, `rel="next"`) {
				path = strings.TrimPrefix(link[1:strings.Index(link, ">")], w.gh.URL)
			}
		}
	}
	if len(seen) != 650 || pages != 7 {
		t.Errorf("%d comments on %d pages", len(seen), pages)
	}
	if r := w.must("GET", repoPath+"/issues/1/comments?per_page=1000", nil); len(r.list(t)) != 100 {
		t.Error("a page may hold more than 100")
	}
	seen, after := map[any]bool{}, ""
	for pages = 0; ; pages++ {
		data, problems := w.graph(`query($after: String) { repository(owner: "acme", name: "widgets") { pullRequest(number: 1) {
			comments(first: 100, after: $after) { totalCount nodes { id } pageInfo { hasNextPage endCursor } } } } }`, o{"after": orNil(after)})
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		list := at(t, data, "repository", "pullRequest", "comments")
		for _, c := range at(t, list, "nodes").([]any) {
			seen[at(t, c, "id")] = true
		}
		if at(t, list, "pageInfo", "hasNextPage") == false {
			break
		}
		after = at(t, list, "pageInfo", "endCursor").(string)
	}
	if len(seen) != 650 || pages != 6 {
		t.Errorf("%d comments after %d further pages", len(seen), pages)
	}
}

func orNil(text string) any {
	if text == "" {
		return nil
	}
	return text
}

// TestThreadsMove follows lines of a comment over pushes.
func TestThreadsMove(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.pull.Review("carol", "COMMENTED", "", ghtest.InlineComment{Path: "a.txt", Line: 32, Body: "here"},
		ghtest.InlineComment{Path: "docs/b.md", Side: "LEFT", Line: 1, Body: "gone?"})
	line := func(i int) any {
		return w.must("GET", repoPath+"/pulls/1/comments", nil).list(t)[i]["line"]
	}
	if line(0) != 32.0 || line(1) != 1.0 {
		t.Fatalf("lines %v, %v", line(0), line(1))
	}
	text := "zero\nfirst\n" + lines(30) + "middle\n" + lines(40)[30*7:]
	w.pull.Push(w.repo.Change(w.pull.Head(), map[string]string{"a.txt": text}))
	if line(0) != 33.0 {
		t.Errorf("after a line above it: %v", line(0))
	}
	w.pull.Push(w.repo.Change(w.pull.Head(), map[string]string{"a.txt": lines(40), "docs/b.md": "# b\n"}))
	if line(0) != nil || line(1) != nil {
		t.Errorf("after the change is gone: %v, %v", line(0), line(1))
	}
	data, _ := w.graph(`{ repository(owner: "acme", name: "widgets") { pullRequest(number: 1) {
		reviewThreads(first: 2) { nodes { isOutdated line } } } } }`, nil)
	if diff := cmp.Diff(o{"isOutdated": true, "line": nil}, at(t, data, "repository", "pullRequest", "reviewThreads", "nodes", 0)); diff != "" {
		t.Error(diff)
	}
}

// TestResolve holds what only GraphQL can do to the permissions it asks for.
func TestResolve(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.pull.Review("carol", "COMMENTED", "", ghtest.InlineComment{Path: "a.txt", Line: 1, Body: "here"})
	data, _ := w.graph(`{ repository(owner: "acme", name: "widgets") { pullRequest(number: 1) { reviewThreads(first: 1) { nodes { id } } } } }`, nil)
	id := at(t, data, "repository", "pullRequest", "reviewThreads", "nodes", 0, "id")
	const mutation = `mutation Resolve($id: ID!) { resolveReviewThread(input: {threadId: $id}) { thread { isResolved } } }`
	_, problems := w.graph(mutation, o{"id": id})
	if len(problems) != 1 || at(t, problems[0], "type") != "FORBIDDEN" {
		t.Fatalf("without contents: write: %v", problems)
	}
	more := full()
	more["contents"] = "write"
	w.token = w.gh.JobToken(more)
	data, problems = w.graph(mutation, o{"id": id})
	if len(problems) > 0 || at(t, data, "resolveReviewThread", "thread", "isResolved") != true {
		t.Errorf("%v %v", data, problems)
	}
	if writes := w.gh.Writes(); len(writes) != 2 || writes[0].Operation != "Resolve" {
		t.Errorf("writes %v", writes)
	}
}

// TestRename redirects what names the repository as it was.
func TestRename(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.repo.Rename("gadgets")
	r := w.do("GET", repoPath+"/pulls?state=all", nil)
	to := r.header.Get("Location")
	if r.status != 301 || !strings.HasPrefix(to, w.gh.URL+"/repositories/") {
		t.Fatalf("%d to %q", r.status, to)
	}
	if got := w.must("GET", strings.TrimPrefix(to, w.gh.URL), nil).list(t); len(got) != 1 || got[0]["number"] != 1.0 {
		t.Errorf("behind the redirection: %v", got)
	}
}
