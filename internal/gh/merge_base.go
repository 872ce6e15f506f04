package gh

import (
	"context"
	"fmt"
)

// MergeBase returns the merge base of a head and the tip of a branch. It changes if the
// branch takes over commits of the head.
func (r *Reader) MergeBase(ctx context.Context, baseTip, head string) (string, error) {
	what := fmt.Sprintf("find where %.12s left the base", head)
	if err := commitIDs(what, baseTip, head); err != nil {
		return "", err
	}
	mergeBase, _, err := r.comparison(ctx, what, baseTip, head)
	return mergeBase, err
}
