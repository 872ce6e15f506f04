package pull

import (
	"strings"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/gh"
)

// signer marks the issues with questions about one pull request, and recognizes its own
// marks.
type signer struct {
	key  []byte // nil: there is none
	pull gh.Pull
}

// ours are the issues that we opened for the pull request. A label or a title proves
// nothing: any account can write those. Without a key an issue of ours counts by its
// author: its question is computed again anyway.
func (g signer) ours(all []gh.Issue, items []Item) ownIssues {
	var own ownIssues
	for _, issue := range all {
		issue = g.remarked(issue, items)
		if issue = g.cleaned(issue); g.asks(issue) {
			own = append(own, issue)
		}
	}
	return own
}

// asks reports whether an issue of our account asks for a decision on the pull request,
// with any signature.
func (g signer) asks(issue gh.Issue) bool {
	m, _ := ownMark(issue.Mine, issue.Body, comment.DecisionMark)
	return m.PR == g.pull.Number && !comment.IsMarked(issue.Body, comment.DuplicateMark)
}

// cleaned is an issue without the markers of others, as far as a key can tell.
func (g signer) cleaned(issue gh.Issue) gh.Issue {
	for _, m := range questionsIn(issue.Body) {
		if !g.signed(m) {
			issue.Body = strings.ReplaceAll(issue.Body, m.String()+"\n", "\n")
		}
	}
	return issue
}

// remarked is an issue with its markers, even if a person edited them away: an issue of
// the items is ours with any text.
func (g signer) remarked(issue gh.Issue, items []Item) gh.Issue {
	if !issue.Mine || !rewritten(issue) {
		return issue
	}
	var marks []string
	for _, item := range items {
		if item.Issue == issue.Number {
			marks = append(marks, g.sign(item.Fingerprint, item.Decision, item.Head, item.Text).String())
		}
	}
	issue.Body = comment.Mark(issue.Body, marks...)
	return issue
}

// signed reports whether we wrote the marker of an issue, as far as a key can say.
func (g signer) signed(m comment.Marker) bool {
	return g.key == nil || comment.IsSigned(g.key, bindTo(g.pull, "decision"), m)
}

// sign is the marker of a question.
func (g signer) sign(fingerprint, decision, head, text string) comment.Marker {
	m := comment.Marker{Kind: comment.DecisionMark, Value: fingerprint, PR: g.pull.Number, ID: decision, Head: head, Text: text}
	return comment.Signed(g.key, bindTo(g.pull, "decision"), m)
}
