package pull

import (
	"context"
	"fmt"
	"slices"

	"github.com/prdebate/debate/internal/comment"
)

// maxMentioned bounds the requested reviewers in the mentions of an issue.
const maxMentioned = 3

// findReviewers looks up the requested reviewers with the right to decide before an issue
// is written, unless the settings name its readers. If the token may not, the issue
// mentions none.
func (h *hand) findReviewers(ctx context.Context, s *Snapshot, items []comment.Item) error {
	writes := slices.ContainsFunc(items, func(i comment.Item) bool { return i.Body != "" })
	if !writes || len(s.config.Escalation.Notify) > 0 {
		return nil
	}
	asked, err := h.runner.Reader.Reviewers(ctx, h.pull.Number)
	if err := unlessRefused(err); err != nil {
		return fmt.Errorf("read who was asked to review #%d: %w", h.pull.Number, err)
	}
	h.reviewers = nil
	for _, who := range asked[:min(len(asked), maxMentioned)] {
		may, _, err := h.runner.ask(ctx, who.Login)
		if err != nil {
			return err
		}
		people := s.people.with(who.Login, may)
		if people.mayDecide(people.actor(who)) {
			h.reviewers = append(h.reviewers, who.Login)
		}
	}
	return nil
}
