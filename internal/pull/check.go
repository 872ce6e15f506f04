package pull

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/report"
)

// headCheck is our check of the head: its text, and the run that holds the head.
type headCheck struct {
	runner   *Runner
	pull     gh.Pull
	posts    *posts
	siblings []int  // other open pull requests with the same head, by the last poll
	session  string // of the debate, once there is one

	own    gh.CheckRun // as far as this run knows by now, the zero value if there is none
	stood  gh.CheckRun // our check run when the run began
	status gh.Status   // as last set

	started bool // the debate is about to ask models, or to write
	begun   bool // this run made the check
	unshown bool // the last write of the check was refused
	claims  bool // this run claimed the head in its check

	looked kind        // the kind of write since the last look at the holder of the head
	holder gh.CheckRun // of another run that holds the head, the zero value if there is none
	later  []int64     // checks of runs that left the head to this one
	said   gh.Check    // the conclusion by this run
}

// writeCheck writes the conclusion of the head's check run, or a commit status if the
// token may write no checks. It does not write the same text twice. Skipped: the debate
// was skipped, so any session may have written the check.
func (c *headCheck) writeCheck(ctx context.Context, check gh.Check, skipped bool) error {
	check = c.named(check)
	switch {
	case c.posts.denied[checks]:
		return c.writeStatus(ctx, check)
	case c.saysAlready(check, skipped):
		return nil
	}
	err := c.putCheck(ctx, check)
	if c.unshown = isRefusal(err); c.unshown {
		c.posts.refused(checks)
		return c.writeStatus(ctx, check)
	}
	if err != nil {
		return err
	}
	c.said = check
	c.posts.reached("check")
	return c.endLater(ctx)
}

// mute reports whether the token may write no check, as far as is known.
func (c *headCheck) mute() bool { return c.unshown || c.posts.denied[checks] }

// showProgress writes the check run in progress. If GitHub refuses it, the conclusion is
// tried anyway.
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
	case !known, c.posts.denied[statuses], c.status == status:
		return nil
	}
	err := c.runner.Writer.SetStatus(ctx, status)
	if isRefusal(err) {
		c.posts.refused(statuses)
		return nil
	}
	if err != nil {
		return err
	}
	c.status = status
	c.posts.reached("status")
	return nil
}

// A run claims a head by our check in progress, with the name of its session. If two runs
// begin together, the one with the older check holds the head; of one check, its last
// writer. A run that does not hold the head writes nothing.

// errClaimed ends a session because another run holds the head.
var errClaimed error = meanwhile("another run reviews this head")

// kind is a group of writes on GitHub; a look at the holder precedes each.
type kind string

const (
	kindIssue   kind = "issue"
	kindReview  kind = "review"
	kindSummary kind = "summary"
)

// kindOf is the kind of a write, "" for an answer or a reaction.
func kindOf(w comment.Write) kind {
	switch w.(type) {
	case comment.CreateIssue, comment.EditIssue, comment.CommentIssue:
		return kindIssue
	case comment.PostReview, comment.EditInline, comment.Hide:
		return kindReview
	case comment.CreateSummary, comment.EditSummary:
		return kindSummary
	}
	return ""
}

// claim shows that this run reviews the head, and then confirms that it holds it. The
// debate is about to ask models, or to write.
func (c *headCheck) claim(ctx context.Context, state debate.State) error {
	c.started = true
	if c.own.ID != 0 { // it is overwritten, so read it again first
		if err := c.confirm(ctx); err != nil {
			return err
		}
	}
	if err := c.showProgress(ctx, gh.Check{Title: titleBegun, Summary: report.Progress(state)}); err != nil || c.mute() {
		return err
	}
	c.claims = true
	return c.confirm(ctx)
}

// confirmFor looks again before the first write of a kind.
func (c *headCheck) confirmFor(ctx context.Context, k kind) error {
	if k == "" || k == c.looked {
		return nil
	}
	c.looked = k
	return c.confirm(ctx)
}

// confirm reads our check runs again and returns an error if another run holds the head.
// If the token may not read them, no run can claim it.
func (c *headCheck) confirm(ctx context.Context) error {
	if c.posts.denied[checks] {
		return nil
	}
	runs, err := c.runner.Reader.ChecksNamed(ctx, c.pull.HeadSHA, CheckName)
	switch {
	case isRefusal(err):
		return nil
	case err != nil:
		return fmt.Errorf("read the check runs of %s: %w", short(c.pull.HeadSHA), err)
	}
	return c.judge(runs)
}

// judge returns an error if another run holds the head, by our check runs from the oldest
// to the newest.
func (c *headCheck) judge(runs []gh.CheckRun) error {
	c.later, c.holder = nil, gh.CheckRun{}
	for _, run := range runs {
		if run.Mine {
			c.compare(run)
		}
	}
	if c.holder.ID != 0 {
		return errClaimed
	}
	return nil
}

// compare learns the holder of the head from one of our check runs. They come from the
// oldest to the newest.
func (c *headCheck) compare(run gh.CheckRun) {
	ours, later := run.ID == c.own.ID, c.claims && run.ID > c.own.ID
	switch {
	case !ours && run.ID <= c.stood.ID: // it stood there when this run began
	case !strings.HasPrefix(run.ExternalID, external(c.pull.Number)): // a run for another pull request with the same head wrote it
		c.own = run
		if elsewhere(run, c.pull, c.siblings) != "" {
			c.stood = run
		}
	case ours && run.ExternalID == c.own.ExternalID, later && run.Done:
	case later:
		c.later = append(c.later, run.ID)
	case c.holder.ID == 0:
		c.holder = run
	}
}

// endLater ends the checks of later runs that left the head to this one: a branch rule
// uses the newest.
func (c *headCheck) endLater(ctx context.Context) error {
	for _, id := range c.later {
		if err := unlessRefused(c.runner.Writer.UpdateCheck(ctx, id, c.said)); err != nil {
			return err
		}
	}
	c.later = nil
	return nil
}

// leave leaves the head to its holder. If this run made a check, it gets the text of the
// holder's check, or the holder ends it.
func (c *headCheck) leave(ctx context.Context) {
	switch {
	case !c.begun, !c.holder.Done, c.holder.ID == c.own.ID:
		return
	}
	if err := c.putCheck(ctx, c.named(asItStood(c.holder))); err != nil {
		c.runner.say("the check could not be ended: %v", err)
	}
}

// titleBegun is the title of the check when the debate begins.
const titleBegun = "the debate has begun"
