package pull

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"time"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/engine"
	"github.com/prdebate/debate/internal/gh"
)

// errMeanwhile ends a session whose pull request is no longer the one that it
// began with: another run published its result, or the head moved. Nothing of it
// is written; what there is to do is decided anew.
var errMeanwhile = errors.New("another run wrote on the pull request meanwhile")

// errOtherBase ends a session likewise, since the base branch is another one, or has
// other settings.
var errOtherBase error = meanwhile("the base branch or its settings were changed meanwhile")

// meanwhile is what happened meanwhile, where it is known: an errMeanwhile in its own words.
type meanwhile string

func (m meanwhile) Error() string { return string(m) }

func (meanwhile) Unwrap() error { return errMeanwhile }

// pollHolds is for how long a poll holds while models are asked, and while comments
// and issues are written. Before anything is published there is always another.
const pollHolds = 5 * time.Second

// poll looks at the pull request again, and at the summary comment, which every run
// that publishes rewrites: two runs that met must not both publish (R22). It reports as an
// error that what it saw is not what this session goes by.
func (s *session) poll(ctx context.Context) (gh.Glance, error) {
	summary := s.hand.summary
	g, err := s.lookout.poll(ctx, s.hand.watched(), s.check, s.hearing.change)
	if err != nil {
		return g, err
	}
	switch {
	case summary.ID == 0:
		if slices.ContainsFunc(g.Comments, ours(comment.SummaryMark)) {
			return g, errMeanwhile
		}
	case summary.Node == "":
	case g.Watched == nil: // a person deleted it; it is written anew
		s.hand.summary, s.hand.have.Summaries = gh.Comment{}, nil
	case !comment.Same(g.Watched.Body, summary.Body) && !s.tookOver(*g.Watched):
		return g, errMeanwhile
	}
	return g, nil
}

// tookOver reports whether nothing changed in the summary but what a question cost
// that was asked meanwhile, and takes that over: the debate that goes on is still
// about what stands there.
func (s *session) tookOver(now gh.Comment) bool {
	summary := s.hand.summary
	before, sealed, _ := openCheckpoint(s.snap.key, s.snap.pull, &summary)
	after, resealed, _ := openCheckpoint(s.snap.key, s.snap.pull, &now)
	sameText := comment.Resealed(now.Body, "") == comment.Resealed(summary.Body, "")
	switch {
	case !sealed, !resealed, !sameText:
		return false
	}
	same := after
	same.Earlier, same.Unpriced, same.Handled = before.Earlier, before.Unpriced, before.Handled
	if !reflect.DeepEqual(same, before) {
		return false
	}
	snap := *s.snap
	snap.checkpoint.takeOver(before, after)
	s.snap = &snap
	s.ledger.left.takeOver(before, after)
	s.ledger.written.takeOver(before, after)
	s.hand.editedSummary(summary.ID, now.Body)
	return true
}

// confirm reports as an error that the pull request is not the one any more that the
// session is about. It is asked before what was decided is written.
func (s *session) confirm(ctx context.Context) error {
	g, err := s.poll(ctx)
	if err != nil {
		return err
	}
	if g.HeadSHA != s.snap.pull.HeadSHA || g.State != s.snap.pull.State {
		return errMeanwhile
	}
	return nil
}

// confirmWritten looks again before a check is written, where what was written took its time.
func (s *session) confirmWritten(ctx context.Context) error {
	if s.runner.Now().Sub(s.lookout.polledAt) < pollHolds {
		return nil
	}
	return s.lookAgain(ctx)
}

// confirmConcluded looks again after a check that lets a merge through: while it was
// written the settings may have become stricter, and another run may have gone by them.
// A run that takes a word about a reviewed head claims none, and always looks.
func (s *session) confirmConcluded(ctx context.Context) error {
	if s.plan.action == fresh && stops(s.check.said.Conclusion) {
		return nil
	}
	return s.lookAgain(ctx)
}

// lookAgain polls in the middle of what is written: what changed has all of it decided
// anew. A pull request that was closed meanwhile gets what it was reviewed for.
func (s *session) lookAgain(ctx context.Context) error {
	s.lookout.glance(ctx, s.hand.watched(), s.check, false)
	g, err := s.poll(ctx)
	if err == nil && g.HeadSHA != s.snap.pull.HeadSHA {
		err = errMeanwhile
	}
	if errors.Is(err, errMeanwhile) {
		return fmt.Errorf("%w: %w", engine.ErrLookAgain, err)
	}
	return err
}
