package pull

import (
	"context"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
)

// unreviewed sees to it that a check lets nothing through by accident where nothing
// will review the head, because somebody paused or stopped automatic runs: one that
// a skip left, or one of an older review of a head that was pushed back to.
func (s *session) unreviewed(ctx context.Context) error {
	if s.repeated() {
		return s.shut(ctx)
	}
	silenced := s.wishes.paused || s.held(s.wishes)
	if !silenced || s.trigger.Cause != Changed && s.trigger.Cause != Swept || s.known() || s.pull.State != gh.Open || s.pull.Draft {
		return nil
	}
	if err := s.readCheck(ctx); err != nil || s.checksRefused != nil || !s.stood.Done {
		return err
	}
	stands := debate.Conclusion(s.stood.Conclusion)
	want, why := debate.ActionRequired, "Nobody has reviewed this head, and automatic runs are paused or stopped: somebody with write access has to comment /debate run."
	switch {
	case rank(stands) >= rank(debate.ActionRequired):
		return nil
	case rank(s.memo.Conclusion) >= rank(debate.ActionRequired):
		want, why = s.memo.Conclusion, "What the latest review of this pull request came to holds until this head is reviewed: somebody with write access has to comment /debate run."
	case stands == debate.Success: // it was reviewed before, whole
		return nil
	}
	return s.check(ctx, gh.Check{Conclusion: want, Title: "not reviewed", Summary: comment.MarkdownLine(why)})
}

// shut sees to it that a check which is neutral from a time without a gate holds a
// merge up now that the gate is required, where the review is not remembered and is
// not held again for that.
func (s *session) shut(ctx context.Context) error {
	if s.setup.Config.Gate != debate.Required || s.pull.State != gh.Open {
		return nil
	}
	if err := s.readCheck(ctx); err != nil || s.checksRefused != nil || !s.stood.Done || s.stood.Conclusion != string(debate.Neutral) {
		return err
	}
	why := "What the review of this head left open is no success, and the gate is required since: somebody with write access has to comment /debate run."
	return s.check(ctx, gh.Check{Conclusion: debate.Failure, Title: "not passed", Summary: comment.MarkdownLine(why)})
}
