package pull

import (
	"context"
	"errors"
	"fmt"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
)

// write carries out a plan in its order. What a token may not do is noted, and
// what an issue may not hold is told to the protocol.
func (s *session) write(ctx context.Context, plan []comment.Write) ([]debate.SinkFailed, error) {
	var refused []debate.SinkFailed
	opened := make(map[string]int) // fingerprint to issue
	for _, w := range plan {
		err := s.one(ctx, w, opened)
		switch {
		case err == nil:
		case isRefusal(err):
			if c, ok := w.(comment.CreateIssue); ok {
				s.out.note("no issue could be opened (issues: write), so that the question stands elsewhere: " + comment.Clip(err.Error(), 300))
				refused = append(refused, debate.SinkFailed{Decision: s.decisionOf(c.Fingerprint), Sink: debate.SinkIssue, Reason: comment.Clip(err.Error(), 300)})
				continue
			}
			s.deny(w, err)
		default:
			return refused, err
		}
	}
	return refused, nil
}

// deny notes that something could not be written, and why.
func (s *session) deny(w comment.Write, err error) {
	what := comments
	switch w.(type) {
	case comment.PostReview, comment.EditInline:
		what = reviews
	case comment.EditIssue, comment.CommentIssue:
		what = issues
	case comment.React:
		what = reactions
	}
	s.out.denied[what] = true
	if what == reactions {
		return // nobody misses a reaction
	}
	var no *gh.RefusedError
	if errors.As(err, &no) {
		s.out.note("GitHub refused " + what + ": " + no.Message)
		return
	}
	s.out.note("not possible with the token of this run: " + what)
}

// one carries out one write, and remembers that it stands.
func (s *session) one(ctx context.Context, w comment.Write, opened map[string]int) error {
	hub, n, o := s.runner.Hub, s.pull.Number, s.out
	switch w := w.(type) {
	case comment.CreateIssue:
		issue, err := hub.CreateIssue(ctx, gh.NewIssue{Title: w.Title, Body: w.Body, Labels: w.Labels, Marker: s.issueMarker(w.Body)})
		if err != nil {
			return err
		}
		opened[w.Fingerprint] = issue.Number
		s.opened = append(s.opened, w.Fingerprint)
		issue.Body, issue.Open, issue.Mine = w.Body, true, true
		if issue.Labels == nil {
			issue.Labels = w.Labels
		}
		if issue.Title == "" {
			issue.Title = w.Title
		}
		s.issues = append(s.issues, issue)
		s.haveIssue(&o.have, issue)
		o.reached("issue")
		return nil
	case comment.EditIssue:
		change := gh.IssueChange{Title: w.Title, Body: w.Body, Labels: w.Labels, Open: w.Open}
		if w.Open != nil && !*w.Open {
			change.Reason = gh.Completed
			if w.NotPlanned {
				change.Reason = gh.NotPlanned
			}
		}
		if err := hub.EditIssue(ctx, w.Number, change); err != nil {
			return err
		}
		o.edited(w)
		return nil
	case comment.CommentIssue:
		number := w.Number
		if number == 0 {
			number = opened[w.Fingerprint]
		}
		_, err := hub.CreateComment(ctx, number, w.Body, comment.Marker{Kind: comment.NoteMark, Value: w.Key}.String())
		for i := range o.have.Issues {
			if err == nil && o.have.Issues[i].Number == number {
				o.have.Issues[i].Noted = append(o.have.Issues[i].Noted, w.Key)
			}
		}
		return err
	case comment.PostReview:
		return s.postReview(ctx, w)
	case comment.EditInline:
		if err := hub.EditReviewComment(ctx, w.ID, w.Body); err != nil {
			return err
		}
		for i := range o.have.Inline {
			if o.have.Inline[i].ID == w.ID {
				o.have.Inline[i].Body = w.Body
			}
		}
		o.reached("review")
		return nil
	case comment.CreateSummary:
		c, err := hub.CreateComment(ctx, n, w.Body, comment.Marker{Kind: comment.SummaryMark}.String())
		if err != nil {
			return err
		}
		o.have.Summaries = append(o.have.Summaries, comment.HaveComment{ID: c.ID, Body: w.Body})
		o.url = c.URL
		c.Body, c.Mine = w.Body, true
		s.summary = &c
		o.reached("summary")
		return nil
	case comment.EditSummary:
		if err := hub.EditComment(ctx, w.ID, w.Body); err != nil {
			return err
		}
		if s.summary != nil && s.summary.ID == w.ID {
			s.summary.Body = w.Body
		}
		for i := range o.have.Summaries {
			if o.have.Summaries[i].ID == w.ID {
				o.have.Summaries[i].Body = w.Body
			}
		}
		o.reached("summary")
		return nil
	case comment.PostReply:
		marker := comment.Marker{Kind: comment.ReplyMark, Value: fmt.Sprint(w.To.ID)}.String()
		var err error
		if w.To.InThread {
			err = hub.Reply(ctx, n, w.To.ID, w.Body, marker)
		} else {
			on := n
			if w.On != 0 {
				on = w.On
			}
			_, err = hub.CreateComment(ctx, on, w.Body, marker)
		}
		if err == nil {
			o.have.Replied[w.To] = true
		}
		return err
	case comment.React:
		err := hub.React(ctx, w.To.ID, w.To.InThread, gh.Reaction(w.Reaction))
		if err == nil {
			o.have.Reacted[comment.Reacted(w)] = true
		}
		return err
	}
	return fmt.Errorf("no way to write %T", w)
}

// edited brings what is known of an issue up to date.
func (o *outbox) edited(w comment.EditIssue) {
	for i := range o.have.Issues {
		h := &o.have.Issues[i]
		if h.Number != w.Number {
			continue
		}
		if w.Title != nil {
			h.Title = *w.Title
		}
		if w.Body != nil {
			h.Body = *w.Body
		}
		if w.Labels != nil {
			h.Labels = w.Labels
		}
		if w.Open != nil {
			h.Open = *w.Open
		}
	}
	o.reached("issue")
}

// maxReviewTries bounds how often parts of a refused review are tried (R18).
const maxReviewTries = 8

// postReview posts the inline comments. If GitHub refuses them all because of one
// that it does not name, halves are tried until the bad ones are alone; those go
// into the summary.
func (s *session) postReview(ctx context.Context, w comment.PostReview) error {
	tries := 0
	var post func(list []comment.Inline, body, marker string) error
	post = func(list []comment.Inline, body, marker string) error {
		if len(list) == 0 {
			return nil
		}
		tries++
		review := gh.NewReview{HeadSHA: w.HeadSHA, Body: body, Marker: marker}
		for _, in := range list {
			review.Comments = append(review.Comments, gh.NewInline{Path: in.Path, Side: in.Side, StartLine: in.StartLine, Line: in.Line, Body: in.Body})
		}
		id, err := s.runner.Hub.PostReview(ctx, s.pull.Number, review)
		var no *gh.RefusedError
		switch {
		case err == nil:
			for _, in := range list {
				s.posted(in, id)
			}
			return nil
		case !errors.As(err, &no):
			return err
		case len(list) == 1 || tries >= maxReviewTries:
			s.out.note(fmt.Sprintf("GitHub took no comment for %d of the findings (%s); they stand here in full", len(list), no.Message))
			return nil
		}
		first, second := comment.Bisect(list)
		for _, half := range [][]comment.Inline{first, second} {
			var keys []string
			for _, in := range half {
				keys = append(keys, in.Key)
			}
			m := comment.Marker{Kind: comment.ReviewMark, Value: comment.ReviewValue(w.HeadSHA, keys)}.String()
			if err := post(half, comment.Mark(reviewText(len(half)), m), m); err != nil {
				return err
			}
		}
		return nil
	}
	return post(w.Comments, w.Body, w.Marker)
}

// posted remembers an inline comment that stands now.
func (s *session) posted(in comment.Inline, review int64) {
	o := s.out
	o.have.Inline = append(o.have.Inline, comment.HaveInline{Key: in.Key, Body: in.Body})
	o.inline[in.FID] = true
	o.links[in.FID] = fmt.Sprintf("%s#pullrequestreview-%d", s.pull.URL, review)
	o.reached("review")
}

func keep[T any](list []T, ok func(T) bool) []T {
	var kept []T
	for _, v := range list {
		if ok(v) {
			kept = append(kept, v)
		}
	}
	return kept
}
