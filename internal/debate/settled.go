package debate

// settled reports whether a decision needs no scoring (X08, S04), and takes over
// what the parties agree on as its recommendation.
func (m *reducer) settled(d *Decision) bool {
	s := m.state
	primary := d.finalOption(s.Table.Primary)
	if primary == "" || s.Table.PrimaryLost {
		return false
	}
	agree := 0
	for _, o := range d.FinalOptions {
		switch {
		case o.Party == s.Table.Primary:
		case o.Option != primary:
			return false
		default:
			agree++
		}
	}
	if !d.disposes() {
		d.Recommendation = primary
		return agree > 0 && agree == m.voices()
	}
	if m.contradicted(Disposition(primary)) || agree+m.agreements() == 0 {
		return false
	}
	d.Recommendation = primary
	return true
}

// finalOption is the option of a party, "" if it has none.
func (d Decision) finalOption(party string) string {
	for _, o := range d.FinalOptions {
		if o.Party == party {
			return o.Option
		}
	}
	return ""
}

// contradicted reports whether something stands against the last word of the
// primary on D0, although nobody has another option: a blocker, nobody who spoke,
// its own position, or what it accepted in words only.
func (m *reducer) contradicted(primary Disposition) bool {
	s := m.state
	if len(m.state.blockers()) > 0 || primary != s.Talk.Position().Disposition {
		return true
	}
	if len(m.speaking()) == 0 || m.unheard() {
		return true
	}
	for _, k := range s.Book.Challenges {
		inWords := k.Status == Conceded || k.Unexplained
		if k.toPosition() && inWords && worse(k.wants(), primary) {
			return true
		}
	}
	return false
}

// agreements counts what speaks for an agreement on D0 beside final options: an
// accepted objection, an accepted claim, and an agreement in substance with a
// position that still stands.
func (m *reducer) agreements() int {
	s := m.state
	agree := 0
	for _, k := range s.Book.Challenges {
		granted := k.Status == Conceded && k.Defender == s.Table.Primary
		if granted && s.Table.seat(k.Attacker) != nil {
			agree++
		}
	}
	for i := range s.Book.Claims {
		c := &s.Book.Claims[i]
		raised := s.Table.seat(c.Owner) != nil && c.Severity.AtLeast(P2)
		if e := c.last(s.Table.Primary); raised && e != nil && e.Class == ClassAgree {
			agree++
		}
	}
	if s.Talk.moved() {
		return agree
	}
	for _, seat := range m.speaking() {
		if seat.agreesInSubstance() {
			agree++
		}
	}
	return agree
}

// agreesInSubstance reports whether a challenger agrees and says what it checked.
func (s *Seat) agreesInSubstance() bool { return s.Engagement == Agrees && s.Substance }

// toPosition reports whether a challenge is to the position, and not to a claim.
func (c Challenge) toPosition() bool { return c.Claim == PositionSubject }

// wants is the option that a challenge to the position asks for. An objection that
// names none, and is not minor, asks for a change.
func (c Challenge) wants() Disposition {
	objects := c.toPosition() && c.Kind != Reconciling && c.Strength != StrengthMinor
	if c.Option == "" && objects {
		return Revise
	}
	return c.Option
}

// granted is the last objection that the primary accepted to its position and that
// names no option, or nil: what it grants has to change, so that it holds keep no
// more (R095).
func (b *Book) granted() *Challenge {
	for i := len(b.Challenges) - 1; i >= 0; i-- {
		k := &b.Challenges[i]
		unnamed := k.Option == "" && k.wants() == Revise
		if k.toPosition() && unnamed && k.Status == Conceded {
			return k
		}
	}
	return nil
}

// unheard reports whether the debate ended before everybody had spoken: a person
// stopped it, or there was no budget left for an exchange, a PRESS or a retry that
// was due. One more challenger that costs and says nothing must not settle what
// the others would have spoken against.
func (m *reducer) unheard() bool {
	s := m.state
	if s.Talk.Exit == ExitBudget {
		return true
	}
	for _, seat := range s.Table.challengers() {
		cutOff := s.Asking.Stopped && seat.Engagement == ""
		unpressed := s.Received.Mode == Standard && seat.Suspect && !seat.Pressed
		if cutOff || unpressed {
			return true
		}
	}
	for _, c := range s.Asking.Calls {
		unrepeated := c.Status == CallMalformed && !c.Retry && !s.Asking.asked(c.Ask+formatRetry)
		if unrepeated && c.Kind.debates() {
			return true
		}
	}
	return false
}

// speaking are the challengers whose word counts for a decision: who did not
// answer CHALLENGE has none yet, and who abstains has given it up.
func (m *reducer) speaking() []*Seat {
	var list []*Seat
	for _, seat := range m.state.Table.challengers() {
		if seat.Engagement != Abstains && seat.Engagement != "" {
			list = append(list, seat)
		}
	}
	return list
}

// voices counts the challengers that could have an option for a decision: those
// that do not abstain, heard or not (X08).
func (m *reducer) voices() int {
	n := 0
	for _, seat := range m.state.Table.challengers() {
		if seat.Engagement != Abstains {
			n++
		}
	}
	return n
}
