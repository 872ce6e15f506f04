package pull

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/engine"
	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/lists"
)

// session carries out a plan: it holds the debate and writes the result.
type session struct {
	settlement
	setup Setup

	change       *gh.Snapshot
	review       *engine.Review
	tests        Tests
	record       string // the path of the log
	evidenceRead bool

	cut    context.CancelCauseFunc // ends the debate
	handed *Handed                 // the record of another job, nil if there is none
	left   *Left                   // debate of a dead run, nil if there is none

	polledAt time.Time // the last poll
	newHead  string    // of the last poll
	baseTip  string    // of the last poll, if the base branch moved on without the change
}

func newSession(r *Runner, setup Setup, snap *Snapshot, p Plan) *session {
	l := &ledger{left: snap.checkpoint, written: snap.checkpoint, sealed: snap.sealed, unbooked: snap.trigger.unbooked}
	return &session{setup: setup, settlement: settlement{
		runner: r, snap: snap, plan: p, posts: postsOf(r, snap), outcomes: &outcomes{rewrite: p.rewrite, answered: make(map[string]int64)}, ledger: l, notes: slices.Clone(snap.Notes),
	}}
}

// hold holds the debate to its end. It goes on with the one of another job or of a dead run,
// or else begins one.
func (s *session) hold(ctx context.Context, first debate.Received) (err error) {
	ctx, s.cut = context.WithCancelCause(ctx)
	defer s.cut(nil)
	switch {
	case s.handed != nil:
		err = s.takeOver(ctx, first)
	case s.left.begins(first, s.change.Hash):
		left := s.left
		s.left = nil // its log is this run's now
		s.runner.say("pull request #%d: going on with the debate that an earlier run began", s.snap.Pull.Number)
		s.keep(left.Log, left.Place, left.Session)
		s.state, err = s.review.Resume(ctx, left.Entries)
	default:
		if err = s.openRecord(first.SessionID); err == nil {
			s.state, err = s.review.Start(ctx, first)
		}
	}
	if cause := context.Cause(ctx); errors.Is(cause, errMute) || errors.Is(cause, errMeanwhile) { // this run cut it short
		return cause
	}
	return err
}

// openRecord opens the record of the debate.
func (s *session) openRecord(name string) error {
	log, path, err := s.runner.Record(name)
	if err == nil {
		s.keep(log, path, name)
	}
	return err
}

// keep keeps the debate in a record, and names the check after it.
func (s *session) keep(log Log, path, name string) {
	s.log, s.record, s.review.Log, s.posts.session = log, path, log, name
}

// look reads the changes of the pull request since the last look. Once models are asked, it
// first writes the start of the check run.
func (s *session) look(ctx context.Context, state debate.State) (engine.Sight, error) {
	s.state = state
	if state.Stage == debate.StageOpening && !s.posts.started {
		s.acknowledge(ctx)
		err := s.posts.claim(ctx, s.state)
		if err == nil && s.snap.trigger.Cause == Swept && s.posts.unshown {
			err = errMute
		}
		switch {
		case errors.Is(err, errMeanwhile), errors.Is(err, errMute):
			s.cut(err)
			return engine.Sight{}, err
		case err != nil:
			s.runner.say("the check cannot show progress: %v", err)
		}
	}
	p := s.snap.Pull
	justRead := s.runner.Now().Sub(s.snap.now) < justReadHolds
	if state.Stage == debate.StageOpening && justRead {
		return engine.Sight{Head: p.HeadSHA}, nil
	}
	g, err := s.poll(ctx)
	if err != nil {
		return engine.Sight{}, err
	}
	sight := engine.Sight{Head: g.HeadSHA}
	if s.snap.isOpen() && g.State != gh.Open {
		sight.Closed = &debate.WithdrawnEvent{Reason: string(g.State) + undecided}
	}
	s.posts.siblings = g.Siblings
	sight.Stop, err = s.stopOrdered(ctx, g.Comments)
	return sight, err
}

// stopOrdered finds an order to stop in new comments, by an account with the right to
// give it. A later order to run revokes it.
func (s *session) stopOrdered(ctx context.Context, list []gh.Comment) (*debate.Actor, error) {
	snap := *s.snap
	isKnown := func(c gh.Comment) bool {
		return slices.ContainsFunc(s.snap.Pull.Comments, func(known gh.Comment) bool { return known.ID == c.ID })
	}
	snap.Pull.Comments = slices.Concat(snap.Pull.Comments, slices.DeleteFunc(slices.Clone(list), isKnown))
	snap.requests = readRequests(&snap)
	stops := lists.Keep(snap.requests, func(a request) bool { return a.is(comment.Stop) && !isKnown(a.comment) })
	if err := s.runner.readPeople(ctx, &snap, lists.Map(stops, func(a request) gh.Account { return a.comment.Author })); err != nil {
		return nil, err
	}
	stop := commandsOf(&snap).stop
	if stop == nil || isKnown(stop.comment) {
		return nil, nil
	}
	s.snap = &snap
	s.plan.commands.obey(*stop)
	by := snap.actor(stop.comment.Author)
	return &by, nil
}

// justReadHolds is the time in which a debate may begin without another look.
const justReadHolds = time.Minute

// errMute ends a session of a sweep before it asks a model: it can write no check, so the
// next sweep would ask all over again.
var errMute = errors.New("the token of this run may write no check, so that a sweep asks no model: every one would ask again")
