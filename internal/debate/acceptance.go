package debate

import "slices"

// carried reports whether a person took a decision on an earlier head.
func (s *State) carried(d *Decision) bool {
	return d.Outcome == HumanDecided && d.Human.Head != s.Snapshot.HeadSHA
}

// beyondAcceptance says what stands against merging this head although a person
// decided on an earlier one to merge as proposed, or "". That person accepted what
// triggered the question, on those lines, and nothing else: the rest of this head
// has to be fit to merge by its own review (M20).
func (s *State) beyondAcceptance() string {
	d := s.Agenda.decision("D0")
	if d == nil || d.choice() != string(Keep) || !s.carried(d) {
		return ""
	}
	earlier := d.Human.By + " decided for an earlier head"
	for _, o := range d.FinalOptions {
		if o.Option != string(Keep) {
			return earlier + ", and " + o.Party + " chooses " + o.Option + " for this one"
		}
	}
	for i := range s.Book.Claims {
		c := &s.Book.Claims[i]
		stands := c.SameAs == "" && c.Severity.AtLeast(P2) && c.open()
		if stands && !d.accepts(c) {
			return earlier + ", and finding " + c.ID + " is open on this one"
		}
	}
	if k := s.Book.granted(); k != nil {
		return earlier + ", and objection " + k.ID + " was accepted on this one"
	}
	if !d.wouldKeep() {
		return earlier + ", and the review of this one did not come to keep"
	}
	return ""
}

// accepts reports whether who answers a decision accepts a claim with it: the
// critic's own finding about what triggered the decision.
func (d *Decision) accepts(c *Claim) bool {
	return c.Owner == EngineParty && slices.ContainsFunc(d.Triggers, func(t Trigger) bool {
		return t.ID == c.Trigger && t.Path == c.Cite().Path
	})
}
