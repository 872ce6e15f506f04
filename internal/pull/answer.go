package pull

import (
	"cmp"
	"slices"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
)

// answer is what somebody did that may decide an item, with where it was done.
// Whether it counts is for the protocol to say (A13, S08).
type answer struct {
	event   debate.Decided
	item    Item
	issue   *gh.Issue
	request *request // the command, nil for the closing or reopening of an issue and for a review
	void    string   // why it cannot count, "" where that is for the protocol to say
}

// answersTo collects what was done about the human items since they were asked, in
// the order in which it was done.
func answersTo(s *Snapshot, asked []request) []answer {
	var all []answer
	for _, item := range s.checkpoint.Items {
		d := s.checkpoint.decision(item.Fingerprint)
		if d == nil {
			continue
		}
		issue := s.issues.about(item.Fingerprint)
		var list []answer
		if d.Clickable() && d.Outcome == debate.AwaitingHuman {
			list = s.answersByReview(item)
		}
		for i := range asked {
			if s.decidesOn(asked[i], d.ID, issue) {
				list = append(list, s.answerByCommand(item, issue, &asked[i]))
			}
		}
		if closing, is := s.answerByIssue(item, *d, issue, len(list) > 0); is {
			list = append(list, closing)
		}
		all = append(all, list...)
	}
	all = keep(all, func(a answer) bool { // of others nobody knows what they may do; they are answered later
		return a.event.By.Bot || s.people.knows(gh.Account{Login: a.event.By.Login})
	})
	slices.SortStableFunc(all, func(a, b answer) int { return cmp.Compare(a.event.At, b.event.At) })
	return all
}

// decidesOn reports whether a request decides a decision, on the pull request or on
// the issue that asks for it. One that names none decides what that issue asks, or the
// only one that is open.
func (s *Snapshot) decidesOn(a request, decision string, issue *gh.Issue) bool {
	if a.command.Verb != comment.Decide {
		return false
	}
	here := issue != nil && a.issue != nil && a.issue.Number == issue.Number
	if a.command.Decision == "" && a.issue == nil {
		return s.checkpoint.onlyOpen() == decision
	}
	named := a.command.Decision == decision || a.command.Decision == ""
	return named && (a.issue == nil || here)
}

func (s *Snapshot) answerByCommand(item Item, issue *gh.Issue, a *request) answer {
	at := millis(a.comment.CreatedAt)
	return answer{
		item: item, issue: issue, request: a, void: s.issues.void(item, a.issue, at),
		event: debate.Decided{
			Decision: item.Decision, Fingerprint: item.Fingerprint, Option: a.command.Option, Reason: a.command.Text,
			By: s.people.actor(a.comment.Author), Head: item.Head, Via: debate.ViaCommand, At: at,
		},
	}
}

// answerByIssue reads the answer from the last thing that happened to the issue, if
// it does not stand as we left it. Otherwise: somebody answers in another way too.
func (s *Snapshot) answerByIssue(item Item, d debate.Decision, issue *gh.Issue, otherwise bool) (a answer, is bool) {
	if issue == nil || len(issue.Events) == 0 {
		return a, false
	}
	last := issue.Events[len(issue.Events)-1]
	via := viaOf(last, d.Outcome)
	if via == "" || millis(last.At) <= item.Answered {
		return a, false
	}
	a = answer{item: item, issue: issue, event: debate.Decided{
		Decision: d.ID, Fingerprint: item.Fingerprint, By: s.people.actor(last.By), Head: item.Head, Via: via, At: millis(last.At),
	}}
	if last.ByCode { // nobody who read it
		a.event.By = debate.Actor{Login: "a commit or a merge", Bot: true}
	}
	switch {
	case byOurselves(*issue, last):
		// We close nothing that waits for an answer, but other workflows have our name.
		a.void = "the account that debate itself uses closed it"
		return a, s.trusted && !otherwise && via != debate.ViaReopened
	case via != debate.ViaReopened:
		a.void = s.issues.void(item, issue, a.event.At)
	}
	return a, true
}

// byOurselves reports whether our account did something to an issue of ours.
func byOurselves(issue gh.Issue, e gh.IssueEvent) bool { return e.By == issue.Author && !e.ByCode }

// viaOf is the way in which what happened to an issue answers a decision, "" if it
// does not.
func viaOf(e gh.IssueEvent, outcome debate.DecisionOutcome) debate.Via {
	switch {
	case e.Kind == gh.IssueReopened && outcome == debate.HumanDecided:
		return debate.ViaReopened
	case e.Kind != gh.IssueClosed || outcome != debate.AwaitingHuman:
		return ""
	case e.ByCode:
		return debate.ViaCompleted
	case e.Reason == gh.NotPlanned:
		return debate.ViaNotPlanned
	case e.Reason == gh.Duplicate:
		return debate.ViaDuplicate
	}
	return debate.ViaCompleted
}

// void says why an answer that was given at a time cannot count, or "": what was
// asked then was another question, because it was about another head (S08), or
// because somebody rewrote the text of the issue on which it was given.
func (list ownIssues) void(item Item, on *gh.Issue, at int64) string {
	if tampered(on) {
		by, _ := tampering(*on)
		why := "the text that it answers was edited by " + by.Login
		if item.Restored < maxRestored {
			why += "; it is restored"
		}
		return why
	}
	if at <= list.askedAt(item) {
		return "it came before this was asked about head " + short(item.Head)
	}
	if on != nil && on.Renamed && at <= millis(on.RenamedAt) {
		return "the issue had another title then"
	}
	return ""
}

// answersByReview reads the answer to a question about the merge from reviews of people on the head that the
// item names (S09). The reviews of one person count as the last of them.
func (s *Snapshot) answersByReview(item Item) []answer {
	asked := max(s.issues.askedAt(item), item.AskedAt)
	var all []answer
	for _, review := range s.pull.Reviews {
		byPerson := !review.Mine && !review.Author.Bot
		inTime := millis(review.SubmittedAt) > max(asked, item.Answered)
		if !byPerson || !inTime || !decides(review) || review.HeadSHA != item.Head {
			continue
		}
		event := debate.Decided{
			Decision: item.Decision, Fingerprint: item.Fingerprint, Option: string(debate.Keep), Reason: review.Body,
			By: s.people.actor(review.Author), Head: item.Head, Via: debate.ViaReview, At: millis(review.SubmittedAt),
			Asked: asked,
		}
		if review.State == gh.ChangesRequested {
			event.Option = string(debate.Revise)
		}
		a := answer{item: item, event: event}
		if at := slices.IndexFunc(all, func(a answer) bool { return a.event.By.Login == event.By.Login }); at >= 0 {
			all[at] = a
			continue
		}
		all = append(all, a)
	}
	return all
}
