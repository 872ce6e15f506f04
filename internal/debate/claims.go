package debate

import (
	"cmp"
	"slices"

	"github.com/prdebate/debate/internal/lists"
)

// settleClaims gives every claim its bucket. It runs again after a dispute.
func (m *reducer) settleClaims() {
	for i := range m.Book.Claims {
		c := &m.Book.Claims[i]
		m.verify(c) // a party lost since then confirms less
		p := m.status(c)
		c.Bucket, c.Reason, c.Why, c.Crux = p.bucket, p.reason, p.why, p.crux
		if c.SameAs == "" {
			held := m.holding(c)
			c.ConfirmedBy = held.confirmedBy
			c.Joint = held.joint || c.Final && c.Joint // a dispute takes no voice away
		}
		m.happened(Fact{Kind: ClaimSettled, Who: EngineParty, About: c.ID, Code: string(c.Bucket), Why: c.Why})
	}
}

// verify sets the verified evidence of a claim: the engine found it, a party other than the
// owner says with a reason that it supports the claim, and no evidence against the claim
// unsettles it (A03, R121, M02). Evidence that begs the question never is.
func (m *reducer) verify(c *Claim) {
	if c.Owner == EngineParty {
		return
	}
	m.Book.strengthen(c)
	backed := func(e Evaluation) bool { return e.backs(Empirical) }
	held := m.holding(c)
	supported := c.Carried != "" || slices.ContainsFunc(held.words, backed) // verified on an earlier head, until it is contradicted
	holds := supported && held.standing != contested
	for i := range c.Evidence {
		e := &c.Evidence[i]
		was := e.Verified
		// The person who asks is unverified, even if many agree (R124, X19). A claim about a passage
		// of the question is a proposal.
		begs := m.Received.Inquiry != nil && c.Kind == Empirical && e.Cite.Path == BodyPath
		e.Verified = holds && e.CitationOK && !begs
		if e.Verified && !was {
			m.happened(Fact{Kind: CitationChecked, Who: EngineParty, About: c.ID, Code: "verified", Cites: []Evidence{*e}})
			opinion := m.Book.opinion(c.ID)
			m.ledger(TagVerified, EngineParty, c.Title, e.Cite.String()).Supersedes = opinion
		}
	}
}

// placing is the bucket of a claim and the reason; crux is the open point of a disputed claim.
type placing struct {
	bucket Bucket
	reason Reason
	why    Why
	crux   string
}

func dismissed(reason Reason, why Why) placing {
	return placing{bucket: Dismissed, reason: reason, why: why}
}

func unresolved(reason Reason, code WhyCode, refs ...string) placing {
	return placing{bucket: Unresolved, reason: reason, why: because(code, refs...)}
}

// status returns the bucket of a claim and the reason. The first case that holds wins.
func (s *State) status(c *Claim) placing {
	if c.SameAs != "" {
		return placing{why: because(WhyMerged, s.Book.survivor(c.ID).ID)}
	}
	// People took it out, or it is gone from the code.
	if why := s.Received.orderedAway(c); !why.IsZero() {
		return dismissed(ReasonHuman, why)
	}
	if why := s.fixed(c); !why.IsZero() {
		return dismissed(ReasonFixed, why)
	}
	if why := s.accepted(c); !why.IsZero() {
		return dismissed(ReasonKnown, why)
	}
	against, held := s.Book.attacks(c.ID), s.holding(c)
	first := func(is func(*Challenge) bool) *Challenge { return lists.Find(against, is) }
	conceded := first(func(k *Challenge) bool { return k.Status == Conceded })
	withdrawn := first(func(k *Challenge) bool { // with a reason, and no other party holds it on lines
		return k.Status == Conceded && !k.InWords && !k.Unexplained && !held.byThird(c, k.Attacker)
	})
	silent := first(func(k *Challenge) bool { // silence loses no quote to words
		return k.Status == Undefended && !k.Clarify && k.Shown
	})
	outweighed := first(func(k *Challenge) bool { return k.Status == Upheld && k.Kind == Rejecting && k.outweighs(c) })
	both := first(func(k *Challenge) bool { return k.Deadlock != "" && len(k.Views) == 2 })
	pending := first((*Challenge).unsettled)
	owner := cmp.Or(s.Table.party(c.Owner), &Party{})
	proved := c.passes() && held.standing != contested
	quoted := qualified(c.Evidence) || slices.ContainsFunc(held.backers, func(e Evaluation) bool { return e.Qualified })
	needsQuote := c.Kind != Value || len(c.Evidence) > 0
	switch {
	// A built-in rule found it. Two families that reject it at its lines unsettle it.
	case c.ofCritic() && !c.Verified():
		return unresolved(ReasonUnconfirmed, WhyLinesMissing)
	case c.ofCritic():
		if k := s.disproofs(c); len(k) > 0 {
			p := unresolved(ReasonOpen, WhyRejected)
			p.crux = clip(k[0].Objection, 500)
			return p
		}
		return placing{bucket: Agreed}

	// It was not debated.
	case c.OutOfScope:
		return dismissed(ReasonOutOfScope, because(WhyOutOfScope))
	case c.Late && !c.Verified(): // a late claim counts if another party confirms it
		return unresolved(ReasonLate, WhyLate)
	case c.NotDebated:
		return unresolved(ReasonNotDebated, WhyTooMany)
	case c.Extra:
		return unresolved(ReasonNotDebated, WhyLaterHead)
	case c.Reframe && !s.Received.consented(c):
		return unresolved(ReasonAnchorShift, WhyReframes)

	// Its owner withdrew it with a reason, and no other party holds it on lines.
	case withdrawn != nil:
		return dismissed(ReasonConceded, because(WhyConceded, withdrawn.ID))

	// It is refuted: an objection stayed unanswered, or a run shows more than its quote.
	case silent != nil && !held.joint && c.EvidenceType != Execution:
		return dismissed(ReasonUndefended, because(WhyUndefended, silent.ID))
	case outweighed != nil:
		return dismissed(ReasonRejected, because(WhyBetterEvidence, outweighed.ID))

	// Two voices hold it, or an earlier head confirmed it, and no objection of weight is open.
	case conceded == nil && proved && (held.joint || c.Carried != "" && pending == nil):
		return placing{bucket: Agreed}

	// An earlier head or two voices hold it: it stays open.
	case c.Carried != "", held.joint:
		return s.disputeOf(c, held)

	// One party says so, and no quote of it was found; or the party was dropped, because it
	// contradicts itself or its replies cannot be read. A P1 with a quote stays open, and so
	// does a claim if both sides say how to settle it.
	case needsQuote && !quoted && both == nil:
		return unresolved(ReasonUnproved, WhyNoQuote)
	case c.Severity != P1 && len(held.backers) == 0 && owner.Status == PartyQuality:
		return unresolved(ReasonUnproved, WhyFinderDropped)
	}
	return s.disputeOf(c, held)
}

// disputeOf returns the reason why a claim stays open: of its first objection with one of these
// ends, or else the first case below.
func (s *State) disputeOf(c *Claim, held holding) placing {
	against := s.Book.attacks(c.ID)
	for _, k := range against {
		switch {
		// A party gave in without a reason.
		case k.Unexplained:
			return unresolved(ReasonUnexplained, WhyUnexplained, k.Attacker, k.ID)
		case k.Status == Conceded && k.InWords:
			return unresolved(ReasonOpen, WhyConcededInWords, k.ID)
		case k.Status == Conceded, slices.Contains(k.Yielded, c.Owner):
			return unresolved(ReasonOpen, WhyHeldByOther, k.ID)
		// An objection was not answered.
		case k.Status == Undefended && k.Clarify:
			return unresolved(ReasonDefinition, WhyNotMeant)
		case k.Status == Undefended:
			return unresolved(ReasonOpen, WhyVerifiedUndefended, k.ID)
		}
	}
	// An objection is open.
	if k := lists.Find(against, (*Challenge).unsettled); k != nil {
		p := unresolved(ReasonOpen, WhyChallengeOpen, k.ID)
		switch {
		case k.Clarify && k.Status == Dropped:
			p = unresolved(ReasonDefinition, WhyNotMeant)
		case k.Clarify:
			p = unresolved(ReasonDefinition, WhyMeaningOpen)
		case k.Status == Dropped:
			p = unresolved(ReasonOpen, WhyUndefended, k.ID)
		case k.Deadlock == MissingData:
			p = unresolved(ReasonBlocked, WhyUnmeasured)
		case k.Deadlock == Definitional:
			p = unresolved(ReasonDefinition, WhyDefinitions)
		case k.Deadlock == Criteria:
			p = unresolved(ReasonTradeoff, WhyCriteria)
		case k.Status == Upheld:
			p = unresolved(ReasonOpen, WhyMaintained, k.ID)
		}
		p.crux = clip(k.crux(), 500)
		return p
	}
	// It lacks a second voice, or a line that both see.
	bare := lists.Keep(held.words, func(e Evaluation) bool { return e.Class == ClassAgree && !e.Reasoned })
	objected := func(k *Challenge) bool { return len(bare) > 0 && k.Attacker == bare[0].Party && !k.Clarify }
	dissent := lists.Find(against, func(k *Challenge) bool { return k.Status == Dissent })
	switch {
	case len(c.words()) == 0 && c.severe() && s.Ending.Outcome != DegradedLocal:
		return unresolved(ReasonUnreviewed, WhyNotWeighed)
	case len(c.words()) == 0:
		return unresolved(ReasonUnconfirmed, WhyNotWeighed)
	case c.Carried != "", held.joint:
		return unresolved(ReasonUnconfirmed, WhyNotVerified)
	case len(held.confirmedBy) > 0:
		return unresolved(ReasonUnconfirmed, WhyOneFamily, held.confirmedBy[0])
	case slices.ContainsFunc(against, objected):
		return unresolved(ReasonUnconfirmed, WhyGaveInWords, bare[0].Party)
	case len(bare) > 0:
		return unresolved(ReasonUnconfirmed, WhyNoReason, bare[0].Party)
	case dissent != nil:
		return unresolved(ReasonUnconfirmed, WhyDisagrees, dissent.Attacker)
	case !c.passes():
		return unresolved(ReasonUnconfirmed, WhyNotVerified)
	}
	return unresolved(ReasonUnreviewed, WhyNobodyAgrees)
}

// crux is the open point of a challenge: the first missing measurement, or its objection.
func (c Challenge) crux() string {
	for _, v := range c.Missing() {
		return "measure " + v.Measurement + "; threshold " + v.Threshold + ": " + v.Effect
	}
	return c.Objection
}

// Missing are the measurements that the two sides of a challenge need, also of one that ended
// before it was a deadlock: of each side what it named last.
func (c Challenge) Missing() []DeadlockSide {
	return lists.Keep(c.Views, func(v DeadlockSide) bool { return v.Class == MissingData })
}

// fixed names the parties that showed a carried finding to be gone, or nothing: one
// voice quotes new lines that fix it, two for a P1, and no party quotes lines against it. A
// second run on the same head never fixes a finding (S11).
func (s *State) fixed(c *Claim) Why {
	if s.Received.Previous.Head == s.Snapshot.HeadSHA || s.Ending.Outcome == DegradedLocal || c.Carried == "" || c.ofCritic() {
		return Why{}
	}
	for _, f := range lists.Pointers(s.Carried, func(f *CarriedState) bool { return !f.Final && s.Book.is(f.Claim, c) }) {
		counting := lists.Keep(f.Mends, func(party string) bool { return s.Table.fares(party).Drifts < maxDrifts }) // R164
		voices := lists.Once(lists.Map(counting, s.Table.voice))
		if enough := len(voices) > 1 || len(voices) == 1 && f.Severity != P1; enough && len(f.Against) == 0 {
			f.Class = Fixed
			return because(WhyFixedBy, f.Mends...)
		}
	}
	return Why{}
}

// holding is how a claim is held, counted in voices.
type holding struct {
	words       []Evaluation // the last words of the other parties, as far as they count
	backers     []Evaluation // the supporting ones among them
	confirmedBy []string     // parties in support, other than the owner, in party order
	voices      []string     // in support, each once
	joint       bool         // two voices or more hold it
	standing    standing
}

// earlierHead is the voice of the parties that confirmed a finding on an earlier head.
const earlierHead = "earlier head"

// holding counts the support of a claim and weighs its objections (M02).
func (s *State) holding(c *Claim) holding {
	against := s.Book.attacks(c.ID)

	// A party dropped for contradicting itself confirms nothing (R164). An abstaining or lost
	// party counts only with lines (M02, M19).
	h := holding{confirmedBy: []string{}}
	h.words = lists.Keep(c.words(), func(e Evaluation) bool {
		seat := s.Table.fares(e.Party)
		return seat.Drifts < maxDrifts && (e.Qualified || seat.Engagement != Abstains && !seat.Lost)
	})
	h.backers = lists.Keep(h.words, func(e Evaluation) bool { return e.backs(c.Kind) })
	if c.ofCritic() && c.Verified() {
		h.confirmedBy = append(h.confirmedBy, EngineParty)
	}
	for _, p := range s.Table.Parties {
		if slices.ContainsFunc(h.backers, func(e Evaluation) bool { return e.Party == p.ID }) {
			h.confirmedBy = append(h.confirmedBy, p.ID)
		}
	}

	// The owner holds it, unless it gave the claim up or spoke on an earlier head only; so do
	// the parties that confirmed it on an earlier head, and its backers.
	var voices []string
	absent := c.Carried != "" && !s.Table.sits(c.Owner)
	if !absent && !against.gaveIn(c.Owner) {
		voices = append(voices, s.Table.voice(c.Owner))
	}
	if c.Carried != "" {
		voices = append(voices, earlierHead)
	}
	for _, e := range h.backers {
		voices = append(voices, s.Table.voice(e.Party))
	}
	h.voices = lists.Once(voices)
	h.joint = len(h.voices) > 1

	// A claim without found lines is single: no word about it changes that.
	if !qualified(c.Evidence) && c.Kind != Value {
		return h
	}
	var shown []string // the voices with an open objection that quotes code
	unanswered := false
	for _, k := range against {
		// An unanswered objection is open, and so is one given up without a word (R116).
		open := k.unsettled() || k.Status == Undefended || k.Unexplained && k.Status == Resolved
		if open && k.Shown {
			shown = lists.Add(shown, s.Table.voice(k.Attacker))
			unanswered = unanswered || !k.Answered
		}
	}
	// Words unsettle nothing. Code unsettles a claim that one voice holds; if two or more hold
	// it, only if none of them answers with a quote, or if as many voices show code as hold it.
	switch {
	case len(shown) == 0 && !h.joint:
		h.standing = single
	case unanswered, len(shown) >= len(h.voices):
		h.standing = contested
	default:
		h.standing = confirmed
	}
	return h
}

// standing is the state of a claim with found lines.
type standing int

const (
	single    standing = iota // neither of the two below
	contested                 // an objection with code is open
	confirmed                 // two voices hold it
)

// byThird reports whether a third party holds a claim with verified evidence, or cites lines
// for it. The owner cannot give the claim up to an attacker then (M03).
func (h holding) byThird(c *Claim, attacker string) bool {
	return slices.ContainsFunc(h.backers, func(e Evaluation) bool {
		return e.Party != attacker && (e.Qualified || c.Verified())
	})
}

// about leaves out failed check runs at other places: they say nothing about the claim (R147).
func (c Claim) about(list []Evidence) []Evidence {
	at := c.place()
	return lists.Keep(list, func(e Evidence) bool {
		if e.Type != Execution {
			return true
		}
		return e.Cite.Path == at.Path && e.Cite.StartLine <= at.EndLine && at.StartLine <= e.Cite.EndLine
	})

}

// disproofs are the challenges against a finding of a built-in rule: rejections by two families
// at its lines, or next to them.
func (s *State) disproofs(c *Claim) attacks {
	at := c.place()
	list := lists.Keep(s.Book.attacks(c.ID), func(k *Challenge) bool {
		quotesLines := func(e Evidence) bool { return e.CitationOK && e.Cite.within(at, 1) }
		return k.Kind == Rejecting && slices.ContainsFunc(k.Evidence, quotesLines)
	})
	if len(s.Table.families(lists.Map(list, func(k *Challenge) string { return k.Attacker }))) < 2 {
		return nil
	}
	return list
}

// outweighs reports whether a challenge cites better evidence than its claim.
func (c Challenge) outweighs(claim *Claim) bool {
	return weight(claim.about(c.Evidence)) > weight(claim.Evidence)
}

// passes reports whether a claim has the evidence for its kind.
func (c Claim) passes() bool {
	switch c.Kind {
	case Value:
		return true
	case Proposal:
		return qualified(c.Evidence)
	}
	return c.Verified()
}

// NotWeighedBy are the parties that debated to the end without a word about a claim. They have
// read the change all the same: nothing else follows.
func (s State) NotWeighedBy(c Claim) []string {
	if !s.Ending.Outcome.debated() || c.protected() || !c.debated() {
		return nil
	}
	spoke := lists.Map(s.Book.attacks(c.ID), func(k *Challenge) string { return k.Attacker })
	for _, o := range s.Book.told(&c) {
		spoke = slices.Concat(spoke, []string{o.Owner}, o.ReportedBy, lists.Map(o.Evaluations, func(e Evaluation) string { return e.Party }))
	}
	silent := lists.Keep(s.Table.Seats, func(seat Seat) bool {
		return seat.Active() && seat.SpokeAt > 0 && !slices.Contains(spoke, seat.Party)
	})
	return lists.Map(silent, func(seat Seat) string { return seat.Party })
}
