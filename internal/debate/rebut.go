package debate

import (
	"cmp"
	"slices"
)

// judgeDefences lets an attacker say whether the defences against its challenges
// hold (R097, R148). If it does not mention a defence, it maintains its challenge
// with nothing new, because giving in needs an argument.
func (m *reducer) judgeDefences(party string, r *Reply, shown []Challenge) {
	for i := range shown {
		k := &m.Book.Challenges[i]
		switch {
		case k.Attacker != party, !shown[i].AwaitsJudgement(), !k.AwaitsJudgement():
			continue
		}
		a := r.answerTo(k, party)
		weighs := func(ev Evaluating) bool {
			return ev.Class != "" && cmp.Or(m.Book.survivor(ev.Claim), &Claim{}).ID == k.Claim
		}
		if a.Challenge == "" && slices.ContainsFunc(r.Evaluations, weighs) { // its evaluation says what it thinks
			continue
		}
		found := m.found(party, a.Refs)
		if c := m.Book.claim(k.Claim); c != nil {
			m.proven(c, found, a.Move != Accept)
			found = c.about(m.Received.Inquiry.admits(c, found))
		}
		if a.Move == Accept {
			m.accept(k, told(a.Text), found)
			continue
		}
		m.insist(k, cmp.Or(a.Move, Maintain), joined(a.Text, a.Limit), found)
	}
}

// unmoved returns a party to its earlier option if it gave up its objection to the
// position without a reason, and the defence shows nothing: a change of mind needs a
// reason (R155). The party may still give one later.
func (m *reducer) unmoved(seat *Seat, was Seat, r *Reply) {
	if was.Option == "" {
		return
	}
	for _, k := range m.Book.attacks(PositionSubject).by(seat.Party) {
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

// accept ends a challenge in favor of the claim. If the objection cites lines that
// exist, the attacker must say why it gives in (R116).
func (m *reducer) accept(k *Challenge, why Why, found []Evidence) {
	why.Words = clip(why.Words, 1000)
	m.said(&k.Thread, k.Claim, Turn{Who: k.Attacker, Act: Act(Accept), Text: why.Words, Cites: found})
	k.Status, k.ResolvedWith = Resolved, why
	m.happened(Fact{Kind: ChallengeAccepted, Who: k.Attacker, About: k.ID, Other: k.Claim, Cites: found, Why: why})
	c := m.Book.claim(k.Claim)
	if c == nil { // an objection to the position is in words, and words may answer it
		shown := k.Move != Rebuff || qualified(k.DefenceBy)
		k.Unexplained = why.IsZero() && !shown
		return
	}
	k.Unexplained = why.IsZero() && k.Qualified()
	argued := m.Book.newTo(c, found)
	c.Evidence = joinEvidence(c.Evidence, okOnly(found))
	if !c.agreedBy(k.Attacker) {
		e := Evaluation{Party: k.Attacker, N: m.Talk.Exchange + 1, Class: ClassAgree, Severity: c.Severity, Acknowledged: true, Qualified: qualified(found)}
		if argued { // giving in with words alone supports nothing (M03)
			e.View, e.Reasoned = Supports, true
		}
		c.Evaluations = append(c.Evaluations, e)
	}
	m.verify(c)
}

// insist keeps a challenge up against its defence. It cannot defeat evidence
// that the engine verified. It goes on only with something new; a REJECT is heard
// once (R152), and a first ESCALATE is heard for its clearer text.
func (m *reducer) insist(k *Challenge, move Move, text string, found []Evidence) {
	repeats := !m.Book.adds(k, found)
	if !repeats && m.Book.shows(k.Claim, found) { // its new lines are not answered yet
		k.Shown, k.Answered = true, false
	}
	k.Evidence = joinEvidence(k.Evidence, okOnly(found))
	k.RoundsOpen++
	m.said(&k.Thread, k.Claim, Turn{Who: k.Attacker, Act: Act(move), Text: text, Cites: found})
	m.happened(Fact{Kind: ChallengeKept, Who: k.Attacker, About: k.ID, Other: k.Claim, Code: string(move), Text: clip(text, maxText), Cites: found})
	if m.heardOut(k) {
		return
	}
	stuck := repeats && k.Answered // both have quoted, and nothing new comes
	switch {
	case move == Escalate && !k.Escalated:
		k.Escalated = true
		k.Objection = cmp.Or(clip(text, maxText), k.Objection)
	case k.Kind == Rejecting, repeats && !k.Answered:
		if stuck && len(k.Views) > 0 { // a deadlock, as a side says itself
			k.Deadlock = deadlockClass(*k)
		}
		m.close(k, Upheld, k.ResolvedWith)
		return
	}
	if stuck {
		k.RoundsOpen = max(k.RoundsOpen, deadlockRounds)
	}
	k.Status = Open
}

// heardOut closes an answered challenge if no party will be asked about it again.
func (m *reducer) heardOut(k *Challenge) bool {
	c := m.Book.named(k.Claim)
	if c.ID != "" {
		m.verify(c)
	}
	switch {
	case c.Verified() && !k.Shown:
		m.close(k, Dissent, because(WhyVerifiedWins))
	case c.Severity == P3: // one exchange at most goes into it (A06), and both views are listed
		m.close(k, Upheld, k.ResolvedWith)
	case !k.Shown: // it shows nothing (M09)
		m.close(k, Dissent, because(WhyWordsHeard))
	default:
		return false
	}
	return true
}

// closeDissents closes objections in words alone to a claim that two voices hold on valid lines:
// their words are printed, and no party is asked about them any more (M02). Before that, the
// holders of the claim hear them once, unless the talk is over (M09).
func (m *reducer) closeDissents() {
	talks := m.Talk.Exit == ""
	for i := range m.Book.Challenges {
		k := &m.Book.Challenges[i]
		switch {
		case !m.opposesInWords(k), talks && k.Status == Open:
		default:
			m.close(k, Dissent, because(WhyWordsAlone))
		}
	}
}

// opposesInWords reports whether a challenge has only words against a claim that two voices hold
// on valid lines.
func (m *reducer) opposesInWords(k *Challenge) bool {
	c := m.Book.claim(k.Claim)
	switch {
	case c == nil, !k.AwaitsWord(), k.Shown, c.ofCritic():
		return false
	case k.Attacker == AuthorParty, k.Attacker == EngineParty: // from outside of the debate
		return false
	}
	return qualified(c.Evidence) && m.holding(c).joint
}
