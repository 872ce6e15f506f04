package debate

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/debate/rubric"
)

// decided takes a person's answer to a decision (A13, S08, S09) and says through which
// stages the debate goes then. One that does not count changes nothing but the list of
// refused answers.
func (dk *docket) decided(ev Decided) (to []Stage, refused string) {
	d := dk.agenda.named(ev.Decision)
	if d.asked(ev.Via) == nil {
		return nil, "decision " + ev.Decision + " is not for a human"
	}
	if ev.Via == ViaLocal {
		if why := d.refusesLocal(ev, dk.snapshot.HeadSHA); why != "" {
			return nil, why
		}
		return dk.humanDecides(d, ev, ev.Option), ""
	}
	if why := dk.unanswerable(d, ev); why != "" {
		dk.refuseAnswer(d, ev, why)
		return nil, ""
	}
	if ev.Via == ViaReopened {
		return dk.askAgain(d), ""
	}
	chosen := d.Answered(ev)
	if !rubric.Has(d.Options, chosen) {
		dk.refuseAnswer(d, ev, d.unanswered(ev))
		return nil, ""
	}
	return dk.humanDecides(d, ev, chosen), ""
}

// decided lets a person's answer move the debate.
func (m *reducer) decided(ev Decided) string {
	to, refused := m.docket.decided(ev)
	if len(to) > 0 {
		m.state.verdict()
	}
	m.goes(to)
	return refused
}

// humanDecides makes an option what a person decided, or what one of several did.
func (dk *docket) humanDecides(d *Decision, ev Decided, chosen string) []Stage {
	item := d.asked(ev.Via)
	said := PersonAnswer{
		By: ev.By.Login, Option: chosen, Reason: clip(ev.Reason, 2000), At: ev.At, Head: cmp.Or(ev.Read, ev.Head), Self: ev.By.Author,
		Local: ev.Via == ViaLocal, Accepted: d.Accepts(ev, dk.book.Claims),
	}
	d.Human, d.Outcome = item.answered(d, replaced(item.Answers(), said)), HumanDecided
	dk.humanSays(d, said)
	if dk.agenda.AwaitsHuman() {
		return []Stage{StageHumanDecided, StageAwaitingHuman}
	}
	return []Stage{StageHumanDecided, StagePublish}
}

// humanSays notes what a person answered.
func (dk *docket) humanSays(d *Decision, a PersonAnswer) {
	dk.clerk.ledger(TagUser, a.By, d.ID+": "+a.Option+" "+a.Reason, d.ID, "")
	dk.clerk.happened(Fact{Kind: HumanAnswered, Who: a.By, About: d.ID, Code: a.Option, Text: a.Reason})
}

// refuseAnswer keeps an answer that does not count, with the reason why not.
func (dk *docket) refuseAnswer(d *Decision, ev Decided, why string) {
	if len(d.Human.Void) < 50 {
		d.Human.Void = append(d.Human.Void, VoidAnswer{ev.By.Login, why})
	}
	dk.clerk.happened(Fact{Kind: HumanRefused, Who: ev.By.Login, About: d.ID, Code: ev.Option, Text: clip(ev.Reason, 2000), Why: told(why)})
}

// askAgain takes back what a person decided: the check has to turn back.
func (dk *docket) askAgain(d *Decision) []Stage {
	d.Outcome = AwaitingHuman
	d.Human = &Human{Status: ItemAwaiting, Sink: d.Human.Sink, AskedAt: dk.now, Reminded: d.Human.Reminded, Void: d.Human.Void, Quoted: d.Human.Quoted}
	dk.clerk.happened(Fact{Kind: HumanAsked, Who: EngineParty, About: d.ID, Code: string(d.Human.Sink)})
	return []Stage{StagePublish}
}

// unanswerable says why an answer does not count, whatever it chooses, or "".
func (dk *docket) unanswerable(d *Decision, ev Decided) string {
	if why := dk.received.Settings.authority(ev.By, cmp.Or(dk.received.Settings.Deciders, WriteAccess)); why != "" {
		return why
	}
	if ev.Via == ViaReopened {
		if d.Outcome == HumanDecided {
			return ""
		}
		return "nothing was decided yet"
	}
	asked := d.Human.AskedAt
	if ev.Asked > 0 {
		asked = min(asked, ev.Asked)
	}
	late := ev.Via == ViaReview && (!d.Clickable() || ev.At <= asked)
	for _, row := range []struct {
		applies bool
		why     string
	}{
		{!d.Outcome.ofHuman(), "it was decided before"},
		{d.Human.answeredSince(ev), "a later answer of " + ev.By.Login + " stands"},
		{ev.Fingerprint != d.Fingerprint, "it answers another question"},
		{ev.Head != dk.snapshot.HeadSHA, "it answers for another head"},
		{ev.Edited, "the comment was edited"},
		{ev.Via == ViaDuplicate, "closed as duplicate is no decision"},
		{late, "a review decides on a merge only, and only one given after it was asked"},
	} {
		if row.applies {
			return row.why
		}
	}
	return ""
}

// Answered is the id of the option that an answer chooses, "" if it does not say. A
// click means the same whatever the debate recommends (M21).
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

// Clickable reports whether a click says which option: it has those of a merge and no
// other, so that nobody has to guess what approving means for it.
func (d Decision) Clickable() bool {
	clicks := dispositionOptions()
	return len(d.Options) == len(clicks) && maps.Equal(byID(d.Options), byID(clicks))
}

// byID says of options by their ids whether each is the status quo.
func byID(options []Option) map[string]bool {
	quo := make(map[string]bool, len(options))
	for _, o := range options {
		quo[o.ID] = o.StatusQuo
	}
	return quo
}

// unanswered says why an answer chooses no option.
func (d *Decision) unanswered(ev Decided) string {
	if ev.Via == ViaCommand {
		return "there is no option " + clip(ev.Option, 100)
	}
	return "it does not say which option of " + d.ID + ": comment /debate decide " + d.ID + " with one of " + strings.Join(d.optionIDs(), ", ") + " and a reason"
}

// sinkFailed moves a human item to the next sink. No failure ever adopts
// anything (R041-R043, X27).
func (dk *docket) sinkFailed(ev SinkFailed) string {
	d := dk.agenda.named(ev.Decision)
	if d.Human == nil {
		return "decision " + ev.Decision + " is not for a human"
	}
	next := map[Sink]Sink{SinkIssue: SinkComment, SinkComment: SinkCheck, SinkCheck: SinkArtifact}[ev.Sink]
	if d.Human.Sink == ev.Sink && next != "" {
		d.Human.Sink = next
		dk.clerk.happened(Fact{Kind: HumanAsked, Who: EngineParty, About: d.ID, Code: string(d.Human.Sink)})
	}
	return ""
}

// reminded notes the one reminder about a waiting decision.
func (dk *docket) reminded(ev Reminded) string {
	d := dk.agenda.named(ev.Decision)
	switch {
	case d.Human == nil, d.Outcome != AwaitingHuman:
		return nobodyWaits
	case d.Human.Reminded:
		return "one reminder is all there is"
	}
	d.Human.Reminded = true
	dk.clerk.happened(Fact{Kind: HumanReminded, Who: EngineParty, About: d.ID})
	return ""
}

// withdrawn ends what waits for a human because the pull request was merged or
// closed (S23).
func (m *reducer) withdrawn(ev WithdrawnEvent) string {
	s := m.state
	switch {
	case s.Stage == StageAwaitingHuman, s.Stage == StagePublish:
	case s.Terminal(), s.Stage == StageNone:
		return "there is nothing to withdraw"
	default:
		m.abort(because(WhyClosed).saying(ev.Reason))
		return ""
	}
	for _, d := range s.Agenda.decisionsThat(func(d *Decision) bool { return d.Outcome == AwaitingHuman }) {
		d.Outcome, d.Human.Status = Withdrawn, ItemWithdrawn
		d.Why = told(clip(joined(ev.Reason, ev.By), 500))
	}
	s.verdict()
	if s.Stage == StageAwaitingHuman {
		m.transition(StageDone)
	}
	return ""
}

// headMoved ends a debate about a head that is no longer the head: its result is
// not published on the new one (A14).
func (m *reducer) headMoved(ev HeadMoved) string {
	s := m.state
	if ev.Head == s.Snapshot.HeadSHA && ev.Head != "" {
		return "the head is the one under debate"
	}
	s.Asking.Wave = nil
	for _, d := range s.Agenda.decisionsThat(func(d *Decision) bool { return !d.byHuman() }) { // what a person decided may hold on the new head (A14)
		d.Outcome = DecisionSuperseded
		if d.Human != nil {
			d.Human.Status = ItemSuperseded
		}
	}
	s.Ending.Outcome, s.Ending.OutcomeReason = Superseded, because(WhyHeadMoved, clip(ev.Head, 64))
	s.Ending.Confidence, s.Ending.Disposition = Low, Continue
	m.transition(StageSuperseded)
	return ""
}

// resumed takes an interruption, in milliseconds, out of the budget of time.
func (c *Clock) resumed(gap int64) string {
	c.ClockFrom = c.ClockStart() + gap
	return ""
}

// waits are the stages that wait for replies.
func waits() []Stage {
	return []Stage{
		StageOpening, StageChallenge, StageConfront, StageRebut, StageSynthesise, StageArbitrate,
		StagePanel1, StagePanel2, StageScore, StageSumUp, StageDegraded,
	}
}

// stopped ends the debate early on a person's word: what was said so far is
// synthesised without another call.
func (m *reducer) stopped(ev Stopped) string {
	s := m.state
	switch {
	case s.Asking.Stopped:
		return "it is stopped"
	case ev.By.Bot, !ev.By.Permission.AtLeast(WriteAccess):
		return ev.By.Login + " may not stop it"
	}
	s.Asking.Stopped = true
	m.clerk.happened(Fact{Kind: Ordered, Who: ev.By.Login, About: "debate", Code: "stop"})
	m.clerk.ledger(TagUser, ev.By.Login, "stopped the debate", "", "")
	wave := s.Asking.Wave
	if wave == nil {
		return ""
	}
	for i := range wave.Replies {
		if wave.Replies[i].Ask == "" {
			wave.Replies[i] = Replied{Ask: wave.Asks[i].ID, Status: CallError, Detail: "stopped by " + ev.By.Login}
		}
	}
	m.conclude()
	return ""
}
