package report

import (
	"cmp"
	"strings"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
)

// MaxAnswer bounds, in characters, the question and the answer as people read
// them.
const MaxAnswer = 4000

// maxSentence bounds, in characters, the reason of one party for its disagreement.
const maxSentence = 500

// Inquiry is a question debated in place of a change, and its result.
type Inquiry struct {
	Question   string         `json:"question"`
	Framing    debate.Framing `json:"framing"`
	Answer     string         `json:"answer"`      // as of the end, "" without an answer or if the choice is open
	AnsweredBy string         `json:"answered_by"` // "" without an answer
	Written    bool           `json:"written"`     // for people, once everybody had spoken
	Conditions []string       `json:"conditions"`  // of the answer, in the words of its author
	Unwritten  string         `json:"unwritten"`   // why the answer is the one of the debate, and was not rewritten at the end
	Choice     string         `json:"choice"`      // the chosen option of those in the question, "" if none was chosen
	Holders    []Holder       `json:"holders"`     // the parties with another option than the chosen one; for an open choice all parties
}

// Holder is a party that holds another option than the chosen one.
type Holder struct {
	Party    string `json:"party"`
	Decision string `json:"decision"` // id of a decision
	Option   string `json:"option"`
	Why      string `json:"why"`   // why it disagrees
	Needs    string `json:"needs"` // what it would need to see to choose otherwise
}

// inquiry is nil for a change.
func inquiry(s debate.State, n names) *Inquiry {
	if s.Received.Inquiry == nil {
		return nil
	}
	at := s.Talk.Position()
	out := &Inquiry{Question: s.Received.Anchor.Intent, Framing: s.Received.Inquiry.Framing, Answer: at.Summary, AnsweredBy: n.of(at.By)}
	switch up := s.Ending.Answer; {
	case s.OpenChoice() != nil:
		out.Answer, out.AnsweredBy = "", ""
	case up != nil && up.Text != "":
		out.Answer, out.AnsweredBy, out.Written, out.Conditions = up.Text, n.of(up.By), true, up.Conditions
	case up != nil:
		out.Unwritten = n.sentence(up.Lack)
	}
	out.Holders = holders(s, n)
	if len(s.Received.Inquiry.Options) > 0 {
		out.Choice = chosen(lists.Find(s.Agenda.Decisions, func(d debate.Decision) bool { return d.ID == "D1" }))
	}
	return out
}

// holders lists the parties with another option than the chosen one, or all parties if the choice
// of the question is open.
func holders(s debate.State, n names) []Holder {
	holder := func(decision string, o debate.PartyOption) Holder {
		seat := seatOf(s, o.Party)
		return Holder{Party: n.of(o.Party), Decision: decision, Option: o.Option, Why: seat.WhyDisagree, Needs: cmp.Or(seat.Needs(decision), seat.RightIf)}
	}
	if open := s.OpenChoice(); open != nil {
		return lists.Map(open.FinalOptions, func(o debate.PartyOption) Holder { return holder(open.ID, o) })
	}
	var list []Holder
	for _, d := range s.Agenda.Decisions {
		for _, o := range d.FinalOptions {
			if d.Recommendation != "" && o.Option != d.Recommendation {
				list = append(list, holder(d.ID, o))
			}
		}
	}
	return list
}

// chosen is the option of a decision, "" if it is open.
func chosen(d debate.Decision) string {
	switch d.Outcome {
	case debate.Settled, debate.Adopted:
		return d.Recommendation
	case debate.HumanDecided:
		if d.Human != nil {
			return d.Human.Option
		}
	}
	return ""
}

// standing says in words how a disposition leaves an answer.
func standing(d debate.Disposition) string {
	return cmp.Or(standings[d], "whether the answer stands is open")
}

var standings = map[debate.Disposition]string{
	debate.Keep:   "the answer stands",
	debate.Revise: "the answer stands with reservations",
	debate.Reject: "no answer can be given",
}

// answerLead is the text below the headline of an inquiry: the number of points, and the models
// of the debate.
func answerLead(e Envelope, counted string) string {
	names := modelsRead(e)
	switch {
	case e.Outcome == debate.Aborted:
		return sentences(upperFirst(e.OutcomeReason))
	case !HasDebate(e) && e.Inquiry.Answer != "":
		return sentences(heardAlone(e))
	case !HasDebate(e), len(names) == 0:
		return ""
	}
	who := enumerated(names) + " debated it"
	switch {
	case len(names) == 1:
		who = OneLine(names[0]) + " alone debated it"
	case twice(e, names):
		who = OneLine(names[0]) + " alone debated it, twice"
	}
	return sentences(counted, who, related(e), lost(e))
}

// answerHeadline is the first line for people about an inquiry.
func answerHeadline(e Envelope) string {
	sides := undecidedChoice(e)
	d, _ := decisionOf(e, "D0")
	switch {
	case e.Outcome == debate.Aborted:
		return "the question could not be debated"
	case e.Outcome == debate.DegradedLocal:
		return undebatedAnswer(e)
	case sides != "":
		return "no answer: " + sides
	case !unanimous(d.FinalOptions):
		return "the models disagree; " + standing(e.Recommendation)
	}
	return standing(e.Recommendation)
}

// undebatedAnswer is the first line about a question without a debate.
func undebatedAnswer(e Envelope) string {
	switch {
	case e.Inquiry.Answer == "":
		return "not answered" + Wrapped(": ", because(e), "")
	case len(modelsRead(e)) > 1:
		return "answered, but not debated" + Wrapped(": ", OneLine(e.OutcomeReason), "")
	}
	return "answered by one model only"
}

// undecidedChoice lists each party with its option if the parties could not make the choice in a
// question. It is "" if they did or if there is no choice.
func undecidedChoice(e Envelope) string {
	d, _ := decisionOf(e, "D1")
	if open := d.awaited() || d.Outcome == debate.Undecided; !open || unanimous(d.FinalOptions) {
		return ""
	}
	return Capped(lists.Map(d.FinalOptions, func(o PartyOption) string { return o.Party + " " + o.Option }), ", ")
}

// told is one titled part of an inquiry, for people.
type told struct{ Name, Text string }

// Answered are the question, its answer and the choice, in reading order.
func Answered(e Envelope) []told {
	if e.Inquiry == nil {
		return nil
	}
	q := e.Inquiry
	parts := []told{{"Question", q.Question}}
	add := func(name, text string) {
		if text != "" {
			parts = append(parts, told{name, text})
		}
	}
	lines := itemised(holderLines(e))
	if undecidedChoice(e) != "" {
		add("No answer", lines)
		return parts
	}
	add(answerName(e), q.Answer)
	if q.Unwritten != "" {
		left := "Above is the answer that was debated."
		if q.Answer == "" {
			left = "The answer that was debated has no words of its own."
		}
		add("Not written anew", OneLine(q.AnsweredBy)+" was to write the answer after the debate, and did not: "+q.Unwritten+". "+left)
	}
	add("It holds if", itemised(q.Conditions))
	if HasDebate(e) {
		add("Who disagrees", lines)
	}
	if q.Choice != "" {
		add("Choice", optionText(e, "D1", q.Choice))
	}
	return parts
}

// answerName is the title of the answer: its author, and how far it was debated.
func answerName(e Envelope) string {
	switch {
	case e.Outcome == debate.DegradedLocal:
		return "Answer of one model, unchallenged"
	case e.Inquiry.Written:
		return "Answer, by " + OneLine(e.Inquiry.AnsweredBy)
	case e.Outcome != debate.Consensus || e.Recommendation == debate.Continue:
		return "Answer as it was last held"
	}
	return "Answer"
}

// holderLines has one line for each holder and its option.
func holderLines(e Envelope) []string {
	var list []string
	for _, x := range e.Inquiry.Holders {
		text := OneLine(x.Party) + " chose " + optionText(e, x.Decision, x.Option) + "."
		if x.Decision == "D0" {
			text = OneLine(x.Party) + " holds that " + standing(debate.Disposition(x.Option)) + "."
		}
		list = append(list, text+Wrapped(" Why: ", sentence(x.Why), "")+Wrapped(" To change its mind it needs: ", sentence(x.Needs), ""))
	}
	return list
}

// optionText is an option as people read it.
func optionText(e Envelope, decision, option string) string {
	d, _ := decisionOf(e, decision)
	if o := d.option(option); o.ID != "" {
		return OneLine(o.ID) + ", " + OptionLine(o)
	}
	return OneLine(option)
}

// sentence is a text on one line with an end mark, "" for none.
func sentence(text string) string {
	text = ClipLine(text, maxSentence)
	if text == "" || strings.Contains(".?!", text[len(text)-1:]) {
		return text
	}
	return text + "."
}

// itemised are the lines of a list, one each.
func itemised(list []string) string {
	return strings.Join(lists.Map(list[:min(len(list), MaxListed)], func(text string) string { return ClipLine(text, 4*maxSentence) }), "\n")
}

// answeredMarkdown is the visible part of an inquiry.
func answeredMarkdown(e Envelope) string {
	return strings.Join(lists.Map(Answered(e), func(part told) string {
		return "**" + comment.Markdown(part.Name) + "**\n\n" + comment.Markdown(comment.Clip(part.Text, MaxAnswer)) + "\n"
	}),

		"\n")
}
