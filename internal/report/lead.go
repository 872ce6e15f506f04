package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
)

// Lead is the text below the verdict, with the number of findings as counted. Each sentence has
// one fact, and an empty one is left out.
func Lead(e Envelope, counted string) string {
	switch {
	case e.Outcome == debate.Aborted:
		return sentences(upperFirst(e.OutcomeReason))
	case e.Inquiry != nil && HasDebate(e):
		return sentences(counted, Wrapped("", enumerated(modelsRead(e)), " debated it"), related(e), lost(e))
	case e.Inquiry != nil && e.Inquiry.Answer != "":
		return sentences(heardAlone(e))
	case e.Inquiry != nil:
		return ""
	case e.Outcome == debate.DegradedLocal:
		unread, start, found := "", "", "nothing"
		if e.Waits {
			start = "Comment `/debate run` to start the review"
		}
		if e.Head == debate.HeadWaits && !e.Alone { // else the verdict says it
			unread = "Not reviewed by a model" + Wrapped(": ", because(e), "")
		}
		byRules := lists.Keep(Agreed(e), func(f Finding) bool {
			return len(f.ReportedBy) == 0 || slices.Contains(f.ReportedBy, debate.EngineParty)
		})
		if n := len(byRules); n > 0 {
			found = Count(n, "problem")
		}
		if n := len(e.Known); n > 0 {
			found += fmt.Sprintf(", %d known", n)
		}
		found = "The built-in rules, which need no model, found " + found
		if e.Stats.Blind && len(byRules)+len(e.Known) == 0 {
			found = "The built-in rules, which need no model, could read nothing of it"
		}
		return sentences(unread, start, heardAlone(e), found)
	case e.Outcome == debate.Superseded:
		return "The newer commit gets its own review."
	case !HasDebate(e):
		return ""
	}
	d := decisionOf(e, "D0")
	decided, accepted, again, unread, rests, asks := "", "", "", "", "", ""
	if h := d.Person(); e.Head == debate.HeadDecided { // for this head
		decided = Wrapped(OneLine(h.By)+": ", inQuotes(h.Reason), "")
		accepted = Wrapped(OneLine(h.By)+" accepted ", enumerated(h.Accepted), "")
	}
	if h := d.Person(); h.Before != "" { // why a question is open again after an answer for an earlier commit
		again = OneLine(h.Before) + " decided to merge an earlier commit as it is. That is not about " + cmp.Or(enumerated(h.New), "an objection that the models accepted") + ", so it is asked again"
	}
	if !whole(e) && !namesOnly(e) {
		causes := Capped(lists.First(e.Stats.Causes, 2), "; ")
		unread = upperFirst(partlyRead(e)) + Wrapped(": ", causes, "")
		if e.Head == debate.HeadPartly { // the verdict says it
			unread = Wrapped("The rest: ", causes, "")
		}
	}
	switch { // what supports the verdict, apart from findings, or what is in its way
	case !RestsOnWhy(d):
	case keptBare(e):
		rests = upperFirst(whys[debate.WhyNoProof])
	default:
		rests = upperFirst(OneLine(flowing(d.Why)))
	}
	// The model behind the verdict wants changes, and no finding says it.
	at := lastPosition(e)
	changing := at.Disposition == debate.Revise || at.Disposition == debate.Reject
	if d.Human == nil && len(Current(e))+len(e.NotEvaluated) == 0 && changing && string(at.Disposition) == d.Recommendation {
		asks = Wrapped(OneLine(at.By)+": ", inQuotes(ClipLine(flowing(at.Summary), maxSide)), "")
	}
	return sentences(decided, accepted, again, unread, upperFirst(excused(e)), counted, readers(e), rests, asks, related(e), lost(e))
}

// heardAlone names the models with findings that no other model checked.
func heardAlone(e Envelope) string {
	if !e.Alone {
		return ""
	}
	return Wrapped("No other model has checked the findings of ", enumerated(modelsRead(e)), "")
}

// Counted says how many findings were confirmed, disputed, left and hidden as known.
func Counted(e Envelope) string {
	against := len(lists.Keep(e.Unresolved, Contradicted))
	noun := "finding"
	if e.Inquiry != nil {
		noun = "point"
	}
	var parts []string
	for _, c := range []struct {
		n     int
		state string
	}{{len(Agreed(e)), "confirmed"}, {against, "disputed"}, {len(e.Unresolved) - against, "not confirmed"}, {len(e.NotEvaluated), "not debated"}, {len(e.Known), "known"}} {
		switch {
		case c.n == 0:
		case len(parts) > 0:
			parts = append(parts, fmt.Sprint(c.n)+" "+c.state)
		default:
			parts = append(parts, Count(c.n, noun)+" "+c.state)
		}
	}
	return strings.Join(parts, ", ")
}

// readers names the models that read the change, with their answers to the merge. A common answer
// continues the sentence; else each model is named with its own, those without a counted one last.
func readers(e Envelope) string {
	who := modelsRead(e)
	if len(who) == 0 {
		return ""
	}
	text := enumerated(who)
	switch {
	case whole(e) && len(e.Stats.Excused) > 0:
		text += " read the rest"
	case whole(e):
		text += " read the whole change"
	default:
		text += " answered"
	}
	d := decisionOf(e, "D0")
	var answers, silent []string
	for _, w := range []way{ways[1], ways[0], ways[2]} {
		same := lists.Keep(who, func(party string) bool {
			return slices.ContainsFunc(d.FinalOptions, func(o PartyOption) bool { return o.Party == party && o.Option == string(w.option) })
		})
		switch {
		case len(same) == 0:
		case len(same) == len(who) && len(who) == 1:
			return text + " and " + w.would
		case len(same) == len(who):
			return text + " and " + w.together
		case len(same) == 1:
			answers = append(answers, OneLine(same[0])+" "+w.would)
		default:
			answers = append(answers, enumerated(same)+" "+w.together)
		}
	}
	for _, p := range e.Parties {
		counts := slices.ContainsFunc(d.FinalOptions, func(o PartyOption) bool { return o.Party == p.ID && mergeBy(o.Option).label != "" })
		if counts || !slices.Contains(who, p.ID) {
			continue
		}
		view := "gives no answer"
		switch w := mergeBy(string(p.Option)); {
		case p.Engagement != debate.Abstains:
		case w.label != "":
			view = w.would + ", but gives no evidence"
		case p.Verdict == debate.VerdictAgree:
			view = "agrees, but gives no evidence"
		}
		silent = append(silent, OneLine(p.ID)+" "+view)
	}
	if len(answers) > 0 {
		answers = append(answers, silent...)
	}
	return text + Wrapped("; ", strings.Join(answers, ", "), "")
}

// keptBare reports whether a recommended merge has no checked support.
func keptBare(e Envelope) bool {
	d := decisionOf(e, "D0")
	return d.Basis == debate.WhyBare && d.Recommendation == string(debate.Keep)
}

// RestsOnWhy reports whether the first lines give the reason for the verdict on a merge.
func RestsOnWhy(d Decision) bool {
	if d.ID != "D0" || d.Human != nil {
		return false
	}
	switch d.Basis {
	case debate.WhyBare, debate.WhyGrants, debate.WhyOpenP1, debate.WhyFailedBefore, debate.WhyGrantedObjection, debate.WhyOpenSince, debate.WhyNobodyKeeps:
		return true
	}
	return false
}

// related warns of models of one maker, likely to miss the same things.
func related(e Envelope) string {
	if !e.SameFamily || len(modelsRead(e)) < 2 {
		return ""
	}
	return "Models from one maker tend to miss the same bugs"
}

// lost names the failed models with their errors, and the dropped ones.
func lost(e Envelope) string {
	var parts []string
	for _, p := range lists.Keep(e.Parties, Party.dropped) {
		parts = append(parts, OneLine(p.ID)+" was dropped: it changed its answer twice without giving a reason")
	}
	return strings.Join(append(parts, failures(lists.Keep(e.Parties, Party.gone))...), "; ")
}

// CheckSays is the result of the check for a merge if the verdict does not say it.
func CheckSays(e Envelope, conclusion debate.Conclusion, why string) string {
	settled := len(Awaiting(e)) == 0
	switch {
	case why == "":
	case conclusion == debate.Failure:
		return "The check fails: " + why + "."
	case conclusion == debate.ActionRequired && settled:
		return "The check waits: " + why + "."
	case conclusion != debate.Neutral || !settled: // a success, or the question says it
	case e.Head == debate.HeadReady && keptBare(e): // the lead says why
		return "So the check does not pass."
	case e.Head == debate.HeadReady, e.Head == debate.HeadDecided:
		return "The check does not pass: " + why + "."
	}
	return ""
}

// NextStep is what has to happen before a merge, "" if nothing has to.
func NextStep(e Envelope) string {
	return map[debate.Next]string{
		debate.NextMerge:    "it can be merged",
		debate.NextDecide:   "a person decides",
		debate.NextFix:      "the author changes it",
		debate.NextSettings: "someone with write access repairs the settings",
		debate.NextReview:   "someone with write access starts the review again",
		debate.NextRead:     "a person reads the change",
	}[e.Next]
}
