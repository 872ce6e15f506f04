package report

import (
	"fmt"
	"strings"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/report/reason"
)

// MaxAnswer bounds, in characters, the question and the answer as people read
// them.
const MaxAnswer = 4000

// Inquiry is a question that was debated in the place of a change, and what came
// of it.
type Inquiry struct {
	Question   string         `json:"question"`
	Framing    debate.Framing `json:"framing"`
	Answer     string         `json:"answer"`      // as it stands at the end, "" if nobody gave one
	AnsweredBy string         `json:"answered_by"` // "" if nobody did
	Choice     string         `json:"choice"`      // the option that was chosen of those that the question gives, "" if none was
}

// inquiry is nil for a change.
func inquiry(s debate.State) *Inquiry {
	if s.Received.Inquiry == nil {
		return nil
	}
	at := s.Talk.Position()
	out := &Inquiry{Question: s.Received.Anchor.Intent, Framing: s.Received.Inquiry.Framing, Answer: at.Summary, AnsweredBy: at.By}
	if len(s.Received.Inquiry.Options) == 0 {
		return out
	}
	for _, d := range s.Agenda.Decisions {
		if d.ID == "D1" {
			out.Choice = chosen(d)
		}
	}
	return out
}

// chosen is the option that a decision came to, "" where it is open.
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

// standing says in words what a disposition means for an answer.
func standing(d debate.Disposition) string {
	switch d {
	case debate.Keep:
		return "the answer stands"
	case debate.Revise:
		return "the answer stands with reservations"
	case debate.Reject:
		return "no answer can be given"
	}
	return "whether the answer stands is open"
}

// answerSummary is the summary of an inquiry.
func answerSummary(s debate.State, e Envelope) string {
	switch s.Ending.Outcome {
	case debate.Aborted:
		return "The question could not be debated: " + reason.Sentence(s.Ending.OutcomeReason) + "."
	case debate.DegradedLocal:
		text := "No debate took place"
		if !s.Ending.OutcomeReason.IsZero() {
			text += ": " + reason.Sentence(s.Ending.OutcomeReason)
		}
		if e.Inquiry.Answer == "" {
			return text + ". Nobody has answered the question."
		}
		return text + ". What one model answered on its own is unconfirmed; nobody challenged it."
	}
	text := answerOutcome(s) + " Points agreed on: " + fmt.Sprint(len(Agreed(e))) + "."
	if n := len(e.Unresolved); n > 0 {
		text += fmt.Sprintf(" Open: %d.", n)
	}
	if s.Table.SameFamily {
		text += " " + SameFamily
	}
	if s.Table.PrimaryLost {
		text += " The primary was lost during the debate, so that nothing is adopted."
	}
	return text
}

func answerOutcome(s debate.State) string {
	came := standing(s.Ending.Disposition) + ", confidence " + string(s.Ending.Confidence) + "."
	after := Count(s.Talk.Exchange, "exchange")
	switch s.Ending.Outcome {
	case debate.Consensus:
		return "The debate ended in consensus after " + after + ": " + came
	case debate.Unchallenged:
		return "Nobody challenged the answer in substance: " + came
	case debate.Tradeoff:
		return "The debate ended without consensus after " + after + ": " + came
	}
	return "Outcome " + string(s.Ending.Outcome) + ": " + came
}

// answerHeadline is the first line for people about an inquiry.
func answerHeadline(e Envelope) string {
	text := strings.ToLower(strings.ReplaceAll(string(e.Outcome), "_", " "))
	switch e.Outcome {
	case debate.Aborted:
		return "the question could not be debated"
	case debate.DegradedLocal:
		if e.Inquiry.Answer != "" {
			return "no debate took place; what a model answered alone is unconfirmed"
		}
		return "no debate took place, there is no answer" + because(e)
	case debate.Tradeoff:
		if sides := undecidedChoice(e); sides != "" {
			return "no answer: " + sides
		}
		text = "no consensus"
	}
	text += ", " + standing(e.Recommendation)
	if e.SameFamily {
		text += ", one model family only"
	}
	return text + stopped(e)
}

// undecidedChoice says who holds what of the choice that a question leaves, where
// the parties could not make it (M18), and is "" where they did or there is none.
func undecidedChoice(e Envelope) string {
	d, found := decisionOf(e, "D1")
	if !found || d.Outcome != debate.AwaitingHuman && d.Outcome != debate.Undecided || unanimous(d.FinalOptions) {
		return ""
	}
	var sides []string
	for _, o := range d.FinalOptions {
		sides = append(sides, o.Party+" "+o.Option)
	}
	return Capped(sides, ", ")
}

// told is one part of what an inquiry is about, for people.
type told struct{ Name, Text string }

// Answered are the question, its answer and the choice, in reading order.
func Answered(e Envelope) []told {
	if e.Inquiry == nil {
		return nil
	}
	parts := []told{{"Question", e.Inquiry.Question}}
	if e.Inquiry.Answer != "" {
		name := "Answer"
		switch {
		case e.Outcome == debate.DegradedLocal:
			name = "Answer of one model, unchallenged"
		case e.Outcome != debate.Consensus || e.Recommendation == debate.Continue:
			name = "Answer as it was last held"
		}
		parts = append(parts, told{name, e.Inquiry.Answer})
	}
	if e.Inquiry.Choice != "" {
		text := e.Inquiry.Choice
		for _, d := range e.Decisions {
			for _, o := range d.Options {
				if d.ID == "D1" && o.ID == e.Inquiry.Choice {
					text = o.ID + ", " + OptionLine(o)
				}
			}
		}
		parts = append(parts, told{"Choice", OneLine(text)})
	}
	return parts
}

// answeredMarkdown is what an inquiry is about, in the open.
func answeredMarkdown(e Envelope) string {
	var b strings.Builder
	for i, part := range Answered(e) {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString("**" + part.Name + "**\n\n" + comment.Markdown(comment.Clip(part.Text, MaxAnswer)) + "\n")
	}
	return b.String()
}

// Worded is an envelope whose places are named as people know them: the text of
// an inquiry is no pull request.
func Worded(e Envelope) Envelope {
	e = Complete(e)
	if e.Inquiry == nil {
		return e
	}
	for _, findings := range e.Lists() {
		for i := range *findings {
			switch f := &(*findings)[i]; f.Path {
			case debate.BodyPath:
				f.Path = "question"
			case "":
				f.Path = "nothing cited"
			}
		}
	}
	for i := range e.Lone {
		if l := &e.Lone[i]; l.Path == debate.BodyPath {
			l.Path = "question"
		}
	}
	return e
}
