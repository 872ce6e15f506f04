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

// maxBegun is how often one run begins anew because of that.
const maxBegun = 3

// glance looks at the pull request, and at the summary comment, which every run
// that publishes rewrites: two runs that met must not both publish (R22).
func (s *session) glance(ctx context.Context) (gh.Glance, error) {
	node := ""
	if s.summary != nil {
		node = s.summary.Node
	}
	g, err := s.runner.Hub.Glance(ctx, s.pull.Number, node)
	if err != nil {
		return g, err
	}
	s.lookedAt, s.newHead = s.runner.Now(), g.HeadSHA
	switch {
	case s.summary == nil:
		for _, c := range g.Comments {
			if _, is := comment.Marked(c.Body, comment.SummaryMark); is && c.Mine {
				return g, errMeanwhile
			}
		}
	case node == "":
	case g.Watched == nil: // a person deleted it; it is written anew
		s.summary, s.out.have.Summaries = nil, nil
	case !comment.Same(g.Watched.Body, s.summary.Body) && !s.tookOver(*g.Watched):
		return g, errMeanwhile
	}
	return g, nil
}

// tookOver reports whether nothing changed in the summary but what a question cost
// that was asked meanwhile, and takes that over: the debate that goes on is still
// about what stands there.
func (s *session) tookOver(now gh.Comment) bool {
	before, sealed, _ := openMemo(s.setup.Key, s.pull, s.summary)
	after, resealed, _ := openMemo(s.setup.Key, s.pull, &now)
	if !sealed || !resealed || comment.Resealed(now.Body, "") != comment.Resealed(s.summary.Body, "") {
		return false
	}
	same := after
	same.Earlier, same.Unpriced, same.Handled = before.Earlier, before.Unpriced, before.Handled
	if !reflect.DeepEqual(same, before) {
		return false
	}
	for _, m := range []*Memo{&s.memo, &s.out.memo, &s.out.sealed} {
		m.book(cost{micro: after.Earlier - before.Earlier, unpriced: after.Unpriced})
		m.Handled = slices.Clone(m.Handled)
		for _, id := range after.Handled {
			m.handle(id)
		}
	}
	for i := range s.out.have.Summaries {
		if s.out.have.Summaries[i].ID == s.summary.ID {
			s.out.have.Summaries[i].Body = now.Body
		}
	}
	s.summary.Body = now.Body
	return true
}

// still reports as an error that the pull request is not the one any more that the
// session is about. It is asked before what was decided is written.
func (s *session) still(ctx context.Context) error {
	g, err := s.glance(ctx)
	if err == nil && (g.HeadSHA != s.pull.HeadSHA || g.State != s.pull.State) {
		err = errMeanwhile
	}
	return err
}

// lookHolds is for how long a look at the pull request holds while its comments
// and issues are written.
const lookHolds = 5 * time.Second

// stillAhead looks again before the check and the summary if what was written took
// its time. A pull request that was closed meanwhile gets what it was reviewed for.
func (s *session) stillAhead(ctx context.Context) error {
	if s.runner.Now().Sub(s.lookedAt) < lookHolds {
		return nil
	}
	g, err := s.glance(ctx)
	if err == nil && g.HeadSHA != s.pull.HeadSHA {
		err = errMeanwhile
	}
	if errors.Is(err, errMeanwhile) {
		return fmt.Errorf("%w: %w", engine.ErrLookAgain, err)
	}
	return err
}
