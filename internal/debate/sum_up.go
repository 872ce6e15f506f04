package debate

import "github.com/prdebate/debate/internal/lists"

// SummedUp is the answer to a question as people get it, in the words of the party
// that wrote it once all was decided. It raises nothing and decides nothing.
type SummedUp struct {
	By         string
	Text       string
	Conditions []string // under which it holds
	Lack       Why      `json:",omitzero"` // why nobody wrote it; Text is "" then
}

// maxConditions bounds what an answer depends on.
const maxConditions = 10

// OpenChoice is the choice that a question leaves if the parties could not make it,
// or nil: there is no answer then.
func (s State) OpenChoice() *Decision {
	q, d := s.Received.Inquiry, s.Agenda.named("D1")
	switch {
	case q == nil, len(q.Options) == 0, d.Settled, !d.open():
		return nil
	}
	return d
}

// sumsUp asks the primary to write the answer to a question once everybody has
// spoken and all is decided (M18). It reports whether that is waited for.
func (m *reducer) sumsUp() bool {
	s := m.state
	switch {
	case s.Received.Inquiry == nil, !s.Table.twoSided(s.Ending.Outcome), s.OpenChoice() != nil:
		return false
	}
	why := because(WhyPrimaryGone)
	if s.Table.sits(s.Table.Primary) {
		why = m.desk.ask(CallSumUp, max(s.Talk.Exchange, 1), []Ask{{Party: s.Table.Primary}})
	}
	if !why.IsZero() {
		m.docket.written(SummedUp{By: s.Table.Primary, Lack: why})
		return false
	}
	m.transition(StageSumUp)
	return true
}

// summedUp takes the answer. What else the reply holds counts for nothing: it adds no
// claim and moves no decision.
func (dk *docket) summedUp(x said) {
	up := SummedUp{By: x.Party}
	switch {
	case x.Status == CallOK && x.Reply.Summary != "":
		up.Text = clip(x.Reply.Summary, maxText)
		up.Conditions = lists.Map(keep(x.Reply.Conditions, maxConditions), func(c string) string { return clip(c, 1000) })
	case dk.asking.Stopped:
		up.Lack = because(WhyStopped)
	default:
		up.Lack = because(WhyNotWritten, string(x.Status))
	}
	dk.written(up)
}

// written keeps an answer, or why there is none.
func (dk *docket) written(up SummedUp) {
	dk.ending.Answer = &up
	dk.clerk.happened(Fact{Kind: AnswerWritten, Who: up.By, Text: up.Text, Why: up.Lack})
}
