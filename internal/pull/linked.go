package pull

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/config"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/text"
)

// maxIssueText bounds the bytes of all linked issues together.
const maxIssueText = 4_000

// linkedIssues are the issues that a pull request closes.
type linkedIssues struct {
	list   []gh.Linked
	head   time.Time // the date that the author of the head gives it
	now    time.Time
	people people
}

// linked are those of the pull request, none if the settings show models only the change.
func (s *Snapshot) linked() linkedIssues {
	if s.config.Context == config.ContextOff {
		return linkedIssues{}
	}
	return linkedIssues{list: s.pull.Linked, head: s.pull.HeadDate, now: s.now, people: s.people}
}

// text is the text of the linked issues, as people read it, for the reviewers. It leaves
// out an issue that a stranger edited since the head was made: no writer has seen its
// current text together with this change.
func (l linkedIssues) text(clean func(string) string) string {
	var b strings.Builder
	for _, i := range l.list {
		if l.mayHaveBeenForged(i) {
			continue
		}
		fmt.Fprintf(&b, "#%d %s\n\n%s\n\n", i.Number, text.OneLine(i.Title), comment.Seen(i.Body))
	}
	return text.Clip(strings.TrimSpace(clean(b.String())), maxIssueText-len("…"))
}

// mayHaveBeenForged reports whether an account without write access, or an unknown one,
// edited an issue since the head was made.
func (l linkedIssues) mayHaveBeenForged(i gh.Linked) bool {
	return slices.ContainsFunc(l.editsSinceHead(i), func(e gh.Edit) bool {
		return !l.people.actor(e.By).Permission.AtLeast(debate.WriteAccess)
	})
}

// editsSinceHead are the edits of an issue after the date of the head. A date in the
// future counts as none.
func (l linkedIssues) editsSinceHead(i gh.Linked) []gh.Edit {
	since := l.head
	if since.After(l.now) {
		since = time.Time{}
	}
	return lists.Keep(i.Edits, func(e gh.Edit) bool { return e.At.After(since) })
}

// whoEdited are the accounts of those edits.
func (l linkedIssues) whoEdited() []gh.Account {
	var list []gh.Account
	for _, i := range l.list {
		list = append(list, lists.Map(l.editsSinceHead(i), func(e gh.Edit) gh.Account { return e.By })...)
	}
	return list
}
