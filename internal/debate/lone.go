package debate

import (
	"cmp"
	"slices"
)

// Lone is a trigger that a party asserts with valid lines, and that makes no decision critical.
type Lone struct {
	Party   string
	Trigger TriggerID
	At      Citation // the first valid lines of the party
	Reason  string
}

// Lone are the triggers without a decision: one party alone asserts them, and policy names no
// such path (S03). The result lists each once for each party, trigger and place. An assertion
// without a valid line stays in the record only.
func (a Agenda) Lone() []Lone {
	var list []Lone
	for _, x := range a.Assertions {
		found := okOnly(x.Evidence)
		if len(found) == 0 || a.decides(x) {
			continue
		}
		list = append(list, Lone{Party: x.Party, Trigger: x.Trigger, At: found[0].Cite, Reason: x.Reason})
	}
	slices.SortStableFunc(list, Lone.order)
	return slices.CompactFunc(list, func(a, b Lone) bool { return a.order(b) == 0 })
}

func (l Lone) order(o Lone) int {
	return cmp.Or(
		cmp.Compare(l.At.Path, o.At.Path), cmp.Compare(l.At.StartLine, o.At.StartLine), cmp.Compare(l.At.Side, o.At.Side),
		cmp.Compare(l.Trigger, o.Trigger), cmp.Compare(l.Party, o.Party),
	)
}

// decides reports whether an assertion of a party is among the triggers of some decision:
// asserted by it, or found by policy in a file that it cites.
func (a Agenda) decides(x Asserted) bool {
	named := func(t Trigger) bool {
		cites := func(e Evidence) bool { return e.CitationOK && e.Cite.Path == t.Path }
		return t.ID == x.Trigger && (slices.Contains(t.By, x.Party) || slices.ContainsFunc(x.Evidence, cites))
	}
	return slices.ContainsFunc(a.Decisions, func(d Decision) bool { return slices.ContainsFunc(d.Triggers, named) })
}
