package pull

import (
	"cmp"
	"context"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
)

// cost is the cost of model calls, in a checkpoint that of earlier sessions.
type cost struct {
	Micro    int64 `json:"earlier,omitempty"`  // millionths of a US dollar
	Unpriced bool  `json:"unpriced,omitempty"` // some have no known price
}

func (c *cost) add(calls []debate.Call) {
	micro, unpriced := debate.Asking{Calls: calls}.Spent()
	*c = c.and(cost{micro, unpriced})
}

// and adds two costs.
func (c cost) and(more cost) cost {
	return cost{Micro: c.Micro + more.Micro, Unpriced: c.Unpriced || more.Unpriced}
}

// spent is the cost of all sessions on the pull request.
func (m Checkpoint) spent() cost {
	all := m.cost
	all.add(m.Debate.Asking.Calls)
	return all
}

// ledger is the content of the summary comment, and the cost it does not count yet.
type ledger struct {
	left     Checkpoint // for the next run
	written  Checkpoint // in the summary
	sealed   bool       // by us
	unbooked cost       // of work without a checkpoint of its own
	booked   cost       // the part that the summary counts
}

// open is the cost that the summary does not count yet.
func (l *ledger) open() cost {
	return cost{Micro: l.unbooked.Micro - l.booked.Micro, Unpriced: l.unbooked.Unpriced && !l.written.spent().Unpriced}
}

// takeOver adds the writes of another run to the summary since then: the cost of a
// question, and commands carried out.
func (m *Checkpoint) takeOver(before, after Checkpoint) {
	m.cost = m.and(cost{Micro: after.Micro - before.Micro, Unpriced: after.Unpriced})
	m.handle(after.Handled...)
}

// countLost counts the cost of a session without a result in the summary: it failed, or a
// newer head replaced it.
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

// book writes costs into the summary, if there is one and it does not count them yet: the
// limit of a pull request is for all work on it. If another run wrote meanwhile,
// they stay uncounted.
func (s *session) book(ctx context.Context) {
	open := s.ledger.open()
	switch {
	case open == (cost{}), !s.ledger.sealed, len(s.posts.have.Summaries) == 0:
		return
	}
	if _, err := s.poll(ctx); err != nil || len(s.posts.have.Summaries) == 0 || s.posts.confirm(ctx) != nil {
		return
	}
	m := s.ledger.written
	m.cost = m.and(open)
	m.handle(s.outcomes.carriedOut...)
	block, _, err := m.seal(s.snap.key, s.snap.Pull)
	if err != nil {
		return
	}
	if _, err := s.write(ctx, comment.Want{Summary: comment.Resealed(s.posts.have.Summaries[0].Body, block)}); err != nil {
		s.runner.say("what this run cost could not be noted: %v", err)
	}
}

// cap lowers the cost limit of a debate to the rest for the pull request.
// Summarised: there is a summary.
func (l *ledger) cap(first *debate.Received, s *Snapshot, summarised bool) {
	left := int64(s.config.Limits.MaxCostUSDPerPR)
	if left == 0 {
		return
	}
	switch {
	case s.sealed:
		left -= l.written.spent().Micro + l.unbooked.Micro - l.booked.Micro
	case summarised:
		first.Notes = append(first.Notes, "the cost of earlier runs on this pull request is not known: the limit counts for this run alone")
	}
	if left <= 0 {
		left = 1 // the smallest bound: the first call with a cost ends the debate
		first.Notes = append(first.Notes, "the cost limit of this pull request is used up")
	}
	first.Settings.MaxCostMicro = min(cmp.Or(first.Settings.MaxCostMicro, left), left) // 0 is no limit
}
