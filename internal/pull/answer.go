package pull

import (
	"cmp"
	"slices"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
)

// answer is what somebody did that may decide an item, with where it was done.
// Whether it counts is for the protocol to say (A13, S08, S09).
type answer struct {
	event   debate.Decided
	item    Item
	issue   *gh.Issue
	request *request // the command, nil for the closing or reopening of an issue and for a review
}

// answers collects what was done about the human items since they were asked, in
// the order in which it was done.
func (s *situation) answers(w wishes) []answer {
	var all []answer
	for _, item := range s.memo.Items {
		d := s.remembered(item.Fingerprint)
		if d == nil {
			continue
		}
		issue := s.issue(item.Fingerprint)
		if issue != nil {
			all = append(all, s.byIssue(item, *d, issue)...)
		}
		if d.ID == "D0" && d.Outcome == debate.AwaitingHuman {
			all = append(all, s.byReview(item)...)
		}
		for i := range w.asked {
			a := &w.asked[i]
			if a.command.Verb == comment.Decide && a.command.Decision == d.ID && (a.issue == nil || issue != nil && a.issue.Number == issue.Number) {
				all = append(all, answer{
					event: debate.Decided{
						Decision: d.ID, Fingerprint: item.Fingerprint, Option: a.command.Option, Reason: a.command.Text,
						By: s.actor(a.comment.Author), Head: item.Head, Via: debate.ViaCommand, At: millis(a.comment.CreatedAt),
					},
					item: item, issue: issue, request: a,
				})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b answer) int { return cmp.Compare(a.event.At, b.event.At) })
	return all
}

// remembered is the decision of the remembered session with a fingerprint.
func (s *situation) remembered(fingerprint string) *debate.Decision {
	for i := range s.memo.Debate.Decisions {
		if s.memo.Debate.Decisions[i].Fingerprint == fingerprint {
			return &s.memo.Debate.Decisions[i]
		}
	}
	return nil
}

// byIssue reads the answer from the last thing that happened to the issue, if it
// does not stand as we left it.
func (s *situation) byIssue(item Item, d debate.Decision, issue *gh.Issue) []answer {
	if len(issue.Events) == 0 {
		return nil
	}
	last := issue.Events[len(issue.Events)-1]
	if millis(last.At) <= item.Answered || issue.Mine && last.By.Login == issue.Author.Login && last.By.Bot == issue.Author.Bot && !last.ByCode {
		return nil // we did it ourselves, or it was answered before
	}
	event := debate.Decided{
		Decision: d.ID, Fingerprint: item.Fingerprint, By: s.actor(last.By), Head: item.Head, At: millis(last.At),
	}
	switch {
	case last.Kind == gh.IssueReopened && d.Outcome == debate.HumanDecided:
		event.Via = debate.ViaReopened
	case last.Kind == gh.IssueClosed && d.Outcome == debate.AwaitingHuman:
		switch {
		case last.ByCode: // nobody who read it (T43)
			event.By = debate.Actor{Login: "a commit or a merge", Bot: true}
			event.Via = debate.ViaCompleted
		case last.Reason == gh.NotPlanned:
			event.Via = debate.ViaNotPlanned
		case last.Reason == gh.Duplicate:
			event.Via = debate.ViaDuplicate
		default:
			event.Via = debate.ViaCompleted
		}
	default:
		return nil
	}
	return []answer{{event: event, item: item, issue: issue}}
}

// byReview reads the answer to D0 from reviews of people on the head that the item
// names (S09). The reviews of one person count as the last of them.
func (s *situation) byReview(item Item) []answer {
	latest := make(map[string]gh.Review)
	var people []string
	for _, review := range s.pull.Reviews {
		if review.Mine || review.Author.Bot || review.HeadSHA != item.Head || millis(review.SubmittedAt) <= max(item.AskedAt, item.Answered) {
			continue
		}
		if review.State != gh.Approved && review.State != gh.ChangesRequested {
			continue
		}
		if _, known := latest[review.Author.Login]; !known {
			people = append(people, review.Author.Login)
		}
		latest[review.Author.Login] = review
	}
	var all []answer
	for _, login := range people {
		review := latest[login]
		option := debate.Keep
		if review.State == gh.ChangesRequested {
			option = debate.Revise
		}
		all = append(all, answer{item: item, event: debate.Decided{
			Decision: "D0", Fingerprint: item.Fingerprint, Option: string(option), Reason: review.Body, By: s.actor(review.Author),
			Head: item.Head, Via: debate.ViaReview, At: millis(review.SubmittedAt),
		}})
	}
	return all
}
