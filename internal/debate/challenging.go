package debate

import "strconv"

// challengeWave asks all challengers at once about the same position (R078,
// R084).
func (m *mover) challengeWave() {
	s := m.state
	m.ration()
	var parties []string
	for _, c := range s.challengers() {
		parties = append(parties, c.Party)
	}
	if len(parties) == 0 {
		m.degrade("no challenger is left")
		return
	}
	m.enter(StageChallenge)
	if why := m.wave(CallChallenge, 1, m.perChunk(parties)); why != "" {
		s.Exit, s.ExitWhy = ExitBudget, why
		m.degrade(why)
	}
}

// challenged reduces the verdicts, challenges and new claims of the challengers
// in party order (R085).
func (m *mover) challenged(all []said) {
	s := m.state
	m.round(1, all)
	known := len(s.Claims) // what the challengers were shown
	valid := 0
	for _, seat := range cloned(s.Seats) {
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
		m.degrade("no challenger replied")
		return
	}
	m.advance(1)
	m.merge()
	m.ration()
	m.review()
	m.consensus()
}

// advance moves n, which counts exchanges with a valid reply and nothing else
// (R136, P02).
func (m *mover) advance(n int) {
	m.state.Exchange = n
}

// examine takes the evaluations, claims and options of one CHALLENGE reply.
func (m *mover) examine(party string, x said) {
	m.hear(party, x.Reply)
	m.stand(party, x.Reply)
	changes := x.Reply.Changes
	for i, ev := range x.Reply.Evaluations {
		if i < 200 {
			m.evaluate(party, 1, ev, changes)
		}
	}
	m.claims(party, 1, x)
	for _, text := range x.Reply.AssumptionsChallenged {
		m.ledger(TagUnverified, party, "assumption challenged: "+clip(text, 500), PositionSubject, "")
	}
	if x.Reply.Alternative != "" {
		m.ledger(TagUnverified, party, "alternative: "+x.Reply.Alternative, PositionSubject, "")
	}
}

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
	switch e.Class {
	case ClassAgree:
		// What it says in support is support: the citation joins the claim.
		if e.View == Supports {
			c.Evidence = joinEvidence(c.Evidence, okOnly(found))
		}
		m.yield(party, claim, joined(e.Flaw, e.UpgradeIf), found)
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

func (m *mover) newChallenge(claim, attacker, defender string, kind ChallengeKind, objection string) *Challenge {
	s := m.state
	s.Challenges = append(s.Challenges, Challenge{
		ID: "K" + strconv.Itoa(len(s.Challenges)+1), Claim: claim, Attacker: attacker, Defender: defender, Kind: kind,
		Strength: StrengthMinor, Objection: clip(objection, maxText), RaisedN: s.Exchange, Status: Open,
	})
	k := &s.Challenges[len(s.Challenges)-1]
	m.touch(k.ID)
	return k
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
	k := m.newChallenge(claim, party, c.Owner, kind, e.Flaw)
	k.Evidence = found
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

// round opens the record of one exchange with what became of its calls (R044,
// R075, R077).
func (m *mover) round(n int, all []said) *Round {
	s := m.state
	if len(s.Rounds) == 0 || s.Rounds[len(s.Rounds)-1].N != n || s.Rounds[len(s.Rounds)-1].Route != "" {
		s.Rounds = append(s.Rounds, Round{N: n, Phase: phaseOf(n, s.Extended)})
		if n == 1 {
			for _, p := range s.Parties {
				if p.Status != PartyOK {
					s.Rounds[0].Unavailable = append(s.Rounds[0].Unavailable, p.ID)
				}
			}
		}
	}
	r := &s.Rounds[len(s.Rounds)-1]
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
func (m *mover) review() {
	s := m.state
	for i := range s.Split.Coverage {
		c := &s.Split.Coverage[i]
		if c.Excluded != NotExcluded {
			continue
		}
		chunk := m.chunkOf(c.Segments)
		var readers []string
		opened, answered := false, false
		for _, call := range s.Calls {
			if call.Status != CallOK || (call.Kind != CallOpen && call.Kind != CallChallenge) || !covers(call, chunk) || m.abstains(call.Party) {
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
func (m *mover) chunkOf(segments []string) string {
	chunks := m.state.Split.Chunks
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
