package model

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/debate"
)

func TestUsage(t *testing.T) {
	t.Parallel()
	listed := Registry{{Prices: []byte(`[{"model": "gpt-4.1", "input": 2000000, "cached": 500000, "output": 8000000}]`)}}.Prices()
	own := listed.With(
		Price{Model: "m", Input: 3_000_000, Cached: 300_000, CacheWrite: 3_750_000, Output: 15_000_000, UpTo: 200_000},
		Price{Model: "plain", Input: 1_000_000, Cached: 500_000, Output: 2_000_000},
	)
	for name, tt := range map[string]struct {
		prices Prices
		model  string
		tokens Tokens
		want   debate.Usage
	}{
		"all kinds": {own, "m", Tokens{In: 1000, Cached: 600, CacheWrite: 300, Out: 100},
			debate.Usage{TokensIn: 1000, TokensCached: 600, TokensOut: 100, CostMicro: 300 + 180 + 1125 + 1500}},
		"rounded up":           {own, "m", Tokens{Cached: 1, In: 1}, debate.Usage{TokensIn: 1, TokensCached: 1, CostMicro: 1}},
		"nothing":              {own, "m", Tokens{}, debate.Usage{}},
		"writing costs input":  {own, "plain", Tokens{In: 10, CacheWrite: 10}, debate.Usage{TokensIn: 10, CostMicro: 10}},
		"up to the bound":      {own, "m", Tokens{In: 200_000}, debate.Usage{TokensIn: 200_000, CostMicro: 600_000}},
		"beyond the bound":     {own, "m", Tokens{In: 200_001}, debate.Usage{TokensIn: 200_001, CostUnknown: true}},
		"unknown model":        {own, "other", Tokens{In: 5, Out: 6}, debate.Usage{TokensIn: 5, TokensOut: 6, CostUnknown: true}},
		"listed":               {listed, "gpt-4.1", Tokens{In: 1_000_000, Out: 1_000_000}, debate.Usage{TokensIn: 1_000_000, TokensOut: 1_000_000, CostMicro: 10_000_000}},
		"own before listed":    {listed.With(Price{Model: "gpt-4.1"}), "gpt-4.1", Tokens{In: 9}, debate.Usage{TokensIn: 9}},
		"listed beside own":    {own, "gpt-4.1", Tokens{In: 1_000_000}, debate.Usage{TokensIn: 1_000_000, CostMicro: 2_000_000}},
		"more cached than in":  {own, "m", Tokens{In: 10, Cached: 99, CacheWrite: 99}, debate.Usage{TokensIn: 10, TokensCached: 10, CostMicro: 3}},
		"negative":             {own, "m", Tokens{In: -1, Cached: -1, CacheWrite: -1, Out: -1}, debate.Usage{}},
		"too large to be true": {own, "plain", Tokens{Out: 1 << 60}, debate.Usage{TokensOut: maxTokens, CostMicro: 2 * maxTokens}},
	} {
		if diff := cmp.Diff(tt.want, tt.prices.Usage(tt.model, tt.tokens)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
