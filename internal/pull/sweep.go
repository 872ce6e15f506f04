package pull

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/prdebate/debate/internal/comment"
)

// The bounds of one sweep.
const (
	maxSwept  = 100 // pull requests
	sweepBack = 90 * 24 * time.Hour
)

// Sweep looks at every open pull request, and at closed ones with an open decision. It
// makes up for lost events, and begins no review without a cause. A failure on one does
// not stop the others. Each is the work on one of them: Run, or Publish if another job
// asks the models.
func (r *Runner) Sweep(ctx context.Context, label string, each func(context.Context, Trigger) (Result, error)) ([]Result, error) {
	numbers, err := r.Reader.ChangedPulls(ctx, time.Time{})
	if err != nil {
		return nil, fmt.Errorf("list the open pull requests: %w", err)
	}
	waiting, err := r.Reader.Issues(ctx, label, r.Now().Add(-sweepBack))
	if err := unlessRefused(err); err != nil {
		return nil, fmt.Errorf("list the open decisions: %w", err)
	}
	for _, issue := range waiting {
		m, asks := ownMark(issue.Mine, issue.Body, comment.DecisionMark)
		if asks && !slices.Contains(numbers, m.PR) {
			numbers = append(numbers, m.PR)
		}
	}
	if left := len(numbers) - maxSwept; left > 0 {
		r.say("%d pull requests are left for the next sweep", left)
		numbers = numbers[:maxSwept]
	}
	var results []Result
	var failed []error
	for _, number := range numbers {
		if err := ctx.Err(); err != nil {
			return results, err
		}
		result, err := each(ctx, Trigger{Cause: Swept, Number: number})
		if result.Session || len(result.Notes) > 0 {
			results = append(results, result)
		}
		if err := unlessGone(err); err != nil {
			failed = append(failed, fmt.Errorf("pull request #%d: %w", number, err))
		}
	}
	return results, errors.Join(failed...)
}
