package debate

import (
	"slices"

	"github.com/prdebate/debate/internal/lists"
)

// ArbiterParty is the id of the cold reader.
const ArbiterParty = "arbiter"

// arbitrate asks a cold reader to check the buckets, if there is a reason (R157); not in
// minimal and quick mode.
func (m *reducer) arbitrate() {
	p := m.Table.party(ArbiterParty)
	switch {
	case !m.wantsArbiter(), p == nil, p.Status != PartyOK, m.Received.Mode != Standard:
	default:
		broke := m.ask(CallArbiter, max(m.Talk.Exchange, 1), []Ask{{Party: ArbiterParty}})
		if broke.IsZero() {
			m.transition(StageArbitrate)
			return
		}
		if !m.Asking.Stopped { // the budget does not allow the due second look, so the debate settles nothing
			m.Talk.Exit, m.Talk.ExitWhy = ExitBudget, broke
			m.decisions()
			m.outcome()
		}
	}
	m.goes(m.decide())
}

// wantsArbiter reports whether the result deserves a cold reader (R157): the stakes are high,
// a person asks for it, claims are unresolved, or early unanimity lacks evidence. Small open
// points in a question of fact do not count (R163); missing evidence does, however simple the
// question.
func (s *State) wantsArbiter() bool {
	unresolved := lists.Keep(lists.Keep(s.Book.Claims, Claim.debated), func(c Claim) bool { return c.Bucket == Unresolved })
	several, early := len(unresolved) >= 2, slices.Contains([]Exit{ExitFast, ExitTrivial}, s.Talk.Exit)
	unsupported := []Reason{ReasonUnconfirmed, ReasonUnreviewed, ReasonUnproved}
	switch {
	case slices.ContainsFunc(s.Agenda.Decisions, func(d Decision) bool { return d.Critical }):
		return true
	case s.Received.order(OrderArbiter, func(Order) bool { return true }) != nil:
		return true
	case slices.ContainsFunc(unresolved, func(c Claim) bool { return c.severe() && slices.Contains(unsupported, c.Reason) }):
		return several || early
	}
	return several && !s.trivial()
}

// arbitrated takes the flags. They only ever lower confidence, and people read them
// (R159, R160).
func (m *reducer) arbitrated(all []said) {
	x := all[0]
	if x.Status != CallOK {
		p := m.Table.party(x.Party)
		p.Status, p.Detail = PartyError, clip(joined(string(x.Status), x.Detail), 500)
		if x.Status == CallTimeout {
			p.Status = PartyTimeout
		}
		m.happened(Fact{Kind: PartyLost, Who: p.ID, Code: string(p.Status), Text: p.Detail})
		m.goes(m.decide())
		return
	}
	m.Talk.Arbitrations = append(m.Talk.Arbitrations, m.flagged(x))
	m.goes(m.decide())
}

// flagged takes the arbiter's flags, one for each debated claim, and the share of claims
// with a flag against their bucket.
func (m *reducer) flagged(x said) Arbitration {
	a := Arbitration{Arbiter: x.Party}
	debated := lists.Keep(m.Book.live(), func(c *Claim) bool { return !c.ofCritic() })
	against, hits := map[Bucket]Flag{Agreed: FlagUnsupported, Dismissed: FlagUnjustified, Unresolved: FlagNotBlocked}, 0
	for _, c := range debated {
		about := func(f Flagged) bool { return f.Flag != "" && m.Book.survivor(f.Claim) == c }
		at := slices.IndexFunc(x.Reply.Flags, about)
		if at < 0 {
			continue
		}
		f := x.Reply.Flags[at]
		f.Claim, f.Note = c.ID, clip(f.Note, 1000)
		a.Items = append(a.Items, f)
		if against[c.Bucket] == f.Flag && c.Reason != ReasonKnown { // no model dismissed a known claim
			hits++
		}
		m.happened(Fact{Kind: ClaimFlagged, Who: x.Party, About: c.ID, Code: string(f.Flag), Text: f.Note})
	}
	a.FlaggedBP = hits * 10000 / max(len(debated), 1)
	return a
}
