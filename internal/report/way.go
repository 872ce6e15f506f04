package report

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
)

// way is one answer to whether a change is merged, or whether the answer to a question holds.
type way struct {
	option   debate.Disposition
	label    string // the answer itself
	would    string // the answer of one model, after its name
	together string // the answer of several models
	holds    string // the answer to a question with it
	ofAnswer string // a model about the answer to a question, after its name
	review   string // the click for it, "" if there is none
	closing  string // how to close an issue for it, likewise
}

var ways = []way{
	{debate.Keep, "merge it as it is", "would merge it as it is", "would merge it as it is", "the answer holds", "would keep the answer", "approve", "completed"},
	{debate.Revise, "changes first", "asks for changes", "ask for changes", "the answer holds, with reservations", "has reservations", "request changes on", ""},
	{debate.Reject, "do not merge", "would not merge it", "would not merge it", "no answer can be given", "finds that no answer can be given", "", "not planned"},
}

// mergeBy finds an answer to the merge by its option, an empty one for none.
func mergeBy(option string) way {
	return lists.Find(ways, func(w way) bool { return string(w.option) == option })
}

// mergeLabel is an answer to the merge in words; another option stays as it is.
func mergeLabel(option string) string { return cmp.Or(mergeBy(option).label, OneLine(option)) }

// Label is an option in the words of its question.
func Label(d Decision, option string) string {
	w := mergeBy(option)
	switch {
	case IsNone(option):
		return "nothing"
	case w.label != "" && d.Asked:
		return w.holds
	case w.label != "" && (asksToMerge(d) || Clickable(d)):
		return w.label
	}
	return OneLine(cmp.Or(d.option(option).Label, option))
}

// would is the answer of a model to a question, after its name.
func (d Decision) would(option string) string {
	w := mergeBy(option)
	switch {
	case IsNone(option):
		return "has no answer"
	case w.label != "" && d.Asked:
		return w.ofAnswer
	case w.label != "" && (asksToMerge(d) || Clickable(d)):
		return w.would
	}
	return "chooses " + Label(d, option)
}

// option finds an option of a decision by its id, an empty one if there is none.
func (d Decision) option(id string) debate.Option {
	return lists.Find(d.Options, func(o debate.Option) bool { return o.ID == id })
}

// Recommended is the recommended option of a decision, "" for none, or if the decision does not
// offer it.
func Recommended(d Decision) string { return d.option(d.Recommendation).ID }

// Recommends is the recommendation of a question and its supporters.
func Recommends(d Decision) string {
	choice := Recommended(d)
	if open := d.Person().StillOpen; IsNone(choice) {
		return "Nothing is recommended" + Wrapped(" with ", enumerated(open), " open") + "."
	}
	var by []string
	for _, o := range d.FinalOptions {
		if o.Option == choice {
			by = append(by, o.Party)
		}
	}
	if d.Panel != nil && d.Panel.Option == choice {
		by = append(by, "the judges")
	}
	if d.Rubric != nil && d.Rubric.Winner == choice {
		by = append(by, "the scores of the models")
	}
	return "Recommended: " + Label(d, choice) + Wrapped(" (", enumerated(by), ")") + "."
}

// withAnswer is a question and its answer.
func withAnswer(e Envelope, d Decision) string { return Question(d) + " — " + AnswerTo(e, d) + "." }

// AnswerTo is the answer to a question and its author, or the wait for it.
func AnswerTo(e Envelope, d Decision) string {
	switch h := d.Person(); {
	case d.awaited():
		return "a person has to decide"
	case h.By != "":
		return OneLine(h.By) + " decided: " + Label(d, h.Option) + Wrapped(", ", inQuotes(h.Reason), "")
	case d.Outcome == debate.Withdrawn:
		return "it was withdrawn"
	case d.Outcome == debate.Settled, d.Outcome == debate.Adopted:
		return "the models answered: " + Label(d, d.Recommendation) + Wrapped(" (", Capped(Dissent(e, d), "; "), ")")
	}
	return "it was not answered"
}

// HumanLines has the answer of a person to a question, and the answers without effect.
func HumanLines(e Envelope, d Decision) []string {
	var out []string
	h := d.Person()
	if h.By != "" {
		text := AnswerTo(e, d) + Wrapped(", for commit ", shortCommit(h.Head), "")
		if h.Local {
			text += ", on the command line, for this machine only"
		}
		if h.Self {
			text += ", as an author of the change"
		}
		out = append(out, text)
	}
	if h.Status == debate.ItemSuperseded || h.Status == debate.ItemWithdrawn {
		out = append(out, "The question is "+string(h.Status))
	}
	return append(out, lists.Map(UpTo(MaxSides, d.Person().Refused), func(r string) string { return "This answer did not count: " + OneLine(r) })...)
}

// Dissent has the models and judges with another answer to a question than the recommended one,
// with the reason of each.
func Dissent(e Envelope, d Decision) []string {
	var out []string
	for _, o := range d.FinalOptions {
		a := lists.Find(e.Assumptions, func(a Assumption) bool { return asksToMerge(d) && a.Party == o.Party })
		switch {
		case IsNone(o.Option), o.Option == d.Recommendation:
		case a.Party != "":
			out = append(out, assumed(e, a))
		default:
			out = append(out, OneLine(o.Party)+" "+d.would(o.Option))
		}
	}
	return append(out, DissentingJudges(d)...)
}

// DissentingJudges has the judges of a question with another answer than the recommended one.
func DissentingJudges(d Decision) []string {
	var out []string
	if d.Panel != nil {
		for _, v := range d.Panel.Perspectives {
			if v.Option != cmp.Or(d.Panel.Option, d.Recommendation) {
				out = append(out, "the judge for "+OneLine(string(v.Judge))+" "+d.would(v.Option)+": "+inQuotes(v.Reason))
			}
		}
	}
	return out
}

// waysToAnswer is the table of the possible answers to a question, independent of the
// recommendation. OnIssue: they are shown on its issue.
func (p Pull) waysToAnswer(e Envelope, d Decision, onIssue bool) string {
	var b strings.Builder
	b.WriteString("| Your answer | Do one of these |\n|---|---|\n")
	row := func(answer string, ways ...string) {
		b.WriteString("| " + answer + " | " + strings.Join(ways, " · ") + " |\n")
	}
	if Clickable(d) {
		for _, w := range ways {
			var clicks []string
			if w.review != "" {
				clicks = append(clicks, fmt.Sprintf("%s #%d", w.review, p.Number))
			}
			if w.closing != "" && onIssue {
				clicks = append(clicks, "close this issue as "+w.closing)
			}
			row(w.label, append(clicks, decideAs(e, d, string(w.option)))...)
		}
		accepts := Wrapped(decideAs(e, d, string(debate.Keep))+" also accepts ", inline(enumerated(d.Person().Quoted)), ". A click does not.\n")
		return b.String() + Wrapped("\n", accepts, "") + Wrapped("\n", alsoNeeded(d), "")
	}
	for _, o := range lists.First(d.Options, maxAnswers) {
		row(cell(o.Label)+Wrapped(": ", cell(o.Description), ""), decideAs(e, d, o.ID))
	}
	if n := len(d.Options) - maxAnswers; n > 0 {
		row(fmt.Sprintf("choose one of %d more", n), decideAs(e, d, "OPTION"))
	}
	return b.String()
}

// alsoNeeded is StillOpen of the findings that block a merge under any answer, in Markdown.
func alsoNeeded(d Decision) string { return Wrapped("", inline(StillOpen(d.Person().StillOpen)), "\n") }

// StillOpen names findings that block a merge, "" for none.
func StillOpen(ids []string) string {
	return Wrapped("Merging also needs ", toEnd(ids), ".")
}

// toEnd names findings to fix or to dismiss, "" for none.
func toEnd(ids []string) string {
	if len(ids) == 0 {
		return ""
	}
	return enumerated(ids) + " fixed, or dismissed by someone with write access (comment `/debate dismiss " + OneLine(ids[0]) + " WHY`)"
}

// StandsInTheWay is StillOpen if a person decided to merge.
func StandsInTheWay(e Envelope) string {
	if h := decisionOf(e, "D0").Person(); h.By != "" && h.Option == string(debate.Keep) {
		return StillOpen(h.StillOpen)
	}
	return ""
}

// Clickable reports whether a click answers a question.
func Clickable(d Decision) bool { return debate.Decision{Options: d.Options}.Clickable() }

// decideAs is the comment to choose an option. It names the question if several are open.
func decideAs(e Envelope, d Decision, option string) string {
	return comment.Code(strings.ReplaceAll("/debate decide "+NamedIn(e, d)+OneLine(option)+" WHY", "|", "<U+007C>"))
}

// NamedIn is the id of a question with a space after it, "" if no other is open.
func NamedIn(e Envelope, d Decision) string {
	if open := Awaiting(e); len(open) == 1 && open[0].ID == d.ID {
		return ""
	}
	return OneLine(d.ID) + " "
}

// toMerge is the question whether a change is merged, or whether an answer holds.
func toMerge(e Envelope) Decision { return Decision{ID: "D0", Asked: e.Inquiry != nil} }
