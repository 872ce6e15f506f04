package report

import (
	"cmp"
	"slices"

	"github.com/prdebate/debate/internal/debate"
)

// failures say which parties failed and why, those with one cause together.
func failures(parties []Party) []string {
	var causes []string
	names := make(map[string][]string)
	for _, p := range parties {
		if p.Status == string(debate.PartyOK) {
			continue
		}
		cause := cmp.Or(p.Detail, p.Status)
		if !slices.Contains(causes, cause) {
			causes = append(causes, cause)
		}
		names[cause] = append(names[cause], p.ID)
	}
	out := make([]string, 0, len(causes))
	for _, cause := range causes {
		out = append(out, enumerated(names[cause])+": "+cause)
	}
	return out
}

// failed are the calls that come to nothing, in words.
var failed = map[debate.CallStatus]string{
	debate.CallOK: "an empty reply", debate.CallTimeout: "no reply in time", debate.CallAuth: "the key was refused", debate.CallNotFound: "no such model",
	debate.CallRate: "too many requests", debate.CallOverloaded: "overloaded", debate.CallTooLong: "the request is too long",
	debate.CallRefused: "the answer was refused", debate.CallMalformed: "the reply could not be read", debate.CallError: "the call failed",
}

// otherFailures are those that the verdict does not tell. Where no model reviewed anything
// it tells the first one, with everybody whom that stopped.
func otherFailures(e Envelope) []string {
	if e.Outcome != debate.DegradedLocal || e.Alone {
		return e.BackendUnavailable
	}
	failed := failures(slices.DeleteFunc(slices.Clone(e.Parties), func(p Party) bool { return !p.debates() }))
	if len(failed) == 0 {
		return e.BackendUnavailable
	}
	return failed[1:]
}
