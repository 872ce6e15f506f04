package debate

import (
	"slices"

	"github.com/prdebate/debate/internal/debate/holding"
	"github.com/prdebate/debate/internal/lists"
)

// settling says what each claim of a book comes to.
type settling struct {
	book    *Book
	clerk   *clerk
	support support
	people  *Received // orders of people come before anything that parties say
	earlier earlier
	known   []Known // findings that the settings accept
	alone   bool    // no debate took place: an unweighed claim is only unconfirmed
}

func newSettling(s *State, b *clerk) *settling {
	alone := s.Ending.Outcome == DegradedLocal
	said := support{&s.Book, &s.Table}
	return &settling{
		book: &s.Book, support: said, clerk: b, known: s.Known, alone: alone,
		people:  &s.Received,
		earlier: earlier{carried: s.Carried, support: said, same: s.Received.Previous.Head == s.Snapshot.HeadSHA, alone: alone},
	}
}

// settle gives every claim its bucket. It runs again after a dispute.
func (t *settling) settle() {
	for i := range t.book.Claims {
		c := &t.book.Claims[i]
		t.clerk.verify(c) // who was lost since confirms less
		p := t.status(c)
		c.Bucket, c.Reason, c.Why, c.Crux = p.bucket, p.reason, p.why, p.crux
		if c.SameAs == "" {
			c.ConfirmedBy = t.support.confirmers(c)
			c.Joint = t.support.joint(c) || c.Final && c.Joint // a dispute takes no voice away
		}
		t.clerk.happened(Fact{Kind: ClaimSettled, Who: EngineParty, About: c.ID, Code: string(c.Bucket), Why: c.Why})
	}
}

// placing is the bucket of a claim, the reason, and for a disputed one what would settle it.
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

// until adds what would settle the claim.
func (p placing) until(crux string) placing {
	p.crux = clip(crux, 500)
	return p
}

// status says what a claim comes to and why. The first case that holds wins.
func (t *settling) status(c *Claim) placing {
	if c.SameAs != "" {
		return placing{why: because(WhyMerged, t.book.survivor(c.ID).ID)}
	}
	// People took it out, or it is gone from the code.
	if why := t.people.orderedAway(c); !why.IsZero() {
		return dismissed(ReasonHuman, why)
	}
	if why := t.earlier.fixed(c); !why.IsZero() {
		return dismissed(ReasonFixed, why)
	}
	if why := t.accepted(c); !why.IsZero() {
		return dismissed(ReasonKnown, why)
	}
	against := t.book.attacks(c.ID)
	first := func(is func(*Challenge) bool) *Challenge { return lists.Find(against, is) }
	conceded := first(func(k *Challenge) bool { return k.Status == Conceded })
	silent := first(func(k *Challenge) bool { // silence loses no quote to words
		return k.Status == Undefended && !k.Clarify && (k.Shown || !qualified(c.Evidence))
	})
	outweighed := first(func(k *Challenge) bool { return k.Status == Upheld && k.Kind == Rejecting && k.outweighs(c) })
	both := first(func(k *Challenge) bool { return k.Deadlock != "" && len(k.Views) == 2 })
	live := first((*Challenge).stands)
	others := t.support.backers(c)
	joint := t.support.joint(c)
	proved := c.passes() && t.support.standing(c) != holding.Unsettled
	quoted := qualified(c.Evidence) || slices.ContainsFunc(others, func(e Evaluation) bool { return e.Qualified })
	needsQuote := c.Kind != Value || len(c.Evidence) > 0
	switch {
	// A built-in rule found it. Two families that reject it at its lines unsettle it.
	case c.ofCritic() && !c.Verified():
		return unresolved(ReasonUnconfirmed, WhyLinesMissing)
	case c.ofCritic():
		if k := t.support.disproofs(c); len(k) > 0 {
			return unresolved(ReasonOpen, WhyRejected).until(k[0].Objection)
		}
		return placing{bucket: Agreed}

	// It was not debated.
	case c.OutOfScope:
		return dismissed(ReasonOutOfScope, because(WhyOutOfScope))
	case c.Late && !c.Verified(): // a late claim that another party confirms counts
		return unresolved(ReasonLate, WhyLate)
	case c.NotDebated:
		return unresolved(ReasonNotDebated, WhyTooMany)
	case c.Extra:
		return unresolved(ReasonNotDebated, WhyLaterHead)
	case c.Reframe && !t.people.consented(c):
		return unresolved(ReasonAnchorShift, WhyReframes)

	// Its owner withdrew it with a reason, and no other party holds it on lines.
	case conceded != nil && !conceded.InWords && !conceded.Unexplained && !t.support.held(c, *conceded):
		return dismissed(ReasonConceded, because(WhyConceded, conceded.ID))

	// It is refuted: an objection stayed unanswered, or a run shows more than its quote.
	case silent != nil && !joint && c.EvidenceType != Execution:
		return dismissed(ReasonUndefended, because(WhyUndefended, silent.ID))
	case outweighed != nil:
		return dismissed(ReasonRejected, because(WhyBetterEvidence, outweighed.ID))

	// Two voices hold it, or an earlier head confirmed it, and no objection of weight is open.
	case conceded == nil && proved && (joint || c.Carried != "" && live == nil):
		return placing{bucket: Agreed}

	// A built-in rule, an earlier head or two voices hold it: it stays open.
	case c.protected(), joint:
		return t.disputed(c)

	// One party says so, and no quote of it was found; or the party was dropped. A P1 with a
	// quote stays open, and so does a claim if both sides say how to settle it.
	case needsQuote && !quoted && both == nil:
		return unresolved(ReasonUnproved, WhyNoQuote)
	case c.Severity != P1 && len(others) == 0 && t.support.table.left(c.Owner):
		return unresolved(ReasonUnproved, WhyFinderDropped)
	}
	return t.disputed(c)
}

// disputed says why a claim stays open: the first case that holds.
func (t *settling) disputed(c *Claim) placing {
	against := t.book.attacks(c.ID)
	agrees := func(e Evaluation) bool { return e.Class == ClassAgree && !e.Reasoned }
	bare := lists.Keep(t.support.table.voices(c), agrees)
	twins, dissenters := t.support.confirmers(c), against.dissenters()
	joint := c.Carried != "" || t.support.joint(c)
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
	if k := lists.Find(against, (*Challenge).stands); k != nil {
		switch p := unresolved(ReasonOpen, WhyChallengeOpen, k.ID).until(k.crux()); {
		case k.Clarify:
			return unresolved(ReasonDefinition, WhyMeaningOpen).until(p.crux)
		case k.Deadlock == MissingData:
			return unresolved(ReasonBlocked, WhyUnmeasured).until(p.crux)
		case k.Deadlock == Definitional:
			return unresolved(ReasonDefinition, WhyDefinitions).until(p.crux)
		case k.Deadlock == Criteria:
			return unresolved(ReasonTradeoff, WhyCriteria).until(p.crux)
		case k.Status == Upheld:
			return unresolved(ReasonOpen, WhyMaintained, k.ID).until(p.crux)
		default:
			return p
		}
	}
	// It lacks a second voice, or a line that both see.
	switch {
	case len(c.words()) == 0 && c.severe() && !t.alone:
		return unresolved(ReasonUnreviewed, WhyNotWeighed)
	case len(c.words()) == 0:
		return unresolved(ReasonUnconfirmed, WhyNotWeighed)
	case joint:
		return unresolved(ReasonUnconfirmed, WhyNotVerified)
	case len(twins) > 0:
		return unresolved(ReasonUnconfirmed, WhyOneFamily, twins[0])
	case len(bare) > 0 && qualified(c.Evidence) && against.opposed(bare[0].Party):
		return unresolved(ReasonUnconfirmed, WhyGaveInWords, bare[0].Party)
	case len(bare) > 0 && qualified(c.Evidence):
		return unresolved(ReasonUnconfirmed, WhyNoReason, bare[0].Party)
	case len(dissenters) > 0:
		return unresolved(ReasonUnconfirmed, WhyDisagrees, dissenters[0])
	case !c.passes():
		return unresolved(ReasonUnconfirmed, WhyNotVerified)
	}
	return unresolved(ReasonUnreviewed, WhyNobodyAgrees)
}

// crux is what would settle a challenge: the measurement that is missing, or its objection.
func (c Challenge) crux() string {
	for _, v := range c.Views {
		if v.Class == MissingData && c.Deadlock == MissingData {
			return "measure " + v.Measurement + "; threshold: " + v.Threshold + "; then: " + v.Effect
		}
	}
	return c.Objection
}

// ofCritic reports whether a built-in rule finds the claim on this head.
func (c Claim) ofCritic() bool {
	if c.Owner != EngineParty {
		return false
	}
	return c.Carried == "" || c.Rule != ""
}

// seen reports whether a built-in rule finds the claim on this head, at lines of the change.
func (c Claim) seen() bool { return c.ofCritic() && c.Verified() }

// about leaves out check runs that failed in other places: they say nothing of the claim
// (S12).
func (c Claim) about(list []Evidence) []Evidence {
	at := c.stands()
	return lists.Keep(list, func(e Evidence) bool {
		if e.Type != Execution {
			return true
		}
		return e.Cite.Path == at.Path && e.Cite.StartLine <= at.EndLine && at.StartLine <= e.Cite.EndLine
	})

}

// disproofs are the challenges that unsettle a finding of a built-in rule: rejections by two
// families at its lines, or next to them (M05).
func (w support) disproofs(c *Claim) attacks {
	at := c.stands()
	list := lists.Keep(w.book.attacks(c.ID), func(k *Challenge) bool { return k.Kind == Rejecting && k.touches(at) })
	if len(w.table.families(lists.Map(list, (*Challenge).attacker))) < 2 {
		return nil
	}
	return list
}

// touches reports whether a challenge quotes lines inside or touching some others.
func (c Challenge) touches(at Citation) bool {
	return slices.ContainsFunc(c.Evidence, func(e Evidence) bool { return e.CitationOK && e.Cite.within(at, 1) })
}

// outweighs reports whether a challenge cites better evidence than its claim.
func (c Challenge) outweighs(claim *Claim) bool {
	return weight(claim.about(c.Evidence)) > weight(claim.Evidence)
}

// passes reports whether a claim has the evidence that its kind needs.
func (c Claim) passes() bool {
	switch c.Kind {
	case Value:
		return true
	case Proposal:
		return qualified(c.Evidence)
	}
	return c.Verified()
}
