package pull

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/report"
)

// write writes the texts that GitHub does not show yet.
func (s *session) write(ctx context.Context, want comment.Want) ([]debate.SinkFailed, error) {
	return s.posts.write(ctx, comment.Publish(want, s.posts.ownTexts()), s.state.Agenda.Decisions)
}

// publish writes the result of a debate (engine.Publisher). A second call finds the
// writes of the first. If the token may not write a text, the text goes to the next
// place, in the end into the step summary, with a note.
func (s *session) publish(ctx context.Context, state debate.State) ([]string, []debate.SinkFailed, error) {
	s.state = state
	if s.plan.deferred {
		return []string{"deferred"}, nil, nil
	}
	s.ledger.left = s.next()
	skipped := state.Ending.Outcome == debate.Skipped // it gets no comment; the texts of earlier heads stay
	hold := s.posts.confirm
	if !skipped && !s.posts.started && s.plan.action == fresh { // no model was asked, and so the head is not claimed
		hold = func(ctx context.Context) error { return s.posts.claim(ctx, s.state) }
	}
	if err := hold(ctx); err != nil {
		return nil, nil, err
	}
	if !skipped {
		if refused, err := s.publishTexts(ctx); err != nil || len(refused) > 0 {
			return nil, refused, err
		}
		if s.runner.Now().Sub(s.polledAt) >= pollHolds { // the writes took long
			if err := s.lookAgain(ctx); err != nil {
				return nil, nil, err
			}
		}
	}
	// The check goes first: a run that finds the summary assumes that all is written.
	if err := s.conclude(ctx); err != nil {
		return nil, nil, err
	}
	// While it was written, the settings may have become stricter, another run may have used
	// them, and one that left the head to this run left its check, too.
	if err := s.lookAgain(ctx); err != nil {
		return nil, nil, err
	}
	if skipped {
		s.posts.reached("step summary")
		return s.posts.sinks, nil, nil
	}
	if err := s.summarise(ctx); err != nil {
		return nil, nil, err
	}
	if len(s.posts.sinks) == 0 {
		s.posts.reached("step summary")
	}
	return s.posts.sinks, nil, nil
}

// publishTexts writes the issue and the inline comments. It notes where the questions are:
// without an issue the summary asks.
func (s *session) publishTexts(ctx context.Context) ([]debate.SinkFailed, error) {
	// The run that opened an issue may have died before its summary said so.
	if asks := len(inIssue(s.state.Agenda.Decisions)) > 0; asks && s.posts.issue.Number == 0 && (s.snap.sealed || s.snap.trigger.opened) {
		own, err := s.runner.searchIssues(ctx, s.snap, nil)
		if err != nil {
			return nil, err
		}
		s.posts.issue, s.posts.twins = pickIssue(own)
	}
	if err := s.posts.findReviewers(ctx, s.snap, s.wantItem()); err != nil {
		return nil, err
	}
	want := comment.Want{HeadSHA: s.snap.Pull.HeadSHA, Item: s.wantItem()}
	left := s.wantFindings(&want)
	refused, err := s.write(ctx, want)
	if err != nil || len(refused) > 0 {
		return refused, err
	}
	if left > 0 {
		s.posts.note(report.Count(left, "finding") + " could not be posted at the line; the details are below.")
	}
	s.place(&s.ledger.left)
	return nil, nil
}

// conclude writes the conclusion of the check run, once.
func (s *session) conclude(ctx context.Context) error {
	check := s.wantCheck()
	stood := s.posts.stood
	if other := elsewhere(stood, s.snap.Pull, s.posts.siblings); other != "" && rank(debate.Conclusion(stood.Conclusion)) > rank(check.Conclusion) {
		s.posts.note("the check is that of " + other + ", which has the same commit")
		check = asItStood(stood)
	}
	return s.posts.writeCheck(ctx, check, s.state.Ending.Outcome == debate.Skipped)
}

// summarise writes the summary comment with the sealed checkpoint.
func (s *session) summarise(ctx context.Context) error {
	alone, _ := conclude(s.snap.circumstancesOf(s.state, s.posts.issue, nil)) // as if no other pull request had the head
	s.ledger.left.Conclusion, s.ledger.left.Unchecked = alone, s.posts.denied[checks]
	if s.posts.denied[comments] {
		return nil
	}
	block, note := s.seal()
	s.posts.note(note)
	_, err := s.write(ctx, comment.Want{Summary: s.wantSummary(block)})
	if err != nil {
		return err
	}
	if !s.posts.denied[comments] {
		s.ledger.written, s.ledger.sealed, s.ledger.booked = s.ledger.left, s.snap.key != nil && block != "", s.ledger.unbooked
	}
	return s.posts.endLater(ctx)
}

// abandon ends the check run of a debate without a result, so that none stays in progress
// (R29).
func (s *session) abandon(ctx context.Context, why string) {
	if s.posts.own.ID == 0 || s.posts.own.Done {
		return
	}
	if err := s.posts.confirm(ctx); err != nil {
		s.runner.say("the check is not ended: %v", err)
		return
	}
	err := s.posts.writeCheck(ctx, s.noResult(why), false)
	if err != nil && !errors.Is(err, context.Canceled) {
		s.runner.say("the check could not be ended: %v", err)
	}
}

// superseded ends the writes of a session after the head moved. The run for the new head
// reopens the issue if it still asks.
func (s *session) superseded(ctx context.Context) error {
	s.abandon(ctx, "A newer commit replaced this one: "+report.Says(s.state, s.state.Ending.OutcomeReason))
	if !s.posts.opened {
		return nil
	}
	if err := s.posts.confirm(ctx); err != nil {
		return err
	}
	_, err := s.write(ctx, comment.Want{Item: s.supersededItem(s.newHead)})
	return err
}

// acknowledge shows people that a slow command was read.
func (s *session) acknowledge(ctx context.Context) {
	var want comment.Want
	if run := s.plan.commands.run; run != nil {
		want.Replies = append(want.Replies, comment.Reply{To: run.ref(), Reaction: comment.Eyes})
	}
	slow := lists.Keep(s.plan.commands.asked, func(a request) bool { return a.command.Verb.Spec().Models })
	want.Replies = append(want.Replies, lists.Map(slow, func(a request) comment.Reply { return comment.Reply{To: a.ref(), Reaction: comment.Eyes} })...)
	if _, err := s.write(ctx, want); err != nil {
		s.runner.say("a command could not be acknowledged: %v", err)
	}
}

// reply answers all unanswered commands: one reaction, and at most one text each.
func (s *session) reply(ctx context.Context) error {
	if s.state.Ending.Outcome == debate.Superseded { // the run for the newer head answers
		return nil
	}
	for _, a := range s.plan.commands.obeyed {
		s.answerObeyed(a)
	}
	for _, a := range s.unanswered() {
		if len(s.outcomes.replies) >= maxReplies {
			break
		}
		if err := s.answer(ctx, a); err != nil {
			return err
		}
	}
	mayRepeat := func(r comment.Reply) bool { return r.On == 0 && r.Body != "" && !s.posts.have.Replied[r.To] } // a text on the pull request
	if slices.ContainsFunc(s.outcomes.replies, mayRepeat) {                                                     // another run may have answered since this one began
		g, err := s.runner.Reader.Glance(ctx, s.snap.Pull.Number, "", 0)
		if err != nil {
			return fmt.Errorf("look for answers of people: %w", err)
		}
		for _, c := range g.Comments {
			haveReplied(&s.posts.have, c, false)
		}
	}
	_, err := s.write(ctx, comment.Want{Replies: s.wantReplies()})
	return err
}

// answer answers one command.
func (s *session) answer(ctx context.Context, a request) error {
	leftOut := s.handed != nil || s.posts.unheard(s.snap.trigger) // of the debate from another job, or of this run
	switch {
	case a.refused != "" && s.toldStranger(a):
		s.outcomes.show(a, comment.Confused)
	case a.refused != "":
		s.outcomes.finish(a, a.refused, "")
	case s.waits(a), leftOut && s.disputesKnown(a):
		s.outcomes.show(a, comment.Eyes)
	case s.toldStranger(a):
		s.outcomes.finish(a, "", "")
	case a.command.Verb != comment.Ask:
		refused, text := s.textFor(a)
		s.outcomes.finish(a, refused, text)
	case s.split:
		s.outcomes.finish(a, "a run that is split over jobs debates no questions", "")
	case s.posts.have.Replied[a.ref()]: // it was answered, even if the reaction failed
		s.outcomes.finish(a, "", "")
	default:
		return s.inquire(ctx, a)
	}
	return nil
}

// inquire debates a question with the pull request as its context.
func (s *session) inquire(ctx context.Context, a request) error {
	if s.acknowledge(ctx); s.posts.unheard(s.snap.trigger) {
		return nil
	}
	if s.change == nil {
		if err := s.readChange(ctx, s.snap.Pull.BaseSHA); err != nil {
			return err
		}
	}
	first, shown, err := s.setup.Inquire(ctx, a.command.Text, a.command.Framing, s.change)
	if err != nil {
		return fmt.Errorf("prepare the question: %w", err)
	}
	s.ledger.cap(&first, s.snap, s.posts.summary.ID != 0)
	log, _, err := s.runner.Record(first.SessionID)
	if err != nil {
		return err
	}
	defer log.Close()
	review := s.setup.Review()
	review.Log, review.Subject.Frozen, review.Checks = log, shown, nil
	review.Publish = func(context.Context, debate.State) ([]string, []debate.SinkFailed, error) {
		return []string{"comment"}, nil, nil
	}
	state, err := review.Start(ctx, first)
	s.ledger.unbooked.add(state.Asking.Calls)
	switch {
	case err != nil:
		return fmt.Errorf("debate the question: %w", err)
	case state.Ending.Outcome == debate.Aborted:
		s.outcomes.finish(a, "the question could not be debated: "+report.Says(state, state.Ending.OutcomeReason), "")
		return nil
	}
	w := s.settlement
	w.state, w.log = state, log
	s.outcomes.finish(a, "", string(report.Answer(report.FromState(state), w.view())))
	return nil
}
