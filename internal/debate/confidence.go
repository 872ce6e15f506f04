package debate

import (
	"slices"

	"github.com/prdebate/debate/internal/debate/tally"
)

// Sure is how sure a debate is of what it came to, and why it is not surer. It is
// computed by the engine; what parties say of themselves is at most a doubt (X12,
// R086, R107, R108, M16).
func (s State) Sure() (Confidence, []tally.Doubt) {
	level, doubts := tally.Sure(s.grounds())
	return Confidence(level), doubts
}

// grounds is what the debate has to show for its result.
func (s *State) grounds() tally.Grounds {
	f := s.floor()
	lost := func(p Party) bool { return p.debates() && p.Status != PartyOK }
	unscored := func(d Decision) bool { return d.Rubric != nil && len(d.Rubric.Sheets) == 0 } // nobody could be asked any more
	unproved := func(c Claim) bool { return c.Kind == Empirical && c.Severity.AtLeast(P2) && !c.Verified() }
	denied := func(c *Claim) bool { return c.Bucket == Unresolved && c.Why.Code == WhyDisagrees }
	open := func(c *Claim) bool { return c.looms() || c.severe() && (c.disputed() || denied(c)) }
	g := tally.Grounds{
		Ended:     s.Ending.Outcome.ended(),
		Split:     slices.ContainsFunc(s.Agenda.Decisions, func(d Decision) bool { return d.Panel != nil && !d.Panel.Consensus }),
		CutShort:  s.Asking.Stopped || s.Table.PrimaryLost || f.unheard(),
		Families:  f.agreeingFamilies(),
		Lost:      slices.ContainsFunc(s.Table.Parties, lost),
		SameRoots: s.Table.SameFamily,
		Unread:    s.Received.Inquiry == nil && s.Coverage() != CoverageFull,
		Disputed:  slices.ContainsFunc(s.Book.live(), open),
		Unproved:  slices.ContainsFunc(s.Agreed(), unproved),
		GaveIn:    slices.ContainsFunc(s.Book.Challenges, func(k Challenge) bool { return k.Unexplained }),
		Unscored:  slices.ContainsFunc(s.Agenda.Decisions, unscored),
		Unsure:    s.Talk.Position().Confidence == DeclaredLow,
	}
	if d := s.Agenda.d0(); d.Settled {
		g.Bare = !f.rests(d, d.Held)
	}
	if n := len(s.Talk.Arbitrations); n > 0 { // what the cold reader flagged last (R159, R160, X28)
		g.FlaggedBP = s.Talk.Arbitrations[n-1].FlaggedBP
	}
	return g
}

// ended is how a debate ended, as the tally calls it.
func (o Outcome) ended() tally.Ending {
	return map[Outcome]tally.Ending{Consensus: tally.Agreed, Tradeoff: tally.Divided, Unchallenged: tally.Unchallenged}[o]
}

// debates reports whether a party takes part in the debate itself.
func (p Party) debates() bool { return p.Role == Primary || p.Role == Challenger }

// agreeingFamilies counts the model families that agree, the primary's among
// them: by a substantive agreement, or because every objection of theirs was
// accepted or argued away (X12).
func (f floor) agreeingFamilies() int {
	var families []string
	add := func(party string) {
		if p := f.table.party(party); p != nil {
			families = noted(families, p.Family)
		}
	}
	add(f.table.Primary)
	for _, seat := range f.table.challengers() {
		agrees := seat.agreesInSubstance()
		if seat.Engagement == Partially || seat.Engagement == Disagrees {
			agrees = f.appeased(seat)
		}
		if agrees {
			add(seat.Party)
		}
	}
	return len(families)
}
