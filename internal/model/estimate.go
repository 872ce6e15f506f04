package model

import (
	"slices"
)

// Planned is a likely call of a debate.
type Planned struct {
	Model   string // "" if unknown, such as the model of a program
	Bytes   int    // of the request
	Again   bool   // the provider has read most of the request before
	Perhaps bool   // the call depends on a disagreement of the reviewers
}

// Estimate is the likely cost of calls, in millionths of a US dollar.
type Estimate struct {
	Low, High int64
	Unknown   []string // models without a known price: their calls count in neither
}

// The size of a call: text has three to five bytes a token. A review without findings is
// short, and one with reasoning is long.
const (
	mostBytesAToken  = 5
	fewestBytesToken = 3
	fewestOut        = 300
	mostOut          = 4000
)

// Estimate returns the likely cost of calls: at least the cost of short answers with the
// best use of a cache, and at most the cost of long ones without a cache.
func (p Prices) Estimate(calls []Planned) Estimate {
	var e Estimate
	for _, c := range calls {
		if c.Model == "" {
			continue
		}
		few := Tokens{In: c.Bytes / mostBytesAToken, Out: fewestOut}
		if c.Again {
			few.Cached = few.In
		}
		low, high := p.Usage(c.Model, few), p.Usage(c.Model, Tokens{In: c.Bytes / fewestBytesToken, Out: mostOut})
		if high.CostUnknown {
			e.Unknown = append(e.Unknown, c.Model)
			continue
		}
		if e.High += high.CostMicro; !c.Perhaps {
			e.Low += low.CostMicro
		}
	}
	slices.Sort(e.Unknown)
	e.Unknown = slices.Compact(e.Unknown)
	return e
}
