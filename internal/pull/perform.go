package pull

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/lists"
)

// hand writes the plan on GitHub, and keeps the board up to date.
type hand struct {
	*board
	runner *Runner
	check  *headCheck
}

// write makes the writes in their order. It notes refusals for lack of rights, and
// returns questions without an issue to the protocol.
func (h *hand) write(ctx context.Context, writes []comment.Write, decisions []debate.Decision) ([]debate.SinkFailed, error) {
	var refused []debate.SinkFailed
	for _, w := range writes {
		if err := h.check.confirmFor(ctx, kindOf(w)); err != nil {
			return refused, err
		}
		err := h.one(ctx, w)
		_, opens := w.(comment.CreateIssue)
		switch {
		case err == nil:
		case !isRefusal(err):
			return refused, err
		case opens:
			h.note("no issue could be opened (issues: write), so the question is in another place: " + comment.Clip(err.Error(), 300))
			refused = append(refused, failed(waitingIn(decisions, debate.SinkIssue), debate.SinkIssue, err)...)
		default:
			h.deny(w, err)
		}
	}
	return refused, nil
}

// deny notes a refused write, and the reason.
func (h *hand) deny(w comment.Write, err error) {
	what := comments
	switch w.(type) {
	case comment.PostReview, comment.EditInline:
		what = reviews
	case comment.EditIssue, comment.CommentIssue:
		what = issues
	case comment.React: // a missing reaction is no loss
		h.denied[reactions] = true
		return
	}
	var no *gh.RefusedError
	if errors.As(err, &no) {
		h.denied[what] = true
		h.note("GitHub refused " + what + ": " + no.Message)
		return
	}
	h.refused(what)
}

// one makes one write and updates the board.
func (h *hand) one(ctx context.Context, w comment.Write) error {
	switch w := w.(type) {
	case comment.CreateIssue:
		return h.createIssue(ctx, w)
	case comment.EditIssue:
		return h.editIssue(ctx, w)
	case comment.CommentIssue:
		return h.commentIssue(ctx, w)
	case comment.PostReview:
		return h.postReview(ctx, w)
	case comment.EditInline:
		return h.editInline(ctx, w)
	case comment.Fold:
		return h.fold(ctx, w)
	case comment.CreateSummary:
		return h.createSummary(ctx, w)
	case comment.EditSummary:
		if err := h.runner.Writer.EditComment(ctx, w.ID, w.Body); err != nil {
			return err
		}
		h.editedSummary(w.ID, w.Body)
		h.reached("summary")
		return nil
	case comment.PostReply:
		return h.postReply(ctx, w)
	case comment.React:
		if err := h.runner.Writer.React(ctx, w.To.ID, w.To.InThread, gh.Reaction(w.Reaction)); err != nil {
			return err
		}
		h.have.Reacted[comment.Reacted(w)] = true
		return nil
	}
	return fmt.Errorf("no way to write %T", w)
}

func (h *hand) createIssue(ctx context.Context, w comment.CreateIssue) error {
	marker, _ := comment.Marked(w.Body, comment.DecisionMark)
	issue, err := h.runner.Writer.CreateIssue(ctx, gh.NewIssue{Title: w.Title, Body: w.Body, Labels: w.Labels, Marker: marker.String()})
	if err != nil {
		return err
	}
	issue.Body, issue.Open, issue.Mine = w.Body, true, true
	if issue.Labels == nil {
		issue.Labels = w.Labels
	}
	issue.Title = cmp.Or(issue.Title, w.Title)
	h.opened, h.number = true, issue.Number
	h.addIssue(issue)
	h.reached("issue")
	return nil
}

func (h *hand) editIssue(ctx context.Context, w comment.EditIssue) error {
	change := gh.IssueChange{Title: w.Title, Body: w.Body, Labels: w.Labels, Open: w.Open}
	if w.Open != nil && !*w.Open {
		change.Reason = gh.Completed
		if w.NotPlanned {
			change.Reason = gh.NotPlanned
		}
	}
	if err := h.runner.Writer.EditIssue(ctx, w.Number, change); err != nil {
		return err
	}
	h.edited(w)
	return nil
}

func (h *hand) commentIssue(ctx context.Context, w comment.CommentIssue) error {
	number := cmp.Or(w.Number, h.number)
	if _, err := h.runner.Writer.CreateComment(ctx, number, w.Body, comment.Marker{Kind: comment.NoteMark, Value: w.Key}.String()); err != nil {
		return err
	}
	h.changeIssue(number, func(i *gh.Issue) { i.Comments = append(slices.Clip(i.Comments), gh.Comment{Mine: true, Body: w.Body}) })
	return nil
}

func (h *hand) editInline(ctx context.Context, w comment.EditInline) error {
	if err := h.runner.Writer.EditReviewComment(ctx, w.ID, w.Body); err != nil {
		return err
	}
	update(h.have.Inline, func(c comment.HaveInline) bool { return c.ID == w.ID }, func(c *comment.HaveInline) { c.Body = w.Body })
	h.reached("review")
	return nil
}

func (h *hand) createSummary(ctx context.Context, w comment.CreateSummary) error {
	c, err := h.runner.Writer.CreateComment(ctx, h.pull.Number, w.Body, comment.Marker{Kind: comment.SummaryMark}.String())
	if err != nil {
		return err
	}
	h.have.Summaries = append(h.have.Summaries, comment.HaveComment{ID: c.ID, Body: w.Body})
	c.Body, c.Mine = w.Body, true
	h.summary, h.url = c, c.URL
	h.reached("summary")
	return nil
}

func (h *hand) postReply(ctx context.Context, w comment.PostReply) error {
	marker := w.To.Marker().String()
	var err error
	switch {
	case w.To.InThread:
		err = h.runner.Writer.Reply(ctx, h.pull.Number, w.To.ID, w.Body, marker)
	case w.On != 0:
		_, err = h.runner.Writer.CreateComment(ctx, w.On, w.Body, marker)
	default:
		_, err = h.runner.Writer.CreateComment(ctx, h.pull.Number, w.Body, marker)
	}
	if err != nil {
		return err
	}
	for _, to := range append(w.Also, w.To) {
		h.have.Replied[to] = true
	}
	return nil
}

// maxReviewTries bounds how often parts of a refused review are tried (R18).
const maxReviewTries = 8

// postReview posts the inline comments. If GitHub refuses all of them because of one that
// it does not name, it tries halves until the bad ones are alone; those go into the
// summary.
func (h *hand) postReview(ctx context.Context, w comment.PostReview) error {
	parts := []comment.PostReview{w}
	for tries := 1; len(parts) > 0; tries++ {
		part := parts[0]
		parts = parts[1:]
		err := h.postPart(ctx, part)
		var no *gh.RefusedError
		switch {
		case err == nil:
		case !errors.As(err, &no):
			return err
		case len(part.Comments) == 1, tries >= maxReviewTries:
			h.note(fmt.Sprintf("GitHub took no comment for %d of the findings (%s); they stand here in full", len(part.Comments), no.Message))
		default:
			parts = append(halves(part), parts...)
		}
	}
	return nil
}

func (h *hand) postPart(ctx context.Context, w comment.PostReview) error {
	review := gh.NewReview{HeadSHA: w.HeadSHA, Body: w.Body, Marker: w.Marker}
	review.Comments = lists.Map(w.Comments, func(in comment.Inline) gh.NewInline {
		return gh.NewInline{Path: in.Path, Side: in.Side, StartLine: in.StartLine, Line: in.Line, Body: in.Body}
	})

	id, err := h.runner.Writer.PostReview(ctx, h.pull.Number, review)
	if err != nil {
		return err
	}
	made, err := h.runner.Writer.ReviewComments(ctx, h.pull.Number, id)
	if err != nil { // then the summary leads to the review
		h.runner.say("the comments of the review could not be read: %v", err)
	}
	for _, in := range w.Comments {
		h.have.Inline = append(h.have.Inline, comment.HaveInline{Key: in.Key, Body: in.Body})
		h.links[in.FID] = threadURL(made, in, reviewURL(h.pull, id))
		h.reached("review")
	}
	return nil
}

// threadURL is the address of an inline comment, or else of its review.
func threadURL(made []gh.Comment, in comment.Inline, review string) string {
	at := lists.Find(made, func(c gh.Comment) bool {
		m, _ := ownMark(c.Mine, c.Body, comment.FindingMark)
		return m.Value == in.Key
	})
	return cmp.Or(at.URL, review)
}

// halves are a review as two reviews.
func halves(w comment.PostReview) []comment.PostReview {
	first, second := comment.Bisect(w.Comments)
	var parts []comment.PostReview
	for _, list := range [][]comment.Inline{first, second} {
		keys := lists.Map(list, func(in comment.Inline) string { return in.Key })
		m := comment.Marker{Kind: comment.ReviewMark, Value: comment.ReviewValue(w.HeadSHA, keys)}.String()
		parts = append(parts, comment.PostReview{HeadSHA: w.HeadSHA, Body: comment.Mark(reviewText(len(list)), m), Marker: m, Comments: list})
	}
	return slices.DeleteFunc(parts, func(p comment.PostReview) bool { return len(p.Comments) == 0 })
}

// putItems puts questions without an issue into a comment, and returns a refusal to the
// protocol.
func (h *hand) putItems(ctx context.Context, asked []debate.Decision, body string) (refused []debate.SinkFailed, err error) {
	err = h.putItemComment(ctx, asked, body)
	switch {
	case err == nil:
		h.reached("comment")
		return nil, nil
	case !isRefusal(err):
		return nil, err
	}
	return failed(asked, debate.SinkComment, err), nil
}

// failed tells the protocol that a sink takes no questions.
func failed(asked []debate.Decision, sink debate.Sink, err error) []debate.SinkFailed {
	return lists.Map(asked, func(d debate.Decision) debate.SinkFailed {
		return debate.SinkFailed{Decision: d.ID, Sink: sink, Reason: comment.Clip(err.Error(), 300)}
	})

}

// putItemComment puts questions without an issue into a comment on the pull request. For
// a check or an artifact, the check run and the report are enough.
func (h *hand) putItemComment(ctx context.Context, asked []debate.Decision, body string) error {
	var own *gh.Comment
	for _, d := range asked {
		own = cmp.Or(own, itemComment(h.comments, d.Fingerprint))
	}
	if own == nil {
		marker, _ := comment.Marked(body, comment.DecisionMark)
		c, err := h.runner.Writer.CreateComment(ctx, h.pull.Number, body, marker.String())
		if err != nil {
			return err
		}
		c.Body, c.Mine = body, true
		h.comments = append(h.comments, c)
		own = &c
	} else if !slices.Equal(questionsIn(own.Body), questionsIn(body)) {
		if err := h.runner.Writer.EditComment(ctx, own.ID, body); err != nil {
			return err
		}
		own.Body = body
	}
	for _, d := range asked {
		h.links[d.ID] = own.URL
	}
	return nil
}

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
