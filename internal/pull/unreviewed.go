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
		return s.restore(ctx)
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

// restore sees to it that the check of a head whose debate is not remembered says
// what the review came to, as far as that is known (T47, R29), and that one which is
// neutral from a time without a gate holds a merge up now that the gate is required.
// A state that nothing seals makes no check good (S10).
func (s *session) restore(ctx context.Context) error {
	if s.pull.State != gh.Open || s.memo.Unchecked || s.memo.Conclusion == "" && s.sealed {
		return nil
	}
	if err := s.readCheck(ctx); err != nil || s.checksRefused != nil {
		return err
	}
	if s.underWay() {
		return nil
	}
	want, title := s.shared(s.memo.Conclusion), "as reviewed"
	why := "The check did not say what the review of this head came to. The summary comment says how it stands."
	if want == debate.Neutral && s.setup.Config.Gate == debate.Required {
		want, title = debate.Failure, "not passed"
		why = "What the review of this head left open is no success, and the gate is required since: somebody with write access has to comment /debate run."
	}
	stands := rank(debate.Conclusion(s.stood.Conclusion))
	own := s.stood.Done && s.stood.ExternalID == external(s.pull.Number)+s.memo.Debate.SessionID
	switch {
	case s.foreign() != 0 && stands >= rank(want), own && s.stood.Conclusion == string(want), own && !s.sealed && stands > rank(want):
		return nil
	case !s.sealed && rank(want) < rank(debate.ActionRequired):
		want, title = debate.ActionRequired, "not known"
		why = "The check did not say what the review of this head came to, and nothing that is sealed says it: somebody with write access has to comment /debate run."
	}
	if err := s.still(ctx); err != nil {
		return err
	}
	return s.check(ctx, gh.Check{
		Conclusion: want, Title: title, Summary: comment.MarkdownLine(why), ExternalID: external(s.pull.Number) + s.memo.Debate.SessionID,
	})
}
