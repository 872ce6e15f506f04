package debate

// settled reports whether a decision needs no scoring (X08, S04).
func (m *mover) settled(d *Decision) bool {
	s := m.state
	primary := ""
	agree := 0
	for _, o := range d.FinalOptions {
		if o.Party == s.Primary {
			primary = o.Option
		}
	}
	if primary == "" || s.PrimaryLost {
		return false
	}
	for _, o := range d.FinalOptions {
		if o.Party == s.Primary {
			continue
		}
		if o.Option != primary {
			return false
		}
		agree++
	}
	if !d.disposes() {
		d.Recommendation = primary
		return agree > 0 && agree == m.voices()
	}
	if len(m.blockers()) > 0 {
		return false
	}
	if primary != string(s.Position().Disposition) { // it contradicts itself
		return false
	}
	if len(m.speaking()) == 0 || m.unheard() {
		return false
	}
	for _, k := range s.Challenges { // accepted in words only
		if k.Claim == PositionSubject && (k.Status == Conceded || k.Unexplained) && worse(k.wants(), Disposition(primary)) {
			return false
		}
	}
	for _, k := range s.Challenges { // it made the objection that was accepted
		if k.Status == Conceded && k.Defender == s.Primary && s.seat(k.Attacker) != nil {
			agree++
		}
	}
	for i := range s.Claims { // or raised the claim that was
		c := &s.Claims[i]
		e := c.last(s.Primary)
		if e != nil && e.Class == ClassAgree && s.seat(c.Owner) != nil && c.Severity.AtLeast(P2) {
			agree++
		}
	}
	if s.Positions[0].Disposition == s.Position().Disposition { // its agreement is about what still stands
		for _, seat := range m.speaking() {
			if seat.Engagement == Agrees && seat.Substance {
				agree++
			}
		}
	}
	if agree == 0 {
		return false
	}
	d.Recommendation = primary
	return true
}

// wants is the option that a challenge to the position asks for. An objection that
// names none, and is not minor, asks for a change.
func (c Challenge) wants() Disposition {
	if c.Option == "" && c.Claim == PositionSubject && c.Kind != Reconciling && c.Strength != StrengthMinor {
		return Revise
	}
	return c.Option
}

// granted is the last objection that the primary accepted to its position and that
// names no option, or nil: what it grants has to change, so that it holds keep no
// more (R095).
func (m *mover) granted() *Challenge {
	s := m.state
	for i := len(s.Challenges) - 1; i >= 0; i-- {
		if k := &s.Challenges[i]; k.Claim == PositionSubject && k.Option == "" && k.Status == Conceded && k.wants() == Revise {
			return k
		}
	}
	return nil
}

// unheard reports whether the debate ended before everybody had spoken: a person
// stopped it, or there was no budget left for an exchange, a PRESS or a retry that
// was due. One more challenger that costs and says nothing must not settle what
// the others would have spoken against (P26).
func (m *mover) unheard() bool {
	s := m.state
	if s.Exit == ExitBudget {
		return true
	}
	for _, seat := range s.challengers() {
		if s.Stopped && seat.Engagement == "" || s.Received.Mode == Standard && seat.Suspect && !seat.Pressed {
			return true
		}
	}
	for _, c := range s.Calls {
		if c.Status == CallMalformed && !c.Retry && !s.asked(c.Ask+formatRetry) && c.Kind.debates() {
			return true
		}
	}
	return false
}

// speaking are the challengers whose word counts for a decision: who did not
// answer CHALLENGE has none yet, and who abstains has given it up.
func (m *mover) speaking() []*Seat {
	var list []*Seat
	for _, seat := range m.state.challengers() {
		if seat.Engagement != Abstains && seat.Engagement != "" {
			list = append(list, seat)
		}
	}
	return list
}

// voices counts the challengers that could have an option for a decision: those
// that do not abstain, heard or not (X08).
func (m *mover) voices() int {
	n := 0
	for _, seat := range m.state.challengers() {
		if seat.Engagement != Abstains {
			n++
		}
	}
	return n
}
