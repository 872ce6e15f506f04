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

// happening is something that happened to a published debate.
type happening struct {
	event   debate.Event // nil: it is settled by itself
	answer  *answer      // that the event is
	dispute *dispute     // likewise
}

// happenings are what happened to the remembered debate since it was published.
func happenings(s *Snapshot, answers []answer, disputes []dispute) []happening {
	var list []happening
	for i := range answers {
		h := happening{answer: &answers[i]}
		if answers[i].void == "" {
			h.event = answers[i].event
		}
		list = append(list, h)
	}
	if !s.isOpen() { // what was answered before the end counts
		return append(list, happening{event: debate.WithdrawnEvent{Reason: endedReason(s.pull.State), By: s.pull.EndedBy.Login}})
	}
	list = append(list, reopenings(disputes)...)
	return append(list, lists.Map(s.due(), func(d string) happening { return happening{event: debate.Reminded{Decision: d}} })...)
}

// reopenings are disputes of findings that a checkpoint names.
func reopenings(disputes []dispute) []happening {
	return lists.Map(disputes, func(d dispute) happening { return happening{event: d.event, dispute: &d} })
}

// disputeOnly leaves out what is no dispute: only those ask models.
func disputeOnly(list []happening) []happening {
	return lists.Keep(list, func(h happening) bool { return h.dispute != nil })
}

func withoutDisputes(list []happening) []happening {
	return lists.Keep(list, func(h happening) bool { return h.dispute == nil })
}

// dispute is a dispute of a finding that a session knows.
type dispute struct {
	request request
	event   debate.Disputed
}

// disputesOf are those that nobody answered yet, of findings that a checkpoint knows.
func disputesOf(s *Snapshot, m *Checkpoint, c commands) []dispute {
	var all []dispute
	for _, a := range c.asked {
		finding := s.finding(a)
		switch {
		case !a.is(comment.Dispute), !m.disputable(finding), s.unpaid(m, a, c):
			continue
		}
		event := debate.Disputed{Claim: finding, Text: a.command.Text, By: s.people.actor(a.comment.Author)}
		all = append(all, dispute{a, event})
	}
	return all
}

// unpaid reports whether a dispute would ask models although nobody who may cause
// costs asked for a session that a checkpoint is about (S19).
func (s *Snapshot) unpaid(m *Checkpoint, a request, c commands) bool {
	switch {
	case c.run != nil, s.people.actor(a.comment.Author).Permission.AtLeast(debate.WriteAccess):
		return false
	case s.known():
		return m.Stranger
	}
	return m.Stranger || s.people.stranger()
}

// due are the decisions whose one reminder is due. Only a sweep reminds: it comes
// by itself, and often enough.
func (s *Snapshot) due() []string {
	if s.trigger.Cause != Swept {
		return nil
	}
	return idsOf(lists.Keep(s.checkpoint.with(debate.AwaitingHuman), func(d debate.Decision) bool {
		return !d.Human.Reminded && s.now.Sub(time.UnixMilli(d.Human.AskedAt)) >= remindAfter
	}))
}

// lapsed says why an earlier decision cannot hold for this head as far as that depends
// on who took it, or "": whoever it was may still decide by the settings in force now,
// for the same base branch, and nobody who may has revoked it since.
func (s *Snapshot) lapsed(d debate.PriorDecision) string {
	if s.checkpoint.BaseRef != s.pull.BaseRef {
		return "it was about a change of " + s.checkpoint.BaseRef
	}
	if not := s.people.barred(s.people.actor(account(d.By))); not != "" {
		return d.By + " " + not
	}
	for _, e := range slices.Backward(s.issues.about(d.Fingerprint).Events) {
		since := e.Kind == gh.IssueReopened && millis(e.At) > d.At
		if since && s.people.mayDecide(s.people.actor(e.By)) {
			return e.By.Login + " revoked it"
		}
	}
	return ""
}
