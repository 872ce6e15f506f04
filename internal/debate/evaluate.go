package debate

import (
	"cmp"
	"slices"
)

// hearing takes the words of parties about each other's claims: evaluations, challenges,
// defenses and answers. It compares them with the evidence.
type hearing struct {
	book    *Book
	clerk   *clerk
	support support
	wave    bool // the CHALLENGE wave, before parties hear each other

	tries []Check // the cases that the current reply tries, apart from its words about claims
}

// evaluateAll takes the evaluations in a reply.
func (h *hearing) evaluateAll(party string, n int, r *Reply) {
	h.tries = r.Checked[:min(len(r.Checked), maxTried)]
	for _, ev := range r.Evaluations[:min(len(r.Evaluations), 200)] {
		h.evaluate(party, n, ev, r.Changes)
	}
}

// evaluate takes one evaluation of a claim by a party that does not own it
// (R133, R134, R139-R141).
func (h *hearing) evaluate(party string, n int, ev Evaluating, changes []Change) {
	c := h.book.survivor(ev.Claim)
	switch {
	case c == nil, ev.Class == "", c.Owner == party: // no party weighs its own claim
		return
	}
	refs := ev.Refs
	if ev.Class == ClassAgree { // a quote of the case that it tried counts too
		for _, t := range h.tries {
			if t.Claim != "" && h.book.survivor(t.Claim) == c {
				refs = append(refs[:len(refs):len(refs)], t.Refs...)
			}
		}
	}
	found := h.clerk.found(party, refs)
	h.clerk.proven(c, found, ev.Class != ClassAgree)
	found = c.about(h.clerk.received.Inquiry.admits(c, found))
	e := evaluation(party, n, ev, qualified(found))
	e.Reasoned = e.Qualified || e.Flaw+e.UpgradeIf != "" || h.tried(c)
	if ev.SameAs == NoClaim || h.book.named(ev.SameAs).Owner == party {
		e.SameAs = ev.SameAs
	}
	if e.Class == ClassAgree && h.book.attacks(c.ID).opposed(party) { // a party that gives in needs a reason with a line (M03)
		e.Reasoned = h.book.newTo(c, found)
	}
	if e.Class == "" || !h.consistent(c, &e, changes) {
		return
	}
	claim := c.ID
	c.Evaluations = append(c.Evaluations, e)
	h.clerk.happened(Fact{Kind: ClaimWeighed, N: n, Who: party, About: c.ID, Code: string(e.Class), Text: e.Flaw, Cites: found})
	h.clerk.checkedCites(party, c.ID, found)
	if !h.challenges(c, e) {
		why := joined(joined(e.Flaw, e.UpgradeIf), admitted(changes, claim))
		h.clerk.said(&c.Thread, claim, Turn{Who: party, Act: Act(e.Class), Text: why, Cites: found})
	}
	h.follow(c, e, found)
	h.clerk.verify(h.book.claim(claim))
}

// follow lets an evaluation support its claim, or attack it.
func (h *hearing) follow(c *Claim, e Evaluation, found []Evidence) {
	claim := c.ID
	switch e.Class {
	case ClassAgree:
		if e.supports() { // the citation in support of a claim joins its evidence
			c.Evidence = joinEvidence(c.Evidence, okOnly(found))
		}
		h.yield(e.Party, claim, told(joined(e.Flaw, e.UpgradeIf)), found)
		h.clerk.answers(h.book.claim(claim), e.Party, found)
	case ClassSkeptical, ClassReject:
		h.attack(claim, e, found)
	case ClassIllFormed:
		h.clarify(e.Party, claim, e)
	}
}

// tried reports whether the reply tries a case on a claim, or on its segment.
func (h *hearing) tried(c *Claim) bool {
	return slices.ContainsFunc(h.tries, func(t Check) bool {
		here := t.Segment == c.Segment
		if on := h.book.survivor(t.Claim); on != nil {
			here = on == c
		}
		return here && t.looks()
	})
}

// evaluation is the valid part of a party's opinion of a claim: a doubt must name a flaw, and
// a rejection must cite one (R134). An invalid one has no class.
func evaluation(party string, n int, ev Evaluating, qualified bool) Evaluation {
	e := Evaluation{
		Party: party, N: n, Class: ev.Class, View: ev.View, Severity: ev.Severity,
		Flaw: clip(ev.Flaw, 2000), UpgradeIf: clip(ev.UpgradeIf, 1000), Qualified: qualified,
	}
	switch e.Class {
	case ClassAgree:
		e.View = cmp.Or(e.View, Supports)
	case ClassSkeptical, ClassReject:
		if e.Flaw == "" {
			return Evaluation{}
		}
		if !qualified {
			e.Class = ClassSkeptical
		}
	}
	return e
}

// consistent reports whether an evaluation is compatible with its party's earlier words
// (R154-R156). A change of mind counts if the party admits it, or if it follows a defense
// of the claim. Otherwise it is only recorded.
func (h *hearing) consistent(c *Claim, e *Evaluation, changes []Change) bool {
	before := c.last(e.Party)
	if before == nil {
		return true
	}
	became := string(before.Class) + " became " + string(e.Class)
	switch before.Class {
	case e.Class, ClassIllFormed:
		return true
	}
	if because := admitted(changes, c.ID); because != "" {
		e.Acknowledged = true
		h.clerk.happened(Fact{Kind: Acknowledged, N: e.N, Who: e.Party, About: c.ID, Code: string(e.Class), Text: clip(because, 1000)})
		h.clerk.revise(e.Party, c.ID, became, because, true)
		return true
	}
	if cmp.Or(h.book.against(c.ID, e.Party), &Challenge{}).Status == Defended {
		return true
	}
	if h.wave && before.N == e.N { // two chunks of one wave: the harsher word counts (S13)
		return e.Class.rank() > before.Class.rank()
	}
	h.drift(e.Party, c.ID, became, "it was "+string(before.Class)+": "+before.Flaw)
	return false
}

// admitted returns the party's reason for a change of mind about something, or "".
func admitted(changes []Change, about ...string) string {
	admits := func(ch *Change) bool { return ch.admits() && slices.Contains(about, ch.Claim) }
	return cmp.Or(find(changes, admits), &Change{}).Because
}

// admits reports whether a change of mind comes with its reason.
func (c Change) admits() bool { return c.Because != "" }

// rank orders classes by how harsh they are.
func (c Class) rank() int {
	return slices.Index([]Class{ClassIllFormed, ClassSkeptical, ClassReject}, c)
}

// drift records an unadmitted change of mind, and asks its party to reconcile it with its
// earlier words (R155, R156). A party that drifts again is dropped, even after an explanation
// if it contradicts that.
func (h *hearing) drift(party, ref, text, earlier string) {
	h.clerk.revise(party, ref, text, "", false)
	h.clerk.happened(Fact{Kind: Drifted, Who: party, About: ref, Text: text})
	seat := h.support.table.seat(party)
	if seat == nil {
		return
	}
	if seat.Drifts++; h.reconciled(party, ref) {
		seat.Drifts = maxDrifts
	}
	if seat.Drifts >= maxDrifts {
		seat.Lost = true
		p := h.support.table.party(party)
		p.Status, p.Detail = PartyQuality, "it changed its answer again without giving a reason"
		return
	}
	h.clerk.newChallenge(ref, EngineParty, party, Reconciling, "earlier: "+clip(earlier, 1000)+"; now: "+text)
}

// reconciled reports whether a party was asked before to reconcile its words about something.
func (h *hearing) reconciled(party, about string) bool {
	return slices.ContainsFunc(h.book.Challenges, func(k Challenge) bool { return k.reconciles(party, about) })
}

// challenges reports whether an evaluation opens a challenge, or belongs to a challenge with
// these words. CRYSTALLIZATION hears no new opinion (R128).
func (h *hearing) challenges(c *Claim, e Evaluation) bool {
	k, against := h.book.against(c.ID, e.Party), h.book.attacks(c.ID)
	switch {
	case e.Class == ClassAgree:
		return false
	case k != nil:
		return k.awaitsJudgement()
	case !e.Qualified && slices.Contains(against.dissenters(), e.Party):
		return false
	case e.Class == ClassIllFormed:
		return c.Owner != EngineParty
	case e.Qualified:
		return true
	}
	late := phaseOf(e.N, h.clerk.talk.Extended) == Crystallization
	return !late && !c.protected()
}

// attack opens a challenge to a claim, or sharpens the attacker's open one.
func (h *hearing) attack(claim string, e Evaluation, found []Evidence) {
	if k := h.book.against(claim, e.Party); k != nil {
		h.sharpen(k, e, found)
		return
	}
	c := h.book.claim(claim)
	if !h.challenges(c, e) {
		return
	}
	kind := map[Class]ChallengeKind{ClassSkeptical: Skeptical, ClassReject: Rejecting}[e.Class]
	k := h.clerk.newChallenge(claim, e.Party, c.Owner, kind, e.Flaw, found...)
	k.Strength = strength(c, e)
}

// sharpen keeps a challenge up after its attacker has heard the defense.
func (h *hearing) sharpen(k *Challenge, e Evaluation, found []Evidence) {
	if k.awaitsJudgement() {
		h.insist(k, Maintain, e.Flaw, found)
	}
}

// strength derives the strength of an objection from its target and its citations (R090). The
// party's own word can only raise minor to moderate.
func strength(c *Claim, e Evaluation) Strength {
	worst := min(c.Severity.rank(), e.Severity.rank())
	switch {
	case worst == P1.rank() && e.Qualified:
		return StrengthStrong
	case worst <= P2.rank():
		return StrengthModerate
	}
	return StrengthMinor
}

// clarify asks the owner of an ill-formed claim for its meaning (R141).
func (h *hearing) clarify(party, claim string, e Evaluation) {
	c := h.book.claim(claim)
	if c.Owner == EngineParty || h.book.against(claim, party) != nil {
		return
	}
	k := h.clerk.newChallenge(claim, party, c.Owner, Skeptical, cmp.Or(e.Flaw, "the claim is not clear: say what goes wrong, where and when"))
	k.Clarify = true
	if c.severe() {
		k.weighs()
	}
}
