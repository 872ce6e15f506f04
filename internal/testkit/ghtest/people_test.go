package ghtest_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/testkit/ghtest"
)

// facts asks GraphQL what stands on a pull request.
func (w *world) facts(number int) map[string]any {
	w.t.Helper()
	data, problems := w.graph(`query($n: Int!) { repository(owner: "acme", name: "widgets") { pullRequest(number: $n) {
		state isDraft baseRefName isCrossRepository mergedBy { login } headRepository { nameWithOwner }
		comments(first: 10) { nodes { body isMinimized author { login } } } reviews(first: 5) { nodes { state lastEditedAt } }
		timelineItems(last: 5, itemTypes: [CLOSED_EVENT, MERGED_EVENT]) { nodes { __typename } } } } }`, o{"n": number})
	if len(problems) > 0 {
		w.t.Fatal(problems)
	}
	return at(w.t, data, "repository", "pullRequest").(map[string]any)
}

// TestForks opens a pull request from a fork that is deleted then.
func TestForks(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	fork := w.repo.Fork("eve")
	fork.SetBranch("fix", fork.Change(w.pull.Base(), map[string]string{"a.txt": "short\n"}))
	pull := w.repo.OpenPull("eve", ghtest.NewPull{Title: "from outside", From: fork, Head: "fix", Draft: true, Labels: []string{"bug"}})
	before := w.facts(pull.Number)
	if before["isCrossRepository"] != true || at(t, before, "headRepository", "nameWithOwner") != "eve/widgets" || before["isDraft"] != true {
		t.Errorf("from the fork: %v", before)
	}
	w.must("GET", repoPath+"/compare/main...eve:fix", nil)
	if got := w.repo.Pull(pull.Number).Labels(); !slices.Equal(got, []string{"bug"}) {
		t.Errorf("labels %v", got)
	}
	pull.SetDraft(false)
	fork.Delete()
	after := w.must("GET", repoPath+"/pulls/"+itoa(int64(pull.Number)), nil).json(t)
	if at(t, after, "head", "repo") != nil || after["draft"] != false || w.facts(pull.Number)["headRepository"] != nil {
		t.Errorf("after the fork is gone: %v", after["head"])
	}
	w.token = w.gh.ForkToken()
	w.must("GET", repoPath+"/pulls/1", nil)
}

// TestStory follows a pull request through what people do with it.
func TestStory(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	start := w.gh.Now()
	spam, talk := w.pull.Comment("mallory", "buy"), w.pull.Comment("bob", "hm")
	spam.Minimize("spam")
	talk.Edit("bob", "hm!")
	talk.React("bob", "+1")
	w.pull.Comment("bob", "wrong window").Delete()
	w.pull.Comment("ghost", "I am gone")
	review := w.pull.Review("carol", "APPROVED", "good")
	review.Dismiss()
	review.Edit("carol", "was good")
	if got := []string{talk.Body(), talk.Author(), review.Body(), review.Author(), review.State()}; !slices.Equal(got,
		[]string{"hm!", "bob", "was good", "carol", "DISMISSED"}) || !slices.Equal(talk.Reactions("bob"), []string{"+1"}) {
		t.Errorf("people see %q", got)
	}
	issue := w.repo.OpenIssue("bob", "a bug", "it breaks")
	w.repo.SetBranch("release", w.repo.Branch("main"))
	w.pull.SetBase("release")
	w.pull.Merge("carol")
	w.pull.ClosesIssue("carol", issue)
	if issue.Open() || w.pull.Open() || len(w.repo.Issues()) != 1 || issue.Title() != "a bug" {
		t.Error("the merge closed not everything")
	}
	if !w.gh.Now().After(start) {
		t.Error("changes took no time")
	}
	want := o{
		"state": "MERGED", "isDraft": false, "baseRefName": "release", "isCrossRepository": false, "mergedBy": o{"login": "carol"},
		"headRepository": o{"nameWithOwner": "acme/widgets"},
		"comments": o{"nodes": []any{
			o{"body": "buy", "isMinimized": true, "author": o{"login": "mallory"}}, o{"body": "hm!", "isMinimized": false, "author": o{"login": "bob"}},
			o{"body": "I am gone", "isMinimized": false, "author": nil},
		}},
		"reviews":       o{"nodes": []any{o{"state": "DISMISSED", "lastEditedAt": at(t, w.facts(1), "reviews", "nodes", 0, "lastEditedAt")}}},
		"timelineItems": o{"nodes": []any{o{"__typename": "MergedEvent"}, o{"__typename": "ClosedEvent"}}},
	}
	if diff := cmp.Diff(want, any(w.facts(1))); diff != "" {
		t.Error(diff)
	}
	if w.repo.Branch("release") == w.repo.Branch("main") || w.must("GET", repoPath+"/pulls/1", nil).json(t)["merged"] != true {
		t.Error("the base branch did not move")
	}
	issue.Lock()
	w.token = w.gh.PersonToken("dave")
	if r := w.do("POST", repoPath+"/issues/2/comments", o{"body": "b"}); r.status != 403 {
		t.Errorf("a comment on a locked issue: %d", r.status)
	}
}

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

// TestRoles shows roles as both fields of the API name them.
func TestRoles(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for role, legacy := range map[ghtest.Role]string{
		ghtest.None: "none", ghtest.Read: "read", ghtest.Triage: "read", ghtest.Write: "write", ghtest.Maintain: "write", ghtest.Admin: "admin",
	} {
		w.repo.SetPermission("frank", role)
		got := w.must("GET", repoPath+"/collaborators/frank/permission", nil).json(t)
		if got["permission"] != legacy || got["role_name"] != string(role) {
			t.Errorf("%s: %v, %v", role, got["permission"], got["role_name"])
		}
	}
	if r := w.do("GET", repoPath+"/collaborators/github-actions[bot]/permission", nil); r.status != 404 {
		t.Errorf("a bot's permission: %d", r.status)
	}
	w.repo.OwnedByUser()
	if got := w.must("GET", repoPath+"/collaborators/acme/permission", nil).json(t)["role_name"]; got != "admin" {
		t.Errorf("the owner's role: %v", got)
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
