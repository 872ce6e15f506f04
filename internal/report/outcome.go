package report

import "github.com/prdebate/debate/internal/debate"

// yourCall reports whether the models leave D0 to the reader of the summary (R036).
func yourCall(e Envelope) bool {
	d, _ := decisionOf(e, "D0")
	return d.awaited() && d.Person().Sink == debate.SinkSummary
}

// HasDebate reports whether parties debated the change.
func HasDebate(e Envelope) bool {
	switch e.Outcome {
	case debate.Consensus, debate.Tradeoff, debate.Unchallenged:
		return true
	}
	return false
}

// DebatedChange reports whether parties debated a change, and no question.
func DebatedChange(e Envelope) bool { return e.Inquiry == nil && HasDebate(e) }

// Reviewed reports whether the run read a change to its end.
func Reviewed(e Envelope) bool {
	return e.Inquiry == nil && (HasDebate(e) || e.Outcome == debate.DegradedLocal)
}

// whole reports whether models reviewed all of a change, except for parts excused by policy.
func whole(e Envelope) bool { return e.Coverage == string(debate.CoverageFull) }

// IsNone reports whether an option is none: continue means no answer yet (R056).
func IsNone(option string) bool { return option == "" || option == string(debate.Continue) }
