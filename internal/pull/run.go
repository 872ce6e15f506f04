package pull

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/report"
)

// maxBegun is how often one run begins anew because another one met it.
const maxBegun = 3

// Run does all open work on one pull request. A second call has nothing to do.
func (r *Runner) Run(ctx context.Context, t Trigger) (Result, error) {
	for begun := 1; ; begun++ {
		result, err := r.once(ctx, t)
		if !errors.Is(err, errMeanwhile) || begun == maxBegun {
			return r.unread(result, err)
		}
		r.say("pull request #%d: %v; looking again", t.Number, err)
		t.again, t.unbooked, t.lost = true, result.unbooked, errors.Is(err, errClaimed)
		if !t.lost {
			t.left = result.State.Received.SessionID
		}
	}
}

func (r *Runner) once(ctx context.Context, t Trigger) (Result, error) {
	s, err := r.begin(ctx, t)
	if err != nil {
		return Result{Number: t.Number}, err
	}
	defer s.close()
	return s.perform(ctx)
}

// unread is the result of a run with a token that may not read all it needs. The run says
// so and does not fail the job: without a check nothing is green.
func (r *Runner) unread(result Result, err error) (Result, error) {
	var denied *gh.PermissionError
	if !errors.As(err, &denied) {
		return result, err
	}
	result.Done = "the token of this run may not read what a review needs (contents: read, pull-requests: read)"
	if denied.OfToken {
		result.Done, result.Refused = "GitHub does not take the token of this run", err
	}
	result.Notes = append(result.Notes, err.Error())
	r.say("pull request #%d: nothing was reviewed: %s", result.Number, result.Done)
	return result, nil
}

// begin reads GitHub and makes a plan. It writes nothing.
func (r *Runner) begin(ctx context.Context, t Trigger) (*session, error) {
	var left *Left
	if r.Left != nil {
		var err error
		if left, err = r.Left(ctx, t.Number); err != nil {
			return nil, fmt.Errorf("read the record that an earlier run left: %w", err)
		}
	}
	if left != nil {
		t.left = left.Session
	}
	snap, setup, err := r.read(ctx, t)
	if err != nil {
		left.close()
		setup.close()
		return nil, err
	}
	p := plan(snap)
	r.say("pull request #%d at %s: %s", t.Number, short(snap.Pull.HeadSHA), p.why)
	s := newSession(r, setup, snap, p)
	s.left = left
	return s, nil
}

func (s *session) close() {
	s.left.close()
	s.release()
	s.setup.close()
}

// perform carries out the plan, and answers the commands.
func (s *session) perform(ctx context.Context) (Result, error) {
	err := s.act(ctx)
	s.ledger.countLost(s.state)
	if errors.Is(err, errMute) {
		s.runner.say("pull request #%d: %v", s.snap.Pull.Number, err)
		s.state, s.plan.why = debate.State{}, err.Error()
		return s.result(), nil
	}
	after := context.WithoutCancel(ctx)
	switch {
	case errors.Is(err, errClaimed): // a check of this run gets the text of the holder's; a holder that goes on ends it
		if p := s.posts; p.begun && p.holder.Done && p.holder.ID != p.own.ID {
			if err := p.putCheck(after, p.named(asItStood(p.holder))); err != nil {
				s.runner.say("the check could not be ended: %v", err)
			}
		}
		return s.result(), err
	case errors.Is(err, errOtherBase): // the text of the check is about the base branch of before
		shown := s.posts.confirm(after)
		if shown == nil {
			shown = s.posts.showProgress(after, gh.Check{Title: "looking again", Summary: "The base branch or its settings were changed."})
		}
		if shown != nil {
			s.runner.say("the check cannot show that the base branch or its settings were changed: %v", shown)
		}
		return s.result(), err
	case errors.Is(err, errMeanwhile):
		if s.posts.begun || s.posts.started { // no other run ends it
			s.abandon(after, "The pull request changed meanwhile, or another run took over.")
		}
		return s.result(), err
	case err != nil:
		if isGoneOnWith := ctx.Err() != nil && s.runner.Left != nil; !isGoneOnWith { // else its check stays in progress until then
			s.abandon(after, "The run ended before the debate did: "+comment.Clip(s.snap.clean(err.Error()), 500))
		}
	case s.snap.trigger.lost && s.plan.action == idle: // the run that holds the head answers
	default:
		if !s.snap.isOpen() && s.snap.ownProgress() { // it looked again, and there is no review any more
			s.abandon(after, "There is no review: "+s.plan.why+".")
		}
		err = s.reply(ctx)
	}
	s.book(after)
	return s.result(), err
}

// act carries out the plan except for the replies.
func (s *session) act(ctx context.Context) error {
	if s.left != nil {
		if err := s.endLeft(ctx); err != nil {
			return err
		}
	}
	switch s.plan.action {
	case fresh:
		return s.debate(ctx)
	case recalled:
		return s.debateAgain(ctx)
	case withdraw:
		return s.withdraw(ctx)
	}
	check := idleCheck(s.snap, s.plan.commands)
	if check == nil {
		return nil
	}
	if check.Title == titlePaused && !stops(check.Conclusion) && s.snap.Checks.Own.ID == 0 {
		first, err := s.prepare(ctx) // a pause weakens no question for people
		if err != nil {
			return err
		}
		state, err := s.withoutModels(ctx, first, false)
		if err != nil {
			return err
		}
		check = pausedCheck(s.snap, criticalHit(state))
	}
	if err := s.confirm(ctx); err != nil {
		return err
	}
	return s.posts.writeCheck(ctx, *check, false)
}

// debateAgain continues the remembered debate. If the settings now split it in another
// way, a new one is held.
func (s *session) debateAgain(ctx context.Context) error {
	err := s.debate(ctx)
	if s.handed == nil && s.state.Ending.Outcome == debate.Aborted {
		s.runner.say("pull request #%d: %s; it is reviewed anew", s.snap.Pull.Number, report.Says(s.state, s.state.Ending.OutcomeReason))
		s.release() // the debate is forgotten, the state of GitHub is not
		p := s.plan
		p.action, p.happenings = fresh, nil
		anew := newSession(s.runner, s.setup, s.snap, p)
		anew.posts, anew.split, anew.left = s.posts, s.split, s.left
		anew.posts.started = false
		*s = *anew
		return s.debate(ctx)
	}
	if gone := isRefusal(err) && s.log == nil; gone && !s.snap.isOpen() { // its commits are
		return s.withdraw(ctx)
	}
	return err
}

// withdraw withdraws the open questions if the debate itself is no longer known.
func (s *session) withdraw(ctx context.Context) error {
	if err := s.confirm(ctx); err != nil {
		return err
	}
	var want comment.Want
	if s.snap.Issue.Open {
		want.Item = takenBack(s.snap)
	}
	_, err := s.write(ctx, want)
	return err
}

// debate holds a debate and brings GitHub up to date with its result.
func (s *session) debate(ctx context.Context) error {
	first, err := s.prepare(ctx)
	if err != nil {
		return err
	}
	s.review.Look, s.review.LookEvery, s.review.Publish = s.look, pollHolds, s.publish
	happened := s.plan.happenings
	if s.handed == nil && len(happened) > 0 || s.plan.commands.run != nil {
		s.acknowledge(ctx)
	}
	if s.handed != nil || s.posts.unheard(s.snap.trigger) { // its disputes are in the record, or every sweep would ask models
		happened = lists.Keep(happened, func(h happening) bool { return h.dispute == nil })
	}
	if err = s.hold(ctx, first); err != nil {
		return err
	}
	if s.plan.action == fresh {
		happened = s.afterFresh()
	}
	if err = s.apply(ctx, happened); err != nil {
		return err
	}
	return s.finish(ctx)
}

// finish writes the result of the debate, if there is news.
func (s *session) finish(ctx context.Context) error {
	switch {
	case s.state.Ending.Outcome == debate.Aborted:
		return fmt.Errorf("the review could not be done: %s", report.Says(s.state, s.state.Ending.OutcomeReason))
	case s.state.Ending.Outcome == debate.Superseded:
		return s.superseded(ctx)
	case s.state.Stage == debate.StageNone:
		return nil
	case !s.outcomes.rewrite:
		return nil
	}
	if err := s.confirm(ctx); err != nil {
		return err
	}
	var err error
	s.state, err = s.review.PublishAgain(ctx)
	return err
}

// afterFresh are the earlier acts of people that the debate just held has to hear of.
func (s *session) afterFresh() []happening {
	if s.plan.deferred {
		s.plan.deferred, s.outcomes.rewrite = false, true
		s.snap = s.snap.remembering(s.state)
		s.plan.disputes = disputesOf(s.snap, &s.snap.checkpoint, s.plan.commands)
		return happenings(s.snap, answersTo(s.snap, s.plan.commands.asked), s.plan.disputes)
	}
	s.outcomes.overtaken(s.snap, s.plan.answers, s.state, s.textOf)
	ended := []debate.Stage{debate.StageDone, debate.StageAwaitingHuman}
	if s.split || !slices.Contains(ended, s.state.Stage) {
		return nil
	}
	return disputesOf(s.snap, &s.ledger.left, s.plan.commands)
}

// apply tells the debate the happenings one by one. If one does not count, the others
// still do.
func (s *session) apply(ctx context.Context, list []happening) error {
	for _, h := range list {
		if h.event == nil {
			s.outcomes.settle(s.snap, h, "", s.state)
			continue
		}
		state, err := s.review.Continue(ctx, h.event)
		var order *debate.OrderError
		switch {
		case errors.As(err, &order):
			s.outcomes.settle(s.snap, h, order.Why, s.state)
		case err != nil:
			return err
		default:
			s.state = state
			s.outcomes.settle(s.snap, h, "", s.state)
		}
	}
	return nil
}

// result is the result of the run.
func (s *session) result() Result {
	r := Result{
		Number: s.snap.Pull.Number, Head: s.snap.Pull.HeadSHA, Done: s.plan.why, State: s.state, Session: s.state.Stage != debate.StageNone,
		Checkpoint: s.ledger.left, Record: s.record, CommentURL: s.posts.summary.URL, Notes: slices.Concat(s.notes, s.posts.failings()),
		Checked: s.posts.own.Done && !s.posts.mute(), unbooked: s.ledger.unbooked,
	}
	said := r.Session || s.snap.sealed
	r.Reviewed = said && r.Checkpoint.Debate.HeadSHA == r.Head
	if r.Session {
		r.Conclusion, r.Why = s.verdict()
	}
	r.View = s.view()
	return r
}
