package gh

import (
	"context"
	"fmt"
)

// MergeBase is the commit from which a head goes on, as it stands to the tip of a branch. It is
// another one once the branch has some of the commits of the head.
func (r *Reader) MergeBase(ctx context.Context, baseTip, head string) (string, error) {
	what := fmt.Sprintf("find where %.12s left the base", head)
	if err := commitIDs(what, baseTip, head); err != nil {
		return "", err
	}
	mergeBase, _, err := r.comparison(ctx, what, baseTip, head)
	return mergeBase, err
}
