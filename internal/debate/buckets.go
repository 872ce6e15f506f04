package debate

import "github.com/prdebate/debate/internal/debate/argument"

// settling puts the claims of a book into their buckets.
type settling struct {
	book   *clerk
	people rulings
	alone  bool // no model debated: what is not weighed is only unconfirmed
}

// rulings is what people and later heads say of claims, over the debate's head.
type rulings interface {
	orderedAway(c *Claim) Why
	consented(c *Claim) bool
	fixed(c *Claim) Why
}

func (m *mover) settling() *settling {
	return &settling{book: m.clerk(), people: m, alone: m.state.Outcome == DegradedLocal}
}

// bucketAll puts every claim into exactly one bucket (P04). It may run again:
// after a re-examination and after a dispute.
func (t *settling) bucketAll() {
	for i := range t.book.Claims {
		c := &t.book.Claims[i]
		if c.SameAs != "" {
			c.Bucket, c.Reason, c.Why, c.Crux = "", "", because(WhyMerged, t.book.survivor(c.ID).ID), ""
			continue
		}
		c.Crux = ""
		c.Bucket, c.Reason, c.Why = t.bucket(c)
		c.ConfirmedBy = t.book.confirmers(c)
	}
	t.ground()
	for _, c := range t.book.Claims {
		t.book.happened(Fact{Kind: ClaimSettled, Who: EngineParty, About: c.ID, Code: string(c.Bucket), Why: c.Why})
	}
}

// bucket is the bucket of one claim, its reason and the reason in words: the
// first of the rules of Part 4 that matches.
func (t *settling) bucket(c *Claim) (Bucket, Reason, Why) {
	if why := t.people.orderedAway(c); !why.IsZero() {
		return Dismissed, ReasonHuman, why
	}
	if c.ofCritic() {
		return t.bucketEngine(c)
	}
	if c.Carried != "" {
		if why := t.people.fixed(c); !why.IsZero() {
			return Dismissed, ReasonFixed, why
		}
	}
	if c.OutOfScope {
		return Dismissed, ReasonOutOfScope, because(WhyOutOfScope)
	}
	if c.Late && !(c.Verified() && len(t.book.confirmers(c)) > 0) { // not evaluated, so never dismissed
		return Unresolved, ReasonLate, because(WhyLate)
	}
	if b, reason, why := t.fallen(c); b != "" {
		return b, reason, why
	}
	switch {
	case c.NotDebated:
		return Unresolved, ReasonNotDebated, because(WhyTooMany)
	case c.Extra:
		return Unresolved, ReasonNotDebated, because(WhyLaterHead)
	case c.Reframe && !t.people.consented(c):
		return Unresolved, ReasonAnchorShift, because(WhyReframes)
	}
	if b, reason, why := t.contended(c); b != "" {
		return b, reason, why
	}
	return t.gated(c)
}

// ofCritic reports whether the embedded critic sees the claim on this head.
func (c Claim) ofCritic() bool { return c.Owner == EngineParty && (c.Carried == "" || c.Rule != "") }

// about leaves out the check runs that failed somewhere else: they say nothing of
// the claim (S12).
func (c Claim) about(list []Evidence) []Evidence {
	var kept []Evidence
	for _, e := range list {
		at := c.stands()
		apart := e.Cite.Path != at.Path || e.Cite.StartLine > at.EndLine || e.Cite.EndLine < at.StartLine
		if e.Type != Execution || !apart {
			kept = append(kept, e)
		}
	}
	return kept
}

// bucketEngine keeps what the embedded critic saw (S01): Agreed, unless its
// lines are not there or a party rejects it with evidence that holds.
func (t *settling) bucketEngine(c *Claim) (Bucket, Reason, Why) {
	if !c.Verified() {
		return Unresolved, ReasonUnconfirmed, because(WhyLinesMissing)
	}
	for _, k := range t.book.Challenges {
		if k.Claim == c.ID && k.Kind == Rejecting && k.Qualified() {
			c.Crux = clip(k.Objection, 500)
			return Unresolved, ReasonOpen, because(WhyRejected)
		}
	}
	return Agreed, "", Why{}
}

// fallen finds what dismisses a claim: it was conceded, undefended or rejected
// with better evidence (R143, R150-R152). Verified evidence is its own defence
// against silence (X23), and giving up what is cited must be argued (A22).
func (t *settling) fallen(c *Claim) (Bucket, Reason, Why) {
	for _, k := range t.book.Challenges {
		if k.Claim != c.ID || k.Kind == Reconciling {
			continue
		}
		switch {
		case k.Unexplained:
			return Unresolved, ReasonUnexplained, because(WhyUnexplained, k.Attacker, k.ID)
		case k.Status == Conceded && t.book.held(c, k):
			return Unresolved, ReasonOpen, because(WhyHeldByOther, k.ID)
		case k.Status == Conceded:
			return Dismissed, ReasonConceded, because(WhyConceded, k.ID)
		case k.Status == Undefended && k.Clarify:
			return Unresolved, ReasonDefinition, because(WhyNotMeant)
		case k.Status == Undefended && c.Verified():
			return Unresolved, ReasonOpen, because(WhyVerifiedUndefended, k.ID)
		case k.Status == Undefended:
			return Dismissed, ReasonUndefended, because(WhyUndefended, k.ID)
		case k.Status == Upheld && weight(c.about(k.Evidence)) > weight(c.Evidence):
			return Dismissed, ReasonRejected, because(WhyBetterEvidence, k.ID)
		}
	}
	return "", "", Why{}
}

// held reports whether somebody beside the owner and the attacker holds a claim
// whose evidence is verified: its owner cannot give it up for them.
func (b *clerk) held(c *Claim, k Challenge) bool {
	for _, party := range b.confirmers(c) {
		if party != k.Attacker && c.Verified() {
			return true
		}
	}
	return false
}

// contended finds what keeps a claim unresolved (R144): a deadlock, or an attack
// that was not settled.
func (t *settling) contended(c *Claim) (Bucket, Reason, Why) {
	for _, k := range t.book.Challenges {
		if k.Claim != c.ID || k.Kind == Reconciling || !(k.Live() || k.Status == Upheld) {
			continue
		}
		c.Crux = clip(k.Objection, 500)
		for _, v := range k.Views {
			if v.Class == MissingData && k.Deadlock == MissingData {
				c.Crux = clip("measure "+v.Measurement+"; threshold: "+v.Threshold+"; then: "+v.Effect, 500)
			}
		}
		switch {
		case k.Clarify:
			return Unresolved, ReasonDefinition, because(WhyMeaningOpen)
		case k.Deadlock == MissingData:
			return Unresolved, ReasonBlocked, because(WhyUnmeasured)
		case k.Deadlock == Definitional:
			return Unresolved, ReasonDefinition, because(WhyDefinitions)
		case k.Deadlock == Criteria:
			return Unresolved, ReasonTradeoff, because(WhyCriteria)
		case k.Status == Upheld:
			return Unresolved, ReasonOpen, because(WhyMaintained, k.ID)
		}
		return Unresolved, ReasonOpen, because(WhyChallengeOpen, k.ID)
	}
	return "", "", Why{}
}

// gated lets a claim into Agreed if somebody else agrees and the gate of its
// kind is passed (R142, R145, R146, X13, S20).
func (t *settling) gated(c *Claim) (Bucket, Reason, Why) {
	agrees := len(t.book.confirmers(c)) > 0
	evaluated := false
	for _, e := range c.Evaluations {
		evaluated = evaluated || e.Party != c.Owner
	}
	pass := false
	switch c.Kind {
	case Value:
		pass = true
	case Proposal:
		pass = qualified(c.Evidence)
	default:
		pass = c.Verified()
	}
	switch {
	case c.Carried != "" && pass:
		return Agreed, "", Why{}
	case agrees && pass:
		return Agreed, "", Why{}
	case !evaluated && c.Severity.AtLeast(P2) && !t.alone:
		return Unresolved, ReasonUnreviewed, because(WhyNotWeighed)
	case !evaluated:
		return Unresolved, ReasonUnconfirmed, because(WhyNotWeighed)
	case !pass:
		return Unresolved, ReasonUnconfirmed, because(WhyNotVerified)
	}
	return Unresolved, ReasonUnreviewed, because(WhyNobodyAgrees)
}

// confirmers are the parties other than the owner whose last word on a claim is
// AGREE, in party order.
func (b *clerk) confirmers(c *Claim) []string {
	if c.ofCritic() && c.Verified() {
		return []string{EngineParty}
	}
	list := []string{}
	for _, p := range b.parties {
		if e := c.last(p.ID); e != nil && e.Class == ClassAgree && p.ID != c.Owner && !b.abstains(p.ID) && !contains(list, p.ID) {
			list = append(list, p.ID)
		}
	}
	return list
}

// ground checks the buckets against the attack graph: what is Agreed must be IN
// under the grounded labelling of the claims and the attacks that live (P21).
func (t *settling) ground() {
	var ids []string
	var attacks []argument.Attack
	for _, c := range t.book.Claims {
		if c.SameAs == "" && c.Bucket != Dismissed {
			ids = append(ids, c.ID)
		}
	}
	for _, k := range t.book.Challenges {
		if k.Kind == Reconciling || k.Claim == PositionSubject || !(k.Live() || k.Status == Upheld) {
			continue
		}
		if c := t.book.claim(k.Claim); c != nil && c.Owner == EngineParty && !(k.Kind == Rejecting && k.Qualified()) {
			continue // S01: it attacks nothing
		}
		ids = append(ids, k.ID)
		attacks = append(attacks, argument.Attack{By: k.ID, On: k.Claim})
	}
	in := argument.Grounded(ids, attacks)
	for i := range t.book.Claims {
		c := &t.book.Claims[i]
		if c.Bucket == Agreed && !contains(in, c.ID) {
			c.Bucket, c.Reason, c.Why = Unresolved, ReasonOpen, because(WhyAttacked)
		}
	}
}
