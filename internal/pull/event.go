package pull

import (
	"slices"
	"time"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/lists"
)

// remindAfter is how long an item waits until its one reminder.
const remindAfter = 3 * 24 * time.Hour

// happening is an event after the publication of a debate.
type happening struct {
	event   debate.Event // nil: it is settled by itself
	answer  *answer      // that gave the event
	dispute *request     // of a known finding, that gave the event
}

// undecided ends the reason why a question was withdrawn, after the end of its pull request.
const undecided = "_undecided"

// happenings are the events since the publication of the remembered debate.
func happenings(s *Snapshot, answers []answer, disputes []happening) []happening {
	var list []happening
	for i := range answers {
		h := happening{answer: &answers[i]}
		if answers[i].void == "" {
			h.event = answers[i].event
		}
		list = append(list, h)
	}
	if !s.isOpen() { // answers before the end count
		return append(list, happening{event: debate.WithdrawnEvent{Reason: string(s.Pull.State) + undecided, By: s.Pull.EndedBy.Login}})
	}
	list = append(list, disputes...)
	return append(list, lists.Map(s.due(), func(d string) happening { return happening{event: debate.Reminded{Decision: d}} })...)
}

// disputesOf are the unanswered disputes of findings in a checkpoint.
func disputesOf(s *Snapshot, m *Checkpoint, c commands) []happening {
	var all []happening
	for _, a := range c.asked {
		finding := s.finding(a)
		switch {
		case !a.is(comment.Dispute), !m.disputable(finding), s.unpaid(m, a, c):
			continue
		}
		event := debate.Disputed{Claim: finding, Text: a.command.Text, By: s.actor(a.comment.Author)}
		all = append(all, happening{event: event, dispute: &a})
	}
	return all
}

// unpaid reports whether a dispute would ask models although no person who may cause
// costs asked for the session of a checkpoint.
func (s *Snapshot) unpaid(m *Checkpoint, a request, c commands) bool {
	switch {
	case c.run != nil, s.actor(a.comment.Author).Permission.AtLeast(debate.WriteAccess):
		return false
	case s.known():
		return m.Stranger
	}
	return m.Stranger || s.byStranger()
}

// due are the decisions with a due reminder. Only a sweep reminds: it runs often enough.
func (s *Snapshot) due() []string {
	if s.trigger.Cause != Swept {
		return nil
	}
	return idsOf(lists.Keep(posed(s.checkpoint.Debate.Agenda.Decisions), func(d debate.Decision) bool {
		return d.Outcome == debate.AwaitingHuman && !d.Human.Reminded && s.now.Sub(time.UnixMilli(d.Human.AskedAt)) >= remindAfter
	}))
}

// lapsed returns the reason why an earlier decision does not hold for this head, "" if it
// does. Its person must still have the right to decide under the current settings, the
// base branch must be the same, and no decider may have revoked it since.
func (s *Snapshot) lapsed(d debate.PriorDecision) string {
	if s.checkpoint.BaseRef != s.Pull.BaseRef {
		return "it was about a change of " + s.checkpoint.BaseRef
	}
	if not := s.barred(s.actor(account(d.By))); not != "" {
		return d.By + " " + not
	}
	return s.revoked(d.Fingerprint, d.At)
}

// revoked returns the reason not to count an answer that was given at a time, "" if no
// decider opened its issue again since.
func (s *Snapshot) revoked(fingerprint string, at int64) string {
	for _, e := range slices.Backward(s.about(fingerprint).Events) {
		if e.Kind == gh.IssueReopened && millis(e.At) > at && s.mayDecide(s.actor(e.By)) {
			return e.By.Login + " revoked it"
		}
	}
	return ""
}
