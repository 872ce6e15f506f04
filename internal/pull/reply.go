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
		w.outcomes.finish(a, "", w.widened(a))
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
	return "The gate is required here, so no order can narrow the review: it was held as the settings say.\n"
}

// held reports whether the run held a debate about the head.
func (w settlement) held() bool { return w.state.Stage != debate.StageNone }

// stopping says what becomes of an order to stop where this run holds no debate.
func (w settlement) stopping() string {
	text := "A debate that runs now ends before its next round."
	if w.split {
		text = "A debate that jobs of its own hold cannot be stopped from here: cancel the workflow run."
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
		return "This head is reviewed, and the summary comment says how it stands.\n"
	case !w.held():
		return "Nobody has reviewed this head yet.\n"
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
		return "it does not say which finding it is about", ""
	case !left.knows(finding):
		return "there is no finding " + finding + " here", ""
	case a.command.Verb == comment.Dispute && w.snap.unpaid(left, a, w.commands):
		return "a dispute asks models, and for an author without write access somebody who has it must comment /debate run first", ""
	case !w.held() && w.snap.checkpoint.Debate.HeadSHA == w.snap.pull.HeadSHA:
		return "this head is reviewed, but what was said is not remembered; /debate run debates it again", ""
	case !w.held():
		return "nobody has reviewed this head yet", ""
	}
	explained := report.Explain(report.FromState(w.state), left.claim(finding), w.view())
	if a.command.Verb != comment.Explain || len(explained) == 0 {
		return finding + " does not stand any more", ""
	}
	return "", string(explained)
}

// undecidable says why an answer decides none of the open questions. Decision is ""
// for one that does not say which it is about.
func (w settlement) undecidable(decision string) string {
	ids, head := w.awaiting()
	open := strings.Join(ids, ", ")
	switch {
	case len(ids) == 0 && decision == "":
		return "no question is open here"
	case len(ids) == 0:
		return "no question " + decision + " is open here, and no other one is"
	case decision == "":
		return "several questions are open, and it does not say which it answers: " + open + ", about head " + head
	}
	return "no question " + decision + " is open here; open is: " + open + ", about head " + head
}

// awaiting are the questions that wait for a person, and the head that they are about.
func (w settlement) awaiting() (ids []string, head string) {
	decisions := w.state.Agenda.Decisions
	head = w.snap.pull.HeadSHA
	if !w.held() {
		decisions, head = w.snap.checkpoint.Debate.Decisions, w.snap.checkpoint.Debate.HeadSHA
	}
	for _, d := range decisions {
		if d.Outcome == debate.AwaitingHuman {
			ids = append(ids, d.ID)
		}
	}
	return ids, short(head)
}

// repliedSince notes what another run answered meanwhile, by the newest comments.
func (b *board) repliedSince(newest []gh.Comment) {
	for _, c := range newest {
		haveReplied(&b.have, c, false)
	}
}
