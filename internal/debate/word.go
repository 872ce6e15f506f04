package debate

// word is the disposition that a reply names last: its final option, else what it
// opens with or gives the position, else its recommendation (S04).
func word(r *Reply) Disposition {
	says := Disposition("")
	for _, f := range r.FinalOptions {
		if f.Decision == "D0" {
			says = option(Disposition(f.Option))
		}
	}
	if says == "" {
		says = option(r.Disposition)
	}
	if says == "" && r.Position != nil {
		says = option(r.Position.Disposition)
	}
	if says == "" {
		says = option(r.Recommendation)
	}
	return says
}

// stand notes where a party stands on D0 (S04). Of its replies about several
// chunks the worst counts (S13).
func (m *mover) stand(party string, r *Reply) {
	s := m.state
	seat, says := s.Table.seat(party), word(r)
	switch {
	case party == s.Table.Primary:
		m.holds(says)
		return
	case seat == nil || says == "", seat.Option != "" && seat.OptionAt == s.N && !worse(says, seat.Option):
		return
	}
	was, again := seat.Option, seat.OptionAt == s.N
	seat.Option, seat.OptionAt = says, s.N
	if was != says {
		m.happened(Fact{Kind: StanceTaken, Who: party, About: "D0", Code: string(says)})
	}
	if was != "" && was != says && !again && !moved(r) {
		m.clerk().revise(party, PositionSubject, string(was)+" became "+string(says), "", false)
	}
}

// holds compares what the primary says last with its position, which speaks for
// it. What contradicts the position does not move it; but nothing is settled on
// such a position, and the primary is asked once what it means (S04, X18).
func (m *mover) holds(says Disposition) {
	s := m.state
	seat, at := s.Table.seat(s.Table.Primary), s.Talk.Position().Disposition
	if seat == nil || at == "" {
		return
	}
	moved := len(s.Talk.Positions) > 1 && s.Talk.Positions[len(s.Talk.Positions)-2].Disposition != at
	if moved && worse(at, says) { // what it granted moved the position further than it says (R095)
		says = at
	}
	if says == at || says == "" && moved {
		seat.Option = ""
	}
	if says == "" || says == at {
		return
	}
	seat.Option, seat.OptionAt = says, s.N
	m.happened(Fact{Kind: StanceTaken, Who: s.Table.Primary, About: "D0", Code: string(says)})
	for _, k := range s.Book.Challenges {
		if k.Claim == PositionSubject && k.Defender == s.Table.Primary && k.Kind == Reconciling && k.Live() {
			return
		}
	}
	m.hearing().drift(s.Table.Primary, PositionSubject, string(at)+" became "+string(says), "the position was "+string(at))
}

// moved reports whether a reply says what changed its party's mind.
func moved(r *Reply) bool {
	for _, ch := range r.Changes {
		if ch.Because != "" {
			return true
		}
	}
	for _, a := range r.Answers {
		if a.Move == Accept && a.Text != "" {
			return true
		}
	}
	return false
}
