package pull

import (
	"context"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/engine"
	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/policy"
)

// Reading is a pull request that somebody reviews elsewhere than on GitHub. Nothing is
// written on it but what Post posts.
type Reading struct {
	Pull   gh.Pull
	First  debate.Received // the first event of the debate
	Review *engine.Review  // without a log and a publisher

	hearing *hearing
	writer  Writer // of what somebody posts
}

// Read reads a pull request as it is now, with the settings of its base side. What people
// said on it commands nothing, and neither its state nor its labels stand in the way:
// somebody asks for the review. One that was merged is read as it was before.
func (r *Runner) Read(ctx context.Context, number int) (*Reading, error) {
	job := *r
	job.Reader, job.Writer = beforeMerge{r.Reader}, nil
	s, setup, err := job.open(ctx, Trigger{Cause: Asked, Number: number})
	if err != nil {
		setup.close()
		return nil, err
	}
	asked := Plan{action: fresh, commands: commands{run: &request{}}}
	h := &hearing{runner: &job, setup: setup, snap: s, plan: asked, ledger: &ledger{}}
	reading := &Reading{Pull: s.pull, hearing: h, writer: r.Writer}
	if reading.First, err = reading.begin(ctx, &job); err != nil {
		reading.Close()
		return nil, err
	}
	h.review.Subject.PullRequest = policy.PullRequest{Asked: true}
	h.review.Checks = reading.evidence
	reading.Review = h.review
	return reading, nil
}

// begin reads what the first event of the debate needs.
func (r *Reading) begin(ctx context.Context, job *Runner) (first debate.Received, err error) {
	s := r.hearing.snap
	if err := job.readPeople(ctx, s, s.linked().whoEdited()); err != nil {
		return first, err
	}
	s.notes = nil // whose word does not count has nothing to say here
	if s.checks, err = job.readChecks(ctx, s.pull.HeadSHA); err != nil {
		return first, err
	}
	return r.hearing.prepare(ctx)
}

// evidence is what other tools found about the head, and says where it could not be read.
func (r *Reading) evidence(ctx context.Context) ([]debate.Run, error) {
	known := len(r.hearing.notes)
	runs, err := r.hearing.evidence(ctx)
	for _, note := range r.hearing.notes[known:] {
		r.hearing.runner.say("%s", note)
	}
	return runs, err
}

// Close ends what was opened.
func (r *Reading) Close() {
	r.hearing.close()
	r.hearing.setup.close()
}

// beforeMerge reads a merged pull request as it was before: the tip of its base has the
// change by now, and the settings that the change brought.
type beforeMerge struct{ Reader }

func (b beforeMerge) Pull(ctx context.Context, number int) (gh.Pull, error) {
	p, err := b.Reader.Pull(ctx, number)
	if p.State == gh.Merged {
		p.BaseSHA = p.BaseThen
	}
	return p, err
}
