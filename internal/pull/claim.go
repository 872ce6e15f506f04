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

// A run claims a head by our check in progress, which names the session of the run.
// Of two runs that begin together the one that made the older check holds the head;
// of one check, the run that wrote it last. Who does not hold it writes nothing.

// errClaimed ends a session whose head another run holds.
var errClaimed error = meanwhile("another run reviews this head")

// kind is what a run writes on GitHub, as far as a look precedes it.
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

// claim shows that this run reviews the head, and looks whether it holds it then. The
// debate is about to ask models, or to write.
func (c *headCheck) claim(ctx context.Context, state debate.State) error {
	c.started = true
	if c.own.ID != 0 { // it is written over, whoever wrote it since the run began
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
	if runs, known := c.justSeen(); known && c.judge(runs) == nil {
		return nil
	}
	return c.confirm(ctx) // what a poll saw may be older than that
}

// confirm looks at our check runs again, and reports as an error that another run
// holds the head. Where they may not be read, nobody can claim it.
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

// judge reports as an error that another run holds the head, by our check runs from the
// oldest to the newest.
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

// compare notes what a check run of ours, one of several from the oldest to the
// newest, says about who holds the head.
func (c *headCheck) compare(run gh.CheckRun) {
	ours, later := run.ID == c.own.ID, c.claims && run.ID > c.own.ID
	if ours {
		c.own.App = run.App
	}
	switch {
	case !ours && run.ID <= c.stood.ID: // it stood there when this run began
	case !strings.HasPrefix(run.ExternalID, external(c.pull.Number)): // a run for another pull request with the same head wrote it
		c.again(run)
	case ours && run.ExternalID == c.own.ExternalID, later && run.Done:
	case later:
		c.later = append(c.later, run.ID)
	case c.holder.ID == 0:
		c.holder = run
	}
}

// endLater ends the checks of runs that came later, and that left the head to this one:
// a branch rule goes by the newest.
func (c *headCheck) endLater(ctx context.Context) error {
	for _, id := range c.later {
		if err := unlessRefused(c.runner.Writer.UpdateCheck(ctx, id, c.said)); err != nil {
			return err
		}
	}
	c.later = nil
	return nil
}

// leave leaves the head to the run that holds it. A check that this run made says what
// that one came to, or is ended by it.
func (c *headCheck) leave(ctx context.Context) {
	switch {
	case !c.begun, !c.holder.Done, c.holder.ID == c.own.ID:
		return
	}
	if err := c.putCheck(ctx, c.named(asItStood(c.holder))); err != nil {
		c.runner.say("the check could not be ended: %v", err)
	}
}

// titleBegun is the title of the check of a debate that has begun.
const titleBegun = "the debate has begun"

// takesOver reports whether a debate about the head went on when a run began.
func takesOver(s *Snapshot) bool {
	return !s.checks.own.Done && s.ownCheck()
}

// readAgain reads again what stands on the pull request, where this run took the head over
// from another one, which may have written until then.
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
