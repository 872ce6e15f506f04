package debate

import (
	"cmp"
	"slices"

	"github.com/prdebate/debate/internal/lists"
)

// evaluateAll takes the evaluations in a reply.
func (m *reducer) evaluateAll(party string, n int, r *Reply) {
	for _, ev := range r.Evaluations[:min(len(r.Evaluations), 200)] {
		m.evaluate(party, n, ev, r)
	}
}

// evaluate takes one evaluation of a claim by a party that does not own it
// (R133, R134, R139-R141).
func (m *reducer) evaluate(party string, n int, ev Evaluating, r *Reply) {
	c := m.Book.survivor(ev.Claim)
	switch {
	case c == nil, ev.Class == "", c.Owner == party: // no party weighs its own claim
		return
	}
	refs, tries := ev.Refs, lists.First(r.Checked, maxTried)
	if ev.Class == ClassAgree { // a quote of the case that it tried counts too
		for _, t := range tries {
			if t.Claim != "" && m.Book.survivor(t.Claim) == c {
				refs = append(refs[:len(refs):len(refs)], t.Refs...)
			}
		}
	}
	found := m.found(party, refs)
	m.proven(c, found, ev.Class != ClassAgree)
	found = c.about(m.Received.Inquiry.admits(c, found))
	e := evaluation(party, n, ev, qualified(found))
	e.Reasoned = e.Qualified || e.Flaw+e.UpgradeIf != "" || m.Book.tried(c, tries)
	if ev.SameAs == NoClaim || m.Book.named(ev.SameAs).Owner == party {
		e.SameAs = ev.SameAs
	}
	opposed := func(k *Challenge) bool { return !k.Clarify }                  // it did not only ask for the meaning
	if e.Class == ClassAgree && m.Book.attacks(c.ID).by(party).any(opposed) { // a party that gives in needs a reason with a line (M03)
		e.Reasoned = m.Book.newTo(c, found)
	}
	if e.Class == "" || !m.consistent(c, &e, r.Changes) {
		return
	}
	c.Evaluations = append(c.Evaluations, e)
	m.happened(Fact{Kind: ClaimWeighed, N: n, Who: party, About: c.ID, Code: string(e.Class), Text: e.Flaw, Cites: found})
	m.checkedCites(party, c.ID, found)
	k, words, opens := m.Book.against(c.ID, party), joined(e.Flaw, e.UpgradeIf), m.challenges(c, e)
	if !opens {
		m.said(&c.Thread, c.ID, Turn{Who: party, Act: Act(e.Class), Text: joined(words, admitted(r.Changes, c.ID)), Cites: found})
	}
	switch {
	case e.Class == ClassAgree:
		if e.supports() { // the citation in support of a claim joins its evidence
			c.Evidence = joinEvidence(c.Evidence, okOnly(found))
		}
		switch {
		case k == nil:
		case words == "" && e.Acknowledged:
			m.accept(k, because(WhyChangedMind), found)
		default: // it accepts the defense of its challenge
			m.accept(k, told(words), found)
		}
		m.answers(c, party, found)
	case k != nil && opens && e.Class != ClassIllFormed: // it has heard the defense, and keeps its challenge up
		m.insist(k, Maintain, e.Flaw, found)
	case k == nil && opens:
		m.attack(c, e, found)
	}
	m.verify(c)
}

// answers notes an answer with a quote by a holder of a claim, in the challenges from before
// this event: the parties of one wave have not heard each other.
func (m *reducer) answers(c *Claim, party string, found []Evidence) {
	if !showsCode(found) || !slices.Contains(m.holding(c).voices, m.Table.voice(party)) {
		return
	}
	for _, k := range m.Book.attacks(c.ID) {
		k.Answered = k.Answered || k.RaisedAt < m.N && k.unsettled()
	}
}

// tried reports whether the reply tries a case on a claim, or on its segment.
func (b *Book) tried(c *Claim, tries []Check) bool {
	return slices.ContainsFunc(tries, func(t Check) bool {
		here := t.Segment == c.Segment
		if on := b.survivor(t.Claim); on != nil {
			here = on == c
		}
		return here && t.looks()
	})
}

// admits leaves out evidence that says nothing about a claim: the author's own text decides no
// question of fact (X19).
func (q *Inquiry) admits(c *Claim, list []Evidence) []Evidence {
	switch {
	case c.Kind == Proposal, q != nil, c.place().Path == BodyPath:
		return list
	}
	return lists.Keep(list, func(e Evidence) bool { return e.Cite.Path != BodyPath })
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
func (m *reducer) consistent(c *Claim, e *Evaluation, changes []Change) bool {
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
		m.happened(Fact{Kind: Acknowledged, N: e.N, Who: e.Party, About: c.ID, Code: string(e.Class), Text: clip(because, 1000)})
		m.ledger(TagRevision, e.Party, became, c.ID)
		return true
	}
	if cmp.Or(m.Book.against(c.ID, e.Party), &Challenge{}).Status == Defended {
		return true
	}
	if m.Stage == StageChallenge && before.N == e.N { // two chunks of one wave: the harsher word counts (S13)
		return e.Class.rank() > before.Class.rank()
	}
	m.drift(e.Party, c.ID, became, "it was "+string(before.Class)+": "+before.Flaw)
	return false
}

// admitted returns the party's reason for a change of mind about something, or "".
func admitted(changes []Change, about ...string) string {
	admits := func(ch *Change) bool { return ch.admits() && slices.Contains(about, ch.Claim) }
	return cmp.Or(lists.Pointer(changes, admits), &Change{}).Because
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
func (m *reducer) drift(party, ref, text, earlier string) {
	m.ledger(TagRevision, party, text, ref)
	m.happened(Fact{Kind: Drifted, Who: party, About: ref, Text: text})
	seat := m.Table.seat(party)
	if seat == nil {
		return
	}
	asked := func(k Challenge) bool { return k.reconciles(party, ref) }
	if seat.Drifts++; slices.ContainsFunc(m.Book.Challenges, asked) {
		seat.Drifts = maxDrifts
	}
	if seat.Drifts >= maxDrifts {
		seat.Lost = true
		p := m.Table.party(party)
		p.Status, p.Detail = PartyQuality, "it changed its answer again without giving a reason"
		return
	}
	m.newChallenge(ref, EngineParty, party, Reconciling, "earlier: "+clip(earlier, 1000)+"; now: "+text)
}

// challenges reports whether an evaluation opens a challenge, or belongs to a challenge with
// these words. CRYSTALLIZATION hears no new opinion (R128).
func (m *reducer) challenges(c *Claim, e Evaluation) bool {
	k, against := m.Book.against(c.ID, e.Party), m.Book.attacks(c.ID)
	switch {
	case e.Class == ClassAgree:
		return false
	case k != nil:
		return k.AwaitsJudgement()
	case !e.Qualified && slices.Contains(against.dissenters(), e.Party):
		return false
	case e.Class == ClassIllFormed:
		return c.Owner != EngineParty
	case e.Qualified:
		return true
	}
	late := phaseOf(e.N, m.Talk.Extended) == Crystallization
	return !late && !c.protected()
}

// attack opens a challenge to a claim. The owner of an ill-formed claim is asked for its meaning
// (R141).
func (m *reducer) attack(c *Claim, e Evaluation, found []Evidence) {
	if e.Class == ClassIllFormed {
		k := m.newChallenge(c.ID, e.Party, c.Owner, Skeptical, cmp.Or(e.Flaw, "the claim is not clear: say what goes wrong, where and when"))
		k.Clarify = true
		if c.severe() {
			k.weighs()
		}
		return
	}
	kind := map[Class]ChallengeKind{ClassSkeptical: Skeptical, ClassReject: Rejecting}[e.Class]
	k := m.newChallenge(c.ID, e.Party, c.Owner, kind, e.Flaw, found...)
	k.Strength = strength(c, e)
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
