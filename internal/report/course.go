package report

import (
	"strings"

	"github.com/prdebate/debate/internal/debate"
)

// course is the fold about the debate: for each finding its finder, its attackers and its
// confirmation, and then the closed questions.
func course(e Envelope) string {
	var lines []string
	for _, f := range Current(e) {
		lines = append(lines, strings.TrimSpace(f.ID+" "+f.Title+". "+StandsBehind(f))+Wrapped(" ", strongest(f), ""))
	}
	for _, d := range Closed(e) {
		lines = append(lines, CameTo(d)...)
	}
	if HasDebate(e) {
		lines = append(lines, Wrapped("What makes the result less sure: ", Capped(e.Doubts, "; "), ""))
	}
	if lines = Present(lines...); len(lines) == 0 {
		return ""
	}
	return fold("How the debate went", bullets(once(lines)))
}

// CameTo is the result of a closed question, with the different answers and the refused ones. The
// result of the merge itself is the verdict.
func CameTo(d Decision) []string {
	var out []string
	if d.ID != "D0" {
		says := AnswerTo(d)
		if d.Person().By == "" { // else it begins with a name
			says = upperFirst(says)
		}
		out = append(out, OneLine(d.Question)+" "+says+".")
	}
	refused := d.Person().Refused
	for _, answer := range refused[:min(len(refused), MaxSides)] {
		out = append(out, "This answer did not count: "+OneLine(answer))
	}
	return out
}

// AnswerTo is the answer to a closed question and its author.
func AnswerTo(d Decision) string {
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
		return "the models answered " + labelOf(d, d.Recommendation) + Wrapped(" (", Capped(otherwise(d), ", "), ")")
	}
	return "it was not answered"
}

// otherwise lists the models and judges with another answer than the result of a question.
func otherwise(d Decision) []string {
	var out []string
	for _, o := range d.FinalOptions {
		if !IsNone(o.Option) && o.Option != d.Recommendation {
			out = append(out, OneLine(o.Party)+": "+labelOf(d, o.Option))
		}
	}
	if d.Panel != nil {
		for _, v := range d.Panel.Perspectives {
			if d.Panel.Option != "" && v.Option == d.Panel.Option {
				continue
			}
			out = append(out, "the judge for "+OneLine(string(v.Judge))+": "+labelOf(d, v.Option)+", "+inQuotes(v.Reason))
		}
	}
	return out
}
