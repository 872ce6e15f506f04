package cli

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/engine"
	"github.com/prdebate/debate/internal/model"
)

// TestCosts: what is said of an estimate.
func TestCosts(t *testing.T) {
	t.Parallel()
	calls := []model.Planned{{}, {}, {}, {}, {Perhaps: true}}
	const ask = "copy the price of qwen3 from its maker into prices: of your settings, as docs/costs.md shows"
	for name, tt := range map[string]struct {
		calls []model.Planned
		e     model.Estimate
		most  int64
		want  []string
	}{
		"a range":        {calls, model.Estimate{Low: 40_000, High: 149_999}, 0, []string{"about $0.04 to $0.15 for 4 to 5 calls"}},
		"one call":       {calls[:1], model.Estimate{Low: 900, High: 8_001}, 0, []string{"about $0.001 to $0.009 for 1 call"}},
		"equal":          {calls[:4], model.Estimate{Low: 9_001, High: 10_000}, 0, []string{"about $0.01 for 4 calls"}},
		"much":           {calls, model.Estimate{Low: 1_234_567, High: 23_450_001}, 2_000_000, []string{"about $1.24 to $23.46 for 4 to 5 calls; limits.max_cost_usd ends it at $2.00"}},
		"below a limit":  {calls, model.Estimate{Low: 40_000, High: 150_000}, 150_000, []string{"about $0.04 to $0.15 for 4 to 5 calls"}},
		"nothing known":  {calls, model.Estimate{Unknown: []string{"qwen3"}}, 0, []string{"the price of qwen3 is not known, so its calls are not counted: " + ask}},
		"some known":     {calls, model.Estimate{Low: 1, High: 100_000, Unknown: []string{"qwen3"}}, 0, []string{"about $0.001 to $0.10 for 4 to 5 calls", "the price of qwen3 is not known, so its calls are not counted: " + ask}},
		"costs nothing":  {calls, model.Estimate{}, 0, nil},
		"programs alone": {nil, model.Estimate{}, 2_000_000, nil},
	} {
		if diff := cmp.Diff(tt.want, costs(tt.calls, tt.e, tt.most)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// TestLikelyCalls: who weighs what, by who opened and in how many parts.
func TestLikelyCalls(t *testing.T) {
	t.Parallel()
	party := func(id string, role debate.Role) debate.Party {
		return debate.Party{ID: id, Role: role, Model: "model of " + id, Status: debate.PartyOK}
	}
	a, b, c := party("a", debate.Primary), party("b", debate.Challenger), party("c", debate.Challenger)
	gone, judge := party("gone", debate.Challenger), party("judge", debate.Judge)
	gone.Status = debate.PartyAuth
	open := func(id, chunk string) engine.Sent {
		return engine.Sent{Ask: debate.Ask{Kind: debate.CallOpen, Party: id, Chunk: chunk}, Bytes: 900}
	}
	for name, tt := range map[string]struct {
		parties   []debate.Party
		opens     []engine.Sent
		few, many int
	}{
		"alone":                 {[]debate.Party{a, gone, judge}, []engine.Sent{open("a", "")}, 1, 1},
		"no debate":             {[]debate.Party{a, b}, []engine.Sent{{Ask: debate.Ask{Kind: debate.CallLocal, Party: "a"}, Bytes: 900}}, 1, 1},
		"both open":             {[]debate.Party{a, b, judge}, []engine.Sent{open("a", ""), open("b", "")}, 4, 6},
		"one opens":             {[]debate.Party{a, b, c}, []engine.Sent{open("a", "")}, 3, 6},
		"all open in two parts": {[]debate.Party{a, b, c}, []engine.Sent{open("a", "1"), open("b", "1"), open("c", "1"), open("a", "2"), open("b", "2"), open("c", "2")}, 12, 15},
	} {
		few, many := 0, 0
		for _, call := range (&panel{parties: tt.parties}).likelyCalls(tt.opens) {
			if many++; !call.Perhaps {
				few++
			}
			if call.Model == "" || call.Bytes != 900 {
				t.Errorf("%s: %+v", name, call)
			}
		}
		if few != tt.few || many != tt.many {
			t.Errorf("%s: %d to %d calls, want %d to %d", name, few, many, tt.few, tt.many)
		}
	}
}
