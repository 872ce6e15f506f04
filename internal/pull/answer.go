package pull

import (
	"cmp"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/lists"
)

// answer is an act of a person that may decide an item, with its place. The protocol says
// if it counts.
type answer struct {
	event   debate.Decided
	item    Item
	request *request // the command, nil for the closing or reopening of an issue and for a review
	void    string   // the reason not to count it, "" to leave that to the protocol
}

// answersTo collects the answers of people to the human items, in order of time.
func answersTo(s *Snapshot, asked []request) []answer {
	var all, clicks []answer
	for _, item := range s.checkpoint.Items {
		d := s.checkpoint.decision(item.Fingerprint)
		list := append(s.answersByReview(item, d), s.answersByCommand(item, d, asked)...)
		clicks = append(clicks, s.answersByIssue(item, d, len(list) > 0)...)
		all = append(all, list...)
	}
	// Closing an issue answers no question with other options. If the issue has no other
	// question, its closing stays in the list, so that a note can say once how to answer.
	clicked := lists.Keep(clicks, func(a answer) bool {
		return a.event.Via == debate.ViaReopened || s.checkpoint.decision(a.item.Fingerprint).Clickable()
	})
	for _, a := range clicks {
		if !slices.ContainsFunc(clicked, func(b answer) bool { return b.event.At == a.event.At }) {
			clicked = append(clicked, a)
		}
	}
	all = lists.Keep(append(all, clicked...), func(a answer) bool {
		return a.event.By.Bot || s.knows(gh.Account{Login: a.event.By.Login})
	})
	slices.SortStableFunc(all, func(a, b answer) int { return cmp.Compare(a.event.At, b.event.At) })
	return all
}

// answersByCommand reads the answers to a decision from commands on the pull request or on
// the issue with the question. A command without a decision id decides the one of the issue, or
// the only open one, or else the only one that people decided: they may change their mind.
func (s *Snapshot) answersByCommand(item Item, d debate.Decision, asked []request) []answer {
	var list []answer
	decisions := s.checkpoint.Debate.Agenda.Decisions
	open := idsWith(decisions, debate.AwaitingHuman)
	if len(open) == 0 {
		open = idsWith(decisions, debate.HumanDecided)
	}
	for i := range asked {
		a := &asked[i]
		onIssue, named := a.issue.Number != 0, a.command.Decision
		switch {
		case d.ID == "", !a.is(comment.Decide), onIssue && s.about(d.Fingerprint).Number == 0, named != "" && named != d.ID:
			continue
		case named == "" && !onIssue && !slices.Equal(open, []string{d.ID}):
			continue
		}
		event := debate.Decided{
			Decision: item.Decision, Fingerprint: item.Fingerprint, Option: a.command.Option, Reason: a.command.Text,
			By: s.actor(a.comment.Author), Head: item.Head, Via: debate.ViaCommand, At: millis(a.comment.CreatedAt),
		}
		for _, o := range d.Options {
			if strings.EqualFold(o.ID, event.Option) {
				event.Option = o.ID
			}
		}
		list = append(list, answer{item: item, request: a, event: event, void: s.void(item, a.issue, event)})
	}
	return list
}

// void returns the reason not to count an answer, "" to leave that to the protocol: another
// account rewrote the text or the title of the issue, the question was another one at the
// time of the answer, for a click there was no time to read it, or a decider opened the
// issue again after it (M22). The protocol refuses a person without the right to decide and
// a closing as a duplicate, at any time.
func (s *Snapshot) void(item Item, on gh.Issue, event debate.Decided) string {
	asked := s.askedAt(item)
	if event.Via != debate.ViaCommand {
		asked += steady.Milliseconds() - 1
	}
	switch {
	case event.Via == debate.ViaDuplicate, !s.mayDecide(event.By):
		return ""
	case tampered(on):
		return "the issue was edited by " + on.EditedBy.Login + ". The next review writes it again"
	case event.At <= asked:
		return debate.StaleAnswer
	}
	return s.revoked(item.Fingerprint, event.At)
}

// answersByIssue reads the answers from the latest events of an issue. Reopening and then
// closing it in another way, between two runs, revokes one answer and gives another. Who may
// not decide takes back no answer. Otherwise means that a person also answered in another way.
func (s *Snapshot) answersByIssue(item Item, d debate.Decision, otherwise bool) []answer {
	issue := s.about(item.Fingerprint)
	news := lists.Keep(issue.Events, func(e gh.IssueEvent) bool { return millis(e.At) > item.Answered })
	latest := last(lists.Keep(news, func(e gh.IssueEvent) bool {
		return e.Kind != gh.IssueReopened || byOurselves(issue, e) || s.mayDecide(s.actor(e.By))
	}))
	var list []answer
	if d.Outcome == debate.HumanDecided {
		for _, e := range slices.Backward(news) {
			if a, is := s.answerByEvent(item, d, issue, e); is { // it was opened again
				list, d.Outcome = append(list, a), debate.AwaitingHuman
				break
			}
		}
	}
	if a, is := s.answerByEvent(item, d, issue, latest); is && !(otherwise && byOurselves(issue, latest)) {
		list, d.Outcome = append(list, a), debate.HumanDecided
	}
	if a, is := s.answerByEvent(item, d, issue, last(news)); is && latest != last(news) { // who may not reads why
		list = append(list, a)
	}
	return list
}

// answerByEvent reads an answer from one event of an issue.
func (s *Snapshot) answerByEvent(item Item, d debate.Decision, issue gh.Issue, e gh.IssueEvent) (a answer, is bool) {
	via := debate.ViaCompleted
	switch {
	case e.Kind == gh.IssueReopened && d.Outcome == debate.HumanDecided:
		via = debate.ViaReopened
	case e.Kind != gh.IssueClosed, d.Outcome != debate.AwaitingHuman:
		return a, false
	case e.Reason == gh.NotPlanned && !e.ByCode:
		via = debate.ViaNotPlanned
	case e.Reason == gh.Duplicate && !e.ByCode:
		via = debate.ViaDuplicate
	}
	a = answer{item: item, event: debate.Decided{
		Decision: d.ID, Fingerprint: item.Fingerprint, By: s.actor(e.By), Head: item.Head, Via: via, At: millis(e.At),
	}}
	if e.ByCode { // no person read it
		a.event.By = debate.Actor{Login: "a commit or a merge", Bot: true}
	}
	switch {
	case byOurselves(issue, e):
		// We never close an issue with an open question, but other workflows act under
		// our name.
		a.void = "no person gave it"
		return a, s.trusted() && via != debate.ViaReopened
	case via != debate.ViaReopened:
		a.void = s.void(item, issue, a.event)
	}
	return a, true
}

// byOurselves reports whether our account did something to an issue of ours.
func byOurselves(issue gh.Issue, e gh.IssueEvent) bool { return e.By == issue.Author && !e.ByCode }

// answersByReview reads the answers to a question about the merge from reviews of people
// on the head of the item. Of several reviews by one person only the last counts (M22).
func (s *Snapshot) answersByReview(item Item, d debate.Decision) []answer {
	if !d.Clickable() || !d.ForPeople() {
		return nil
	}
	asked := max(s.askedAt(item), item.AskedAt)
	var all []answer
	for _, review := range s.verdicts {
		at := millis(review.SubmittedAt)
		if at <= max(asked, item.Answered) {
			continue
		}
		if d.Outcome == debate.HumanDecided { // it may be among the answers, or be one more approval
			own := lists.Find(d.Human.Answers(), func(a debate.PersonAnswer) bool { return a.By == review.Author.Login })
			if own.By == "" && review.State == gh.Approved || own.At >= at {
				continue
			}
		}
		event := debate.Decided{
			Decision: item.Decision, Fingerprint: item.Fingerprint, Option: string(debate.Keep), Reason: review.Body,
			By: s.actor(review.Author), Head: review.HeadSHA, Via: debate.ViaReview, At: at, Asked: asked,
		}
		if review.State == gh.ChangesRequested {
			event.Option = string(debate.Revise)
		}
		a := answer{item: item, event: event, void: s.void(item, s.about(item.Fingerprint), event)}
		if review.HeadSHA != item.Head {
			a.void = debate.StaleAnswer
		}
		all = slices.DeleteFunc(all, func(b answer) bool { return b.event.By.Login == event.By.Login })
		all = append(all, a)
	}
	return all
}

// heard reports whether an answer is worth a debate without a memory: by a person with the right to
// decide, or by closing or reopening our issue, because both need some access, until we told that
// person. Other comments there cost no review.
func (s *Snapshot) heard(answers []answer) bool {
	return slices.ContainsFunc(answers, func(a answer) bool {
		by := a.event.By
		return !by.Bot && (s.mayDecide(by) || a.event.Via != debate.ViaReview && !told(s.about(a.item.Fingerprint)))
	})
}

// whoReviewed are the people with reviews, if those may answer a question about the merge.
func (s *Snapshot) whoReviewed() []gh.Account {
	if !slices.ContainsFunc(posed(s.checkpoint.Debate.Agenda.Decisions), debate.Decision.Clickable) {
		return nil
	}
	return lists.Map(s.verdicts, func(r gh.Review) gh.Account { return r.Author })
}

// decidedSince are the answers to items of an earlier head that came after its last
// review. The protocol says if they hold for this head.
func (s *Snapshot) decidedSince(answers []answer) []debate.PriorDecision {
	var list []debate.PriorDecision
	for _, a := range answers {
		d := s.checkpoint.decision(a.item.Fingerprint)
		option := d.Answered(a.event)
		switch {
		case a.void != "", !d.ForPeople(), !d.Offers(option), !s.mayDecide(a.event.By):
			continue
		}
		list = append(list, debate.PriorDecision{Fingerprint: d.Fingerprint, LinkedHash: d.LinkedHash, PersonAnswer: debate.PersonAnswer{
			Option: option, By: a.event.By.Login, Reason: a.event.Reason, At: a.event.At, Head: a.item.Head, Self: a.event.By.Author,
			Accepted: d.Accepts(a.event, s.checkpoint.Debate.Book.Claims),
		}})
	}
	return list
}
