package gh_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/testkit/ghtest"
)

func TestChecks(t *testing.T) {
	t.Parallel()
	w := small(t)
	w.repo.AddCheckRun(ghtest.CheckRun{HeadSHA: w.head, Name: "lint", Conclusion: "success"})
	failed := func() ([]debate.Run, error) {
		t.Helper()
		all, err := w.c.Reader.Checks(t.Context(), w.head, "")
		if err != nil {
			t.Fatal(err)
		}
		before := len(w.Requests())
		runs, err := w.c.Reader.FailedRuns(t.Context(), all, "debate")
		if len(w.Requests()) > before+1 {
			t.Errorf("%d requests", len(w.Requests())-before)
		}
		return runs, err
	}
	if runs, err := failed(); err != nil || runs != nil {
		t.Errorf("got %v, %v", runs, err)
	}
	red := w.repo.AddCheckRun(ghtest.CheckRun{HeadSHA: w.head, Name: "test", Conclusion: "failure", Title: "1 failed", App: 99, Annotations: []ghtest.Annotation{
		{Path: "a.go", StartLine: 2, EndLine: 2, Level: "failure", Message: "expected 1"}, {Path: "a.go", StartLine: 1, EndLine: 1, Level: "notice", Message: "fyi"},
	}})
	for _, name := range []string{"debate", "debate-review", "debate-models", "debate-collect"} {
		w.repo.AddCheckRun(ghtest.CheckRun{HeadSHA: w.head, Name: name, Conclusion: "failure"})
	}
	w.repo.AddCheckRun(ghtest.CheckRun{HeadSHA: w.head, Name: "running", Status: "in_progress"})
	runs, err := failed()
	if err != nil || len(runs) != 2 {
		t.Fatalf("got %+v, %v", runs, err)
	}
	if r := runs[0]; r.Ref != fmt.Sprintf("check:%d", red.ID) || r.Name != "test" || !r.Failed || r.Text != "1 failed" || len(r.Hash) != 64 {
		t.Errorf("got %+v", r)
	}
	if r := runs[1]; r.Path != "a.go" || r.StartLine != 2 || r.Text != "expected 1" || r.Changed || r.Hash == runs[0].Hash {
		t.Errorf("got %+v", r)
	}
	id, err := w.c.Writer.CreateCheck(t.Context(), gh.Check{Name: "mine", HeadSHA: w.head, ExternalID: "7", Title: "t", Summary: "s"})
	if err != nil {
		t.Fatal(err)
	}
	find := func(id int64) gh.CheckRun {
		t.Helper()
		runs, err := w.c.Reader.Checks(t.Context(), w.head, "")
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(runs, func(r gh.CheckRun) bool { return r.ID == id })
		if i < 0 {
			t.Fatalf("no run %d in %+v", id, runs)
		}
		if runs[i].StartedAt.IsZero() {
			t.Errorf("run %d began at no time", id)
		}
		runs[i].StartedAt = time.Time{}
		return runs[i]
	}
	if diff := cmp.Diff(gh.CheckRun{ID: id, Name: "mine", Title: "t", Summary: "s", ExternalID: "7", Mine: true}, find(id)); diff != "" {
		t.Error(diff)
	}
	if err := w.c.Writer.UpdateCheck(t.Context(), id, gh.Check{Name: "mine", HeadSHA: w.head, ExternalID: "7", Conclusion: debate.ActionRequired, Title: "t2", Summary: "s2"}); err != nil {
		t.Fatal(err)
	}
	if got := find(id); !got.Done || got.Conclusion != "action_required" || got.Title != "t2" {
		t.Errorf("got %+v", got)
	}
	if find(red.ID).Mine {
		t.Error("another app's run passes for ours")
	}
}

func TestIssues(t *testing.T) {
	t.Parallel()
	w := small(t)
	ours, err := w.c.Writer.CreateIssue(t.Context(), gh.NewIssue{Title: "Decide", Body: "please m", Labels: []string{"awaiting_human"}, Marker: "m"})
	if err != nil || !ours.Mine || !ours.Open || !slices.Equal(ours.Labels, []string{"awaiting_human"}) {
		t.Fatalf("got %+v, %v", ours, err)
	}
	w.repo.OpenIssue("mona", "other", "m", "awaiting_human")
	on := w.repo.Issue(ours.Number)
	on.Comment("max", "/debate decide D1 keep")
	on.Close("max", "not_planned")
	on.Reopen("mona")
	on.Close("mona", "duplicate")
	w.Forget()
	found, err := w.c.Reader.Issues(t.Context(), "awaiting_human", time.Time{})
	if err != nil || len(found) != 2 || found[1].Mine || len(w.Requests()) != 1 {
		t.Fatalf("got %+v, %v", found, err)
	}
	one, err := w.c.Reader.Issue(t.Context(), ours.Number)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(found[0], one); diff != "" {
		t.Error(diff)
	}
	if !one.Mine || one.Open || one.Author.Login != "github-actions[bot]" || len(one.Comments) != 1 || len(one.Events) != 3 {
		t.Fatalf("got %+v", one)
	}
	if e := one.Events[0]; e.Kind != gh.IssueClosed || e.By.Login != "max" || e.Reason != gh.NotPlanned || e.ByCode {
		t.Errorf("got %+v", e)
	}
	if e := one.Events[1]; e.Kind != gh.IssueReopened || e.By.Login != "mona" || e.Reason != "" {
		t.Errorf("got %+v", e)
	}
	if e := one.Events[2]; e.Reason != gh.Duplicate {
		t.Errorf("got %+v", e)
	}
	open, body := true, "else m"
	if err := w.c.Writer.EditIssue(t.Context(), ours.Number, gh.IssueChange{Open: &open, Body: &body, Labels: []string{"bug"}}); err != nil {
		t.Fatal(err)
	}
	one, err = w.c.Reader.Issue(t.Context(), ours.Number)
	if err != nil || !one.Open || one.Body != body || !slices.Equal(one.Labels, []string{"bug"}) {
		t.Errorf("got %+v, %v", one, err)
	}
	on.CloseByCommit("mona", w.head)
	one, err = w.c.Reader.Issue(t.Context(), ours.Number)
	if err != nil || !one.Events[len(one.Events)-1].ByCode {
		t.Errorf("got %+v, %v", one.Events, err)
	}
	if found, err = w.c.Reader.Issues(t.Context(), "awaiting_human", w.Now().Add(time.Hour)); err != nil || found != nil {
		t.Errorf("got %+v, %v", found, err)
	}
	w.repo.DisableIssues()
	if _, err := w.c.Writer.CreateIssue(t.Context(), gh.NewIssue{Title: "Decide", Body: "m2", Marker: "m2"}); !errors.As(err, new(*gh.PermissionError)) {
		t.Errorf("got %v", err)
	}
}

func TestReviews(t *testing.T) {
	t.Parallel()
	w := small(t)
	n := w.pull.Number
	id, err := w.c.Writer.PostReview(t.Context(), n, gh.NewReview{HeadSHA: w.head, Body: "m", Marker: "m", Comments: []gh.NewInline{
		{Path: "a.go", Side: debate.Right, Line: 2, Body: "f1"}, {Path: "a.go", Side: debate.Left, Line: 2, Body: "f2"},
		{Path: "a.go", Side: debate.Right, StartLine: 1, Line: 3, Body: "f3"},
	}})
	if err != nil || id == 0 {
		t.Fatal(id, err)
	}
	made, err := w.c.Writer.ReviewComments(t.Context(), n, id)
	p, err2 := w.c.Reader.Pull(t.Context(), n)
	if err = errors.Join(err, err2); len(made) != 3 || made[1].Body != "f2" || made[1].URL != p.Threads[1].Comments[0].URL || made[1].URL == "" {
		t.Errorf("the comments of the review: %+v", made)
	}
	if err != nil || len(p.Threads) != 3 || len(p.Reviews) != 1 || p.Reviews[0].ID != id || !p.Reviews[0].Mine || p.Reviews[0].State != "COMMENTED" {
		t.Fatalf("got %+v, %v", p, err)
	}
	first := p.Threads[0].Comments[0]
	if err := errors.Join(w.c.Writer.EditReviewComment(t.Context(), first.ID, "f1 is gone"), w.c.Writer.Reply(t.Context(), n, first.ID, "because r", "r"),
		w.c.Writer.React(t.Context(), first.ID, true, "confused")); err != nil {
		t.Fatal(err)
	}
	w.repo.Pull(n).Inline()[0].Resolve("mona")
	p, err = w.c.Reader.Pull(t.Context(), n)
	if err != nil || !p.Threads[0].Resolved || len(p.Threads[0].Comments) != 2 || p.Threads[0].Comments[0].Body != "f1 is gone" || !p.Threads[0].Comments[0].Confused {
		t.Errorf("got %+v, %v", p.Threads, err)
	}
	_, err = w.c.Writer.PostReview(t.Context(), n, gh.NewReview{HeadSHA: w.head, Body: "x", Comments: []gh.NewInline{{Path: "a.go", Line: 99, Body: "f"}}})
	if !errors.As(err, new(*gh.RefusedError)) {
		t.Errorf("got %v", err)
	}
	if err := w.c.Writer.EditComment(t.Context(), 424242, "x"); !errors.As(err, new(*gh.NotFoundError)) {
		t.Errorf("got %v", err)
	}
}

// TestLostAnswers: comments under every fault, each there once.
func TestLostAnswers(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]ghtest.Fault{
		"lost": ghtest.Lost(), "truncated": ghtest.Truncated(), "done, 502": ghtest.DoneBut(502), "500": ghtest.Answer(500),
		"reset": ghtest.Reset(), "too quick": ghtest.TooQuick(), "secondary": ghtest.Secondary(403, 30), "stale": {Cut: true, Done: true, Stale: 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := small(t)
			for i := range 5 {
				w.FaultOn("POST /repos/acme/widgets/issues/", 1, fault)
				marker := fmt.Sprintf("<!-- %d -->", i)
				if _, err := w.c.Writer.CreateComment(t.Context(), w.pull.Number, "hello "+marker, marker); err != nil {
					t.Fatal(err)
				}
			}
			if n := len(w.pull.Comments()); n != 5 {
				t.Errorf("%d comments, want 5", n)
			}
		})
	}
}

// TestReadOnly: the token of a fork's job reads, and is told that it may not write.
func TestReadOnly(t *testing.T) {
	t.Parallel()
	w := small(t)
	c := w.client(t, w.ForkToken())
	if _, err := c.Reader.Pull(t.Context(), w.pull.Number); err != nil {
		t.Error(err)
	}
	if _, err := c.Reader.Snapshot(t.Context(), w.base, w.head, w.pull.Number); err != nil {
		t.Error(err)
	}
	_, err1 := c.Writer.CreateComment(t.Context(), w.pull.Number, "x", "x")
	_, err2 := c.Writer.CreateIssue(t.Context(), gh.NewIssue{Title: "x", Body: "x", Marker: "x"})
	_, err3 := c.Writer.CreateCheck(t.Context(), gh.Check{Name: "debate", HeadSHA: w.head})
	_, err4 := c.Writer.PostReview(t.Context(), w.pull.Number, gh.NewReview{HeadSHA: w.head, Body: "x", Marker: "x"})
	for i, err := range []error{err1, err2, err3, err4} {
		if !errors.As(err, new(*gh.PermissionError)) {
			t.Errorf("write %d: got %v", i+1, err)
		}
	}
}
