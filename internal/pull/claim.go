package pull

import (
	"context"
	"fmt"
	"strings"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/report"
)

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
	case comment.PostReview, comment.EditInline, comment.Fold:
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
	if c.reach.denied[checks] {
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

// takesOver reports whether a debate about the head was under way when a run began.
func takesOver(s *Snapshot) bool { return !s.checks.own.Done && s.ownCheck() }

// readAgain reads the pull request again. This run took over the head from another one,
// and that one may have written until then.
func (h *hand) readAgain(ctx context.Context, s *Snapshot) error {
	p, err := h.runner.Reader.Pull(ctx, h.pull.Number)
	if err != nil {
		return fmt.Errorf("read pull request #%d again: %w", h.pull.Number, err)
	}
	now := *s
	now.pull.Comments, now.pull.Threads, now.pull.Reviews = p.Comments, p.Threads, p.Reviews
	issues := h.have.Issues
	h.have = haveOf(&now)
	h.have.Issues, h.comments = issues, p.Comments
	return nil
}
