package debate

import "github.com/prdebate/debate/internal/debate/argument"

// bucketAll puts every claim into exactly one bucket (P04). It may run again:
// after a re-examination and after a dispute.
func (m *mover) bucketAll() {
	s := m.state
	for i := range s.Claims {
		c := &s.Claims[i]
		if c.SameAs != "" {
			c.Bucket, c.Reason, c.Why, c.Crux = "", "", "same as "+s.survivor(c.ID).ID, ""
			continue
		}
		c.Crux = ""
		c.Bucket, c.Reason, c.Why = m.bucket(c)
		c.ConfirmedBy = m.confirmers(c)
	}
	m.ground()
}

// bucket is the bucket of one claim, its reason and the reason in words: the
// first of the rules of Part 4 that matches.
func (m *mover) bucket(c *Claim) (Bucket, Reason, string) {
	if why := m.orderedAway(c); why != "" {
		return Dismissed, ReasonHuman, why
	}
	if c.ofCritic() {
		return m.bucketEngine(c)
	}
	if c.Carried != "" {
		if why := m.fixed(c); why != "" {
			return Dismissed, ReasonFixed, why
		}
	}
	if c.OutOfScope {
		return Dismissed, ReasonOutOfScope, "it is about lines that the change does not touch"
	}
	if c.Late && !(c.Verified() && m.weighed(c)) { // not evaluated, so never dismissed
		return Unresolved, ReasonLate, "it was raised when nothing new could be"
	}
	if b, reason, why := m.fallen(c); b != "" {
		return b, reason, why
	}
	switch {
	case c.NotDebated:
		return Unresolved, ReasonNotDebated, "more claims were raised than are debated"
	case c.Extra:
		return Unresolved, ReasonNotDebated, "on a later head only what is severe and about a changed part is new"
	case c.Reframe && !m.consented(c):
		return Unresolved, ReasonAnchorShift, "it asks another question than the change does; a person with write access can consent to it"
	}
	if b, reason, why := m.contended(c); b != "" {
		return b, reason, why
	}
	return m.gated(c)
}

// ofCritic reports whether the embedded critic sees the claim on this head.
func (c Claim) ofCritic() bool { return c.Owner == EngineParty && (c.Carried == "" || c.Rule != "") }

// about leaves out the check runs that failed somewhere else: they say nothing of
// the claim (S12).
func (c Claim) about(list []Evidence) []Evidence {
	var kept []Evidence
	for _, e := range list {
		at := c.stands()
		apart := e.Cite.Path != at.Path || e.Cite.StartLine > at.EndLine || e.Cite.EndLine < at.StartLine
		if e.Type != Execution || !apart {
			kept = append(kept, e)
		}
	}
	return kept
}

// bucketEngine keeps what the embedded critic saw (S01): Agreed, unless its
// lines are not there or a party rejects it with evidence that holds.
func (m *mover) bucketEngine(c *Claim) (Bucket, Reason, string) {
	if !c.Verified() {
		return Unresolved, ReasonUnconfirmed, "the cited lines are not what the check says"
	}
	for _, k := range m.state.Challenges {
		if k.Claim == c.ID && k.Kind == Rejecting && k.Qualified() {
			c.Crux = clip(k.Objection, 500)
			return Unresolved, ReasonOpen, "it is rejected with evidence, and no model may dismiss it"
		}
	}
	return Agreed, "", ""
}

// fallen finds what dismisses a claim: it was conceded, undefended or rejected
// with better evidence (R143, R150-R152). Verified evidence is its own defence
// against silence (X23), and giving up what is cited must be argued (A22).
func (m *mover) fallen(c *Claim) (Bucket, Reason, string) {
	for _, k := range m.state.Challenges {
		if k.Claim != c.ID || k.Kind == Reconciling {
			continue
		}
		switch {
		case k.Unexplained:
			return Unresolved, ReasonUnexplained, k.Attacker + " and its owner do not say what settled " + k.ID
		case k.Status == Conceded && m.held(c, k):
			return Unresolved, ReasonOpen, "its owner conceded " + k.ID + ", and another party still holds it on verified evidence"
		case k.Status == Conceded:
			return Dismissed, ReasonConceded, "its owner conceded " + k.ID
		case k.Status == Undefended && k.Clarify:
			return Unresolved, ReasonDefinition, "its owner did not say what it means"
		case k.Status == Undefended && c.Verified():
			return Unresolved, ReasonOpen, "its owner did not answer " + k.ID + ", and its evidence is verified"
		case k.Status == Undefended:
			return Dismissed, ReasonUndefended, "its owner did not answer " + k.ID
		case k.Status == Upheld && weight(c.about(k.Evidence)) > weight(c.Evidence):
			return Dismissed, ReasonRejected, k.ID + " cites better evidence than the claim"
		}
	}
	return "", "", ""
}

// held reports whether somebody beside the owner and the attacker holds a claim
// whose evidence is verified: its owner cannot give it up for them.
func (m *mover) held(c *Claim, k Challenge) bool {
	for _, party := range m.confirmers(c) {
		if party != k.Attacker && c.Verified() {
			return true
		}
	}
	return false
}

// contended finds what keeps a claim unresolved (R144): a deadlock, or an attack
// that was not settled.
func (m *mover) contended(c *Claim) (Bucket, Reason, string) {
	for _, k := range m.state.Challenges {
		if k.Claim != c.ID || k.Kind == Reconciling || !(k.Live() || k.Status == Upheld) {
			continue
		}
		c.Crux = clip(k.Objection, 500)
		for _, v := range k.Views {
			if v.Class == MissingData && k.Deadlock == MissingData {
				c.Crux = clip("measure "+v.Measurement+"; threshold: "+v.Threshold+"; then: "+v.Effect, 500)
			}
		}
		switch {
		case k.Clarify:
			return Unresolved, ReasonDefinition, "what it means was not settled"
		case k.Deadlock == MissingData:
			return Unresolved, ReasonBlocked, "a measurement is missing"
		case k.Deadlock == Definitional:
			return Unresolved, ReasonDefinition, "the sides mean different things"
		case k.Deadlock == Criteria:
			return Unresolved, ReasonTradeoff, "the sides weigh different criteria"
		case k.Status == Upheld:
			return Unresolved, ReasonOpen, k.ID + " was maintained, and neither side has the better evidence"
		}
		return Unresolved, ReasonOpen, k.ID + " is open"
	}
	return "", "", ""
}

// gated lets a claim into Agreed if somebody else agrees and the gate of its
// kind is passed (R142, R145, R146, X13, S20).
func (m *mover) gated(c *Claim) (Bucket, Reason, string) {
	agrees := len(m.confirmers(c)) > 0
	evaluated := false
	for _, e := range c.Evaluations {
		evaluated = evaluated || e.Party != c.Owner
	}
	pass := false
	switch c.Kind {
	case Value:
		pass = true
	case Proposal:
		pass = qualified(c.Evidence)
	default:
		pass = c.Verified()
	}
	switch {
	case c.Carried != "" && pass:
		return Agreed, "", ""
	case agrees && pass:
		return Agreed, "", ""
	case !evaluated && c.Severity.AtLeast(P2) && m.state.Outcome != DegradedLocal:
		return Unresolved, ReasonUnreviewed, "nobody but its owner has weighed it"
	case !evaluated:
		return Unresolved, ReasonUnconfirmed, "nobody but its owner has weighed it"
	case !pass:
		return Unresolved, ReasonUnconfirmed, "no evidence for it is verified"
	}
	return Unresolved, ReasonUnreviewed, "nobody but its owner agrees with it"
}

// confirmers are the parties other than the owner whose last word on a claim is
// AGREE, in party order.
func (m *mover) confirmers(c *Claim) []string {
	if c.ofCritic() && c.Verified() {
		return []string{EngineParty}
	}
	list := []string{}
	for _, p := range m.state.Parties {
		if e := c.last(p.ID); e != nil && e.Class == ClassAgree && p.ID != c.Owner && !m.abstains(p.ID) && !contains(list, p.ID) {
			list = append(list, p.ID)
		}
	}
	return list
}

// weighed reports whether a party other than the owner has weighed a claim.
func (m *mover) weighed(c *Claim) bool { return len(m.confirmers(c)) > 0 }

// ground checks the buckets against the attack graph: what is Agreed must be IN
// under the grounded labelling of the claims and the attacks that live (P21).
func (m *mover) ground() {
	s := m.state
	var ids []string
	var attacks []argument.Attack
	for _, c := range s.Claims {
		if c.SameAs == "" && c.Bucket != Dismissed {
			ids = append(ids, c.ID)
		}
	}
	for _, k := range s.Challenges {
		if k.Kind == Reconciling || k.Claim == PositionSubject || !(k.Live() || k.Status == Upheld) {
			continue
		}
		if c := s.claim(k.Claim); c != nil && c.Owner == EngineParty && !(k.Kind == Rejecting && k.Qualified()) {
			continue // S01: it attacks nothing
		}
		ids = append(ids, k.ID)
		attacks = append(attacks, argument.Attack{By: k.ID, On: k.Claim})
	}
	in := argument.Grounded(ids, attacks)
	for i := range s.Claims {
		c := &s.Claims[i]
		if c.Bucket == Agreed && !contains(in, c.ID) {
			c.Bucket, c.Reason, c.Why = Unresolved, ReasonOpen, "an attack on it stands"
		}
	}
}
