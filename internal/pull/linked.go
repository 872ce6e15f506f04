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

// linked are the issues that the pull request closes, none if the settings show models
// only the change.
func (s *Snapshot) linked() []gh.Linked {
	if s.config.Context == config.ContextOff {
		return nil
	}
	return s.pull.Linked
}

// linkedText is the text of the linked issues, as people read it, for the reviewers. It leaves
// out an issue that a stranger edited since the head was made: no writer has seen its
// current text together with this change.
func (s *Snapshot) linkedText() string {
	var b strings.Builder
	for _, i := range s.linked() {
		isStranger := func(e gh.Edit) bool { return !s.people.actor(e.By).Permission.AtLeast(debate.WriteAccess) }
		if slices.ContainsFunc(s.editsSinceHead(i), isStranger) {
			continue
		}
		fmt.Fprintf(&b, "#%d %s\n\n%s\n\n", i.Number, text.OneLine(i.Title), comment.Seen(i.Body))
	}
	return text.Clip(strings.TrimSpace(s.clean(b.String())), maxIssueText-len("…"))
}

// editsSinceHead are the edits of an issue after the date of the head. A date in the
// future counts as none.
func (s *Snapshot) editsSinceHead(i gh.Linked) []gh.Edit {
	since := s.pull.HeadDate
	if since.After(s.now) {
		since = time.Time{}
	}
	return lists.Keep(i.Edits, func(e gh.Edit) bool { return e.At.After(since) })
}

// whoEdited are the accounts of those edits.
func (s *Snapshot) whoEdited() []gh.Account {
	var list []gh.Account
	for _, i := range s.linked() {
		list = append(list, lists.Map(s.editsSinceHead(i), func(e gh.Edit) gh.Account { return e.By })...)
	}
	return list
}
