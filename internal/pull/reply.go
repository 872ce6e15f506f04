package pull

import (
	"cmp"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/report"
)

// maxReplies bounds the commands that one run answers, apart from those that it carries out
// as a whole. The next run answers the others.
const maxReplies = 10

// unanswered are the commands for a reply of their own: first those of people who work on
// the pull request, then the newest.
func (w settlement) unanswered() []request {
	list := slices.Concat(w.plan.commands.refused, w.plan.commands.asked)
	list = lists.Keep(list, func(a request) bool {
		return !slices.ContainsFunc(w.outcomes.replies, func(r comment.Reply) bool { return r.To == a.ref() })
	})
	works := func(a request) int {
		if w.snap.works(a.comment.Author) {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(list, func(a, b request) int {
		return cmp.Or(cmp.Compare(works(a), works(b)), b.comment.CreatedAt.Compare(a.comment.CreatedAt), cmp.Compare(b.comment.ID, a.comment.ID))
	})
	return list
}

// wantReplies are the replies of this run, one for each comment.
func (w settlement) wantReplies() []comment.Reply {
	var list []comment.Reply
	for _, one := range w.outcomes.replies {
		of := func(ref comment.Ref) bool { return ref.Comment() == one.To.Comment() }
		several := lists.Keep(w.snap.requests, func(a request) bool { return of(a.ref()) })
		switch {
		case len(several) < 2:
			list = append(list, one)
		case !slices.ContainsFunc(list, func(other comment.Reply) bool { return of(other.To) }):
			list = append(list, w.together(several))
		}
	}
	return list
}

// together is the one reply to all commands of a comment. Its text answers those that
// ended in this run. Its final reaction waits for all of them.
func (w settlement) together(several []request) comment.Reply {
	reply := comment.Reply{To: several[0].ref(), On: several[0].issue.Number, Reaction: comment.ThumbsUp}
	var answers []report.CommandAnswer
	var refs []comment.Ref
	hasText := false
	for _, a := range several {
		one := lists.Find(w.outcomes.replies, func(one comment.Reply) bool { return one.To == a.ref() })
		isEnded := one.Reaction == comment.ThumbsUp || one.Reaction == comment.Confused
		switch {
		case !isEnded && !a.answered:
			reply.Reaction = comment.Eyes
		case one.Reaction == comment.Confused && reply.Reaction != comment.Eyes:
			reply.Reaction = comment.Confused
		}
		if isEnded && !w.posts.have.Replied[a.ref()] {
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
func (w settlement) answerObeyed(a request) {
	unbound, unwaived := false, "" // the summary lacks the subject; the waiver had no effect on the debate of this run
	switch a.command.Verb {
	case comment.Dismiss:
		unbound = !slices.ContainsFunc(w.ledger.written.Dismissed, func(d Dismissed) bool { return d.By == a.id() })
	case comment.Waive:
		unbound = !slices.ContainsFunc(w.ledger.written.Waived, func(w Waived) bool { return w.By == a.id() })
		if w.held() {
			unwaived = unwaivable(w.state.Agenda.Triggers, a.command.Trigger)
		}
	}
	switch merged := w.snap.Pull.State == gh.Merged; { // for good: a later run binds nothing
	case a.command.Verb == comment.Run && !w.snap.isOpen(), merged && unbound:
		w.outcomes.finish(a, w.ended(), "")
	case unwaived != "":
		w.outcomes.finish(a, unwaived, "")
	case unbound: // the next run does it again
		w.outcomes.show(a, comment.Eyes)
	case a.command.Verb == comment.Stop && !w.held():
		text := "A debate that runs now ends before its next round."
		if w.split {
			text = "A debate in jobs of its own cannot be stopped by a comment: cancel the workflow run."
		}
		w.outcomes.finish(a, "", text+" If none runs, none begins until the pull request changes or a person comments `/debate run`.\n")
	case a.command.Verb == comment.Pause:
		w.outcomes.finish(a, "", "Reviews of new commits are paused on this pull request. `/debate resume` starts them again.\n")
	case slices.Contains(w.plan.commands.unpaused, a.id()):
		w.outcomes.finish(a, "", "Reviews are not paused on this pull request.\n")
	default:
		w.outcomes.finish(a, "", w.widened(a))
	}
}

// widened says that an order could not narrow the review, "" if it did not try to.
func (w settlement) widened(a request) string {
	c, held := a.command, w.state.Received
	asOrdered := cmp.Or(c.Mode, held.Mode) == held.Mode && cmp.Or(c.Scope, held.Target) == held.Target
	if asOrdered || !w.held() {
		return ""
	}
	return "The check is required here, so a command cannot narrow a review: it was done as the settings say.\n"
}

// held reports whether the run held a debate about the head.
func (w settlement) held() bool { return w.state.Stage != debate.StageNone }

// toldStranger reports whether a request is by a stranger with a text already from the same
// kind about this head, an answer or a refusal. The next ones get only a reaction, so a
// stranger cannot make us talk without end.
func (w settlement) toldStranger(a request) bool {
	refused := refusal(w.snap, a) != ""
	stranger := func(b request) bool {
		return b.comment.Author.Login == a.comment.Author.Login && !w.snap.works(b.comment.Author) && (refusal(w.snap, b) != "") == refused
	}
	since := func(b request) bool { return millis(b.comment.CreatedAt) >= w.snap.checkpoint.At }
	return stranger(a) && slices.ContainsFunc(lists.Keep(w.snap.requests, stranger), func(b request) bool {
		text := func(one comment.Reply) bool { return one.To == b.ref() && one.Body != "" }
		told := w.posts.have.Replied[b.ref()] || slices.ContainsFunc(w.outcomes.replies, text)
		return b.ref() != a.ref() && since(b) && told
	})
}

// waits reports whether a command about an earlier head can wait for the review of this
// one, because that will answer it.
func (w settlement) waits(a request) bool {
	switch about := w.snap.checkpoint.Debate.HeadSHA; {
	case w.held(), !w.snap.trusted(), !w.snap.isOpen(), w.plan.commands.quiet, about == w.snap.Pull.HeadSHA:
		return false
	case a.command.Verb == comment.Decide:
		return isOpen(a.command.Decision, idsWith(w.snap.checkpoint.Debate.Agenda.Decisions, debate.AwaitingHuman))
	}
	return w.disputesKnown(a)
}

// disputesKnown reports whether a command disputes a finding of the checkpoint.
func (w settlement) disputesKnown(a request) bool {
	return a.command.Verb == comment.Dispute && w.snap.checkpoint.disputable(w.snap.finding(a))
}

// textFor carries out a command with a text, or returns the reason why it cannot.
func (w settlement) textFor(a request) (refused, text string) {
	finding, left := w.snap.finding(a), &w.ledger.left
	isThere := slices.ContainsFunc(w.state.Book.Claims, func(c debate.Claim) bool { return c.ID == finding })
	switch {
	case a.is(comment.Help):
		return "", string(report.Help())
	case !w.snap.isOpen() && !w.held():
		return w.ended(), ""
	case a.is(comment.Decide):
		return w.undecidable(a.command.Decision), ""
	case a.is(comment.Status) && w.snap.repeated():
		return "", "This commit is reviewed. The summary comment has the result.\n"
	case a.is(comment.Status) && !w.held():
		return "", "This commit is not reviewed yet.\n"
	case a.is(comment.Status):
		conclusion, why := w.verdict()
		return "", string(report.Status(report.FromState(w.state), w.view(), conclusion, why))

	// A dispute or an explain command is about a finding.
	case finding == "":
		return "it does not say which finding it is about. Write `" + a.command.Verb.Usage() + "`", ""
	case a.command.Verb == comment.Explain && isThere:
		return "", string(report.Explain(report.FromState(w.state), finding, w.view()))
	case left.named(finding).F == "":
		return left.unknown(finding), ""
	case a.command.Verb == comment.Dispute && w.snap.unpaid(left, a, w.plan.commands):
		return "a dispute asks models, and you have no write access: a person with write access must comment `/debate run` first", ""
	case w.snap.checkpoint.claim(finding).Reason == debate.ReasonHuman:
		return finding + " is dismissed", ""
	case w.held(), left.named(finding).Gone:
		return finding + " is not there any more", ""
	case w.snap.checkpoint.Debate.HeadSHA == w.snap.Pull.HeadSHA:
		return "this commit is reviewed, but the debate is not remembered. `/debate run` reviews it again", ""
	}
	return "this commit is not reviewed yet", ""
}

// ended says that the pull request is closed or merged.
func (w settlement) ended() string { return "the pull request is " + string(w.snap.Pull.State) }

// undecidable returns the reason why an answer decides none of the open questions.
// Decision is "" if the answer does not name one.
func (w settlement) undecidable(decision string) string {
	decisions := w.state.Agenda.Decisions
	if !w.held() {
		decisions = w.snap.checkpoint.Debate.Agenda.Decisions
	}
	ids := idsWith(decisions, debate.AwaitingHuman)
	switch open := isOpen(decision, ids); {
	case open && w.held():
		return debate.StaleAnswer
	case open:
		return "the question is about `" + short(w.snap.checkpoint.Debate.HeadSHA) + "`, and the newest commit is not reviewed yet. Comment `/debate run` first"
	case len(ids) == 0:
		return "no question is open here"
	}
	return "it names no open question. Open: " + strings.Join(ids, ", ") + ". Write `/debate decide " + ids[0] + " OPTION WHY`"
}
