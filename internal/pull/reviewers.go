package pull

import (
	"context"
	"fmt"
	"slices"

	"github.com/prdebate/debate/internal/comment"
)

// maxMentioned bounds the requested reviewers whom an issue mentions.
const maxMentioned = 3

// findReviewers asks who was to review the pull request and may decide, before an issue
// is written whose readers the settings do not name. Where the token may not ask, the
// issue mentions nobody.
func (s *session) findReviewers(ctx context.Context) error {
	writes := slices.ContainsFunc(s.settlement().questions().wantItems(), func(i comment.Item) bool { return i.Body != "" })
	if !writes || len(s.snap.config.Escalation.Notify) > 0 {
		return nil
	}
	asked, err := s.runner.Hub.Reviewers(ctx, s.snap.pull.Number)
	if err != nil && !isRefusal(err) {
		return fmt.Errorf("read who was asked to review #%d: %w", s.snap.pull.Number, err)
	}
	s.hand.reviewers = nil
	for _, who := range asked[:min(len(asked), maxMentioned)] {
		may, _, err := s.runner.ask(ctx, who.Login)
		if err != nil {
			return err
		}
		people := s.snap.people.with(who.Login, may)
		if ok, _ := people.mayDecide(people.actor(who)); ok {
			s.hand.reviewers = append(s.hand.reviewers, who.Login)
		}
	}
	return nil
}
