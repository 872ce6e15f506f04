package pull

import (
	"fmt"
	"strings"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/config"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/text"
)

// maxIssueText bounds the bytes of the issues that a change is to close, all together.
const maxIssueText = 4_000

// issueText is what the issues ask for that the pull request is to close, as people read
// them, for the reviewers. One that a stranger edited since the head was made is left out:
// nobody who may write has seen what it says now beside this change.
func (s *Snapshot) issueText() string {
	if s.config.Context == config.ContextOff {
		return ""
	}
	var b strings.Builder
	for _, i := range s.pull.Linked {
		if s.mayHaveBeenForged(i) {
			continue
		}
		fmt.Fprintf(&b, "#%d %s\n\n%s\n\n", i.Number, text.OneLine(i.Title), comment.Seen(i.Body))
	}
	return text.Clip(strings.TrimSpace(s.clean(b.String())), maxIssueText-len("…"))
}

// mayHaveBeenForged reports whether somebody without write access edited an issue since the
// head was made, or somebody of whom that is not known.
func (s *Snapshot) mayHaveBeenForged(i gh.Linked) bool {
	for _, e := range s.editsSinceHead(i) {
		if !s.people.actor(e.By).Permission.AtLeast(debate.WriteAccess) {
			return true
		}
	}
	return false
}

// editsSinceHead are the edits of an issue that whoever made the head cannot have seen. A
// head that says it is of the future says nothing.
func (s *Snapshot) editsSinceHead(i gh.Linked) []gh.Edit {
	head := s.pull.HeadDate
	said := !head.IsZero() && !head.After(s.now)
	return keep(i.Edits, func(e gh.Edit) bool { return !said || e.At.After(head) })
}

// whoEdited are those who edited the linked issues since the head was made.
func (s *Snapshot) whoEdited() []gh.Account {
	if s.config.Context == config.ContextOff {
		return nil
	}
	var list []gh.Account
	for _, i := range s.pull.Linked {
		for _, e := range s.editsSinceHead(i) {
			list = append(list, e.By)
		}
	}
	return list
}
