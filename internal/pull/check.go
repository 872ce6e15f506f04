package pull

import (
	"context"
	"strconv"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
)

// headCheck is our check of the head: its text, and the run that holds the head.
type headCheck struct {
	runner   *Runner
	pull     gh.Pull
	reach    *reach
	siblings []int  // other open pull requests with the same head
	session  string // of the debate, once there is one

	own    gh.CheckRun // as far as this run knows by now, the zero value if there is none
	stood  gh.CheckRun // our check run when the run began
	status gh.Status   // as last set

	word         *errand // of progress, nil before there is one
	seenSiblings []int   // the siblings of the last poll; the check uses them once it is free

	started bool // the debate is about to ask models, or to write
	begun   bool // this run made the check
	unshown bool // the last write of the check was refused
	claims  bool // this run claimed the head in its check

	looked kind        // the kind of write since the last look at the holder of the head
	holder gh.CheckRun // of another run that holds the head, the zero value if there is none
	later  []int64     // checks of runs that left the head to this one
	said   gh.Check    // the conclusion by this run
}

// checkOf is the check as a snapshot shows it.
func checkOf(s *Snapshot, r *Runner, all *reach) *headCheck {
	own := s.checks.own
	return &headCheck{runner: r, pull: s.pull, reach: all, siblings: s.pull.Siblings, seenSiblings: s.pull.Siblings, stood: own, own: own}
}

// writeCheck writes the conclusion of the head's check run, or a commit status if the
// token may write no checks. It does not write the same text twice. Skipped: the debate
// was skipped, so any session may have written the check.
func (c *headCheck) writeCheck(ctx context.Context, check gh.Check, skipped bool) error {
	check = c.named(check)
	switch {
	case c.reach.denied[checks]:
		return c.writeStatus(ctx, check)
	case c.saysAlready(check, skipped):
		return nil
	}
	err := c.putCheck(ctx, check)
	if c.unshown = isRefusal(err); c.unshown {
		c.reach.refused(checks)
		return c.writeStatus(ctx, check)
	}
	if err != nil {
		return err
	}
	c.said = check
	c.reach.reached("check")
	return c.endLater(ctx)
}

// mute reports whether the token may write no check, as far as is known.
func (c *headCheck) mute() bool { return c.unshown || c.reach.denied[checks] }

// showProgress writes the check run in progress. After a refusal by GitHub it writes no
// more progress; the conclusion is tried anyway.
func (c *headCheck) showProgress(ctx context.Context, check gh.Check) error {
	if c.mute() {
		return nil
	}
	err := c.putCheck(ctx, c.named(check))
	c.unshown = isRefusal(err)
	return unlessRefused(err)
}

// putCheck creates our check run, or updates it.
func (c *headCheck) putCheck(ctx context.Context, check gh.Check) error {
	if c.own.ID == 0 {
		id, err := c.runner.Writer.CreateCheck(ctx, check)
		if err != nil {
			return err
		}
		c.own, c.begun = gh.CheckRun{ID: id, Name: CheckName, Mine: true}, true
	} else if err := c.runner.Writer.UpdateCheck(ctx, c.own.ID, check); err != nil {
		return err
	}
	c.own = saying(c.own, check)
	return nil
}

// saying is a check run with the text of a check.
func saying(run gh.CheckRun, check gh.Check) gh.CheckRun {
	run.Done = check.Conclusion != ""
	run.Conclusion, run.Title, run.Summary, run.ExternalID = string(check.Conclusion), check.Title, check.Summary, check.ExternalID
	return run
}

// named is a check with its head and an identifier of its owner.
func (c *headCheck) named(check gh.Check) gh.Check {
	check.Name, check.HeadSHA, check.DetailsURL = CheckName, c.pull.HeadSHA, c.runner.DetailsURL
	if check.ExternalID != "" {
		return check
	}
	check.ExternalID = checkID(c.pull, c.session)
	if check.Conclusion == "" { // GitHub remembers when it was begun for the first time
		check.ExternalID += "@" + strconv.FormatInt(c.runner.Now().Unix(), 10)
	}
	return check
}

// saysAlready reports whether our check run has this text.
func (c *headCheck) saysAlready(check gh.Check, skipped bool) bool {
	if skipped {
		check.ExternalID = c.own.ExternalID
	}
	return c.own == saying(c.own, check)
}

// states are the states of a commit status. It has no neutral state and is pending
// instead, so a required status stays open.
var states = map[debate.Conclusion]gh.StatusState{
	debate.Success: gh.StatusSuccess, debate.Failure: gh.StatusFailure, debate.ActionRequired: gh.StatusFailure, debate.Neutral: gh.StatusPending,
}

// writeStatus writes the commit status.
func (c *headCheck) writeStatus(ctx context.Context, check gh.Check) error {
	state, known := states[check.Conclusion]
	status := gh.Status{
		HeadSHA: c.pull.HeadSHA, Context: CheckName, TargetURL: c.runner.DetailsURL, Description: comment.Clip(check.Title, 140), State: state,
	}
	switch {
	case !known, c.reach.denied[statuses], c.status == status:
		return nil
	}
	err := c.runner.Writer.SetStatus(ctx, status)
	if isRefusal(err) {
		c.reach.refused(statuses)
		return nil
	}
	if err != nil {
		return err
	}
	c.status = status
	c.reach.reached("status")
	return nil
}
