package report

import (
	"cmp"
	"slices"
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
			if d.ID == recommendation && o.Option == string(debate.Keep) && len(s.Received.Inquiry.Options) > 0 {
				continue // it disagrees about the choice, if at all
			}
			if open != nil && open.ID == d.ID || open == nil && d.Recommendation != "" && o.Option != d.Recommendation {
				seat := seatOf(s, o.Party)
				out.Holders = append(out.Holders, Holder{Party: n.of(o.Party), Decision: d.ID, Option: o.Option, Why: seat.WhyDisagree, Needs: cmp.Or(seat.Needs(d.ID), seat.RightIf)})
			}
		}
		switch {
		case d.ID != "D1" || len(s.Received.Inquiry.Options) == 0:
		case d.Outcome == debate.Settled, d.Outcome == debate.Adopted:
			out.Choice = d.Recommendation
		case d.Outcome == debate.HumanDecided && d.Human != nil:
			out.Choice = d.Human.Option
		}
	}
	follows := slices.ContainsFunc(s.Agenda.Decisions, func(d debate.Decision) bool { return d.Why.Code == debate.WhyByChoice })
	outvoted := func(party string) bool {
		return slices.ContainsFunc(out.Holders, func(h Holder) bool { return h.Decision == "D1" && h.Party == party })
	}
	out.Holders = slices.DeleteFunc(out.Holders, func(h Holder) bool { // the choice of a party says what it thinks of the answer
		return h.Decision == "D0" && (follows || outvoted(h.Party))
	})
	return out
}

// undecidedChoice lists each party with its option if the parties could not make the choice in a
// question. It is "" if they did or if there is no choice.
func undecidedChoice(e Envelope) string {
	d := decisionOf(e, "D1")
	if open := d.awaited() || d.Outcome == debate.Undecided; !open || unanimous(d.FinalOptions) {
		return ""
	}
	return Capped(lists.Map(d.FinalOptions, func(o PartyOption) string { return o.Party + " " + o.Option }), ", ")
}

// panelChose is the option that the judges chose in a question, "" if they did not decide it.
func panelChose(e Envelope) string {
	d := decisionOf(e, "D1")
	if e.Inquiry == nil || e.Inquiry.Choice == "" || d.Panel == nil || d.Outcome != debate.Adopted || d.Panel.Option != e.Inquiry.Choice {
		return ""
	}
	return "the judges chose " + optionText(e, "D1", e.Inquiry.Choice)
}

// Titled is a text with a fixed name, for people.
type Titled struct{ Name, Text string }

// Texts has the texts that are not empty, each after its name.
func Texts(pairs ...string) (all []Titled) {
	for pair := range slices.Chunk(pairs, 2) {
		if pair[0] != "" && pair[1] != "" {
			all = append(all, Titled{Name: pair[0], Text: pair[1]})
		}
	}
	return all
}

// Answered are the question, its answer and the choice, in reading order.
func Answered(e Envelope) []Titled {
	if e.Inquiry == nil {
		return nil
	}
	q := e.Inquiry
	itemised := func(list []string) string {
		return strings.Join(lists.Map(UpTo(MaxListed, list), func(text string) string { return ClipLine(text, 4*maxSentence) }), "\n")
	}
	by := Wrapped(", by ", OneLine(q.AnsweredBy), "")
	answer, holders := "Answer"+by, "Who disagrees"
	switch {
	case undecidedChoice(e) != "":
		answer, holders = "Reasons for each choice"+by, "The choice of each model"
	case !HasDebate(e):
		answer, holders = "Answer of one model, unchallenged", ""
	case panelChose(e) != "" && !q.Written && slices.ContainsFunc(q.Holders, func(x Holder) bool { return x.Party == q.AnsweredBy }):
		answer = "The judges did not choose this answer" + by
	}
	var choice, decided, against string
	if choice = optionText(e, "D1", q.Choice); panelChose(e) != "" {
		choice, decided = "", choice
		lines := slices.Concat(lists.Map(e.Discussions, func(about Discussion) []Line { return about.Lines })...)
		against = itemised(Present(lists.Map(e.Objections, func(k Challenge) string { return argued(k, lines, Decision{}) })...))
	}
	unwritten := Wrapped("This is the answer as debated. "+OneLine(q.AnsweredBy)+" did not rewrite it for readers: ", q.Unwritten, ".")
	disagree := lists.Map(q.Holders, func(x Holder) string {
		choice := "chose " + optionText(e, x.Decision, x.Option)
		if x.Decision == "D0" {
			choice = toMerge(e).would(x.Option)
		}
		return OneLine(x.Party) + " " + choice + "." + Wrapped(" Why: ", sentence(x.Why), "") + Wrapped(" To change its mind it needs: ", sentence(x.Needs), "")
	})
	return Texts(
		"Question", q.Question, "The judges chose", decided, answer, q.Answer, "Not rewritten", unwritten, "It holds if", itemised(q.Conditions),
		holders, itemised(disagree), "Objections", against, "To settle it", itemised(lists.Map(Measurements(e.Objections), sentence)), "Choice", choice,
	)
}

// optionText is an option as people read it.
func optionText(e Envelope, decision, option string) string {
	d := decisionOf(e, decision)
	if o := d.option(option); o.ID != "" {
		return OptionLine(o)
	}
	return OneLine(option)
}
