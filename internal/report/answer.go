package report

import (
	"cmp"
	"strings"

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
	Answer     string         `json:"answer"`      // as of the end, "" without an answer; of an open choice what each option rests on
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
	open := s.OpenChoice()
	switch up := s.Ending.Answer; {
	case up != nil && up.Text != "":
		out.Answer, out.AnsweredBy, out.Written = up.Text, n.of(up.By), true
		if open == nil {
			out.Conditions = up.Conditions
		}
	case open != nil: // the position is only the choice of its author
		out.Answer, out.AnsweredBy = "", ""
	case up != nil:
		out.Unwritten = n.sentence(up.Lack)
	}
	for _, d := range s.Agenda.Decisions {
		for _, o := range d.FinalOptions {
			if open != nil && open.ID == d.ID || open == nil && d.Recommendation != "" && o.Option != d.Recommendation {
				seat := seatOf(s, o.Party)
				out.Holders = append(out.Holders, Holder{Party: n.of(o.Party), Decision: d.ID, Option: o.Option, Why: seat.WhyDisagree, Needs: cmp.Or(seat.Needs(d.ID), seat.RightIf)})
			}
		}
	}
	if len(s.Received.Inquiry.Options) > 0 {
		switch d := lists.Find(s.Agenda.Decisions, func(d debate.Decision) bool { return d.ID == "D1" }); {
		case d.Outcome == debate.Settled, d.Outcome == debate.Adopted:
			out.Choice = d.Recommendation
		case d.Outcome == debate.HumanDecided && d.Human != nil:
			out.Choice = d.Human.Option
		}
	}
	return out
}

// standing says in words how a disposition leaves an answer.
func standing(d debate.Disposition) string {
	switch d {
	case debate.Keep:
		return "the answer holds"
	case debate.Revise:
		return "the answer holds, with reservations"
	case debate.Reject:
		return "no answer can be given"
	}
	return "it is open whether the answer holds"
}

// debatedAnswer is the first line about a debated question.
func debatedAnswer(e Envelope) string {
	d, _ := decisionOf(e, "D0")
	switch {
	case undecidedChoice(e) != "":
		return "no choice: " + undecidedChoice(e)
	case !unanimous(d.FinalOptions):
		return "the models disagree; " + standing(e.Recommendation)
	}
	return standing(e.Recommendation)
}

// undebatedAnswer is the first line about a question without a debate.
func undebatedAnswer(e Envelope) string {
	switch {
	case e.Outcome == debate.Aborted:
		return "the question could not be debated"
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
	itemised := func(list []string) string {
		return strings.Join(lists.Map(upTo(MaxListed, list), func(text string) string { return ClipLine(text, 4*maxSentence) }), "\n")
	}
	answer, holders := "Answer"+Wrapped(", by ", OneLine(q.AnsweredBy), ""), "Who disagrees"
	switch {
	case undecidedChoice(e) != "":
		answer, holders = "What each choice rests on"+Wrapped(", by ", OneLine(q.AnsweredBy), ""), "No choice"
	case !HasDebate(e):
		answer, holders = "Answer of one model, unchallenged", ""
	}
	parts := []told{{"Question", q.Question}, {answer, q.Answer}}
	if q.Unwritten != "" {
		parts = append(parts, told{"Not written anew", "This is the answer of the debate. " + OneLine(q.AnsweredBy) + " was to write it anew, and did not: " + q.Unwritten + "."})
	}
	parts = append(parts, told{"It holds if", itemised(q.Conditions)})
	if holders != "" {
		parts = append(parts, told{holders, itemised(holderLines(e))})
	}
	if q.Choice != "" {
		parts = append(parts, told{"Choice", optionText(e, "D1", q.Choice)})
	}
	return lists.Keep(parts, func(p told) bool { return p.Text != "" })
}

// holderLines has one line for each holder and its option.
func holderLines(e Envelope) []string {
	return lists.Map(e.Inquiry.Holders, func(x Holder) string {
		text := OneLine(x.Party) + " chose " + optionText(e, x.Decision, x.Option) + "."
		if x.Decision == "D0" {
			text = OneLine(x.Party) + " " + WouldSay(e, x.Option) + "."
		}
		return text + Wrapped(" Why: ", sentence(x.Why), "") + Wrapped(" To change its mind it needs: ", sentence(x.Needs), "")
	})
}

// optionText is an option as people read it.
func optionText(e Envelope, decision, option string) string {
	d, _ := decisionOf(e, decision)
	if o := d.option(option); o.ID != "" {
		return OneLine(o.ID) + ", " + OptionLine(o)
	}
	return OneLine(option)
}
