package report

import (
	"fmt"
	"strings"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
)

// Answer renders the answer to /debate ask: the answer itself, its author, the words against it,
// and the debated points in a fold. It takes at most MaxMarkdown bytes.
func Answer(e Envelope, p Pull) []byte {
	q := e.Inquiry
	if q == nil {
		return p.page(e, e.Conclusion, "", false)
	}
	b := &blocks{room: MaxMarkdown - Reserved}
	decisions := fitted(Awaiting(e), b.room/2, func(d Decision, listed int) string { return p.waiting(e, d, listed) })
	b.room -= len(decisions) + 1 // kept free, however long the answer is
	if q.Answer == "" {
		b.add("**" + inline(upperFirst(answerHeadline(e))) + ".**\n")
	} else {
		b.add(comment.Markdown(comment.Clip(q.Answer, MaxAnswer)) + "\n")
	}
	if q.Choice != "" {
		b.add("**Choice**: " + inline(optionText(e, "D1", q.Choice)) + "\n")
	}
	b.add(whoAnswered(e))
	b.list("**It holds if**", q.Conditions, MaxListed)
	against := "**Against it**"
	if undecidedChoice(e) != "" { // there is no answer to speak against
		against = "**Answers**"
	}
	b.list(against, againstAnswer(e), MaxListed)
	b.room += len(decisions) + 1
	b.add(decisions)
	b.add(fold("Sources and cost", p.restsOn(e)))
	if b.left > 0 {
		fmt.Fprintf(&b.out, "\n_Too long for a comment: %s left out._\n", Count(b.left, "part"))
	}
	return []byte(b.out.String())
}

// whoAnswered names the author of the answer, and the other models for it.
func whoAnswered(e Envelope) string {
	q := e.Inquiry
	switch {
	case q.Answer == "" || q.AnsweredBy == "":
		return ""
	case !HasDebate(e):
		return inline(q.AnsweredBy) + " answered alone, and no other model has tested the answer.\n"
	}
	agree := agreeWith(e, q.AnsweredBy)
	text := inline(q.AnsweredBy) + " answered"
	switch len(agree) {
	case 0:
		text += ", and no other model agrees"
	case 1:
		text += ", and " + inline(agree[0]) + " agrees"
	default:
		text += ", and " + inline(enumerated(agree)) + " agree"
	}
	if e.Recommendation == debate.Revise {
		text += ", with reservations"
	}
	if e.SameFamily {
		text += ". All of them are models from one maker"
	}
	return text + inline(stopped(e)) + ".\n"
}

// agreeWith has the other models with the option of the answering one.
func agreeWith(e Envelope, answerer string) (agree []string) {
	d, _ := decisionOf(e, "D0")
	own := string(e.Recommendation)
	for _, o := range d.FinalOptions {
		if o.Party == answerer {
			own = o.Option
		}
	}
	for _, o := range d.FinalOptions {
		if o.Party != answerer && o.Option == own {
			agree = append(agree, o.Party)
		}
	}
	return agree
}

// againstAnswer has the words against an answer: the other options with their reasons, and the
// open points.
func againstAnswer(e Envelope) []string {
	list := holderLines(e)
	for _, f := range e.Unresolved {
		list = append(list, "Not settled: "+pointOf(f)+": "+sentence(openBecause(f)))
	}
	return list
}

// pointOf is a point of an answer and its place.
func pointOf(f Finding) string {
	switch f.Path {
	case debate.BodyPath, "":
		return OneLine(f.Title)
	}
	return OneLine(f.Title) + " (" + Place(f) + ")"
}

// restsOn is the points agreed on by the models, the material shown to them, and the cost.
func (p Pull) restsOn(e Envelope) string {
	b := &blocks{room: MaxMarkdown / 3}
	b.add("**Question**: " + comment.MarkdownLine(ClipLine(strings.Join(strings.Fields(e.Inquiry.Question), " "), MaxAnswer)) + "\n")
	if e.Inquiry.Unwritten != "" {
		b.add("This is the answer that was debated: " + inline(e.Inquiry.AnsweredBy) + " was to write it anew in the end and did not (" + inline(e.Inquiry.Unwritten) + ").\n")
	}
	agreed := lists.Map(Agreed(e), func(f Finding) string { return pointOf(f) + ". " + StandsBehind(f) })
	b.list("**Points that the models agree on**", agreed, MaxListed)
	b.list("**Notes**", e.Notes, MaxListed)
	b.add(Count(e.Stats.Calls, "call") + ", " + inline(Cost(e.Stats.CostUSD, e.Stats.CostUnknown)) + "\n")
	return b.out.String()
}
