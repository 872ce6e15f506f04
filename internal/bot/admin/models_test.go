package admin

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/testkit/debatetest"
)

// TestModels: what an earlier session found and paid for is not counted again, neither
// where a debate is recalled nor where a finding is carried on. A judge with an unknown model
// counts as no model.
func TestModels(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		script string
		want   []modelStats
	}{
		{"known", []modelStats{
			{Model: "built-in rules", Reviews: 1, Findings: 1},
			{Model: "claude", Reviews: 1, Findings: 2, Confirmed: 1, Calls: 1},
			{Model: "gpt", Reviews: 1, Calls: 1},
		}},
		{"known_recalled", []modelStats{{Model: "claude", Reviews: 1, Calls: 1}, {Model: "gpt", Reviews: 1, Calls: 1}}},
		{"critical_contested", []modelStats{
			{Model: "claude", Reviews: 1, Calls: 4},
			{Model: "gpt", Reviews: 1, Findings: 1, Disputed: 1, Calls: 3},
			{Model: "model not recorded", Reviews: 1, Calls: 4},
		}},
		{"carried", []modelStats{{Model: "claude", Reviews: 1, Calls: 1}, {Model: "gpt", Reviews: 1, Calls: 1}}},
	} {
		script, err := debatetest.Load(c.script)
		if err != nil {
			t.Fatal(err)
		}
		state, _, err := debatetest.Run(script, debatetest.Forward)
		if err != nil {
			t.Fatal(err)
		}
		all := models{}
		all.add(state)
		if diff := cmp.Diff(c.want, all.list()); diff != "" {
			t.Errorf("%s: %s", c.script, diff)
		}
	}
}

func TestModelsMerge(t *testing.T) {
	t.Parallel()
	one := []modelStats{
		{Model: "claude", Reviews: 1, Findings: 2, Confirmed: 3, Disputed: 4, Dismissed: 5, Calls: 6, Failed: 7, Micro: 8},
		{Model: "gpt", Reviews: 1, Unpriced: true},
	}
	all := models{}
	all.merge(one)
	if got := all.list(); !slices.Equal(got, one) {
		t.Errorf("once: %+v", got)
	}
	all.merge(one[:1])
	twice := []modelStats{{Model: "claude", Reviews: 2, Findings: 4, Confirmed: 6, Disputed: 8, Dismissed: 10, Calls: 12, Failed: 14, Micro: 16}, one[1]}
	if got := all.list(); !slices.Equal(got, twice) {
		t.Errorf("twice: %+v", got)
	}
}
