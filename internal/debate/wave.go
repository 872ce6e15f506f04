package debate

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/prdebate/debate/internal/lists"
)

// ask opens a wave if there are asks and the three budgets allow all calls. Otherwise it
// returns the reason.
func (m *reducer) ask(kind CallKind, n int, asks []Ask) Why {
	if len(asks) == 0 {
		return because(WhyNobodyLeft)
	}
	for i := range asks {
		asks[i].Kind, asks[i].N = kind, n // the time limit of a call depends on its kind
	}
	if why := m.broke(asks); !why.IsZero() {
		return why
	}
	for i := range asks {
		a := &asks[i]
		parts := []string{string(kind), strconv.Itoa(n), a.Party, a.Chunk, a.Decision}
		a.ID = strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), "/")
		for id, again := a.ID, 2; m.Asking.asked(a.ID); again++ { // a second dispute at the same n
			a.ID = id + "/" + strconv.Itoa(again)
		}
	}
	m.Asking.Wave = &Wave{Kind: kind, N: n, Asks: asks, Replies: make([]Replied, len(asks))}
	return Why{}
}

// askFirst asks for a first word of parties. If the budget does not allow that, no debate takes
// place.
func (m *reducer) askFirst(kind CallKind, n int, asks []Ask) {
	if why := m.ask(kind, n, asks); !why.IsZero() {
		m.Talk.Exit, m.Talk.ExitWhy = ExitBudget, why
		m.degrade(why)
	}
}

// formatRetry ends the id of a second ask after an unreadable reply.
const formatRetry = "/format"

// broke names the budget that does not allow the asks.
func (s *State) broke(asks []Ask) Why {
	set := s.Received.Settings
	longest := 0
	for _, a := range asks {
		longest = max(longest, s.Timeout(a))
	}
	spent, _ := s.Asking.Spent()
	switch {
	case s.Asking.Stopped:
		return because(WhyStopped)
	case len(s.Asking.Calls)+len(asks) > set.maxCalls():
		return because(WhyCallsUsed, strconv.Itoa(set.maxCalls()))
	case set.tooDear(max(spent+int64(len(asks))*s.Asking.dearest(), spent+1)):
		return because(WhyMoneyUsed)
	case s.Remaining() < longest+set.ReserveSeconds():
		return because(WhyTimeUsed)
	}
	return Why{}
}

// takeReply records one reply of the wave, or returns the reason why it may not come now.
func (m *reducer) takeReply(ev Replied) (refused string) {
	at, why := m.Asking.due(ev.Ask)
	switch {
	case why != "":
		return why
	case (ev.Status == CallOK) != (ev.Reply != nil):
		return "a reply and its status contradict each other"
	}
	if ev.Late && ev.Status == CallOK { // after its deadline
		ev.Status, ev.Reply = CallTimeout, nil
	}
	m.Asking.Wave.Replies[at] = ev
	m.retry(at)
	return ""
}

// due finds an ask without a reply in the wave, or says why nothing about it may come now.
func (a *Asking) due(ask string) (at int, refused string) {
	if a.Wave == nil {
		return 0, "nothing is being asked"
	}
	at = slices.IndexFunc(a.Wave.Asks, func(a Ask) bool { return a.ID == ask })
	switch {
	case at < 0:
		return at, "no party was asked " + strconv.Quote(clip(ask, 100))
	case a.Wave.Replies[at].Ask != "":
		return at, "the ask " + ask + " is answered"
	}
	return at, ""
}

// answered takes a reply. The wave ends with the last one, so the order of arrival does not
// matter; tests in a later job run first.
func (m *reducer) answered(ev Replied) string {
	refused := m.takeReply(ev)
	if wave := m.Asking.Wave; refused == "" && wave.whole() && len(m.Asking.waiting()) == 0 {
		m.endWave()
	}
	return refused
}

// whole reports whether every ask of the wave has its reply.
func (w *Wave) whole() bool {
	return !slices.ContainsFunc(w.Replies, func(r Replied) bool { return r.Ask == "" })
}

// endWave books the calls of the wave, and passes it to the stage that asked.
func (m *reducer) endWave() {
	wave := m.Asking.Wave
	m.Asking.Wave = nil
	m.bookCalls(wave)
	m.reduce(wave)
}

// bookCalls puts the calls of a wave into the record, in wave order.
func (m *reducer) bookCalls(wave *Wave) {
	for i, a := range wave.Asks {
		r := wave.Replies[i]
		looks, spent, started := wave.cost(a)
		m.Asking.Looks = append(m.Asking.Looks, wave.looksBefore(a)...)
		m.Checks.Tests = slices.Concat(m.Checks.Tests, runsOf(wave.looksBefore(a)))
		m.Asking.Calls = append(m.Asking.Calls, Call{
			Ask: a.ID, Kind: a.Kind, Party: a.Party, N: a.N, Chunk: a.Chunk, Status: r.Status, Reading: r.Reading, Retry: a.Format != "",
			Detail: r.Detail, Started: cmp.Or(started, r.Started), Ended: r.Ended, Usage: r.Usage.plus(spent), Looks: looks, Ignored: r.Ignored, Dropped: r.Dropped,
			ReplyHash: r.ReplyHash,
		})
		if r.Status != CallOK {
			m.happened(Fact{Kind: CallFailed, N: a.N, Who: a.Party, About: a.ID, Code: string(r.Status), Text: clip(r.Detail, 500)})
		}
	}
}

// retry asks once more, in the same wave and at the same n, after an unreadable reply
// (R137) or a sheet that cannot be counted. The order of the replies must not decide about the
// budget.
func (m *reducer) retry(at int) {
	wave := m.Asking.Wave
	ask, reply := wave.Asks[at], wave.Replies[at]
	if ask.Format != "" { // it is a retry itself
		return
	}
	why := ""
	switch {
	case reply.Status == CallMalformed:
		why = cmp.Or(reply.Detail, "the reply is not the JSON object that was asked for")
	case reply.Status == CallOK && wave.Kind == CallScore:
		why = m.Agenda.badSheets(*reply.Reply)
	}
	first := lists.Keep(wave.Asks, func(a Ask) bool { return a.Format == "" })
	if why == "" || m.dear(len(first), ask, reply) {
		return
	}
	again := ask
	again.ID += formatRetry
	again.Format = clip(why, 500)
	wave.Asks = slices.Insert(wave.Asks, at+1, again)
	wave.Replies = slices.Insert(wave.Replies, at+1, Replied{})
}

// dear reports whether one of the three budgets has no room for twice the calls of a wave, at
// the highest price so far, this reply included, or for one more call after this reply.
func (s *State) dear(first int, ask Ask, reply Replied) bool {
	set := s.Received.Settings
	spent, _ := s.Asking.Spent()
	_, looked, _ := s.Asking.Wave.cost(ask)
	price := max(s.Asking.dearest(), reply.Usage.CostMicro+looked.CostMicro)
	took := max(0, reply.Ended-s.Clock.ClockStart()) / 1000
	if len(s.Asking.Calls)+2*first > set.maxCalls() || set.tooDear(spent+2*int64(first)*price) {
		return true
	}
	return int64(set.BudgetSeconds())-took < int64(s.Timeout(ask)+set.ReserveSeconds())
}

// said is the last word of one party about one chunk or decision in a wave.
type said struct {
	Party    string
	Chunk    string
	Decision string
	Status   CallStatus
	Detail   string
	Raw      string
	Reply    *Reply
	Retried  bool // its FORMAT retry counts
}

// valid are the usable replies.
func valid(all []said) []said {
	return lists.Keep(all, func(x said) bool { return x.Status == CallOK })
}

// said returns the result of each ask of the wave, in wave order: the FORMAT retry if there was
// one.
func (w *Wave) said() []said {
	var all []said
	for i, a := range w.Asks {
		r := w.Replies[i]
		x := said{Party: a.Party, Chunk: a.Chunk, Decision: a.Decision, Status: r.Status, Detail: r.Detail, Raw: r.Raw, Reply: r.Reply}
		if a.Format != "" { // it comes right after its first ask
			x.Retried = true
			all[len(all)-1] = x
			continue
		}
		all = append(all, x)
	}
	return all
}

// by returns the words of one party, one entry for each chunk or decision.
func by(all []said, party string) []said {
	return lists.Keep(all, func(x said) bool { return x.Party == party })
}

// reduce passes a complete wave to the stage that asked.
func (m *reducer) reduce(wave *Wave) {
	all := wave.said()
	if m.Stage == StageDispute {
		m.disputeAnswered(all)
		return
	}
	failed := func(x said) bool { return x.Status != CallOK || x.Retried }
	if slices.Contains([]CallKind{CallOpen, CallLocal}, wave.Kind) && slices.ContainsFunc(all, failed) {
		m.round(1, all)
	}
	switch wave.Kind {
	case CallOpen:
		m.opened(all)
	case CallLocal:
		m.criticised(all)
		m.endDegraded()
	case CallChallenge:
		m.challenged(wave.N, all)
	case CallRespond, CallRebut:
		m.spoken(wave, all)
	case CallArbiter:
		m.arbitrated(all)
	case CallJudge1, CallJudge2:
		m.goes(m.voted(all))
	case CallScore:
		m.goes(m.scored(all))
	case CallSumUp:
		m.summedUp(all[0])
		m.transition(StagePublish)
	}
}
