package debate

// rebut asks the dissenters, and nobody else, about the answers (R097, X24). A
// dissenter has an open challenge that it attacks or must answer, or another
// option for D0 (S06).
func (m *mover) rebut(n int) {
	var asks []Ask
	for _, seat := range m.state.challengers() {
		if m.dissents(seat) {
			asks = append(asks, Ask{Party: seat.Party, Last: m.lastRebut(n)})
		}
	}
	if len(asks) == 0 {
		m.iterate(n, true)
		return
	}
	m.enter(StageRebut)
	if why := m.wave(CallRebut, n, asks); !why.IsZero() {
		m.exit(ExitBudget, why)
	}
}

// lastRebut reports whether this REBUT is the last that is permitted; its
// confrontation has begun and is counted.
func (m *mover) lastRebut(n int) bool {
	s := m.state
	return s.Confrontations >= s.Received.Settings.maxRounds(s.Received.Mode) || n >= maxExchange(s.Received.Mode)
}

func (m *mover) dissents(seat *Seat) bool {
	s := m.state
	if seat.Lost {
		return false
	}
	for _, k := range s.Challenges {
		if k.Disputed() && k.Defender != EngineParty && (k.Attacker == seat.Party || k.Defender == seat.Party) {
			return true
		}
	}
	return seat.Engagement != Abstains && seat.Option != "" && seat.Option != s.Position().Disposition
}

// rebutted reduces the dissenters' answers in party order; n grows if one of
// them was valid (R097, R136).
func (m *mover) rebutted(wave *Wave, all []said) {
	s := m.state
	m.round(wave.N, all)
	claims, changes := len(s.Claims), len(s.Challenges)
	shown := cloned(s.Challenges) // no party has heard the others of its wave
	valid := 0
	for _, x := range all {
		seat := s.seat(x.Party)
		if x.Status != CallOK {
			m.attendance(x.Party, []said{x}, 0)
			continue
		}
		valid++
		r := x.Reply
		m.rate(x.Party, wave.N, r.Delta)
		m.hear(x.Party, r)
		was := *seat
		m.stand(x.Party, r)
		if seat.Option != "" && seat.Engagement == Abstains { // it has spoken after all
			seat.Engagement = Partially
		}
		m.hearing().deadlockViews(x.Party, r.Deadlocks)
		m.hearing().judgeDefences(x.Party, r, shown)
		m.hearing().unmoved(seat, was, r)
		m.hearing().answer(x.Party, r, shown, wave.N)
		m.claims(x.Party, wave.N, x)
		m.hearing().differs(x.Party, s.Position(), s.Primary, r)
		m.attendance(x.Party, []said{x}, 1)
	}
	m.clerk().merge()
	m.clerk().ration()
	m.hearing().heirs(true)
	m.grown(claims, changes)
	if valid > 0 {
		m.advance(wave.N)
	}
	m.iterate(wave.N, valid > 0)
}

// differs opens a challenge to the position for a party that has come to another
// option, so that the primary has an id to answer (X09). Once is enough.
func (h *hearing) differs(party string, from Position, primary string, r *Reply) {
	seat := h.book.seat(party)
	at := from.Disposition
	if seat.Option == "" || seat.Option == at || seat.Engagement == Abstains {
		return
	}
	for _, k := range h.book.Challenges {
		if k.Claim == PositionSubject && k.Attacker == party {
			return
		}
	}
	k := h.book.newChallenge(PositionSubject, party, primary, Skeptical, joined("it recommends "+string(seat.Option)+":", clip(r.Summary, 1000)))
	k.Strength, k.Option = StrengthModerate, seat.Option
}

// judgeDefences lets an attacker say whether the defences against its challenges
// hold (R097, R148). A defence that it does not mention is maintained against:
// giving in must be argued.
func (h *hearing) judgeDefences(party string, r *Reply, shown []Challenge) {
	for i := range shown {
		k := &h.book.Challenges[i]
		if k.Attacker != party || shown[i].Status != Defended || k.Status != Defended || k.Deadlock != "" {
			continue
		}
		move, text := Maintain, ""
		var refs []Ref
		for _, a := range r.Answers {
			if a.Challenge == k.ID && (a.Move == Accept || a.Move == Maintain || a.Move == Escalate) {
				move, text, refs = a.Move, a.Text, a.Refs
			}
		}
		found := h.book.found(party, refs)
		if c := h.book.claim(k.Claim); c != nil {
			found = c.about(h.book.admissible(c, found))
		}
		if move == Accept {
			h.accept(k, told(text), found)
			continue
		}
		h.insist(k, move, text, found)
	}
}

// unmoved lets a party stand where it stood if it gave up its objection to the
// position without a word, to a defence that shows nothing: nobody moves without
// saying why (X18, P22). It may still say so later.
func (h *hearing) unmoved(seat *Seat, was Seat, r *Reply) {
	for i := range h.book.Challenges {
		k := &h.book.Challenges[i]
		if k.Claim != PositionSubject || k.Attacker != seat.Party || !k.Unexplained || was.Option == "" {
			continue
		}
		for _, ch := range r.Changes {
			if (ch.Claim == PositionSubject || ch.Claim == k.ID) && ch.Because != "" {
				k.Unexplained, k.ResolvedWith = false, told(clip(ch.Because, 1000))
			}
		}
		if k.Unexplained {
			seat.Option, seat.OptionAt = was.Option, was.OptionAt
		}
	}
}

// yield is an AGREE of an attacker after its challenge was defended: it accepts
// the defence.
func (h *hearing) yield(party, claim string, why Why, found []Evidence) {
	k := h.book.against(claim, party)
	if k == nil {
		return
	}
	if e := h.book.claim(claim).last(party); why.IsZero() && e != nil && e.Acknowledged {
		why = because(WhyChangedMind)
	}
	h.accept(k, why, found)
}

// accept ends a challenge in favour of the claim. Giving in on an objection that
// cites what is there must say what resolved it (A22).
func (h *hearing) accept(k *Challenge, why Why, found []Evidence) {
	why.Words = clip(why.Words, 1000)
	k.Status, k.ResolvedWith = Resolved, why
	k.Unexplained = k.Qualified() && why.IsZero()
	h.book.happened(Fact{Kind: ChallengeAccepted, Who: k.Attacker, About: k.ID, Other: k.Claim, Cites: found, Why: why})
	h.book.touch(k.ID)
	c := h.book.claim(k.Claim)
	if c == nil { // nothing but a word stands against the position, and nothing but a word moved it
		k.Unexplained = why.IsZero() && k.Move == Rebuff && !qualified(k.DefenceBy)
		return
	}
	c.Evidence = joinEvidence(c.Evidence, okOnly(found))
	if last := c.last(k.Attacker); last == nil || last.Class != ClassAgree {
		e := Evaluation{Party: k.Attacker, N: h.book.exchange + 1, Class: ClassAgree, Severity: c.Severity, Acknowledged: true}
		if !why.IsZero() || qualified(found) { // who gives in without a word supports nothing
			e.View = Supports
		}
		c.Evaluations = append(c.Evaluations, e)
	}
	h.book.verify(c)
}

// insist keeps a challenge up against its defence. It cannot defeat evidence
// that the engine verified (X23); a REJECT is heard once (R152); an ESCALATE
// re-opens it once with a clearer text, later ones only maintain.
func (h *hearing) insist(k *Challenge, move Move, text string, found []Evidence) {
	k.Evidence = joinEvidence(k.Evidence, okOnly(found))
	k.RoundsOpen++
	h.book.touch(k.ID)
	h.book.happened(Fact{Kind: ChallengeKept, Who: k.Attacker, About: k.ID, Other: k.Claim, Code: string(move), Text: clip(text, maxText), Cites: found})
	c := h.book.claim(k.Claim)
	if c != nil && qualified(found) {
		if e := c.last(k.Attacker); e != nil {
			e.Qualified, e.View = true, Contradicts
		}
		h.book.verify(c)
	}
	switch {
	case c != nil && c.Verified() && !k.Qualified():
		h.book.close(k, Resolved, because(WhyVerifiedWins))
		return
	case move == Escalate && !k.Escalated:
		k.Escalated = true
		if text != "" {
			k.Objection = clip(text, maxText)
		}
		k.Status = Open
	case k.Kind == Rejecting:
		h.book.close(k, Upheld, k.ResolvedWith)
		return
	default:
		k.Status = Open
	}
	h.book.Grew = true
}
