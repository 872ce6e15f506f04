package pull

import (
	"context"
	"slices"
	"time"

	"github.com/prdebate/debate/internal/gh"
)

// A poll, a look at the holder of the head and a look for failed checks can be one
// request if they follow at once.

// sightHolds is the time in which one request also serves the next step, if no write
// comes between.
const sightHolds = time.Second

// sight is the result of one request.
type sight struct {
	glance  gh.Glance
	watched string
	at      time.Time
}

// lookout looks at a pull request again while a run goes on.
type lookout struct {
	runner   *Runner
	pull     gh.Pull // as the run read it
	foreseen sight   // for the next poll, of long ago if there is none
	polledAt time.Time
	newHead  string // as a poll saw it
	baseTip  string // of the last poll, if the base branch moved on without the change
}

// poll reads the pull request, and a watched comment, "" for none. It returns an error if
// the base branch or its settings are others. Change is the change of the run, nil if
// none was read.
func (l *lookout) poll(ctx context.Context, watched string, check *headCheck, change *gh.Snapshot) (gh.Glance, error) {
	g, seen := l.taken(watched, check)
	if !seen {
		var err error
		if g, err = l.runner.Reader.Glance(ctx, l.pull.Number, watched); err != nil {
			return g, err
		}
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

// glance makes one request for the next poll and the write after it. Failed: also look
// for failed checks of others. It returns nil if it cannot see check runs.
func (l *lookout) glance(ctx context.Context, watched string, check *headCheck, failed bool) *gh.SeenChecks {
	l.foreseen = sight{}
	if check.own.App == 0 {
		return nil
	}
	at := gh.ChecksAt{Head: l.pull.HeadSHA, Name: CheckName, App: check.own.App, Failed: failed}
	g, err := l.runner.Reader.GlanceWithChecks(ctx, l.pull.Number, watched, at)
	if err != nil {
		return nil
	}
	if g.Checks != nil && !check.listed(g.Checks.Runs) {
		g.Checks = nil
	}
	l.foreseen = sight{glance: g, watched: watched, at: l.runner.Now()}
	return g.Checks
}

// foresee reports whether another check failed, if one request tells it together with the
// next poll.
func (l *lookout) foresee(ctx context.Context, watched string, check *headCheck) (failed, known bool) {
	checks := l.glance(ctx, watched, check, true)
	if checks == nil {
		l.foreseen = sight{}
		return false, false
	}
	return checks.Failed, true
}

// taken returns the last sight if it is new enough. It counts once.
func (l *lookout) taken(watched string, check *headCheck) (g gh.Glance, is bool) {
	seen := l.foreseen
	l.foreseen = sight{}
	if seen.watched != watched || l.runner.Now().Sub(seen.at) >= sightHolds {
		return g, false
	}
	check.seen, check.seenAt = seen.glance.Checks, seen.at
	return seen.glance, true
}

// listed reports whether our own check is in a list of check runs: a list without it is
// not complete.
func (c *headCheck) listed(runs []gh.CheckRun) bool {
	return slices.ContainsFunc(runs, func(run gh.CheckRun) bool { return run.ID == c.own.ID })
}

// justSeen are our check runs as a poll saw them a moment ago, if nothing was written
// since. They count once.
func (c *headCheck) justSeen() (runs []gh.CheckRun, known bool) {
	seen := c.seen
	c.seen = nil
	if seen == nil || c.runner.Now().Sub(c.seenAt) >= sightHolds {
		return nil, false
	}
	return seen.Runs, true
}
