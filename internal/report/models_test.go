package report

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestModels: what an earlier session found and paid for is not counted again, neither
// where a debate is recalled nor where a finding is carried on. Judges whose model nobody
// knows are no models by the names of what they look at.
func TestModels(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		script string
		want   []ModelStats
	}{
		{"known", []ModelStats{
			{Model: "built-in rules", Reviews: 1, Findings: 1, Known: 1},
			{Model: "claude", Reviews: 1, Findings: 2, Confirmed: 1, Known: 1, Calls: 1},
			{Model: "gpt", Reviews: 1, Calls: 1},
		}},
		{"known_recalled", []ModelStats{{Model: "claude", Reviews: 1, Calls: 1}, {Model: "gpt", Reviews: 1, Calls: 1}}},
		{"critical_contested", []ModelStats{
			{Model: "claude", Reviews: 1, Calls: 4},
			{Model: "gpt", Reviews: 1, Findings: 1, Disputed: 1, Calls: 3},
			{Model: "model not recorded", Reviews: 1, Calls: 4},
		}},
		{"carried", []ModelStats{{Model: "claude", Reviews: 1, Calls: 1}, {Model: "gpt", Reviews: 1, Calls: 1}}},
	} {
		var m Models
		m.Add(played(t, c.script))
		if diff := cmp.Diff(c.want, m.Stats()); diff != "" {
			t.Errorf("%s: %s", c.script, diff)
		}
	}
}

func TestModelsMerge(t *testing.T) {
	t.Parallel()
	one := []ModelStats{
		{Model: "claude", Reviews: 1, Findings: 2, Confirmed: 3, Disputed: 4, NotConfirmed: 5, Dismissed: 6, Known: 7, NotDebated: 8, Calls: 9, Failed: 10, CostUSD: 11},
		{Model: "gpt", Reviews: 1, CostUnknown: true},
	}
	var m Models
	m.Merge(one)
	if got := m.Stats(); !slices.Equal(got, one) {
		t.Errorf("once: %+v", got)
	}
	m.Merge(one[:1])
	twice := []ModelStats{
		{Model: "claude", Reviews: 2, Findings: 4, Confirmed: 6, Disputed: 8, NotConfirmed: 10, Dismissed: 12, Known: 14, NotDebated: 16, Calls: 18, Failed: 20, CostUSD: 22},
		one[1],
	}
	if got := m.Stats(); !slices.Equal(got, twice) {
		t.Errorf("twice: %+v", got)
	}
}
