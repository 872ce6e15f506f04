package debate

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/prdebate/debate/internal/lists"
)

// takeDecision takes a person's answer to a decision and returns the stages that
// follow. A refused answer changes only the list of refused answers.
func (m *reducer) takeDecision(ev Decided) (to []Stage, refused string) {
	d := m.Agenda.named(ev.Decision)
	if d.asked(ev.Via) == nil {
		return nil, "decision " + ev.Decision + " is not for a human"
	}
	if ev.Via == ViaLocal {
		if why := d.refusesLocal(ev, m.Snapshot.HeadSHA); why != "" {
			return nil, why
		}
		return m.humanDecides(d, ev, ev.Option), ""
	}
	why, chosen := m.unanswerable(d, ev), d.Answered(ev)
	switch {
	case why != "":
	case ev.Via == ViaReopened: // the question is open again, so the check turns back
		d.Outcome = AwaitingHuman
		d.Human = &Human{Status: ItemAwaiting, Sink: d.Human.Sink, AskedAt: m.Clock.At, Reminded: d.Human.Reminded, Void: d.Human.Void, Quoted: d.Human.Quoted}
		m.happened(Fact{Kind: HumanAsked, Who: EngineParty, About: d.ID, Code: string(d.Human.Sink)})
		return []Stage{StagePublish}, ""
	case d.Offers(chosen):
		return m.humanDecides(d, ev, chosen), ""
	case ev.Via == ViaCommand:
		why = "there is no option " + clip(ev.Option, 100) + ". The options: " + strings.Join(d.optionIDs(), ", ")
	default:
		why = "it does not say which option of " + d.ID + ": comment /debate decide " + d.ID + " with one of " + strings.Join(d.optionIDs(), ", ") + " and a reason"
	}
	if len(d.Human.Void) < 50 {
		d.Human.Void = append(d.Human.Void, VoidAnswer{ev.By.Login, why})
	}
	m.happened(Fact{Kind: HumanRefused, Who: ev.By.Login, About: d.ID, Code: ev.Option, Text: clip(ev.Reason, 2000), Why: told(why)})
	return nil, ""
}

// decided lets a person's answer move the debate.
func (m *reducer) decided(ev Decided) string {
	to, refused := m.takeDecision(ev)
	if len(to) > 0 {
		m.verdict()
	}
	m.goes(to)
	return refused
}

// humanDecides records the option of a person, one of several perhaps.
func (m *reducer) humanDecides(d *Decision, ev Decided, chosen string) []Stage {
	item := d.asked(ev.Via)
	said := PersonAnswer{
		By: ev.By.Login, Option: chosen, Reason: clip(ev.Reason, 2000), At: ev.At, Head: cmp.Or(ev.Read, ev.Head), Self: ev.By.Author,
		Local: ev.Via == ViaLocal, Accepted: d.Accepts(ev, m.Book.Claims),
	}
	d.Human, d.Outcome = item.answered(d, replaced(item.Answers(), said)), HumanDecided
	m.humanSays(d, said)
	if _, follows := m.byChoice(m.Agenda.d0()); follows && !m.Agenda.d0().ForPeople() {
		m.endDecision(m.Agenda.d0())
	}
	if m.Agenda.AwaitsHuman() {
		return []Stage{StageHumanDecided, StageAwaitingHuman}
	}
	return []Stage{StageHumanDecided, StagePublish}
}

// humanSays records an answer in the ledger and as a fact.
func (m *reducer) humanSays(d *Decision, a PersonAnswer) {
	m.ledger(TagUser, a.By, d.ID+": "+a.Option+" "+a.Reason, d.ID)
	m.happened(Fact{Kind: HumanAnswered, Who: a.By, About: d.ID, Code: a.Option, Text: a.Reason})
}

// The reasons against an answer, by what its giver can do. A memory keeps them with the answer, so
// they are words.
const (
	NothingOpen = "no question is open for it"
	StaleAnswer = "the question changed just before this answer, or after it. Please read it and answer again"
)

// unanswerable says why an answer does not count with any option, or "".
func (m *reducer) unanswerable(d *Decision, ev Decided) string {
	why, asked := m.Received.Settings.authority(ev.By, cmp.Or(m.Received.Settings.Deciders, WriteAccess)), d.Human.AskedAt
	if ev.Asked > 0 {
		asked = min(asked, ev.Asked)
	}
	switch {
	case why != "":
		return why
	case ev.Via == ViaReopened && d.Outcome == HumanDecided:
		return ""
	case ev.Via == ViaReopened, !d.ForPeople(), anyLater(d.Human.Answers(), ev.By.Login, ev.At):
		return NothingOpen
	case ev.Fingerprint != d.Fingerprint, ev.Head != m.Snapshot.HeadSHA, ev.Via == ViaReview && ev.At <= asked:
		return StaleAnswer
	case ev.Edited:
		return "the comment was edited"
	}
	return ""
}

// Answered is the id of the option in an answer, "" if there is none. A click means the same
// for every recommendation.
func (d Decision) Answered(ev Decided) string {
	switch {
	case ev.Via == ViaCommand:
		return ev.Option
	case !d.Clickable():
		return ""
	case ev.Via != ViaReview:
		return map[Via]string{ViaCompleted: string(Keep), ViaNotPlanned: string(Reject)}[ev.Via]
	case slices.Contains([]string{string(Keep), string(Revise)}, ev.Option):
		return ev.Option
	}
	return ""
}

// sinkFailed moves a question from an issue into the summary comment. No failure ever
// adopts anything (R041-R043).
func (m *reducer) sinkFailed(ev SinkFailed) string {
	d := m.Agenda.named(ev.Decision)
	switch {
	case d.Human == nil:
		return "decision " + ev.Decision + " is not for a human"
	case d.Human.Sink != SinkIssue, ev.Sink != SinkIssue:
		return "decision " + ev.Decision + " is not in the sink " + string(ev.Sink)
	}
	d.Human.Sink = SinkComment
	m.happened(Fact{Kind: HumanAsked, Who: EngineParty, About: d.ID, Code: string(SinkComment)})
	return ""
}

// reminded notes the one reminder about a waiting decision.
func (m *reducer) reminded(ev Reminded) string {
	d := m.Agenda.named(ev.Decision)
	switch {
	case d.Human == nil, d.Outcome != AwaitingHuman:
		return nobodyWaits
	case d.Human.Reminded:
		return "one reminder is all there is"
	}
	d.Human.Reminded = true
	m.happened(Fact{Kind: HumanReminded, Who: EngineParty, About: d.ID})
	return ""
}

// withdrawn ends the open decisions after the pull request was merged or closed.
func (m *reducer) withdrawn(ev WithdrawnEvent) string {
	switch {
	case m.Stage == StageAwaitingHuman, m.Stage == StagePublish:
	case m.Terminal(), m.Stage == StageNone:
		return "there is nothing to withdraw"
	default:
		m.abort(because(WhyClosed).saying(ev.Reason))
		return ""
	}
	for _, d := range lists.Pointers(m.Agenda.Decisions, func(d *Decision) bool { return d.Outcome == AwaitingHuman }) {
		d.Outcome, d.Human.Status = Withdrawn, ItemWithdrawn
		d.Why = told(clip(joined(ev.Reason, ev.By), 500))
	}
	m.verdict()
	if m.Stage == StageAwaitingHuman {
		m.transition(StageDone)
	}
	return ""
}

// headMoved ends a debate about an old head: its result is not published on the new one.
func (m *reducer) headMoved(ev HeadMoved) string {
	if ev.Head == m.Snapshot.HeadSHA && ev.Head != "" {
		return "the head is the one under debate"
	}
	m.Asking.Wave = nil
	for _, d := range lists.Pointers(m.Agenda.Decisions, func(d *Decision) bool { return !d.byHuman() }) { // a person's decision may hold on the new head
		d.Outcome = DecisionSuperseded
		if d.Human != nil {
			d.Human.Status = ItemSuperseded
		}
	}
	m.Ending.Outcome, m.Ending.OutcomeReason = Superseded, because(WhyHeadMoved, clip(ev.Head, 64))
	m.Ending.Confidence, m.Ending.Disposition = Low, Continue
	m.transition(StageSuperseded)
	return ""
}

// stopped ends the debate early on a person's order: the words so far are synthesised without
// another call.
func (m *reducer) stopped(ev Stopped) string {
	switch {
	case m.Asking.Stopped:
		return "it is stopped"
	case ev.By.Bot, !ev.By.Permission.AtLeast(WriteAccess):
		return ev.By.Login + " may not stop it"
	}
	m.Asking.Stopped = true
	m.happened(Fact{Kind: Ordered, Who: ev.By.Login, About: "debate", Code: "stop"})
	m.ledger(TagUser, ev.By.Login, "stopped the debate", "")
	wave := m.Asking.Wave
	if wave == nil {
		return ""
	}
	for i := range wave.Replies {
		if wave.Replies[i].Ask == "" {
			wave.Replies[i] = Replied{Ask: wave.Asks[i].ID, Status: CallError, Detail: "stopped by " + ev.By.Login}
		}
	}
	m.endWave()
	return ""
}

// asked is the item for an answer, nil if no person is asked. A decision that was left open
// without an item can be decided on the command line alone.
func (d *Decision) asked(via Via) *Human {
	if d.Human == nil && via == ViaLocal && d.Open() {
		return &Human{Status: ItemAwaiting, Sink: SinkSummary}
	}
	return d.Human
}

// refusesLocal is the reason against an answer on the command line, or "". It does not check
// authority: the record belongs to the person, and no pull request hears of it.
func (d *Decision) refusesLocal(ev Decided, head string) string {
	switch {
	case !d.Open():
		return "decision " + d.ID + " is not open"
	case ev.Fingerprint != d.Fingerprint, ev.Head != head:
		return "it answers another question"
	case ev.By.Login == "", ev.By.Permission != NoPermission, ev.By.Bot:
		return "who decides on the command line is the user of the machine"
	case !d.Offers(ev.Option):
		return "there is no option " + strconv.Quote(clip(ev.Option, 100))
	}
	return ""
}
