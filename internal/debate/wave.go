package debate

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/prdebate/debate/internal/lists"
)

// desk asks parties, within the budgets, and collects their replies.
type desk struct {
	asking   *Asking
	agenda   *Agenda
	table    *Table
	received *Received
	clock    *Clock
}

func (s *State) desk() *desk {
	return &desk{asking: &s.Asking, agenda: &s.Agenda, table: &s.Table, received: &s.Received, clock: &s.Clock}
}

// ask opens a wave if there are asks and the three budgets allow all calls. Otherwise it
// returns the reason.
func (k *desk) ask(kind CallKind, n int, asks []Ask) Why {
	if len(asks) == 0 {
		return because(WhyNobodyLeft)
	}
	for i := range asks {
		asks[i].Kind, asks[i].N = kind, n // the time limit of a call depends on its kind
	}
	if why := k.broke(asks); !why.IsZero() {
		return why
	}
	for i := range asks {
		a := &asks[i]
		parts := []string{string(kind), strconv.Itoa(n), a.Party, a.Chunk, a.Decision}
		a.ID = strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), "/")
		for id, again := a.ID, 2; k.asking.asked(a.ID); again++ { // a second dispute at the same n
			a.ID = id + "/" + strconv.Itoa(again)
		}
	}
	k.asking.Wave = &Wave{Kind: kind, N: n, Asks: asks, Replies: make([]Replied, len(asks))}
	return Why{}
}

// formatRetry ends the id of a second ask after an unreadable reply.
const formatRetry = "/format"

// broke names the budget that does not allow the asks.
func (k *desk) broke(asks []Ask) Why {
	set := k.received.Settings
	longest := 0
	for _, a := range asks {
		longest = max(longest, k.timeout(a))
	}
	spent, _ := k.asking.Spent()
	switch {
	case k.asking.Stopped:
		return because(WhyStopped)
	case len(k.asking.Calls)+len(asks) > set.maxCalls():
		return because(WhyCallsUsed, strconv.Itoa(set.maxCalls()))
	case set.tooDear(max(spent+int64(len(asks))*k.asking.dearest(), spent+1)):
		return because(WhyMoneyUsed)
	case k.remaining() < longest+set.ReserveSeconds():
		return because(WhyTimeUsed)
	}
	return Why{}
}

// answered records one reply of the wave, or returns the reason why it may not come now.
func (k *desk) answered(ev Replied) (refused string) {
	wave := k.asking.Wave
	if wave == nil {
		return "nothing is being asked"
	}
	at := slices.IndexFunc(wave.Asks, func(a Ask) bool { return a.ID == ev.Ask })
	switch {
	case at < 0:
		return "nobody was asked " + strconv.Quote(ev.Ask)
	case wave.Replies[at].Ask != "":
		return "the ask " + ev.Ask + " is answered"
	case (ev.Status == CallOK) != (ev.Reply != nil):
		return "a reply and its status contradict each other"
	}
	if ev.Late && ev.Status == CallOK { // after its deadline
		ev.Status, ev.Reply = CallTimeout, nil
	}
	wave.Replies[at] = ev
	k.retry(at)
	return ""
}

// answered takes a reply. The wave ends with the last one, so the order of arrival does not
// matter; tests in a later job run first.
func (m *reducer) answered(ev Replied) string {
	refused := m.desk.answered(ev)
	if wave := m.state.Asking.Wave; refused == "" && wave.whole() && len(m.state.Asking.waiting()) == 0 {
		m.conclude()
	}
	return refused
}

// whole reports whether every ask of the wave has its reply.
func (w *Wave) whole() bool {
	return !slices.ContainsFunc(w.Replies, func(r Replied) bool { return r.Ask == "" })
}

// conclude books the calls of the wave, and passes it to the stage that asked.
func (m *reducer) conclude() {
	wave := m.state.Asking.Wave
	m.state.Asking.Wave = nil
	m.state.Asking.book(m.clerk, wave)
	m.reduce(wave)
}

// retry asks once more, in the same wave and at the same n, after an unreadable reply
// (R137) or a sheet that cannot be counted. The order of the replies must not decide about the
// budget.
func (k *desk) retry(at int) {
	wave := k.asking.Wave
	ask, reply := wave.Asks[at], wave.Replies[at]
	if ask.Format != "" { // it is a retry itself
		return
	}
	why := ""
	switch {
	case reply.Status == CallMalformed:
		why = cmp.Or(reply.Detail, "the reply is not the JSON object that was asked for")
	case reply.Status == CallOK && wave.Kind == CallScore:
		why = k.agenda.badSheets(*reply.Reply)
	}
	first := lists.Keep(wave.Asks, func(a Ask) bool { return a.Format == "" })
	if why == "" || k.dear(len(first), ask, reply) {
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
func (k *desk) dear(first int, ask Ask, reply Replied) bool {
	set := k.received.Settings
	spent, _ := k.asking.Spent()
	_, looked, _ := k.asking.Wave.cost(ask)
	price := max(k.asking.dearest(), reply.Usage.CostMicro+looked.CostMicro)
	took := max(0, reply.Ended-k.clock.ClockStart()) / 1000
	if len(k.asking.Calls)+2*first > set.maxCalls() || set.tooDear(spent+2*int64(first)*price) {
		return true
	}
	return int64(set.BudgetSeconds())-took < int64(k.timeout(ask)+set.ReserveSeconds())
}

// book puts the calls of a wave into the record, in wave order.
func (asking *Asking) book(b *clerk, wave *Wave) {
	for i, a := range wave.Asks {
		r := wave.Replies[i]
		looks, spent, started := wave.cost(a)
		asking.Looks = append(asking.Looks, wave.looksBefore(a)...)
		b.checks.Tests = slices.Concat(b.checks.Tests, runsOf(wave.looksBefore(a)))
		asking.Calls = append(asking.Calls, Call{
			Ask: a.ID, Kind: a.Kind, Party: a.Party, N: a.N, Chunk: a.Chunk, Status: r.Status, Reading: r.Reading, Retry: a.Format != "",
			Detail: r.Detail, Started: cmp.Or(started, r.Started), Ended: r.Ended, Usage: r.Usage.plus(spent), Looks: looks, Ignored: r.Ignored, Dropped: r.Dropped,
			ReplyHash: r.ReplyHash,
		})
		if r.Status != CallOK {
			b.happened(Fact{Kind: CallFailed, N: a.N, Who: a.Party, About: a.ID, Code: string(r.Status), Text: clip(r.Detail, 500)})
		}
	}
}

// said is the last word of one party about one chunk or decision in a wave.
type said struct {
	Party    string
	Chunk    string
	Decision string
	Kind     CallKind
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
		x := said{Party: a.Party, Chunk: a.Chunk, Decision: a.Decision, Kind: a.Kind, Status: r.Status, Detail: r.Detail, Raw: r.Raw, Reply: r.Reply}
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
	if m.state.Stage == StageDispute {
		m.disputeAnswered(all)
		return
	}
	failed := func(x said) bool { return x.Status != CallOK || x.Retried }
	if slices.Contains([]CallKind{CallOpen, CallLocal}, wave.Kind) && slices.ContainsFunc(all, failed) {
		m.state.Talk.round(m.state.Table.Parties, 1, all)
	}
	switch wave.Kind {
	case CallOpen:
		m.opened(all)
	case CallLocal:
		m.listener.criticised(all)
		m.endDegraded()
	case CallChallenge:
		m.challenged(wave.N, all)
	case CallRespond:
		m.responded(wave, all)
	case CallRebut:
		m.rebutted(wave, all)
	case CallArbiter:
		m.arbitrated(all)
	case CallJudge1, CallJudge2:
		m.goes(m.bench.voted(all))
	case CallScore:
		m.goes(m.bench.scored(all))
	case CallSumUp:
		m.docket.summedUp(all[0])
		m.transition(StagePublish)
	}
}
