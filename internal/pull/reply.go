package pull

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/report"
)

// The most that one run answers. The next run answers the others.
const (
	maxTexts   = 10
	maxReplies = 20 // texts and mere reactions
)

// urgent orders requests: first those of people who work on the pull request, then the
// newest.
func (p people) urgent(a, b request) int {
	works := func(a request) int {
		if p.works(a.comment.Author) {
			return 0
		}
		return 1
	}
	return cmp.Or(cmp.Compare(works(a), works(b)), b.comment.CreatedAt.Compare(a.comment.CreatedAt), cmp.Compare(b.comment.ID, a.comment.ID))
}

// talks reports whether a reply has a text and was not given yet.
func talks(have comment.Have, r comment.Reply) bool { return r.Body != "" && !have.Replied[r.To] }

// stands reports whether a reply was given in full.
func stands(have comment.Have, r comment.Reply) bool {
	return !talks(have, r) && have.Reacted[comment.Reacted{To: r.To.Comment(), Reaction: r.Reaction}]
}

// replies are our answers to commands. They are only computed here, not written.
type replies struct {
	snap     *Snapshot
	commands commands
	state    debate.State
	have     comment.Have
	outcomes *outcomes
	written  *Checkpoint // in the summary
	left     *Checkpoint // for the next run
	split    bool        // another job asks the models
	at       time.Time

	view       report.Pull
	conclusion debate.Conclusion
	why        string
}

// replies are the answers of a settlement.
func (w settlement) replies() replies {
	r := replies{
		snap: w.snap, commands: w.commands, state: w.state, have: w.board.have, outcomes: w.outcomes,
		written: &w.ledger.written, left: &w.ledger.left, split: w.split, at: w.at, view: w.view(),
	}
	r.conclusion, r.why = w.verdict()
	return r
}

// texts counts the texts to write.
func (r replies) texts() int {
	return len(lists.Keep(r.outcomes.replies, func(one comment.Reply) bool { return talks(r.have, one) }))
}

// wantReplies are the replies of this run, the most urgent ones first. Commands that the
// summary calls carried out are always answered.
func (r replies) wantReplies() []comment.Reply {
	order := make(map[comment.Ref]int)
	requests := slices.Clone(r.snap.requests)
	slices.SortStableFunc(requests, r.snap.people.urgent)
	for i, a := range requests {
		first, later := order[a.ref().Comment()]
		switch {
		case r.written.handled(a.id()):
			first = 0
		case !later:
			first = i + 1
		}
		order[a.ref().Comment()] = first
	}
	given := slices.DeleteFunc(r.joined(), func(one comment.Reply) bool { return stands(r.have, one) })
	slices.SortStableFunc(given, func(a, b comment.Reply) int { return cmp.Compare(order[a.To.Comment()], order[b.To.Comment()]) })
	var list []comment.Reply
	texts := 0
	for _, one := range given {
		if talks(r.have, one) {
			texts++
			if texts > maxTexts {
				continue
			}
		}
		list = append(list, one)
	}
	return list[:min(len(list), maxReplies)]
}

// joined are the replies of this run, one for each comment.
func (r replies) joined() []comment.Reply {
	var list []comment.Reply
	for _, one := range r.outcomes.replies {
		of := func(ref comment.Ref) bool { return ref.Comment() == one.To.Comment() }
		several := lists.Keep(r.snap.requests, func(a request) bool { return of(a.ref()) })
		switch {
		case len(several) < 2:
			list = append(list, one)
		case !slices.ContainsFunc(list, func(other comment.Reply) bool { return of(other.To) }):
			list = append(list, r.together(several))
		}
	}
	return list
}

// together is the one reply to all commands of a comment. Its text answers those that
// ended in this run. Its final reaction waits for all of them.
func (r replies) together(several []request) comment.Reply {
	reply := comment.Reply{To: several[0].ref(), On: several[0].issue.Number, Reaction: comment.ThumbsUp}
	var answers []report.CommandAnswer
	var refs []comment.Ref
	hasText := false
	for _, a := range several {
		one := lists.Find(r.outcomes.replies, func(one comment.Reply) bool { return one.To == a.ref() })
		isEnded := one.Reaction == comment.ThumbsUp || one.Reaction == comment.Confused
		switch {
		case !isEnded && !a.answered:
			reply.Reaction = comment.Eyes
		case one.Reaction == comment.Confused && reply.Reaction != comment.Eyes:
			reply.Reaction = comment.Confused
		}
		if isEnded && !r.have.Replied[a.ref()] {
			refs = append(refs, a.ref())
			answers = append(answers, report.CommandAnswer{Nth: a.nth + 1, Command: a.command.String(), Text: one.Body})
			hasText = hasText || one.Body != ""
		}
	}
	if hasText {
		reply.To, reply.Also, reply.Body = refs[0], refs[1:], string(report.Answers(answers))
	}
	return reply
}

// answerObeyed answers a command that the whole run carried out.
func (r replies) answerObeyed(a request) {
	switch {
	case a.command.Verb == comment.Run && !r.snap.isOpen():
		r.outcomes.finish(a, "the pull request is "+string(r.snap.pull.State), "")
	case r.unwaivable(a) != "":
		r.outcomes.finish(a, r.unwaivable(a), "")
	case !r.bound(a):
		r.outcomes.show(a, comment.Eyes)
	case a.command.Verb == comment.Stop && !r.held():
		text := "A debate that runs now ends before its next round."
		if r.split {
			text = "A debate in jobs of its own cannot be stopped by a comment: cancel the workflow run."
		}
		r.outcomes.finish(a, "", text+" If none runs, none begins until the pull request changes or a person comments `/debate run`.\n")
	case a.command.Verb == comment.Pause && r.snap.pausedBefore(a):
		r.outcomes.finish(a, "", "Reviews of this pull request are already paused. `/debate resume` starts them again.\n")
	case a.command.Verb == comment.Resume && !r.snap.pausedBefore(a) && !r.held():
		r.outcomes.finish(a, "", "Reviews of this pull request are not paused.\n")
	default:
		r.outcomes.finish(a, "", cmp.Or(r.widened(a), r.proposal(a)))
	}
}

// unwaivable returns the reason why a waiver had no effect on the debate of this run, ""
// if it had.
func (r replies) unwaivable(a request) string {
	if !a.is(comment.Waive) || !r.held() {
		return ""
	}
	return unwaivable(r.state.Agenda.Triggers, a.command.Trigger)
}

// widened says that an order could not narrow the review, "" if it did not try to.
func (r replies) widened(a request) string {
	c, held := a.command, r.state.Received
	asOrdered := cmp.Or(c.Mode, held.Mode) == held.Mode && cmp.Or(c.Scope, held.Target) == held.Target
	if asOrdered || !r.held() {
		return ""
	}
	return "The check is required here, so a command cannot narrow a review: it was done as the settings say.\n"
}

// held reports whether the run held a debate about the head.
func (r replies) held() bool { return r.state.Stage != debate.StageNone }

// bound reports whether the summary has the subject of a dismissal or a waiver. Until
// then, the next run does it again.
func (r replies) bound(a request) bool {
	switch a.command.Verb {
	case comment.Dismiss:
		return slices.ContainsFunc(r.written.Dismissed, func(d Dismissed) bool { return d.id() == a.id() })
	case comment.Waive:
		return slices.ContainsFunc(r.written.Waived, func(w Waived) bool { return w.id() == a.id() })
	}
	return true
}

// answerRefused answers a command without the right to give it.
func (r replies) answerRefused(a refused) {
	if r.toldStranger(a.request) {
		r.outcomes.show(a.request, comment.Confused)
		return
	}
	r.outcomes.finish(a.request, a.why, "")
}

// toldStranger reports whether a request is by a stranger, and a stranger already got a
// text of the same kind about this head, an answer or a refusal. The others get only a
// reaction, so strangers cannot make us talk without end.
func (r replies) toldStranger(a request) bool {
	refused := refusal(r.snap, a) != ""
	stranger := func(b request) bool {
		return !r.snap.people.works(b.comment.Author) && (refusal(r.snap, b) != "") == refused
	}
	since := func(b request) bool { return millis(b.comment.CreatedAt) >= r.snap.checkpoint.At }
	return stranger(a) && slices.ContainsFunc(lists.Keep(r.snap.requests, stranger), func(b request) bool {
		return b.ref() != a.ref() && since(b) && r.told(b)
	})
}

// told reports whether a request got a text.
func (r replies) told(a request) bool {
	text := func(one comment.Reply) bool { return one.To == a.ref() && one.Body != "" }
	return r.have.Replied[a.ref()] || slices.ContainsFunc(r.outcomes.replies, text)
}

// waits reports whether a command about an earlier head can wait for the review of this
// one, because that will answer it.
func (r replies) waits(a request) bool {
	switch about := r.snap.checkpoint.Debate.HeadSHA; {
	case r.held(), !r.snap.trusted, !r.snap.isOpen(), r.snap.quiet(r.commands), about == r.snap.pull.HeadSHA:
		return false
	case a.command.Verb == comment.Decide:
		return r.snap.checkpoint.awaits(a.command.Decision)
	}
	return r.disputesKnown(a)
}

// disputesKnown reports whether a command disputes a finding of the checkpoint.
func (r replies) disputesKnown(a request) bool {
	return a.command.Verb == comment.Dispute && r.snap.checkpoint.disputable(r.snap.finding(a))
}

// answer carries out a command with a text, or returns the reason why it cannot.
func (r replies) answer(a request) (refused, text string) {
	switch a.command.Verb {
	case comment.Help:
		return "", string(report.Help())
	case comment.Decide:
		return r.undecidable(a.command.Decision), ""
	case comment.Status:
		return "", r.status()
	}
	return r.answerAbout(a)
}

// status tells the state of the review of the head.
func (r replies) status() string {
	switch {
	case r.snap.repeated():
		return "This commit is reviewed. The summary comment has the result.\n"
	case !r.held():
		return "This commit is not reviewed yet.\n"
	}
	return string(report.Status(report.FromState(r.state), r.view, r.conclusion, r.why))
}

// answerAbout answers a dispute or an explain command about a finding.
func (r replies) answerAbout(a request) (refused, text string) {
	finding := r.snap.finding(a)
	left := r.left
	isThere := slices.ContainsFunc(r.state.Book.Claims, func(c debate.Claim) bool { return c.ID == finding })
	switch {
	case finding == "":
		return "it does not say which finding it is about. Write `" + a.command.Verb.Usage() + "`", ""
	case a.command.Verb == comment.Explain && isThere:
		return "", string(report.Explain(report.FromState(r.state), finding, r.view))
	case left.named(finding).F == "":
		return left.unknown(finding), ""
	case a.command.Verb == comment.Dispute && r.snap.unpaid(left, a, r.commands):
		return "a dispute asks models, and you have no write access: a person with write access must comment `/debate run` first", ""
	case r.held():
		return finding + " is not there any more", ""
	case r.snap.checkpoint.Debate.HeadSHA == r.snap.pull.HeadSHA:
		return "this commit is reviewed, but the debate is not remembered. `/debate run` reviews it again", ""
	}
	return "this commit is not reviewed yet", ""
}

// unknown says that an id names no finding, and lists the ones there are.
func (m *Checkpoint) unknown(f string) string {
	ids := lists.Map(m.shown(), func(n Name) string { return n.F })
	text := "there is no finding " + f + " here"
	if len(ids) == 0 {
		return text
	}
	return text + ". There are " + report.Capped(ids, ", ")
}

// undecidable returns the reason why an answer decides none of the open questions.
// Decision is "" if the answer does not name one.
func (r replies) undecidable(decision string) string {
	ids := r.awaiting()
	open := strings.Join(ids, ", ")
	if decision == "" && len(ids) == 1 {
		decision = open
	}
	isOpen := slices.Contains(ids, decision)
	switch {
	case isOpen && r.held():
		return staleAnswer
	case isOpen:
		return "the question is about `" + short(r.snap.checkpoint.Debate.HeadSHA) + "`, and the newest commit is not reviewed yet. Comment `/debate run` first"
	case open+decision == "":
		return "no question is open here"
	case len(ids) == 0:
		return "there is no question " + decision + " here, and no other one is open"
	case decision == "":
		return "several questions are open (" + open + "), and it does not say which one it answers. Write `/debate decide " + ids[0] + " OPTION WHY`"
	case len(ids) == 1:
		return "there is no open question " + decision + " here. One question is open, and `/debate decide OPTION WHY` answers it"
	}
	return "there is no open question " + decision + " here. Open are " + open
}

// awaiting are the ids of the open questions.
func (r replies) awaiting() []string {
	decisions := r.state.Agenda.Decisions
	if !r.held() {
		decisions = r.snap.checkpoint.Debate.Agenda.Decisions
	}
	return idsOf(lists.Keep(decisions, func(d debate.Decision) bool { return d.Outcome == debate.AwaitingHuman }))
}

// repliedSince notes the replies of other runs, by the newest comments.
func (b *board) repliedSince(newest []gh.Comment) {
	for _, c := range newest {
		haveReplied(&b.have, c, false)
	}
}
