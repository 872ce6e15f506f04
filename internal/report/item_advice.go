package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
)

// advice is the recommendation of the models with its reason, then the models against it with
// theirs (R028). It has at most one recommendation.
func (p Pull) advice(e Envelope, d Decision) string {
	alone := heardAlone(e)
	switch {
	case len(d.FinalOptions) > 0:
	case alone != "":
		return "**" + inline(alone) + "**.\n"
	case e.Outcome == debate.DegradedLocal:
		return "**No model reviewed this change**: " + inline(cmp.Or(because(e), "no debate was possible")) + ".\n"
	}
	choice := Recommended(d)
	if choice == string(debate.Continue) {
		choice = ""
	}
	heading := "Still open"
	if choice == string(debate.Revise) {
		heading = "To fix"
	}
	open := Wrapped("\n**"+heading+"**: ", inline(Capped(standingFindings(e, d), "; ")), "\n")
	holds, others := partiesFor(d, choice)
	opposed := ""
	if len(others) > 0 {
		opposed = "\n" + opponents(e, d, others, choice != "") + "\n"
	}
	if choice == "" {
		return unadvised(e, d, others, opposed) + open + unread(e)
	}
	return recommends(e, d, choice, holds, others) + Wrapped(": ", reasonOfAny(e, d, holds), "") + ".\n" + open + opposed + unread(e)
}

// unadvised says that nothing is recommended, with the option of each model.
func unadvised(e Envelope, d Decision, held []PartyOption, opposed string) string {
	switch {
	case len(held) == 0:
		return "**The models recommend nothing.**\n"
	case unanimous(held):
		return allHold(e, d, held)
	}
	return "**The models do not agree.**\n" + opposed
}

// allHold says what all models hold, and why, if an open P1 keeps it from being recommended.
func allHold(e Envelope, d Decision, all []PartyOption) string {
	names := lists.Map(all, func(o PartyOption) string { return o.Party })
	who := "The models are"
	if len(names) == 1 {
		who = inline(names[0]) + " is"
	}
	text := "**" + who + " for " + inline(wayOf(d, all[0].Option).advised) + "**"
	if len(names) > 1 {
		text += " (" + inline(enumerated(names)) + ")"
	}
	text += Wrapped(": ", reasonOfAny(e, d, names), "") + ". That is not recommended"
	ids := lists.Map(lists.Keep(slices.Concat(e.P1, e.Unresolved), isP1), func(f Finding) string { return f.ID })
	if len(ids) > 0 && asksToMerge(d) {
		text += " while these P1 findings stand: " + inline(enumerated(ids))
	}
	return text + ".\n"
}

// opponents lists the models against the recommendation, or the answer of each model if there is
// none.
func opponents(e Envelope, d Decision, others []PartyOption, recommended bool) string {
	list := lists.Map(others, func(o PartyOption) string { return opposes(e, d, o) })
	title := ""
	if recommended {
		title = "**Against**: "
	}
	if len(list) == 1 {
		return title + list[0]
	}
	return strings.TrimSpace(title + "\n\n- " + strings.Join(list, "\n- "))
}

// unread says how much of a change the models did not read.
func unread(e Envelope) string {
	if !HasDebate(e) || e.Coverage != string(debate.CoveragePartial) {
		return ""
	}
	return "\n" + upperFirst(partlyRead(e)) + ".\n"
}

// recommends is the recommendation and its supporters: all models, most, or only the scores or
// the judges if the models are split.
func recommends(e Envelope, d Decision, choice string, holds []string, others []PartyOption) string {
	what := inline(wayOf(d, choice).advised)
	switch {
	case len(holds) <= len(others): // see below
	case len(others) > 0:
		return "**Most models recommend " + what + "** (" + inline(enumerated(holds)) + ")"
	case len(holds) == 1:
		return "**" + inline(holds[0]) + " recommends " + what + "**"
	default:
		return "**The models recommend " + what + "** (" + inline(enumerated(holds)) + ")"
	}
	split := "**The models are split"
	switch { // they are split, or none of them holds it
	case d.Panel != nil && d.Panel.Option == choice:
		split += ", and three judges recommend " + what + "**"
	case d.Rubric != nil && d.Rubric.Winner == choice:
		split += ", and their scores favor " + what + "**"
	default:
		split += "; recommended is " + what + "**"
	}
	if len(holds) > 0 {
		split += " (" + inline(enumerated(holds)) + ")"
	}
	return split
}

// partiesFor has the parties for an option, and the others with their options.
func partiesFor(d Decision, option string) (holds []string, others []PartyOption) {
	for _, o := range d.FinalOptions {
		switch {
		case IsNone(o.Option):
		case o.Option == option:
			holds = append(holds, OneLine(o.Party))
		default:
			others = append(others, o)
		}
	}
	return holds, others
}

// opposes is the answer of a model against the recommendation, its reason, and whether a line
// shows it.
func opposes(e Envelope, d Decision, o PartyOption) string {
	text := inline(o.Party) + " " + inline(wayOf(d, o.Option).would)
	why, rests := reasonOf(e, d, o.Party)
	if why == "" {
		return text + " and gives no reason."
	}
	return text + ": \"" + why + "\"" + rests + "."
}

// reasonOfAny is the reason of the first of some models with one. The author of the last position
// goes first.
func reasonOfAny(e Envelope, d Decision, holds []string) string {
	at := lastPosition(e)
	if asksToMerge(d) && slices.Contains(holds, OneLine(at.By)) {
		return spoken(at.Summary)
	}
	return cmp.Or(lists.Map(holds, func(party string) string {
		why, _ := reasonOf(e, d, party)
		return why
	})...)
}

// reasonOf is the reason of a model in its own words, and whether a line shows it. The position
// written for the debate rests on the findings.
func reasonOf(e Envelope, d Decision, party string) (why, rests string) {
	words := ""
	if asksToMerge(d) {
		if at := lastPosition(e); at.By == party {
			return spoken(at.Summary), ""
		}
		objection := lastObjection(e, party)
		words = objection.Objection
		if len(objection.Shown) > 0 {
			return spoken(words), " (see " + inline(Capped(objection.Shown, ", ")) + ")"
		}
	}
	return spoken(cmp.Or(WhyDisagree(e, party), words)), notShown
}

// WhyDisagree is the reason of a party for its disagreement, "" if it agrees.
func WhyDisagree(e Envelope, party string) string {
	return lists.Find(e.Assumptions, func(a Assumption) bool { return a.Party == party }).WhyDisagree
}

// lastObjection is the last live objection of a party to the recommendation, an empty one if
// there is none.
func lastObjection(e Envelope, party string) (last Challenge) {
	for _, k := range e.Objections {
		if k.By == party && k.isLive() {
			last = k
		}
	}
	return last
}

// notShown marks a reason of words alone.
const notShown = " (no line shows it)"

// lastPosition is the position at the end, an empty one if there is none.
func lastPosition(e Envelope) Position {
	if len(e.Positions) == 0 || e.Outcome == debate.DegradedLocal {
		return Position{}
	}
	return e.Positions[len(e.Positions)-1]
}

// maxSpoken bounds, in characters, the reason of a model in an issue.
const maxSpoken = 300

// spoken is the words of a model on one line, bounded and without a full stop.
func spoken(text string) string {
	return comment.MarkdownLine(strings.TrimRight(ClipLine(flowing(text), maxSpoken), ". "))
}

// about adds the details of one question.
func (p Pull) about(b *blocks, e Envelope, d Decision, several bool) {
	if several {
		b.add("#### " + inline(d.ID) + "\n")
	}
	p.morePlaces(b, d)
	b.list("**Arguments**", minds(e, d), MaxListed)
	confirmed, disputed := concerning(e, d)
	b.list("**Confirmed findings**", confirmed, MaxListed)
	b.list("**Disputed findings**", disputed, MaxListed)
	if d.Rubric == nil && d.Why != "" && d.Why != notScored {
		b.add("Not scored: " + inline(d.Why) + ".\n")
	}
	for _, part := range weighed(d) {
		b.add("**" + part.Title + "**\n\n" + sectionMarkdown(part))
	}
	b.list("**Answers that did not count**", d.Person().Refused, MaxListed)
}

// minds says for each model what would change its mind, and what it assumes.
func minds(e Envelope, d Decision) []string {
	var list []string
	for _, o := range d.FinalOptions {
		needs, assumes, test := o.Needs, "", ""
		if asksToMerge(d) {
			a := lists.Find(e.Assumptions, func(a Assumption) bool { return a.Party == o.Party })
			needs, assumes, test = cmp.Or(needs, a.RightIf), a.CoreAssumption, a.TestableBy
		}
		if more := changesMind(needs, assumes, test); more != "" {
			list = append(list, OneLine(o.Party)+" "+wayOf(d, o.Option).would+"."+more)
		}
	}
	return list
}

// changesMind says what would change the mind of a model, what it assumes, and how to test it,
// each as a sentence that follows another one.
func changesMind(needs, assumes, test string) string {
	return Wrapped(" It would change its mind if: ", sentence(needs), "") + Wrapped(" It assumes: ", sentence(assumes), "") + Wrapped(" To find out: ", sentence(test), "")
}

// concerning has the findings of a question: the confirmed ones that are not shown above the
// fold, and the disputed ones with what would settle them.
func concerning(e Envelope, d Decision) (confirmed, disputed []string) {
	for _, f := range lists.Keep(Agreed(e), d.isAbout) {
		if !quotes(d, f) {
			confirmed = append(confirmed, Named(f))
		}
	}
	return confirmed, lists.Map(disputes(e, d), namedOpen)
}
