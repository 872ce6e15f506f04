package pull

import (
	"slices"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/lists"
)

// A repository may go from the Action to an App and back. Another account speaks for
// debate then, and what the one before wrote is not ours by GitHub's word. The summary of
// that account is taken over all the same, if the key of today sealed it:
//
//	A writes term 0 ──> B takes over, writes term 1, hides A's ──> A takes over, term 2 ...
//
// What is taken over is sealed for this pull request, names the account that wrote it, and
// stands in the comment of that bot, which nobody else edited or hid. So a copy that some
// other bot was made to post counts for nothing, and neither does a state of an earlier
// term: a newer one of ours stands, or the comment is hidden.

// maxFormer is of how many other bots the summaries are looked at.
const maxFormer = 8

// former is the summary of another account.
type former struct {
	comment    gh.Comment
	checkpoint Checkpoint
}

// formerSummaries are the summaries of other accounts that speak for debate, the oldest of
// each. Assumed: another job finds out whether the key of today sealed them.
func formerSummaries(key []byte, p gh.Pull, assumed bool) []former {
	others := lists.Keep(p.Comments, func(c gh.Comment) bool {
		return c.Author.Bot && !c.Mine && comment.IsMarked(c.Body, comment.SummaryMark)
	})

	var oldest []gh.Comment
	for _, c := range others {
		same := func(o gh.Comment) bool { return o.Author.Login == c.Author.Login }
		if !slices.ContainsFunc(oldest, same) {
			oldest = append(oldest, c)
		}
	}
	var list []former
	for _, c := range oldest[:min(len(oldest), maxFormer)] {
		checkpoint, sealed, _ := openSummary(key, p, c, assumed)
		if sealed && !c.Minimized && checkpoint.By == c.Author.Login {
			list = append(list, former{c, checkpoint})
		}
	}
	return list
}

// openSummary is openCheckpoint, and believes without a key what is assumed.
func openSummary(key []byte, p gh.Pull, c gh.Comment, assumed bool) (checkpoint Checkpoint, sealed bool, note string) {
	checkpoint, sealed, note = openCheckpoint(key, p, &c)
	return checkpoint, sealed || assumed && checkpoint.Version != 0, note
}

// remember opens our summary, or takes over a newer one of another account. A summary of
// ours that cannot be believed keeps us from believing another one: what somebody edited
// must not bring back what held before.
func (s *Snapshot) remember(assumed bool) (note string) {
	s.summary = lists.Find(s.pull.Comments, ours(comment.SummaryMark)) // of several, because two runs met, the oldest
	s.checkpoint, s.sealed, note = openSummary(s.key, s.pull, s.summary, assumed)
	newest := s.checkpoint.Term
	switch {
	case s.summary.ID == 0:
		newest = -1
	case !s.sealed:
		return note
	}
	others := formerSummaries(s.key, s.pull, assumed)
	for _, other := range others {
		if other.checkpoint.Term > newest {
			s.checkpoint, s.sealed, s.moved = other.checkpoint, true, true
			newest = s.checkpoint.Term
		}
	}
	if s.moved {
		s.checkpoint.succeed(s.pull.Viewer)
	}
	older := lists.Keep(others, func(f former) bool { return f.checkpoint.Term < s.checkpoint.Term })
	s.outdated = lists.Map(older, func(f former) string { return f.comment.Node })
	return note
}

// succeed has another account go on with a checkpoint.
func (m *Checkpoint) succeed(account string) {
	isOver := func(login string) bool { return slices.Contains([]string{account, m.By}, login) }
	m.Former = append(slices.DeleteFunc(slices.Clone(m.Former), isOver), m.By)
	m.Former = m.Former[max(0, len(m.Former)-maxFormer):]
	m.Term++
}

// formerAccounts are those that spoke for debate on a pull request before ours.
type formerAccounts struct {
	logins []string
	ours   string
}

// former are those of the checkpoint, none where nothing that is sealed names them.
func (s *Snapshot) former() formerAccounts {
	return formerAccounts{logins: s.believed().Former, ours: s.pull.Viewer}
}

// own is what GitHub says with all that our former accounts wrote and did as ours, but for
// their summaries.
func (f formerAccounts) own(p gh.Pull) gh.Pull {
	if len(f.logins) == 0 {
		return p
	}
	p.Comments = f.ownComments(p.Comments)
	p.Threads = slices.Clone(p.Threads)
	for i := range p.Threads {
		p.Threads[i].Comments = f.ownComments(p.Threads[i].Comments)
	}
	p.Reviews = slices.Clone(p.Reviews)
	for i := range p.Reviews {
		f.wrote(&p.Reviews[i].Author, &p.Reviews[i].Mine)
	}
	return p
}

func (f formerAccounts) ownComments(list []gh.Comment) []gh.Comment {
	list = slices.Clone(list)
	for i := range list {
		c := &list[i]
		if comment.IsMarked(c.Body, comment.SummaryMark) {
			continue
		}
		f.wrote(&c.Author, &c.Mine)
		f.owned(&c.EditedBy)
	}
	return list
}

// ownIssues is own for issues.
func (f formerAccounts) ownIssues(list []gh.Issue) []gh.Issue {
	if len(f.logins) == 0 {
		return list
	}
	list = slices.Clone(list)
	for i := range list {
		issue := &list[i]
		f.wrote(&issue.Author, &issue.Mine)
		f.owned(&issue.EditedBy)
		f.owned(&issue.RenamedBy)
		issue.Comments, issue.Events = f.ownComments(issue.Comments), slices.Clone(issue.Events)
		for j := range issue.Events {
			f.owned(&issue.Events[j].By)
		}
	}
	return list
}

// repliedBefore are the comments that got a reply, where former accounts of ours may have
// written it: what they reacted with GitHub does not say.
func (s *Snapshot) repliedBefore() map[comment.Ref]bool {
	if len(s.former().logins) == 0 {
		return nil
	}
	return haveOf(s).Replied
}

// wrote makes ours what a former account wrote.
func (f formerAccounts) wrote(by *gh.Account, mine *bool) {
	if f.owned(by) {
		*mine = true
	}
}

// owned puts our account in the place of a former one, and reports whether it was one.
func (f formerAccounts) owned(by *gh.Account) bool {
	if !by.Bot || !slices.Contains(f.logins, by.Login) {
		return false
	}
	by.Login = f.ours
	return true
}
