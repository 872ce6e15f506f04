package pull

import (
	"context"
	"slices"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/lists"
)

// fold closes threads or reopens them. It resolves them if the token may, else it hides
// their comments as resolved. A refusal by GitHub is no loss: the comments themselves
// tell the end of their findings.
func (h *hand) fold(ctx context.Context, w comment.Fold) error {
	if w.Open {
		return h.unfold(ctx, w.Threads)
	}
	resolved, err := h.resolve(ctx, w.Threads, true)
	if err != nil || resolved {
		return err
	}
	return h.hide(ctx, w.Threads, true)
}

// unfold reverses the way in which each thread was closed.
func (h *hand) unfold(ctx context.Context, list []comment.HaveInline) error {
	closed := lists.Keep(list, func(c comment.HaveInline) bool { return c.Resolved })
	if _, err := h.resolve(ctx, closed, false); err != nil {
		return err
	}
	return h.hide(ctx, lists.Keep(list, func(c comment.HaveInline) bool { return c.Hidden }), false)
}

// resolve resolves threads or opens them again, and reports whether the token may.
func (h *hand) resolve(ctx context.Context, list []comment.HaveInline, on bool) (may bool, err error) {
	if len(list) == 0 {
		return true, nil
	}
	threads := lists.Map(list, func(c comment.HaveInline) string { return c.Thread })
	if err := h.runner.Writer.Resolve(ctx, threads, on); err != nil {
		return false, unlessRefused(err)
	}
	h.each(list, func(c *comment.HaveInline) { c.Resolved = on })
	return true, nil
}

// hide hides comments as resolved or shows them again, as far as the token may.
func (h *hand) hide(ctx context.Context, list []comment.HaveInline, on bool) error {
	if len(list) == 0 {
		return nil
	}
	nodes := lists.Map(list, func(c comment.HaveInline) string { return c.Node })
	if err := h.runner.Writer.Minimize(ctx, nodes, on); err != nil {
		return unlessRefused(err)
	}
	h.each(list, func(c *comment.HaveInline) { c.Hidden = on })
	return nil
}

// each changes inline comments on the board.
func (h *hand) each(list []comment.HaveInline, change func(*comment.HaveInline)) {
	among := func(c comment.HaveInline) bool {
		return slices.ContainsFunc(list, func(one comment.HaveInline) bool { return one.ID == c.ID })
	}
	update(h.have.Inline, among, change)
}
