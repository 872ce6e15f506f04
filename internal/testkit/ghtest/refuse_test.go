package ghtest_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/testkit/ghtest"
)

const repoPath = "/repos/acme/widgets"

// TestReviewPlaces holds each place of a comment to GitHub's rules: one bad place
// refuses the whole review.
func TestReviewPlaces(t *testing.T) {
	t.Parallel()
	good := o{"path": "a.txt", "line": 1, "side": "RIGHT", "body": "fine"}
	for name, test := range map[string]struct {
		comment o
		problem string
	}{
		"a line that was added":        {o{"path": "a.txt", "line": 1, "side": "RIGHT"}, ""},
		"a line of the context":        {o{"path": "a.txt", "line": 4, "side": "RIGHT"}, ""},
		"a line that was removed":      {o{"path": "docs/b.md", "line": 1, "side": "LEFT"}, ""},
		"a range":                      {o{"path": "a.txt", "start_line": 1, "start_side": "RIGHT", "line": 3, "side": "RIGHT"}, ""},
		"between the hunks":            {o{"path": "a.txt", "line": 15, "side": "RIGHT"}, "line must be part of the diff"},
		"the wrong side":               {o{"path": "new.go", "line": 1, "side": "LEFT"}, "line must be part of the diff"},
		"a file that does not change":  {o{"path": ".github/debate.yml", "line": 1, "side": "RIGHT"}, "path is invalid"},
		"no line":                      {o{"path": "a.txt", "side": "RIGHT"}, "diff hunk can't be blank"},
		"a range over two hunks":       {o{"path": "a.txt", "start_line": 2, "line": 32, "side": "RIGHT"}, "same hunk"},
		"a range that is one line":     {o{"path": "a.txt", "start_line": 2, "line": 2, "side": "RIGHT"}, "precede the end line"},
		"a range that ends before":     {o{"path": "a.txt", "start_line": 3, "line": 2, "side": "RIGHT"}, "precede the end line"},
		"a range that starts nowhere":  {o{"path": "a.txt", "start_line": 15, "line": 32, "side": "RIGHT"}, "same hunk"},
		"a start that is no line":      {o{"path": "a.txt", "start_line": 0, "line": 2, "side": "RIGHT"}, "start line"},
		"a position instead of a line": {o{"path": "a.txt", "position": 1}, "hunk"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			test.comment["body"] = "here"
			r := w.do("POST", repoPath+"/pulls/1/reviews", o{
				"event": "COMMENT", "body": "all", "commit_id": w.pull.Head(), "comments": []o{good, test.comment},
			})
			if test.problem == "" {
				if r.status != 200 || len(w.pull.Inline()) != 2 {
					t.Fatalf("refused: %d %s", r.status, r.text)
				}
				return
			}
			if r.status != 422 || !strings.Contains(r.text, test.problem) {
				t.Fatalf("got %d %s, want 422 with %q", r.status, r.text, test.problem)
			}
			if len(w.pull.Inline()) != 0 || len(w.pull.Reviews()) != 0 {
				t.Error("a part of a refused review stands")
			}
		})
	}
}

// TestRefusals are requests that GitHub answers with an error.
func TestRefusals(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", 65_537)
	annotations := make([]o, 51)
	for i := range annotations {
		annotations[i] = o{"path": "a.txt", "start_line": 1, "end_line": 1, "annotation_level": "notice", "message": "m"}
	}
	for name, test := range map[string]struct {
		prepare func(*world)
		method  string
		path    string
		body    func(*world) any
		status  int
		message string
	}{
		"a review that is too long": {
			method: "POST", path: "/pulls/1/reviews", body: func(*world) any { return o{"event": "COMMENT", "body": long} },
			status: 422, message: "too long",
		},
		"a review of a commit that is not there": {
			method: "POST", path: "/pulls/1/reviews", status: 422, message: "not part of the pull request",
			body: func(w *world) any {
				return o{"event": "COMMENT", "body": "b", "commit_id": w.pull.Base(), "comments": []o{{"path": "a.txt", "line": 1, "body": "b"}}}
			},
		},
		"an approval of one's own": {
			prepare: func(w *world) { w.token = w.gh.PersonToken("alice") },
			method:  "POST", path: "/pulls/1/reviews", body: func(*world) any { return o{"event": "APPROVE"} },
			status: 422, message: "own pull request",
		},
		"an approval by a workflow": {
			method: "POST", path: "/pulls/1/reviews", body: func(*world) any { return o{"event": "APPROVE"} },
			status: 422, message: "not permitted to approve",
		},
		"an empty review": {
			method: "POST", path: "/pulls/1/reviews", body: func(*world) any { return o{"event": "COMMENT"} }, status: 422, message: "blank",
		},
		"a comment of too many bytes": {
			method: "POST", path: "/issues/1/comments", body: func(*world) any { return o{"body": strings.Repeat("x", 262_145)} },
			status: 422, message: "too long",
		},
		"an empty comment": {
			method: "POST", path: "/issues/1/comments", body: func(*world) any { return o{"body": " "} }, status: 422, message: "Validation Failed",
		},
		"a write with the token of a fork": {
			prepare: func(w *world) { w.token = w.gh.ForkToken() },
			method:  "POST", path: "/issues/1/comments", body: func(*world) any { return o{"body": "b"} },
			status: 403, message: "Resource not accessible by integration",
		},
		"a check run by a person": {
			prepare: func(w *world) { w.token = w.gh.PersonToken("carol") },
			method:  "POST", path: "/check-runs", body: func(w *world) any { return o{"name": "n", "head_sha": w.pull.Head()} },
			status: 403, message: "GitHub App",
		},
		"a status by a reader": {
			prepare: func(w *world) { w.token = w.gh.PersonToken("dave") },
			method:  "POST", path: "/statuses/HEAD", body: func(*world) any { return o{"state": "success"} }, status: 403, message: "push access",
		},
		"an issue without the permission": {
			prepare: func(w *world) { w.token = w.gh.JobToken(map[string]string{"pull-requests": "write"}) },
			method:  "POST", path: "/issues", body: func(*world) any { return o{"title": "t"} }, status: 403, message: "not accessible",
		},
		"an issue where there are none": {
			prepare: func(w *world) { w.repo.DisableIssues() },
			method:  "POST", path: "/issues", body: func(*world) any { return o{"title": "t"} }, status: 410, message: "disabled",
		},
		"an issue without a title": {
			method: "POST", path: "/issues", body: func(*world) any { return o{"body": "b"} }, status: 422, message: "missing_field",
		},
		"too many annotations": {
			method: "POST", path: "/check-runs", status: 422, message: "No more than 50",
			body: func(w *world) any {
				return o{"name": "n", "head_sha": w.pull.Head(), "output": o{"title": "t", "summary": "s", "annotations": annotations}}
			},
		},
		"a check run without a conclusion": {
			method: "POST", path: "/check-runs", status: 422, message: "conclusion",
			body: func(w *world) any { return o{"name": "n", "head_sha": w.pull.Head(), "status": "completed"} },
		},
		"a check run of another app": {
			prepare: func(w *world) {
				w.repo.AddCheckRun(ghtest.CheckRun{App: 7, Name: "other", HeadSHA: w.pull.Head(), Conclusion: "failure"})
			},
			method: "PATCH", path: "/check-runs/LAST", body: func(*world) any { return o{"name": "n"} }, status: 403, message: "app_id",
		},
		"a long description of a status": {
			method: "POST", path: "/statuses/HEAD", status: 422, message: "140",
			body: func(*world) any { return o{"state": "success", "description": strings.Repeat("x", 141)} },
		},
		"a label that exists": {
			method: "POST", path: "/labels", body: func(*world) any { return o{"name": "BUG"} }, status: 422, message: "already_exists",
		},
		"a label that is not on it": {method: "DELETE", path: "/issues/1/labels/bug", status: 404, message: "Label does not exist"},
		"a stranger's permission":   {method: "GET", path: "/collaborators/nobody-here/permission", status: 404, message: "Not Found"},
		"a private repository": {
			prepare: func(w *world) { w.repo.SetPrivate(true); w.token = w.gh.PersonToken("dave") },
			method:  "GET", path: "/pulls/1", status: 404, message: "Not Found",
		},
		"a private repository without the permission": {
			prepare: func(w *world) {
				w.repo.SetPrivate(true)
				w.token = w.gh.JobToken(map[string]string{"contents": "read"})
			},
			method: "GET", path: "/pulls/1", status: 403, message: "not accessible",
		},
		"a token that is none": {
			prepare: func(w *world) { w.gh.Revoke(w.token) }, method: "GET", path: "/pulls/1", status: 401, message: "Bad credentials",
		},
		"JSON that is none": {method: "POST", path: "/issues", body: func(*world) any { return "text" }, status: 400, message: "JSON"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			if test.prepare != nil {
				test.prepare(w)
			}
			var body any
			if test.body != nil {
				body = test.body(w)
			}
			path := strings.Replace(test.path, "HEAD", w.pull.Head(), 1)
			if runs := w.repo.CheckRuns(w.pull.Head()); len(runs) > 0 {
				path = strings.Replace(path, "LAST", itoa(runs[0].ID), 1)
			}
			r := w.do(test.method, repoPath+path, body)
			if r.status != test.status || !strings.Contains(r.text, test.message) {
				t.Errorf("got %d %s, want %d with %q", r.status, r.text, test.status, test.message)
			}
		})
	}
}

// TestDroppedEdit is the answer 200 that keeps the old body.
func TestDroppedEdit(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	issue := w.repo.OpenIssue("alice", "t", "short")
	r := w.must("PATCH", repoPath+"/issues/2", o{"body": strings.Repeat("x", 262_145)})
	if issue.Body() != "short" || r.json(t)["body"] != "short" {
		t.Error("a body that is too long was taken over")
	}
}

// TestLargeChanges are those that GitHub shows in parts only.
func TestLargeChanges(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	files := map[string]string{}
	for i := range 301 {
		files["many/"+itoa(int64(i))] = "x\n"
	}
	w.pull.Push(w.repo.Change(w.pull.Head(), files))
	path := repoPath + "/compare/" + w.pull.Base() + "..." + w.pull.Head()
	if r := w.do("GET", path, nil, "application/vnd.github.v3.diff"); r.status != 406 || !strings.Contains(r.text, "too_large") {
		t.Errorf("the diff of 304 files: %d %s", r.status, r.text)
	}
	if got := len(w.must("GET", path, nil).json(t)["files"].([]any)); got != 300 {
		t.Errorf("a comparison shows %d files", got)
	}
	if got := len(w.must("GET", repoPath+"/pulls/1/files?per_page=100&page=4", nil).list(t)); got != 4 {
		t.Errorf("the last page has %d files", got)
	}
	w.gh.SetTreeLimit(10)
	tree := w.must("GET", repoPath+"/git/trees/"+w.pull.Head()+"?recursive=1", nil).json(t)
	if tree["truncated"] != true || len(tree["tree"].([]any)) != 10 {
		t.Errorf("a large tree: truncated %v", tree["truncated"])
	}

	w.pull.Push(w.repo.Change(w.pull.Base(), map[string]string{"long": strings.Repeat("line\n", 20_001)}))
	path = repoPath + "/compare/" + w.pull.Base() + "..." + w.pull.Head()
	if r := w.do("GET", path, nil, "application/vnd.github.v3.diff"); r.status != 406 {
		t.Errorf("the diff of 20,001 lines: %d", r.status)
	}
	file := w.must("GET", repoPath+"/pulls/1/files", nil).list(t)[0]
	if _, has := file["patch"]; has || file["additions"] != 20_001.0 {
		t.Errorf("a long file: %v added, with a patch: %v", file["additions"], has)
	}
}

// TestUnchanged answers 304 to who has the answer.
func TestUnchanged(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ask := func(tag string) reply {
		req, err := http.NewRequestWithContext(t.Context(), "GET", w.gh.URL+"/api/v3"+repoPath+"/issues/1", nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer "+w.token)
		req.Header.Set("If-None-Match", tag)
		resp, err := w.client().Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		return reply{status: resp.StatusCode, header: resp.Header}
	}
	tag := ask("").header.Get("Etag")
	if again := ask(tag); tag == "" || again.status != 304 {
		t.Errorf("the same again: %d", again.status)
	}
	w.pull.Edit("alice", "changed")
	if again := ask(tag); again.status != 200 {
		t.Errorf("after a change: %d", again.status)
	}
}

// TestLabelsOfAStranger are dropped from a new issue without a word.
func TestLabelsOfAStranger(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.token = w.gh.PersonToken("dave")
	w.must("POST", repoPath+"/issues", o{"title": "t", "labels": []string{"new one"}})
	if got := w.repo.Issue(2).Labels(); len(got) != 0 {
		t.Errorf("labels %v", got)
	}
	w.token = w.gh.JobToken(full())
	w.must("POST", repoPath+"/issues", o{"title": "t", "labels": []string{"new one"}})
	if got := w.repo.Issue(3).Labels(); len(got) != 1 || len(w.repo.Labels()) != 3 {
		t.Errorf("labels %v of %v", got, w.repo.Labels())
	}
}
