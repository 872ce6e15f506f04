package debate

import (
	"cmp"
	"slices"

	"github.com/prdebate/debate/internal/debate/holding"
	"github.com/prdebate/debate/internal/lists"
)

// Acceptance is a finding that a person accepted by name, with a keep. It is bound to
// the cited lines as a dismissal is: a finding on the same text that is of the same
// kind and no more severe is accepted too, on any head (M20).
type Acceptance struct {
	Key      string   `json:"key"` // see Key
	Category Category `json:"category,omitempty"`
	AtMost   Severity `json:"at_most"`
}

// maxQuoted bounds the findings that one question quotes.
const maxQuoted = 20

// quoted are the claims that the question about the merge quotes, the most severe
// first: those that are open, or a P1 that nothing is quoted against, and that its triggers
// do not state already. A confirmed P1 is none: a decision to merge does not take its place.
func (book *Book) quoted(q *Inquiry, d *Decision) []string {
	if !d.disposes() || q != nil {
		return nil
	}
	list := lists.Keep(book.severe(), func(c *Claim) bool {
		return (c.open() || c.looms()) && c.Cite().Path != "" && !d.states(c) && !c.confirmedP1()
	})

	slices.SortStableFunc(list, func(a, b *Claim) int { return cmp.Compare(a.Severity.rank(), b.Severity.rank()) })
	return lists.Map(keep(list, maxQuoted), (*Claim).id)
}

// confirmedP1 reports whether a claim is a P1 that the debate confirmed.
func (c *Claim) confirmedP1() bool { return c.Severity == P1 && c.Bucket == Agreed }

// states reports whether a claim states just what triggered a decision: the critic's
// own finding about it, and what was merged into that.
func (d *Decision) states(c *Claim) bool {
	return c.Owner == EngineParty && triggeredAt(d.Triggers, c.Trigger, c.Cite().Path)
}

// triggeredAt reports whether one of some triggers is of an id and at a path.
func triggeredAt(list []Trigger, id TriggerID, path string) bool {
	return slices.ContainsFunc(list, func(t Trigger) bool { return t.ID == id && t.Path == path })
}

// Accepts are the findings that an answer accepts by name. A click names none: it
// answers what was asked.
func (d Decision) Accepts(ev Decided, claims []Claim) []Acceptance {
	byName := slices.Contains([]Via{ViaCommand, ViaLocal}, ev.Via)
	if !byName || ev.Option != string(Keep) {
		return nil
	}
	quoted := lists.Keep(claims, func(c Claim) bool { return d.item().quotes(&c) })
	return lists.Map(quoted, Claim.acceptance)
}

// acceptance is what accepts a claim by name.
func (c Claim) acceptance() Acceptance {
	return Acceptance{Key: Key(c), Category: c.Category, AtMost: c.Severity}
}

// includes reports whether an acceptance holds for what another one is for: the same
// text and kind, and no more severe.
func (a Acceptance) includes(b Acceptance) bool {
	rank := b.AtMost.rank()
	b.AtMost = a.AtMost
	return a == b && rank >= a.AtMost.rank()
}

// accepted reports whether the person who decided to merge accepted a claim.
func (a *Agenda) accepted(c *Claim) bool { return a.personal() == Keep && a.d0().covers(c) }

// covers reports whether a person who decides a question accepts a claim with it: it
// states what was asked about, or was accepted by name.
func (d *Decision) covers(c *Claim) bool { return d.states(c) || d.item().accepts(c) }

// quotes reports whether a question quotes a claim that its answer can accept by name.
func (h *Human) quotes(c *Claim) bool { return slices.Contains(h.Quoted, c.ID) && !c.confirmedP1() }

// accepts reports whether an answer accepted a claim by name, on this head or on an
// earlier one.
func (h *Human) accepts(c *Claim) bool {
	return !c.confirmedP1() && slices.ContainsFunc(h.Accepted, func(a Acceptance) bool { return a.includes(c.acceptance()) })
}

// AcceptedByName are the findings of this head that a person accepted by name.
func (s *State) AcceptedByName() []string {
	if s.Agenda.personal() != Keep {
		return nil
	}
	return s.Book.claimsThat(s.Agenda.d0().item().accepts)
}

// StillOpen are the findings that stand in the way of a merge although a person decided
// to merge, or will although somebody decides so by the command: a P1 that is confirmed
// or disputed on lines that are there, and what fails the check (M20).
func (s *State) StillOpen() []string {
	d := s.Agenda.d0()
	covers := d.covers
	switch {
	case s.Agenda.personal() == Keep:
	case d.Outcome == AwaitingHuman:
		covers = func(c *Claim) bool { return d.states(c) || d.item().quotes(c) }
	default:
		return nil
	}
	return s.Book.claimsThat(func(c *Claim) bool { return s.Received.Settings.blocks(c) && !covers(c) })
}

// claimsThat are the ids of the claims of which something holds.
func (b *Book) claimsThat(hold func(c *Claim) bool) []string {
	return lists.Map(lists.Keep(b.live(), hold), (*Claim).id)
}

// blocks reports whether a claim keeps a change from being merged as it is, whatever is
// decided about it as a whole: a P1 that is confirmed or that a quote shows, and what fails
// the check (M02).
func (settings *Settings) blocks(c *Claim) bool {
	switch {
	case settings.failedBy(c):
		return true
	case c.Severity != P1:
		return false
	case c.Bucket == Unresolved:
		return c.Verified() || holding.Shows(quotes(c.Evidence))
	}
	return c.Bucket == Agreed
}

// decidedElsewhere reports whether a person took a decision on another head than this one.
func decidedElsewhere(head string, d *Decision) bool {
	return d.byHuman() && d.Human.Head != head
}

// beyondAcceptance says what stands against merging this head although a person
// decided on an earlier one to merge as proposed, or "". That person accepted what
// triggered the question, on those lines, and what the answer named: the rest of this
// head has to be fit to merge by its own review (M20).
func (s *State) beyondAcceptance() string {
	d := s.Agenda.d0()
	if d.choice() != string(Keep) || !decidedElsewhere(s.Snapshot.HeadSHA, d) {
		return ""
	}
	stands := func(c *Claim) bool {
		return !s.Agenda.accepted(c) && (c.severe() && c.open() || !s.Received.forbidsKeep(s.Snapshot.HeadSHA, c).IsZero())
	}
	earlier := d.Human.By + " decided for an earlier head, and "
	differs := find(d.FinalOptions, func(o *PartyOption) bool { return o.Option != string(Keep) })
	open, granted := s.Book.claimsThat(stands), s.Book.granted()
	switch {
	case differs != nil:
		return earlier + differs.Party + " chooses " + differs.Option + " for this one"
	case len(open) > 0:
		return earlier + "finding " + open[0] + " is open on this one"
	case granted != nil:
		return earlier + "objection " + granted.ID + " was accepted on this one"
	case !d.wouldKeep():
		return earlier + "the review of this one did not come to keep"
	}
	return ""
}
