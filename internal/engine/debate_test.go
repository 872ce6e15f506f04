package engine

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sort"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/model"
)

// newDebate is a review with a table of three debaters, three judges and an
// arbiter, at which p answers for everybody.
func newDebate(t testing.TB, p *table) (*Review, *memory) {
	t.Helper()
	r, log := newReview(t, secretHit())
	r.Clients = map[string]Client{"gpt": p, "gem": p, "qwen": p}
	r.Participants = []debate.Party{
		{ID: "gpt", Role: debate.Primary, Family: "gpt", Status: debate.PartyOK},
		{ID: "gem", Role: debate.Challenger, Family: "gemini", Status: debate.PartyOK},
		{ID: "qwen", Role: debate.Challenger, Family: "qwen", Status: debate.PartyOK},
		{ID: "risk", Role: debate.Judge, Debater: "gpt", Status: debate.PartyOK},
		{ID: "value", Role: debate.Judge, Debater: "gem", Status: debate.PartyOK},
		{ID: "effort", Role: debate.Judge, Debater: "qwen", Status: debate.PartyOK},
		{ID: "arbiter", Role: debate.Arbiter, Debater: "gem", Status: debate.PartyOK},
	}
	return r, log
}

// repliesOf lists the replies of a log by their asks.
func repliesOf(log *memory) map[string]debate.Replied {
	replies := make(map[string]debate.Replied)
	for _, e := range log.entries {
		if ev, ok := e.Event.(debate.Replied); ok {
			if _, twice := replies[ev.Ask]; twice {
				ev.Status = "asked twice"
			}
			replies[ev.Ask] = ev
		}
	}
	return replies
}

// ended demands a closed debate whose log folds to its state.
func ended(t *testing.T, state debate.State, log *memory, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	if state.Ending.Closing == nil || !state.Terminal() {
		t.Fatalf("the debate stands in stage %s", state.Stage)
	}
	folded, err := debate.Fold(log.entries)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "folded again", state, folded)
	for _, e := range log.entries {
		if data, err := debate.EncodeEvent(e.Event); err != nil || strings.Contains(string(data), "hunter2") {
			t.Errorf("event %d holds the secret (%v)", e.N, err)
		}
	}
}

func TestDebate(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]func(turn) object{"dispute": dispute, "agree": agree} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := &table{answer: answer}
			r, log := newDebate(t, p)
			var lines []string
			r.Tell = func(p Progress) {
				if ev, replied := p.Event.(debate.Replied); p.Done && replied {
					lines = append(lines, p.Work.Ask.ID+" "+string(ev.Status))
				}
			}
			state, err := r.Start(t.Context(), first())
			ended(t, state, log, err)
			replies := repliesOf(log)
			if len(replies) < 3 || len(lines) != len(replies) || len(state.Asking.Calls) != len(replies) {
				t.Errorf("%d replies, %d calls, told of %v", len(replies), len(state.Asking.Calls), lines)
			}
			for id, ev := range replies {
				if ev.Status != debate.CallOK || ev.PromptHash == "" || ev.ReplyHash == "" {
					t.Errorf("%s: %+v", id, ev)
				}
			}
			verified := 0
			for _, c := range state.Book.Claims {
				for _, e := range c.Evidence {
					if e.CitationOK && e.By != debate.EngineParty {
						verified++
					}
				}
			}
			if verified == 0 {
				t.Errorf("no citation of a party holds: %+v", state.Book.Claims)
			}
			if state.Ending.Outcome == "" || state.Ending.Outcome == debate.DegradedLocal || state.Ending.Outcome == debate.Aborted {
				t.Errorf("outcome %s: %s", state.Ending.Outcome, state.Ending.OutcomeReason)
			}
			t.Logf("%s %s after n=%d, exit %s: %v", state.Ending.Outcome, state.Ending.Confidence, state.Talk.Exchange, state.Talk.Exit, lines)
		})
	}
}

// withoutOrder takes out of a state what tells in which order replies arrived:
// its steps are those of the events.
func withoutOrder(s debate.State) debate.State {
	s.Steps = nil
	return s
}

// same demands equal states. They are large: what differs is looked for only
// where something does.
func same(t *testing.T, what string, want, got debate.State) {
	t.Helper()
	if !reflect.DeepEqual(want, got) {
		t.Errorf("%s, another state:\n%s", what, cmp.Diff(want, got))
	}
}

// TestOrderOfArrival: replies may come in any order.
func TestOrderOfArrival(t *testing.T) {
	t.Parallel()
	var want debate.State
	var order []string
	differ := false
	for i, delays := range []map[string]time.Duration{
		{"gpt": 1, "gem": 2, "qwen": 3, "risk": 1, "value": 2, "effort": 3},
		{"gpt": 3, "gem": 2, "qwen": 1, "risk": 3, "value": 2, "effort": 1},
		{"gpt": 2, "gem": 3, "qwen": 1, "risk": 2, "value": 3, "effort": 1},
		{"gpt": 2, "gem": 1, "qwen": 3, "risk": 3, "value": 1, "effort": 2},
	} {
		synctest.Test(t, func(t *testing.T) {
			p := &table{
				answer: dispute,
				delay:  func(t turn) time.Duration { return delays[t.Envelope.Party] * time.Second },
				before: func(_ context.Context, t turn, times int) (string, error, bool) {
					return "one moment", nil, t.Envelope.Call == "CHALLENGE" && t.Envelope.Party == "gem" && times == 1
				},
			}
			r, log := newDebate(t, p)
			state, err := r.Start(t.Context(), first())
			ended(t, state, log, err)
			var came []string
			for _, e := range log.entries {
				if ev, ok := e.Event.(debate.Replied); ok {
					came = append(came, ev.Ask)
				}
			}
			if i == 0 {
				want, order = state, came
				return
			}
			differ = differ || !slices.Equal(order, came)
			same(t, fmt.Sprintf("order %v", came), withoutOrder(want), withoutOrder(state))
		})
	}
	if !differ {
		t.Error("the replies always came in the same order")
	}
}

// TestFailingParties: whatever a party does, the debate ends with an outcome, and
// says in its record what happened (R109, R110).
func TestFailingParties(t *testing.T) {
	t.Parallel()
	only := func(call, party string, text string, err error) func(context.Context, turn, int) (string, error, bool) {
		return func(_ context.Context, t turn, _ int) (string, error, bool) {
			return text, err, (call == "" || t.Envelope.Call == call) && (party == "" || t.Envelope.Party == party)
		}
	}
	for name, c := range map[string]struct {
		before func(context.Context, turn, int) (string, error, bool)
		ask    string
		status debate.CallStatus
		format debate.CallStatus // of the retry, "" where there is none
	}{
		"challenger without a key": {only("CHALLENGE", "gem", "", &model.Error{Class: debate.CallAuth}), "CHALLENGE/1/gem", debate.CallAuth, ""},
		"garbage twice":            {only("CHALLENGE", "gem", "no", nil), "CHALLENGE/1/gem", debate.CallMalformed, debate.CallMalformed},
		"garbage, then good": {func(_ context.Context, t turn, times int) (string, error, bool) {
			return "no", nil, t.Envelope.Call == "CHALLENGE" && t.Envelope.Party == "gem" && times == 1
		}, "CHALLENGE/1/gem", debate.CallMalformed, debate.CallOK},
		"huge": {only("CHALLENGE", "qwen", strings.Repeat("x", 2<<20), nil), "CHALLENGE/1/qwen", debate.CallMalformed, debate.CallMalformed},
		"panic": {func(_ context.Context, t turn, _ int) (string, error, bool) {
			if t.Envelope.Call == "REBUT" {
				panic("a bug")
			}
			return "", nil, false
		}, "REBUT/2/gem", debate.CallError, ""},
		"primary lost":      {only("OPEN", "gpt", "", errors.New("boom")), "OPEN/0/gpt", debate.CallError, ""},
		"nobody challenges": {only("CHALLENGE", "", "", &model.Error{Class: debate.CallOverloaded}), "CHALLENGE/1/gem", debate.CallOverloaded, ""},
		"all fail":          {only("", "", "", &model.Error{Class: debate.CallRate}), "OPEN/0/gpt", debate.CallRate, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, log := newDebate(t, &table{answer: dispute, before: c.before})
			state, err := r.Start(t.Context(), first())
			ended(t, state, log, err)
			replies := repliesOf(log)
			if got := replies[c.ask].Status; got != c.status {
				t.Errorf("%s is %q, want %q; replies: %v", c.ask, got, c.status, keys(replies))
			}
			if got := replies[c.ask+"/format"].Status; got != c.format {
				t.Errorf("the retry of %s is %q, want %q", c.ask, got, c.format)
			}
			if state.Ending.Outcome == "" {
				t.Error("the debate has no outcome")
			}
		})
	}
}

func keys[V any](m map[string]V) []string {
	var all []string
	for k := range m {
		all = append(all, k)
	}
	sort.Strings(all)
	return all
}
