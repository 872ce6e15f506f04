package report

import (
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
			{Model: "gpt", Reviews: 1, Findings: 1, Disputed: 1, Calls: 4},
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
