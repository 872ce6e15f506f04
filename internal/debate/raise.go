package debate

import (
	"slices"
	"strconv"
)

// claims raises the claims of one reply (R062, R064).
func (m *mover) claims(owner string, n int, x said) {
	for _, nc := range x.Reply.Claims {
		if len(m.state.Claims) >= 2000 {
			return
		}
		m.clerk().raise(owner, n, nc)
	}
	if r := x.Reply.ProposalReview; r != nil && *r != (ProposalReview{}) {
		m.state.Reviews = append(m.state.Reviews, Review{Party: owner, ProposalReview: ProposalReview{
			ProblemFraming: clip(r.ProblemFraming, 2000), Assumptions: clip(r.Assumptions, 2000), Tradeoffs: clip(r.Tradeoffs, 2000),
			Alternatives: clip(r.Alternatives, 2000), RiskControls: clip(r.RiskControls, 2000), DecisionQuality: clip(r.DecisionQuality, 2000),
		}})
	}
	m.carrying(owner, x.Reply.Carried)
}

// raise adds one claim to the debate and returns its id.
func (b *clerk) raise(owner string, n int, nc NewClaim) string {
	c := Claim{
		ID: "C" + strconv.Itoa(len(b.Claims)+1), Segment: nc.Segment, Owner: owner, RaisedN: n,
		Asserted: nc.Severity, Category: nc.Category, Title: clip(nc.Title, 300), Body: clip(nc.Body, maxText),
		Suggestion: clip(nc.Suggestion, maxText), Proposed: nc.SameAs, ReportedBy: []string{owner}, ConfirmedBy: []string{},
	}
	if c.Asserted.rank() > 3 {
		c.Asserted = P3
	}
	if c.Category == "" {
		c.Category = Correctness
	}
	for _, ref := range nc.Refs {
		if len(c.Evidence) < maxRefs {
			c.Evidence = append(c.Evidence, b.evidence(owner, ref))
		}
	}
	if seg := segmentOf(b.split.Segments, c.stands()); seg != "" { // where its lines are, whatever it names
		c.Segment = seg
	} else if !b.segmentExists(c.Segment) {
		c.Segment = segmentOf(b.split.Segments, c.Cite())
	}
	c.Kind = b.kind(nc.Kind, c)
	b.strengthen(&c)
	c.OutOfScope = b.outOfScope(c)
	c.Reframe = c.Kind == Proposal && !qualified(c.Evidence)
	c.Late = phaseOf(n, b.extended) != Constructive
	c.Extra = b.beyondHead(c)
	b.Claims = append(b.Claims, c)
	if qualified(c.Evidence) {
		b.touch(c.ID)
	}
	b.ledger(TagUnverified, owner, c.Title, c.ID, "")
	b.happened(Fact{Kind: ClaimRaised, N: n, Who: owner, About: c.ID, Code: string(c.Severity), Text: c.Title, Cites: cloned(c.Evidence)})
	b.checkedCites(owner, c.ID, c.Evidence)
	for _, out := range [...]struct {
		is  bool
		why WhyCode
	}{{c.OutOfScope, WhyOutOfScope}, {c.Extra, WhyLaterHead}, {c.Late, WhyLate}, {c.Reframe, WhyReframes}} {
		if out.is {
			b.happened(Fact{Kind: ClaimDropped, N: n, Who: EngineParty, About: c.ID, Why: because(out.why)})
		}
	}
	return c.ID
}

// checkedCites tells what the engine found at the lines that a party cites.
func (b *clerk) checkedCites(who, about string, list []Evidence) {
	for _, e := range list {
		code := "missing"
		switch {
		case e.Reanchored:
			code = "moved"
		case e.CitationOK:
			code = "found"
		}
		b.happened(Fact{Kind: CitationChecked, Who: who, About: about, Code: code, Cites: []Evidence{e}})
	}
}

func (b *clerk) segmentExists(id string) bool {
	for _, seg := range b.split.Segments {
		if seg.ID == id {
			return true
		}
	}
	return false
}

// kind decides which gate a claim must pass, whatever its owner calls it. A
// value judgment is about a soft category and at most P2; a
// proposal claim stands in a proposal segment; all else is empirical (A04, S20).
func (b *clerk) kind(asserted ClaimKind, c Claim) ClaimKind {
	switch asserted {
	case Value:
		if b.soft(c.Category) && c.Asserted != P1 {
			return Value
		}
	case Proposal:
		for _, seg := range b.split.Segments {
			if seg.ID == c.Segment && seg.Kind == CodeSegment {
				return Empirical
			}
		}
		return Proposal
	}
	return Empirical
}

// evidence is what the engine makes of a reference: only what it found itself
// counts (A03, R169). A success of a check run supports nothing (S12), and a run
// that only a model knows does not exist.
func (b *clerk) evidence(party string, ref Ref) Evidence {
	b.Evidences++
	e := Evidence{ID: "E" + strconv.Itoa(b.Evidences), By: party, Type: BareClaim, Cite: ref.Citation, RunRef: ref.RunRef}
	e.Cite.Quote = clip(e.Cite.Quote, maxText)
	if ref.RunRef != "" {
		for _, run := range b.runs {
			if run.Ref != ref.RunRef || (!run.Failed) {
				continue
			}
			e.Type, e.LogHash, e.CitationOK, e.Changed, e.InHunk = Execution, run.Hash, true, run.Changed, run.Changed
			if e.Cite.Path == "" {
				e.Cite = Citation{Path: run.Path, Side: Right, StartLine: run.StartLine, EndLine: run.EndLine, Quote: run.Text}
			}
			return e
		}
		e.CitationOK = false
		return e
	}
	f := ref.Found
	e.CitationOK = f.OK
	e.Reanchored, e.Changed, e.InHunk, e.Commentable = f.Reanchored, f.Changed, f.InHunk, f.Commentable
	if e.CitationOK {
		e.Type = Textual
	}
	return e
}

// qualified reports whether any evidence points at something that is there.
func qualified(list []Evidence) bool {
	for _, e := range list {
		if e.CitationOK {
			return true
		}
	}
	return false
}

// weight is the rank of the best evidence in a list (R147).
func weight(list []Evidence) int {
	best := 0
	for _, e := range list {
		switch {
		case e.CitationOK && e.Type == Execution:
			best = max(best, 2)
		case e.CitationOK:
			best = max(best, 1)
		}
	}
	return best
}

// strengthen sets what follows from the evidence of a claim: its type (R146,
// R147), and its severity, which is held at P2 as long as a P1 has none that
// qualifies (X14).
func (b *clerk) strengthen(c *Claim) {
	c.Severity = b.severity(*c)
	switch w := weight(c.Evidence); {
	case c.Kind == Value:
		c.EvidenceType = NotNeeded
	case w == 2:
		c.EvidenceType = Execution
	case w == 1:
		c.EvidenceType = Textual
	default:
		c.EvidenceType = BareClaim
	}
	c.NeedsEvidence = c.Severity == P1 && !qualified(c.Evidence)
	if c.NeedsEvidence {
		c.Severity = P2
	}
}

// stated is the severity that the owner of a claim gives it: its last word.
func (c Claim) stated() Severity {
	if c.AmendedTo != "" {
		return c.AmendedTo
	}
	return c.Asserted
}

// outOfScope reports whether a claim is about lines that the change does not
// touch (X33): it cites something that is there, and none of it stands in a
// hunk, or all of it in paths that policy leaves out.
func (b *clerk) outOfScope(c Claim) bool {
	found, inside := false, false
	for _, e := range c.Evidence {
		if !e.CitationOK || e.Cite.Path == BodyPath || e.Type == Execution {
			inside = inside || e.CitationOK
			continue
		}
		found = true
		inside = inside || (e.InHunk && !b.excluded(e.Cite.Path))
	}
	return found && !inside
}

// excluded reports whether policy leaves a whole path out of the review.
func (b *clerk) excluded(path string) bool {
	out := false
	for _, c := range b.split.Coverage {
		if c.Path == path {
			if !c.Excluded.Excused() {
				return false
			}
			out = true
		}
	}
	return out
}

// beyondHead reports whether this head may no longer raise such a claim: what
// did not change since an earlier reviewed head admits only a P1, and from the
// third head on only P1 and P2 on changed hunks are new (A25).
func (b *clerk) beyondHead(c Claim) bool {
	prev := b.received.Previous
	if prev.Heads == 0 {
		return false
	}
	unchanged := c.Segment == "" // it is about nothing that changed
	for _, seg := range b.split.Segments {
		if seg.ID != c.Segment {
			continue
		}
		for _, k := range prev.Segments {
			unchanged = unchanged || (k.Path == seg.Path && k.TextHash == seg.TextHash)
		}
	}
	switch {
	case unchanged && c.Severity != P1:
		return true
	case prev.Heads >= 2 && (c.Severity == P3 || unchanged):
		return true
	}
	return false
}

// merge joins claims that say the same (R073, A07, X14) and points what was said
// about the merged one at the one that stays.
func (b *clerk) merge() {
	for _, k := range b.Challenges {
		if c := b.claim(k.Claim); c != nil && (k.Status == Conceded || k.Status == Undefended) {
			c.Fallen = true
		}
	}
	was := b.Claims
	b.Claims = mergeClaims(b.Claims, b.confirmedSame)
	more := false
	for i, c := range b.Claims {
		if c.SameAs != was[i].SameAs {
			more = more || was[i].SameAs == ""
			b.happened(Fact{Kind: ClaimMerged, Who: c.Owner, About: c.ID, Other: c.SameAs})
		}
	}
	if more {
		b.independent()
	}
	for i := range b.Challenges {
		k := &b.Challenges[i]
		if live := b.survivor(k.Claim); live != nil && live.ID != k.Claim {
			k.Claim = live.ID
			k.Defender = live.Owner
			if k.Attacker == live.Owner && k.Live() { // nobody attacks what it says itself
				b.close(k, Resolved, because(WhySameReport))
			}
		}
	}
}

// independent counts a claim that parties of two families raised as evaluated
// AGREE by each (A23).
func (b *clerk) independent() {
	for _, merged := range b.Claims {
		if merged.SameAs == "" {
			continue
		}
		live := b.survivor(merged.ID)
		if live == nil || live.Owner == merged.Owner || live.last(merged.Owner) != nil {
			continue
		}
		one, other := b.party(live.Owner), b.party(merged.Owner)
		blind := live.RaisedN == 0 && merged.RaisedN == 0
		if one == nil || other == nil || (one.Family == other.Family && blind) {
			continue
		}
		e := Evaluation{Party: merged.Owner, N: b.exchange, Class: ClassAgree, Severity: merged.Severity, Qualified: qualified(merged.Evidence)}
		if e.Qualified { // who cites nothing that is there supports nothing
			e.View = Supports
		}
		live.Evaluations = append(live.Evaluations, e)
		b.verify(live)
	}
}

// ration marks the claims beyond max_claims as not debated, least severe and
// latest first (A10).
func (b *clerk) ration() {
	var debated []int
	for i, c := range b.Claims {
		if c.Owner != EngineParty && c.SameAs == "" && !c.OutOfScope && !c.Extra && !c.Late && c.Carried == "" {
			debated = append(debated, i)
		}
	}
	slices.SortStableFunc(debated, func(x, y int) int { return b.Claims[x].Severity.rank() - b.Claims[y].Severity.rank() })
	for rank, i := range debated {
		c := &b.Claims[i]
		was := c.NotDebated
		c.NotDebated = rank >= b.received.Settings.maxClaims()
		if c.NotDebated && !was {
			b.happened(Fact{Kind: ClaimDropped, Who: EngineParty, About: c.ID, Why: because(WhyTooMany)})
		}
	}
}
