package debate

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
)

// ofDecisions are about who decides what, and when nobody does.
func ofDecisions() []property {
	return []property{
		{"gate twin", gateTwin}, {"P10", noCriticalAdoption}, {"P11", triggersStay}, {"P12", sinksAdoptNothing}, {"P14", tiesAreCritical},
		{"P25", highConfidence}, {"P28", noChallengerNoSuccess}, {"P33", nothingAfterTheHeadMoved}, {"P38", repliesSetNothing},
		{"P39", onlyAuthorityDecides},
		{"no success over a P1", noSuccessOverP1}, {"keep is held", keepIsHeld}, {"HIGH has reasons", highNames}, {"confirmed by another", confirmedByAnother},
		{"the end is complete", endIsComplete},
	}
}

// noCriticalAdoption: at any time, a decision with a trigger is neither
// settled nor adopted, what is not critical has no trigger, and a decision is
// human_decided only after an answer of a person who may give it, on this head or
// on an earlier one.
func noCriticalAdoption(p played) string {
	for i, s := range p.states[1:] {
		for _, d := range s.Agenda.Decisions {
			if len(d.Triggers) > 0 && (d.Outcome == Settled || d.Outcome == Adopted) {
				return fmt.Sprintf("event %d: %s has triggers and is %s", s.N, d.ID, d.Outcome)
			}
			if d.Outcome != "" && d.Critical != (len(d.Triggers) > 0) && d.Outcome != DecisionSuperseded {
				return fmt.Sprintf("event %d: %s has %d triggers and is critical: %v", s.N, d.ID, len(d.Triggers), d.Critical)
			}
			was := p.states[i].Agenda.decision(d.ID)
			if d.Outcome != HumanDecided || was != nil && was.Outcome == HumanDecided || priorAnswer(s, d) {
				continue
			}
			answer, ok := p.log[i].Event.(Decided)
			if !ok || answer.Decision != d.ID || !mayDecide(s, answer) || !d.Offers(d.Human.Option) {
				return fmt.Sprintf("event %d: %s was decided by %+v", s.N, d.ID, p.log[i].Event)
			}
		}
	}
	return ""
}

// mayDecide reports whether an account may decide.
func mayDecide(s State, answer Decided) bool {
	by := answer.By
	writes := by.Permission == WriteAccess || by.Permission == MaintainRole || by.Permission == AdminRole
	author := by.Author && !by.OwnsRepo && !s.Received.Settings.AuthorMayDecide
	return writes && !by.Bot && !author && !answer.Edited && answer.Head == s.Snapshot.HeadSHA
}

// triggersStay: every critical trigger that
// policy found is on D0 at the gate, in every mode and whatever was replied, and
// what was asserted is never forgotten. Nothing is filed for a stranger.
func triggersStay(p played) string {
	for i, s := range p.states[1:] {
		if len(s.Agenda.Assertions) < len(p.states[i].Agenda.Assertions) {
			return fmt.Sprintf("event %d: an assertion is gone", s.N)
		}
		if !stepEnters(s, StageGate) || s.Received.Settings.Stranger {
			continue
		}
		d := s.Agenda.decision("D0")
		for _, t := range s.Agenda.Triggers {
			found := d != nil && slices.ContainsFunc(d.Triggers, func(x Trigger) bool { return reflect.DeepEqual(x, t) })
			if t.Critical() && !found {
				return fmt.Sprintf("event %d: the trigger %s is gone", s.N, t.ID)
			}
		}
	}
	return ""
}

// sinksAdoptNothing: a sink that fails, at any point, leaves the decision
// awaiting a human.
func sinksAdoptNothing(p played) string {
	for _, s := range p.states[1:] {
		for _, d := range s.Agenda.Decisions {
			if d.Outcome != AwaitingHuman {
				continue
			}
			for _, sink := range []Sink{SinkIssue, SinkComment} {
				next, err := Apply(s, Entry{N: s.N + 1, At: s.Clock.At, Event: SinkFailed{Decision: d.ID, Sink: sink}})
				if err == nil && next.Agenda.decision(d.ID).Outcome != AwaitingHuman {
					return fmt.Sprintf("event %d: %s is %s after the sink %s failed", s.N, d.ID, next.Agenda.decision(d.ID).Outcome, sink)
				}
			}
			break
		}
	}
	return ""
}

// tiesAreCritical: a tie, or sheets that diverge, make a decision critical.
func tiesAreCritical(p played) string {
	s := p.end()
	for _, d := range s.Agenda.Decisions {
		if r := d.Rubric; r == nil || len(r.Tied) == 0 && !r.Diverging || d.Outcome == "" {
			continue
		}
		if !d.Critical || d.Outcome == Settled || d.Outcome == Adopted || d.Outcome == Undecided {
			return fmt.Sprintf("%s ties or diverges and is %s", d.ID, d.Outcome)
		}
	}
	return ""
}

// highConfidence, with the conditions of HIGH written once more: a
// consensus; every party at the table is there to the end, and none of the
// primary's own family; every Agreed P1 and P2 empirical claim is verified; two
// families agree; the arbiter flagged nothing; and nobody gave in without a word.
func highConfidence(p played) string {
	s := p.end()
	if s.Ending.Confidence != High {
		return ""
	}
	why := ""
	for _, x := range s.Table.Parties {
		if (x.Role == Primary || x.Role == Challenger) && x.Status != PartyOK {
			why = x.ID + " was lost"
		}
	}
	for _, c := range s.Book.Claims {
		if c.Bucket == Agreed && c.Kind == Empirical && c.Severity != P3 && !c.Verified() {
			why = c.ID + " is not verified"
		}
	}
	for _, k := range s.Book.Challenges {
		if k.Unexplained {
			why = k.ID + " was given up without a word"
		}
	}
	for _, d := range s.Agenda.Decisions {
		if d.Panel != nil && !d.Panel.Consensus {
			why = d.ID + " is contested"
		}
	}
	if n := len(s.Talk.Arbitrations); n > 0 && s.Talk.Arbitrations[n-1].FlaggedBP > 0 {
		why = "the arbiter flagged claims"
	}
	other := false
	for _, seat := range s.Table.Seats {
		if seat.Party == s.Table.Primary || seat.Lost || seat.Engagement == Abstains || seat.Engagement == "" {
			continue
		}
		objects := seat.Option != "" && seat.Option != s.Talk.Position().Disposition && seat.Engagement != Agrees
		for _, k := range s.Book.Challenges {
			objects = objects || k.Attacker == seat.Party && (k.Live() || k.Status == Upheld) && seat.Engagement != Agrees
		}
		other = other || !objects && s.Table.party(seat.Party).Family != s.Table.party(s.Table.Primary).Family
	}
	switch {
	case s.Ending.Outcome != Consensus:
		why = "the outcome is " + string(s.Ending.Outcome)
	case s.Table.PrimaryLost:
		why = "the primary was lost"
	case s.Table.SameFamily:
		why = "it is a debate of one family"
	case !other:
		why = "no other family agrees"
	}
	if why != "" {
		return "confidence is HIGH, but " + why
	}
	return ""
}

// noChallengerNoSuccess: where no challenger ever replied validly, no
// debate took place, whatever the outcome is called, and the check is no success.
func noChallengerNoSuccess(p played) string {
	s := p.end()
	for _, c := range s.Asking.Calls {
		if c.Kind == CallChallenge && c.Status == CallOK {
			return ""
		}
	}
	conclusion := s.Conclusion().Check
	switch s.Ending.Outcome {
	case DegradedLocal, Aborted, Skipped, Superseded:
	default:
		return "no challenger replied, and the outcome is " + string(s.Ending.Outcome)
	}
	if conclusion == Success {
		return "no challenger replied, and the check is a success"
	}
	return ""
}

// nothingAfterTheHeadMoved: after a new head nothing is
// published and nothing is asked, what the debate made of a decision no longer
// counts, and the check is no success. What a person decided before is neither
// taken away nor changed: the debate about the new head weighs whether it
// still holds, which is the second half, decisionSurvives.
func nothingAfterTheHeadMoved(p played) string {
	for i, e := range p.log {
		s := p.states[i+1]
		if _, moved := e.Event.(HeadMoved); !moved {
			continue
		}
		conclusion := s.Conclusion().Check
		switch {
		case s.Stage != StageSuperseded || s.Ending.Outcome != Superseded || s.Asking.Wave != nil:
			return fmt.Sprintf("event %d: after a new head it is in %s", s.N, s.Stage)
		case conclusion == Success || conclusion == ActionRequired:
			return fmt.Sprintf("event %d: after a new head the check is %s", s.N, conclusion)
		}
		for _, d := range s.Agenda.Decisions {
			was := p.states[i].Agenda.decision(d.ID)
			switch {
			case was.Outcome == HumanDecided && !reflect.DeepEqual(*was, d):
				return fmt.Sprintf("event %d: a new head changes what a person decided about %s", s.N, d.ID)
			case was.Outcome != HumanDecided && d.Outcome != DecisionSuperseded:
				return fmt.Sprintf("event %d: after a new head %s is %s", s.N, d.ID, d.Outcome)
			}
		}
		for _, later := range p.log[i+1:] {
			if KindOf(later.Event) == KindPublished || KindOf(later.Event) == KindReplied {
				return fmt.Sprintf("event %d: %s after a new head", later.N, KindOf(later.Event))
			}
		}
	}
	return ""
}

// joins reports whether parties are one second context of another one.
func joins(parties []Party) bool {
	return len(parties) == 1 && parties[0].Role == Challenger && parties[0].Debater != ""
}

// repliesSetNothing: no reply changes a setting,
// an order, what policy found, the text under review, the options of D0, or who
// sits at the table, but that a second context may join it.
func repliesSetNothing(p played) string {
	for i, e := range p.log {
		if KindOf(e.Event) != KindReplied {
			continue
		}
		before, after := p.states[i], p.states[i+1]
		for _, same := range []struct {
			name    string
			was, is any
			skip    bool
		}{
			{name: "the settings", was: before.Received.Settings, is: after.Received.Settings},
			{name: "the orders", was: before.Received.Orders, is: after.Received.Orders},
			{name: "the triggers", was: before.Agenda.Triggers, is: after.Agenda.Triggers},
			{name: "the snapshot", was: before.Snapshot, is: after.Snapshot},
			{name: "the segments", was: before.Split.Segments, is: after.Split.Segments},
		} {
			if !reflect.DeepEqual(same.was, same.is) {
				return fmt.Sprintf("event %d: a reply changes %s", e.N, same.name)
			}
		}
		if more := len(after.Table.Parties) - len(before.Table.Parties); more != 0 && !joins(after.Table.Parties[len(before.Table.Parties):]) {
			return fmt.Sprintf("event %d: a reply changes the table", e.N)
		}
		for _, d := range after.Agenda.Decisions {
			if d.ID == "D0" && !reflect.DeepEqual(d.Options, dispositionOptions()) {
				return fmt.Sprintf("event %d: a reply changes the options of D0: %v", e.N, d.Options)
			}
		}
	}
	return ""
}

// onlyAuthorityDecides: an answer by somebody who may not decide, one that
// was edited, or one for another head, another question or no option changes
// nothing but the list of refused answers.
func onlyAuthorityDecides(p played) string {
	for i, e := range p.log {
		answer, ok := e.Event.(Decided)
		if !ok {
			continue
		}
		before, after := p.states[i], p.states[i+1]
		was, is := before.Agenda.decision(answer.Decision), after.Agenda.decision(answer.Decision)
		waits := was.Outcome == AwaitingHuman || was.Outcome == HumanDecided // for one more person
		valid := mayDecide(before, answer) && answer.Fingerprint == was.Fingerprint && waits
		if answer.Via == ViaReopened {
			reopens := answer
			reopens.Edited, reopens.Head = false, before.Snapshot.HeadSHA
			valid = mayDecide(before, reopens) && was.Outcome == HumanDecided
		}
		if valid {
			continue
		}
		same := before.Stage == after.Stage && before.Ending.Disposition == after.Ending.Disposition && len(before.Book.Ledger) == len(after.Book.Ledger) &&
			was.Outcome == is.Outcome && was.Human.Option == is.Human.Option && was.Human.By == is.Human.By
		if !same || len(is.Human.Void) != min(len(was.Human.Void)+1, 50) {
			return fmt.Sprintf("event %d: an answer that does not count changes something: %+v", e.N, answer)
		}
	}
	return ""
}

// decisionSurvives: a human decision of an earlier head stands if the question, its
// triggers and the linked text are the same, and is asked again if any of them
// differs.
func decisionSurvives(p played) string {
	s := p.end()
	d := s.Agenda.decision("D0")
	if d == nil || d.Outcome != AwaitingHuman {
		return ""
	}
	same := PriorDecision{Fingerprint: d.Fingerprint, LinkedHash: d.LinkedHash, PersonAnswer: PersonAnswer{Option: "revise", By: "bob", At: 1, Head: "h-1"}}
	question, text := same, same
	question.Fingerprint, text.LinkedHash = "f", "h"
	for i, prior := range []PriorDecision{same, question, text} {
		w := calmWorld(p.seed)
		w.first.Previous.Decisions = []PriorDecision{prior}
		got := w.outcome()
		again := got.Agenda.decision("D0")
		if i == 0 && (again.Outcome != HumanDecided || again.Human.Option != "revise" || got.Ending.Disposition != Revise) {
			return fmt.Sprintf("a decision of an earlier head is asked again: %s", again.Outcome)
		}
		if i > 0 && again.Outcome != AwaitingHuman {
			return fmt.Sprintf("a decision about something else counts: %s", again.Outcome)
		}
	}
	return ""
}

// TestModesProperty: what standard mode hands to a human because of policy
// is settled or adopted in no mode.
func TestModesProperty(t *testing.T) {
	t.Parallel()
	each(t, []property{{"P42", noModeDodgesPolicy}}, func(seed int) *world {
		w := calmWorld(seed)
		w.first.Mode = Standard
		if len(w.triggers) == 0 {
			w.triggers = []Trigger{{ID: TriggerMoney, Source: FromPolicy, Class: ClassConfigured, Path: "b.go"}}
		}
		return w
	})
}

func noModeDodgesPolicy(p played) string {
	for _, d := range p.end().Agenda.Decisions {
		if d.Outcome != AwaitingHuman || !slices.ContainsFunc(d.Triggers, func(t Trigger) bool { return t.Source == FromPolicy }) {
			continue
		}
		for _, mode := range []Mode{Quick, Minimal} {
			w := calmWorld(p.seed)
			w.first.Mode, w.triggers, w.script = mode, p.triggers, p.replies()
			s := w.outcome()
			if x := s.Agenda.decision(d.ID); x != nil && (x.Outcome == Settled || x.Outcome == Adopted) {
				return fmt.Sprintf("%s mode: %s is %s", mode, d.ID, x.Outcome)
			}
			if c := s.Conclusion().Check; c == Success {
				return fmt.Sprintf("%s mode: the check is a success", mode)
			}
		}
	}
	return ""
}

// endIsComplete: the record of an ended debate shows what source 000 asks for: why the debate
// ended and what came after each exchange (R044), and of each scored decision the criteria, every
// score of a valid sheet, and a winner, a tie or the reason why there is none (R045).
func endIsComplete(p played) string {
	s := p.end()
	if s.Ending.Outcome.debated() && s.Talk.Exit == "" {
		return "it does not say why the debate ended"
	}
	for _, r := range s.Talk.Rounds {
		if s.Ending.Outcome.debated() && r.Route.IsZero() {
			return fmt.Sprintf("nothing follows exchange %d", r.N)
		}
	}
	for _, d := range s.Agenda.Decisions {
		if d.Rubric == nil {
			continue
		}
		weights := 0
		for _, c := range d.Rubric.Criteria {
			weights += c.WeightBP
		}
		if weights != 10_000 || len(d.Options) < 2 {
			return fmt.Sprintf("%s has %d options and criteria of %d basis points", d.ID, len(d.Options), weights)
		}
		for _, sheet := range d.Rubric.Sheets {
			if sheet.Valid && len(sheet.Scores) != len(d.Options)*len(d.Rubric.Criteria) {
				return fmt.Sprintf("%s: the sheet of %s counts with %d scores", d.ID, sheet.Party, len(sheet.Scores))
			}
		}
		switch winner := d.Rubric.Winner; {
		case winner != "" && (!d.Offers(winner) || len(d.Rubric.Combined) != len(d.Options)):
			return fmt.Sprintf("%s: %q wins with %d sums of %d options", d.ID, winner, len(d.Rubric.Combined), len(d.Options))
		case d.Outcome != "" && winner == "" && len(d.Rubric.Tied) == 0 && d.lack().IsZero() && d.Outcome != DecisionSuperseded:
			return d.ID + " has no winner, and no reason for that"
		}
	}
	return ""
}
