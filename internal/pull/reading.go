package pull

import (
	"context"
	"fmt"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/engine"
	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/policy"
	"github.com/prdebate/debate/internal/report"
)

// Reading is a pull request for a review outside of GitHub. Only Post writes on it.
type Reading struct {
	Pull   gh.Pull
	First  debate.Received // the first event of the debate
	Review *engine.Review  // without a log and a publisher

	session *session
	writer  Writer // for Post
}

// Read reads a pull request as it is now, with the settings of its base branch. It
// ignores commands on it, its state and its labels: a person asks for the review. A
// merged one is read as before the merge.
func (r *Runner) Read(ctx context.Context, number int) (_ *Reading, err error) {
	job := *r
	job.Writer = nil
	s, setup, err := job.open(ctx, Trigger{Cause: Asked, Number: number, unmerged: true})
	if err != nil {
		setup.close()
		return nil, err
	}
	asked := Plan{action: fresh, commands: commands{run: &request{}}}
	reading := &Reading{Pull: s.Pull, session: newSession(&job, setup, s, asked), writer: r.Writer}
	defer func() {
		if err != nil {
			reading.Close()
		}
	}()
	if err := job.readPeople(ctx, s, s.whoEdited()); err != nil {
		return nil, err
	}
	s.Notes = nil // notes about people do not matter here
	if s.Checks, err = job.readChecks(ctx, s.Pull.HeadSHA); unlessRefused(err) != nil {
		return nil, err
	}
	if reading.First, err = reading.session.prepare(ctx); err != nil {
		return nil, err
	}
	reading.Review = reading.session.review
	reading.Review.Subject.PullRequest = policy.PullRequest{Asked: true}
	return reading, nil
}

// Close closes the change and the setup.
func (r *Reading) Close() {
	r.session.close()
}

// Post posts the result of a debate as one comment-only review, in the name of by. It
// writes no check, status, summary, label or issue, and no comment on a line, because its
// text would count as the words of that person there. The action ignores this review. The
// same result for the same head is not posted twice.
func (r *Reading) Post(ctx context.Context, state debate.State, by string) (address string, err error) {
	e := report.FromState(state)
	var said []string
	for _, findings := range e.Lists() {
		for _, f := range *findings {
			said = append(said, fmt.Sprintf("%s %s %s", f.Bucket, report.Place(f), f.Title))
		}
	}
	marker := comment.Marker{Kind: comment.PostedMark, Value: comment.ReviewValue(state.Snapshot.HeadSHA, said)}
	for _, before := range r.Pull.Reviews {
		if m, _ := ownMark(before.Mine, before.Body, comment.PostedMark); m == marker {
			return reviewURL(r.Pull, before.ID), nil
		}
	}
	body := report.Posted(e, report.Pull{RepositoryURL: r.Pull.Repository.URL, Head: state.Snapshot.HeadSHA, By: by})
	id, err := r.writer.PostReview(ctx, r.Pull.Number, gh.NewReview{
		HeadSHA: state.Snapshot.HeadSHA, Body: comment.Mark(string(body), marker.String()), Marker: marker.String(),
	})
	if err != nil {
		return "", err
	}
	return reviewURL(r.Pull, id), nil
}
