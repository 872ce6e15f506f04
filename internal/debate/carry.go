package debate

import (
	"cmp"
	"slices"

	"github.com/prdebate/debate/internal/lists"
)

// carry turns the open findings of earlier heads into claims (S11): those with their text
// still in the change, and those with other lines in its place. The others are gone with their
// lines.
func (m *reducer) carry() []CarriedState {
	var all []CarriedState
	for _, f := range m.Received.Previous.Findings {
		state := CarriedState{Carried: f, Class: Fixed}
		if f.Present || f.Was.Path != "" {
			if again := m.Book.claim(f.ID); again != nil { // the critic found it again
				again.Carried, again.Final, again.Grave, again.Wider = f.ID, f.Final, f.Grave, f.Wider
			} else {
				m.Book.Claims = append(m.Book.Claims, m.Book.carried(m.Split.Segments, f))
			}
			state.Class, state.Claim = Stands, f.ID
		}
		all = append(all, state)
		m.happened(Fact{Kind: FindingCarried, Who: EngineParty, About: f.ID, Other: state.Claim, Code: string(state.Class)})
	}
	return all
}

// carried is the claim for a finding of an earlier head.
func (b *Book) carried(segments []Segment, f Carried) Claim {
	b.Evidences++
	owner := cmp.Or(f.Owner, EngineParty)
	return Claim{
		ID: f.ID, Owner: owner, Kind: Empirical, Asserted: f.Severity, Severity: f.Severity,
		Category: f.Category, Title: clip(f.Title, 300), Body: clip(f.Body, maxText), Segment: segmentOf(segments, f.Cite),
		Evidence: engineEvidence(b.Evidences, f.Cite, true, f.Copies), EvidenceType: Textual, Carried: f.ID, Final: f.Final, Grave: f.Grave, Wider: f.Wider, ReportedBy: []string{owner}, ConfirmedBy: []string{},
	}
}

// carrying takes a party's answers about the findings of earlier heads.
func (m *reducer) carrying(party string, list []Carrying) {
	for _, a := range list {
		for _, f := range lists.Pointers(m.Carried, func(f *CarriedState) bool { return f.ID == a.ID && a.Class != "" }) {
			f.answered(party, a, m.fixes(f.Carried, a.Refs))
			m.happened(Fact{Kind: FindingCarried, Who: party, About: f.ID, Other: f.Claim, Code: string(a.Class)})
		}
	}
}

// answered notes a party's word on a carried finding. One answer from each chunk is kept
// (S13).
func (f *CarriedState) answered(party string, a Carrying, fixes bool) {
	answer := CarriedAnswer{Party: party, Class: a.Class, Shown: true}
	switch {
	case a.Class == Stands && slices.ContainsFunc(a.Refs, Ref.ofChange):
		f.Against = lists.Add(f.Against, party)
	case a.Class == Stands:
	case fixes:
		f.Mends = lists.Add(f.Mends, party)
	default:
		answer.Shown = false
	}
	f.Says = lists.Add(f.Says, answer)
}

// ofChange reports whether a quote of the change is correct.
func (r Ref) ofChange() bool { return r.Found.Quoted() && r.Path != BodyPath }

// fixes reports whether some quotes show lines changed since the earlier head, at the place of
// a finding: in the same declaration, or close by.
func (s *State) fixes(f Carried, refs []Ref) bool {
	before := &s.Received.Previous
	return slices.ContainsFunc(lists.Keep(refs, Ref.ofChange), func(r Ref) bool {
		e := Evidence{Cite: r.Citation, DeclStart: r.Found.DeclStart, DeclEnd: r.Found.DeclEnd}
		seg := s.Split.segment(segmentOf(s.Split.Segments, r.Citation))
		changed := len(before.Segments) == 0 || seg != nil && !before.reviewed(*seg) // it may have if that review is unknown
		return e.meets([]Evidence{{Cite: f.Cite}}) && (changed || !f.Present)
	})
}

// ChangedSince returns the segments of a file that changed since their review on the earlier
// head, none if that review is unknown.
func (s State) ChangedSince(path string) []Segment {
	if len(s.Received.Previous.Segments) == 0 {
		return nil
	}
	return lists.Keep(s.Split.Segments, func(seg Segment) bool { return seg.Path == path && !s.Received.Previous.reviewed(seg) })
}

func (p *Previous) reviewed(seg Segment) bool {
	return slices.Contains(p.Segments, SegmentKey{Path: seg.Path, TextHash: seg.TextHash})
}
