package ghtest_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/prdebate/debate/internal/testkit/ghtest"
)

// crowded is a world in which there is one of everything.
func crowded(t *testing.T) (*world, *ghtest.Issue) {
	t.Helper()
	w := newWorld(t)
	more := full()
	more["contents"] = "write"
	w.token = w.gh.JobToken(more)
	w.pull.Comment("bob", "text").React("carol", "+1")
	w.pull.Comment(ghtest.ActionsBot, "mine").Edit(ghtest.ActionsBot, "edited")
	w.pull.Review("carol", "CHANGES_REQUESTED", "no", ghtest.InlineComment{Path: "a.txt", StartLine: 1, Line: 3, Body: "why?"},
		ghtest.InlineComment{Path: "docs/b.md", Side: "LEFT", Line: 1, Body: "gone?"})
	w.pull.Inline()[0].Reply("alice", "because")
	w.pull.Inline()[0].Resolve("carol")
	w.pull.RequestReview("dave")
	w.pull.AddLabel("carol", "bug")
	w.pull.RemoveLabel("carol", "bug")
	w.pull.AddLabel("carol", "enhancement")
	w.pull.SetTitle("alice", "Another title")
	w.pull.ForcePush("alice", w.pull.Head())
	w.repo.MadeBy(w.pull.Head(), "helper[bot]")
	w.pull.Enqueue()
	w.repo.AddCheckRun(ghtest.CheckRun{Name: "build", HeadSHA: w.pull.Head(), Conclusion: "failure", Title: "t", Summary: "s",
		Annotations: []ghtest.Annotation{{Path: "a.txt", StartLine: 1, EndLine: 2, Level: "failure", Message: "m"}}})
	issue := w.repo.OpenIssue(ghtest.ActionsBot, "t", "b", "awaiting_human")
	issue.Comment("carol", "/debate decide D1 keep because")
	issue.Close("carol", "completed")
	issue.Reopen("dave")
	issue.CloseByCommit("carol", w.pull.Base())
	return w, issue
}

// TestEveryPath asks every path of REST once with success, so that the check against
// GitHub's description sees every answer.
func TestEveryPath(t *testing.T) {
	t.Parallel()
	w, _ := crowded(t)
	head, base := w.pull.Head(), w.pull.Base()
	comment, inline := itoa(w.pull.Comments()[1].ID), itoa(w.pull.Inline()[0].ID)
	review, run := itoa(w.pull.Reviews()[0].ID), itoa(w.repo.CheckRuns(head)[0].ID)
	tree := w.must("GET", repoPath+"/git/trees/"+head, nil).json(t)
	blob := at(t, tree, "tree", len(tree["tree"].([]any))-1, "sha").(string)
	for _, step := range []struct {
		method, path string
		body         any
	}{
		{"GET", "/rate_limit", nil},
		{"GET", repoPath, nil},
		{"GET", repoPath + "/activity?per_page=1&ref=refs/heads/topic", nil},
		{"GET", repoPath + "/compare/" + base + "..." + head, nil},
		{"GET", repoPath + "/compare/main...acme:topic?per_page=1", nil},
		{"GET", repoPath + "/git/blobs/" + blob, nil},
		{"GET", repoPath + "/contents/a.txt?ref=" + head, nil},
		{"GET", repoPath + "/contents/.github?ref=main", nil},
		{"GET", repoPath + "/commits/" + head, nil},
		{"GET", repoPath + "/commits/" + head + "/check-runs?filter=all&per_page=100", nil},
		{"GET", repoPath + "/commits/" + head + "/pulls", nil},
		{"POST", repoPath + "/check-runs", o{"name": "debate", "head_sha": head, "status": "in_progress"}},
		{"GET", repoPath + "/check-runs/" + run, nil},
		{"PATCH", repoPath + "/check-runs/" + run, o{"name": "build", "conclusion": "success", "output": o{"title": "t", "summary": "s",
			"annotations": []o{{"path": "a.txt", "start_line": 1, "end_line": 1, "annotation_level": "notice", "message": "m"}}}}},
		{"GET", repoPath + "/check-runs/" + run + "/annotations", nil},
		{"POST", repoPath + "/statuses/" + head, o{"state": "pending", "context": "debate", "description": "d"}},
		{"POST", repoPath + "/statuses/" + head, o{"state": "success", "context": "debate", "target_url": "https://example.com/"}},
		{"GET", repoPath + "/commits/" + head + "/statuses", nil},
		{"GET", repoPath + "/commits/" + head + "/status", nil},
		{"GET", repoPath + "/collaborators/carol/permission", nil},
		{"GET", repoPath + "/labels", nil},
		{"POST", repoPath + "/labels", o{"name": "human_decided", "color": "00ff00", "description": "d"}},
		{"GET", repoPath + "/labels/human_decided", nil},
		{"GET", repoPath + "/pulls?state=all&sort=updated&direction=desc", nil},
		{"GET", repoPath + "/pulls/comments/" + inline, nil},
		{"PATCH", repoPath + "/pulls/comments/" + inline, o{"body": "edited"}},
		{"POST", repoPath + "/pulls/comments/" + inline + "/reactions", o{"content": "eyes"}},
		{"GET", repoPath + "/pulls/1", nil},
		{"GET", repoPath + "/pulls/1/files?per_page=100", nil},
		{"GET", repoPath + "/pulls/1/reviews", nil},
		{"GET", repoPath + "/pulls/1/requested_reviewers", nil},
		{"POST", repoPath + "/pulls/1/reviews", o{"event": "COMMENT", "body": "b", "commit_id": head, "comments": []o{
			{"path": "a.txt", "line": 3, "side": "RIGHT", "start_line": 1, "start_side": "RIGHT", "body": "b"}}}},
		{"PUT", repoPath + "/pulls/1/reviews/" + review, o{"body": "edited"}},
		{"GET", repoPath + "/pulls/1/reviews/" + review + "/comments", nil},
		{"GET", repoPath + "/pulls/1/comments", nil},
		{"POST", repoPath + "/pulls/1/comments", o{"path": "new.go", "subject_type": "file", "commit_id": head, "body": "b"}},
		{"POST", repoPath + "/pulls/1/comments", o{"path": "new.go", "line": 1, "side": "RIGHT", "commit_id": head, "body": "b"}},
		{"POST", repoPath + "/pulls/1/comments/" + inline + "/replies", o{"body": "b"}},
		{"GET", repoPath + "/issues?state=all&labels=awaiting_human&since=2026-01-01T00:00:00Z", nil},
		{"POST", repoPath + "/issues", o{"title": "t", "body": "b", "labels": []string{"awaiting_human"}}},
		{"GET", repoPath + "/issues/comments/" + comment, nil},
		{"PATCH", repoPath + "/issues/comments/" + comment, o{"body": "edited again"}},
		{"POST", repoPath + "/issues/comments/" + comment + "/reactions", o{"content": "+1"}},
		{"POST", repoPath + "/issues/comments/" + comment + "/reactions", o{"content": "+1"}},
		{"GET", repoPath + "/issues/1", nil},
		{"PATCH", repoPath + "/issues/2", o{"state": "closed", "state_reason": "not_planned", "labels": []string{"human_decided"}, "title": "u"}},
		{"PATCH", repoPath + "/issues/2", o{"state": "open", "body": "c"}},
		{"GET", repoPath + "/issues/1/comments?since=2026-01-01T00:00:00Z", nil},
		{"POST", repoPath + "/issues/1/comments", o{"body": "b"}},
		{"GET", repoPath + "/issues/2/events", nil},
		{"GET", repoPath + "/issues/2/timeline", nil},
		{"GET", repoPath + "/issues/2/labels", nil},
		{"POST", repoPath + "/issues/1/labels", o{"labels": []string{"bug"}}},
		{"DELETE", repoPath + "/issues/1/labels/bug", nil},
	} {
		w.must(step.method, step.path, step.body)
	}
	job := w.token
	w.token = w.gh.PersonToken("carol")
	w.must("GET", "/user", nil)
	w.token = job
	w.archive("main")
	w.everyOfApp()
	asked := map[string]bool{}
	for _, r := range w.gh.Requests() {
		asked[r.Operation] = true
	}
	for _, path := range w.gh.Paths() {
		if !asked[path] {
			t.Errorf("%s was not asked", path)
		}
	}
}

// everyOfApp asks every path that is for Apps.
func (w *world) everyOfApp() {
	w.t.Helper()
	app, statement := w.newApp()
	in := app.Install("acme", w.repo)
	token := w.access(statement, in, o{"repository_ids": []int64{w.repo.ID}}).json(w.t)["token"].(string)
	in.Suspend()
	delivery := in.Tell("installation", "suspend")
	w.token = statement
	for _, path := range []string{"/app", "/app/installations?per_page=100&page=1", "/app/installations/" + itoa(in.ID), "/app/hook/deliveries", "/app/hook/deliveries/" + itoa(delivery.ID)} {
		w.must("GET", path, nil)
	}
	in.Unsuspend()
	in.Tell("installation", "unsuspend")
	w.token = token
	w.must("GET", "/installation/repositories", nil)
	w.must("GET", repoPath+"/pulls/1", nil)
	w.token = ""
	for _, path := range []string{"/settings/apps/new", "/organizations/acme/settings/apps/new"} {
		w.do("POST", path, nil)
	}
	code := w.gh.MakeApp(`{"name": "a", "url": "https://example.com", "redirect_url": "http://127.0.0.1/"}`)
	w.must("POST", "/app-manifests/"+code+"/conversions", nil)
}

// writer makes queries that ask for everything.
type writer struct {
	schema *ast.Schema
	given  map[string]string // arguments of a field, by Type.field
	asked  map[string]bool   // Type.field
}

// selection asks for all fields of a kind. A kind inside itself shows its name only.
func (q writer) selection(kind string, inside []string, prefix string) string {
	def := q.schema.Types[kind]
	if slices.Contains(inside, kind) || len(inside) > 6 {
		return " { __typename }"
	}
	inside = append(slices.Clone(inside), kind)
	if def.Kind != ast.Object {
		text := " { __typename"
		for _, one := range q.schema.GetPossibleTypes(def) {
			text += " ... on " + one.Name + q.selection(one.Name, inside, one.Name+"_")
		}
		return text + " }"
	}
	text := " {"
	for _, f := range def.Fields {
		if strings.HasPrefix(f.Name, "__") {
			continue
		}
		q.asked[kind+"."+f.Name] = true
		text += " "
		if prefix != "" {
			text += prefix + f.Name + ": "
		}
		text += f.Name
		switch given, ok := q.given[kind+"."+f.Name]; {
		case ok:
			text += given
		case f.Arguments.ForName("first") != nil:
			text += "(first: 3)"
		}
		if inner := q.schema.Types[f.Type.Name()]; inner.IsCompositeType() {
			text += q.selection(inner.Name, inside, "")
		}
	}
	return text + " }"
}

// TestEveryField asks for every field of the schema, so that the check against
// GitHub's schema sees every answer.
func TestEveryField(t *testing.T) {
	t.Parallel()
	w, issue := crowded(t)
	schema := gqlparser.MustLoadSchema(&ast.Source{Input: ghtest.Schema})
	q := writer{schema: schema, asked: map[string]bool{}, given: map[string]string{
		"Repository.pullRequest": "(number: 1)", "Repository.issue": fmt.Sprintf("(number: %d)", issue.Number),
		"Repository.issueOrPullRequest": "(number: 2)", "Repository.object": `(expression: "main:a.txt")`,
		"Repository.ref": `(qualifiedName: "refs/heads/topic")`, "Repository.label": `(name: "bug")`, "Commit.file": `(path: "a.txt")`,
	}}
	w.repo.SetBranch("main", w.pull.Base())
	for _, f := range schema.Types["Repository"].Fields {
		inner := schema.Types[f.Type.Name()]
		if !inner.IsCompositeType() {
			continue
		}
		args := q.given["Repository."+f.Name]
		if f.Arguments.ForName("first") != nil {
			args = "(first: 3)"
		}
		query := `{ rateLimit` + q.selection("RateLimit", nil, "") + ` viewer` + q.selection("User", nil, "") +
			` repository(owner: "acme", name: "widgets") { id ` + f.Name + args + q.selection(inner.Name, []string{"Repository"}, "") + " } }"
		if data, problems := w.graph(query, nil); len(problems) > 0 || at(t, data, "repository", f.Name) == nil {
			t.Errorf("%s: %v in %v", f.Name, problems, data)
		}
	}
	for _, def := range schema.Types {
		for _, f := range def.Fields {
			root := def == schema.Query || def == schema.Mutation || strings.HasSuffix(def.Name, "Payload")
			if def.Kind == ast.Object && !def.BuiltIn && !root && !q.asked[def.Name+"."+f.Name] && !strings.HasPrefix(def.Name, "Repository") {
				t.Errorf("%s.%s was not asked", def.Name, f.Name)
			}
		}
	}
	first := w.must("GET", repoPath+"/pulls/1/comments", nil).list(t)[0]["node_id"]
	threads, _ := w.graph(`{ repository(owner: "acme", name: "widgets") { pullRequest(number: 1) { reviewThreads(first: 1) { nodes { id } } } } }`, nil)
	thread := at(t, threads, "repository", "pullRequest", "reviewThreads", "nodes", 0, "id")
	for _, m := range schema.Mutation.Fields {
		input, id := "{threadId: $id}", thread
		switch m.Name {
		case "minimizeComment":
			input, id = "{subjectId: $id, classifier: OUTDATED}", first
		case "unminimizeComment":
			input, id = "{subjectId: $id}", first
		}
		query := "mutation M($id: ID!) { " + m.Name + "(input: " + input + ")" + q.selection(m.Type.Name(), []string{"Repository", "PullRequest"}, "") + " }"
		if _, problems := w.graph(query, o{"id": id}); len(problems) > 0 {
			t.Errorf("%s: %v", m.Name, problems)
		}
	}
	data, problems := w.graph(`query($ids: [ID!]!) { nodes(ids: $ids) { __typename id } node(id: "none") { id } }`, o{"ids": []any{thread, first}})
	if len(problems) != 1 || at(t, data, "nodes", 0, "__typename") != "PullRequestReviewThread" || at(t, data, "node") != nil {
		t.Errorf("%v %v", data, problems)
	}
}
