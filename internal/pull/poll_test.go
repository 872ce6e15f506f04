package pull

import (
	"testing"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
)

// TestTookOver has a row for each thing that another run may have written into the summary
// of a pull request with an open question: only a cost and a command carried out are taken
// over.
func TestTookOver(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		change func(m *Checkpoint)
		text   string
		want   bool
	}{
		"the cost of a question":     {func(m *Checkpoint) { m.Micro += 5 }, "text", true},
		"a command carried out":      {func(m *Checkpoint) { m.handle(ids(9)...) }, "text", true},
		"a cost and another text":    {func(m *Checkpoint) { m.Micro += 5 }, "another text", false},
		"another debate":             {func(m *Checkpoint) { m.Debate.SessionID = "two" }, "text", false},
		"another time of a question": {func(m *Checkpoint) { m.Items[0].AskedAt++ }, "text", false},
	} {
		s := asking()
		s.key, s.checkpoint.Debate.Protocol = []byte("key"), debate.ProtocolVersion
		body := func(text string, m Checkpoint) string {
			block, _, err := m.seal(s.key, s.Pull)
			if err != nil {
				t.Fatal(err)
			}
			return comment.Mark(text, marked(comment.SummaryMark, ""), block)
		}
		s.summary = gh.Comment{ID: 1, Mine: true, Author: bot, Body: body("text", s.checkpoint), CreatedAt: at(-60)}
		s.checkpoint.dateBy(s.summary)
		now, m := s.summary, s.checkpoint
		m.Items = []Item{m.Items[0]}
		row.change(&m)
		now.Body, now.Edited, now.EditedBy, now.EditedAt = body(row.text, m), true, bot, at(-1)
		run := newSession(&Runner{}, Setup{}, s.Snapshot, Plan{})
		if got := run.tookOver(now); got != row.want {
			t.Errorf("%s: taken over %t", name, got)
		}
		if row.want && (run.snap.checkpoint.Micro != m.Micro || len(run.snap.checkpoint.Handled) != len(m.Handled) || run.posts.summary.Body != now.Body) {
			t.Errorf("%s: %+v", name, run.snap.checkpoint)
		}
	}
}
