package debate

import "github.com/prdebate/debate/internal/debate/rubric"

// gate ends every decision without any call (GATE of Part 4): a critical one
// waits for a human, whatever was agreed or scored (R027, X17).
func (m *mover) gate() {
	s := m.state
	m.enter(StageGate)
	for i := range s.Decisions {
		m.conclude(&s.Decisions[i])
	}
	m.verdict()
	m.enter(StagePublish)
}

// conclude ends one decision.
func (m *mover) conclude(d *Decision) {
	s := m.state
	m.procedural(d)
	d.Critical = len(d.Triggers) > 0
	d.Fingerprint = fingerprint(s.Received.Anchor, *d)
	d.LinkedHash = m.linkedHash(*d)
	switch {
	case d.Critical:
		d.Outcome = AwaitingHuman
		d.Human = &Human{Status: ItemAwaiting, Sink: SinkIssue, AskedAt: s.At}
		m.decidedBefore(d)
	case s.Outcome == DegradedLocal || s.Outcome == Unchallenged || s.PrimaryLost:
		d.Outcome = Undecided
	case d.Settled:
		d.Outcome = Settled
		if k := m.granted(); k != nil && d.disposes() && d.Why == "" { // no finding says what has to change
			d.Why = clip("the primary granted "+k.ID+": "+k.Objection, 1000)
		}
	case d.Rubric != nil && d.Rubric.Winner != "":
		d.Outcome, d.Recommendation = Adopted, d.Rubric.Winner
	default:
		d.Outcome = Undecided
	}
	if d.Recommendation == "" && d.Rubric != nil {
		d.Recommendation = d.Rubric.Winner
	}
	m.forbidKeep(d)
}

// open reports whether a claim is agreed, or cites what is there and is disputed.
func (c Claim) open() bool {
	switch {
	case c.Bucket == Agreed:
		return true
	case c.Bucket != Unresolved || !qualified(c.Evidence):
		return false
	}
	switch c.Reason {
	case ReasonOpen, ReasonTradeoff, ReasonBlocked, ReasonDefinition, ReasonUnexplained:
		return true
	}
	return c.Verified()
}

// forbidKeep lets no change through with an open P1 (S05), with an objection that
// the primary granted (R095), or with a finding that failed the same head before
// (S11): only a human may. In an inquiry what is agreed is part of the answer.
func (m *mover) forbidKeep(d *Decision) {
	if !d.disposes() || m.state.Received.Inquiry != nil || d.Recommendation != string(Keep) || (d.Outcome != Settled && d.Outcome != Adopted) {
		return
	}
	forbid := func(why string) { d.Outcome, d.Why = Undecided, why+"; only a human may let it through" }
	for i := range m.state.Claims {
		c := &m.state.Claims[i]
		switch {
		case c.SameAs != "":
		case c.Severity == P1 && c.open():
			forbid(c.ID + " is an open P1 with evidence, which forbids keep")
			return
		case m.rerun(c):
			forbid(c.ID + " failed this head before, and nothing but running again speaks for it")
			return
		}
	}
	if k := m.granted(); k != nil {
		forbid("the primary granted " + k.ID + ", an objection to its position, which forbids keep")
	}
}

// rerun reports whether a claim failed the check on an earlier run of this head
// and was not dismissed since, but only disputed.
func (m *mover) rerun(c *Claim) bool {
	s := m.state
	failOn := s.Received.Settings.FailOn
	if s.Received.Settings.Gate == Required {
		failOn = failOn.Stricter(FailP1)
	}
	return c.Carried != "" && c.Bucket == Unresolved && s.Received.Previous.Head == s.Snapshot.HeadSHA && failOn.Fails(c.Severity)
}

// procedural adds the triggers that come from how the decision went: a tie, a
// divergence, and a panel that contradicts the rubric or came to nothing (R036,
// R037, X07, X10).
func (m *mover) procedural(d *Decision) {
	add := func(id TriggerID, detail string) {
		d.Triggers = append(d.Triggers, Trigger{ID: id, Source: FromProcedure, Class: ClassProcedural, Detail: detail})
	}
	if m.state.PrimaryLost || m.state.Outcome == DegradedLocal || m.state.Outcome == Unchallenged {
		return
	}
	r := d.Rubric
	if r != nil && r.Winner != "" && r.Tie {
		add(TriggerTie, "the best two options are within the margin of a tie")
	}
	if r != nil && r.Diverging {
		add(TriggerDivergence, "one party's best option is no better than third for another")
	}
	stopped := m.state.Stopped // who stops a debate asks nobody to decide what was not scored
	if r != nil && r.Winner == "" && !d.Settled && !stopped {
		add(TriggerContested, "the options could not be scored: "+r.Why)
	}
	if r == nil && !d.Settled && !stopped && len(d.Triggers) == 0 {
		add(TriggerContested, "the decision could not be scored: "+d.Why)
	}
	if len(d.Unanswered) > 0 && !stopped { // options for it cannot be scored in this item
		add(TriggerContested, "it also asks what the parties did not settle: "+clip(d.Unanswered[0], 500))
	}
	switch p := d.Panel; {
	case p == nil:
	case !p.Consensus:
		add(TriggerContested, "the judges did not agree")
	case p.Consensus && r != nil && r.Winner != "" && p.Option != r.Winner:
		add(TriggerContested, "the judges recommend "+p.Option+", the scores "+r.Winner)
	}
}

// decidedBefore keeps a human decision of an earlier head if neither the
// question nor the text that it is about has changed (A14, S08).
func (m *mover) decidedBefore(d *Decision) {
	s := m.state
	for _, p := range s.Received.Previous.Decisions {
		if p.Fingerprint != d.Fingerprint || p.LinkedHash != d.LinkedHash || !rubric.Has(d.Options, p.Option) {
			continue
		}
		d.Outcome = HumanDecided
		d.Human = &Human{Status: ItemDecided, Sink: SinkIssue, By: p.By, Option: p.Option, Reason: p.Reason, At: p.At, Head: p.Head, Self: p.Self}
		m.clerk().ledger(TagUser, p.By, d.ID+": "+p.Option+" "+p.Reason, d.ID, "")
		return
	}
}

// verdict computes what people read first: the confidence and the disposition.
func (m *mover) verdict() {
	s := m.state
	s.Confidence = m.confidence()
	d := s.decision("D0")
	switch {
	case d == nil:
	case d.Outcome == HumanDecided:
		s.Disposition = Disposition(d.Human.Option)
	case d.Outcome == Settled || d.Outcome == Adopted:
		s.Disposition = Disposition(d.Recommendation)
	case s.Outcome == DegradedLocal:
	default:
		s.Disposition = Continue
	}
	if s.Disposition == Keep && s.heldBack() != "" {
		s.Disposition = Revise
	}
}

// degrade ends a debate that cannot take place: the critique is local, nothing
// is adopted, and only policy opens human items (X02, R076, R080).
func (m *mover) degrade(why Why) {
	s := m.state
	s.Outcome, s.OutcomeReason = DegradedLocal, why
	if s.Received.Settings.AbortIfNoParty {
		m.abort(because(WhyNoDebate).because(why))
		return
	}
	m.enter(StageDegraded)
	primary := s.seat(s.Primary)
	local := primary != nil && !primary.Lost && len(s.Positions) == 0 && s.Exit == "" &&
		!s.Received.Settings.Stranger
	if local && m.wave(CallLocal, 0, m.perChunk([]string{s.Primary})).IsZero() {
		return
	}
	m.endDegraded()
}

// criticised takes the local critique of the primary. What it claims is listed
// as unconfirmed (S01).
func (m *mover) criticised(all []said) {
	heard := 0
	for _, x := range all {
		if x.Status == CallOK {
			heard++
			m.claims(x.Party, 0, x)
			m.hear(x.Party, x.Reply)
		}
	}
	m.answersAlone(all)
	if len(all) > 0 {
		m.attendance(all[0].Party, all, heard)
	}
	m.clerk().merge()
	m.endDegraded()
}

func (m *mover) endDegraded() {
	s := m.state
	m.clerk().ration()
	m.settling().bucketAll()
	if s.Received.Inquiry == nil {
		s.Split.Coverage = readBy(s.Split.Coverage, EngineParty)
	}
	s.Disposition = Continue
	for _, c := range s.Agreed() {
		if c.Severity.AtLeast(P2) {
			s.Disposition = Revise
			break
		}
	}
	framed := s.Received.Framed()
	d := &framed[0]
	d.Recommendation = string(s.Disposition)
	d.Triggers = m.policy()
	if s.Received.Settings.Stranger { // no issue for what a stranger sends
		d.Triggers = nil
	}
	s.Decisions = framed
	m.gate()
}
