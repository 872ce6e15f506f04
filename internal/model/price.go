package model

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/prdebate/debate/internal/debate"
)

// Price is what a provider takes for the tokens of a model, in millionths of a US
// dollar for a million tokens: 1250000 is 1.25 dollars.
type Price struct {
	Model      string `json:"model"` // or the beginning of its name, see Prices.Of
	Input      int64  `json:"input"`
	Cached     int64  `json:"cached"`                // input that was read from the provider's cache
	CacheWrite int64  `json:"cache_write,omitempty"` // input that was written to it; 0: as Input
	Output     int64  `json:"output"`
	UpTo       int    `json:"up_to,omitempty"` // input tokens of a call up to which these prices hold; 0: any number
	Date       string `json:"date"`            // when the source said so, YYYY-MM-DD
	Source     string `json:"source"`
}

// Prices is a table of prices. The zero value is empty; Registry.Prices makes one.
type Prices struct {
	own, listed []Price
}

// With is the table with prices that go before those it has.
func (p Prices) With(own ...Price) Prices {
	return Prices{own: slices.Concat(own, p.own), listed: p.listed}
}

// Of finds the price of a model: of the entries whose name the model's name
// begins with, followed by nothing but a date, a revision or "latest", the one
// with the longest name. So a snapshot has the price of its model, and a newer
// model with a longer name has none.
func (p Prices) Of(model string) (price Price, known bool) {
	model = strings.TrimPrefix(strings.ToLower(model), "models/")
	others := func(price Price) bool { return !price.fits(model) }
	for _, table := range [][]Price{p.own, p.listed} {
		if fitting := slices.DeleteFunc(slices.Clone(table), others); len(fitting) > 0 {
			return slices.MaxFunc(fitting, func(a, b Price) int { return cmp.Compare(len(a.Model), len(b.Model)) }), true
		}
	}
	return Price{}, false
}

// fits reports whether a price is that of a model or of a snapshot of it.
func (p Price) fits(model string) bool {
	rest, ok := strings.CutPrefix(model, p.Model)
	return ok && snapshot().MatchString(rest)
}

var snapshot = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(-latest|[-@]\d{8}|-\d{4}-\d{2}-\d{2}|-00\d)?$`)
})

// Tokens is what a call used, as the provider accounts it.
type Tokens struct {
	In         int // all input, with what was read from and written to a cache
	Cached     int // of In
	CacheWrite int // of In
	Out        int // all output, with reasoning where it is billed
}

// Usage is what a call used and cost. What a model without a known price costs is
// unknown, never 0 (S15). Costs are rounded up.
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

// maxTokens is more than any call has, and small enough to multiply.
const maxTokens = 100_000_000

func clamp(n, most int) int { return max(0, min(n, most)) }
