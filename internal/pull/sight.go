package pull

import (
	"context"
	"slices"
	"time"

	"github.com/prdebate/debate/internal/gh"
)

// lookout looks at a pull request again while a run goes on.
type lookout struct {
	runner   *Runner
	pull     gh.Pull // as the run read it
	polledAt time.Time
	newHead  string // as a poll saw it
	baseTip  string // of the last poll, if the base branch moved on without the change
}

// poll reads the pull request, and a watched comment, "" for none. It returns an error if
// the base branch or its settings are others. Change is the change of the run, nil if
// none was read.
func (l *lookout) poll(ctx context.Context, watched string, change *gh.Snapshot) (gh.Glance, error) {
	g, err := l.runner.Reader.Glance(ctx, l.pull.Number, watched)
	if err != nil {
		return g, err
	}
	l.polledAt, l.newHead = l.runner.Now(), g.HeadSHA
	if g.BaseRef != l.pull.BaseRef || g.Settings != l.pull.Settings {
		return g, errOtherBase
	}
	return g, l.confirmFork(ctx, g, change)
}

// confirmFork returns an error if the base branch took some of the change meanwhile: the
// rest is another change. Other commits on the base change nothing.
func (l *lookout) confirmFork(ctx context.Context, g gh.Glance, change *gh.Snapshot) error {
	moved := !slices.Contains([]string{l.pull.BaseSHA, l.baseTip, ""}, g.BaseSHA) // "": the branch was deleted
	switch {
	case !moved, g.State != gh.Open, g.HeadSHA != l.pull.HeadSHA, change == nil:
		return nil
	}
	fork, err := l.runner.Reader.MergeBase(ctx, g.BaseSHA, g.HeadSHA)
	if err != nil {
		return err
	}
	if fork != change.BaseSHA {
		return errOtherBase
	}
	l.baseTip = g.BaseSHA
	return nil
}
