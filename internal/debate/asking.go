package debate

import (
	"cmp"
	"slices"
)

// Asking has the calls to parties, their cost, and the current wave.
type Asking struct {
	Calls   []Call   // in wave and party order
	Shown   []string // names of the texts in the record
	Looks   []Looked // of finished waves, in wave and party order
	Wave    *Wave    // the current one, or nil
	Stopped bool     // a person stopped the debate
	Tested  bool     `json:",omitempty"` // a later job ran the tests, and runs no more
}

// maxShown bounds the texts that a record keeps: one for each chunk, and a few more.
const maxShown = 1000

// shown notes the texts in the record. Nothing follows from them.
func (m *reducer) shown(ev Shown) string {
	a := &m.Asking
	if a.Wave == nil {
		return "nobody is asked"
	}
	if len(ev.Texts) == 0 || len(a.Shown)+len(ev.Texts) > maxShown {
		return "it has no texts, or the record has too many"
	}
	for _, t := range ev.Texts {
		if slices.Contains(a.Shown, t.Hash) {
			return "the record holds this text"
		}
		a.Shown = append(a.Shown, t.Hash)
	}
	return ""
}

// asked reports whether an ask of this id was made before.
func (a *Asking) asked(id string) bool {
	return slices.ContainsFunc(a.Calls, func(c Call) bool { return c.Ask == id })
}

// Made are all calls that were made: those of finished waves, and those of the current one with
// a cost so far.
func (a Asking) Made() []Call {
	calls, wave := slices.Clone(a.Calls), cmp.Or(a.Wave, &Wave{})
	for i, ask := range wave.Asks {
		looks, spent, _ := wave.cost(ask)
		if r := wave.Replies[i]; r.Ask != "" || looks > 0 {
			calls = append(calls, Call{Ask: ask.ID, Party: ask.Party, Usage: r.Usage.plus(spent), Looks: looks})
		}
	}
	return calls
}

// Tells reports whether the record has the result of a turn (TurnID). A turn that was lost
// together with its program has none.
func (a Asking) Tells(turn string) bool {
	told := make(map[string]bool)
	tell := func(ask string, turns int) {
		for looked := range turns {
			told[TurnID(ask, looked)] = true
		}
	}
	for _, c := range a.Calls {
		tell(c.Ask, 1+LookTurns)
	}
	wave := cmp.Or(a.Wave, &Wave{})
	for i, ask := range wave.Asks {
		tell(ask.ID, len(wave.looksBefore(ask)))
		if wave.Replies[i].Ask != "" {
			tell(ask.ID, 1+LookTurns)
		}
	}
	return told[turn]
}

// dearest is the cost of the most expensive call so far, in millionths of a US dollar: the
// expected cost of the next one.
func (a Asking) dearest() int64 {
	most := int64(0)
	for _, c := range a.Calls {
		most = max(most, c.Usage.CostMicro)
	}
	return most
}

// Spent is the cost of all calls so far, in millionths of a US dollar, and whether some prices
// are unknown.
func (a Asking) Spent() (micro int64, unknown bool) {
	for _, c := range a.Calls {
		micro += c.Usage.CostMicro
	}
	return micro, slices.ContainsFunc(a.Calls, func(c Call) bool { return c.Usage.CostUnknown })
}

func (a Asking) clone() Asking {
	a.Calls, a.Shown, a.Looks = slices.Clip(a.Calls), slices.Clip(a.Shown), slices.Clip(a.Looks)
	a.Wave = copied(a.Wave, func(w *Wave) {
		w.Asks, w.Replies, w.Looks = slices.Clone(w.Asks), slices.Clone(w.Replies), slices.Clip(w.Looks)
	})
	return a
}
