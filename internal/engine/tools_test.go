package engine

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/model"
)

// caller is every party of a debate. It looks twice before it answers for the first time,
// and keeps what it was offered and handed.
type caller struct {
	table

	mu   sync.Mutex
	asks map[string]model.Request
}

func (c *caller) Ask(ctx context.Context, req model.Request) (model.Response, error) {
	c.mu.Lock()
	c.asks[req.Ask] = req
	c.mu.Unlock()
	if req.Tools != model.ToolsOpen || strings.Count(req.Looked, "This is what you asked to see") == 2 || readTurn(req).Envelope.Call != "OPEN" {
		return c.table.Ask(ctx, req)
	}
	return model.Response{Text: `{"look": [{"list": "lib"}, {"run": "ls"}]}`, Dialogue: "said in " + req.Ask}, nil
}

// Whoever may look in some call of a debate is offered the tools in all of its calls, and
// may call them where it may look. Who only weighs has none, and nobody has where there is
// nothing to look at.
func TestWhoIsOfferedTools(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		most    int
		tree    grove
		offered bool
	}{
		"looks": {12, callers, true}, "looks are off": {0, callers, false}, "no tree": {12, nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := &caller{table: table{answer: dispute}, asks: make(map[string]model.Request)}
			r, log := newDebate(t, &p.table)
			if c.tree != nil {
				r.Subject.Frozen.Tree = c.tree
			}
			r.Clients = map[string]Client{"gpt": p, "gem": p, "qwen": p, "arbiter": p}
			r.Participants[len(r.Participants)-1].Debater = "" // it has a model of its own
			received := askedWithLooks(c.most)
			received.Settings.Opening = debate.OpenPosition
			state, err := r.Start(t.Context(), received)
			ended(t, state, log, err)
			kinds := make(map[string]bool)
			for ask, req := range p.asks {
				kind, _, _ := strings.Cut(ask, "/")
				kinds[kind] = true
				want := model.ToolsHeld
				switch {
				case !c.offered || kind == "ARBITER":
					want = model.NoTools
				case slices.Contains([]string{"OPEN", "CHALLENGE", "RESPOND", "REBUT"}, kind):
					want = model.ToolsOpen
				}
				if req.Tools != want {
					t.Errorf("%s: tools %d, want %d", ask, req.Tools, want)
				}
			}
			for _, kind := range []string{"OPEN", "CHALLENGE", "REBUT", "SCORE", "ARBITER"} {
				if !kinds[kind] {
					t.Errorf("there is no %s among %v", kind, kinds)
				}
			}
			if got := r.tools(debate.Ask{Kind: debate.CallJudge1, Party: "risk"}); (got == model.ToolsHeld) != c.offered {
				t.Errorf("a judge that a debater stands in for: tools %d", got)
			}
		})
	}
}

// What a party said goes back to it with the result of each of its looks, in its turn only.
// The record knows nothing of it, and is what it would be without.
func TestDialogue(t *testing.T) {
	t.Parallel()
	p := &caller{table: table{answer: agree}, asks: make(map[string]model.Request)}
	r, log := seeking(t, nil, callers)
	r.Clients = map[string]Client{"gpt": p, "gem": p, "qwen": p}
	state, err := r.Start(t.Context(), askedWithLooks(3))
	ended(t, state, log, err)
	turns := 0
	for ask, req := range p.asks {
		before, turn, further := strings.Cut(ask, "/look")
		if !further {
			if req.Dialogue != nil || len(req.Results) > 0 {
				t.Errorf("%s begins with %v, %q", ask, req.Dialogue, req.Results)
			}
			continue
		}
		turns++
		if turn == "2" {
			before += "/look1"
		}
		if req.Dialogue != "said in "+before || !strings.HasSuffix(req.Looked, strings.Join(req.Results, "")) || len(req.Results) != 2 {
			t.Errorf("%s goes on from %v with %q", ask, req.Dialogue, req.Results)
			continue
		}
		last := req.Results[1]
		says := map[string][]string{
			"1": {"[not understood: ask for read, grep or list]", "look at up to 1 more things"},
			"2": {"[not shown: what you may look at is used up]", "You cannot look any further"},
		}[turn]
		if want := map[string]model.Tools{"1": model.ToolsOpen, "2": model.ToolsHeld}[turn]; req.Tools != want || !strings.Contains(last, says[0]) || !strings.Contains(last, says[1]) {
			t.Errorf("%s: tools %d, want %d, and %q", ask, req.Tools, want, last)
		}
	}
	if turns < 2 {
		t.Errorf("%d further turns", turns)
	}
	for _, e := range log.entries {
		if looked, ok := e.Event.(debate.Looked); ok && strings.Contains(looked.Raw, "said in") {
			t.Errorf("the record holds %s", looked.Raw)
		}
	}
}
