package engine

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/debate"
)

// refusing publishes to the sinks that take an item, and notes each attempt.
func refusing(takes debate.Sink, attempts *[]debate.Sink) Publisher {
	return func(_ context.Context, s debate.State) ([]string, []debate.SinkFailed, error) {
		var refused []debate.SinkFailed
		for _, d := range s.Agenda.Decisions {
			if d.Outcome != debate.AwaitingHuman {
				continue
			}
			*attempts = append(*attempts, d.Human.Sink)
			if d.Human.Sink != takes {
				refused = append(refused, debate.SinkFailed{Decision: d.ID, Sink: d.Human.Sink, Reason: "issues are off"})
			}
		}
		return []string{"test"}, refused, nil
	}
}

// TestRefusedItems: an item that a sink refuses moves on to the next one, and
// keeps waiting for its human (R043).
func TestRefusedItems(t *testing.T) {
	t.Parallel()
	chain := []debate.Sink{debate.SinkIssue, debate.SinkComment}
	for i, takes := range chain {
		t.Run(string(takes), func(t *testing.T) {
			t.Parallel()
			r, log := newReview(t, secretHit())
			var attempts []debate.Sink
			r.Publish = refusing(takes, &attempts)
			state, err := r.Start(t.Context(), first())
			ended(t, state, log, err)
			if diff := cmp.Diff(chain[:i+1], attempts); diff != "" {
				t.Error(diff)
			}
			if d := state.Agenda.Decisions[0]; d.Outcome != debate.AwaitingHuman || d.Human.Sink != takes {
				t.Errorf("%s at %s", d.Outcome, d.Human.Sink)
			}
		})
	}
}

// TestStuckPublisher: a publisher that nothing satisfies does not go round for ever.
func TestStuckPublisher(t *testing.T) {
	t.Parallel()
	for name, publish := range map[string]Publisher{
		"no sink takes it": refusing("", new([]debate.Sink)),
		"another sink": func(context.Context, debate.State) ([]string, []debate.SinkFailed, error) {
			return nil, []debate.SinkFailed{{Decision: "D0", Sink: debate.SinkComment}}, nil
		},
	} {
		r, log := newReview(t, secretHit())
		r.Publish = publish
		_, err := r.Start(t.Context(), first())
		if err == nil || !strings.Contains(err.Error(), "decision D0 is not in the sink") {
			t.Errorf("%s: got %v", name, err)
		}
		if slices.ContainsFunc(log.entries, func(e debate.Entry) bool { return debate.KindOf(e.Event) == debate.KindPublished }) {
			t.Errorf("%s: it counts as published", name)
		}
	}
}

// TestTheSubjectChangesWhileItIsPublished: what a publisher sees while it writes
// is looked at before the debate counts as published.
func TestTheSubjectChangesWhileItIsPublished(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		sees    Sight
		outcome debate.Outcome
	}{
		"the head moved": {Sight{Head: "bbbb"}, debate.Superseded},
		"another run":    {Sight{Head: "aaaa"}, ""},
	} {
		r, log := newReview(t, secretHit())
		r.Subject.Frozen.Event.HeadSHA = "aaaa"
		sees := Sight{Head: "aaaa"}
		r.Look = func(context.Context, debate.State) (Sight, error) { return sees, nil }
		r.Publish = func(context.Context, debate.State) ([]string, []debate.SinkFailed, error) {
			sees = c.sees
			return nil, nil, ErrLookAgain
		}
		state, err := r.Start(t.Context(), first())
		if again := errors.Is(err, ErrLookAgain); again == (c.outcome == debate.Superseded) || !again && err != nil {
			t.Errorf("%s: error %v", name, err)
		}
		if c.outcome != "" && state.Ending.Outcome != c.outcome {
			t.Errorf("%s: outcome %q", name, state.Ending.Outcome)
		}
		if slices.ContainsFunc(log.entries, func(e debate.Entry) bool { return debate.KindOf(e.Event) == debate.KindPublished }) {
			t.Errorf("%s: it counts as published", name)
		}
	}
}

// TestAnotherPublishes: a review without a publisher ends where it would publish.
// Whoever publishes goes on from its record.
func TestAnotherPublishes(t *testing.T) {
	t.Parallel()
	r, log := newDebate(t, &table{answer: dispute})
	r.Publish = nil
	state, err := r.Start(t.Context(), first())
	if err != nil || state.Stage != debate.StagePublish {
		t.Fatalf("stage %s, error %v", state.Stage, err)
	}
	again, _ := newDebate(t, &table{answer: dispute})
	again.Log = log
	state, err = again.Resume(t.Context(), log.entries)
	ended(t, state, log, err)
	if state.Stage != debate.StageAwaitingHuman {
		t.Error("it is not published")
	}
}
