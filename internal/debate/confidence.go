package debate

// confidence is computed by the engine; what parties say of themselves is at
// most a ceiling (X12, R086, R107, R108).
func (m *mover) confidence() Confidence {
	s := m.state
	for _, d := range s.Decisions {
		if d.Panel != nil && !d.Panel.Consensus {
			return RequiresInput
		}
	}
	switch s.Outcome {
	case Consensus:
	case Tradeoff:
		if s.PrimaryLost || m.unheard() {
			return Low
		}
		return m.capped(Medium)
	case Unchallenged:
		return m.capped(Medium)
	default:
		return Low
	}
	if s.Stopped {
		return m.capped(Medium)
	}
	for _, d := range s.Decisions { // nobody could be asked to score it any more
		if d.Rubric != nil && len(d.Rubric.Sheets) == 0 {
			return m.capped(Medium)
		}
	}
	if s.SameFamily {
		return m.capped(Medium)
	}
	for _, p := range s.Parties {
		debater := p.Role == Primary || p.Role == Challenger
		if debater && p.Status != PartyOK { // a party was lost
			return m.capped(Medium)
		}
	}
	for _, k := range s.Challenges {
		if k.Unexplained {
			return m.capped(Medium)
		}
	}
	for _, c := range s.Agreed() {
		if c.Kind == Empirical && c.Severity.AtLeast(P2) && !c.Verified() {
			return m.capped(Medium)
		}
	}
	if m.agreeingFamilies() < 2 {
		return m.capped(Medium)
	}
	if s.Position().Confidence == DeclaredLow {
		return m.capped(Medium)
	}
	return m.capped(High)
}

// capped lowers a confidence by what the arbiter flagged (R159, R160, X28).
func (m *mover) capped(c Confidence) Confidence {
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
func (m *mover) appeased(seat *Seat) bool {
	s := m.state
	if seat.Option != "" && seat.Option != s.Position().Disposition {
		return false
	}
	objections := 0
	for _, k := range s.Challenges {
		if k.Attacker != seat.Party {
			continue
		}
		objections++
		accepted := k.Status == Conceded || k.Status == Resolved && !k.ResolvedWith.IsZero()
		if !accepted || k.Unexplained {
			return false
		}
	}
	for _, c := range s.Claims {
		if c.Owner != seat.Party || c.SameAs != "" || !c.Severity.AtLeast(P2) {
			continue
		}
		if c.Carried == "" { // a finding of an earlier head is no objection that this one accepted
			objections++
		}
		if c.Bucket != Agreed && c.Reason != ReasonConceded && c.Reason != ReasonFixed {
			return false
		}
	}
	return objections > 0
}

// agreeingFamilies counts the model families that agree, the primary's among
// them: by a substantive agreement, or because every objection of theirs was
// accepted or argued away (X12).
func (m *mover) agreeingFamilies() int {
	s := m.state
	var families []string
	add := func(party string) {
		if p := s.party(party); p != nil && !contains(families, p.Family) {
			families = append(families, p.Family)
		}
	}
	add(s.Primary)
	for _, seat := range s.challengers() {
		agrees := seat.Engagement == Agrees && seat.Substance
		if seat.Engagement == Partially || seat.Engagement == Disagrees {
			agrees = m.appeased(seat)
		}
		if agrees {
			add(seat.Party)
		}
	}
	return len(families)
}
