package model

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/prdebate/debate/internal/debate"
)

// Price is the price of a model's tokens, in millionths of a US dollar for a million tokens:
// 1250000 is 1.25 dollars.
type Price struct {
	Model      string `json:"model"` // or the start of its name, see Prices.Of
	Input      int64  `json:"input"`
	Cached     int64  `json:"cached"`                // input from the provider's cache
	CacheWrite int64  `json:"cache_write,omitempty"` // input written to the cache; 0: as Input
	Output     int64  `json:"output"`
	UpTo       int    `json:"up_to,omitempty"` // the prices hold for calls with at most so many input tokens; 0: any number
	Date       string `json:"date"`            // of the source, YYYY-MM-DD
	Source     string `json:"source"`
}

// Prices is a table of prices. The zero value is empty; Registry.Prices makes one.
type Prices struct {
	own, listed []Price
}

// With returns the table with further prices, which win over the old ones.
func (p Prices) With(own ...Price) Prices {
	return Prices{own: slices.Concat(own, p.own), listed: p.listed}
}

// Of finds the price of a model. The name of an entry must be the model's name without its
// end, if this end is a date, a revision or "latest". Of several entries the one with the
// longest name counts. So a snapshot has the price of its model, and a newer model with a
// longer name has none.
func (p Prices) Of(model string) (price Price, known bool) {
	model = strings.TrimPrefix(strings.ToLower(model), "models/")
	others := func(price Price) bool {
		rest, ok := strings.CutPrefix(model, price.Model)
		return !ok || !snapshot().MatchString(rest)
	}
	for _, table := range [][]Price{p.own, p.listed} {
		if fitting := slices.DeleteFunc(slices.Clone(table), others); len(fitting) > 0 {
			return slices.MaxFunc(fitting, func(a, b Price) int { return cmp.Compare(len(a.Model), len(b.Model)) }), true
		}
	}
	return Price{}, false
}

var snapshot = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(-latest|[-@]\d{8}|-\d{4}-\d{2}-\d{2}|-00\d)?$`)
})

// Tokens is the usage of a call, by the provider's account.
type Tokens struct {
	In         int // all input, also to and from a cache
	Cached     int // of In
	CacheWrite int // of In
	Out        int // all output, with reasoning if it is billed
}

// Usage is the usage and the cost of a call. Without a known price the cost is unknown,
// never 0. Costs are rounded up.
func (p Prices) Usage(model string, t Tokens) debate.Usage {
	t.In, t.Out = clamp(t.In, maxTokens), clamp(t.Out, maxTokens)
	t.Cached = clamp(t.Cached, t.In)
	t.CacheWrite = clamp(t.CacheWrite, t.In-t.Cached)
	u := debate.Usage{TokensIn: t.In, TokensCached: t.Cached, TokensOut: t.Out}
	price, known := p.Of(model)
	if most := cmp.Or(price.UpTo, maxTokens); !known || t.In > most {
		u.CostUnknown = true
		return u
	}
	plain, write := t.In-t.Cached-t.CacheWrite, cmp.Or(price.CacheWrite, price.Input)
	sum := int64(plain)*price.Input + int64(t.Cached)*price.Cached + int64(t.CacheWrite)*write + int64(t.Out)*price.Output
	u.CostMicro = (sum + 999_999) / 1_000_000
	return u
}

// maxTokens is more than in any call, and small enough to multiply.
const maxTokens = 100_000_000

func clamp(n, most int) int { return max(0, min(n, most)) }
