package debate

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/prdebate/debate/internal/debate/likeness"
	"github.com/prdebate/debate/internal/lists"
)

// claims raises the claims of one reply (R062, R064).
func (m *reducer) claims(owner string, n int, x said) {
	m.repairs(owner, x.Reply.Repairs)
	for _, nc := range x.Reply.Claims {
		if len(m.Book.Claims) >= 2000 {
			return
		}
		m.raise(owner, n, nc)
	}
	if r := *cmp.Or(x.Reply.ProposalReview, &ProposalReview{}); r != (ProposalReview{}) {
		m.Agenda.Reviews = append(m.Agenda.Reviews, Review{Party: owner, ProposalReview: ProposalReview{
			ProblemFraming: clip(r.ProblemFraming, 2000), Assumptions: clip(r.Assumptions, 2000), Tradeoffs: clip(r.Tradeoffs, 2000),
			Alternatives: clip(r.Alternatives, 2000), RiskControls: clip(r.RiskControls, 2000), DecisionQuality: clip(r.DecisionQuality, 2000),
		}})
	}
	m.carrying(owner, x.Reply.Carried)
}

// raise adds one claim to the debate and returns its id.
func (m *reducer) raise(owner string, n int, nc NewClaim) string {
	c := Claim{
		Segment: nc.Segment, Owner: owner, RaisedN: n,
		Asserted: nc.Severity, Category: nc.Category, Title: clip(nc.Title, 300), Body: clip(nc.Body, maxText),
		Suggestion: clip(nc.Suggestion, maxText), Proposed: nc.SameAs, ReportedBy: []string{owner}, ConfirmedBy: []string{},
	}
	if c.Asserted.rank() > 3 {
		c.Asserted = P3
	}
	if c.Category == "" {
		c.Category, c.AnyCategory = Correctness, true
	}
	cites := lists.Map(lists.First(nc.Refs, maxRefs), func(ref Ref) Evidence { return m.ownEvidence(owner, ref) })
	m.proven(nil, cites, false)
	c.Evidence = oncePerPlace(cites)
	c.ID = m.newID(c)
	if old := m.Book.repeated(c); old != nil {
		m.hearAgain(old, c)
		return old.ID
	}
	m.situate(&c, nc.Kind)
	c.Late = phaseOf(n, m.Talk.Extended) != Constructive
	c.Extra = m.beyondHead(c)
	m.said(&c.Thread, c.ID, Turn{Who: owner, Act: Raise, Text: joined(c.Title, c.Body), Cites: slices.Clone(c.Evidence)})
	m.Book.Claims = append(m.Book.Claims, c)
	m.ledger(TagUnverified, owner, c.Title, c.ID)
	m.happened(Fact{Kind: ClaimRaised, N: n, Who: owner, About: c.ID, Code: string(c.Severity), Text: c.Title, Cites: slices.Clone(c.Evidence)})
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

// situate sets the place of a claim, and everything that follows from it.
func (m *reducer) situate(c *Claim, asserted ClaimKind) {
	if seg := segmentOf(m.Split.Segments, c.place()); seg != "" { // the segment of its lines, even if it names another
		c.Segment = seg
	} else if m.Split.segment(c.Segment) == nil {
		c.Segment = segmentOf(m.Split.Segments, c.Cite())
	}
	c.Kind = m.kindOf(asserted, *c)
	m.Book.strengthen(c)
	c.OutOfScope = m.outOfScope(*c)
	c.Reframe = c.Kind == Proposal && !qualified(c.Evidence)
}

// ownEvidence is the evidence of a reference with which a party raises a claim: there, a shown
// place counts even without a quote (M11). Another party still has to say that it supports the
// claim.
func (m *reducer) ownEvidence(party string, ref Ref) Evidence {
	e := m.evidence(party, ref)
	if e.Bare {
		e.CitationOK, e.Type = true, Textual
	}
	return e
}

// checkedCites records the engine's findings about the lines that a party cites.
func (m *reducer) checkedCites(who, about string, list []Evidence) {
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

// segment returns a segment by its id, or nil.
func (d *SplitDone) segment(id string) *Segment {
	return lists.Pointer(d.Segments, func(s *Segment) bool { return s.ID == id })
}

// kindOf decides the gate for a claim, even against the kind of its owner. A value judgment is
// about a soft category and at most P2; a proposal claim is in a proposal segment; all else
// is empirical (R145, R135).
func (s *State) kindOf(asserted ClaimKind, c Claim) ClaimKind {
	switch asserted {
	case Value:
		if c.Asserted != P1 && s.soft(c.Category) {
			return Value
		}
	case Proposal:
		if cmp.Or(s.Split.segment(c.Segment), &Segment{}).Kind != CodeSegment {
			return Proposal
		}
	}
	return Empirical
}

// evidence is the evidence of a reference: only the engine's own findings count (A03, R169). A
// successful check run supports nothing (R147), and a run is nothing if only a model knows it.
func (m *reducer) evidence(party string, ref Ref) Evidence {
	m.Book.Evidences++
	e := Evidence{ID: "E" + strconv.Itoa(m.Book.Evidences), By: party, Type: BareClaim, Cite: ref.Citation, RunRef: ref.RunRef}
	e.Cite.Quote = clip(e.Cite.Quote, maxText)
	if ref.RunRef != "" {
		m.Checks.execution(&e)
		return e
	}
	f := ref.Found
	switch {
	case f.Quoted():
		e.CitationOK, e.Type = true, Textual
	case f.OK:
		e.Bare, e.Cite.Quote = true, clip(f.Text, maxText)
	default:
		e.Why, e.There, e.NoFile = clip(f.Why, 500), clip(f.Text, maxText), f.NoFile
	}
	e.Reanchored, e.Changed, e.InHunk, e.Copies = f.Reanchored, f.Changed, f.InHunk, f.Copies
	e.Code, e.DeclStart, e.DeclEnd = f.Code, f.DeclStart, f.DeclEnd
	return e
}

// execution turns evidence into that of the failed check run that it names.
func (k *Checks) execution(e *Evidence) {
	if e.Test = lists.Pointer(k.Tests, func(t *TestRun) bool { return t.Ref == e.RunRef }); e.Test != nil { // see proven
		test := *e.Test
		e.Test, e.Cite = &test, Citation{}
		return
	}
	run := lists.Pointer(k.Runs, func(r *Run) bool { return r.Ref == e.RunRef && r.Failed })
	if run == nil {
		return
	}
	e.Type, e.CitationOK, e.Changed, e.InHunk = Execution, true, run.Changed, run.Changed
	if e.Cite.Path == "" {
		e.Cite = Citation{Path: run.Path, Side: Right, StartLine: run.StartLine, EndLine: run.EndLine, Quote: run.Text}
	}
}

// strengthen sets everything that follows from the evidence of a claim: its type (R146, R147)
// and its severity. A P1 without qualified evidence is held at P2 (A06).
func (b *Book) strengthen(c *Claim) {
	c.Severity = b.severity(*c)
	c.EvidenceType = [...]EvidenceType{BareClaim, Textual, Execution}[weight(c.Evidence)]
	if c.Kind == Value {
		c.EvidenceType = NotNeeded
	}
	if !qualified(c.Evidence) {
		c.Severity = unproven(c.Severity)
	}
}

// severity is the highest severity that the owner asserts, or a merged report with qualified
// evidence. If nothing proves the claim, every report counts (R074, A06). A value claim is P3
// if all others call it P3 (A06).
func (b *Book) severity(c Claim) Severity {
	reports := lists.Keep(b.Claims, func(other Claim) bool { return other.SameAs == c.ID })
	if qualified(c.Evidence) {
		reports = lists.Keep(reports, func(other Claim) bool { return qualified(other.Evidence) })
	}
	highest := slices.MinFunc(append([]Severity{c.stated()}, lists.Map(reports, Claim.stated)...), Severity.compare)
	said := lists.Keep(lists.Map(c.words(), func(e Evaluation) Severity { return e.Severity }), func(s Severity) bool { return s.AtLeast(P3) })
	if c.Kind == Value && len(said) > 0 && !slices.ContainsFunc(said, func(s Severity) bool { return s != P3 }) {
		return P3
	}
	return highest
}

// unproven is the severity of a claim without lines: P2 at most (A06).
func unproven(s Severity) Severity {
	if s == P1 {
		return P2
	}
	return s
}

// stated is the severity of a claim by its owner's last word. A severity that it lowered in
// words alone counts once another party cites lines for the claim.
func (c Claim) stated() Severity {
	shows := func(e Evaluation) bool { return e.Party != c.Owner && e.supports() && e.Qualified }
	if c.Softer != "" && slices.ContainsFunc(c.Evaluations, shows) {
		return c.Softer
	}
	return cmp.Or(c.AmendedTo, c.Asserted)
}

// outOfScope reports whether a claim is about lines that the change does not touch (R132): its
// valid citations are in no hunk, or all in paths that policy leaves out, and it names no
// changed file. A question has no change: everything shown belongs to it.
func (s *State) outOfScope(c Claim) bool {
	if s.Received.Inquiry != nil {
		return false
	}
	cited := okOnly(c.Evidence)
	if c.older() {
		return true
	}
	touches := func(e Evidence) bool { // the lines of the change, its text, or a run of its checks
		return e.Cite.Path == BodyPath || e.Type == Execution || e.InHunk && !s.Split.excluded(e.Cite.Path)
	}
	return len(cited) > 0 && !slices.ContainsFunc(cited, touches) && !s.Split.namedIn(c.Title+"\n"+c.Body)
}

// namedIn reports whether a text names a changed file under review.
func (d *SplitDone) namedIn(words string) bool {
	return slices.ContainsFunc(d.Segments, func(s Segment) bool {
		name := s.Path[strings.LastIndexByte(s.Path, '/')+1:] // a whole path includes it
		return mentions(words, name) && s.Path != BodyPath && !d.excluded(s.Path)
	})
}

// mentions reports whether a text has a name that is not part of a longer one. A dot after it
// may end a sentence.
func mentions(words, name string) bool {
	for rest := words; name != ""; {
		before, after, found := strings.Cut(rest, name)
		if !found {
			return false
		}
		goesOn := strings.TrimLeftFunc(strings.TrimPrefix(after, "."), partOfName) != strings.TrimPrefix(after, ".")
		begins := strings.TrimRightFunc(before, partOfName) == before && !strings.HasSuffix(before, ".")
		if begins && !goesOn {
			return true
		}
		rest = after
	}
	return false
}

// partOfName reports whether a character belongs to the name of a file.
func partOfName(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' || r == '-'
}

// excluded reports whether policy leaves a whole path out of the review.
func (d *SplitDone) excluded(path string) bool {
	parts := lists.Keep(d.Coverage, func(c Coverage) bool { return c.Path == path })
	reviewed := func(c Coverage) bool { return !c.Excluded.Excused() }
	return len(parts) > 0 && !slices.ContainsFunc(parts, reviewed)
}

// beyondHead reports whether this head may no longer raise such a claim: unchanged parts since
// an earlier reviewed head admit only a P1, and from the third head on only P1 and P2 on
// changed hunks are new (A25).
func (s *State) beyondHead(c Claim) bool {
	heads, seg := s.Received.Previous.Heads, s.Split.segment(c.Segment)
	unchanged := seg == nil && c.Segment == "" || seg != nil && s.Received.Previous.reviewed(*seg)
	switch {
	case heads == 0:
		return false
	case heads == 1:
		return unchanged && c.Severity != P1
	default:
		return unchanged || c.Severity == P3
	}
}

// ration marks the claims beyond max_claims as not debated, least severe and
// latest first (A10).
func (m *reducer) ration() {
	var debated []int
	for i, c := range m.Book.Claims {
		if !c.protected() && !c.excluded() && !c.Late {
			debated = append(debated, i)
		}
	}
	slices.SortStableFunc(debated, func(x, y int) int { return m.Book.Claims[x].Severity.rank() - m.Book.Claims[y].Severity.rank() })
	for rank, i := range debated {
		c := &m.Book.Claims[i]
		was := c.NotDebated
		c.NotDebated = rank >= m.Received.Settings.maxClaims()
		if c.NotDebated && !was {
			m.happened(Fact{Kind: ClaimDropped, Who: EngineParty, About: c.ID, Why: because(WhyTooMany)})
		}
	}
}

// repeated returns the claim that a party raises again: one that it gave up, or with a wrong
// citation, on the same lines and of the same category or title (A07). Another party's claim
// on those lines is never an old one.
func (b *Book) repeated(c Claim) *Claim {
	for _, old := range b.live() {
		switch {
		case old.RaisedN >= c.RaisedN, !old.Cite().overlaps(c.Cite()): // one reply does not repeat itself
		case old.Category != c.Category && likeness.Title(old.Title) != likeness.Title(c.Title):
		case b.attacks(old.ID).gaveIn(c.Owner), old.Owner == c.Owner && !qualified(old.Evidence):
			return old
		}
	}
	return nil
}

// hearAgain adds a repetition to its claim: valid lines in place of wrong ones. A claim that was
// given up stays so.
func (m *reducer) hearAgain(old *Claim, again Claim) {
	m.ledger(TagUnverified, again.Owner, "raised again: "+again.Title, old.ID)
	if m.Book.attacks(old.ID).gaveIn(again.Owner) || !qualified(again.Evidence) {
		return
	}
	m.repair(old, again.Evidence)
}

// repairs takes a party's new citations for its claims with wrong ones, in a turn that it has
// anyway: once for each (M03b).
func (m *reducer) repairs(party string, list []Repair) {
	for _, r := range list {
		c := cmp.Or(m.Book.survivor(r.Claim), &Claim{})
		if c.Owner != party || !c.Misquoted() {
			continue
		}
		c.Repaired = true
		found := lists.Map(lists.First(r.Refs, maxRefs), func(ref Ref) Evidence { return m.ownEvidence(party, ref) })
		m.proven(nil, found, false)
		if qualified(found) {
			m.repair(c, found)
		}
	}
}

// repair gives a claim valid lines (M03b).
func (m *reducer) repair(c *Claim, found []Evidence) {
	found = okOnly(found)
	c.Evidence = append(found, c.Evidence...) // the first valid citation is the place of a claim
	m.situate(c, c.Kind)
	m.checkedCites(c.Owner, c.ID, found)
	m.verify(c)
}
