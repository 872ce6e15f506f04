package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/text"
)

// WhyOpen says in a sentence why a finding is open, "" if the names of its finders say it or, with no
// second model, the first lines do. Named: the finders are named with it.
func WhyOpen(e Envelope, f Finding, named bool) string {
	unweighed := named && len(f.NotWeighedBy) > 0 && len(f.ConfirmedBy) == 0
	if f.Basis == debate.WhyNotWeighed && (e.Alone || unweighed) || f.Basis == debate.WhyNotVerified && unweighed {
		return ""
	}
	return Wrapped("It is open because ", OneLine(f.Why), ".")
}

// listed are findings on one line each with the reason.
func listed(findings ...Finding) []string {
	return lists.Map(findings, func(f Finding) string {
		return Named(f) + Wrapped(": ", OneLine(f.Why), "")
	})
}

// Standing is the state of a finding in a few words.
func Standing(f Finding) string {
	return cameOf(f) + Wrapped(", ", Accepted(f), "")
}

// cameOf is the state of a finding after the debate.
func cameOf(f Finding) string {
	state, is := standings[debate.Reason(f.BucketReason)]
	switch {
	case is:
		return state
	case f.Bucket == "":
		return "not debated"
	case f.Bucket == debate.Agreed:
		return "confirmed"
	case f.Bucket == debate.Dismissed:
		return "dismissed"
	case Contradicted(f):
		return "disputed"
	}
	return "not confirmed"
}

// Accepted names the person who decided to merge despite a finding, "" if there is none.
func Accepted(f Finding) string { return Wrapped("accepted by ", OneLine(f.AcceptedBy), "") }

// calledFixed has what models say about a finding of an earlier commit if one calls it fixed, and
// which proof is missing. It follows another sentence, and is "" if no model does.
func calledFixed(f Finding) string {
	said := lists.Keep(f.Conversation, func(l Line) bool { return l.Act == DidFindGone || l.Act == DidFindHere })
	is := func(act Act) bool { return slices.ContainsFunc(said, func(l Line) bool { return l.Act == act }) }
	text := " " + enumerated(lists.Once(lists.Map(thread(said, Decision{}), Side.line)))
	switch {
	case !is(DidFindGone), f.Bucket == debate.Dismissed:
		return ""
	case is(DidFindHere):
		return text + "."
	case f.Severity == debate.P1:
		return text + "; a P1 needs two proofs."
	}
	return text + ", but no changed line near it proves it."
}

// StandsBehind names the finders and confirmers of a finding.
func StandsBehind(f Finding) string {
	models := others(debate.EngineParty, f.ReportedBy, f.ConfirmedBy)
	text := "Found by " + enumerated(lists.Map(f.ReportedBy, speaker))
	switch {
	case f.Rule != "" && (len(models) == 0 || len(f.ReportedBy) == 0):
		return "Found by the built-in rule " + OneLine(f.Rule) + "."
	case len(f.ReportedBy) == 0:
		return "Found by a built-in rule."
	case f.Rule != "":
		text = "Found by the built-in rule " + OneLine(f.Rule)
	default:
		models = lists.Keep(f.ConfirmedBy, func(id string) bool { return !slices.Contains(f.ReportedBy, id) })
	}
	silent := lists.Keep(f.NotWeighedBy, func(id string) bool { return !slices.Contains(f.ConfirmedBy, id) })
	text += Wrapped(", confirmed by ", enumerated(models), "") + Wrapped("; not checked by ", enumerated(silent), "")
	text += Wrapped("; also called: ", Capped(f.Wordings, "; "), "")
	return text + "." + calledFixed(f) + Wrapped(" Its finder admits: ", sentence(f.Limit), "")
}

// support names the finders and confirmers of a finding, and the strongest objection to it.
func support(f Finding) string {
	return inline(StandsBehind(f)) + Wrapped(" ", entryMarkdown(Against(f)), "")
}

// Against is the strongest objection to a finding with its answers, "" if it has none.
func Against(f Finding) string {
	against := lists.Keep(f.Challenges, func(k Challenge) bool { return k.Kind != debate.Reconciling })
	if len(against) == 0 {
		return ""
	}
	strengths := []debate.Strength{debate.StrengthMinor, debate.StrengthModerate, debate.StrengthStrong}
	strongest := slices.MaxFunc(against, func(a, b Challenge) int {
		return cmp.Compare(slices.Index(strengths, a.Strength), slices.Index(strengths, b.Strength))
	})
	text := argued(strongest, f.Conversation, Decision{})
	return Wrapped("", text, ended(strings.TrimRight(text, `"`)))
}

// Contradicted reports whether an objection to a finding was not refuted.
func Contradicted(f Finding) bool {
	return slices.ContainsFunc(f.Challenges, Challenge.isOpen)
}

// isOpen reports whether a challenge is an objection and was not refuted. A request to explain a
// contradiction is none.
func (k Challenge) isOpen() bool { return k.Kind != debate.Reconciling && k.Status != debate.Resolved }

// isLive reports whether nothing settled a challenge.
func (k Challenge) isLive() bool {
	return !slices.Contains([]debate.ChallengeStatus{debate.Resolved, debate.Conceded}, k.Status)
}

// hasFinder reports whether a model explains a finding.
func hasFinder(f Finding) bool {
	return f.Body != "" && len(others(debate.EngineParty, f.ReportedBy)) > 0
}

// Side is the words of one speaker about a finding.
type Side struct{ Who, Says string }

// Sides has the words of the models in disagreement about a finding, each once and without line breaks: the finders
// first, then each objection with its answer.
func Sides(f Finding) []Side {
	var out []Side
	add := func(who, says string) {
		if side := (Side{who, flowing(says)}); side.Says != "" && !slices.Contains(out, side) {
			out = append(out, side)
		}
	}
	if hasFinder(f) {
		add(enumerated(others(debate.EngineParty, f.ReportedBy)), f.Body)
	}
	for _, k := range f.Challenges {
		if k.isOpen() && k.Objection != "" {
			add(speaker(k.By), k.Objection)
			add(speaker(k.Defender), k.Defence)
		}
	}
	return out[:min(len(out), MaxSides+1)]
}

// Measurements are what the sides of open objections need to settle them, each once, with its
// parties.
func Measurements(list []Challenge) []string {
	var needs []string
	by := make(map[string][]string)
	for _, k := range lists.Keep(list, Challenge.isLive) {
		for _, v := range k.Missing {
			text := "measure " + OneLine(v.Measurement) + "; threshold " + OneLine(v.Threshold) + ": " + OneLine(v.Effect)
			needs, by[text] = append(needs, text), append(by[text], OneLine(v.Party))
		}
	}
	return lists.Map(lists.Once(needs), func(text string) string { return text + " (" + Capped(lists.Once(by[text]), ", ") + ")" })
}

// Crux is the way to settle an open finding: the measurements that its sides need, else the one of the record unless
// one of the sides says it; "" if there is none.
func Crux(f Finding) string {
	crux := flowing(f.Crux)
	says := func(s Side) bool { return text.Clip(s.Says, 500) == crux } // as the record keeps it
	switch needs := Measurements(f.Challenges); {
	case f.Bucket == debate.Agreed:
		return ""
	case len(needs) > 0 && f.Bucket == debate.Unresolved:
		return Capped(needs, "; or ")
	case slices.ContainsFunc(Sides(f), says):
		return ""
	}
	return crux
}

// argued is an objection, its answers and its end, as the thread about its subject has them.
func argued(k Challenge, lines []Line, about Decision) string {
	ofIt := lists.Keep(lines, func(l Line) bool { return l.Objection == k.ID })
	return strings.Join(lists.Map(thread(ofIt, about), Side.line), "; ")
}

// standings are the states of findings that their bucket does not say, by its reason.
var standings = map[debate.Reason]string{
	debate.ReasonConceded:   "withdrawn",
	debate.ReasonUndefended: "withdrawn",
	debate.ReasonRejected:   "refuted",
	debate.ReasonOutOfScope: "not about this change",
	debate.ReasonLate:       "not debated",
	debate.ReasonNotDebated: "not debated",
	debate.ReasonHuman:      "dismissed by a person",
	debate.ReasonFixed:      "fixed",
	debate.ReasonKnown:      "known",
	debate.ReasonUnproved:   "without proof",
}
