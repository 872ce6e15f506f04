package pull

import (
	"strings"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/gh"
)

// ours are the issues that we opened for the pull request. A label or a title proves
// nothing: any account can write those. Without a key an issue of ours counts by its
// author: its question is computed again anyway.
func (s *Snapshot) ours(all []gh.Issue) ownIssues {
	var own ownIssues
	for _, issue := range all {
		issue = s.remarked(issue)
		if issue = s.cleaned(issue); s.asks(issue) {
			own = append(own, issue)
		}
	}
	return own
}

// asks reports whether an issue of our account asks for a decision on the pull request,
// with any signature.
func (s *Snapshot) asks(issue gh.Issue) bool {
	m, _ := ownMark(issue.Mine, issue.Body, comment.DecisionMark)
	return m.PR == s.pull.Number && !comment.IsMarked(issue.Body, comment.DuplicateMark)
}

// cleaned is an issue without the markers of others, as far as a key can tell.
func (s *Snapshot) cleaned(issue gh.Issue) gh.Issue {
	for _, m := range questionsIn(issue.Body) {
		if !s.signed(m) {
			issue.Body = strings.ReplaceAll(issue.Body, m.String()+"\n", "\n")
		}
	}
	return issue
}

// remarked is an issue with its markers, even if a person edited them away: an issue of
// the items is ours with any text.
func (s *Snapshot) remarked(issue gh.Issue) gh.Issue {
	if !issue.Mine || !rewritten(issue) {
		return issue
	}
	var marks []string
	for _, item := range s.believed().Items {
		if item.Issue == issue.Number {
			marks = append(marks, s.sign(item.Fingerprint, item.Decision, item.Head, item.Text).String())
		}
	}
	issue.Body = comment.Mark(issue.Body, marks...)
	return issue
}

// signed reports whether we wrote the marker of an issue, as far as a key can say.
func (s *Snapshot) signed(m comment.Marker) bool {
	return s.key == nil || comment.IsSigned(s.key, bindTo(s.pull, "decision"), m)
}

// sign is the marker of a question.
func (s *Snapshot) sign(fingerprint, decision, head, text string) comment.Marker {
	m := comment.Marker{Kind: comment.DecisionMark, Value: fingerprint, PR: s.pull.Number, ID: decision, Head: head, Text: text}
	return comment.Signed(s.key, bindTo(s.pull, "decision"), m)
}
