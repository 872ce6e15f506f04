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
	void    string   // why it cannot count, "" where that is for the protocol to say
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
		before := len(all)
		if d.ID == "D0" && d.Outcome == debate.AwaitingHuman {
			all = append(all, s.byReview(item)...)
		}
		for i := range w.asked {
			a := &w.asked[i]
			if a.command.Verb == comment.Decide && a.command.Decision == d.ID && (a.issue == nil || issue != nil && a.issue.Number == issue.Number) {
				all = append(all, answer{
					void: s.void(item, a.issue, millis(a.comment.CreatedAt)),
					event: debate.Decided{
						Decision: d.ID, Fingerprint: item.Fingerprint, Option: a.command.Option, Reason: a.command.Text,
						By: s.actor(a.comment.Author), Head: item.Head, Via: debate.ViaCommand, At: millis(a.comment.CreatedAt),
					},
					item: item, issue: issue, request: a,
				})
			}
		}
		if issue != nil {
			all = append(all, s.byIssue(item, *d, issue, len(all) > before)...)
		}
	}
	all = keep(all, func(a answer) bool { // of others nobody knows what they may do; they are answered later
		_, asked := s.access[a.event.By.Login]
		return asked || a.event.By.Bot
	})
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
// does not stand as we left it. Otherwise: somebody answers in another way too.
func (s *situation) byIssue(item Item, d debate.Decision, issue *gh.Issue, otherwise bool) []answer {
	if len(issue.Events) == 0 {
		return nil
	}
	last := issue.Events[len(issue.Events)-1]
	if millis(last.At) <= item.Answered {
		return nil
	}
	// We close nothing that waits for an answer, but other workflows have our name.
	own := last.By.Login == issue.Author.Login && last.By.Bot == issue.Author.Bot && !last.ByCode
	if own && (!s.trusted || otherwise || last.Kind != gh.IssueClosed || d.Outcome != debate.AwaitingHuman) {
		return nil
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
	closing := answer{event: event, item: item, issue: issue}
	switch {
	case own:
		closing.void = "the account that debate itself uses closed it"
	case event.Via != debate.ViaReopened:
		closing.void = s.void(item, issue, event.At)
	}
	return []answer{closing}
}

// void says why an answer that was given at a time cannot count, or "": what was
// asked then was another question, because it was about another head (S08), or
// because somebody rewrote the text of the issue on which it was given.
func (s *situation) void(item Item, on *gh.Issue, at int64) string {
	if on != nil && tampered(on) {
		why := "the text that it answers was edited by " + on.EditedBy.Login
		if item.Restored < maxRestored {
			why += "; it is restored"
		}
		return why
	}
	if at <= s.askedAt(item) {
		return "it came before this was asked about head " + short(item.Head)
	}
	return ""
}

// askedAt is when a question was put in its present words, Unix milliseconds.
func (s *situation) askedAt(item Item) int64 {
	issue := s.issue(item.Fingerprint)
	switch {
	case issue == nil || tampered(issue):
		return item.AskedAt
	case issue.Edited:
		return millis(issue.EditedAt)
	}
	return millis(issue.CreatedAt)
}

// tampered reports whether somebody else edited the text of an issue of ours last.
func tampered(issue *gh.Issue) bool {
	return issue != nil && issue.Edited && issue.EditedBy.Login != issue.Author.Login
}

// rewritten are the open questions whose text somebody else edited, and that are
// restored.
func (s *situation) rewritten() []Item {
	return keep(s.memo.Items, func(item Item) bool {
		d := s.remembered(item.Fingerprint)
		return d != nil && d.Outcome == debate.AwaitingHuman && item.Restored < maxRestored && tampered(s.issue(item.Fingerprint))
	})
}

// byReview reads the answer to D0 from reviews of people on the head that the item
// names (S09). The reviews of one person count as the last of them.
func (s *situation) byReview(item Item) []answer {
	latest := make(map[string]gh.Review)
	var people []string
	for _, review := range s.pull.Reviews {
		if review.Mine || review.Author.Bot || review.HeadSHA != item.Head || millis(review.SubmittedAt) <= max(s.askedAt(item), item.AskedAt, item.Answered) {
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
		asked := int64(0)
		if !s.trusted {
			asked = max(s.askedAt(item), item.AskedAt)
		}
		all = append(all, answer{item: item, event: debate.Decided{
			Asked: asked, Decision: "D0", Fingerprint: item.Fingerprint, Option: string(option), Reason: review.Body, By: s.actor(review.Author),
			Head: item.Head, Via: debate.ViaReview, At: millis(review.SubmittedAt),
		}})
	}
	return all
}
