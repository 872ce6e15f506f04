package pull

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/lists"
)

// steady is the time in which a question must not change before a click can answer it:
// people do not read and decide faster (M22).
const steady = 2 * time.Minute

// pickIssue picks the issue for people: the oldest open one, or else the newest; the zero
// value if there is none. Twins are other open ones: two runs opened them at the same time.
func pickIssue(own []gh.Issue) (one gh.Issue, twins []gh.Issue) {
	slices.SortFunc(own, func(a, b gh.Issue) int { return cmp.Compare(a.Number, b.Number) })
	open := lists.Keep(own, func(issue gh.Issue) bool { return issue.Open })
	if len(open) == 0 {
		return last(own), nil
	}
	return open[0], open[1:]
}

// issues are our open issues, or the last one: people write on each of them.
func (s *Snapshot) issues() []gh.Issue { return append([]gh.Issue{s.Issue}, s.Twins...) }

// about is our issue if it has a question, else the zero value.
func (s *Snapshot) about(fingerprint string) gh.Issue {
	if _, asks := questionIn(s.Issue, fingerprint); asks {
		return s.Issue
	}
	return gh.Issue{}
}

// toldNote is the kind of the note to people without the right to decide.
const toldNote = "told"

// told reports whether an issue has such a note.
func told(issue gh.Issue) bool {
	return slices.ContainsFunc(issue.Comments, func(c gh.Comment) bool {
		m, is := ownMark(c.Mine, c.Body, comment.NoteMark)
		return is && strings.HasPrefix(m.Value, toldNote+"-")
	})
}

// askedAt is the time of a question in its current words, Unix milliseconds.
func (s *Snapshot) askedAt(item Item) int64 {
	issue := s.about(item.Fingerprint)
	if issue.Number == 0 || tampered(issue) {
		return item.AskedAt
	}
	m, _ := questionIn(issue, item.Fingerprint)
	at := max(millis(issue.CreatedAt), millis(issue.EditedAt))
	// An issue written after the summary, by a run that died before it said so, is newer
	// than the summary knows.
	if m.Text == item.Text && at <= s.checkpoint.written {
		return item.AskedAt
	}
	return at
}

// questionsIn are the markers of the questions in an issue, or in the comment that
// replaces one.
func questionsIn(body string) []comment.Marker { return comment.AllMarked(body, comment.DecisionMark) }

// questionIn is the marker of a question in an issue.
func questionIn(issue gh.Issue, fingerprint string) (m comment.Marker, asks bool) {
	m = lists.Find(questionsIn(issue.Body), func(m comment.Marker) bool { return m.Value == fingerprint })
	return m, m.Kind != ""
}

// textOf is a hash of a question: of its lines and options, of the recommendation and the
// options of the models, and of its findings. The same question in other words of models
// has the same hash.
func (w settlement) textOf(d debate.Decision) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%q %q %q %q", d.ID, d.Fingerprint, d.LinkedHash, d.Recommendation)
	for _, o := range d.FinalOptions {
		fmt.Fprintf(&b, " %q %q", o.Party, o.Option)
	}
	var findings []string
	for _, f := range d.Human.Quoted {
		findings = append(findings, "quoted "+f)
	}
	if d.ID == "D0" {
		for _, f := range w.state.StillOpen() {
			findings = append(findings, "open "+f)
		}
	}
	slices.Sort(findings)
	fmt.Fprintf(&b, " %q", findings)
	sum := sha256.Sum256([]byte(b.String()))
	return hex.EncodeToString(sum[:8])
}

// tampered reports whether another account gave our issue its text or title.
func tampered(issue gh.Issue) bool {
	return issue.Edited && issue.EditedBy.Login != issue.Author.Login
}

// ours are the issues that we opened for the pull request. A label or a title proves
// nothing: any account can write those.
func (s *Snapshot) ours(all []gh.Issue) (own []gh.Issue) {
	for _, issue := range all {
		if !issue.Mine || comment.IsMarked(issue.Body, comment.DuplicateMark) {
			continue
		}
		// The markers of others go. Without a key an issue counts by its author: its question is
		// computed again anyway.
		known := s.believed()
		isKnown := known.Issue == issue.Number && tampered(issue)
		for _, m := range questionsIn(issue.Body) {
			if isKnown || s.key != nil && !comment.IsSigned(s.key, bindTo(s.Pull, "decision"), m) {
				issue.Body = strings.ReplaceAll(issue.Body, m.String()+"\n", "\n")
			}
		}
		if isKnown { // a person may have edited the markers away: it is ours with any text
			inIssue := lists.Keep(known.Items, func(item Item) bool {
				human := known.decision(item.Fingerprint).Human
				return human == nil || human.Sink == debate.SinkIssue // one that outlives its debate is in the issue
			})
			issue.Body = comment.Mark(issue.Body, lists.Map(inIssue, func(item Item) string {
				return s.sign(item.Fingerprint, item.Decision, item.Head, item.Text).String()
			})...)
		}
		if m, _ := comment.Marked(issue.Body, comment.DecisionMark); m.PR == s.Pull.Number {
			own = append(own, issue)
		}
	}
	return own
}

// sign is the marker of a question.
func (s *Snapshot) sign(fingerprint, decision, head, text string) comment.Marker {
	m := comment.Marker{Kind: comment.DecisionMark, Value: fingerprint, PR: s.Pull.Number, ID: decision, Head: head, Text: text}
	return comment.Signed(s.key, bindTo(s.Pull, "decision"), m)
}
