package report

import (
	"cmp"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
)

// failures say which parties failed and why, those with one cause together.
func failures(parties []Party) []string {
	broken := lists.Keep(parties, func(p Party) bool { return p.Status != string(debate.PartyOK) })
	return alike(broken, ": ", func(p Party) string { return cmp.Or(p.Detail, p.Status) })
}

// alike are parties with what is said of each behind a mark, those of whom the same is said
// together.
func alike(parties []Party, mark string, said func(Party) string) []string {
	all := lists.Map(parties, said)
	names := make(map[string][]string)
	for i, p := range parties {
		names[all[i]] = append(names[all[i]], p.ID)
	}
	return lists.Map(once(all), func(same string) string { return enumerated(names[same]) + mark + same })
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
	failed := failures(lists.Keep(e.Parties, Party.debates))
	if len(failed) == 0 {
		return e.BackendUnavailable
	}
	return failed[1:]
}
