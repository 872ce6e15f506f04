package gh_test

import (
	"testing"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
)

// TestMinimize: comments are hidden and shown again, many in one request, with the token of
// a job.
func TestMinimize(t *testing.T) {
	t.Parallel()
	w := small(t)
	if _, err := w.c.Writer.PostReview(t.Context(), w.pull.Number, gh.NewReview{HeadSHA: w.head, Body: "m", Marker: "m", Comments: []gh.NewInline{
		{Path: "a.go", Side: debate.Right, Line: 2, Body: "f1"}, {Path: "a.go", Side: debate.Left, Line: 2, Body: "f2"},
	}}); err != nil {
		t.Fatal(err)
	}
	stand := func() (nodes []string, hidden int) {
		p, err := w.c.Reader.Pull(t.Context(), w.pull.Number)
		if err != nil {
			t.Fatal(err)
		}
		for _, one := range p.Threads {
			nodes = append(nodes, one.Comments[0].Node)
			if one.Comments[0].Minimized {
				hidden++
			}
		}
		return nodes, hidden
	}
	nodes, _ := stand()
	job := w.client(t, w.JobToken(map[string]string{"contents": "read", "pull-requests": "write"}))
	for on, want := range map[bool]int{true: 2, false: 0} {
		w.Forget()
		if err := job.Writer.Minimize(t.Context(), nodes, on); err != nil || len(w.Writes()) != 1 {
			t.Errorf("%v after %v", err, w.operations())
		}
		if _, hidden := stand(); hidden != want {
			t.Errorf("%d are hidden, want %d", hidden, want)
		}
	}
}
