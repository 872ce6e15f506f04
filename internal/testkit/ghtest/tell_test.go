package ghtest_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/testkit/ghtest"
)

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
