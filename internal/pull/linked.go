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

// maxIssueText bounds the bytes of the issues that a change is to close, all together.
const maxIssueText = 4_000

// linkedIssues are those that a pull request is to close.
type linkedIssues struct {
	list   []gh.Linked
	head   time.Time // when whoever made the head says it was made
	now    time.Time
	people people
}

// linked are those of the pull request, none where models see the change alone.
func (s *Snapshot) linked() linkedIssues {
	if s.config.Context == config.ContextOff {
		return linkedIssues{}
	}
	return linkedIssues{list: s.pull.Linked, head: s.pull.HeadDate, now: s.now, people: s.people}
}

// text is what the issues ask for that the pull request is to close, as people read
// them, for the reviewers. One that a stranger edited since the head was made is left out:
// nobody who may write has seen what it says now beside this change.
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

// mayHaveBeenForged reports whether somebody without write access edited an issue since the
// head was made, or somebody of whom that is not known.
func (l linkedIssues) mayHaveBeenForged(i gh.Linked) bool {
	return slices.ContainsFunc(l.editsSinceHead(i), func(e gh.Edit) bool {
		return !l.people.actor(e.By).Permission.AtLeast(debate.WriteAccess)
	})
}

// editsSinceHead are the edits of an issue that whoever made the head cannot have seen. A
// head that says it is of the future says nothing.
func (l linkedIssues) editsSinceHead(i gh.Linked) []gh.Edit {
	since := l.head
	if since.After(l.now) {
		since = time.Time{}
	}
	return lists.Keep(i.Edits, func(e gh.Edit) bool { return e.At.After(since) })
}

// whoEdited are those who edited the linked issues since the head was made.
func (l linkedIssues) whoEdited() []gh.Account {
	var list []gh.Account
	for _, i := range l.list {
		list = append(list, lists.Map(l.editsSinceHead(i), func(e gh.Edit) gh.Account { return e.By })...)
	}
	return list
}
