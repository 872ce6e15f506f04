package pull

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
)

// unfinished looks, where there is nothing else to do, for a run that ended before
// its time: the check does not say what the summary says, or says for ever that a
// debate goes on (R29). Why is what there is to do otherwise.
func (s *session) unfinished(ctx context.Context, why string) (course, string, error) {
	lost := s.trigger.Cause == Swept && s.summary == nil && !s.wishes.paused && !s.held(s.wishes)
	if !lost && !s.known() || s.pull.State != gh.Open {
		return idle, why, nil
	}
	if err := s.readCheck(ctx); err != nil || s.checksRefused != nil {
		return idle, why, err
	}
	run := s.checkRun
	switch {
	case s.underWay():
	case !s.known() && run != nil && !run.Done:
		return fresh, "a review of this head was begun, and did not end", nil
	case !s.known() && run == nil && s.now.Sub(s.pull.CreatedAt) < lately:
		return fresh, "it was opened lately, and no run for it left anything", nil
	case s.known() && s.astray():
		s.trigger.again = true
		return recalled, "the check does not say what the summary says", nil
	}
	return idle, why, nil
}

// underWay reports whether our check says that a debate about the head goes on, and
// may be right.
func (s *session) underWay() bool {
	return s.checkRun != nil && !s.checkRun.Done && s.now.Sub(begunAt(*s.checkRun)) < s.longestRun()
}

// lately is for how long a sweep makes up for the event that a pull request was
// opened. What is older was there before the sweep was set up, or is not wanted.
const lately = 48 * time.Hour

// astray reports whether the check of a reviewed head does not say what the review
// came to: the run that had to say it died, or somebody else wrote it since (R29,
// T47).
func (s *session) astray() bool {
	want := s.shared(s.memo.Conclusion)
	switch {
	case want == "" || s.memo.Unchecked:
		return false
	case want == debate.Neutral && s.setup.Config.Gate == debate.Required: // the gate was shut since
		return true
	case s.foreign() != 0:
		return rank(debate.Conclusion(s.stood.Conclusion)) < rank(want)
	}
	return !s.stood.Done || s.stood.Conclusion != string(want) || s.stood.ExternalID != external(s.pull.Number)+s.memo.Debate.SessionID
}

// begunAt is when a check in progress was begun, the last time.
func begunAt(run gh.CheckRun) time.Time {
	_, at, _ := strings.Cut(run.ExternalID, "@")
	if seconds, err := strconv.ParseInt(at, 10, 64); err == nil {
		return time.Unix(seconds, 0)
	}
	return run.StartedAt
}

// longestRun is how long a run takes at most: a check that has been in progress
// for longer belongs to one that is gone.
func (s *session) longestRun() time.Duration {
	return time.Duration(s.setup.Config.Limits.BudgetMinutes)*time.Minute + 10*time.Minute
}
