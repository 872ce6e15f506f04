package debate

import (
	"errors"
	"reflect"
)

// outside draws an event that nobody asked for: a person, the platform or the
// host. It may or may not be allowed now.
func (w *world) outside(s State) Event {
	d := w.dice
	decision, fingerprint := "D0", "f"
	if len(s.Agenda.Decisions) > 0 {
		x := s.Agenda.Decisions[d.n(len(s.Agenda.Decisions))]
		decision, fingerprint = x.ID, x.Fingerprint
	}
	if d.chance(5) {
		decision = "D9"
	}
	if d.chance(10) {
		fingerprint = "stale"
	}
	switch d.n(12) {
	case 0:
		return HeadMoved{Head: pick(d, "h9", w.head)}
	case 1:
		return AbortedEvent{Reason: "disk"}
	case 2:
		return WithdrawnEvent{Reason: "merged", By: "bob"}
	case 3:
		return Stopped{By: w.actor()}
	case 4:
		return SinkFailed{Decision: decision, Sink: pick(d, SinkIssue, SinkComment), Reason: "denied"}
	case 5:
		return Reminded{Decision: decision}
	case 6, 7:
		claim := "F1"
		if len(s.Book.Claims) > 0 {
			claim = s.Book.Claims[d.n(len(s.Book.Claims))].ID
		}
		return Disputed{Claim: claim, Text: pick(d, "it is not so", "it is not so", ""), By: w.actor()}
	case 8:
		return Resumed{}
	}
	return Decided{
		Decision: decision, Fingerprint: fingerprint, Option: pick(d, "keep", "revise", "reject", "a", "address", "", "merge"), Reason: "r", By: w.actor(),
		Head: pick(d, w.head, w.head, w.head, "h9"), Via: pick(d, ViaCommand, ViaCommand, ViaCompleted, ViaNotPlanned, ViaDuplicate, ViaReview, ViaReopened),
		At: s.Clock.At + int64(d.n(3)) - 1, Edited: d.chance(5),
	}
}

// forge offers an event that the reducer must refuse now, and panics if it takes
// it or keeps a trace of it.
func (p *played) forge() {
	s := p.end()
	e := Entry{N: s.N + 1, At: s.Clock.At, Event: p.forged(s)}
	switch p.n(8) {
	case 0:
		e.N += pick(p.dice, -1, 1)
	case 1:
		e.At--
	}
	next, err := Apply(s, e)
	var order *OrderError
	if !errors.As(err, &order) {
		panic("a forged " + string(KindOf(e.Event)) + " was taken in stage " + string(s.Stage))
	}
	if !reflect.DeepEqual(s, next) {
		panic("a refused " + string(KindOf(e.Event)) + " left a trace")
	}
}

// forged draws an event that belongs to no work that is outstanding.
func (w *world) forged(s State) Event {
	d := w.dice
	reply := &Reply{Recommendation: Keep, Disposition: Keep, Verdict: VerdictAgree}
	switch d.n(3) {
	case 0:
		if s.Asking.Wave == nil {
			return Replied{Ask: "OPEN/0/claude", Status: CallOK, Reply: reply}
		}
		for i, r := range s.Asking.Wave.Replies { // a second reply
			if r.Ask != "" {
				return Replied{Ask: s.Asking.Wave.Asks[i].ID, Status: CallOK, Reply: reply}
			}
		}
		return Replied{Ask: s.Asking.Wave.Asks[0].ID, Status: CallTimeout, Reply: reply} // a status that contradicts the reply
	case 1:
		return Replied{Ask: pick(d, "", "OPEN/0/nobody", "SCORE/9/claude", "JUDGE1/9/risk/D0"), Status: CallOK, Reply: reply}
	}
	var asked []WorkKind
	for _, work := range Outstanding(s) {
		asked = append(asked, work.Kind)
	}
	for {
		kind := pick(d, DoSnapshot, DoSplit, DoCritique, DoPolice, DoPreflight, DoChecks, DoPublish, DoClose)
		for _, k := range asked {
			if k == kind {
				kind = ""
			}
		}
		if kind != "" {
			return w.event(s, Work{Kind: kind})
		}
	}
}
