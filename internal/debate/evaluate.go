package debate

import "strconv"

// evaluate takes one evaluation of a claim by a party that does not own it
// (R133, R134, R139-R141, A21).
func (m *mover) evaluate(party string, n int, ev Evaluating, changes []Change) {
	c := m.state.survivor(ev.Claim)
	if c == nil || ev.Class == "" || c.Carried != "" && c.Owner == party {
		return
	}
	if c.Owner == party { // nobody weighs its own claim
		return
	}
	e := Evaluation{Party: party, N: n, Class: ev.Class, View: ev.View, Severity: ev.Severity, Flaw: clip(ev.Flaw, 2000), UpgradeIf: clip(ev.UpgradeIf, 1000)}
	var found []Evidence
	for _, ref := range ev.Refs {
		if len(found) < maxRefs {
			found = append(found, m.evidence(party, ref))
		}
	}
	found = c.about(m.admissible(c, found))
	e.Qualified = qualified(found)
	if e.View == "" && e.Class == ClassAgree {
		e.View = Supports
	}
	// A21: to doubt is to name a flaw, and to reject is to cite one.
	doubts := e.Class == ClassSkeptical || e.Class == ClassReject
	if doubts && e.Flaw == "" {
		return
	}
	if e.Class == ClassReject && !e.Qualified {
		e.Class = ClassSkeptical
	}
	if !m.consistent(c, &e, changes) {
		return
	}
	claim := c.ID
	c.Evaluations = append(c.Evaluations, e)
	m.happened(Fact{Kind: ClaimWeighed, N: n, Who: party, About: c.ID, Code: string(e.Class), Text: e.Flaw, Cites: found})
	m.checkedCites(party, c.ID, found)
	switch e.Class {
	case ClassAgree:
		// What it says in support is support: the citation joins the claim.
		if e.View == Supports {
			c.Evidence = joinEvidence(c.Evidence, okOnly(found))
		}
		m.yield(party, claim, told(joined(e.Flaw, e.UpgradeIf)), found)
	case ClassSkeptical:
		m.attack(party, claim, Skeptical, e, found)
	case ClassReject:
		m.attack(party, claim, Rejecting, e, found)
	case ClassIllFormed:
		m.clarify(party, claim, e)
	}
	if c := m.state.claim(claim); c != nil {
		m.verify(c)
	}
}

func okOnly(list []Evidence) []Evidence {
	var found []Evidence
	for _, e := range list {
		if e.CitationOK {
			found = append(found, e)
		}
	}
	return found
}

// last returns the last evaluation of a claim by a party, or nil.
func (c *Claim) last(party string) *Evaluation {
	for i := len(c.Evaluations) - 1; i >= 0; i-- {
		if c.Evaluations[i].Party == party {
			return &c.Evaluations[i]
		}
	}
	return nil
}

// consistent says whether an evaluation may stand beside what its party said
// before (R154-R156, X18). A change of mind counts if the party admits it, or if
// it follows a defence of the claim. One that does neither changes nothing but
// the record.
func (m *mover) consistent(c *Claim, e *Evaluation, changes []Change) bool {
	before := c.last(e.Party)
	if before == nil || before.Class == e.Class || before.Class == ClassIllFormed {
		return true
	}
	for _, ch := range changes {
		if ch.Claim == c.ID && ch.Because != "" {
			e.Acknowledged = true
			m.happened(Fact{Kind: Acknowledged, N: e.N, Who: e.Party, About: c.ID, Code: string(e.Class), Text: clip(ch.Because, 1000)})
			m.revise(e.Party, c.ID, string(before.Class)+" became "+string(e.Class), ch.Because, true)
			return true
		}
	}
	if k := m.against(c.ID, e.Party); k != nil && k.Status == Defended {
		return true
	}
	if m.state.Stage == StageChallenge && before.N == e.N { // two chunks of one wave: the harsher word counts (S13)
		return harsherClass(e.Class, before.Class)
	}
	m.drift(e.Party, c.ID, string(before.Class)+" became "+string(e.Class), "it was "+string(before.Class)+": "+before.Flaw)
	return false
}

func harsherClass(a, b Class) bool {
	rank := func(c Class) int {
		switch c {
		case ClassIllFormed:
			return 1
		case ClassSkeptical:
			return 2
		case ClassReject:
			return 3
		}
		return 0
	}
	return rank(a) > rank(b)
}

// admissible leaves out what says nothing about a claim: the author's own text
// decides no question of fact (X19).
func (m *mover) admissible(c *Claim, list []Evidence) []Evidence {
	if c.Kind == Proposal || m.state.Received.Inquiry != nil || c.stands().Path == BodyPath {
		return list
	}
	var kept []Evidence
	for _, e := range list {
		if e.Cite.Path != BodyPath {
			kept = append(kept, e)
		}
	}
	return kept
}

// drift records an unadmitted change of mind, and asks its party to reconcile it
// with what it said (R155, R156). A party that drifts again is dropped (B05).
func (m *mover) drift(party, ref, text, earlier string) {
	s := m.state
	m.revise(party, ref, text, "", false)
	m.happened(Fact{Kind: Drifted, Who: party, About: ref, Text: text})
	seat := s.seat(party)
	if seat == nil {
		return
	}
	seat.Drifts++
	if seat.Drifts >= 2 {
		seat.Lost = true
		if p := s.party(party); p != nil {
			p.Status, p.Detail = PartyQuality, "it contradicted itself again without saying so"
		}
		return
	}
	m.newChallenge(ref, EngineParty, party, Reconciling, "earlier: "+clip(earlier, 1000)+"; now: "+text)
}

// against returns the live challenge of a party to a claim, or nil.
func (m *mover) against(claim, attacker string) *Challenge {
	s := m.state
	for i := range s.Challenges {
		k := &s.Challenges[i]
		if k.Claim == claim && k.Attacker == attacker && k.Live() && k.Kind != Reconciling {
			return k
		}
	}
	return nil
}

func (m *mover) newChallenge(claim, attacker, defender string, kind ChallengeKind, objection string, found ...Evidence) *Challenge {
	s := m.state
	s.Challenges = append(s.Challenges, Challenge{
		ID: "K" + strconv.Itoa(len(s.Challenges)+1), Claim: claim, Attacker: attacker, Defender: defender, Kind: kind,
		Strength: StrengthMinor, Objection: clip(objection, maxText), RaisedN: s.Exchange, Status: Open,
		Evidence: found,
	})
	k := &s.Challenges[len(s.Challenges)-1]
	m.touch(k.ID)
	m.happened(Fact{Kind: ChallengeOpened, Who: attacker, About: k.ID, Other: claim, Code: string(kind), Text: k.Objection, Cites: found})
	return k
}

// close ends a challenge: it fell, was conceded, or is heard no more.
func (m *mover) close(k *Challenge, status ChallengeStatus, with Why) {
	k.Status, k.ResolvedWith = status, with
	m.happened(Fact{Kind: ChallengeClosed, Who: EngineParty, About: k.ID, Other: k.Claim, Code: string(status), Why: with})
}

// attack opens a challenge to a claim, or sharpens the one that its attacker has
// open. CRYSTALLIZATION hears no new one (R128).
func (m *mover) attack(party, claim string, kind ChallengeKind, e Evaluation, found []Evidence) {
	s := m.state
	c := s.claim(claim)
	if k := m.against(claim, party); k != nil {
		if k.Status == Defended && k.Deadlock == "" {
			m.insist(k, Maintain, e.Flaw, found)
		}
		return
	}
	if phaseOf(e.N, s.Extended) == Crystallization && !e.Qualified {
		return
	}
	if (c.Owner == EngineParty || c.Carried != "") && !e.Qualified {
		return // what the engine saw, or an earlier head agreed on, falls to no opinion
	}
	k := m.newChallenge(claim, party, c.Owner, kind, e.Flaw, found...)
	k.Strength = m.strength(c, e)
}

// strength derives how strong an objection is from what it touches and cites
// (X09). What its party declares can raise minor to moderate and nothing else.
func (m *mover) strength(c *Claim, e Evaluation) Strength {
	switch {
	case (c.Severity == P1 || e.Severity == P1) && e.Qualified:
		return StrengthStrong
	case c.Severity.AtLeast(P2) || e.Severity.AtLeast(P2):
		return StrengthModerate
	}
	return StrengthMinor
}

// clarify asks the owner of an ill-formed claim what it means (R141, X06).
func (m *mover) clarify(party, claim string, e Evaluation) {
	c := m.state.claim(claim)
	if m.against(claim, party) != nil || c.Owner == EngineParty {
		return
	}
	text := e.Flaw
	if text == "" {
		text = "the claim is not clear: say what goes wrong, where and when"
	}
	k := m.newChallenge(claim, party, c.Owner, Skeptical, text)
	k.Clarify = true
	if c.Severity.AtLeast(P2) {
		k.Strength = StrengthModerate
	}
}

// verify sets which evidence of a claim is verified: the engine found it, a
// party other than the owner says that it supports the claim, and none whose own
// citation holds says the contrary (A03, R121). What begs the question is none.
func (m *mover) verify(c *Claim) {
	if c.Owner == EngineParty {
		return
	}
	supported, contradicted := c.Carried != "", false // what an earlier head verified stays so until it is contradicted
	for i, e := range c.Evaluations {
		if c.last(e.Party) != &c.Evaluations[i] || e.Party == c.Owner || m.abstains(e.Party) {
			continue
		}
		supported = supported || e.View == Supports && e.Class == ClassAgree
		contradicted = contradicted || (e.View == Contradicts || e.Class == ClassReject) && e.Qualified
	}
	for i := range c.Evidence {
		e := &c.Evidence[i]
		was := e.Verified
		e.Verified = e.CitationOK && supported && !contradicted && !m.begs(c, *e)
		if e.Verified && !was {
			m.happened(Fact{Kind: CitationChecked, Who: EngineParty, About: c.ID, Code: "verified", Cites: []Evidence{*e}})
			m.ledger(TagVerified, EngineParty, c.Title, e.Cite.String(), m.entryOf(c.ID))
			m.touch(c.ID)
			m.touch("L" + strconv.Itoa(len(m.state.Ledger)))
		}
	}
}

// entryOf returns the id of the newest entry about a claim.
func (m *mover) entryOf(claim string) string {
	for i := len(m.state.Ledger) - 1; i >= 0; i-- {
		if e := m.state.Ledger[i]; e.Ref == claim && e.Tag == TagUnverified {
			return e.ID
		}
	}
	return ""
}
