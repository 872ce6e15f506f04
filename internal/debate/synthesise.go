package debate

import (
	"slices"

	"github.com/prdebate/debate/internal/lists"
)

// checked takes the finished check runs: once before OPENING, and once more
// before the claims are put into their buckets (R147).
func (m *reducer) checked(ev Checked) string {
	if m.Asking.Wave != nil || m.due() != DoChecks {
		return "check runs are read before OPENING and before SYNTHESISE"
	}
	m.runs(ev.Runs)
	if m.Stage == StageSynthesise {
		m.settleClaims() // every claim gets its bucket (R138)
		m.decisions()
		m.outcome()
		m.arbitrate()
		return ""
	}
	m.Carried = m.carry()
	m.begin()
	return ""
}

// runs keeps the failed check runs; a success says nothing for or against a claim (R147).
func (m *reducer) runs(runs []Run) {
	m.Checks.Runs = lists.Keep(runs, func(r Run) bool { return r.Failed })
	for _, r := range m.Checks.Runs {
		ref := r.Ref
		known := slices.ContainsFunc(m.Book.Ledger, func(e LedgerEntry) bool { return e.Ref == ref })
		if !known && len(m.Book.Ledger) < 500 {
			text := r.Name + " failed"
			if r.Text != "" {
				text += ": " + r.Text
			}
			m.ledger(TagVerified, EngineParty, clip(text, 500), ref)
		}
	}
}

// outcome names the result of the debate. Consensus needs a settled D0; for "keep" also
// no disputed P1 or P2 claim.
func (m *reducer) outcome() {
	d, disputed := m.Agenda.d0(), func(c *Claim) bool { return c.divides() }
	open := func(d Decision) bool { return !d.Settled }
	heard := lists.Keep(m.Table.Seats, func(seat Seat) bool { return seat.Party != m.Table.Primary && seat.Engagement != "" })
	speaks := func(seat Seat) bool { return seat.Engagement != Abstains }
	switch {
	case m.Table.PrimaryLost:
		m.Ending.Outcome = Tradeoff
	case len(heard) > 0 && !slices.ContainsFunc(heard, speaks):
		m.Ending.Outcome = Unchallenged
	case !d.Settled, d.Held == string(Keep) && slices.ContainsFunc(m.Book.severe(), disputed):
		m.Ending.Outcome = Tradeoff
	case m.Received.Inquiry != nil && slices.ContainsFunc(m.Agenda.Decisions, open): // all options of a question belong to its answer
		m.Ending.Outcome = Tradeoff
	default:
		m.Ending.Outcome = Consensus
	}
	m.Ending.OutcomeReason = m.Talk.ExitWhy
	m.Ending.Disposition = m.Talk.Position().Disposition
}
