package pull

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"time"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/engine"
	"github.com/prdebate/debate/internal/gh"
)

// errMeanwhile ends a session because its pull request has changed: another run published
// its result, or the head moved. The session writes nothing; the run plans again.
var errMeanwhile = errors.New("another run wrote on the pull request meanwhile")

// errOtherBase ends a session because the base branch or its settings are others.
var errOtherBase error = meanwhile("the base branch or its settings were changed meanwhile")

// meanwhile is an errMeanwhile with the event in its own words.
type meanwhile string

func (m meanwhile) Error() string { return string(m) }

func (meanwhile) Unwrap() error { return errMeanwhile }

// pollHolds is for how long a poll holds while models are asked, and while comments
// and issues are written. Before anything is published there is always another.
const pollHolds = 5 * time.Second

// poll reads the pull request, the summary comment and the issue again. Every run that publishes
// rewrites the summary, and two runs must not both publish (R22). A person who opens or closes the
// issue may take back what this run is about to write. It returns an error if one of them is not
// as this session knows it.
func (s *session) poll(ctx context.Context) (gh.Glance, error) {
	summary, issue := s.posts.summary, s.posts.issue
	g, err := s.runner.Reader.Glance(ctx, s.snap.Pull.Number, summary.Node, issue.Number)
	if err != nil {
		return g, err
	}
	s.polledAt, s.newHead = s.runner.Now(), g.HeadSHA
	if g.BaseRef != s.snap.Pull.BaseRef || g.Settings != s.snap.Pull.Settings {
		return g, errOtherBase
	}
	// The base branch may have taken some of the change: the rest is another one. Other commits
	// on it change nothing.
	moved := !slices.Contains([]string{s.snap.Pull.BaseSHA, s.baseTip, ""}, g.BaseSHA) // "": the branch was deleted
	if moved && g.State == gh.Open && g.HeadSHA == s.snap.Pull.HeadSHA && s.change != nil {
		fork, err := s.runner.Reader.MergeBase(ctx, g.BaseSHA, g.HeadSHA)
		if err != nil {
			return g, err
		}
		if fork != s.change.BaseSHA {
			return g, errOtherBase
		}
		s.baseTip = g.BaseSHA
	}
	switch {
	case issue.Open && g.Closed, !issue.Open && g.Open:
		return g, meanwhile("the issue was opened or closed meanwhile")
	case summary.ID == 0:
		if slices.ContainsFunc(g.Comments, ours(comment.SummaryMark)) {
			return g, errMeanwhile
		}
	case summary.Node == "":
	case g.Watched == nil: // a person deleted it; it is written anew
		s.posts.summary, s.posts.have.Summaries = gh.Comment{}, nil
	case !comment.Same(g.Watched.Body, summary.Body) && !s.tookOver(*g.Watched):
		return g, errMeanwhile
	}
	return g, nil
}

// tookOver reports whether the summary differs only by the cost of a question asked
// meanwhile, and takes that over: the running debate is still about the same texts.
func (s *session) tookOver(now gh.Comment) bool {
	summary := s.posts.summary
	before, sealed, _ := openCheckpoint(s.snap.key, s.snap.Pull, &summary)
	after, resealed, _ := openCheckpoint(s.snap.key, s.snap.Pull, &now)
	sameText := comment.Resealed(now.Body, "") == comment.Resealed(summary.Body, "")
	switch {
	case !sealed, !resealed, !sameText:
		return false
	}
	same := after
	same.cost, same.Handled, same.written = before.cost, before.Handled, before.written
	if !reflect.DeepEqual(same, before) {
		return false
	}
	snap := *s.snap
	snap.checkpoint.takeOver(before, after)
	s.snap = &snap
	s.ledger.left.takeOver(before, after)
	s.ledger.written.takeOver(before, after)
	s.posts.editedSummary(summary.ID, now.Body)
	return true
}

// confirm returns an error if the pull request is no longer the one of the session, or another
// run holds its head. It precedes the write of a decision.
func (s *session) confirm(ctx context.Context) error {
	g, err := s.poll(ctx)
	if err != nil {
		return err
	}
	if g.HeadSHA != s.snap.Pull.HeadSHA || g.State != s.snap.Pull.State {
		return errMeanwhile
	}
	return s.posts.confirm(ctx)
}

// lookAgain polls in the middle of the writes, and makes sure that this run still holds the
// head; a skip holds none. After a change the run plans again. A pull request closed
// meanwhile still gets its review.
func (s *session) lookAgain(ctx context.Context) error {
	g, err := s.poll(ctx)
	if err == nil && g.HeadSHA != s.snap.Pull.HeadSHA {
		err = errMeanwhile
	}
	if errors.Is(err, errMeanwhile) {
		return fmt.Errorf("%w: %w", engine.ErrLookAgain, err)
	}
	if err != nil || s.state.Ending.Outcome == debate.Skipped {
		return err
	}
	return s.posts.confirm(ctx)
}
