package pull

import (
	"cmp"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/report"
)

// What one run answers at most. The others are answered by the next one.
const (
	maxTexts   = 10
	maxReplies = 20 // texts and mere reactions
)

// urgent orders requests: people who take part in the work first, and then the newest.
func (p people) urgent(a, b request) int {
	works := func(a request) int {
		if p.works(a.comment.Author) {
			return 0
		}
		return 1
	}
	return cmp.Or(cmp.Compare(works(a), works(b)), b.comment.CreatedAt.Compare(a.comment.CreatedAt), cmp.Compare(b.comment.ID, a.comment.ID))
}

// talks reports whether a reply has a text that does not stand there yet.
func (b *board) talks(r comment.Reply) bool { return r.Body != "" && !b.have.Replied[r.To] }

// stands reports whether all of a reply stands there.
func (b *board) stands(r comment.Reply) bool {
	return !b.talks(r) && b.have.Reacted[comment.Reacted{To: r.To, Reaction: r.Reaction}]
}

// texts counts the texts that are to be written.
func (w settlement) texts() int { return len(keep(w.outcomes.replies, w.board.talks)) }

// wantReplies are the replies that this run gives, the most urgent ones first. What
// the summary counts as carried out is said in any case.
func (w settlement) wantReplies() []comment.Reply {
	order := make(map[comment.Ref]int)
	requests := slices.Clone(w.snap.requests)
	slices.SortStableFunc(requests, w.snap.people.urgent)
	for i, a := range requests {
		order[a.ref()] = i + 1
		if w.ledger.written.handled(a.comment.ID) {
			order[a.ref()] = 0
		}
	}
	replies := slices.DeleteFunc(slices.Clone(w.outcomes.replies), w.board.stands)
	slices.SortStableFunc(replies, func(a, b comment.Reply) int { return cmp.Compare(order[a.To], order[b.To]) })
	var list []comment.Reply
	texts := 0
	for _, r := range replies {
		if w.board.talks(r) {
			texts++
			if texts > maxTexts {
				continue
			}
		}
		list = append(list, r)
	}
	return list[:min(len(list), maxReplies)]
}

// answerObeyed ends the commands that the run carried out as a whole.
func (w settlement) answerObeyed(a request) {
	switch {
	case a.command.Verb == comment.Run && !w.snap.isOpen():
		w.outcomes.finish(a, "the pull request is "+string(w.snap.pull.State), "")
	case !w.bound(a):
		w.outcomes.show(a, comment.Eyes)
	case a.command.Verb == comment.Stop && !w.held():
		w.outcomes.finish(a, "", w.stopping())
	default:
		w.outcomes.finish(a, "", cmp.Or(w.widened(a), w.proposal(a)))
	}
}

// widened says that an order could not narrow the review, "" where it did not try.
func (w settlement) widened(a request) string {
	c, held := a.command, w.state.Received
	otherMode := c.Mode != "" && c.Mode != held.Mode
	otherScope := c.Scope != "" && c.Scope != held.Target
	if !w.held() || !otherMode && !otherScope {
		return ""
	}
	return "The check is required here, so nobody can narrow a review: it was done as the settings say.\n"
}

// held reports whether the run held a debate about the head.
func (w settlement) held() bool { return w.state.Stage != debate.StageNone }

// stopping says what becomes of an order to stop where this run holds no debate.
func (w settlement) stopping() string {
	text := "A debate that runs now ends before its next round."
	if w.split {
		text = "A debate in jobs of its own cannot be stopped by a comment: cancel the workflow run."
	}
	return text + " If none runs, none begins until the pull request changes or somebody comments `/debate run`.\n"
}

// bound reports whether the summary says what a dismissal or a waiver is about. Until
// it does, the next run takes it up again.
func (w settlement) bound(a request) bool {
	id := a.comment.ID
	switch a.command.Verb {
	case comment.Dismiss:
		return slices.ContainsFunc(w.ledger.written.Dismissed, func(d Dismissed) bool { return d.Comment == id })
	case comment.Waive:
		return slices.ContainsFunc(w.ledger.written.Waived, func(w Waived) bool { return w.Comment == id })
	}
	return true
}

// answerRefused ends a command that its sender may not give. A stranger gets a
// reaction and no text: nobody shall make us talk.
func (w settlement) answerRefused(a refused) {
	if w.snap.people.works(a.comment.Author) {
		w.outcomes.finish(a.request, a.why, "")
		return
	}
	w.outcomes.show(a.request, comment.Confused)
}

// toldStranger reports whether a request is of somebody who takes no part in the work,
// and one such person got a text about this head: the others get a reaction.
func (w settlement) toldStranger(a request) bool {
	told := func(b request) bool {
		spoken := func(r comment.Reply) bool { return r.To == b.ref() && r.Body != "" }
		sinceReview := millis(b.comment.CreatedAt) >= w.snap.checkpoint.At
		answered := w.board.have.Replied[b.ref()] || slices.ContainsFunc(w.outcomes.replies, spoken)
		return b.ref() != a.ref() && answered && sinceReview && !w.snap.people.works(b.comment.Author)
	}
	return !w.snap.people.works(a.comment.Author) && slices.ContainsFunc(w.snap.requests, told)
}

// waits reports whether a command about what an earlier head left can wait for the
// review of this one, which takes it up.
func (w settlement) waits(a request) bool {
	about := w.snap.checkpoint.Debate.HeadSHA
	quiet := w.commands.paused || w.snap.stopped(w.commands)
	if !w.snap.trusted || w.held() || !w.snap.isOpen() || quiet || about == w.snap.pull.HeadSHA {
		return false
	}
	switch a.command.Verb {
	case comment.Decide:
		return w.snap.checkpoint.awaits(a.command.Decision)
	case comment.Dispute:
		return w.disputesKnown(a)
	}
	return false
}

// disputesKnown reports whether a command disputes a finding that the checkpoint knows.
func (w settlement) disputesKnown(a request) bool {
	return a.command.Verb == comment.Dispute && w.snap.checkpoint.claim(w.snap.finding(a)) != ""
}

// answer carries out a command that wants a text, or says why it cannot.
func (w settlement) answer(a request) (refused, text string) {
	switch a.command.Verb {
	case comment.Help:
		return "", string(report.Help())
	case comment.Decide:
		return w.undecidable(a.command.Decision), ""
	case comment.Status:
		return "", w.status()
	}
	return w.answerAbout(a)
}

// status says how the review of the head stands.
func (w settlement) status() string {
	switch {
	case w.snap.repeated():
		return "This commit is reviewed. The summary comment says how it stands.\n"
	case !w.held():
		return "Nobody has reviewed this commit yet.\n"
	}
	conclusion, why := w.verdict()
	return string(report.Status(report.FromState(w.state), w.view(), conclusion, why))
}

// answerAbout answers a dispute, or a question what a finding says.
func (w settlement) answerAbout(a request) (refused, text string) {
	finding := w.snap.finding(a)
	left := &w.ledger.left
	switch {
	case finding == "":
		return "it does not say which finding it is about. Write `" + a.command.Verb.Usage() + "`", ""
	case !left.knows(finding):
		return left.unknown(finding), ""
	case a.command.Verb == comment.Dispute && w.snap.unpaid(left, a, w.commands):
		return "a dispute asks models. Their author has no write access, so somebody who has it must comment `/debate run` first", ""
	case !w.held() && w.snap.checkpoint.Debate.HeadSHA == w.snap.pull.HeadSHA:
		return "this commit is reviewed, but what was said is not remembered. `/debate run` reviews it again", ""
	case !w.held():
		return "nobody has reviewed this commit yet", ""
	}
	explained := report.Explain(report.FromState(w.state), left.claim(finding), w.view())
	if a.command.Verb != comment.Explain || len(explained) == 0 {
		return finding + " is not there any more", ""
	}
	return "", string(explained)
}

// unknown says that no finding has an id, and which ones there are.
func (m *Checkpoint) unknown(f string) string {
	var ids []string
	for _, n := range m.Names {
		if n.Claim != "" && !n.Gone {
			ids = append(ids, n.F)
		}
	}
	text := "there is no finding " + f + " here"
	if len(ids) == 0 {
		return text
	}
	return text + ". There are " + report.Capped(ids, ", ")
}

// undecidable says why an answer decides none of the open questions. Decision is ""
// for one that does not say which it is about.
func (w settlement) undecidable(decision string) string {
	ids := w.awaiting()
	open := strings.Join(ids, ", ")
	isOpen := slices.Contains(ids, decision) || decision == "" && len(ids) == 1
	switch {
	case len(ids) == 0 && decision == "":
		return "no question is open here"
	case isOpen && w.held():
		return "it came before this was asked. Read the question, and do it again if that is still your answer"
	case isOpen:
		return "the question is about `" + short(w.snap.checkpoint.Debate.HeadSHA) + "`, and the newest commit is not reviewed yet. Comment `/debate run` first"
	case len(ids) == 0:
		return "there is no question " + decision + " here, and no other one is open"
	case decision == "":
		return "several questions are open (" + open + "), and it does not say which one it answers. Write `/debate decide " + ids[0] + " OPTION WHY`"
	case len(ids) == 1:
		return "there is no open question " + decision + " here. One question is open, and `/debate decide OPTION WHY` answers it"
	}
	return "there is no open question " + decision + " here. Open are " + open
}

// awaiting are the questions that wait for a person.
func (w settlement) awaiting() (ids []string) {
	decisions := w.state.Agenda.Decisions
	if !w.held() {
		decisions = w.snap.checkpoint.Debate.Decisions
	}
	for _, d := range decisions {
		if d.Outcome == debate.AwaitingHuman {
			ids = append(ids, d.ID)
		}
	}
	return ids
}

// repliedSince notes what another run answered meanwhile, by the newest comments.
func (b *board) repliedSince(newest []gh.Comment) {
	for _, c := range newest {
		haveReplied(&b.have, c, false)
	}
}
