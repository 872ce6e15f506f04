package engine

import (
	"context"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/model"
	"github.com/prdebate/debate/internal/patch"
	"github.com/prdebate/debate/internal/segment"
)

// showing freezes one file as it is.
type showing struct{ path, content string }

func (f showing) Snapshot(context.Context) (Frozen, error) {
	return Frozen{
		Event: debate.Snapshotted{Scope: debate.ScopeQuestion, Hash: "h"},
		Change: patch.Change{
			Set:     &patch.Set{Files: []*patch.File{patch.Shown(f.path, f.content)}},
			Blob:    func(string, debate.Side) ([]byte, bool) { return nil, false },
			BaseHas: func(string) bool { return false },
		},
		Err: func() error { return nil },
	}, nil
}

// watching remembers what was sent.
type watching struct {
	*table
	t *testing.T
}

func (w watching) Ask(ctx context.Context, req model.Request) (model.Response, error) {
	if strings.Contains(req.System+req.Packet+req.Turn, "hunter2") {
		w.t.Error("the secret is sent")
	}
	if !strings.Contains(req.Packet, "segment S2 context run.sh 1-3\n 1 #!/bin/sh\n 2 token=[redacted] deploy\n") {
		w.t.Errorf("the file is not shown as it is:\n%s", req.Packet)
	}
	return w.table.Ask(ctx, req)
}

// TestQuestion debates a question: what the critic finds in the file that it shows
// is no finding, but its secret stays secret; what parties cite there is in scope
// although nobody changed it (X33).
func TestQuestion(t *testing.T) {
	t.Parallel()
	p := &table{answer: agree}
	r, log := newDebate(t, p)
	r.Source = showing{"run.sh", "#!/bin/sh\ntoken=hunter2 deploy\nexit\n"}
	everybody := watching{p, t}
	r.Clients = map[string]Client{"gpt": everybody, "gem": everybody, "qwen": everybody}
	r.Critic = func(c patch.Change, _ func(string) bool, _ []segment.Proposal) Critique {
		x := patch.NewIndex(c.Set)
		if !x.Changed("run.sh", debate.Right, 2) || !x.Changed(debate.BodyPath, debate.Right, 1) {
			t.Error("the critic does not read all of it")
		}
		return Critique{Hits: []debate.Hit{secretHit()}, Secrets: []string{"hunter2"}, Missing: []string{"alternatives"}}
	}
	received := first()
	received.Scope, received.Anchor = debate.ScopeQuestion, debate.Anchor{Title: "Is run.sh safe?", Intent: "Is run.sh safe?"}
	received.Inquiry = &debate.Inquiry{Framing: debate.FramingValidate}
	state, err := r.Start(t.Context(), received)
	ended(t, state, log, err)
	if state.Ending.Outcome != debate.Consensus || state.Ending.Disposition != debate.Revise || len(state.Agenda.Triggers) != 0 || len(state.Critique.Missing) != 0 {
		t.Errorf("%s %s, triggers %v, missing %v", state.Ending.Outcome, state.Ending.Disposition, state.Agenda.Triggers, state.Critique.Missing)
	}
	if len(state.Book.Claims) == 0 {
		t.Error("there is no claim")
	}
	for _, c := range state.Book.Claims {
		if c.Owner == debate.EngineParty || c.OutOfScope || c.Bucket != debate.Agreed {
			t.Errorf("claim %s of %s is %s: %s", c.ID, c.Owner, c.Bucket, c.Why)
		}
	}
	if state.Coverage() != debate.CoverageFull {
		t.Errorf("coverage %s", state.Coverage())
	}
}
