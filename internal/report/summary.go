package report

import (
	"fmt"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/report/reason"
)

// summary says in a few sentences what came out, and never more than was earned.
func summary(s debate.State, e Envelope) string {
	var text string
	if e.Inquiry != nil {
		return answerSummary(s, e) + waiting(e)
	}
	switch s.Ending.Outcome {
	case debate.Skipped:
		return "Skipped: " + reason.Sentence(s.Ending.OutcomeReason) + ". A skip is no review."
	case debate.Aborted:
		return "The review could not be done: " + reason.Sentence(s.Ending.OutcomeReason) + "."
	case debate.Superseded:
		return "Superseded: the change has a newer head. Nothing here applies to it."
	case debate.DegradedLocal:
		text = degraded(s, e)
	default:
		text = debated(s, e)
	}
	return decidedBy(e) + text + waiting(e)
}

// waiting says that a human is awaited.
func waiting(e Envelope) string {
	switch n := len(Awaiting(e)); {
	case n == 1:
		return " A decision awaits a human."
	case n > 1:
		return fmt.Sprintf(" %d decisions await a human.", n)
	}
	return ""
}

// degraded is the summary of a run without a debate, which must say so (X02).
func degraded(s debate.State, e Envelope) string {
	text := "No debate took place."
	if !s.Ending.OutcomeReason.IsZero() {
		text = "No debate took place: " + reason.Sentence(s.Ending.OutcomeReason) + "."
	}
	found := "nothing"
	if len(Agreed(e)) > 0 {
		found = fmt.Sprintf("%d P1, %d P2 and %d P3", len(e.P1), len(e.P2), len(e.P3))
	}
	switch {
	case e.Alone:
		return text + " The embedded critic found " + found + ". What one model said on its own is listed as unconfirmed; nobody challenged it."
	case found == "nothing":
		return text + " The embedded critic alone read the change and found nothing; no model has reviewed it."
	}
	return text + " The embedded critic alone read the change and found " + found + "."
}

// heard reports whether a call of a kind had a reply.
func heard(s debate.State, kind debate.CallKind) bool {
	for _, c := range s.Asking.Calls {
		if c.Kind == kind && c.Status == debate.CallOK {
			return true
		}
	}
	return false
}

func debated(s debate.State, e Envelope) string {
	answer := string(s.Ending.Disposition)
	if d, _ := decisionOf(e, "D0"); overruling(e) != nil { // what the person decided stands before
		answer = Recommended(d)
	}
	if answer == "" || answer == string(debate.Continue) {
		answer = "no answer"
	}
	var text string
	switch s.Ending.Outcome {
	case debate.Consensus:
		text = fmt.Sprintf("The debate ended in consensus after %s: %s, confidence %s.", Count(s.Talk.Exchange, "exchange"), answer, s.Ending.Confidence)
	case debate.Unchallenged:
		text = fmt.Sprintf("Nobody challenged the position in substance: %s, untested, confidence %s.", answer, s.Ending.Confidence)
	case debate.Tradeoff:
		text = fmt.Sprintf("The debate ended without consensus after %s: %s, confidence %s.", Count(s.Talk.Exchange, "exchange"), sidesOf(e, answer), s.Ending.Confidence)
	default:
		text = fmt.Sprintf("Outcome %s: %s, confidence %s.", s.Ending.Outcome, answer, s.Ending.Confidence)
	}
	if s.Table.SameFamily {
		text += " " + SameFamily
	}
	if s.Table.PrimaryLost {
		text += " The primary was lost during the debate, so that nothing is adopted."
	}
	text += fmt.Sprintf(" Agreed on: %d P1, %d P2, %d P3.", len(e.P1), len(e.P2), len(e.P3))
	if n := len(e.Unresolved); n > 0 {
		text += fmt.Sprintf(" Unresolved: %d.", n)
	}
	return text
}

// sidesOf says who holds what of D0 at the end (M17), or else what came of it.
func sidesOf(e Envelope, answer string) string {
	d, found := decisionOf(e, "D0")
	switch {
	case !found || len(d.FinalOptions) == 0:
		return answer
	case unanimous(d.FinalOptions) && len(d.FinalOptions) > 1:
		return "every party holds " + Disposition(d.FinalOptions[0].Option) + ", and findings are disputed"
	}
	return held(d.FinalOptions)
}

// yourCall reports whether the models leave D0 to whoever reads the summary (M15).
func yourCall(e Envelope) bool {
	d, found := decisionOf(e, "D0")
	return found && d.Outcome == debate.AwaitingHuman && d.Human != nil && d.Human.Sink == debate.SinkSummary
}

// SameFamily is said wherever such a debate is shown (X30).
const SameFamily = "Same-family debate: a challenger is of the primary's model family and may share its blind spots."

// HasDebate reports whether parties debated the change.
func HasDebate(e Envelope) bool {
	switch e.Outcome {
	case debate.Consensus, debate.Tradeoff, debate.Unchallenged:
		return true
	}
	return false
}

// Reviewed reports whether the run read a change to its end.
func Reviewed(e Envelope) bool {
	return e.Inquiry == nil && (HasDebate(e) || e.Outcome == debate.DegradedLocal)
}

// Headline is the first line for people.
func Headline(e Envelope) string {
	if e.Inquiry != nil {
		return answerHeadline(e)
	}
	switch e.Outcome {
	case debate.DegradedLocal:
		if e.Alone {
			return "no debate took place; what a model said alone is unconfirmed"
		}
		return "not reviewed by a model" + because(e)
	case debate.Skipped:
		return "skipped, not reviewed"
	case debate.Aborted:
		return "the review could not be done"
	case debate.Superseded:
		return "superseded by a newer head"
	}
	if h := overruling(e); h != nil {
		return Overruled(*h)
	}
	text := strings.ToLower(strings.ReplaceAll(string(e.Outcome), "_", " "))
	switch d, _ := decisionOf(e, "D0"); {
	case yourCall(e) && unanimous(d.FinalOptions):
		text = "left open, your call"
	case yourCall(e):
		text = "the models disagree, your call"
	case e.Outcome == debate.Tradeoff:
		text = "no consensus"
	}
	if HasDebate(e) {
		text += ", " + Disposition(string(e.Recommendation))
		switch {
		case whole(e):
		case e.Stats.Missed > 0:
			text += ", " + missedFiles(e) + " not reviewed in full"
		default:
			text += ", not reviewed in full"
		}
	}
	if e.SameFamily {
		text += ", one model family only"
	}
	return text + stopped(e)
}

// whole reports whether models reviewed all of a change that policy does not
// excuse (S05).
func whole(e Envelope) bool { return e.Coverage == string(debate.CoverageFull) }

// Advice is what to do now, "" where the run cannot say (R056). Of two answers it
// gives the one that waits for a person.
func Advice(e Envelope) string {
	if open := Awaiting(e); len(open) > 0 {
		var ids []string
		for _, d := range open {
			ids = append(ids, d.ID)
		}
		return "To do: a human decides " + Capped(ids, ", ") + "."
	}
	if !HasDebate(e) || e.Inquiry != nil {
		return ""
	}
	then := "then merge."
	if !whole(e) {
		then = "and read what was not reviewed in full, then merge."
	}
	switch e.Recommendation {
	case debate.Keep:
		if h := overruling(e); h != nil && len(h.StillOpen) > 0 {
			return "To do: fix " + inWords(h.StillOpen) + ", or dismiss it, then merge."
		}
		if !whole(e) { // what nobody read is not found fit to merge (S05)
			return "To do: read what was not reviewed in full, then decide on the merge."
		}
		return "To do: merge as proposed."
	case debate.Revise:
		if len(e.P1)+len(e.P2) == 0 {
			return "To do: revise as the position says, " + then
		}
		return "To do: make the changes that the P1 and P2 findings ask for, " + then
	case debate.Reject:
		return "To do: do not merge."
	}
	return "To do: nothing is recommended; read what is unresolved."
}

// Disposition is an answer to a decision in words; continue is no option (R056).
func Disposition(option string) string {
	if option == "" || option == string(debate.Continue) {
		return "no recommendation"
	}
	return option
}
