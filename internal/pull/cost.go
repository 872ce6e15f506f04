package pull

import (
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
	micro, unpriced := debate.State{Calls: calls}.Spent()
	c.micro += micro
	c.unpriced = c.unpriced || unpriced
}

// book adds to what earlier sessions cost.
func (m *Memo) book(c cost) {
	m.Earlier += c.micro
	m.Unpriced = m.Unpriced || c.unpriced
}

// countLost counts what the session cost if the summary does not say what it came
// to: it failed, or a newer head took its place.
func (s *session) countLost() {
	if s.state.Stage == debate.StageNone || s.out.sealed.Debate.SessionID == s.state.Received.SessionID {
		return
	}
	calls := s.state.Calls
	if r := s.state.Received.Recall; r != nil { // its calls are in the session again, and in the summary
		calls = calls[min(len(r.Calls), len(calls)):]
	}
	s.trigger.unbooked.add(calls)
}

// book writes into the summary, if there is one, what its state does not count yet:
// the limit for a pull request is for all that is asked about it (S10). Where
// another run wrote meanwhile it stays uncounted.
func (s *session) book(ctx context.Context) {
	o := s.out
	_, unpriced := o.sealed.spent()
	open := cost{micro: s.trigger.unbooked.micro - o.booked.micro, unpriced: s.trigger.unbooked.unpriced && !unpriced}
	if open == (cost{}) || len(o.have.Summaries) == 0 || !o.own {
		return
	}
	if _, err := s.glance(ctx); err != nil || len(o.have.Summaries) == 0 {
		return
	}
	m := o.sealed
	m.book(open)
	for _, id := range s.carriedOut {
		m.handle(id)
	}
	block, _, err := m.seal(s.setup.Key, s.pull)
	if err != nil {
		return
	}
	if _, err := s.write(ctx, comment.Publish(comment.Want{Summary: comment.Resealed(o.have.Summaries[0].Body, block)}, o.have)); err != nil {
		s.runner.say("what this run cost could not be noted: %v", err)
	}
}

// capCosts lowers what this run may cost to what is left for the pull request
// (S10).
func (s *session) capCosts(first *debate.Received) {
	limit := int64(s.setup.Config.Limits.MaxCostUSDPerPR)
	if limit == 0 {
		return
	}
	if !s.sealed {
		if s.summary != nil {
			first.Notes = append(first.Notes, "the cost of earlier runs on this pull request is not known: the limit counts for this run alone")
		}
		first.Settings.MaxCostMicro = lower(first.Settings.MaxCostMicro, limit)
		return
	}
	spent, _ := s.out.sealed.spent()
	left := limit - spent - s.trigger.unbooked.micro + s.out.booked.micro
	if left <= 0 {
		left = 1 // the smallest bound there is: the first call that costs anything ends the debate
		first.Notes = append(first.Notes, "the cost limit of this pull request is used up")
	}
	first.Settings.MaxCostMicro = lower(first.Settings.MaxCostMicro, left)
}

// lower is the lower of two limits, where 0 is none.
func lower(a, b int64) int64 {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}
