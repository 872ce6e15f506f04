package debate

// hearing takes what parties say about each other's claims: evaluations,
// challenges, defences and answers. It holds them against the evidence.
type hearing struct {
	book *clerk
	wave bool // the CHALLENGE wave, in which nobody has heard the others yet
}

func (m *mover) hearing() *hearing {
	return &hearing{book: m.clerk(), wave: m.state.Stage == StageChallenge}
}

// evaluate takes one evaluation of a claim by a party that does not own it
// (R133, R134, R139-R141, A21).
func (h *hearing) evaluate(party string, n int, ev Evaluating, changes []Change) {
	c := h.book.survivor(ev.Claim)
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
			found = append(found, h.book.evidence(party, ref))
		}
	}
	found = c.about(h.book.admissible(c, found))
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
	if !h.consistent(c, &e, changes) {
		return
	}
	claim := c.ID
	c.Evaluations = append(c.Evaluations, e)
	h.book.happened(Fact{Kind: ClaimWeighed, N: n, Who: party, About: c.ID, Code: string(e.Class), Text: e.Flaw, Cites: found})
	h.book.checkedCites(party, c.ID, found)
	switch e.Class {
	case ClassAgree:
		// What it says in support is support: the citation joins the claim.
		if e.View == Supports {
			c.Evidence = joinEvidence(c.Evidence, okOnly(found))
		}
		h.yield(party, claim, told(joined(e.Flaw, e.UpgradeIf)), found)
	case ClassSkeptical:
		h.attack(party, claim, Skeptical, e, found)
	case ClassReject:
		h.attack(party, claim, Rejecting, e, found)
	case ClassIllFormed:
		h.clarify(party, claim, e)
	}
	if c := h.book.claim(claim); c != nil {
		h.book.verify(c)
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
func (h *hearing) consistent(c *Claim, e *Evaluation, changes []Change) bool {
	before := c.last(e.Party)
	if before == nil || before.Class == e.Class || before.Class == ClassIllFormed {
		return true
	}
	for _, ch := range changes {
		if ch.Claim == c.ID && ch.Because != "" {
			e.Acknowledged = true
			h.book.happened(Fact{Kind: Acknowledged, N: e.N, Who: e.Party, About: c.ID, Code: string(e.Class), Text: clip(ch.Because, 1000)})
			h.book.revise(e.Party, c.ID, string(before.Class)+" became "+string(e.Class), ch.Because, true)
			return true
		}
	}
	if k := h.book.against(c.ID, e.Party); k != nil && k.Status == Defended {
		return true
	}
	if h.wave && before.N == e.N { // two chunks of one wave: the harsher word counts (S13)
		return harsherClass(e.Class, before.Class)
	}
	h.drift(e.Party, c.ID, string(before.Class)+" became "+string(e.Class), "it was "+string(before.Class)+": "+before.Flaw)
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

// drift records an unadmitted change of mind, and asks its party to reconcile it
// with what it said (R155, R156). A party that drifts again is dropped (B05).
func (h *hearing) drift(party, ref, text, earlier string) {
	h.book.revise(party, ref, text, "", false)
	h.book.happened(Fact{Kind: Drifted, Who: party, About: ref, Text: text})
	seat := h.book.seat(party)
	if seat == nil {
		return
	}
	seat.Drifts++
	if seat.Drifts >= 2 {
		seat.Lost = true
		if p := h.book.party(party); p != nil {
			p.Status, p.Detail = PartyQuality, "it contradicted itself again without saying so"
		}
		return
	}
	h.book.newChallenge(ref, EngineParty, party, Reconciling, "earlier: "+clip(earlier, 1000)+"; now: "+text)
}

// attack opens a challenge to a claim, or sharpens the one that its attacker has
// open. CRYSTALLIZATION hears no new one (R128).
func (h *hearing) attack(party, claim string, kind ChallengeKind, e Evaluation, found []Evidence) {
	c := h.book.claim(claim)
	if k := h.book.against(claim, party); k != nil {
		if k.Status == Defended && k.Deadlock == "" {
			h.insist(k, Maintain, e.Flaw, found)
		}
		return
	}
	if phaseOf(e.N, h.book.extended) == Crystallization && !e.Qualified {
		return
	}
	if (c.Owner == EngineParty || c.Carried != "") && !e.Qualified {
		return // what the engine saw, or an earlier head agreed on, falls to no opinion
	}
	k := h.book.newChallenge(claim, party, c.Owner, kind, e.Flaw, found...)
	k.Strength = h.strength(c, e)
}

// strength derives how strong an objection is from what it touches and cites
// (X09). What its party declares can raise minor to moderate and nothing else.
func (h *hearing) strength(c *Claim, e Evaluation) Strength {
	switch {
	case (c.Severity == P1 || e.Severity == P1) && e.Qualified:
		return StrengthStrong
	case c.Severity.AtLeast(P2) || e.Severity.AtLeast(P2):
		return StrengthModerate
	}
	return StrengthMinor
}

// clarify asks the owner of an ill-formed claim what it means (R141, X06).
func (h *hearing) clarify(party, claim string, e Evaluation) {
	c := h.book.claim(claim)
	if h.book.against(claim, party) != nil || c.Owner == EngineParty {
		return
	}
	text := e.Flaw
	if text == "" {
		text = "the claim is not clear: say what goes wrong, where and when"
	}
	k := h.book.newChallenge(claim, party, c.Owner, Skeptical, text)
	k.Clarify = true
	if c.Severity.AtLeast(P2) {
		k.Strength = StrengthModerate
	}
}
