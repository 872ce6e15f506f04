package pull

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/report"
)

// outcomes are the results of the acts of people.
type outcomes struct {
	replies    []comment.Reply
	carriedOut []CommandID
	undone     []comment.Note   // on the issue: why answers do not count
	answered   map[string]int64 // by fingerprint: the latest answer, Unix milliseconds
	rewrite    bool             // the texts on GitHub differ from the result of the debate
}

// finish ends a request: with thumbs up and perhaps a text, or with why not.
func (o *outcomes) finish(a request, refused, text string) {
	r := comment.Reply{To: a.ref(), On: a.issue.Number, Body: text, Reaction: comment.ThumbsUp}
	if refused != "" {
		r.Reaction = comment.Confused
		r.Body = string(report.Refused(refused))
	}
	o.replies = append(o.replies, r)
	o.carriedOut = append(o.carriedOut, a.id())
}

// show adds a reaction to a request in progress.
func (o *outcomes) show(a request, reaction comment.Reaction) {
	o.replies = append(o.replies, comment.Reply{To: a.ref(), On: a.issue.Number, Reaction: reaction})
}

// settle adds the result of a happening: the reason of the protocol to refuse it, "" if
// it did not, and the state of the debate after it. People are told the result of their
// answer; one that does not count is undone with one sentence of explanation.
func (o *outcomes) settle(s *Snapshot, h happening, refused string, state debate.State) {
	if h.dispute != nil {
		o.finish(*h.dispute, refused, cameTo(s, h.event, state))
		return
	}
	o.rewrite = true
	if h.answer == nil {
		return
	}
	a := *h.answer
	o.answered[a.item.Fingerprint] = max(o.answered[a.item.Fingerprint], a.event.At)
	d := decisionOf(state.Agenda.Decisions, a.item.Fingerprint)
	given := func(x debate.PersonAnswer) bool { return x.At == a.event.At && x.By == a.event.By.Login }
	follows := d.Outcome == debate.HumanDecided && slices.ContainsFunc(d.Human.Answers(), given)
	if a.event.Via == debate.ViaReopened {
		follows = d.Outcome == debate.AwaitingHuman
	}
	switch refused = cmp.Or(a.void, refused); {
	case refused != "", follows:
	case d.Human == nil, len(d.Human.Void) == 0:
		refused = debate.NothingOpen
	default:
		refused = last(d.Human.Void).Why
	}
	outvoted := "" // by the more careful answer of another person
	if d.Outcome == debate.HumanDecided && d.Human.By != a.event.By.Login && d.Human.Option != a.event.Option {
		outvoted = string(report.Outvoted(a.event.By.Login, d.Human.By, d.Human.Option))
	}
	switch {
	case a.request != nil:
		o.finish(*a.request, refused, outvoted+report.StillOpen(state.StillOpen()))
	case refused != "":
		o.undo(s, a, refused)
	}
}

// undo says on the issue why a click or a review decides nothing; a closed issue is opened
// again. A person without the right to decide is told once: then the issue stays closed, and
// the question open.
func (o *outcomes) undo(s *Snapshot, a answer, why string) {
	kind, mayNot, issue := "undone", !s.mayDecide(a.event.By), s.about(a.item.Fingerprint)
	switch {
	case issue.Number == 0, mayNot && told(issue):
		return
	case a.event.Via == debate.ViaReview && (mayNot || a.void == ""): // people also review for other reasons
		return
	case mayNot && a.event.Via != debate.ViaReopened:
		kind = toldNote
	}
	note := comment.Note{Key: fmt.Sprintf("%s-%d", kind, a.event.At), Body: string(report.Undone(a.event.By.Login, why))}
	o.undone = append(o.undone, note) // of several with a key, one is posted
}

// cameTo tells the result of a dispute in the words of the models.
func cameTo(s *Snapshot, event debate.Event, state debate.State) string {
	disputed, _ := event.(debate.Disputed)
	final := lists.Find(state.Book.Claims, func(c debate.Claim) bool { return c.ID == disputed.Claim }).Final
	view := report.Pull{RepositoryURL: s.Pull.Repository.URL, Number: s.Pull.Number, Head: s.Pull.HeadSHA}
	return string(report.Disputed(report.FromState(state), disputed.Claim, final, view))
}

// overtaken tells people the result of their answers about an earlier head. They may not
// hold for this one. TextOf is the text of a question now.
func (o *outcomes) overtaken(s *Snapshot, answers []answer, state debate.State, textOf func(debate.Decision) string) {
	for _, a := range answers {
		d := decisionOf(state.Agenda.Decisions, a.item.Fingerprint)
		given := func(x debate.PersonAnswer) bool { return x.At == a.event.At && x.By == a.event.By.Login }
		switch {
		case d.Human == nil:
			continue
		case a.event.Via == debate.ViaReopened: // it has its way: it is asked again
			continue
		case a.event.Head != a.item.Head && a.event.Head == s.Pull.HeadSHA && textOf(d) == a.item.Text: // a review of this head: the next look hears it
			continue
		case a.request == nil && slices.ContainsFunc(d.Human.Earlier, given): // the question says what is new since
			continue
		}
		why := ""
		if d.Outcome == debate.AwaitingHuman {
			why = cmp.Or(a.void, debate.StaleAnswer)
			if not := s.barred(a.event.By); not != "" {
				why = a.event.By.Login + " " + not
			}
		}
		switch {
		case a.request != nil:
			o.finish(*a.request, why, "")
		case why != "":
			a.void = why
			o.undo(s, a, why)
			o.rewrite = true
		}
	}
}
