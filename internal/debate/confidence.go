package debate

import (
	"slices"

	"github.com/prdebate/debate/internal/debate/tally"
	"github.com/prdebate/debate/internal/lists"
)

// Sure is the confidence in the result of a debate, with its doubts. The engine computes it; a
// party's word about its own confidence is at most a doubt (R086, R107, R108, M16).
func (s State) Sure() (Confidence, []tally.Doubt) {
	level, doubts := tally.Sure(s.grounds())
	return Confidence(level), doubts
}

// grounds collects the grounds for the confidence.
func (s *State) grounds() tally.Grounds {
	ended := map[Outcome]tally.Ending{Consensus: tally.Agreed, Tradeoff: tally.Divided, Unchallenged: tally.Unchallenged}
	agree := lists.Map(lists.Keep(s.Table.challengers(), s.agrees), (*Seat).party)
	lost := func(p Party) bool { return p.debates() && p.Status != PartyOK }
	unscored := func(d *Decision) bool { return len(d.Rubric.Sheets) == 0 } // no one was left to ask
	unproved := func(c Claim) bool { return c.severe() && !c.passes() }
	open := func(c *Claim) bool { return c.looms() || c.disputed() || c.Why.Code == WhyDisagrees }
	g := tally.Grounds{
		Ended:     ended[s.Ending.Outcome],
		Split:     slices.ContainsFunc(s.Agenda.Decisions, func(d Decision) bool { return d.Panel != nil && !d.Panel.Consensus }),
		CutShort:  s.Asking.Stopped || s.Table.PrimaryLost || s.unheard(),
		Families:  len(s.Table.families(append(agree, s.Table.Primary))),
		Lost:      slices.ContainsFunc(s.Table.Parties, lost),
		SameRoots: s.Table.SameFamily,
		Unread:    s.Received.Inquiry == nil && s.Coverage() != CoverageFull,
		Disputed:  slices.ContainsFunc(s.Book.severe(), open),
		Unproved:  slices.ContainsFunc(s.Book.Agreed(), unproved),
		GaveIn:    slices.ContainsFunc(s.Book.Challenges, func(k Challenge) bool { return k.Unexplained }),
		Unscored:  slices.ContainsFunc(s.Agenda.decisionsThat((*Decision).framed), unscored),
		Unsure:    s.Talk.Position().Confidence == DeclaredLow,
	}
	if d := s.Agenda.d0(); d.Settled {
		g.Bare = !s.rests(d, d.Held)
	}
	if n := len(s.Talk.Arbitrations); n > 0 { // the last flags of the cold reader (R157, R159, R160)
		g.FlaggedBP = s.Talk.Arbitrations[n-1].FlaggedBP
	}
	return g
}

// agrees reports whether a challenger agrees: by a substantive agreement, or because every
// objection of its own was accepted or argued away (M16).
func (s *State) agrees(seat *Seat) bool {
	switch seat.Engagement {
	case Partially, Disagrees:
		return s.appeased(seat)
	}
	return seat.Engagement == Agrees && seat.Substance
}
