package debate

import (
	"slices"

	"github.com/prdebate/debate/internal/debate/argument"
	"github.com/prdebate/debate/internal/debate/holding"
	"github.com/prdebate/debate/internal/lists"
)

// settling puts the claims of a book into their buckets.
type settling struct {
	book    *Book
	clerk   *clerk
	support support
	people  *Received // what people ordered, over the head of the debate
	earlier earlier
	known   []Known // what the settings accept
	alone   bool    // no model debated: what is not weighed is only unconfirmed
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

// bucketAll puts every claim into exactly one bucket. It runs again after a dispute.
func (t *settling) bucketAll() {
	for i := range t.book.Claims {
		c := &t.book.Claims[i]
		t.clerk.verify(c) // who was lost since confirms less
		if c.SameAs != "" {
			c.Bucket, c.Reason, c.Why, c.Crux = "", "", because(WhyMerged, t.book.survivor(c.ID).ID), ""
			continue
		}
		c.Crux = ""
		p := t.place(c)
		if why := t.accepted(c); p.bucket != Dismissed && !why.IsZero() {
			p = dismissedFor(ReasonKnown, why)
		}
		c.Bucket, c.Reason, c.Why = p.bucket, p.reason, p.why
		c.ConfirmedBy = t.support.confirmers(c)
		c.Joint = t.support.joint(c) || c.Final && c.Joint // a dispute takes no voice away
	}
	t.ground()
	for _, c := range t.book.Claims {
		t.clerk.happened(Fact{Kind: ClaimSettled, Who: EngineParty, About: c.ID, Code: string(c.Bucket), Why: c.Why})
	}
}

// placing is a bucket and why a claim is in it. The zero one says nothing.
type placing struct {
	bucket Bucket
	reason Reason
	why    Why
}

func agreed() placing { return placing{bucket: Agreed} }

func dismissed(reason Reason, code WhyCode, refs ...string) placing {
	return placing{Dismissed, reason, because(code, refs...)}
}

// dismissedFor dismisses for a reason, if there is one.
func dismissedFor(reason Reason, why Why) placing {
	if why.IsZero() {
		return placing{}
	}
	return placing{Dismissed, reason, why}
}

func unresolved(reason Reason, code WhyCode, refs ...string) placing {
	return placing{Unresolved, reason, because(code, refs...)}
}

// place finds the bucket of one claim and why: the first of the rules of Part 4
// that matches, unless it would leave a claim open that is unproved.
func (t *settling) place(c *Claim) placing {
	p := t.ruled(c)
	if p.bucket != Unresolved || slices.Contains([]Reason{ReasonLate, ReasonNotDebated, ReasonAnchorShift}, p.reason) {
		return p
	}
	if why := t.unproved(c); !why.IsZero() {
		c.Crux = ""
		return placing{Unresolved, ReasonUnproved, why}
	}
	return p
}

// unproved says why a claim is no dispute, or nothing. A dispute takes a quote that was
// found, two parties that hold the claim, or two sides that name what would settle it
// (R165); a judgement of value needs no quote. A party that was dropped takes along what it
// alone holds, but for a P1 with a quote that was found.
func (t *settling) unproved(c *Claim) Why {
	others := t.support.backers(c)
	quoted := qualified(c.Evidence) || slices.ContainsFunc(others, func(e Evaluation) bool { return e.Qualified })
	needsQuote := c.Kind != Value || len(c.Evidence) > 0
	namedByBoth := func(k *Challenge) bool { return k.Deadlock != "" && len(k.Views) == 2 }
	switch {
	case c.protected(), t.support.joint(c):
	case needsQuote && !quoted && !t.book.attacks(c.ID).any(namedByBoth):
		return because(WhyNoQuote)
	case c.Severity != P1 && len(others) == 0 && t.support.table.left(c.Owner):
		return because(WhyFinderDropped)
	}
	return Why{}
}

// ruled is what the rules of Part 4 say of a claim.
func (t *settling) ruled(c *Claim) placing {
	for _, rule := range []func(*Claim) placing{
		t.orderedAway, t.seenByCritic, t.fixed, t.untimely, t.fallen, t.beside, t.contended,
	} {
		if p := rule(c); p.bucket != "" {
			return p
		}
	}
	return t.gated(c)
}

// orderedAway places what a person dismissed.
func (t *settling) orderedAway(c *Claim) placing {
	return dismissedFor(ReasonHuman, t.people.orderedAway(c))
}

// fixed places a finding of an earlier head that somebody shows to be gone.
func (t *settling) fixed(c *Claim) placing {
	return dismissedFor(ReasonFixed, t.earlier.fixed(c))
}

// untimely places what is not about the change, and what came when nothing new may:
// that was not evaluated, so it is never dismissed.
func (t *settling) untimely(c *Claim) placing {
	switch {
	case c.OutOfScope:
		return dismissed(ReasonOutOfScope, WhyOutOfScope)
	case c.Late && !c.Verified(): // what another party confirms is not late (X21)
		return unresolved(ReasonLate, WhyLate)
	}
	return placing{}
}

// beside places what takes no part in the debate.
func (t *settling) beside(c *Claim) placing {
	switch {
	case c.NotDebated:
		return unresolved(ReasonNotDebated, WhyTooMany)
	case c.Extra:
		return unresolved(ReasonNotDebated, WhyLaterHead)
	case c.Reframe && !t.people.consented(c):
		return unresolved(ReasonAnchorShift, WhyReframes)
	}
	return placing{}
}

// ofCritic reports whether the embedded critic sees the claim on this head.
func (c Claim) ofCritic() bool {
	if c.Owner != EngineParty {
		return false
	}
	return c.Carried == "" || c.Rule != ""
}

// seen reports whether the embedded critic sees the claim on this head, and its lines are
// there.
func (c Claim) seen() bool { return c.ofCritic() && c.Verified() }

// about leaves out the check runs that failed somewhere else: they say nothing of
// the claim (S12).
func (c Claim) about(list []Evidence) []Evidence {
	at := c.stands()
	return lists.Keep(list, func(e Evidence) bool {
		if e.Type != Execution {
			return true
		}
		return e.Cite.Path == at.Path && e.Cite.StartLine <= at.EndLine && at.StartLine <= e.Cite.EndLine
	})

}

// seenByCritic keeps what the embedded critic saw (S01): Agreed, unless its lines
// are not there or parties of two families reject it with lines at it (M05).
func (t *settling) seenByCritic(c *Claim) placing {
	switch {
	case !c.ofCritic():
		return placing{}
	case !c.Verified():
		return unresolved(ReasonUnconfirmed, WhyLinesMissing)
	}
	if against := t.support.disproofs(c); len(against) > 0 {
		c.Crux = clip(against[0].Objection, 500)
		return unresolved(ReasonOpen, WhyRejected)
	}
	return agreed()
}

// disproofs are the challenges that unsettle what the engine saw: rejections that
// cite lines inside or touching those of the claim, by two families at least (M05).
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

// fallen finds what dismisses a claim: it was conceded, undefended or rejected
// with better evidence (R143, R150-R152). Verified evidence is its own defence
// against silence (X23), and giving up what is cited must be argued (A22).
func (t *settling) fallen(c *Claim) placing {
	for _, k := range t.book.attacks(c.ID) {
		withdrawn := k.Status == Resolved && t.support.standing(c) == holding.Confirmed
		switch {
		case k.Unexplained && !withdrawn:
			return unresolved(ReasonUnexplained, WhyUnexplained, k.Attacker, k.ID)
		case k.Status == Conceded:
			return t.conceded(c, k)
		case k.Status == Undefended:
			return undefended(c, k)
		case k.Status == Upheld && k.Kind == Rejecting && k.outweighs(c):
			return dismissed(ReasonRejected, WhyBetterEvidence, k.ID)
		case slices.Contains(k.Yielded, c.Owner) && t.support.standing(c) != holding.Confirmed:
			return unresolved(ReasonOpen, WhyHeldByOther, k.ID)
		}
	}
	return placing{}
}

// outweighs reports whether a challenge cites better evidence than its claim.
func (c Challenge) outweighs(claim *Claim) bool {
	return weight(claim.about(c.Evidence)) > weight(claim.Evidence)
}

// conceded places a claim that its owner gives up. What others hold is not the owner's to
// give up, and words alone give up nothing.
func (t *settling) conceded(c *Claim, k *Challenge) placing {
	switch {
	case t.support.held(c, *k):
		return unresolved(ReasonOpen, WhyHeldByOther, k.ID)
	case k.InWords:
		return unresolved(ReasonOpen, WhyConcededInWords, k.ID)
	}
	return dismissed(ReasonConceded, WhyConceded, k.ID)
}

// undefended places a claim whose owner did not answer a challenge. Silence loses
// nothing that cites lines which are there (M04).
func undefended(c *Claim, k *Challenge) placing {
	switch {
	case k.Clarify:
		return unresolved(ReasonDefinition, WhyNotMeant)
	case qualified(c.Evidence):
		return unresolved(ReasonOpen, WhyVerifiedUndefended, k.ID)
	}
	return dismissed(ReasonUndefended, WhyUndefended, k.ID)
}

// held reports whether somebody beside the owner and the attacker holds a claim
// whose evidence is verified, or cites lines for it: its owner cannot give it up for
// them, whatever was shown against it since (M03).
func (w support) held(c *Claim, k Challenge) bool {
	return slices.ContainsFunc(w.backers(c), func(e Evaluation) bool {
		return e.Party != k.Attacker && (e.Qualified || c.Verified())
	})
}

// backers are the words on a claim of those beside its owner who stand behind it.
func (w support) backers(c *Claim) []Evaluation {
	return lists.Keep(w.table.voices(c), func(e Evaluation) bool { return e.backs(c.Kind) })
}

// contended finds what keeps a claim unresolved (R144): a deadlock, or an attack
// that was not settled. What two voices hold takes more (M02).
func (t *settling) contended(c *Claim) placing {
	if t.support.standing(c) == holding.Confirmed {
		return placing{}
	}
	k := lists.Find(t.book.attacks(c.ID), (*Challenge).stands)
	if k == nil {
		return placing{}
	}
	c.Crux = k.crux()
	switch {
	case k.Clarify:
		return unresolved(ReasonDefinition, WhyMeaningOpen)
	case k.Deadlock != "":
		return stuck(k.Deadlock)
	case k.Status == Upheld:
		return unresolved(ReasonOpen, WhyMaintained, k.ID)
	}
	return unresolved(ReasonOpen, WhyChallengeOpen, k.ID)
}

// stuck places what both sides leave in a deadlock.
func stuck(class DeadlockClass) placing {
	return map[DeadlockClass]placing{
		MissingData:  unresolved(ReasonBlocked, WhyUnmeasured),
		Definitional: unresolved(ReasonDefinition, WhyDefinitions),
		Criteria:     unresolved(ReasonTradeoff, WhyCriteria),
	}[class]
}

// crux is what would settle a challenge: the measurement that is missing, or its
// objection.
func (c Challenge) crux() string {
	crux := c.Objection
	for _, v := range c.Views {
		if v.Class == MissingData && c.Deadlock == MissingData {
			crux = "measure " + v.Measurement + "; threshold: " + v.Threshold + "; then: " + v.Effect
		}
	}
	return clip(crux, 500)
}

// gated lets a claim into Agreed if somebody else agrees and the gate of its
// kind is passed (R142, R145, R146, X13, S20).
func (t *settling) gated(c *Claim) placing {
	agrees := c.Carried != "" || t.support.joint(c)
	switch {
	case agrees && c.passes():
		return agreed()
	case len(c.words()) == 0:
		return t.notWeighed(c)
	case agrees:
		return unresolved(ReasonUnconfirmed, WhyNotVerified)
	}
	return t.unbacked(c)
}

// notWeighed places a claim of which nobody but its owner says anything.
func (t *settling) notWeighed(c *Claim) placing {
	if c.severe() && !t.alone {
		return unresolved(ReasonUnreviewed, WhyNotWeighed)
	}
	return unresolved(ReasonUnconfirmed, WhyNotWeighed)
}

// unbacked says what is wanting where nobody's word makes two voices of one: who agrees
// is of the owner's family, or gives no reason, or somebody disagrees.
func (t *settling) unbacked(c *Claim) placing {
	against, twins := t.book.attacks(c.ID), t.support.confirmers(c)
	dissenters := against.dissenters()
	var bare []Evaluation
	if qualified(c.Evidence) {
		bare = lists.Keep(t.support.table.voices(c), func(e Evaluation) bool { return e.Class == ClassAgree && !e.Reasoned })
	}
	switch {
	case len(twins) > 0:
		return unresolved(ReasonUnconfirmed, WhyOneFamily, twins[0])
	case len(bare) > 0:
		code := WhyNoReason
		if against.opposed(bare[0].Party) {
			code = WhyGaveInWords
		}
		return unresolved(ReasonUnconfirmed, code, bare[0].Party)
	case len(dissenters) > 0:
		return unresolved(ReasonUnconfirmed, WhyDisagrees, dissenters[0])
	case !c.passes():
		return unresolved(ReasonUnconfirmed, WhyNotVerified)
	}
	return unresolved(ReasonUnreviewed, WhyNobodyAgrees)
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

// confirmers are the parties other than the owner who stand behind a claim, in party
// order (M02).
func (w support) confirmers(c *Claim) []string {
	list := []string{}
	if c.seen() {
		list = append(list, EngineParty)
	}
	back := lists.Map(w.backers(c), func(e Evaluation) string { return e.Party })
	return append(list, lists.Map(w.table.among(back), func(p Party) string { return p.ID })...)
}

// ground checks the buckets against the attack graph: what is Agreed must be IN
// under the grounded labelling of the claims and the attacks that live.
func (t *settling) ground() {
	var ids []string
	var attacks []argument.Attack
	for _, c := range lists.Keep(t.book.live(), (*Claim).found) {
		ids = append(ids, c.ID)
		if c.ofDebate() && t.support.standing(c) == holding.Confirmed { // what is said against it does not reach it
			continue
		}
		against := t.book.attacks(c.ID)
		if c.Owner == EngineParty { // an opinion attacks nothing of it (S01)
			against = t.support.disproofs(c)
		}
		for _, k := range lists.Keep(against, (*Challenge).stands) {
			ids = append(ids, k.ID)
			attacks = append(attacks, argument.Attack{By: k.ID, On: c.ID})
		}
	}
	in := argument.Grounded(ids, attacks)
	for _, c := range findAll(t.book.Claims, func(c *Claim) bool { return c.Bucket == Agreed && !slices.Contains(in, c.ID) }) {
		c.Bucket, c.Reason, c.Why = Unresolved, ReasonOpen, because(WhyAttacked)
	}
}
