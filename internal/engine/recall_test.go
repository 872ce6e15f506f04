package engine

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/model"
)

// TestRecall: a review that goes on from what another one left asks nobody, and
// takes a person's objection to the parties that made the finding (A26). What
// the change hides stays hidden although no critic event says what that is.
func TestRecall(t *testing.T) {
	t.Parallel()
	r, log := newDebate(t, &table{answer: agree})
	before, err := r.Start(t.Context(), first())
	ended(t, before, log, err)
	data := inJSON(t, before.Memory())
	var remembered debate.Memory
	if err := json.Unmarshal(data, &remembered); err != nil {
		t.Fatal(err)
	}

	p := &table{answer: dispute}
	r, log = newDebate(t, p)
	for id := range r.Clients {
		r.Clients[id] = clientFunc(func(ctx context.Context, req model.Request) (model.Response, error) {
			if strings.Contains(req.Packet+req.Turn, "hunter2") {
				t.Errorf("%s is shown the secret", req.Ask)
			}
			return p.Ask(ctx, req)
		})
	}
	next := first()
	next.SessionID, next.Recall = "debate-20260103-030405-7", &remembered
	state, err := r.Start(t.Context(), next)
	ended(t, state, log, err)
	if made := p.made(); len(made) != 0 || state.Stage != before.Stage {
		t.Fatalf("stage %s, before %s; asked %v", state.Stage, before.Stage, made)
	}
	if diff := cmp.Diff(outcomeOf(before), outcomeOf(state)); diff != "" {
		t.Errorf("(-left +recalled):\n%s", diff)
	}

	claim := ""
	for _, c := range state.Book.Claims {
		if c.Owner == "gpt" && c.Bucket == debate.Agreed {
			claim = c.ID
		}
	}
	calls := len(state.Asking.Calls)
	state, err = r.Resume(t.Context(), log.entries, debate.Disputed{
		Claim: claim, Text: "the shell is pinned", By: debate.Actor{Login: "ann", Permission: debate.WriteAccess},
	})
	ended(t, state, log, err)
	made := p.made()
	if len(made) != 2 || len(state.Asking.Calls) != calls+2 || state.Disputes != 1 {
		t.Errorf("%d disputes, %d calls more, asked %v", state.Disputes, len(state.Asking.Calls)-calls, made)
	}
	for _, id := range made {
		if !strings.HasPrefix(id, "RESPOND/") {
			t.Errorf("asked %s", id)
		}
	}
	for _, c := range state.Book.Claims {
		if c.ID == claim && !c.Final {
			t.Errorf("the dispute about %s is not final", c.ID)
		}
	}
}

// outcomeOf is what a debate came to, but for the session that it was held in.
func outcomeOf(s debate.State) debate.Result {
	r := s.Result()
	r.Session = ""
	return r
}
