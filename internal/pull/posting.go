package pull

import (
	"context"
	"fmt"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/report"
)

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
	body := report.Posted(e, report.Pull{RepositoryURL: r.Pull.Repository.URL, Head: state.Snapshot.HeadSHA, By: by, Unreviewed: report.Unreviewed(state)})
	id, err := r.writer.PostReview(ctx, r.Pull.Number, gh.NewReview{
		HeadSHA: state.Snapshot.HeadSHA, Body: comment.Mark(string(body), marker.String()), Marker: marker.String(),
	})
	if err != nil {
		return "", err
	}
	return reviewURL(r.Pull, id), nil
}
