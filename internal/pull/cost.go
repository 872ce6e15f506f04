package pull

import (
	"cmp"
	"context"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
)

// cost is what calls of models cost, in millionths of a US dollar. Unpriced: the
// price of some is not known.
type cost struct {
	micro    int64
	unpriced bool
}

func (c *cost) add(calls []debate.Call) {
	micro, unpriced := debate.Asking{Calls: calls}.Spent()
	*c = c.and(cost{micro, unpriced})
}

// and is what two costs come to.
func (c cost) and(more cost) cost {
	return cost{micro: c.micro + more.micro, unpriced: c.unpriced || more.unpriced}
}

// book adds to what earlier sessions cost.
func (m *Checkpoint) book(c cost) {
	all := m.earlierCost().and(c)
	m.Earlier, m.Unpriced = all.micro, all.unpriced
}

// earlierCost is what the sessions cost before the one that is remembered.
func (m Checkpoint) earlierCost() cost { return cost{m.Earlier, m.Unpriced} }

// ledger is what the summary comment holds, and what is still to be counted there.
type ledger struct {
	left     Checkpoint // what this run leaves for the next one
	written  Checkpoint // what the summary holds
	sealed   bool       // by us
	unbooked cost       // of what left no checkpoint itself
	booked   cost       // of that, as far as the summary counts it
}

// open is what the summary does not count yet.
func (l *ledger) open() cost {
	_, unpriced := l.written.spent()
	return cost{micro: l.unbooked.micro - l.booked.micro, unpriced: l.unbooked.unpriced && !unpriced}
}

// wrote notes that the summary holds what this run leaves.
func (l *ledger) wrote(sealed bool) {
	l.written, l.sealed, l.booked = l.left, sealed, l.unbooked
}

// takeOver adds what another run wrote into the summary meanwhile: what a question
// cost, and the commands that it carried out.
func (m *Checkpoint) takeOver(before, after Checkpoint) {
	m.book(cost{micro: after.Earlier - before.Earlier, unpriced: after.Unpriced})
	m.handle(after.Handled...)
}

// countLost counts what the session cost if the summary does not say what it came
// to: it failed, or a newer head took its place.
func (l *ledger) countLost(state debate.State) {
	written := l.written.Debate.SessionID == state.Received.SessionID
	if written {
		return
	}
	calls := state.Asking.Calls
	if r := state.Received.Recall; r != nil { // its calls are in the session again, and in the summary
		calls = calls[min(len(r.Asking.Calls), len(calls)):]
	}
	l.unbooked.add(calls)
}

// book writes into the summary, if there is one, what its state does not count yet:
// the limit for a pull request is for all that is asked about it (S10). Where
// another run wrote meanwhile it stays uncounted.
func (s *session) book(ctx context.Context) {
	open := s.ledger.open()
	switch {
	case open == (cost{}), !s.ledger.sealed, len(s.hand.have.Summaries) == 0:
		return
	}
	if _, err := s.poll(ctx); err != nil || len(s.hand.have.Summaries) == 0 {
		return
	}
	m := s.ledger.written
	m.book(open)
	m.handle(s.outcomes.carriedOut...)
	block, _, err := m.seal(s.snap.key, s.snap.pull)
	if err != nil {
		return
	}
	if _, err := s.write(ctx, comment.Want{Summary: comment.Resealed(s.hand.have.Summaries[0].Body, block)}); err != nil {
		s.runner.say("what this run cost could not be noted: %v", err)
	}
}

// cap lowers what a debate may cost to what is left for the pull request (S10).
// Summarised: there is a summary.
func (l *ledger) cap(first *debate.Received, s *Snapshot, summarised bool) {
	left := int64(s.config.Limits.MaxCostUSDPerPR)
	if left == 0 {
		return
	}
	switch {
	case s.sealed:
		spent, _ := l.written.spent()
		left -= spent + l.unbooked.micro - l.booked.micro
	case summarised:
		first.Notes = append(first.Notes, "the cost of earlier runs on this pull request is not known: the limit counts for this run alone")
	}
	if left <= 0 {
		left = 1 // the smallest bound there is: the first call that costs anything ends the debate
		first.Notes = append(first.Notes, "the cost limit of this pull request is used up")
	}
	first.Settings.MaxCostMicro = min(cmp.Or(first.Settings.MaxCostMicro, left), left) // 0 is no limit
}
