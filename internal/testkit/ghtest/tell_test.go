package ghtest_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/testkit/ghtest"
)

// TestEvents checks the parts of the payloads that programs rely on.
func TestEvents(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	comment := w.pull.Comment("bob", "/debate run")
	issue := w.repo.OpenIssue("github-actions[bot]", "t", "b", "awaiting_human")
	issueComment := issue.Comment("carol", "/debate decide D1 keep because")
	review := w.pull.Review("carol", "APPROVED", "", ghtest.InlineComment{Path: "a.txt", Line: 1, Body: "why?"})
	before := w.pull.Head()
	w.pull.Push(w.repo.Change(before, map[string]string{"new.go": "package newer\n"}))
	base, head := w.pull.Enqueue()
	issue.Close("carol", "not_planned")
	for name, test := range map[string]struct {
		kind, action string
		h            ghtest.Happening
		want         map[string]any // by path
		absent       string
	}{
		"opened": {"pull_request", "opened", ghtest.Happening{Pull: w.pull}, o{
			"number": 1.0, "pull_request/head/sha": w.pull.Head(), "pull_request/base/ref": "main", "sender/login": "alice", "action": "opened",
			"repository/full_name": "acme/widgets", "pull_request/head/repo/full_name": "acme/widgets", "pull_request/draft": false,
		}, "installation"},
		"a push": {"pull_request_target", "synchronize", ghtest.Happening{Pull: w.pull, Before: before}, o{
			"before": before, "after": w.pull.Head(),
		}, "changes"},
		"another base": {"pull_request", "edited", ghtest.Happening{Pull: w.pull, BaseBefore: "old"}, o{"changes/base/ref/from": "old"}, "before"},
		"a label":      {"pull_request", "labeled", ghtest.Happening{Pull: w.pull, Label: "bug", Sender: "carol"}, o{"label/name": "bug", "sender/login": "carol"}, ""},
		"a command": {"issue_comment", "created", ghtest.Happening{Comment: comment}, o{
			"comment/body": "/debate run", "comment/author_association": "NONE", "issue/number": 1.0, "sender/type": "User",
			"issue/pull_request/url": w.gh.URL + "/repos/acme/widgets/pulls/1", "comment/id": float64(comment.ID),
		}, "pull_request"},
		"a comment on an issue": {"issue_comment", "created", ghtest.Happening{Comment: issueComment}, o{
			"issue/number": 2.0, "comment/author_association": "MEMBER", "issue/user/login": "github-actions[bot]", "issue/user/type": "Bot",
		}, "issue/pull_request"},
		"an approval": {"pull_request_review", "submitted", ghtest.Happening{Review: review}, o{
			"review/state": "approved", "review/commit_id": before, "pull_request/number": 1.0,
		}, ""},
		"a comment on lines": {"pull_request_review_comment", "created", ghtest.Happening{Comment: w.pull.Inline()[0]}, o{
			"comment/path": "a.txt", "comment/line": 1.0, "pull_request/number": 1.0, "comment/body": "why?",
		}, "comment/in_reply_to_id"},
		"a closing": {"issues", "closed", ghtest.Happening{Issue: issue, Sender: "carol"}, o{
			"issue/state": "closed", "issue/state_reason": "not_planned", "issue/closed_by/login": "carol", "sender/login": "carol",
		}, "issue/pull_request"},
		"a merge queue": {"merge_group", "checks_requested", ghtest.Happening{Pull: w.pull, QueueBase: base, QueueHead: head}, o{
			"merge_group/head_sha": head, "merge_group/base_sha": base, "merge_group/base_ref": "refs/heads/main",
			"merge_group/head_ref": "refs/heads/gh-readonly-queue/main/pr-1-" + base,
		}, ""},
		"the clock": {"schedule", "", ghtest.Happening{Schedule: "17 * * * *"}, o{"schedule": "17 * * * *"}, "sender"},
		"a start by hand": {"workflow_dispatch", "", ghtest.Happening{Sender: "carol", Inputs: map[string]string{"pull-request": "1"}}, o{
			"inputs/pull-request": "1", "ref": "refs/heads/main", "sender/login": "carol",
		}, "action"},
	} {
		t.Run(name, func(t *testing.T) {
			var payload any
			if err := json.Unmarshal(w.repo.Event(test.kind, test.action, test.h), &payload); err != nil {
				t.Fatal(err)
			}
			for path, want := range test.want {
				var steps []any
				for _, step := range strings.Split(path, "/") {
					steps = append(steps, step)
				}
				if diff := cmp.Diff(want, at(t, payload, steps...)); diff != "" {
					t.Errorf("%s: %s", path, diff)
				}
			}
			if test.absent != "" {
				where := payload
				steps := strings.Split(test.absent, "/")
				for _, step := range steps[:len(steps)-1] {
					where = at(t, where, step)
				}
				if _, has := where.(map[string]any)[steps[len(steps)-1]]; has {
					t.Errorf("%s is there", test.absent)
				}
			}
		})
	}
}

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

// TestGraph asks for most of what a pull request and an issue have.
func TestGraph(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.must("POST", repoPath+"/issues/1/comments", o{"body": "mine"})
	mine := w.pull.Comments()[0]
	mine.Edit("mallory", "changed")
	mine.React("github-actions[bot]", "eyes")
	w.pull.Review("carol", "COMMENTED", "see", ghtest.InlineComment{Path: "a.txt", StartLine: 1, Line: 3, Body: "why?"})
	w.pull.Inline()[0].Reply("alice", "because")
	other := w.repo.OpenPull("bob", ghtest.NewPull{Title: "the same", Head: "topic"})
	issue := w.repo.OpenIssue("github-actions[bot]", "t", "b", "awaiting_human")
	issue.Close("carol", "duplicate")
	issue.Reopen("dave")
	w.pull.ClosesIssue("alice", issue)

	data, problems := w.graph(`query Q($number: Int!, $more: Boolean = false) {
	  viewer { login __typename }
	  repository(owner: "Acme", name: "widgets") {
	    databaseId owner { __typename login }
	    pull: pullRequest(number: $number) {
	      ...P
	      comments(last: 1) { nodes { author { __typename login } viewerDidAuthor lastEditedAt editor { login } databaseId fullDatabaseId
	        reactionGroups { content viewerHasReacted } } }
	      reviewThreads(first: 5) { nodes { line startLine diffSide isOutdated comments(first: 5) { nodes { body replyTo { body } } } } }
	      labels(first: 1) @include(if: $more) { nodes { name } }
	      commits(last: 1) { nodes { commit { associatedPullRequests(first: 5) { nodes { number state } } } } }
	      baseRef { target { oid ... on Commit { file(path: ".github/debate.yml") { mode object { ... on Blob { text byteSize isBinary } } } } } }
	    }
	    issues(first: 5, filterBy: {labels: ["awaiting_human"]}) { nodes { number stateReason(enableDuplicate: true)
	      timelineItems(last: 10, itemTypes: [CLOSED_EVENT, REOPENED_EVENT]) { nodes { __typename
	        ... on ClosedEvent { actor { login } stateReason closer { __typename } } ... on ReopenedEvent { actor { login } } } } } }
	    one: object(expression: "topic:new.go") { ... on Blob { text } }
	    none: object(expression: "topic:docs/b.md") { ... on Blob { text } }
	    folder: object(expression: "main:") { ... on Tree { entries { name type } } }
	  }
	}
	fragment P on PullRequest { state isDraft headRefOid isCrossRepository mergedBy { login } }`, o{"number": 1})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	pull := at(t, data, "repository", "pull")
	for _, check := range []struct {
		what any
		want any
	}{
		{at(t, data, "viewer", "login"), "github-actions[bot]"},
		{at(t, data, "repository", "owner", "__typename"), "Organization"},
		{at(t, pull, "state"), "OPEN"},
		{at(t, pull, "headRefOid"), w.pull.Head()},
		{at(t, pull, "mergedBy"), nil},
		{at(t, pull, "comments", "nodes", 0, "author"), o{"__typename": "Bot", "login": "github-actions"}},
		{at(t, pull, "comments", "nodes", 0, "viewerDidAuthor"), true},
		{at(t, pull, "comments", "nodes", 0, "editor", "login"), "mallory"},
		{at(t, pull, "comments", "nodes", 0, "databaseId"), nil},
		{at(t, pull, "comments", "nodes", 0, "fullDatabaseId"), itoa(mine.ID)},
		{at(t, pull, "comments", "nodes", 0, "reactionGroups", 7), o{"content": "EYES", "viewerHasReacted": true}},
		{at(t, pull, "reviewThreads", "nodes", 0, "line"), 3.0},
		{at(t, pull, "reviewThreads", "nodes", 0, "startLine"), 1.0},
		{at(t, pull, "reviewThreads", "nodes", 0, "comments", "nodes", 1, "replyTo", "body"), "why?"},
		{at(t, pull, "labels"), nil},
		{at(t, pull, "commits", "nodes", 0, "commit", "associatedPullRequests", "nodes", 1, "number"), float64(other.Number)},
		{at(t, pull, "baseRef", "target", "file", "object", "text"), "mode: code\n"},
		{at(t, data, "repository", "issues", "nodes", 0, "timelineItems", "nodes"), []any{
			o{"__typename": "ClosedEvent", "actor": o{"login": "carol"}, "stateReason": "DUPLICATE", "closer": nil},
			o{"__typename": "ReopenedEvent", "actor": o{"login": "dave"}},
			o{"__typename": "ClosedEvent", "actor": o{"login": "alice"}, "stateReason": "COMPLETED", "closer": o{"__typename": "PullRequest"}},
		}},
		{at(t, data, "repository", "one", "text"), "package new\n"},
		{at(t, data, "repository", "none"), nil},
		{at(t, data, "repository", "folder", "entries", 0), o{"name": ".github", "type": "tree"}},
	} {
		if diff := cmp.Diff(check.want, check.what); diff != "" {
			t.Error(diff)
		}
	}
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
