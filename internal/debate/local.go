package debate

import (
	"slices"
	"strconv"

	"github.com/prdebate/debate/internal/debate/rubric"
)

// AnswerableLocally reports whether the holder of a debate's record may decide a decision there:
// one that waits for a person, and one that was left open.
func (d *Decision) AnswerableLocally() bool { return d.open() }

// open reports whether a decision has no answer: it waits for a person, or was left open.
func (d *Decision) open() bool {
	return slices.Contains([]DecisionOutcome{AwaitingHuman, Undecided}, d.Outcome)
}

// asked is the item for an answer, nil if no person is asked. A decision that was left open
// without an item can be decided on the command line alone.
func (d *Decision) asked(via Via) *Human {
	if d.Human == nil && via == ViaLocal && d.AnswerableLocally() {
		return &Human{Status: ItemAwaiting, Sink: SinkSummary}
	}
	return d.Human
}

// refusesLocal is the reason against an answer on the command line, or "". It does not check
// authority: the record belongs to the person, and no pull request hears of it.
func (d *Decision) refusesLocal(ev Decided, head string) string {
	switch {
	case !d.AnswerableLocally():
		return "decision " + d.ID + " is not open"
	case ev.Fingerprint != d.Fingerprint, ev.Head != head:
		return "it answers another question"
	case ev.By.Login == "", ev.By.Permission != NoPermission, ev.By.Bot:
		return "who decides on the command line is the user of the machine"
	case !rubric.Has(d.Options, ev.Option):
		return "there is no option " + strconv.Quote(clip(ev.Option, 100))
	}
	return ""
}
