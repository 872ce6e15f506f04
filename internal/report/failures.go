package report

import (
	"cmp"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
)

// failures lists the failed parties and why, grouped by cause. Several refused keys are one
// cause, in any words of the providers.
func failures(parties []Party) []string {
	broken := lists.Keep(parties, func(p Party) bool { return p.Status != string(debate.PartyOK) })
	several := len(lists.Keep(parties, Party.refused)) > 1
	return alike(broken, ": ", func(p Party) string {
		if several && p.refused() {
			return "the API key was refused"
		}
		return cmp.Or(p.Detail, p.Status)
	})
}

// refused reports whether the provider of a party refused its key.
func (p Party) refused() bool { return p.Status == string(debate.PartyAuth) }

// keys names the variables to check or to set for calls to models.
func keys(e Envelope) string {
	models := lists.Keep(e.Parties, Party.debates)
	switch {
	case e.Outcome != debate.DegradedLocal, e.Forbidden != "", e.Alone:
		return ""
	case len(models) == 0 && e.Inquiry != nil:
		return "Set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY to have models answer it."
	case len(models) == 0:
		return "Set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY to have models review it."
	}
	key := func(p Party) string { return p.Key }
	missing := func(p Party) bool { return p.Status == string(debate.PartyNotFound) && p.Calls == 0 }
	check := Present(once(lists.Map(lists.Keep(models, Party.refused), key))...)
	set := Present(once(lists.Map(lists.Keep(models, missing), key))...)
	return strings.Join(Present(Wrapped("Check ", enumerated(check), "."), Wrapped("Set ", enumerated(set), ".")), " ")
}

// alike has the parties with a text about each after a mark, grouped by equal texts.
func alike(parties []Party, mark string, said func(Party) string) []string {
	all := lists.Map(parties, said)
	names := make(map[string][]string)
	for i, p := range parties {
		names[all[i]] = append(names[all[i]], p.ID)
	}
	return lists.Map(once(all), func(same string) string { return enumerated(names[same]) + mark + same })
}

// failed has words for the failures of calls.
var failed = map[debate.CallStatus]string{
	debate.CallOK: "an empty reply", debate.CallTimeout: "no reply in time", debate.CallAuth: "the key was refused", debate.CallNotFound: "no such model",
	debate.CallRate: "too many requests", debate.CallOverloaded: "overloaded", debate.CallTooLong: "the request is too long",
	debate.CallRefused: "the answer was refused", debate.CallMalformed: "the reply could not be read", debate.CallError: "the call failed",
}

// otherFailures has the failures that the verdict does not name. If no model reviewed anything,
// it names the first one, with all parties that had it.
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
