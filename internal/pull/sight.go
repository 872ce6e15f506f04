package pull

import (
	"context"
	"slices"
	"time"

	"github.com/prdebate/debate/internal/gh"
)

// A poll, a look at who holds the head and a look for failed checks can be one request,
// where they follow one another at once.

// sightHolds is for how long what one request saw holds for the next step, as long as
// nothing is written in between.
const sightHolds = time.Second

// sight is what one request saw.
type sight struct {
	glance  gh.Glance
	watched string
	at      time.Time
}

// glance takes a sight for the poll that follows, and for the write after it. Failed: look
// for checks of others that failed, too. It returns nil where check runs cannot be seen so.
func (s *session) glance(ctx context.Context, failed bool) *gh.SeenChecks {
	s.foreseen = nil
	check := s.check.own
	if check == nil || check.App == 0 {
		return nil
	}
	p := s.snap.pull
	at := gh.ChecksAt{Head: p.HeadSHA, Name: CheckName, App: check.App, Failed: failed}
	g, err := s.runner.Hub.GlanceWithChecks(ctx, p.Number, s.watched(), at)
	if err != nil {
		return nil
	}
	if g.Checks != nil && !s.check.listed(g.Checks.Runs) {
		g.Checks = nil
	}
	s.foreseen = &sight{glance: g, watched: s.watched(), at: s.runner.Now()}
	return g.Checks
}

// foresee reports whether another check failed, if that can be known from one request
// with the poll that follows.
func (s *session) foresee(ctx context.Context) (failed, known bool) {
	s.rejoin()
	checks := s.glance(ctx, true)
	if checks == nil {
		s.foreseen = nil
		return false, false
	}
	return checks.Failed, true
}

// taken is what was seen a moment ago, nil if nothing was. It counts once.
func (s *session) taken() *gh.Glance {
	seen := s.foreseen
	s.foreseen = nil
	if seen == nil || seen.watched != s.watched() || s.runner.Now().Sub(seen.at) >= sightHolds {
		return nil
	}
	s.check.seen, s.check.seenAt = seen.glance.Checks, seen.at
	return &seen.glance
}

// listed reports whether our own check is among check runs: a list without it is not all
// that stands.
func (c *headCheck) listed(runs []gh.CheckRun) bool {
	return c.own != nil && slices.ContainsFunc(runs, func(run gh.CheckRun) bool { return run.ID == c.own.ID })
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
