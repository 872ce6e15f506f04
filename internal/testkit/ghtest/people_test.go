package ghtest_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/testkit/ghtest"
)

// TestClosingIssues: what a pull request is to close stands in its text, where it aims at
// the default branch, or is linked by hand. Who may not read issues is refused them alone.
func TestClosingIssues(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	named, linked, other := w.repo.OpenIssue("bob", "a bug", "it breaks"), w.repo.OpenIssue("bob", "another", ""), w.repo.OpenIssue("bob", "mentioned", "")
	w.pull.Edit("alice", fmt.Sprintf("FIXES: #%d, closes #%d, see #%d, fixes #99 and resolved #%d", named.Number, w.pull.Number, other.Number, named.Number))
	w.pull.Link(linked)
	query := `{ repository(owner: "acme", name: "widgets") { pullRequest(number: 1) { title closingIssuesReferences(first: 5) { nodes { title } } } } }`
	closes := func(titles ...any) o {
		nodes := []any{}
		for _, title := range titles {
			nodes = append(nodes, o{"title": title})
		}
		return o{"title": "A change", "closingIssuesReferences": o{"nodes": nodes}}
	}
	data, _ := w.graph(query, nil)
	if diff := cmp.Diff(any(closes("a bug", "another")), at(t, data, "repository", "pullRequest")); diff != "" {
		t.Error(diff)
	}
	w.repo.SetBranch("release", w.repo.Branch("main"))
	w.pull.SetBase("release")
	data, _ = w.graph(query, nil)
	if diff := cmp.Diff(any(closes("another")), at(t, data, "repository", "pullRequest")); diff != "" {
		t.Error(diff)
	}
	w.repo.SetPrivate(true)
	w.token = w.gh.JobToken(map[string]string{"pull-requests": "read"})
	data, problems := w.graph(query, nil)
	if len(problems) != 1 || at(t, data, "repository", "pullRequest", "closingIssuesReferences") != nil || at(t, data, "repository", "pullRequest", "title") != "A change" {
		t.Errorf("%v in %v", problems, data)
	}
}

// TestPermissionsChange takes a permission away while the token lives.
func TestPermissionsChange(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	status := func() int {
		return w.do("POST", repoPath+"/statuses/"+w.pull.Head(), o{"state": "success", "context": "debate"}).status
	}
	if got := status(); got != 201 {
		t.Errorf("with the permission: %d", got)
	}
	w.gh.SetPermissionsOf(w.token, map[string]string{"contents": "read"})
	if got := status(); got != 403 {
		t.Errorf("without: %d", got)
	}
	if got := w.repo.Statuses(w.pull.Head()); len(got) != 1 || got[0].Login != ghtest.ActionsBot {
		t.Errorf("statuses %v", got)
	}
	now := time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)
	w.gh.SetNow(func() time.Time { return now })
	if !w.gh.Now().Equal(now) {
		t.Error("the time is another one")
	}
}
