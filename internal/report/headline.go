package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
)

// Headline is the verdict in a few words, the same on every surface. It is computed from the
// present positions, and never claims more than they support. It names the models that failed in a
// debate (M19).
func Headline(e Envelope) string { return headline(e, "") }

// headline is the verdict with a count of findings after it, if a count is given.
func headline(e Envelope, count string) string {
	verdict := verdictOf(e) + Wrapped(" (", count, ")")
	if HasDebate(e) && e.Head != debate.HeadDecided {
		gone := lists.Map(lists.Keep(e.Parties, Party.gone), func(p Party) string { return p.ID })
		verdict += Wrapped("; ", enumerated(gone), " failed")
	}
	return verdict
}

// verdictOf is the headline of the ruling in words.
func verdictOf(e Envelope) string {
	several, alone := len(modelsRead(e)) > 1, ""
	if e.Outcome == debate.Unchallenged && e.Inquiry == nil {
		alone = "reviewed by one model only: "
	}
	holds := cmp.Or(mergeBy(string(e.Recommendation)).holds, "it is open whether the answer holds")
	switch e.Head {
	case debate.HeadAborted:
		if e.Inquiry != nil {
			return "the question could not be debated"
		}
		return "the review could not be done"
	case debate.HeadSuperseded:
		return "stopped: the change has a newer commit"
	case debate.HeadEmpty:
		return "nothing to review"
	case debate.HeadSkipped:
		return "not reviewed" + Wrapped(": ", OneLine(e.OutcomeReason), "")
	case debate.HeadStranger:
		return "waiting for a maintainer"
	case debate.HeadUnread:
		if e.Inquiry != nil {
			return "not answered" + Wrapped(": ", because(e), "")
		}
		return "not reviewed by a model" + Wrapped(": ", because(e), "")
	case debate.HeadAlone:
		switch {
		case e.Inquiry != nil && e.Inquiry.Answer == "": // the choice stayed open
			return "not answered" + Wrapped(": ", because(e), "")
		case e.Inquiry != nil && several:
			return "answered, but not debated" + Wrapped(": ", OneLine(e.OutcomeReason), "")
		case e.Inquiry != nil:
			return "answered by one model only"
		case several:
			return "reviewed, but not debated" + Wrapped(": ", OneLine(e.OutcomeReason), "")
		}
		return "reviewed by one model only"
	case debate.HeadWaits:
		if n := len(Awaiting(e)); n > 1 {
			return alone + fmt.Sprintf("waits for %d decisions", n)
		}
		return alone + "waits for a decision"
	case debate.HeadDecided:
		h := decisionOf(e, "D0").Person()
		return OneLine(h.By) + " decided: " + mergeLabel(h.Option)
	case debate.HeadAnswered:
		return cmp.Or(panelChose(e), holds)
	case debate.HeadDivided:
		return "the models disagree" + cmp.Or(Wrapped(": ", undecidedChoice(e), ""), Wrapped("; ", panelChose(e), ""), "; "+holds)
	case debate.HeadRevise:
		return alone + "changes needed"
	case debate.HeadReject:
		return alone + "should not be merged"
	case debate.HeadPartly:
		return alone + partlyRead(e) // it does not call a partly read change ready
	case debate.HeadReady:
		switch n := len(Current(e)) + len(e.NotEvaluated); {
		case n > 0:
			return alone + "ready to merge, " + Count(n, "remark")
		case len(e.Known) > 0:
			return alone + "no new problems found"
		}
		return alone + "no problems found"
	}
	return alone + openVerdict(e)
}

// openVerdict says what is open about a change if nothing is recommended, or if the reader of the
// summary decides (R036).
func openVerdict(e Envelope) string {
	d, call := decisionOf(e, "D0"), ""
	if d.awaited() {
		call = ", your call"
	}
	divided := !unanimous(d.FinalOptions)
	var asked way
	if len(d.FinalOptions) > 1 {
		asked = mergeBy(d.FinalOptions[0].Option)
	}
	switch {
	case divided && slices.ContainsFunc(lists.Keep(e.Unresolved, Contradicted), isP1):
		return "the models disagree about a P1" + call
	case !divided && asked.label != "" && asked.option != debate.Keep:
		return "the models " + asked.together + call
	case len(e.P1) > 0, d.Basis == debate.WhyOpenP1: // the models would merge it all the same
		return "a P1 is open" + call
	case divided:
		return "the models disagree" + call
	case len(e.Unresolved) > 0:
		return Count(len(e.Unresolved), "finding") + " left open" + call
	case call != "" && asked.label != "":
		return "the models " + asked.together + call
	}
	return "nothing is recommended" + call
}

// HasDebate reports whether parties debated the change.
func HasDebate(e Envelope) bool {
	return slices.Contains([]debate.Outcome{debate.Consensus, debate.Tradeoff, debate.Unchallenged}, e.Outcome)
}

// DebatedChange reports whether parties debated a change, and no question.
func DebatedChange(e Envelope) bool { return e.Inquiry == nil && HasDebate(e) }

// Nothing reports whether a change is empty.
func Nothing(e Envelope) bool { return e.Head == debate.HeadEmpty }

// Reviewed reports whether the run read a change to its end.
func Reviewed(e Envelope) bool {
	return e.Inquiry == nil && (HasDebate(e) || e.Outcome == debate.DegradedLocal)
}

// whole reports whether models reviewed all of a change, except for parts excused by policy.
func whole(e Envelope) bool { return e.Coverage == string(debate.CoverageFull) }

// IsNone reports whether an option is none: continue means no answer yet (R056).
func IsNone(option string) bool { return option == "" || option == string(debate.Continue) }

func isP1(f Finding) bool { return f.Severity == debate.P1 }

// partlyRead says how much of a change was reviewed.
func partlyRead(e Envelope) string {
	switch {
	case e.Stats.Blind, namesOnly(e):
		return "no line of the change was read"
	case e.Stats.Missed == 0:
		return "only a part of the change was reviewed"
	}
	switch read := e.Stats.Files - e.Stats.Missed; read {
	case 0:
		return "no file was reviewed in full"
	case 1:
		return fmt.Sprintf("only 1 of %d files was reviewed in full", e.Stats.Files)
	default:
		return fmt.Sprintf("only %d of %d files were reviewed in full", read, e.Stats.Files)
	}
}

// namesOnly reports whether no file of the change needs a review.
func namesOnly(e Envelope) bool {
	return e.Coverage == string(debate.CoverageNone) && e.Stats.Missed == 0 && len(e.Stats.Excused) > 0
}

// excused names files that no model read and that need no review, each with its changed lines. ""
// if there is none.
func excused(e Envelope) string {
	return Wrapped("not read: ", enumerated(lists.Map(e.Stats.Excused, func(f Excused) string {
		return OneLine(f.Path) + " (" + string(f.Why) + countedLines(f.Lines) + ")"
	})), "")
}

// because says why no model reviewed a change: the first failure, in the words of the provider
// (M19), or because no model is allowed or configured.
func because(e Envelope) string {
	models := lists.Keep(e.Parties, Party.debates)
	failed := failures(models)
	switch {
	case len(failed) > 0:
		return failed[0]
	case e.Forbidden != "":
		return forbiddenFor[e.Forbidden]
	case len(models) == 0:
		return "no API key is set"
	case len(models) == 1:
		return "only " + OneLine(models[0].ID) + " is configured, and a debate needs two"
	}
	return OneLine(e.OutcomeReason)
}

// forbiddenFor says why the operator of a server allows no model.
var forbiddenFor = map[debate.Forbidden]string{
	debate.ForAccount: "this account may not ask one",
	debate.ForMoney:   "the money for this month is spent",
	debate.ForPrice:   "the price of a model is not known",
}

// failures names the parties that failed, those with one reason together: "claude and gpt failed (no
// reply in time)". Several refused keys are one reason, in any words of the providers.
func failures(parties []Party) []string {
	several := len(lists.Keep(parties, Party.refused)) > 1
	var all []string
	who := make(map[string][]string)
	for _, p := range parties {
		why, text := cmp.Or(p.Detail, failureOf(p.Status)), " failed"
		switch {
		case p.Status == string(debate.PartyOK):
			continue
		case several && p.refused():
			why = "the API key or its account was refused"
		case p.Status == string(debate.PartySameFamily):
			text = " took no part"
		case !p.Lost && p.Calls > p.Failed:
			text = " did not answer every call"
		}
		text += " (" + ClipLine(why, MaxEntry) + ")"
		all, who[text] = append(all, text), append(who[text], p.ID)
	}
	return lists.Map(lists.Once(all), func(text string) string { return enumerated(who[text]) + text })
}

// refused reports whether the provider of a party refused its key.
func (p Party) refused() bool { return p.Status == string(debate.PartyAuth) }

// MissingParties names the failed models, except for those in the verdict and in the lead, and says
// what to do, on GitHub or on the machine of the reader.
func MissingParties(e Envelope, onGitHub bool) string {
	if e.Forbidden != "" { // a key would change nothing
		return ""
	}
	models, unread := lists.Keep(e.Parties, Party.debates), e.Outcome == debate.DegradedLocal
	failed, refused := failures(models), lists.Keep(models, Party.refused)
	more := failures(lists.Keep(models, func(p Party) bool { return !HasDebate(e) || !p.gone() && !p.dropped() }))
	if unread && !e.Alone {
		more = failed[min(1, len(failed)):]
	}
	keys, todo := "", ""
	switch { // the variables to check or to set
	case e.Alone, !unread && len(refused) < 2: // the words of its provider name the one key
	case len(models) == 0:
		keys = "Set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY to ask models."
	default:
		key := func(p Party) string { return p.Key }
		isMissing := func(p Party) bool { return p.Status == string(debate.PartyNotFound) && p.Calls == 0 }
		check := Present(lists.Once(lists.Map(refused, key))...)
		set := Present(lists.Once(lists.Map(lists.Keep(models, isMissing), key))...)
		keys = strings.Join(Present(Wrapped("Check ", enumerated(check), "."), Wrapped("Set ", enumerated(set), ".")), " ")
	}
	isLost := func(p Party) bool { return p.Lost }
	isUnreachable := func(p Party) bool {
		return p.Lost && slices.Contains([]debate.PartyStatus{debate.PartyAuth, debate.PartyNotFound, debate.PartyTimeout, debate.PartyError}, debate.PartyStatus(p.Status))
	}
	switch {
	case onGitHub:
		keys = Wrapped("", keys, " For the Action add them under Settings, Secrets and variables, Actions; for the App set them on its server.")
		if unread && !e.Alone && len(failed) > 0 {
			todo = "Someone with write access can comment /debate run to try again."
		}
	case slices.ContainsFunc(e.Parties, isUnreachable), unread && (len(models) < 2 || len(failed) > 0) && !slices.ContainsFunc(e.Parties, isLost):
		todo = "Run debate doctor --online to see what is missing."
	}
	return strings.Join(Present(sentences(more...), keys, todo), " ")
}
