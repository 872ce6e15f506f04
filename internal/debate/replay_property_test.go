package debate

import (
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/google/go-cmp/cmp"
)

// ofReplay: the log alone makes the state.
func ofReplay() []property {
	return []property{{"P29", foldsAgain}, {"P31", resumesAnywhere}, {"P31", asksOnce}}
}

// foldsAgain: the log folds to the same state again, byte for byte, also
// after it was written and read.
func foldsAgain(p played) string {
	recorded := make([]Entry, len(p.log))
	for i, e := range p.log {
		event, err := Recorded(e.Event)
		if err != nil {
			return err.Error()
		}
		recorded[i] = Entry{N: e.N, At: e.At, Event: event}
	}
	read, err := Fold(recorded)
	if err != nil {
		return err.Error()
	}
	again, err := Fold(recorded)
	if err != nil {
		return err.Error()
	}
	if !reflect.DeepEqual(read, again) {
		return "folded twice:\n" + difference(read, again)
	}
	if a, b := canonical(p.end()), canonical(read); a != b {
		return "folded while it happened and from the record:\n" + difference(p.end(), read)
	}
	return ""
}

func canonical(s State) string {
	data, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(data)
}

func difference(a, b State) string { return cmp.Diff(a, b) }

// resumesAnywhere: what a host finds in the log after a crash is the state
// that it had, with the same work outstanding, and nothing that happened since has
// changed the earlier state: a State is a value.
func resumesAnywhere(p played) string {
	at := diceOf(p.seed, "crash").n(len(p.log) + 1)
	s, err := Fold(p.log[:at])
	if err != nil {
		return err.Error()
	}
	if !reflect.DeepEqual(s, p.states[at]) {
		return fmt.Sprintf("event %d:\n%s", at, difference(p.states[at], s))
	}
	if !reflect.DeepEqual(Outstanding(s), Outstanding(p.states[at])) {
		return fmt.Sprintf("event %d: other work is outstanding", at)
	}
	return ""
}

// asksOnce: no work is asked for whose result is in the log,
// and no two pieces of work have one id.
func asksOnce(p played) string {
	done := map[string]bool{}
	for i, s := range p.states {
		if i > 0 {
			if r, ok := p.log[i-1].Event.(Replied); ok {
				if done[r.Ask] {
					return fmt.Sprintf("event %d: %s is answered twice", i, r.Ask)
				}
				done[r.Ask] = true
			}
		}
		ids := map[string]bool{}
		for _, work := range Outstanding(s) {
			if done[work.ID] || ids[work.ID] {
				return fmt.Sprintf("event %d: %s is asked again", i, work.ID)
			}
			ids[work.ID] = true
		}
	}
	return ""
}

// arrivesInAnyOrder: the order in which the replies of a wave arrive changes nothing
// but which event is in which step of the transcript.
func arrivesInAnyOrder(p played) string {
	w := calmWorld(p.seed)
	w.dice = diceOf(p.seed, "another order")
	a, b := p.end(), w.outcome()
	a.Steps, b.Steps = nil, nil
	if !reflect.DeepEqual(a, b) {
		return difference(a, b)
	}
	return ""
}
