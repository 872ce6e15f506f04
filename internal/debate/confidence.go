package debate

import "slices"

// confidence is computed by the engine; what parties say of themselves is at
// most a ceiling (X12, R086, R107, R108).
func (m *reducer) confidence() Confidence {
	s := m.state
	switch {
	case s.panelSplit():
		return RequiresInput
	case s.Ending.Outcome == Tradeoff && (s.Table.PrimaryLost || m.unheard()):
		return Low
	case s.Ending.Outcome == Consensus && !m.doubtful():
		return m.capped(High)
	case s.Ending.Outcome == Consensus || s.Ending.Outcome == Tradeoff || s.Ending.Outcome == Unchallenged:
		return m.capped(Medium)
	}
	return Low
}

// panelSplit reports whether the judges of a decision did not agree.
func (s *State) panelSplit() bool {
	return slices.ContainsFunc(s.Agenda.Decisions, func(d Decision) bool { return d.Panel != nil && !d.Panel.Consensus })
}

// doubtful reports whether anything stands in the way of the highest confidence in
// a consensus.
func (m *reducer) doubtful() bool {
	s := m.state
	unscored := func(d Decision) bool { return d.Rubric != nil && len(d.Rubric.Sheets) == 0 } // nobody could be asked any more
	lost := func(p Party) bool { return p.debates() && p.Status != PartyOK }
	unexplained := func(k Challenge) bool { return k.Unexplained }
	unproved := func(c Claim) bool { return c.Kind == Empirical && c.Severity.AtLeast(P2) && !c.Verified() }
	for _, doubt := range []bool{
		s.Asking.Stopped,
		s.Table.SameFamily,
		slices.ContainsFunc(s.Agenda.Decisions, unscored),
		slices.ContainsFunc(s.Table.Parties, lost),
		slices.ContainsFunc(s.Book.Challenges, unexplained),
		slices.ContainsFunc(s.Agreed(), unproved),
		m.agreeingFamilies() < 2,
		s.Talk.Position().Confidence == DeclaredLow,
	} {
		if doubt {
			return true
		}
	}
	return false
}

// debates reports whether a party takes part in the debate itself.
func (p Party) debates() bool { return p.Role == Primary || p.Role == Challenger }

// capped lowers a confidence by what the arbiter flagged (R159, R160, X28).
func (m *reducer) capped(c Confidence) Confidence {
	s := m.state
	if len(s.Flags) == 0 {
		return c
	}
	last := s.Flags[len(s.Flags)-1]
	switch {
	case last.FlaggedBP >= 5000:
		return Low
	case last.FlaggedBP > 0 && c == High:
		return Medium
	}
	return c
}

// appeased reports whether every objection of a party was accepted in full, or
// given up with a reason: its challenges, and the claims that it raised.
func (m *reducer) appeased(seat *Seat) bool {
	s := m.state
	if seat.Option != "" && seat.Option != s.Talk.Position().Disposition {
		return false
	}
	objections := 0
	for _, k := range s.Book.Challenges {
		if k.Attacker != seat.Party {
			continue
		}
		objections++
		if !k.accepted() {
			return false
		}
	}
	for _, c := range s.Book.Claims {
		if c.Owner != seat.Party || c.SameAs != "" || !c.Severity.AtLeast(P2) {
			continue
		}
		if c.Carried == "" { // a finding of an earlier head is no objection that this one accepted
			objections++
		}
		if !c.acceptedOrGivenUp() {
			return false
		}
	}
	return objections > 0
}

// accepted reports whether a challenge was accepted in full, with a reason.
func (c Challenge) accepted() bool {
	full := c.Status == Conceded || c.Status == Resolved && !c.ResolvedWith.IsZero()
	return full && !c.Unexplained
}

func (c Claim) acceptedOrGivenUp() bool {
	return c.Bucket == Agreed || c.Reason == ReasonConceded || c.Reason == ReasonFixed
}

// agreeingFamilies counts the model families that agree, the primary's among
// them: by a substantive agreement, or because every objection of theirs was
// accepted or argued away (X12).
func (m *reducer) agreeingFamilies() int {
	s := m.state
	var families []string
	add := func(party string) {
		if p := s.Table.party(party); p != nil && !contains(families, p.Family) {
			families = append(families, p.Family)
		}
	}
	add(s.Table.Primary)
	for _, seat := range s.Table.challengers() {
		agrees := seat.agreesInSubstance()
		if seat.Engagement == Partially || seat.Engagement == Disagrees {
			agrees = m.appeased(seat)
		}
		if agrees {
			add(seat.Party)
		}
	}
	return len(families)
}
