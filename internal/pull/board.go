package pull

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/lists"
)

// board is our own text on GitHub, as far as a run knows it.
type board struct {
	pull     gh.Pull
	have     comment.Have // without issues, see ownTexts
	summary  gh.Comment   // the zero value if there is none
	url      string       // of the summary comment
	issues   ownIssues
	comments []gh.Comment // of the pull request
	searched bool         // for unknown issues of ours
	number   int          // of the issue for people, 0 if there is none
	opened   bool         // this run opened it

	reviewers []string          // requested ones with a mention in the issue: they may answer it
	links     map[string]string // F id or D id to the address of its thread or item

	*reach
}

// boardOf is the board as a snapshot shows it.
func boardOf(s *Snapshot) *board {
	return &board{
		pull: s.pull, have: haveOf(s), summary: s.summary, url: s.summary.URL, issues: slices.Clone(s.issues), number: s.issues.one().Number, comments: slices.Clone(s.pull.Comments),
		links: s.checkpoint.links(s.pull.Threads), reach: &reach{denied: make(map[string]bool)},
	}
}

// take adds issues to the known ones.
func (b *board) take(list []gh.Issue) {
	for _, issue := range list {
		if !b.issues.has(issue.Number) {
			b.addIssue(issue)
		}
	}
	b.number = b.issues.one().Number
}

func (b *board) addIssue(issue gh.Issue) {
	b.issues = append(b.issues, issue)
	for _, c := range issue.Comments {
		haveReplied(&b.have, c, false)
	}
}

// ownTexts are all our own texts on GitHub.
func (b *board) ownTexts() comment.Have {
	h := b.have
	h.Issues = haveIssues(b.issues, b.number)
	return h
}

// one is the issue for people, the zero value if there is none.
func (b *board) one() gh.Issue {
	return lists.Find(b.issues, func(i gh.Issue) bool { return i.Number == b.number })
}

// changeIssue changes one of our issues on the board.
func (b *board) changeIssue(number int, change func(*gh.Issue)) {
	update(b.issues, func(i gh.Issue) bool { return i.Number == number }, change)
}

// edited applies an edit to an issue on the board.
func (b *board) edited(w comment.EditIssue) {
	b.reached("issue")
	b.changeIssue(w.Number, func(i *gh.Issue) {
		set(&i.Title, w.Title)
		set(&i.Body, w.Body)
		set(&i.Open, w.Open)
		if w.Labels != nil {
			i.Labels = w.Labels
		}
	})
}

// set changes a field if an edit names a value for it.
func set[T any](field, value *T) {
	if value != nil {
		*field = *value
	}
}

// editedSummary applies an edit to a summary comment on the board.
func (b *board) editedSummary(id int64, body string) {
	update(b.have.Summaries, func(c comment.HaveComment) bool { return c.ID == id }, func(c *comment.HaveComment) { c.Body = body })
	if b.summary.ID == id {
		b.summary.Body = body
	}
}

// haveOf is our own text on GitHub.
func haveOf(s *Snapshot) comment.Have {
	h := comment.Have{Replied: map[comment.Ref]bool{}, Reacted: map[comment.Reacted]bool{}}
	for _, c := range s.pull.Comments {
		if ours(comment.SummaryMark)(c) {
			h.Summaries = append(h.Summaries, comment.HaveComment{ID: c.ID, Body: c.Body})
		}
		haveReplied(&h, c, false)
	}
	for _, t := range s.pull.Threads {
		for _, c := range t.Comments {
			haveReplied(&h, c, true)
		}
		if key, ok := findingKey(t); ok {
			first, answered := opening(t), slices.ContainsFunc(t.Comments, func(c gh.Comment) bool { return !c.Mine })
			h.Inline = append(h.Inline, comment.HaveInline{
				ID: first.ID, Key: key, Body: first.Body, Resolved: t.Resolved, Hidden: first.Minimized, Answered: answered, Thread: t.ID, Node: first.Node,
			})
		}
	}
	for _, review := range s.pull.Reviews {
		if m, is := ownMark(review.Mine, review.Body, comment.ReviewMark); is {
			h.Reviews = append(h.Reviews, m.Value)
		}
	}
	for _, issue := range s.issues {
		for _, c := range issue.Comments {
			haveReplied(&h, c, false)
		}
	}
	h.Issues = haveIssues(s.issues, s.issues.one().Number)
	return h
}

// haveIssues are our issues. The issue for people, with the number one, and other open
// ones have a key. Issues that are closed already stay as they are.
func haveIssues(list ownIssues, one int) []comment.HaveIssue {
	return lists.Map(list, func(i gh.Issue) comment.HaveIssue {
		own := comment.HaveIssue{Number: i.Number, Open: i.Open, Labels: i.Labels, Title: i.Title, Body: i.Body}
		if i.Open || i.Number == one {
			own.Key = issueKey
		}
		for _, c := range i.Comments {
			if note, is := ownMark(c.Mine, c.Body, comment.NoteMark); is {
				own.Noted = append(own.Noted, note.Value)
			}
		}
		return own
	})
}

// haveReplied notes our reactions to a comment, or the comment that this one answers.
func haveReplied(h *comment.Have, c gh.Comment, inThread bool) {
	to := comment.Ref{ID: c.ID, InThread: inThread}
	reacted := map[comment.Reacted]bool{
		{To: to, Reaction: comment.Eyes}:     c.Eyes,
		{To: to, Reaction: comment.ThumbsUp}: c.ThumbsUp,
		{To: to, Reaction: comment.Confused}: c.Confused,
	}
	maps.DeleteFunc(reacted, func(_ comment.Reacted, is bool) bool { return !is })
	maps.Copy(h.Reacted, reacted)
	if !c.Mine {
		return
	}
	for _, ref := range comment.Answered(c.Body, inThread) {
		h.Replied[ref] = true
	}
}

// reviewURL is the address of a review.
func reviewURL(p gh.Pull, id int64) string { return fmt.Sprintf("%s#pullrequestreview-%d", p.URL, id) }

// update changes all fitting elements of a list.
func update[T any](list []T, fits func(T) bool, change func(*T)) {
	for i := range list {
		if fits(list[i]) {
			change(&list[i])
		}
	}
}

// last is the last element of a list, the zero value if there is none.
func last[T any](list []T) (v T) {
	if len(list) > 0 {
		v = list[len(list)-1]
	}
	return v
}

// The rights that a token may lack, in words for people.
const (
	reviews   = "review comments (pull-requests: write)"
	comments  = "comments (pull-requests: write)"
	issues    = "issues (issues: write)"
	checks    = "check runs (checks: write)"
	statuses  = "commit statuses (statuses: write)"
	reactions = "reactions"
)

// reach is the set of texts that a run can write, as far as it has tried.
type reach struct {
	denied map[string]bool // by the names above
	notes  []string        // things not possible, for people
	closed []string        // missing rights in words, in the order of the refusals
	sinks  []string        // with a text of ours
}

func (r *reach) note(text string) { r.notes = noted(r.notes, text) }

// reached notes a successful write into a sink.
func (r *reach) reached(sink string) { r.sinks = noted(r.sinks, sink) }

// refused notes a missing right of the token.
func (r *reach) refused(what string) {
	r.denied[what] = true
	r.closed = noted(r.closed, what)
}

// failings are the notes, with all missing rights in one sentence.
func (r *reach) failings() []string {
	if len(r.closed) == 0 {
		return r.notes
	}
	return append([]string{"The token of this run may not write " + strings.Join(r.closed, ", ")}, r.notes...)
}

// unheard reports whether a sweep may not even react to a command. Then it asks no model,
// because the next sweep would ask all over again.
func (r *reach) unheard(t Trigger) bool { return t.Cause == Swept && r.denied[reactions] }
