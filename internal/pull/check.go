package pull

import (
	"context"
	"fmt"
	"strconv"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/report"
)

// writeCheck writes the conclusion of the head's check run, if the token may. It does not
// write the same text twice. Skipped: the debate was skipped, so any session may have
// written the check.
func (p *posts) writeCheck(ctx context.Context, check gh.Check, skipped bool) error {
	check = p.named(check)
	if p.denied[checks] || p.saysAlready(check, skipped) {
		return nil
	}
	err := p.putCheck(ctx, check)
	if p.unshown = isRefusal(err); p.unshown {
		p.refused(checks)
		return nil
	}
	if err != nil {
		return err
	}
	p.said = check
	p.reached("check")
	return p.endLater(ctx)
}

// mute reports whether the token may write no check, as far as is known.
func (p *posts) mute() bool { return p.unshown || p.denied[checks] }

// showProgress writes the check run in progress. If GitHub refuses it, the conclusion is
// tried anyway.
func (p *posts) showProgress(ctx context.Context, check gh.Check) error {
	if p.mute() {
		return nil
	}
	err := p.putCheck(ctx, p.named(check))
	p.unshown = isRefusal(err)
	return unlessRefused(err)
}

// putCheck creates our check run, or updates it.
func (p *posts) putCheck(ctx context.Context, check gh.Check) error {
	if p.own.ID == 0 {
		id, err := p.runner.Writer.CreateCheck(ctx, check)
		if err != nil {
			return err
		}
		p.own, p.begun = gh.CheckRun{ID: id, Name: CheckName, Mine: true}, true
	} else if err := p.runner.Writer.UpdateCheck(ctx, p.own.ID, check); err != nil {
		return err
	}
	p.own = saying(p.own, check)
	return nil
}

// saying is a check run with the text of a check.
func saying(run gh.CheckRun, check gh.Check) gh.CheckRun {
	run.Done = check.Conclusion != ""
	run.Conclusion, run.Title, run.Summary, run.ExternalID = string(check.Conclusion), check.Title, check.Summary, check.ExternalID
	return run
}

// named is a check with its head and an identifier of its owner.
func (p *posts) named(check gh.Check) gh.Check {
	check.Name, check.HeadSHA, check.DetailsURL = CheckName, p.pull.HeadSHA, p.runner.DetailsURL
	if check.ExternalID != "" {
		return check
	}
	check.ExternalID = checkID(p.pull, p.session)
	if check.Conclusion == "" { // GitHub remembers when it was begun for the first time
		check.ExternalID += "@" + strconv.FormatInt(p.runner.Now().Unix(), 10)
	}
	return check
}

// saysAlready reports whether our check run has this text.
func (p *posts) saysAlready(check gh.Check, skipped bool) bool {
	if skipped {
		check.ExternalID = p.own.ExternalID
	}
	return p.own == saying(p.own, check)
}

// A run claims a head by our check in progress, with the name of its session. If two runs
// begin together, the one with the older check holds the head; of one check, its last
// writer. A run that does not hold the head writes nothing: it looks before its first write
// of a result, and again once the check is written.

// errClaimed ends a session because another run holds the head.
var errClaimed error = meanwhile("another run reviews this head")

// claim shows that this run reviews the head, and then confirms that it holds it. The
// debate is about to ask models, or to write.
func (p *posts) claim(ctx context.Context, state debate.State) error {
	p.started = true
	if p.own.ID != 0 { // it is overwritten, so read it again first
		if err := p.confirm(ctx); err != nil {
			return err
		}
	}
	if err := p.showProgress(ctx, gh.Check{Title: titleBegun, Summary: report.Progress(state)}); err != nil || p.mute() {
		return err
	}
	p.claims = true
	return p.confirm(ctx)
}

// confirm reads our check runs again and returns an error if another run holds the head.
// If the token may not read them, no run can claim it.
func (p *posts) confirm(ctx context.Context) error {
	if p.denied[checks] {
		return nil
	}
	runs, err := p.runner.Reader.Checks(ctx, p.pull.HeadSHA, CheckName)
	switch {
	case isRefusal(err):
		return nil
	case err != nil:
		return fmt.Errorf("read the check runs of %s: %w", short(p.pull.HeadSHA), err)
	}
	return p.judge(runs)
}

// judge returns an error if another run holds the head, by our check runs from the oldest
// to the newest.
func (p *posts) judge(runs []gh.CheckRun) error {
	p.later, p.holder = nil, gh.CheckRun{}
	for _, run := range runs {
		ours, later := run.ID == p.own.ID, p.claims && run.ID > p.own.ID
		switch {
		case !run.Mine:
		case !ours && run.ID <= p.stood.ID: // it stood there when this run began
		case ownerOf(run).pull != p.pull.Number: // a run for another pull request with the same head wrote it
			p.own = run
			if elsewhere(run, p.pull, p.siblings) != "" {
				p.stood = run
			}
		case ours && run.ExternalID == p.own.ExternalID, later && run.Done:
		case later:
			p.later = append(p.later, run.ID)
		case p.holder.ID == 0:
			p.holder = run
		}
	}
	if p.holder.ID != 0 {
		return errClaimed
	}
	return nil
}

// endLater ends the checks of later runs that left the head to this one: a branch rule
// uses the newest.
func (p *posts) endLater(ctx context.Context) error {
	for _, id := range p.later {
		if err := unlessRefused(p.runner.Writer.UpdateCheck(ctx, id, p.said)); err != nil {
			return err
		}
	}
	p.later = nil
	return nil
}

// titleBegun is the title of the check when the debate begins.
const titleBegun = "the debate has begun"
