package pull

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/report"
	"github.com/prdebate/debate/internal/report/reason"
)

// labelDecided marks an issue whose decision was taken.
const labelDecided = "human_decided"

// items are the issues that shall stand for the decisions of a state: one for
// each that a person decides (X27), and the end of those that nobody has to
// decide any more.
func (s *session) items(ctx context.Context, state debate.State) ([]comment.Item, error) {
	if err := s.knowIssues(ctx, state); err != nil {
		return nil, err
	}
	var items []comment.Item
	wanted := make(map[string]bool)
	for _, d := range state.Decisions {
		if d.Human == nil {
			continue
		}
		wanted[d.Fingerprint] = true
		if d.Outcome != debate.AwaitingHuman || d.Human.Sink == debate.SinkIssue {
			items = append(items, s.itemOf(state, d))
		}
	}
	for _, h := range s.out.have.Issues {
		switch {
		case wanted[h.Fingerprint] || !h.Open || s.asksForMore(state):
		case s.pull.State != gh.Open:
			items = append(items, s.takenBack(h.Fingerprint))
		default:
			items = append(items, s.overtook(state, h.Fingerprint, s.pull.HeadSHA))
		}
	}
	return items, nil
}

// overtook is the issue of a question that a newer head does not ask.
func (s *session) overtook(state debate.State, fingerprint, head string) comment.Item {
	return comment.Item{
		Fingerprint: fingerprint, Status: debate.ItemSuperseded, Unlabel: []string{s.setup.Config.Escalation.Label},
		Notes: []comment.Note{{Key: "superseded-" + short(head), Body: string(report.IssueSuperseded(s.view(state), head, ""))}},
	}
}

// superseded ends what a session began before the head moved. The run for the new
// head opens an issue again if it still asks.
func (s *session) superseded(ctx context.Context) error {
	s.abandon(ctx, "A newer head took the place of this one: "+reason.Sentence(s.state.OutcomeReason))
	var items []comment.Item
	for _, fingerprint := range s.opened {
		items = append(items, s.overtook(s.state, fingerprint, s.newHead))
	}
	_, err := s.write(ctx, comment.Publish(comment.Want{Items: items}, s.out.have))
	return err
}

// takenBack is the issue of a question that ended with its pull request.
func (s *session) takenBack(fingerprint string) comment.Item {
	view := report.Pull{RepositoryURL: s.pull.Repository.URL, Number: s.pull.Number, Head: s.pull.HeadSHA}
	return comment.Item{
		Fingerprint: fingerprint, Status: debate.ItemWithdrawn, Unlabel: []string{s.setup.Config.Escalation.Label},
		Notes: []comment.Note{{Key: "withdrawn-" + short(s.pull.HeadSHA), Body: string(report.IssueWithdrawn(view, s.ended()))}},
	}
}

// knowIssues reads our issues before one is opened: the run that opened it may
// have died before it could say so.
func (s *session) knowIssues(ctx context.Context, state debate.State) error {
	if s.issuesRead {
		return nil
	}
	for _, d := range state.Decisions {
		if d.Outcome != debate.AwaitingHuman || d.Human == nil || d.Human.Sink != debate.SinkIssue || s.issue(d.Fingerprint) != nil {
			continue
		}
		all, err := s.runner.Hub.Issues(ctx, s.setup.Config.Escalation.Label, s.pull.CreatedAt)
		var denied *gh.PermissionError
		var missing *gh.NotFoundError
		switch {
		case errors.As(err, &denied), errors.As(err, &missing): // writing will say so
		case err != nil:
			return fmt.Errorf("read the issues that ask for decisions: %w", err)
		}
		s.issuesRead = true
		s.take(s.ours(all))
		s.take(s.estranged(state, all))
		return nil
	}
	return nil
}

// take adds issues to those that are known.
func (s *session) take(issues []gh.Issue) {
	for _, issue := range issues {
		if !slices.ContainsFunc(s.issues, func(known gh.Issue) bool { return known.Number == issue.Number }) {
			s.issues = append(s.issues, issue)
			s.haveIssue(&s.out.have, issue)
		}
	}
}

// estranged are issues of our account that ask what is asked now, and that were
// signed without the key of today: there was none, or another one. They are taken
// over by being written anew; what was answered before counts for nothing then.
func (s *session) estranged(state debate.State, all []gh.Issue) []gh.Issue {
	return keep(all, func(issue gh.Issue) bool {
		m, ok := marked(&issue)
		_, twice := comment.Marked(issue.Body, comment.DuplicateMark)
		return ok && !twice && issue.Mine && m.PR == s.pull.Number && !s.signed(m) &&
			slices.ContainsFunc(state.Decisions, func(d debate.Decision) bool {
				return d.Outcome == debate.AwaitingHuman && d.Human != nil && d.Human.Sink == debate.SinkIssue && d.Fingerprint == m.Value && s.issue(m.Value) == nil
			})
	})
}

// itemOf is the issue of one decision as it shall be.
func (s *session) itemOf(state debate.State, d debate.Decision) comment.Item {
	label := s.setup.Config.Escalation.Label
	item := comment.Item{Fingerprint: d.Fingerprint, Status: d.Human.Status, Unlabel: []string{label}}
	view := s.view(state)
	e := report.FromState(state)
	switch d.Human.Status {
	case debate.ItemAwaiting:
		item.Labels, item.Unlabel = []string{label}, []string{labelDecided}
		item.Notes = s.undone[d.Fingerprint]
		item.Rests = s.times(d.Fingerprint) > maxUndone
		if d.Human.Reminded {
			item.Notes = append(item.Notes, comment.Note{Key: "reminder", Body: s.reminder(e, d)})
		}
		issue := s.issue(d.Fingerprint)
		if s.restores(d.Fingerprint) {
			s.restored[d.Fingerprint] = true
			if len(item.Notes) == 0 {
				item.Notes = []comment.Note{{
					Key: fmt.Sprintf("restored-%d", millis(issue.EditedAt)), Body: string(report.Restored(issue.EditedBy.Login)),
				}}
			}
		} else if m, ok := marked(issue); ok && m.Head == s.pull.HeadSHA && s.signed(m) {
			return item // it stands there as it was asked
		}
		if issue != nil && !issue.Open && len(item.Notes) == 0 {
			item.Notes = []comment.Note{{Key: "again-" + short(s.pull.HeadSHA), Body: string(report.AskedAgain(view, s.pull.HeadSHA))}}
		}
		item.Title, item.Body = s.itemBody(e, d, view)
	case debate.ItemDecided:
		item.Labels = []string{labelDecided}
		item.NotPlanned = statusQuo(d, d.Human.Option)
		item.Notes = []comment.Note{{
			Key:  fmt.Sprintf("decided-%d", d.Human.At),
			Body: string(report.IssueDecided(e, d.ID, view)),
		}}
		item.Notes = append(item.Notes, s.undone[d.Fingerprint]...)
	case debate.ItemWithdrawn:
		item.Notes = []comment.Note{{Key: "withdrawn-" + short(s.pull.HeadSHA), Body: string(report.IssueWithdrawn(view, s.ended()))}}
	case debate.ItemSuperseded:
		item.Notes = []comment.Note{{Key: "superseded-" + short(s.pull.HeadSHA), Body: string(report.IssueSuperseded(view, s.pull.HeadSHA, ""))}}
	}
	return item
}

// restores reports whether the text of an issue is written as it was, after somebody
// else edited it.
func (s *session) restores(fingerprint string) bool {
	for _, item := range s.memo.Items {
		if item.Fingerprint == fingerprint && item.Restored >= maxRestored {
			return false
		}
	}
	return tampered(s.issue(fingerprint))
}

// times is how often the closing of an issue has decided nothing.
func (s *session) times(fingerprint string) int {
	n := s.closed[fingerprint]
	for _, item := range s.memo.Items {
		if item.Fingerprint == fingerprint {
			n = max(n, item.Undone)
		}
	}
	return n
}

func marked(issue *gh.Issue) (comment.Marker, bool) {
	if issue == nil {
		return comment.Marker{}, false
	}
	return comment.Marked(issue.Body, comment.DecisionMark)
}

// itemBody renders an item with its signed marker.
func (s *session) itemBody(e report.Envelope, d debate.Decision, view report.Pull) (title, body string) {
	asked := report.Asked{At: day(d.Human.AskedAt)}
	for _, who := range s.setup.Config.Escalation.Notify {
		asked.Notify = append(asked.Notify, string(who))
	}
	title, text := report.Issue(e, d.ID, view, asked)
	m := comment.Signed(s.setup.Key, s.bindIssue(), comment.Marker{
		Kind: comment.DecisionMark, Value: d.Fingerprint, PR: s.pull.Number, ID: d.ID, Head: s.pull.HeadSHA,
	})
	return title, comment.Mark(string(text), m.String())
}

// issueMarker is the marker that a new issue is found by.
func (s *session) issueMarker(body string) string {
	m, _ := comment.Marked(body, comment.DecisionMark)
	return m.String()
}

func (s *session) reminder(e report.Envelope, d debate.Decision) string {
	for _, shown := range e.Decisions {
		if shown.ID == d.ID {
			return string(report.Reminder(shown, int(s.runner.Now().Sub(time.UnixMilli(d.Human.AskedAt)).Hours()/24)))
		}
	}
	return ""
}

func day(at int64) string { return time.UnixMilli(at).UTC().Format("2 January 2006") }

func short(sha string) string { return sha[:min(12, len(sha))] }

func statusQuo(d debate.Decision, option string) bool {
	for _, o := range d.Options {
		if o.ID == option {
			return o.StatusQuo
		}
	}
	return false
}

func (s *session) decisionOf(fingerprint string) string {
	for _, d := range s.state.Decisions {
		if d.Fingerprint == fingerprint {
			return d.ID
		}
	}
	return ""
}

// keepItems notes where the items stand now, for the next run.
func (s *session) keepItems(state debate.State) {
	o := s.out
	before := o.memo.Items
	o.memo.Items = nil
	if s.asksForMore(state) {
		o.memo.Items = keep(before, func(item Item) bool {
			return !slices.ContainsFunc(state.Decisions, func(d debate.Decision) bool { return d.Human != nil && d.Fingerprint == item.Fingerprint })
		})
	}
	for _, d := range state.Decisions {
		if d.Human == nil {
			continue
		}
		item := Item{Decision: d.ID, Fingerprint: d.Fingerprint, Sink: d.Human.Sink, Head: s.pull.HeadSHA, AskedAt: d.Human.AskedAt}
		for _, known := range before {
			if known.Fingerprint == d.Fingerprint {
				item.Answered, item.Recreated, item.Restored = known.Answered, known.Recreated, known.Restored
				item.Recreated = item.Recreated || known.Issue != 0 && s.issue(d.Fingerprint) != nil && s.issue(d.Fingerprint).Number != known.Issue
			}
		}
		item.Answered, item.Undone = max(item.Answered, s.answered[d.Fingerprint]), s.times(d.Fingerprint)
		if s.restored[d.Fingerprint] {
			item.Restored++
		}
		if issue := s.issue(d.Fingerprint); issue != nil {
			item.Issue, item.URL = issue.Number, issue.URL
			o.links[d.ID] = issue.URL
		}
		o.memo.Items = append(o.memo.Items, item)
	}
}

// commentSinks puts the items that no issue can hold into comments on the pull
// request (X27). A check or an artifact holds them by what the check run and the
// report say.
func (s *session) commentSinks(ctx context.Context, state debate.State) ([]debate.SinkFailed, error) {
	var refused []debate.SinkFailed
	for _, d := range state.Decisions {
		if d.Outcome != debate.AwaitingHuman || d.Human == nil || d.Human.Sink != debate.SinkComment {
			continue
		}
		_, body := s.itemBody(report.FromState(state), d, s.view(state))
		var err error
		if own := s.itemComment(d.Fingerprint); own == nil {
			var c gh.Comment
			c, err = s.runner.Hub.CreateComment(ctx, s.pull.Number, body, s.issueMarker(body))
			if err == nil {
				c.Body, c.Mine = body, true
				s.pull.Comments = append(s.pull.Comments, c)
				s.out.links[d.ID] = c.URL
			}
		} else {
			s.out.links[d.ID] = own.URL
			if m, _ := comment.Marked(own.Body, comment.DecisionMark); m.Head != s.pull.HeadSHA {
				err = s.runner.Hub.EditComment(ctx, own.ID, body)
			}
		}
		if err == nil {
			s.out.reached("comment")
			continue
		}
		if !isRefusal(err) {
			return nil, err
		}
		refused = append(refused, debate.SinkFailed{Decision: d.ID, Sink: debate.SinkComment, Reason: comment.Clip(err.Error(), 300)})
	}
	return refused, nil
}

// itemComment is our comment that stands in for an issue, nil if there is none.
func (s *situation) itemComment(fingerprint string) *gh.Comment {
	for i := range s.pull.Comments {
		c := &s.pull.Comments[i]
		m, is := comment.Marked(c.Body, comment.DecisionMark)
		if is && c.Mine && m.Value == fingerprint {
			return c
		}
	}
	return nil
}

// isRefusal reports whether GitHub will not take a write however often it is
// tried.
func isRefusal(err error) bool {
	var denied *gh.PermissionError
	var missing *gh.NotFoundError
	var no *gh.RefusedError
	return errors.As(err, &denied) || errors.As(err, &missing) || errors.As(err, &no)
}
