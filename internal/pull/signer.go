package pull

import (
	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/gh"
)

// signer marks the issues that ask for decisions of one pull request, and knows its own
// marks.
type signer struct {
	key  []byte // nil: there is none
	pull gh.Pull
}

// ours are the issues that we opened for the pull request. A label or a title says
// nothing: anybody can write those. Without a key an issue of ours counts by its
// author: what it asks is computed anew all the same.
func (g signer) ours(all []gh.Issue, items []Item) ownIssues {
	var own ownIssues
	for _, issue := range all {
		issue = g.remarked(issue, items)
		if g.asks(issue) && g.signed(decisionMark(issue)) {
			own = append(own, issue)
		}
	}
	return own
}

// asks reports whether an issue of our account asks for a decision of the pull
// request, whoever signed that.
func (g signer) asks(issue gh.Issue) bool {
	m, asks := comment.Marked(issue.Body, comment.DecisionMark)
	_, twice := comment.Marked(issue.Body, comment.DuplicateMark)
	return asks && !twice && issue.Mine && m.PR == g.pull.Number
}

// remarked is an issue with its marker, which somebody may have edited away: one of the
// items is ours whatever its text is.
func (g signer) remarked(issue gh.Issue, items []Item) gh.Issue {
	if !issue.Mine || !rewritten(issue) {
		return issue
	}
	for _, item := range items {
		if item.Issue == issue.Number {
			issue.Body = comment.Mark(issue.Body, g.sign(item.Fingerprint, item.Decision, item.Head))
		}
	}
	return issue
}

// signed reports whether we wrote the marker of an issue, as far as a key can say.
func (g signer) signed(m comment.Marker) bool {
	return g.key == nil || comment.IsSigned(g.key, bindTo(g.pull, "decision"), m)
}

// sign is the marker of an issue that asks for a decision.
func (g signer) sign(fingerprint, decision, head string) string {
	m := comment.Marker{Kind: comment.DecisionMark, Value: fingerprint, PR: g.pull.Number, ID: decision, Head: head}
	return comment.Signed(g.key, bindTo(g.pull, "decision"), m).String()
}
