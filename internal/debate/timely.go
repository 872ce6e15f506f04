package debate

import "slices"

// nobodyWaits is the refusal of a reminder that nobody needs.
const nobodyWaits = "nobody is waited for"

// untimely says why an event of a kind may not come in a stage, or "". An event that
// is not listed says that itself.
func untimely(kind EventKind, at Stage) string {
	for _, row := range timetable {
		if row.kind != kind {
			continue
		}
		fits := slices.Contains(row.in, at) || len(row.in) == 0
		if fits && !slices.Contains(row.out, at) {
			continue
		}
		if row.refuse == "" {
			return "it belongs to stage " + string(row.in[0])
		}
		return row.refuse
	}
	return ""
}

// timetable says when events may come.
var timetable = func() []timed {
	published := []Stage{StageAwaitingHuman, StageDone} // an answer may come too where nobody is waited for: it is taken back, or one more is given
	ended := []Stage{StageNone, StageAborted, StageSuperseded, StageDone}
	idle := append(terminal(), StageNone)
	return []timed{
		{kind: KindSnapshotted, in: []Stage{StageReceived}},
		{kind: KindSplit, in: []Stage{StageSnapshot}},
		{kind: KindCritiqued, in: []Stage{StageSplit}},
		{kind: KindPoliced, in: []Stage{StageSplit}},
		{kind: KindPreflighted, in: []Stage{StagePreflight}},
		{kind: KindPublished, in: []Stage{StagePublish}},
		{kind: KindSinkFailed, in: []Stage{StagePublish, StageAwaitingHuman}, refuse: "nothing is being published"},
		{kind: KindReminded, in: []Stage{StageAwaitingHuman}, refuse: nobodyWaits},
		{kind: KindDecided, in: published, refuse: "no decision awaits a human"},
		{kind: KindDisputed, in: published, refuse: "nothing is published yet"},
		{kind: KindStopped, in: waits(), refuse: "no debate is running"},
		{kind: KindClosed, in: terminal(), refuse: "the debate has not ended"},
		{kind: KindAbortedEvent, out: idle, refuse: "there is nothing to abort"},
		{kind: KindResumed, out: idle, refuse: "nothing was interrupted"},
		{kind: KindHeadMoved, out: ended, refuse: "the debate is over"},
	}
}()

// timed is when an event of a kind may come.
type timed struct {
	kind   EventKind
	in     []Stage // it comes in these alone
	out    []Stage // or in none of these
	refuse string
}
