package debate

import (
	"slices"

	"github.com/prdebate/debate/internal/lists"
)

// Doubt is a reason for less confidence in a result.
type Doubt string

// The doubts, the heaviest first.
const (
	DoubtNoDebate     Doubt = "no_debate"
	DoubtJudges       Doubt = "judges_differ"
	DoubtUnchallenged Doubt = "unchallenged"
	DoubtFlagged      Doubt = "flagged"
	DoubtDivided      Doubt = "divided"
	DoubtCutShort     Doubt = "cut_short"
	DoubtOneFamily    Doubt = "one_family"
	DoubtLost         Doubt = "party_lost"
	DoubtUnread       Doubt = "unread"
	DoubtDisputed     Doubt = "disputed"
	DoubtBare         Doubt = "rests_on_nothing"
	DoubtUnproved     Doubt = "unproved"
	DoubtGaveIn       Doubt = "gave_in"
	DoubtUnscored     Doubt = "unscored"
	DoubtUnsure       Doubt = "unsure"
)

// half is the share of the cold reader's flags, in basis points, that weighs more than one doubt.
const half = 5000

// Sure is the confidence in the result of a debate, with its doubts; only a result without any
// is HIGH. The engine computes it: a party's word about its own confidence is at most a doubt
// (R086, R107, R108, M16).
func (s State) Sure() (Confidence, []Doubt) {
	ended, d0 := s.Ending.Outcome, s.Agenda.d0()
	agree := lists.Map(lists.Keep(s.Table.challengers(), s.agrees), (*Seat).party)
	families := len(s.Table.families(append(agree, s.Table.Primary)))
	lost := func(p Party) bool { return p.Debates() && p.Status != PartyOK }
	unscored := func(d *Decision) bool { return len(d.Rubric.Sheets) == 0 } // no one was left to ask
	unproved := func(c Claim) bool { return c.severe() && !c.passes() }
	disputed := func(c *Claim) bool { return c.looms() || c.divides() || c.Why.Code == WhyDisagrees }
	flagged := 0 // by the last look of the cold reader (R157, R159, R160)
	if n := len(s.Talk.Arbitrations); n > 0 {
		flagged = s.Talk.Arbitrations[n-1].FlaggedBP
	}
	split := slices.ContainsFunc(s.Agenda.Decisions, func(d Decision) bool { return d.Panel != nil && !d.Panel.Consensus })
	cutShort := s.Asking.Stopped || s.Table.PrimaryLost || s.unheard()
	var doubts []Doubt
	for _, row := range []struct {
		applies bool
		doubt   Doubt
	}{
		{!ended.debated() && ended != Unchallenged, DoubtNoDebate},
		{split, DoubtJudges},
		{ended == Unchallenged, DoubtUnchallenged},
		{flagged > 0, DoubtFlagged},
		{ended == Tradeoff, DoubtDivided},
		{cutShort, DoubtCutShort},
		{s.Table.SameFamily || ended == Consensus && families < 2, DoubtOneFamily},
		{slices.ContainsFunc(s.Table.Parties, lost), DoubtLost},
		{s.Received.Inquiry == nil && s.Coverage() != CoverageFull, DoubtUnread},
		{slices.ContainsFunc(s.Book.severe(), disputed), DoubtDisputed},
		{d0.result() != "" && !s.rests(d0, d0.result()), DoubtBare},
		{slices.ContainsFunc(s.Book.Agreed(), unproved), DoubtUnproved},
		{slices.ContainsFunc(s.Book.Challenges, func(k Challenge) bool { return k.Unexplained }), DoubtGaveIn},
		{slices.ContainsFunc(lists.Pointers(s.Agenda.Decisions, (*Decision).framed), unscored), DoubtUnscored},
		{s.Talk.Position().Confidence == DeclaredLow, DoubtUnsure},
	} {
		if row.applies {
			doubts = append(doubts, row.doubt)
		}
	}
	switch {
	case split:
		return RequiresInput, doubts
	case !ended.debated(), ended == Tradeoff && cutShort, flagged >= half:
		return Low, doubts
	case len(doubts) > 0:
		return Medium, doubts
	}
	return High, nil
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
