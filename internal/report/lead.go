package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
)

// LeadBelow is the lead below a line with how many findings there are.
func LeadBelow(e Envelope) string { return lead(e, "") }

// lead is the text below the verdict, with the number of findings as counted. Each sentence has
// one fact, and an empty one is left out.
func lead(e Envelope, counted string) string {
	switch {
	case e.Inquiry != nil:
		return answerLead(e, counted)
	case e.Outcome == debate.DegradedLocal:
		unread := ""
		if len(Awaiting(e)) > 0 && !e.Alone { // else the verdict says it
			unread = upperFirst(notReviewed(e).String())
		}
		return sentences(unread, heardAlone(e), foundApart(e), byRules(e))
	case HasDebate(e):
		return sentences(append(append(decidedBy(e), askedAgain(e)), upperFirst(unreadPart(e)), upperFirst(excused(e)), counted, readers(e), rests(e), asksFor(e), related(e), lost(e))...)
	case e.Outcome == debate.Aborted:
		return sentences(upperFirst(e.OutcomeReason))
	case e.Outcome == debate.Superseded:
		return "Nothing here is about the newer commit."
	}
	return ""
}

// sentences joins the texts that are not empty, each with a full stop.
func sentences(list ...string) string {
	return strings.Join(lists.Map(Present(list...), func(s string) string { return s + "." }), " ")
}

// upperFirst is a sentence of ours with a capital letter. It must not begin with the name of a
// model: names keep their first letter.
func upperFirst(s string) string {
	if s == "" {
		return ""
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// byRules counts the findings of the built-in rules.
func byRules(e Envelope) string {
	text, known := "The built-in rules, which need no model, found ", len(e.Known)
	found := Agreed(e)
	if len(modelsRead(e)) > 1 {
		found = slices.DeleteFunc(found, byModel)
	}
	switch n := len(found); {
	case n == 0 && known == 0 && e.Stats.Blind:
		return "The built-in rules, which need no model, could read nothing of it"
	case n > 0:
		text += Count(n, "problem")
	case known > 0:
		text += "nothing new"
	default:
		text += "nothing"
	}
	if known > 0 {
		text += fmt.Sprintf(", %d known", known)
	}
	return text
}

// heardAlone names the models with findings that no other model checked.
func heardAlone(e Envelope) string {
	if !e.Alone {
		return ""
	}
	switch names := modelsRead(e); len(names) {
	case 0:
		return ""
	case 1:
		return "No other model has checked the findings of " + OneLine(names[0])
	default:
		return enumerated(names) + " answered, but did not check each other"
	}
}

// foundApart counts the findings of several models that did not check each other.
func foundApart(e Envelope) string {
	if len(modelsRead(e)) < 2 {
		return ""
	}
	e.P1, e.P2, e.P3 = lists.Keep(e.P1, byModel), lists.Keep(e.P2, byModel), lists.Keep(e.P3, byModel)
	e.Known = nil // the next sentence counts them
	return Counted(e)
}

// byModel reports whether a model found something, and no built-in rule did.
func byModel(f Finding) bool {
	return len(f.ReportedBy) > 0 && !slices.Contains(f.ReportedBy, debate.EngineParty)
}

// unreadPart says that parts were not read, and why, if the verdict does not say it.
func unreadPart(e Envelope) string {
	if whole(e) || namesOnly(e) {
		return ""
	}
	why := e.Stats.Causes
	return partlyRead(e) + Wrapped(": ", Capped(why[:min(len(why), 2)], "; "), "")
}

// Counted says how many findings were confirmed, disputed, left and hidden as known.
func Counted(e Envelope) string {
	against := len(lists.Keep(e.Unresolved, Contradicted))
	var parts []string
	noun := "finding"
	if e.Inquiry != nil {
		noun = "point"
	}
	for _, c := range []struct {
		n     int
		state string
	}{{len(Agreed(e)), "confirmed"}, {against, "disputed"}, {len(e.Unresolved) - against, "not confirmed"}, {len(e.NotEvaluated), "not debated"}, {len(e.Known), "known"}} {
		switch {
		case c.n == 0:
		case len(parts) > 0:
			parts = append(parts, fmt.Sprint(c.n)+" "+c.state)
		case c.state == "known":
			parts = append(parts, Count(c.n, "known "+noun))
		default:
			parts = append(parts, Count(c.n, noun)+" "+c.state)
		}
	}
	return strings.Join(parts, ", ")
}

// modelsRead has the models that answered about a change, in a debate up to its end.
func modelsRead(e Envelope) []string {
	debated := HasDebate(e)
	return lists.Map(lists.Keep(e.Parties, func(p Party) bool { return p.answered() && !(debated && p.Lost) }), func(p Party) string { return p.ID })
}

// answered reports whether a debater answered about a change.
func (p Party) answered() bool { return p.debates() && p.Calls > p.Failed }

// readers names the models that read the change, with their answers to the merge.
func readers(e Envelope) string {
	names := modelsRead(e)
	what := " read the whole change"
	switch {
	case whole(e) && len(e.Stats.Excused) > 0:
		what = " read the rest"
	case whole(e):
	case e.Stats.Blind, namesOnly(e):
		what = " saw only the names of its files"
	case e.Outcome == debate.Unchallenged: // nothing counts as read
		what = " answered"
	default:
		what = " read that part"
	}
	var text string
	switch {
	case len(names) == 0:
		return ""
	case twice(e, names):
		text = OneLine(names[0]) + what + ", twice"
		if !slices.ContainsFunc(e.Parties, func(p Party) bool { return p.answered() && p.Lost }) {
			text = OneLine(names[0]) + " alone" + what + ", twice"
		}
	default:
		text = enumerated(names) + what
	}
	if overruling(e) == nil {
		text += askedFor(e, names)
	}
	return text
}

// twice reports whether one model took both sides, in two contexts.
func twice(e Envelope, names []string) bool {
	if len(names) != 2 {
		return false
	}
	of := func(id string) Party {
		return lists.Find(e.Parties, func(p Party) bool { return p.ID == id })
	}
	return of(names[1]).Again == names[0]
}

// askedFor continues a sentence about some models with their answers to the merge. A common
// answer continues the sentence; else each model is named, those without a counted answer last.
func askedFor(e Envelope, names []string) string {
	d, _ := decisionOf(e, "D0")
	var parts []string
	for _, option := range []debate.Disposition{debate.Revise, debate.Keep, debate.Reject} {
		answer := mergeBy(string(option))
		who := lists.Keep(whoHolds(d.FinalOptions, option), func(party string) bool { return slices.Contains(names, party) })
		switch len(who) {
		case 0:
		case len(names): // all
			switch {
			case len(names) == 1:
				return " and " + answer.would
			case twice(e, names):
				return ", and each time " + answer.would
			}
			return " and " + answer.together
		case 1:
			parts = append(parts, OneLine(who[0])+" "+answer.would)
		default:
			parts = append(parts, enumerated(who)+" "+answer.together)
		}
	}
	if len(parts) == 0 {
		return ""
	}
	counts := func(id string) bool {
		return slices.ContainsFunc(d.FinalOptions, func(o PartyOption) bool { return o.Party == id && !IsNone(o.Option) })
	}
	for _, p := range e.Parties {
		if slices.Contains(names, p.ID) && !counts(p.ID) {
			parts = append(parts, OneLine(p.ID)+" "+p.uncounted())
		}
	}
	return "; " + strings.Join(parts, ", ")
}

// uncounted is an answer to the merge without proof, or the lack of an answer.
func (p Party) uncounted() string {
	says := map[debate.Verdict]string{debate.VerdictAgree: "agrees", debate.VerdictPartial: "agrees in part", debate.VerdictDisagree: "disagrees"}[p.Verdict]
	if answer := mergeBy(string(p.Option)); answer != nil {
		says = answer.would
	}
	if says == "" || p.Engagement != debate.Abstains {
		return "does not say whether to merge it"
	}
	return says + " and shows nothing for it"
}

// whoHolds has the parties for an option of a merge.
func whoHolds(all []PartyOption, option debate.Disposition) []string {
	those := lists.Keep(all, func(o PartyOption) bool { return o.Option == string(option) })
	return lists.Map(those, func(o PartyOption) string { return o.Party })
}

// rests says what supports a verdict, apart from findings, or what is in its way.
func rests(e Envelope) string {
	d, found := decisionOf(e, "D0")
	if !found || !RestsOnWhy(d) {
		return ""
	}
	switch {
	case keptBare(e):
		return "No checked fact supports that"
	case d.Basis == debate.WhyBare:
		return "No confirmed finding and no accepted objection supports that"
	}
	return upperFirst(OneLine(flowing(d.Why)))
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

// asksFor says what the model behind the verdict wants changed, if no finding says it.
func asksFor(e Envelope) string {
	d, _ := decisionOf(e, "D0")
	at := lastPosition(e)
	changing := slices.Contains([]debate.Disposition{debate.Revise, debate.Reject}, at.Disposition)
	if d.Human != nil || remarks(e) > 0 || at.Summary == "" || !changing || string(at.Disposition) != d.Recommendation {
		return ""
	}
	return OneLine(at.By) + ": " + inQuotes(ClipLine(flowing(at.Summary), maxSide))
}

// related warns of models of one maker, likely to miss the same things.
func related(e Envelope) string {
	names := modelsRead(e)
	if !e.SameFamily || len(names) < 2 {
		return ""
	}
	return "Models from one maker tend to miss the same bugs"
}

// lost names the failed models with their errors, and the dropped ones.
func lost(e Envelope) string {
	parts := lists.Map(lists.Keep(e.Parties, Party.dropped), func(p Party) string {
		return OneLine(p.ID) + " was dropped: it changed its answer twice without giving a reason"
	})

	parts = append(parts, alike(lists.Keep(e.Parties, Party.gone), " ", func(p Party) string {
		why := cmp.Or(p.Detail, unlessOK(p.Status))
		if p.Unread { // left says this already
			why = cmp.Or(p.Cause, p.Detail)
		}
		return p.left() + Wrapped(" (", ClipLine(why, maxCause), ")")
	})...)
	return strings.Join(parts, "; ")
}

func unlessOK(status string) string {
	if status == string(debate.PartyOK) {
		return ""
	}
	return status
}
