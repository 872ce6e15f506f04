package gh_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/testkit/ghtest"
)

const mine = "debate"

// A glance sees the same check runs that the list of check runs has, of the app that it
// is told and of no other, and whether one of another name failed.
func TestGlanceSeesCheckRuns(t *testing.T) {
	t.Parallel()
	own := func(text string) ghtest.CheckRun {
		return ghtest.CheckRun{App: ghtest.ActionsApp, Name: mine, ExternalID: text, Title: text, Summary: text, Conclusion: "neutral"}
	}
	other := func(name, conclusion string) ghtest.CheckRun {
		return ghtest.CheckRun{App: 7, Name: name, Conclusion: conclusion}
	}
	for name, test := range map[string]struct {
		runs   []ghtest.CheckRun
		failed bool
	}{
		"none":                      {nil, false},
		"ours":                      {[]ghtest.CheckRun{own("1")}, false},
		"two of ours":               {[]ghtest.CheckRun{own("1"), own("2")}, false},
		"of another app":            {[]ghtest.CheckRun{other(mine, "failure"), own("1")}, false},
		"another one failed":        {[]ghtest.CheckRun{own("1"), other("build", "failure")}, true},
		"another one took too long": {[]ghtest.CheckRun{own("1"), other("build", "timed_out")}, true},
		"another one did not start": {[]ghtest.CheckRun{own("1"), other("build", "startup_failure")}, true},
		"another one was cancelled": {[]ghtest.CheckRun{own("1"), other("build", "cancelled")}, false},
		"another one passed":        {[]ghtest.CheckRun{own("1"), other("build", "success")}, false},
		"it passed at last":         {[]ghtest.CheckRun{other("build", "failure"), other("build", "success")}, false},
		"a job of ours failed":      {[]ghtest.CheckRun{own("1"), {App: ghtest.ActionsApp, Name: "build", Conclusion: "failure"}}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := small(t)
			w.repo.AddCheckRun(ghtest.CheckRun{App: 7, Name: "elsewhere", HeadSHA: w.base, Conclusion: "failure"})
			for _, run := range test.runs {
				run.HeadSHA = w.head
				w.repo.AddCheckRun(run)
			}
			id, err := w.c.Writer.CreateCheck(t.Context(), gh.Check{Name: mine, HeadSHA: w.head, ExternalID: "now"})
			if err != nil {
				t.Fatal(err)
			}
			want, err := w.c.Reader.ChecksNamed(t.Context(), w.head, mine)
			if err != nil {
				t.Fatal(err)
			}
			want = slices.DeleteFunc(want, func(run gh.CheckRun) bool { return !run.Mine })
			w.Forget()
			at := gh.ChecksAt{Head: w.head, Name: mine, App: want[len(want)-1].App, Failed: true}
			g, err := w.c.Reader.GlanceWithChecks(t.Context(), w.pull.Number, "", at)
			if err != nil || g.Checks == nil || len(w.Requests()) != 1 {
				t.Fatalf("%+v, %v after %d requests", g, err, len(w.Requests()))
			}
			if diff := cmp.Diff(want, g.Checks.Runs); diff != "" || want[len(want)-1].ID != id {
				t.Error(diff)
			}
			if g.Checks.Failed != test.failed || g.HeadSHA != w.head {
				t.Errorf("failed: %t of %s", g.Checks.Failed, g.HeadSHA)
			}
			at.Failed = false
			if g, err := w.c.Reader.GlanceWithChecks(t.Context(), w.pull.Number, "", at); err != nil || g.Checks == nil || g.Checks.Failed || len(g.Checks.Runs) != len(want) {
				t.Errorf("%+v, %v", g.Checks, err)
			}
		})
	}
}

// Where GraphQL does not tell all check runs, the glance says nothing of them; where it
// tells none to this token, it is asked once.
func TestGlanceDoesNotSeeAllCheckRuns(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		prepare func(w *world)
		want    int // requests of two glances
	}{
		"more than a page": {func(w *world) {
			for i := range 101 {
				w.repo.AddCheckRun(ghtest.CheckRun{App: ghtest.ActionsApp, Name: mine, HeadSHA: w.head, ExternalID: fmt.Sprint(i)})
			}
		}, 2},
		"the token may not": {func(w *world) {
			w.repo.SetPrivate(true)
			w.c = w.client(t, w.JobToken(map[string]string{"contents": "read", "pull-requests": "write"}))
		}, 3},
		"it is too much for GitHub": {func(w *world) { w.FaultOn("/graphql", 4, ghtest.Answer(502)) }, 6},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := small(t)
			test.prepare(w)
			w.Forget()
			for range 2 {
				g, err := w.c.Reader.GlanceWithChecks(t.Context(), w.pull.Number, "", gh.ChecksAt{Head: w.head, Name: mine, App: ghtest.ActionsApp, Failed: true})
				if err != nil || g.HeadSHA != w.head || g.Checks != nil {
					t.Fatalf("%+v, %v", g, err)
				}
			}
			if n := len(w.Requests()); n != test.want {
				t.Errorf("%d requests: %v", n, w.operations())
			}
		})
	}
}
