package pull

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/report"
)

// remindAfter is how long an item waits until its one reminder.
const remindAfter = 3 * 24 * time.Hour

// fact is something that happened to a published debate.
type fact struct {
	event debate.Event // nil: it is settled by itself
	// settled is told why the fact did not count, "" if it did.
	settled func(refused string)
}

// facts are what happened to the remembered debate since it was published.
func (s *session) facts(answers []answer) []fact {
	var facts []fact
	for _, a := range answers {
		f := fact{event: a.event, settled: func(refused string) { s.settle(a, refused) }}
		if a.void != "" {
			f = fact{settled: func(string) { s.settle(a, a.void) }}
		}
		facts = append(facts, f)
	}
	if s.pull.State != gh.Open { // what was answered before the end counts
		return append(facts, fact{
			event:   debate.WithdrawnEvent{Reason: endedReason(s.pull.State), By: s.pull.EndedBy.Login},
			settled: func(string) { s.dirty = true },
		})
	}
	facts = append(facts, s.reopenings(&s.memo)...)
	for _, d := range s.due() {
		facts = append(facts, fact{event: debate.Reminded{Decision: d}, settled: func(string) { s.dirty = true }})
	}
	return facts
}

// reopenings are the disputes of findings that a memo names.
func (s *session) reopenings(m *Memo) []fact {
	var facts []fact
	for _, d := range s.disputes(m, s.wishes) {
		facts = append(facts, fact{event: d.event, settled: func(refused string) {
			if slices.Contains(s.memo.Debated, d.request.comment.ID) { // by a run that did not live to say so
				refused = ""
			}
			s.finish(d.request, claimID.ReplaceAllStringFunc(refused, m.findingOf), s.cameTo(d))
		}})
	}
	return facts
}

// claimID is what the protocol calls a finding by.
var claimID = regexp.MustCompile(`\bC[0-9]+\b`)

// cameTo says in a sentence what a dispute came to.
func (s *session) cameTo(d dispute) string {
	for _, c := range s.state.Claims {
		if c.ID != d.event.Claim {
			continue
		}
		text := fmt.Sprintf("%s was debated again, and stands as %s.", d.finding, c.Severity)
		switch {
		case !c.Final:
			text = d.finding + " stands for now: nobody could be asked about it."
		case c.Bucket == debate.Dismissed:
			text = d.finding + " was debated again, and is dismissed."
		case c.Bucket == debate.Unresolved:
			text = fmt.Sprintf("%s was debated again, and stays open as %s: it is agreed no more.", d.finding, c.Severity)
		}
		return text + "\n"
	}
	return ""
}

// apply applies facts one by one: what does not count for one must not stand in
// the way of the others.
func (s *session) apply(ctx context.Context, facts []fact) error {
	for _, f := range facts {
		if f.event == nil {
			f.settled("")
			continue
		}
		state, err := s.review.Resume(ctx, s.log.entries, f.event)
		var order *debate.OrderError
		switch {
		case errors.As(err, &order):
			f.settled(order.Why)
		case err != nil:
			return err
		default:
			s.state = state
			f.settled("")
		}
	}
	return nil
}

// settle says to whoever answered an item what came of it. An answer that does
// not count is undone with one sentence why.
func (s *session) settle(a answer, refused string) {
	s.dirty = true
	s.answered[a.item.Fingerprint] = max(s.answered[a.item.Fingerprint], a.event.At)
	if refused == "" && !s.counted(a) {
		refused = s.lastRefusal(a)
	}
	if a.request != nil {
		s.finish(*a.request, refused, "")
		return
	}
	if refused != "" && a.issue != nil {
		s.undo(a, refused)
	}
}

// undo says why the closing of an issue decides nothing; the issue is opened again.
// Whoever closes it again and again has the last word, but not the decision.
func (s *session) undo(a answer, why string) {
	times := a.item.Undone + 1
	if a.event.Via != debate.ViaReopened {
		s.closed[a.item.Fingerprint] = times
	}
	switch {
	case times > maxUndone+1:
		return
	case times == maxUndone+1:
		why += fmt.Sprintf("; after %d times it stays closed, and the check goes on waiting for /debate decide on the pull request", maxUndone)
	}
	s.undone[a.item.Fingerprint] = append(s.undone[a.item.Fingerprint], comment.Note{
		Key: fmt.Sprintf("undone-%d", a.event.At), Body: string(report.Undone(a.event.By.Login, why)),
	})
}

// counted reports whether an answer did what it says.
func (s *session) counted(a answer) bool {
	for _, d := range s.state.Decisions {
		if d.Fingerprint != a.item.Fingerprint || d.Human == nil {
			continue
		}
		if a.event.Via == debate.ViaReopened {
			return d.Outcome == debate.AwaitingHuman
		}
		return d.Outcome == debate.HumanDecided && d.Human.At == a.event.At && d.Human.By == a.event.By.Login
	}
	return false
}

// lastRefusal is why the protocol did not take an answer.
func (s *session) lastRefusal(a answer) string {
	for _, d := range s.state.Decisions {
		if d.Fingerprint != a.item.Fingerprint || d.Human == nil || len(d.Human.Refused) == 0 {
			continue
		}
		last := d.Human.Refused[len(d.Human.Refused)-1]
		return strings.TrimPrefix(last, a.event.By.Login+": ")
	}
	return "it answers nothing that is asked"
}

// dispute is a dispute of a finding that the remembered session knows.
type dispute struct {
	request request
	finding string // its F id
	event   debate.Disputed
}

// disputes are those that nobody answered yet, of findings that a memo knows.
func (s *situation) disputes(m *Memo, w wishes) []dispute {
	var all []dispute
	for _, a := range w.asked {
		finding := s.finding(a)
		claim := m.claim(finding)
		if a.command.Verb == comment.Dispute && claim != "" && !s.unpaid(m, a, w) {
			all = append(all, dispute{a, finding, debate.Disputed{Claim: claim, Text: s.setup.Clean(a.command.Text), By: s.actor(a.comment.Author)}})
		}
	}
	return all
}

// unpaid reports whether a dispute would ask models although nobody who may cause
// costs asked for a session that a memo is about (S19).
func (s *situation) unpaid(m *Memo, a request, w wishes) bool {
	if w.run != nil || s.actor(a.comment.Author).Permission.AtLeast(debate.WriteAccess) {
		return false
	}
	return m.Stranger || !s.known() && s.stranger()
}

// due are the decisions whose one reminder is due. Only a sweep reminds: it comes
// by itself, and often enough.
func (s *situation) due() []string {
	if s.trigger.Cause != Swept {
		return nil
	}
	var due []string
	for _, d := range s.memo.Debate.Decisions {
		if d.Outcome == debate.AwaitingHuman && d.Human != nil && !d.Human.Reminded && s.now.Sub(time.UnixMilli(d.Human.AskedAt)) >= remindAfter {
			due = append(due, d.ID)
		}
	}
	return due
}

// decidedMeanwhile are the answers to items of an earlier head that came after
// that head was reviewed for the last time. Whether they hold for this head is
// for the protocol to say (S08).
func (s *session) decidedMeanwhile() []debate.PriorDecision {
	var list []debate.PriorDecision
	for _, a := range s.situation.answers(s.wishes) {
		d := s.remembered(a.item.Fingerprint)
		option := chosen(*d, a.event)
		ok, _ := s.mayDecide(a.event.By)
		if !ok || option == "" || d.Outcome != debate.AwaitingHuman || a.void != "" {
			continue
		}
		list = append(list, debate.PriorDecision{
			Fingerprint: d.Fingerprint, LinkedHash: d.LinkedHash, Option: option, By: a.event.By.Login, Reason: a.event.Reason,
			At: a.event.At, Head: a.item.Head, Self: a.event.By.Author,
		})
	}
	return list
}

// mayDecide reports whether somebody may answer an item (S09).
func (s *situation) mayDecide(by debate.Actor) (ok bool, why string) {
	return s.may(comment.Command{Verb: comment.Decide}, by)
}

// chosen is the option that an answer chooses, "" if it chooses none (S08).
func chosen(d debate.Decision, ev debate.Decided) string {
	quo, named, recommended := "", "", ""
	for _, o := range d.Options {
		if o.StatusQuo {
			quo = o.ID
		}
		if o.ID == ev.Option {
			named = o.ID
		}
		if o.ID == d.Recommendation {
			recommended = o.ID
		}
	}
	switch ev.Via {
	case debate.ViaNotPlanned:
		return quo
	case debate.ViaCompleted:
		if recommended == "" {
			return quo
		}
		return recommended
	case debate.ViaCommand, debate.ViaReview:
		return named
	}
	return ""
}

// overtaken says to those who answered an item of an earlier head that their
// answer does not hold for this one.
func (s *session) overtaken(answers []answer) {
	for _, a := range answers {
		if a.event.Via == debate.ViaReopened { // it has its way: it is asked again
			continue
		}
		for _, d := range s.state.Decisions {
			if d.Fingerprint != a.item.Fingerprint || d.Human == nil {
				continue
			}
			why := ""
			if d.Outcome == debate.AwaitingHuman {
				why = "the lines that it is about are different at head " + short(s.pull.HeadSHA) + ", and it is asked again"
				if ok, not := s.mayDecide(a.event.By); !ok {
					why = a.event.By.Login + " " + not
				} else if a.void != "" {
					why = a.void
				} else if a.event.Via == debate.ViaDuplicate {
					why = "closed as duplicate is no decision"
				}
				if a.issue != nil && a.request == nil {
					s.undo(a, why)
					s.dirty = true
				}
			}
			if a.request != nil {
				s.finish(*a.request, why, "")
			}
		}
	}
}
