package pull

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/report"
)

// posts are our own texts on GitHub as far as a run knows them, the check of the head, and
// the way to write them.
type posts struct {
	runner *Runner

	pull    gh.Pull
	have    comment.Have // without issues, see ownTexts
	summary gh.Comment   // the zero value if there is none
	issue   gh.Issue     // as of a snapshot
	twins   []gh.Issue   // likewise
	opened  bool         // this run opened it

	reviewers []string // requested ones with a mention in the issue: they may answer it

	links map[string]string // F id to the address of its thread

	session  string      // of the debate, once there is one
	siblings []int       // other open pull requests with the same head, by the last poll
	own      gh.CheckRun // our check, the zero value if there is none
	stood    gh.CheckRun // our check when the run began
	said     gh.Check    // the conclusion by this run

	started bool        // the debate is about to ask models, or to write
	begun   bool        // this run made the check
	unshown bool        // the last write of the check was refused
	claims  bool        // this run claimed the head in its check
	holder  gh.CheckRun // of another run that holds the head, the zero value if there is none
	later   []int64     // checks of runs that left the head to this one

	denied map[string]bool // the rights that the token lacks, by the names below
	closed []string        // the same, in the order of the refusals
	notes  []string        // things not possible, for people
	sinks  []string        // with a text of ours
}

// The rights that a token may lack, in words for people.
const (
	reviews   = "review comments (pull-requests: write)"
	comments  = "comments (pull-requests: write)"
	issues    = "issues (issues: write)"
	checks    = "check runs (checks: write)"
	reactions = "reactions"
)

// postsOf are our texts as a snapshot shows them.
func postsOf(r *Runner, s *Snapshot) *posts {
	return &posts{
		runner: r, pull: s.Pull, siblings: s.Pull.Siblings, own: s.Checks.Own, stood: s.Checks.Own, have: haveOf(s), summary: s.summary,
		issue: s.Issue, twins: s.Twins, links: s.checkpoint.links(s.Pull.Threads), denied: make(map[string]bool),
	}
}

// haveOf are our texts of a snapshot, without issues.
func haveOf(s *Snapshot) comment.Have {
	h := comment.Have{Replied: map[comment.Ref]bool{}, Reacted: map[comment.Reacted]bool{}}
	for _, c := range s.Pull.Comments {
		if ours(comment.SummaryMark)(c) {
			h.Summaries = append(h.Summaries, comment.HaveComment{ID: c.ID, Body: c.Body})
		}
		haveReplied(&h, c, false)
	}
	for _, t := range s.Pull.Threads {
		for _, c := range t.Comments {
			haveReplied(&h, c, true)
		}
		if m := findingMark(t); m.Kind != "" {
			first, answered := opening(t), slices.ContainsFunc(t.Comments, func(c gh.Comment) bool { return !c.Mine })
			h.Inline = append(h.Inline, comment.HaveInline{ID: first.ID, Key: m.Value, Body: first.Body, Resolved: t.Resolved, Answered: answered})
		}
	}
	for _, review := range s.Pull.Reviews {
		if m, is := ownMark(review.Mine, review.Body, comment.ReviewMark); is {
			h.Reviews = append(h.Reviews, m.Value)
		}
	}
	for _, i := range s.issues() {
		for _, c := range i.Comments {
			haveReplied(&h, c, false)
		}
	}
	return h
}

// haveReplied notes our reactions to a comment, or the comment that this one answers.
func haveReplied(h *comment.Have, c gh.Comment, inThread bool) {
	to := comment.Ref{ID: c.ID, InThread: inThread}
	for reaction, is := range map[comment.Reaction]bool{comment.Eyes: c.Eyes, comment.ThumbsUp: c.ThumbsUp, comment.Confused: c.Confused} {
		if is {
			h.Reacted[comment.Reacted{To: to, Reaction: reaction}] = true
		}
	}
	if !c.Mine {
		return
	}
	for _, ref := range comment.Answered(c.Body, inThread) {
		h.Replied[ref] = true
	}
}

// ownTexts are all our own texts on GitHub.
func (p *posts) ownTexts() comment.Have {
	h := p.have
	for _, i := range append([]gh.Issue{p.issue}, p.twins...) {
		if i.Number == 0 {
			continue
		}
		own := comment.HaveIssue{Number: i.Number, Open: i.Open, Labels: i.Labels, Title: i.Title, Body: i.Body}
		for _, c := range i.Comments {
			if note, is := ownMark(c.Mine, c.Body, comment.NoteMark); is {
				own.Noted = append(own.Noted, note.Value)
			}
		}
		h.Issues = append(h.Issues, own)
	}
	return h
}

// editedSummary applies an edit to a summary comment.
func (p *posts) editedSummary(id int64, body string) {
	for i := range p.have.Summaries {
		if p.have.Summaries[i].ID == id {
			p.have.Summaries[i].Body = body
		}
	}
	if p.summary.ID == id {
		p.summary.Body = body
	}
}

func (p *posts) note(text string) { p.notes = noted(p.notes, text) }

// reached notes a successful write into a sink.
func (p *posts) reached(sink string) { p.sinks = lists.Add(p.sinks, sink) }

// refused notes a missing right of the token.
func (p *posts) refused(what string) {
	p.denied[what] = true
	p.closed = lists.Add(p.closed, what)
}

// failings are the notes, with all missing rights in one sentence.
func (p *posts) failings() []string {
	if len(p.closed) == 0 {
		return p.notes
	}
	text := "The token of this run may not write " + strings.Join(p.closed, ", ") + "."
	if p.pull.Fork {
		text += " GitHub gives the event of a fork no write access and no API keys: someone with write access can comment `/debate run`."
	}
	return append([]string{text}, p.notes...)
}

// unheard reports whether a sweep may not even react to a command. Then it asks no model,
// because the next sweep would ask all over again.
func (p *posts) unheard(t Trigger) bool { return t.Cause == Swept && p.denied[reactions] }

// write makes the writes in their order. It notes refusals for lack of rights, and returns
// questions without an issue to the protocol.
func (p *posts) write(ctx context.Context, writes []comment.Write, decisions []debate.Decision) ([]debate.SinkFailed, error) {
	var refused []debate.SinkFailed
	for _, w := range writes {
		err := p.do(ctx, w)
		if err == nil {
			continue
		}
		if !isRefusal(err) {
			return refused, err
		}
		what := comments
		switch w.(type) {
		case comment.CreateIssue:
			why := comment.Clip(err.Error(), 300)
			p.note("no issue could be opened (issues: write), so the question is in the summary and the check: " + why)
			for _, d := range inIssue(decisions) {
				refused = append(refused, debate.SinkFailed{Decision: d.ID, Sink: debate.SinkIssue, Reason: why})
			}
			continue
		case comment.React: // a missing reaction is no loss
			p.denied[reactions] = true
			continue
		case comment.PostReview, comment.EditInline:
			what = reviews
		case comment.EditIssue, comment.CommentIssue:
			what = issues
		}
		var no *gh.RefusedError
		if errors.As(err, &no) {
			p.denied[what] = true
			p.note("GitHub refused " + what + ": " + no.Message)
		} else {
			p.refused(what)
		}
	}
	return refused, nil
}

// do makes one write and notes its result.
func (p *posts) do(ctx context.Context, w comment.Write) error {
	writer := p.runner.Writer
	switch w := w.(type) {
	case comment.CreateIssue:
		marker, _ := comment.Marked(w.Body, comment.DecisionMark)
		issue, err := writer.CreateIssue(ctx, gh.NewIssue{Title: w.Title, Body: w.Body, Labels: w.Labels, Marker: marker.String()})
		if err != nil {
			return err
		}
		p.issue, p.opened = issue, true
		p.reached("issue")
	case comment.EditIssue:
		change := gh.IssueChange{Title: w.Title, Body: w.Body, Labels: w.Labels, Open: w.Open, Reason: gh.Completed}
		if w.NotPlanned {
			change.Reason = gh.NotPlanned
		}
		if err := writer.EditIssue(ctx, w.Number, change); err != nil {
			return err
		}
		p.reached("issue")
		if w.Number != p.issue.Number { // it is closed as a duplicate
			p.twins = lists.Keep(p.twins, func(i gh.Issue) bool { return i.Number != w.Number })
			break
		}
		set(&p.issue.Title, w.Title)
		set(&p.issue.Body, w.Body)
		set(&p.issue.Open, w.Open)
		if w.Labels != nil {
			p.issue.Labels = w.Labels
		}
	case comment.CommentIssue:
		number := cmp.Or(w.Number, p.issue.Number)
		if _, err := writer.CreateComment(ctx, number, w.Body, comment.Marker{Kind: comment.NoteMark, Value: w.Key}.String()); err != nil {
			return err
		}
		p.issue.Comments = append(slices.Clip(p.issue.Comments), gh.Comment{Mine: true, Body: w.Body})
	case comment.PostReview:
		return p.postReview(ctx, w)
	case comment.EditInline:
		if err := writer.EditReviewComment(ctx, w.ID, w.Body); err != nil {
			return err
		}
		at := slices.IndexFunc(p.have.Inline, func(c comment.HaveInline) bool { return c.ID == w.ID })
		p.have.Inline[at].Body = w.Body
		p.reached("review")
	case comment.CreateSummary:
		c, err := writer.CreateComment(ctx, p.pull.Number, w.Body, comment.Marker{Kind: comment.SummaryMark}.String())
		if err != nil {
			return err
		}
		p.have.Summaries = append(p.have.Summaries, comment.HaveComment{ID: c.ID, Body: w.Body})
		p.summary = c
		p.reached("summary")
	case comment.EditSummary:
		if err := writer.EditComment(ctx, w.ID, w.Body); err != nil {
			return err
		}
		p.editedSummary(w.ID, w.Body)
		p.reached("summary")
	case comment.PostReply:
		marker := w.To.Marker().String()
		var err error
		if w.To.InThread {
			err = writer.Reply(ctx, p.pull.Number, w.To.ID, w.Body, marker)
		} else {
			_, err = writer.CreateComment(ctx, cmp.Or(w.On, p.pull.Number), w.Body, marker)
		}
		if err != nil {
			return err
		}
		for _, to := range append(w.Also, w.To) {
			p.have.Replied[to] = true
		}
	case comment.React:
		if err := writer.React(ctx, w.To.ID, w.To.InThread, string(w.Reaction)); err != nil {
			return err
		}
		p.have.Reacted[comment.Reacted(w)] = true
	}
	return nil
}

// set changes a field if an edit names a value for it.
func set[T any](field, value *T) {
	if value != nil {
		*field = *value
	}
}

// maxReviewTries bounds how often parts of a refused review are tried (R18).
const maxReviewTries = 8

// postReview posts the inline comments. If GitHub refuses all of them because of one that
// it does not name, it tries halves until the bad ones are alone; those go into the
// summary.
func (p *posts) postReview(ctx context.Context, w comment.PostReview) error {
	parts := []comment.PostReview{w}
	for tries := 1; len(parts) > 0; tries++ {
		part := parts[0]
		parts = parts[1:]
		err := p.postPart(ctx, part)
		var no *gh.RefusedError
		switch {
		case err == nil:
		case !errors.As(err, &no):
			return err
		case len(part.Comments) == 1, tries >= maxReviewTries:
			p.note(fmt.Sprintf("GitHub took no comment for %s (%s); the details are below.", report.Count(len(part.Comments), "finding"), no.Message))
		default:
			half := (len(part.Comments) + 1) / 2
			var halves []comment.PostReview
			for list := range slices.Chunk(part.Comments, half) {
				keys := lists.Map(list, func(in comment.Inline) string { return in.Key })
				m := comment.Marker{Kind: comment.ReviewMark, Value: comment.ReviewValue(w.HeadSHA, keys)}.String()
				halves = append(halves, comment.PostReview{HeadSHA: w.HeadSHA, Body: comment.Mark(reviewText(len(list)), m), Marker: m, Comments: list})
			}
			parts = append(halves, parts...)
		}
	}
	return nil
}

func (p *posts) postPart(ctx context.Context, w comment.PostReview) error {
	review := gh.NewReview{HeadSHA: w.HeadSHA, Body: w.Body, Marker: w.Marker}
	review.Comments = lists.Map(w.Comments, func(in comment.Inline) gh.NewInline {
		return gh.NewInline{Path: in.Path, Side: in.Side, StartLine: in.StartLine, Line: in.Line, Body: in.Body}
	})
	id, err := p.runner.Writer.PostReview(ctx, p.pull.Number, review)
	if err != nil {
		return err
	}
	made, err := p.runner.Writer.ReviewComments(ctx, p.pull.Number, id)
	if err != nil { // then the summary leads to the review
		p.runner.say("the comments of the review could not be read: %v", err)
	}
	for _, in := range w.Comments {
		p.have.Inline = append(p.have.Inline, comment.HaveInline{Key: in.Key, Body: in.Body})
		at := lists.Find(made, func(c gh.Comment) bool {
			m, _ := ownMark(c.Mine, c.Body, comment.FindingMark)
			return m.Value == in.Key
		})
		p.links[in.FID] = cmp.Or(at.URL, reviewURL(p.pull, id))
	}
	p.reached("review")
	return nil
}

// reviewURL is the address of a review.
func reviewURL(p gh.Pull, id int64) string { return fmt.Sprintf("%s#pullrequestreview-%d", p.URL, id) }

// maxMentioned bounds the requested reviewers in the mentions of an issue.
const maxMentioned = 3

// findReviewers looks up the requested reviewers with the right to decide before an issue
// is written, unless the settings name its readers. If the token may not, the issue
// mentions none.
func (p *posts) findReviewers(ctx context.Context, s *Snapshot, item *comment.Item) error {
	if item == nil || item.Body == "" || len(s.config.Escalation.Notify) > 0 {
		return nil
	}
	asked, err := p.runner.Reader.Reviewers(ctx, p.pull.Number)
	if err := unlessRefused(err); err != nil {
		return fmt.Errorf("read who was asked to review #%d: %w", p.pull.Number, err)
	}
	known, asked := *s, lists.First(asked, maxMentioned)
	if err := p.runner.readPeople(ctx, &known, asked); err != nil {
		return err
	}
	may := lists.Keep(asked, func(who gh.Account) bool { return known.mayDecide(known.actor(who)) })
	p.reviewers = lists.Map(may, func(who gh.Account) string { return who.Login })
	return nil
}
