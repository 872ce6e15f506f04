package debate

import (
	"cmp"
	"slices"
)

// rebut asks the dissenters about the answers (R097). It also asks challengers
// to weigh findings of other challengers if they have not done so.
func (m *reducer) rebut(n int) {
	asks := newUnsaid(m.state).toRebut(n)
	if len(asks) == 0 {
		m.state.Talk.Exchange = n
		m.iterate(n, true)
		return
	}
	m.transition(StageRebut)
	if why := m.desk.ask(CallRebut, n, asks); !why.IsZero() {
		m.exit(ExitBudget, why)
	}
}

// lastRebut reports whether no REBUT may follow this one. The count of
// confrontations includes the present one.
func (t *Talk) lastRebut(r *Received, n int) bool {
	return t.Confrontations >= r.maxRounds() || n >= maxN
}

// argued reports whether two parties still have to speak about the challenge.
func (c Challenge) argued() bool { return c.Disputed() && c.Defender != EngineParty }

// concerns reports whether a party has to speak about the challenge.
func (c Challenge) concerns(party string) bool { return c.argued() && c.involves(party) }

// rebutted reduces the dissenters' answers in party order; n grows if one of
// them was valid, or the answer of the primary (R097, R136).
func (m *reducer) rebutted(wave *Wave, all []said) {
	s := m.state
	s.Talk.round(s.Table.Parties, wave.N, all)
	claims, changes := len(s.Book.Claims), len(s.Book.Challenges)
	shown := cloned(s.Book.Challenges) // no party has heard the others of its wave
	valid := 0
	for _, x := range all {
		seat := s.Table.seat(x.Party)
		if x.Status != CallOK {
			m.listener.attendance(x.Party, []said{x}, 0)
			continue
		}
		valid++
		r := m.listener.hearing().explained(x.Party, x.Reply)
		m.listener.rate(x.Party, wave.N, r.Delta)
		m.listener.hear(x.Party, r)
		was := *seat
		m.listener.takeStance(x.Party, r)
		seat.Substance = seat.Substance || x.looked()
		m.listener.hearing().deadlockViews(x.Party, r.Deadlocks)
		m.listener.hearing().judgeDefences(x.Party, r, shown)
		m.listener.hearing().unmoved(seat, was, r)
		m.listener.hearing().answer(x.Party, r, shown, wave.N)
		m.listener.hearing().evaluateAll(x.Party, wave.N, r)
		m.listener.claims(x.Party, wave.N, x)
		m.listener.hearing().differs(x.Party, s.Talk.Position(), s.Table.Primary, r)
		if s.Received.Inquiry != nil {
			m.listener.hearing().chooses(seat, s.Talk.Position(), s.Agenda.Framed, clip(r.Summary, 1000))
		}
		m.listener.attendance(x.Party, []said{x}, 1)
	}
	m.clerk.merge()
	m.clerk.ration()
	m.clerk.dissents()
	m.listener.hearing().substitutes(true)
	s.Book.grown(claims, changes)
	deserted := !slices.ContainsFunc(s.Table.challengers(), (*Seat).healthy)
	if valid == 0 && m.alone() {
		return
	}
	responded := func(c Call) bool { return c.Kind == CallRespond && c.N == wave.N && c.Status == CallOK }
	if valid > 0 || slices.ContainsFunc(s.Asking.Calls, responded) {
		s.Talk.Exchange = wave.N
	}
	m.iterate(wave.N, valid > 0 || !deserted) // a party without a question waits for an answer
}

// differs opens a challenge to the position for a party that has come to another
// option, so that the primary has an id to answer (R090). Once is enough.
func (h *hearing) differs(party string, from Position, primary string, r *Reply) {
	seat := h.support.table.seat(party)
	switch said := h.book.attacks(PositionSubject).by(party); {
	case !seat.differs(from.Disposition), len(said) > 0:
		return
	}
	k := h.clerk.newChallenge(PositionSubject, party, primary, Skeptical, clip(r.Summary, 1000))
	k.Means, k.Strength, k.Option = wants(seat.Option), StrengthModerate, seat.Option
}

// judgeDefences lets an attacker say whether the defences against its challenges
// hold (R097, R148). If it does not mention a defence, it maintains its challenge,
// because giving in needs an argument. If it does not mention the next defence either,
// the challenge is closed.
func (h *hearing) judgeDefences(party string, r *Reply, shown []Challenge) {
	for i := range shown {
		k := &h.book.Challenges[i]
		switch {
		case k.Attacker != party, !shown[i].awaitsJudgement(), !k.awaitsJudgement():
			continue
		}
		a := r.answerTo(k, party)
		if a.Challenge == "" && h.weighsAnew(r, k.Claim) { // its evaluation says what it thinks
			continue
		}
		found := h.clerk.found(party, a.Refs)
		if c := h.book.claim(k.Claim); c != nil {
			h.clerk.proven(c, found, a.Move != Accept)
			found = c.about(h.clerk.received.Inquiry.admits(c, found))
		}
		if a.Move == Accept {
			h.accept(k, told(a.Text), found)
			continue
		}
		if a.Challenge == "" && k.Unjudged { // it was reminded (M07b)
			h.clerk.happened(Fact{Kind: ChallengeKept, Who: party, About: k.ID, Other: k.Claim, Code: string(Maintain)})
			h.clerk.close(k, Upheld, because(WhyNotJudged, party))
			continue
		}
		k.Unjudged = k.Unjudged || a.Challenge == ""
		h.insist(k, cmp.Or(a.Move, Maintain), joined(a.Text, a.Limit), found)
	}
}

// weighsAnew reports whether a reply evaluates a claim.
func (h *hearing) weighsAnew(r *Reply, claim string) bool {
	return slices.ContainsFunc(r.Evaluations, func(ev Evaluating) bool {
		return ev.Class != "" && cmp.Or(h.book.survivor(ev.Claim), &Claim{}).ID == claim
	})
}

// unmoved returns a party to its earlier option if it gave up its objection to the
// position without a reason, and the defence shows nothing: a change of mind needs a
// reason (R155). The party may still give one later.
func (h *hearing) unmoved(seat *Seat, was Seat, r *Reply) {
	if was.Option == "" {
		return
	}
	for _, k := range h.book.attacks(PositionSubject).by(seat.Party) {
		if !k.Unexplained {
			continue
		}
		if because := admitted(r.Changes, PositionSubject, k.ID); because != "" {
			k.Unexplained, k.ResolvedWith = false, told(clip(because, 1000))
			continue
		}
		seat.Option, seat.OptionAt = was.Option, was.OptionAt
	}
}

// yield is an AGREE of an attacker after its challenge was defended: it accepts
// the defence.
func (h *hearing) yield(party, claim string, why Why, found []Evidence) {
	k := h.book.against(claim, party)
	if k == nil {
		return
	}
	last := h.book.claim(claim).last(party)
	if why.IsZero() && last.Acknowledged {
		why = because(WhyChangedMind)
	}
	h.accept(k, why, found)
}

// accept ends a challenge in favor of the claim. If the objection cites lines that
// exist, the attacker must say why it gives in (R116).
func (h *hearing) accept(k *Challenge, why Why, found []Evidence) {
	why.Words = clip(why.Words, 1000)
	h.clerk.said(&k.Thread, k.Claim, Turn{Who: k.Attacker, Act: Act(Accept), Text: why.Words, Cites: found})
	k.Status, k.ResolvedWith = Resolved, why
	h.clerk.happened(Fact{Kind: ChallengeAccepted, Who: k.Attacker, About: k.ID, Other: k.Claim, Cites: found, Why: why})
	c := h.book.claim(k.Claim)
	if c == nil { // an objection to the position is in words, and words may answer it
		shown := k.Move != Rebuff || qualified(k.DefenceBy)
		k.Unexplained = why.IsZero() && !shown
		return
	}
	k.Unexplained = why.IsZero() && k.Qualified()
	argued := h.book.newTo(c, found)
	c.Evidence = joinEvidence(c.Evidence, okOnly(found))
	if !c.agreedBy(k.Attacker) {
		e := Evaluation{Party: k.Attacker, N: h.clerk.talk.Exchange + 1, Class: ClassAgree, Severity: c.Severity, Acknowledged: true, Qualified: qualified(found)}
		if argued { // giving in with words alone supports nothing (M03)
			e.View, e.Reasoned = Supports, true
		}
		c.Evaluations = append(c.Evaluations, e)
	}
	h.clerk.verify(c)
}

// insist keeps a challenge up against its defence. It cannot defeat evidence
// that the engine verified; a REJECT is heard once (R152); an ESCALATE
// re-opens it once with a clearer text, later ones only maintain.
func (h *hearing) insist(k *Challenge, move Move, text string, found []Evidence) {
	repeats := !h.book.adds(k, found)
	if !repeats && h.book.shows(k.Claim, found) { // its new lines are not answered yet
		k.Shown, k.Answered = true, false
	}
	k.Evidence = joinEvidence(k.Evidence, okOnly(found))
	k.RoundsOpen++
	h.clerk.said(&k.Thread, k.Claim, Turn{Who: k.Attacker, Act: Act(move), Text: text, Cites: found})
	h.clerk.happened(Fact{Kind: ChallengeKept, Who: k.Attacker, About: k.ID, Other: k.Claim, Code: string(move), Text: clip(text, maxText), Cites: found})
	if h.clerk.passOn(k) || h.heardOut(k) {
		return
	}
	stuck := repeats && k.Shown && k.Answered // both have quoted, and nothing new comes
	switch {
	case move == Escalate && !k.Escalated:
		k.Escalated = true
		k.Objection = cmp.Or(clip(text, maxText), k.Objection)
	case k.Kind == Rejecting:
		if stuck && len(k.Views) > 0 { // a deadlock, as a side says itself
			k.Deadlock = deadlockClass(*k)
		}
		h.clerk.close(k, Upheld, k.ResolvedWith)
		return
	}
	if stuck {
		k.RoundsOpen = max(k.RoundsOpen, deadlockRounds)
	}
	k.Status = Open
	h.book.Grew = true
}

// heardOut closes an answered challenge if no party will be asked about it again.
func (h *hearing) heardOut(k *Challenge) bool {
	switch {
	case h.unshaken(k):
		h.clerk.close(k, Dissent, because(WhyVerifiedWins))
	case h.book.named(k.Claim).Severity == P3: // one exchange at most goes into it (A06), and both views are listed
		h.clerk.close(k, Upheld, k.ResolvedWith)
	case h.book.inWords(k):
		h.clerk.close(k, Dissent, because(WhyWordsHeard))
	default:
		return false
	}
	return true
}

// inWords reports whether an answered objection shows nothing, so it is over (M09). An
// objection to the position goes on if its attacker has a finding.
func (b *Book) inWords(k *Challenge) bool {
	return !k.Shown && !k.outside() && !(k.toPosition() && b.finds(k.Attacker))
}

// unshaken reports whether the evidence of a claim is still verified and its attacker
// shows nothing against it. Lines that the attacker shows count against the claim.
func (h *hearing) unshaken(k *Challenge) bool {
	c := h.book.claim(k.Claim)
	if c == nil {
		return false
	}
	h.clerk.verify(c)
	return c.Verified() && !k.Shown
}
