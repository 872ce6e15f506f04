package model

import (
	"slices"
)

// Planned is a call that a debate is likely to make.
type Planned struct {
	Model   string // "" where nobody knows, such as of a program
	Bytes   int    // that are sent
	Again   bool   // the provider has read most of them before
	Perhaps bool   // it is made only where reviewers differ
}

// Estimate is what calls are likely to cost, in millionths of a US dollar.
type Estimate struct {
	Low, High int64
	Unknown   []string // models without a known price, whose calls are in neither
}

// What a call is taken for: text has three to five bytes a token, a reviewer that finds
// nothing writes little, and one that reasons writes much.
const (
	mostBytesAToken  = 5
	fewestBytesToken = 3
	fewestOut        = 300
	mostOut          = 4000
)

// Estimate says what calls are likely to cost: at least what short answers do if all
// that can be is read from a cache, and at most what long ones do without any.
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
