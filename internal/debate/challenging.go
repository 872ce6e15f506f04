package debate

// challengeWave asks all challengers at once about the same position (R078,
// R084).
func (m *reducer) challengeWave() {
	s := m.state
	m.clerk().ration()
	var parties []string
	for _, c := range s.Table.challengers() {
		parties = append(parties, c.Party)
	}
	if len(parties) == 0 {
		m.degrade(because(WhyNobodyLeft))
		return
	}
	m.transition(StageChallenge)
	if why := m.wave(CallChallenge, 1, m.state.Split.perChunk(parties)); !why.IsZero() {
		s.Talk.Exit, s.Talk.ExitWhy = ExitBudget, why
		m.degrade(why)
	}
}

// challenged reduces the verdicts, challenges and new claims of the challengers
// in party order (R085).
func (m *reducer) challenged(all []said) {
	s := m.state
	m.round(1, all)
	known := len(s.Book.Claims) // what the challengers were shown
	valid := 0
	for _, seat := range cloned(s.Table.Seats) {
		own := by(all, seat.Party)
		if len(own) == 0 {
			continue
		}
		heard := 0
		for _, x := range own {
			if x.Status == CallOK {
				heard++
			}
		}
		m.attendance(seat.Party, own, heard)
		if heard == 0 {
			continue
		}
		valid++
		for _, x := range own {
			if x.Status == CallOK {
				m.examine(seat.Party, x)
			}
		}
		m.engage(seat.Party, own, known)
	}
	if valid == 0 {
		m.degrade(because(WhyNobodyReplied))
		return
	}
	m.advance(1)
	m.clerk().merge()
	m.clerk().ration()
	m.review()
	m.consensus()
}

// advance moves n, which counts exchanges with a valid reply and nothing else
// (R136).
func (m *reducer) advance(n int) {
	m.state.Talk.Exchange = n
}

// examine takes the evaluations, claims and options of one CHALLENGE reply.
func (m *reducer) examine(party string, x said) {
	m.hear(party, x.Reply)
	m.takeStance(party, x.Reply)
	changes := x.Reply.Changes
	for i, ev := range x.Reply.Evaluations {
		if i < 200 {
			m.hearing().evaluate(party, 1, ev, changes)
		}
	}
	m.claims(party, 1, x)
	m.hearing().tried(party, x.Reply.Checked)
	for _, text := range x.Reply.AssumptionsChallenged {
		m.clerk().ledger(TagUnverified, party, "assumption challenged: "+clip(text, 500), PositionSubject, "")
	}
	if x.Reply.Alternative != "" {
		m.clerk().ledger(TagUnverified, party, "alternative: "+x.Reply.Alternative, PositionSubject, "")
	}
}

// tried keeps what a party tried on claims and segments, for those who weigh them.
func (h *hearing) tried(party string, list []Check) {
	for _, ch := range list[:min(len(list), maxTried)] {
		if c := h.book.survivor(ch.Claim); c != nil {
			h.book.said(&c.Thread, c.ID, Turn{Who: party, Act: Try, Text: ch.Scenario, Cites: h.book.found(party, ch.Refs)})
		} else if ch.Scenario != "" {
			h.book.ledger(TagUnverified, party, "tried: "+clip(ch.Scenario, 500), ch.Segment, "")
		}
	}
}

// round opens the record of one exchange with what became of its calls (R044,
// R075, R077).
func (m *reducer) round(n int, all []said) *Round {
	s := m.state
	if len(s.Talk.Rounds) == 0 || s.Talk.Rounds[len(s.Talk.Rounds)-1].N != n || !s.Talk.Rounds[len(s.Talk.Rounds)-1].Route.IsZero() {
		s.Talk.Rounds = append(s.Talk.Rounds, Round{N: n, Phase: phaseOf(n, s.Talk.Extended)})
		if n == 1 {
			for _, p := range s.Table.Parties {
				if p.Status != PartyOK {
					s.Talk.Rounds[0].Unavailable = append(s.Talk.Rounds[0].Unavailable, p.ID)
				}
			}
		}
	}
	r := &s.Talk.Rounds[len(s.Talk.Rounds)-1]
	for _, x := range all {
		if x.Retried {
			r.Retries = append(r.Retries, x.Party)
		}
		switch x.Status {
		case CallOK:
		case CallTimeout:
			r.Timeouts = append(r.Timeouts, x.Party)
		case CallAuth:
			r.AuthFailures = append(r.AuthFailures, x.Party)
		case CallMalformed:
			r.ParseFailures = append(r.ParseFailures, x.Party)
		default:
			r.OtherFailures = append(r.OtherFailures, x.Party)
		}
	}
	return r
}

// review notes who read what: a chunk is reviewed when it has a valid opening
// and a challenger's answer (S13, A24). Who abstains has shown nothing of what it
// read, so the review of a chunk does not rest on it (X05).
func (m *reducer) review() {
	s := m.state
	for i := range s.Split.Coverage {
		c := &s.Split.Coverage[i]
		if c.Excluded != NotExcluded {
			continue
		}
		chunk := m.state.Split.chunkOf(c.Segments)
		var readers []string
		opened, answered := false, false
		for _, call := range s.Asking.Calls {
			if call.Status != CallOK || (call.Kind != CallOpen && call.Kind != CallChallenge) || !covers(call, chunk) || m.state.Table.abstains(call.Party) {
				continue
			}
			if !contains(readers, call.Party) {
				readers = append(readers, call.Party)
			}
			opened = opened || call.Kind == CallOpen
			answered = answered || call.Kind == CallChallenge
		}
		c.By = nil
		if opened && answered {
			c.By = readers
		}
	}
}

// chunkOf returns the chunk of the first of some segments that is in one. What
// is in none stands in every call.
func (s SplitDone) chunkOf(segments []string) string {
	chunks := s.Chunks
	if len(chunks) < 2 {
		return ""
	}
	for _, x := range chunks {
		for _, id := range segments {
			if contains(x.Segments, id) {
				return x.ID
			}
		}
	}
	return ""
}

// covers reports whether a call carried a chunk. A call over a change in one
// chunk names none.
func covers(call Call, chunk string) bool {
	return chunk == "" || call.Chunk == "" || call.Chunk == chunk
}
