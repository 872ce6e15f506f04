package model

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestEstimate: what calls are likely to cost lies between a short answer to what is
// read from a cache and a long one to what is not, and a model without a price is named.
func TestEstimate(t *testing.T) {
	t.Parallel()
	prices := Prices{}.With(
		Price{Model: "m", Input: 3_000_000, Cached: 300_000, Output: 15_000_000},
		Price{Model: "free"},
		Price{Model: "short", Input: 1_000_000, Output: 1_000_000, UpTo: 1000},
	)
	for name, tt := range map[string]struct {
		calls []Planned
		want  Estimate
	}{
		"none": {nil, Estimate{}},
		"one": {[]Planned{{Model: "m", Bytes: 60_000}},
			Estimate{Low: 12_000*3 + 300*15, High: 20_000*3 + 4000*15}},
		"again": {[]Planned{{Model: "m", Bytes: 60_000, Again: true}},
			Estimate{Low: 12_000*3/10 + 300*15, High: 20_000*3 + 4000*15}},
		"perhaps": {[]Planned{{Model: "m", Bytes: 60_000, Perhaps: true}},
			Estimate{Low: 0, High: 20_000*3 + 4000*15}},
		"free":                {[]Planned{{Model: "free", Bytes: 60_000}}, Estimate{}},
		"unknown, each once":  {[]Planned{{Model: "b", Bytes: 1}, {Model: "a", Bytes: 1}, {Model: "b", Bytes: 1, Perhaps: true}}, Estimate{Unknown: []string{"a", "b"}}},
		"beyond what is told": {[]Planned{{Model: "short", Bytes: 60_000}}, Estimate{Unknown: []string{"short"}}},
		"a program":           {[]Planned{{Bytes: 60_000}}, Estimate{}},
		"some known": {[]Planned{{Model: "m", Bytes: 600}, {Model: "a", Bytes: 600}},
			Estimate{Low: 120*3 + 300*15, High: 200*3 + 4000*15, Unknown: []string{"a"}}},
	} {
		if diff := cmp.Diff(tt.want, prices.Estimate(tt.calls)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
