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
	return c.Owner == EngineParty && slices.ContainsFunc(d.Triggers, func(t Trigger) bool {
		return t.ID == c.Trigger && t.Path == c.Cite().Path
	})
}

// Accepts are the findings that an answer accepts by name. A click names none: it
// answers what was asked.
func (d Decision) Accepts(ev Decided, claims []Claim) []Acceptance {
	byName := slices.Contains([]Via{ViaCommand, ViaLocal}, ev.Via)
	if !byName || ev.Option != string(Keep) || d.Human == nil {
		return nil
	}
	quoted := lists.Keep(claims, func(c Claim) bool { return d.Human.quotes(&c) })
	return lists.Map(quoted, func(c Claim) Acceptance { return Acceptance{Key: Key(c), Category: c.Category, AtMost: c.Severity} })
}

// accepted reports whether the person who decided to merge accepted a claim: it states
// what was asked about, or was accepted by name.
func (a *Agenda) accepted(c *Claim) bool {
	h := a.keptBy()
	return h != nil && (a.d0().states(c) || h.accepts(c))
}

// keptBy is the human item of D0 if a person decided to merge, or nil.
func (a *Agenda) keptBy() *Human {
	if h := a.disposed(); h != nil && h.Option == string(Keep) {
		return h
	}
	return nil
}

// quotes reports whether a question quotes a claim that its answer can accept by name.
func (h *Human) quotes(c *Claim) bool { return slices.Contains(h.Quoted, c.ID) && !c.confirmedP1() }

// accepts reports whether an answer accepted a claim by name, on this head or on an
// earlier one.
func (h *Human) accepts(c *Claim) bool {
	return !c.confirmedP1() && slices.ContainsFunc(h.Accepted, func(a Acceptance) bool {
		return a.Key == Key(*c) && a.Category == c.Category && c.Severity.rank() >= a.AtMost.rank()
	})
}

// AcceptedByName are the findings of this head that a person accepted by name.
func (s *State) AcceptedByName() []string {
	h := s.Agenda.keptBy()
	if h == nil {
		return nil
	}
	return s.Book.claimsThat(h.accepts)
}

// StillOpen are the findings that stand in the way of a merge although a person decided
// to merge, or will although somebody decides so by the command: a P1 that is confirmed
// or disputed on lines that are there, and what fails the check (M20).
func (s *State) StillOpen() []string {
	d, covers := s.Agenda.d0(), s.Agenda.accepted
	switch {
	case s.Agenda.keptBy() != nil:
	case d.Outcome == AwaitingHuman && d.Human != nil:
		covers = func(c *Claim) bool { return d.states(c) || d.Human.quotes(c) }
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
	case c.counts() && settings.failOn().Fails(c.Severity):
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
	return d.Outcome == HumanDecided && d.Human.Head != head
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
