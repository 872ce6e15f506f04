package debate

import "github.com/prdebate/debate/internal/debate/rubric"

// decided takes a person's answer to a decision (A13, S08, S09). One that does
// not count changes nothing but the list of refused answers.
func (m *mover) decided(ev Decided) string {
	s := m.state
	if s.Stage != StageAwaitingHuman && !(s.Stage == StageDone && ev.Via == ViaReopened) {
		return "no decision awaits a human"
	}
	d := s.decision(ev.Decision)
	if d == nil || d.Human == nil {
		return "decision " + ev.Decision + " is not for a human"
	}
	chosen, why := m.answerOf(d, ev)
	if why != "" {
		if len(d.Human.Refused) < 50 {
			d.Human.Refused = append(d.Human.Refused, ev.By.Login+": "+why)
		}
		return ""
	}
	if ev.Via == ViaReopened {
		d.Outcome = AwaitingHuman
		d.Human = &Human{Status: ItemAwaiting, Sink: d.Human.Sink, AskedAt: s.At, Reminded: d.Human.Reminded, Refused: d.Human.Refused}
		m.verdict()
		m.enter(StagePublish) // the check has to turn back
		return ""
	}
	human := *d.Human
	human.Status, human.By, human.Option, human.Reason = ItemDecided, ev.By.Login, chosen, clip(ev.Reason, 2000)
	human.At, human.Head, human.Self = ev.At, ev.Head, ev.By.Author
	d.Human, d.Outcome = &human, HumanDecided
	m.clerk().ledger(TagUser, ev.By.Login, d.ID+": "+chosen+" "+human.Reason, d.ID, "")
	m.verdict()
	m.enter(StageHumanDecided)
	if s.AwaitsHuman() {
		m.enter(StageAwaitingHuman)
		return ""
	}
	m.enter(StagePublish)
	return ""
}

// answerOf says which option an answer chooses, or why it does not count.
func (m *mover) answerOf(d *Decision, ev Decided) (option, why string) {
	s := m.state
	least := s.Received.Settings.Deciders
	if least == NoPermission {
		least = WriteAccess
	}
	if why := m.authority(ev.By, least); why != "" {
		return "", why
	}
	asked := d.Human.AskedAt
	if ev.Asked > 0 {
		asked = min(asked, ev.Asked)
	}
	switch {
	case ev.Via == ViaReopened:
		if d.Outcome != HumanDecided {
			return "", "nothing was decided yet"
		}
		return "", ""
	case d.Outcome != AwaitingHuman:
		return "", "it was decided before"
	case ev.Fingerprint != d.Fingerprint:
		return "", "it answers another question"
	case ev.Head != s.Snapshot.HeadSHA:
		return "", "it answers for another head"
	case ev.Edited:
		return "", "the comment was edited"
	case ev.Via == ViaDuplicate:
		return "", "closed as duplicate is no decision"
	case ev.Via == ViaReview && (!d.disposes() || ev.At <= asked):
		return "", "a review decides D0 only, and only one given after it was asked"
	}
	statusQuo := ""
	for _, o := range d.Options {
		if o.StatusQuo {
			statusQuo = o.ID
		}
	}
	option = ev.Option
	switch {
	case ev.Via == ViaNotPlanned:
		option = statusQuo
	case ev.Via == ViaCompleted && option == "":
		option = statusQuo
		if rubric.Has(d.Options, d.Recommendation) {
			option = d.Recommendation
		}
	}
	if !rubric.Has(d.Options, option) {
		return "", "there is no option " + clip(option, 100)
	}
	return option, ""
}

// sinkFailed moves a human item to the next sink. No failure ever adopts
// anything (R041-R043, X27, P12).
func (m *mover) sinkFailed(ev SinkFailed) string {
	s := m.state
	if s.Stage != StagePublish && s.Stage != StageAwaitingHuman {
		return "nothing is being published"
	}
	d := s.decision(ev.Decision)
	if d == nil || d.Human == nil {
		return "decision " + ev.Decision + " is not for a human"
	}
	chain := []Sink{SinkIssue, SinkComment, SinkCheck, SinkArtifact}
	for i, sink := range chain[:len(chain)-1] {
		if d.Human.Sink == sink && ev.Sink == sink {
			d.Human.Sink = chain[i+1]
			return ""
		}
	}
	return ""
}

// reminded notes the one reminder about a waiting decision.
func (m *mover) reminded(ev Reminded) string {
	s := m.state
	d := s.decision(ev.Decision)
	switch {
	case s.Stage != StageAwaitingHuman || d == nil || d.Human == nil || d.Outcome != AwaitingHuman:
		return "nobody is waited for"
	case d.Human.Reminded:
		return "one reminder is all there is"
	}
	d.Human.Reminded = true
	return ""
}

// withdrawn ends what waits for a human because the pull request was merged or
// closed (S23).
func (m *mover) withdrawn(ev WithdrawnEvent) string {
	s := m.state
	if s.Stage != StageAwaitingHuman && s.Stage != StagePublish {
		if s.Terminal() || s.Stage == StageNone {
			return "there is nothing to withdraw"
		}
		m.abort(because(WhyClosed).saying(ev.Reason))
		return ""
	}
	for i := range s.Decisions {
		d := &s.Decisions[i]
		if d.Outcome == AwaitingHuman && d.Human != nil {
			d.Outcome, d.Human.Status, d.Why = Withdrawn, ItemWithdrawn, clip(joined(ev.Reason, ev.By), 500)
		}
	}
	m.verdict()
	if s.Stage == StageAwaitingHuman {
		m.enter(StageDone)
	}
	return ""
}

// headMoved ends a debate about a head that is no longer the head: its result is
// not published on the new one (A14).
func (m *mover) headMoved(ev HeadMoved) string {
	s := m.state
	if s.Stage == StageNone || s.Stage == StageAborted || s.Stage == StageSuperseded || s.Stage == StageDone {
		return "the debate is over"
	}
	if ev.Head == s.Snapshot.HeadSHA && ev.Head != "" {
		return "the head is the one under debate"
	}
	s.Wave = nil
	for i := range s.Decisions {
		d := &s.Decisions[i]
		if d.Outcome == HumanDecided { // it may hold on the new head (A14)
			continue
		}
		d.Outcome = DecisionSuperseded
		if d.Human != nil {
			d.Human.Status = ItemSuperseded
		}
	}
	s.Outcome, s.OutcomeReason = Superseded, because(WhyHeadMoved, clip(ev.Head, 64))
	s.Confidence, s.Disposition = Low, Continue
	m.enter(StageSuperseded)
	return ""
}

// resumed takes an interruption, in milliseconds, out of the budget of time.
func (m *mover) resumed(gap int64) string {
	s := m.state
	if s.Stage == StageNone || s.Terminal() {
		return "nothing was interrupted"
	}
	s.ClockFrom = s.ClockStart() + gap
	return ""
}

// stopped ends the debate early on a person's word: what was said so far is
// synthesised without another call.
func (m *mover) stopped(ev Stopped) string {
	s := m.state
	switch s.Stage {
	case StageOpening, StageChallenge, StagePress, StageConfront, StageRebut, StageSynthesise, StageArbitrate, StagePanel1, StagePanel2, StageScore, StageDegraded:
	default:
		return "no debate is running"
	}
	if s.Stopped {
		return "it is stopped"
	}
	if ev.By.Bot || !ev.By.Permission.AtLeast(WriteAccess) {
		return ev.By.Login + " may not stop it"
	}
	s.Stopped = true
	m.clerk().ledger(TagUser, ev.By.Login, "stopped the debate", "", "")
	wave := s.Wave
	if wave == nil {
		return ""
	}
	s.Wave = nil
	for i := range wave.Replies {
		if wave.Replies[i].Ask == "" {
			wave.Replies[i] = Replied{Ask: wave.Asks[i].ID, Status: CallError, Detail: "stopped by " + ev.By.Login}
		}
	}
	m.book(wave)
	m.reduce(wave)
	return ""
}
