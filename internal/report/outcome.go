package report

import "github.com/prdebate/debate/internal/debate"

// heard reports whether a call of a kind had a reply.
func heard(s debate.State, kind debate.CallKind) bool {
	for _, c := range s.Asking.Calls {
		if c.Kind == kind && c.Status == debate.CallOK {
			return true
		}
	}
	return false
}

// yourCall reports whether the models leave D0 to whoever reads the summary (M15).
func yourCall(e Envelope) bool {
	d, found := decisionOf(e, "D0")
	return found && d.Outcome == debate.AwaitingHuman && d.Human != nil && d.Human.Sink == debate.SinkSummary
}

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

// whole reports whether models reviewed all of a change that policy does not
// excuse (S05).
func whole(e Envelope) bool { return e.Coverage == string(debate.CoverageFull) }

// Disposition is an answer to a decision in words; continue is no option (R056).
func Disposition(option string) string {
	if option == "" || option == string(debate.Continue) {
		return "no recommendation"
	}
	return option
}
