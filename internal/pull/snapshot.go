package pull

import (
	"cmp"
	"slices"
	"time"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/config"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/lists"
)

// Snapshot is the state of GitHub when a run began. It has no decisions and never
// changes.
type Snapshot struct {
	reads
	trigger    Trigger
	config     config.Config
	key        []byte              // seals the checkpoint, see Setup
	clean      func(string) string // takes secrets out of a text
	summary    gh.Comment          // ours, the zero value if there is none
	checkpoint Checkpoint
	sealed     bool      // we wrote the checkpoint
	requests   []request // commands of people, in the order of their creation
	verdicts   []gh.Review
	now        time.Time // when the run began
}

// reads are the parts of a snapshot that one job hands over to another.
type reads struct {
	Pull    gh.Pull
	Ahead   bool              // the base branch has some of the reviewed change
	Issue   gh.Issue          // ours with the questions about this pull request, the zero value if there is none
	Twins   []gh.Issue        // others of ours, see pickIssue
	Access  map[string]access // by login; only for accounts already looked up
	Pushers []gh.Account      // of commits of the head, as far as it matters
	Checks  headChecks
	Notes   []string // unreadable parts, for people
}

// headChecks are the check runs of the head.
type headChecks struct {
	Runs   []gh.CheckRun
	Own    gh.CheckRun // ours, the zero value if there is none
	Denied string      // the reason to read none, "" if they were read
}

// underWay reports whether a debate about the head goes on: our check says so, and may be
// right.
func (s *Snapshot) underWay() bool {
	run := s.Checks.Own
	if run.Done || s.leftOpen() || s.ownProgress() {
		return false
	}
	began := run.StartedAt
	if last := ownerOf(run).began; last != 0 {
		began = time.Unix(last, 0)
	}
	longest := time.Duration(s.config.Limits.BudgetMinutes)*time.Minute + 10*time.Minute // a check in progress for longer belongs to a dead run
	return s.now.Sub(began) < longest
}

// ownProgress reports whether our check is in progress because of this run, or of the one that it
// goes on with.
func (s *Snapshot) ownProgress() bool {
	left := s.trigger.left
	return !s.Checks.Own.Done && left != "" && s.ownCheck() && ownerOf(s.Checks.Own).session == left
}

// leftOpen reports whether our check is in progress although its run published a result:
// GitHub refused the last write.
func (s *Snapshot) leftOpen() bool {
	run := s.Checks.Own
	return s.checkpoint.Unchecked && !run.Done && s.ownCheck() && ownerOf(run).session == s.checkpoint.Debate.SessionID
}

// ownCheck reports whether the check of the head belongs to this pull request, not to
// another one with the same head.
func (s *Snapshot) ownCheck() bool {
	return ownerOf(s.Checks.Own).pull == s.Pull.Number
}

// repeated reports whether this head was reviewed and its debate is not known: the state
// has no seal, or the debate was too large to be remembered. Such a state only prevents a
// second review; nothing else uses it.
func (s *Snapshot) repeated() bool {
	believed := s.sealed || s.key == nil
	return !s.trusted() && believed && s.sameChange()
}

// trusted reports whether we sealed the checkpoint, with all of the debate in it.
func (s *Snapshot) trusted() bool { return s.sealed && !s.checkpoint.Stub }

// known reports whether the debate about this head is remembered.
func (s *Snapshot) known() bool { return s.trusted() && s.sameChange() }

// believed is the checkpoint if we sealed it, else an empty one.
func (s *Snapshot) believed() *Checkpoint {
	if s.sealed {
		return &s.checkpoint
	}
	return new(Checkpoint)
}

// reopened reports whether a question was withdrawn when the pull request was closed, and
// has to be asked again because it is open again.
func (s *Snapshot) reopened() bool {
	return s.isOpen() && len(idsWith(s.checkpoint.Debate.Agenda.Decisions, debate.Withdrawn)) > 0
}

// sameChange reports whether the checkpoint is about this head, for this base branch as
// far as it had come.
func (s *Snapshot) sameChange() bool {
	return s.checkpoint.Debate.HeadSHA == s.Pull.HeadSHA && s.checkpoint.BaseRef == s.Pull.BaseRef && !s.Ahead
}

func (s *Snapshot) isOpen() bool { return s.Pull.State == gh.Open }

// asksPeople reports whether a question waits for a person, by the checkpoint or by our
// issue as it is now.
func (s *Snapshot) asksPeople(issue gh.Issue) bool {
	return s.checkpoint.Debate.Agenda.AwaitsHuman() || issue.Open
}

// questioned reports whether GitHub shows a question of ours: in an issue, or in the summary if none
// could be opened.
func (s *Snapshot) questioned() bool {
	inSummary := func(d debate.Decision) bool { return d.Human.Sink == debate.SinkComment }
	return s.Issue.Number != 0 || slices.ContainsFunc(posed(s.checkpoint.Debate.Agenda.Decisions), inSummary)
}

// finding is the F id of a request: the one in its words, or the one of its thread.
func (s *Snapshot) finding(a request) string {
	return cmp.Or(a.command.Finding, s.checkpoint.keyed(a.key).F)
}

// links are the addresses of the threads of findings.
func (m *Checkpoint) links(threads []gh.Thread) map[string]string {
	links := make(map[string]string)
	for _, t := range threads {
		if f := m.keyed(findingMark(t).Value).F; f != "" {
			links[f] = cmp.Or(links[f], opening(t).URL)
		}
	}
	return links
}

// remembering is the snapshot with the debate just held in its checkpoint. If there was
// no seal, nothing else is known about the items that people answered: they are those of the
// issue, or of the summary.
func (s *Snapshot) remembering(state debate.State) *Snapshot {
	now := *s
	now.checkpoint.cost = s.checkpoint.spent()
	now.checkpoint.Debate, now.checkpoint.Items, now.checkpoint.Issue = state.Memory(), nil, s.Issue.Number
	now.checkpoint.Debate.Asking.Calls = nil // they are in the session, and counted there
	for _, d := range posed(state.Agenda.Decisions) {
		item := Item{Decision: d.ID, Fingerprint: d.Fingerprint, Head: s.checkpoint.Debate.HeadSHA, AskedAt: s.checkpoint.At}
		m, asks := questionIn(s.Issue, d.Fingerprint)
		if asks {
			item.Head, item.AskedAt = m.Head, millis(s.Issue.CreatedAt)
		}
		if was := s.checkpoint.decision(d.Fingerprint).Human; asks || was != nil && was.Sink == debate.SinkComment {
			now.checkpoint.Items = append(now.checkpoint.Items, item)
		}
	}
	return &now
}

// opening is the first comment of a thread, the zero value if GitHub shows none.
func opening(t gh.Thread) gh.Comment {
	return lists.Find(t.Comments, func(gh.Comment) bool { return true })
}

// editedByOther reports whether another account than the author edited a comment last.
func editedByOther(c gh.Comment) bool { return c.Edited && c.EditedBy.Login != c.Author.Login }

// ownMark is the marker of a kind in a text, if the text is ours and has one: the zero
// value else.
func ownMark(mine bool, text string, kind comment.Kind) (m comment.Marker, has bool) {
	if !mine {
		return m, false
	}
	return comment.Marked(text, kind)
}

// ours reports of comments whether they are ours, with a marker of a kind.
func ours(kind comment.Kind) func(gh.Comment) bool {
	return func(c gh.Comment) bool { _, has := ownMark(c.Mine, c.Body, kind); return has }
}

// findingMark is the marker of the finding of our thread: its key and its F id.
func findingMark(t gh.Thread) comment.Marker {
	first := opening(t)
	m, _ := ownMark(first.Mine, first.Body, comment.FindingMark)
	return m
}

// millis is a time as the log counts it.
func millis(t time.Time) int64 { return t.UnixMilli() }

// last is the last element of a list, the zero value if there is none.
func last[T any](list []T) (v T) {
	if len(list) > 0 {
		v = list[len(list)-1]
	}
	return v
}

func short(sha string) string { return sha[:min(12, len(sha))] }
