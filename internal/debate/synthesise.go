package debate

import (
	"slices"

	"github.com/prdebate/debate/internal/lists"
)

// checked takes the finished check runs: once before OPENING, and once more
// before the claims are put into their buckets (R147).
func (m *reducer) checked(ev Checked) string {
	s := m.state
	if s.Asking.Wave != nil || s.due() != DoChecks {
		return "check runs are read before OPENING and before SYNTHESISE"
	}
	m.clerk.runs(ev.Runs)
	if s.Stage == StageSynthesise {
		m.synthesise()
		return ""
	}
	s.Checks.ChecksRead = true
	s.Carried = m.clerk.carry()
	m.begin()
	return ""
}

// runs keeps the failed check runs; a success says nothing for or against a claim (R147).
func (b *clerk) runs(runs []Run) {
	b.checks.Runs = lists.Keep(runs, func(r Run) bool { return r.Failed })
	for _, r := range b.checks.Runs {
		ref := r.Ref
		known := slices.ContainsFunc(b.book.Ledger, func(e LedgerEntry) bool { return e.Ref == ref })
		if !known && len(b.book.Ledger) < 500 {
			text := r.Name + " failed"
			if r.Text != "" {
				text += ": " + r.Text
			}
			b.ledger(TagVerified, EngineParty, clip(text, 500), ref, "")
		}
	}
}

// synthesise puts every claim into its bucket and builds the decisions (R138).
func (m *reducer) synthesise() {
	s := m.state
	newSettling(s, m.clerk).settle()
	m.docket.decisions()
	m.docket.outcome()
	m.arbitrate()
}

// outcome names the result of the debate. Consensus needs a settled D0; for "keep" also
// no disputed P1 or P2 claim.
func (dk *docket) outcome() {
	heard := lists.Keep(dk.table.Seats, func(seat Seat) bool { return seat.Party != dk.table.Primary && seat.Engagement != "" })
	speaks := func(seat Seat) bool { return seat.Engagement != Abstains }
	switch {
	case dk.table.PrimaryLost:
		dk.ending.Outcome = Tradeoff
	case len(heard) > 0 && !slices.ContainsFunc(heard, speaks):
		dk.ending.Outcome = Unchallenged
	case dk.lacksConsensus():
		dk.ending.Outcome = Tradeoff
	default:
		dk.ending.Outcome = Consensus
	}
	dk.ending.OutcomeReason = dk.clerk.talk.ExitWhy
	dk.ending.Disposition = dk.clerk.talk.Position().Disposition
}

func (dk *docket) lacksConsensus() bool {
	disputed := func(c *Claim) bool { return c.disputed() }
	d := dk.agenda.d0()
	switch {
	case !d.Settled:
		return true
	case d.Held == string(Keep) && slices.ContainsFunc(dk.book.severe(), disputed):
		return true
	}
	open := func(d Decision) bool { return !d.Settled }
	return dk.received.Inquiry != nil && slices.ContainsFunc(dk.agenda.Decisions, open) // all options of a question belong to its answer
}
