package report

import (
	"cmp"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
)

// closedQuestions has the results of the closed questions, with the different answers and the
// refused ones. The result of the merge itself is the verdict.
func closedQuestions(e Envelope) []string {
	var out []string
	for _, d := range Closed(e) {
		if d.ID != "D0" {
			says := AnswerTo(e, d)
			if d.Person().By == "" { // else it begins with a name
				says = upperFirst(says)
			}
			out = append(out, OneLine(d.Question)+" "+says+".")
		}
		refused := d.Person().Refused
		for _, answer := range refused[:min(len(refused), MaxSides)] {
			out = append(out, "This answer did not count: "+OneLine(answer))
		}
	}
	return once(out)
}

// AnswerTo is the answer to a closed question and its author.
func AnswerTo(e Envelope, d Decision) string {
	switch h := d.Person(); {
	case h.By != "":
		text := OneLine(h.By) + " decided: " + labelOf(d, h.Option)
		if h.Reason != "" {
			text += ", " + inQuotes(h.Reason)
		}
		return text
	case d.Outcome == debate.Withdrawn:
		return "it was withdrawn"
	case d.Outcome == debate.Settled, d.Outcome == debate.Adopted:
		return "the models answered " + labelOf(d, d.Recommendation) + Wrapped(" (", Capped(Dissent(e, d), "; "), ")")
	}
	return "it was not answered"
}

// Dissent has the models and judges with another answer to a question than the recommended one,
// with the reason of each.
func Dissent(e Envelope, d Decision) []string {
	var out []string
	for _, o := range d.FinalOptions {
		if IsNone(o.Option) || o.Option == d.Recommendation {
			continue
		}
		text := OneLine(o.Party) + " " + wayOf(d, o.Option).would
		if a := lists.Find(e.Assumptions, func(a Assumption) bool { return a.Party == o.Party }); asksToMerge(d) && a.Party != "" {
			text = assumed(e, a)
		}
		out = append(out, text)
	}
	if d.Panel != nil {
		for _, v := range d.Panel.Perspectives {
			if v.Option != cmp.Or(d.Panel.Option, d.Recommendation) {
				out = append(out, "the judge for "+OneLine(string(v.Judge))+" "+wayOf(d, v.Option).would+": "+inQuotes(v.Reason))
			}
		}
	}
	return out
}

// Recommends is the recommendation of a question and its supporters.
func Recommends(d Decision) string {
	choice := Recommended(d)
	if IsNone(choice) {
		return "Nothing is recommended."
	}
	return "Recommended: " + wayOf(d, choice).advised + Wrapped(" (", enumerated(whoHolds(d.FinalOptions, debate.Disposition(choice))), ")") + "."
}
