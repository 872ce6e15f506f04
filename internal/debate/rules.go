package debate

import "slices"

// rule says of the events of one kind how they are read from a record, when they may
// come and what they do.
type rule struct {
	read    func(EventKind, []byte) (Event, error)
	does    func(*reducer, Event) string // it returns why an event may not come now, or ""
	stages  []Stage                      // in which it comes; none: in all but those of out
	out     []Stage
	refusal string // elsewhere; "": where it belongs
	reopens bool   // it may follow the closing of a record, which is closed again after it
}

// on is the rule of the events of a type.
func on[E Event](does func(*reducer, E) string) rule {
	return rule{read: decode[E], does: func(m *reducer, event Event) string { return does(m, event.(E)) }}
}

func (r rule) in(stages ...Stage) rule {
	r.stages = stages
	return r
}

func (r rule) notIn(stages ...Stage) rule {
	r.out = stages
	return r
}

func (r rule) orElse(refusal string) rule {
	r.refusal = refusal
	return r
}

// late is the rule of an event with which a person answers, or the pull request moves on.
func (r rule) late() rule {
	r.reopens = true
	return r
}

// untimely says why an event may not come in a stage, or "".
func (r rule) untimely(at Stage) string {
	fits := slices.Contains(r.stages, at) || len(r.stages) == 0
	switch {
	case fits && !slices.Contains(r.out, at):
		return ""
	case r.refusal == "":
		return "it belongs to stage " + string(r.stages[0])
	}
	return r.refusal
}

// nobodyWaits is the refusal of a reminder without a waiting decision.
const nobodyWaits = "nobody is waited for"

// rules are those of all events that the protocol knows. An event that may come in every
// stage says itself when it may not.
var rules = func() map[EventKind]rule {
	published := []Stage{StageAwaitingHuman, StageDone} // an answer may also come without a waiting decision: it is taken back, or one more is given
	idle := append(terminal(), StageNone)
	waiting := []Stage{ // for replies
		StageOpening, StageChallenge, StageConfront, StageRebut, StageSynthesise, StageArbitrate,
		StagePanel1, StagePanel2, StageScore, StageSumUp, StageDegraded,
	}
	return map[EventKind]rule{
		KindReceived: on((*reducer).received),
		KindSnapshotted: on(func(m *reducer, ev Snapshotted) string {
			m.Snapshot = ev
			m.transition(StageSnapshot)
			return ""
		}).in(StageReceived),
		KindSplit:       on((*reducer).split).in(StageSnapshot),
		KindCritiqued:   on((*reducer).critiqued).in(StageSplit),
		KindPoliced:     on((*reducer).policed).in(StageSplit),
		KindPreflighted: on((*reducer).preflighted).in(StagePreflight),
		KindChecked:     on((*reducer).checked),
		KindShown:       on((*reducer).shown),
		KindLooked:      on((*reducer).looked),
		KindTested:      on((*reducer).tested),
		KindReplied:     on((*reducer).answered),
		KindSinkFailed:  on((*reducer).sinkFailed).in(StagePublish, StageAwaitingHuman).orElse("nothing is being published").late(),
		KindReminded:    on((*reducer).reminded).in(StageAwaitingHuman).orElse(nobodyWaits).late(),
		KindDecided:     on((*reducer).decided).in(published...).orElse("no decision awaits a human").late(),
		KindDisputed:    on((*reducer).disputed).in(published...).orElse("nothing is published yet").late(),
		KindHeadMoved:   on((*reducer).headMoved).notIn(StageNone, StageAborted, StageSuperseded, StageDone).orElse("the debate is over").late(),
		KindWithdrawn:   on((*reducer).withdrawn).late(),
		KindStopped:     on((*reducer).stopped).in(waiting...).orElse("no debate is running"),
		KindResumed: on(func(m *reducer, _ Resumed) string { // an interruption takes nothing of the budget of time
			m.Clock.ClockFrom = m.Clock.ClockStart() + m.since
			return ""
		}).notIn(idle...).orElse("nothing was interrupted"),
		KindPublished: on(func(m *reducer, _ Published) string {
			m.transition(m.Agenda.rests())
			return ""
		}).in(StagePublish),
		KindAbortedEvent: on(func(m *reducer, ev AbortedEvent) string {
			m.abort(told(ev.Reason))
			return ""
		}).notIn(idle...).orElse("there is nothing to abort"),
		KindClosed: on(func(m *reducer, ev Closed) string {
			m.Ending.Closing = &ev
			return ""
		}).in(terminal()...).orElse("the debate has not ended"),
	}
}()
