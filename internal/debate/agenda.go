package debate

import (
	"cmp"
	"slices"

	"github.com/prdebate/debate/internal/lists"
)

// Agenda is what is to be decided and who said what about it.
type Agenda struct {
	Triggers     []Trigger  // of policy
	Assertions   []Asserted // triggers as parties assert them
	Asked        []Question // decisions that the openings see
	Framed       []Decision // what the parties were asked about, before anything was weighed
	Decisions    []Decision
	NextDecision int      // number of the next decision; ids are never reused
	Reviews      []Review // of proposals, in the order in which they came
}

func (a *Agenda) decision(id string) *Decision {
	return find(a.Decisions, func(d *Decision) bool { return d.ID == id })
}

// decisionsThat are the decisions of which something holds, in order of their ids.
func (a *Agenda) decisionsThat(are func(*Decision) bool) []*Decision {
	return findAll(a.Decisions, are)
}

// named is the decision of an id, the zero one if there is none.
func (a *Agenda) named(id string) *Decision { return cmp.Or(a.decision(id), &Decision{}) }

// d0 is the decision about the merge as a whole, the zero one before there is any.
func (a *Agenda) d0() *Decision { return a.named("D0") }

// AwaitsHuman reports whether any decision waits for a person.
func (a Agenda) AwaitsHuman() bool {
	return slices.ContainsFunc(a.Decisions, func(d Decision) bool { return d.Outcome == AwaitingHuman })
}

// rests is the stage in which a published debate waits for a human, or is done.
func (a Agenda) rests() Stage {
	if a.AwaitsHuman() {
		return StageAwaitingHuman
	}
	return StageDone
}

// handsOver reports whether a decision waits for a person because policy or the
// parties say that it must, and not only because the models disagree about it (M15).
func (a Agenda) handsOver() bool {
	return slices.ContainsFunc(a.Decisions, func(d Decision) bool {
		return d.Outcome == AwaitingHuman && d.item().Sink != SinkSummary
	})
}

// asserts reports whether a party has asserted a trigger with lines in these files
// before, or has asserted all it may.
func (a *Agenda) asserts(x Asserted) bool {
	own := lists.Keep(a.Assertions, func(have Asserted) bool { return have.Party == x.Party })
	return len(own) >= maxAsserted || slices.ContainsFunc(own, x.repeats)
}

// repeats reports whether an assertion says nothing beside an earlier one of its party: it
// shows no changed file that the other one does not.
func (x Asserted) repeats(have Asserted) bool {
	files := changedFiles(have.Evidence)
	adds := func(path string) bool { return !slices.Contains(files, path) }
	return have.Trigger == x.Trigger && have.Decision == x.Decision && !slices.ContainsFunc(changedFiles(x.Evidence), adds)
}

func (a Agenda) clone() Agenda {
	a.Triggers = cloned(a.Triggers)
	a.Decisions = changed(a.Decisions, func(d *Decision) {
		d.Triggers = cloned(d.Triggers)
		d.Human = copied(d.Human, func(h *Human) { h.Void, h.Others = cloned(h.Void), cloned(h.Others) })
	})
	a.Assertions = shared(a.Assertions)
	a.Reviews = shared(a.Reviews)
	a.Asked = shared(a.Asked)
	a.Framed = shared(a.Framed)
	return a
}
