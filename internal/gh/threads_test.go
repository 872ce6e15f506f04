package gh_test

import (
	"errors"
	"testing"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
)

// TestThreads: threads are closed and opened, many in one request, and who may not
// resolve them is told so and may hide them.
func TestThreads(t *testing.T) {
	t.Parallel()
	w := small(t)
	if _, err := w.c.Writer.PostReview(t.Context(), w.pull.Number, gh.NewReview{HeadSHA: w.head, Body: "m", Marker: "m", Comments: []gh.NewInline{
		{Path: "a.go", Side: debate.Right, Line: 2, Body: "f1"}, {Path: "a.go", Side: debate.Left, Line: 2, Body: "f2"},
	}}); err != nil {
		t.Fatal(err)
	}
	stand := func() (threads, nodes []string, resolved, hidden int) {
		p, err := w.c.Reader.Pull(t.Context(), w.pull.Number)
		if err != nil {
			t.Fatal(err)
		}
		for _, one := range p.Threads {
			threads, nodes = append(threads, one.ID), append(nodes, one.Comments[0].Node)
			if one.Resolved {
				resolved++
			}
			if one.Comments[0].Minimized {
				hidden++
			}
		}
		return threads, nodes, resolved, hidden
	}
	threads, nodes, _, _ := stand()
	for _, on := range []bool{true, false} {
		want := 0
		if on {
			want = 2
		}
		w.Forget()
		if err := errors.Join(w.c.Writer.Resolve(t.Context(), threads, on), w.c.Writer.Minimize(t.Context(), nodes, on)); err != nil || len(w.Writes()) != 2 {
			t.Errorf("%v after %v", err, w.operations())
		}
		if _, _, resolved, hidden := stand(); resolved != want || hidden != want {
			t.Errorf("%d are resolved and %d hidden, want %d", resolved, hidden, want)
		}
	}
	job := w.client(t, w.JobToken(map[string]string{"contents": "read", "pull-requests": "write"}))
	if err := job.Writer.Resolve(t.Context(), threads, true); !errors.As(err, new(*gh.PermissionError)) {
		t.Errorf("resolving without a right: %v", err)
	}
	if err := job.Writer.Minimize(t.Context(), nodes, true); err != nil {
		t.Error(err)
	}
	if _, _, resolved, hidden := stand(); resolved != 0 || hidden != 2 {
		t.Errorf("%d are resolved and %d hidden", resolved, hidden)
	}
	if err := w.c.Writer.Minimize(t.Context(), nodes, false); err != nil {
		t.Error(err)
	}
	if first, second := w.pull.Inline()[0].Minimized(), w.pull.Inline()[1].Minimized(); first != "" || second != "" {
		t.Errorf("hidden as %q and %q", first, second)
	}
	if err := w.c.Writer.Resolve(t.Context(), nil, true); err != nil {
		t.Error(err)
	}
}
