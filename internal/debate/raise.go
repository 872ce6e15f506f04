package debate

import (
	"sort"
	"strconv"
)

// claims raises the claims of one reply (R062, R064).
func (m *mover) claims(owner string, n int, x said) {
	for _, nc := range x.Reply.Claims {
		if len(m.state.Claims) >= 2000 {
			return
		}
		m.raise(owner, n, nc)
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
func (m *mover) raise(owner string, n int, nc NewClaim) string {
	s := m.state
	c := Claim{
		ID: "C" + strconv.Itoa(len(s.Claims)+1), Segment: nc.Segment, Owner: owner, RaisedN: n,
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
			c.Evidence = append(c.Evidence, m.evidence(owner, ref))
		}
	}
	if seg := segmentOf(s.Split.Segments, c.stands()); seg != "" { // where its lines are, whatever it names
		c.Segment = seg
	} else if !m.segmentExists(c.Segment) {
		c.Segment = segmentOf(s.Split.Segments, c.Cite())
	}
	c.Kind = m.kind(nc.Kind, c)
	m.strengthen(&c)
	c.OutOfScope = m.outOfScope(c)
	c.Reframe = c.Kind == Proposal && !qualified(c.Evidence)
	c.Late = phaseOf(n, s.Extended) != Constructive
	c.Extra = m.beyondHead(c)
	s.Claims = append(s.Claims, c)
	if qualified(c.Evidence) {
		m.touch(c.ID)
	}
	m.ledger(TagUnverified, owner, c.Title, c.ID, "")
	m.happened(Fact{Kind: ClaimRaised, N: n, Who: owner, About: c.ID, Code: string(c.Severity), Text: c.Title, Cites: cloned(c.Evidence)})
	m.checkedCites(owner, c.ID, c.Evidence)
	for _, out := range [...]struct {
		is  bool
		why WhyCode
	}{{c.OutOfScope, WhyOutOfScope}, {c.Extra, WhyLaterHead}, {c.Late, WhyLate}, {c.Reframe, WhyReframes}} {
		if out.is {
			m.happened(Fact{Kind: ClaimDropped, N: n, Who: EngineParty, About: c.ID, Why: because(out.why)})
		}
	}
	return c.ID
}

// checkedCites tells what the engine found at the lines that a party cites.
func (m *mover) checkedCites(who, about string, list []Evidence) {
	for _, e := range list {
		code := "missing"
		switch {
		case e.Reanchored:
			code = "moved"
		case e.CitationOK:
			code = "found"
		}
		m.happened(Fact{Kind: CitationChecked, Who: who, About: about, Code: code, Cites: []Evidence{e}})
	}
}

func (m *mover) segmentExists(id string) bool {
	for _, seg := range m.state.Split.Segments {
		if seg.ID == id {
			return true
		}
	}
	return false
}

// kind decides which gate a claim must pass, whatever its owner calls it. A
// value judgment is about a soft category and at most P2; a
// proposal claim stands in a proposal segment; all else is empirical (A04, S20).
func (m *mover) kind(asserted ClaimKind, c Claim) ClaimKind {
	switch asserted {
	case Value:
		if m.state.soft(c.Category) && c.Asserted != P1 {
			return Value
		}
	case Proposal:
		for _, seg := range m.state.Split.Segments {
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
func (m *mover) evidence(party string, ref Ref) Evidence {
	s := m.state
	s.Evidences++
	e := Evidence{ID: "E" + strconv.Itoa(s.Evidences), By: party, Type: BareClaim, Cite: ref.Citation, RunRef: ref.RunRef}
	e.Cite.Quote = clip(e.Cite.Quote, maxText)
	if ref.RunRef != "" {
		for _, run := range s.Runs {
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
func (m *mover) strengthen(c *Claim) {
	c.Severity = m.severity(*c)
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

// severity is the highest that was asserted with evidence that qualifies, by the
// owner or in a report that was merged into the claim (R074, X14).
func (m *mover) severity(c Claim) Severity {
	highest := c.stated()
	for _, other := range m.state.Claims {
		if other.SameAs == c.ID && qualified(other.Evidence) && other.stated().rank() < highest.rank() {
			highest = other.stated()
		}
	}
	return highest
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
func (m *mover) outOfScope(c Claim) bool {
	found, inside := false, false
	for _, e := range c.Evidence {
		if !e.CitationOK || e.Cite.Path == BodyPath || e.Type == Execution {
			inside = inside || e.CitationOK
			continue
		}
		found = true
		inside = inside || (e.InHunk && !m.excluded(e.Cite.Path))
	}
	return found && !inside
}

// excluded reports whether policy leaves a whole path out of the review.
func (m *mover) excluded(path string) bool {
	out := false
	for _, c := range m.state.Split.Coverage {
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
func (m *mover) beyondHead(c Claim) bool {
	prev := m.state.Received.Previous
	if prev.Heads == 0 {
		return false
	}
	unchanged := c.Segment == "" // it is about nothing that changed
	for _, seg := range m.state.Split.Segments {
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
func (m *mover) merge() {
	s := m.state
	before := 0
	for _, c := range s.Claims {
		if c.SameAs != "" {
			before++
		}
	}
	for _, k := range s.Challenges {
		if c := s.claim(k.Claim); c != nil && (k.Status == Conceded || k.Status == Undefended) {
			c.Fallen = true
		}
	}
	was := s.Claims
	s.Claims = mergeClaims(s.Claims, m.confirmedSame)
	after := 0
	for i, c := range s.Claims {
		if c.SameAs != "" {
			after++
		}
		if c.SameAs != was[i].SameAs {
			m.happened(Fact{Kind: ClaimMerged, Who: c.Owner, About: c.ID, Other: c.SameAs})
		}
	}
	if after > before {
		m.independent()
	}
	for i := range s.Challenges {
		k := &s.Challenges[i]
		if live := s.survivor(k.Claim); live != nil && live.ID != k.Claim {
			k.Claim = live.ID
			k.Defender = live.Owner
			if k.Attacker == live.Owner && k.Live() { // nobody attacks what it says itself
				m.close(k, Resolved, because(WhySameReport))
			}
		}
	}
}

// confirmedSame reports whether both owners say that two claims are the same
// (A07): each by same_as, or by agreeing to the other's claim.
func (m *mover) confirmedSame(a, b string) bool {
	x, y := m.state.claim(a), m.state.claim(b)
	if x == nil || y == nil || x.Owner == y.Owner {
		return false
	}
	says := func(x, y *Claim) bool {
		e := y.last(x.Owner)
		return x.Proposed == y.ID || e != nil && e.Class == ClassAgree
	}
	return says(x, y) && says(y, x)
}

// independent counts a claim that parties of two families raised as evaluated
// AGREE by each (A23).
func (m *mover) independent() {
	s := m.state
	for _, merged := range s.Claims {
		if merged.SameAs == "" {
			continue
		}
		live := s.survivor(merged.ID)
		if live == nil || live.Owner == merged.Owner || live.last(merged.Owner) != nil {
			continue
		}
		a, b := s.party(live.Owner), s.party(merged.Owner)
		blind := live.RaisedN == 0 && merged.RaisedN == 0
		if a == nil || b == nil || (a.Family == b.Family && blind) {
			continue
		}
		e := Evaluation{Party: merged.Owner, N: s.Exchange, Class: ClassAgree, Severity: merged.Severity, Qualified: qualified(merged.Evidence)}
		if e.Qualified { // who cites nothing that is there supports nothing
			e.View = Supports
		}
		live.Evaluations = append(live.Evaluations, e)
		m.verify(live)
	}
}

// ration marks the claims beyond max_claims as not debated, least severe and
// latest first (A10).
func (m *mover) ration() {
	s := m.state
	var debated []int
	for i, c := range s.Claims {
		if c.Owner != EngineParty && c.SameAs == "" && !c.OutOfScope && !c.Extra && !c.Late && c.Carried == "" {
			debated = append(debated, i)
		}
	}
	sort.SliceStable(debated, func(a, b int) bool {
		x, y := s.Claims[debated[a]], s.Claims[debated[b]]
		if x.Severity != y.Severity {
			return x.Severity.rank() < y.Severity.rank()
		}
		return debated[a] < debated[b]
	})
	for rank, i := range debated {
		c := &s.Claims[i]
		was := c.NotDebated
		c.NotDebated = rank >= s.Received.Settings.maxClaims()
		if c.NotDebated && !was {
			m.happened(Fact{Kind: ClaimDropped, Who: EngineParty, About: c.ID, Why: because(WhyTooMany)})
		}
	}
}

// debated reports whether a claim takes part in the debate.
func (c Claim) debated() bool {
	return c.SameAs == "" && !c.OutOfScope && !c.Extra && !c.NotDebated && !c.Late && !c.Reframe
}
