package debate

import "github.com/prdebate/debate/internal/lists"

// SummedUp is the final answer to a question, in the words of the party that wrote it after
// all was decided. It raises nothing and decides nothing.
type SummedUp struct {
	By         string
	Text       string
	Conditions []string // the answer holds under these
	Lack       Why      `json:",omitzero"` // why there is no answer; Text is "" then
}

// maxConditions bounds the conditions of an answer.
const maxConditions = 10

// OpenChoice is the choice between the options of a question if the parties could not make it,
// else nil. Its final answer chooses nothing: it says what each option rests on.
func (s State) OpenChoice() *Decision {
	if d := s.choice(); d != nil && !d.Settled && d.Open() {
		return d
	}
	return nil
}

// sumsUp asks for the final answer to a question after all is decided, or after the choice stayed
// open: the primary, or the next party if it is gone. If another option than the primary's was
// chosen, a party that holds the chosen one is asked first. It reports whether the debate waits
// for it.
func (m *reducer) sumsUp() bool {
	switch {
	case m.Received.Inquiry == nil, !m.Table.twoSided(m.Ending.Outcome):
		return false
	}
	parties := append([]string{m.Table.Primary}, lists.Map(m.Table.challengers(), (*Seat).party)...)
	if c := m.choice(); c != nil && c.choice() != "" {
		chose := func(party string) string { seat := m.Table.fares(party); return seat.chosen(c) }
		if own := chose(m.Table.Primary); own != "" && own != c.choice() {
			parties = append(lists.Keep(parties, func(party string) bool { return chose(party) == c.choice() }), parties...)
		}
	}
	writer := lists.First(lists.Keep(parties, m.Table.sits), 1)
	if why := m.ask(CallSumUp, max(m.Talk.Exchange, 1), one(writer)); !why.IsZero() {
		m.written(SummedUp{By: append(writer, m.Table.Primary)[0], Lack: why})
		return false
	}
	m.transition(StageSumUp)
	return true
}

// summedUp takes the final answer. The rest of the reply has no effect: no new claim, no
// changed decision.
func (m *reducer) summedUp(x said) {
	up := SummedUp{By: x.Party}
	switch {
	case x.Status == CallOK && x.Reply.Summary != "":
		up.Text = clip(x.Reply.Summary, maxText)
		up.Conditions = lists.Map(lists.First(x.Reply.Conditions, maxConditions), func(c string) string { return clip(c, 1000) })
	case m.Asking.Stopped:
		up.Lack = because(WhyStopped)
	default:
		up.Lack = because(WhyNotWritten, string(x.Status))
	}
	m.written(up)
}

// written keeps a final answer, or the reason for its absence.
func (m *reducer) written(up SummedUp) {
	m.Ending.Answer = &up
	m.happened(Fact{Kind: AnswerWritten, Who: up.By, Text: up.Text, Why: up.Lack})
}
