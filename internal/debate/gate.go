package debate

import (
	"cmp"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/lists"
)

// gate ends every decision without any call (GATE of Part 4): a critical one waits for a
// human, even if it was agreed or scored (R027). After it, only the answer to a question
// is written.
func (m *reducer) gate() {
	m.transition(StageGate)
	if m.unsettle() {
		m.outcome()
	}
	d0, chooses := m.Agenda.d0(), m.choice() != nil // then the choice ends first
	for i := range m.Agenda.Decisions {
		if d := &m.Agenda.Decisions[i]; d != d0 || !chooses {
			m.endDecision(d)
		}
	}
	if chooses {
		m.endDecision(d0)
	}
	m.verdict()
	if !m.sumsUp() {
		m.transition(StagePublish)
	}
}

// unsettle withdraws a keep that all hold if too few of its holders are left: a lost party holds
// nothing, and a silent one settles nothing (M09, M19). It reports whether it did.
func (m *reducer) unsettle() bool {
	d := m.Agenda.d0()
	left := lists.Keep(m.voices(d), func(v voice) bool { return m.Table.sits(v.Party) })
	if cmp.Or(d.settled(), d.Common) != string(Keep) || majority(left) == string(Keep) {
		return false
	}
	d.Held, d.Common, d.Settled = "", "", false
	d.Recommendation = d.recommended(m.barred(d)) // even if a person was already asked
	return true
}

// endDecision ends one decision, even if it ended otherwise before.
func (m *reducer) endDecision(d *Decision) {
	d.Why = Why{}
	barred := m.barred(d)
	chosen, follows := m.byChoice(d)
	if m.Table.twoSided(m.Ending.Outcome) && !follows {
		d.divided(m.Asking.Stopped)
	}
	d.Critical = len(d.Triggers) > 0
	d.Fingerprint = fingerprint(m.Received.Anchor, *d)
	d.LinkedHash = m.linkedHash(*d)
	if m.Ending.Outcome != DegradedLocal {
		d.Recommendation = d.recommended(barred)
	}
	if follows {
		d.Recommendation = string(chosen)
	}
	switch {
	case d.Critical:
		d.Outcome = AwaitingHuman
		d.Human = &Human{Status: ItemAwaiting, Sink: m.Received.Inquiry.sink(d), AskedAt: m.Clock.At, Quoted: m.quoted(d)}
		m.decidedBefore(d)
	case !m.Table.twoSided(m.Ending.Outcome):
		d.Outcome = Undecided
	case !barred.IsZero() && d.wouldKeep():
		d.Outcome, d.Why = Undecided, barred
	case follows && chosen == "":
		d.Outcome, d.Why = Undecided, because(WhyChoiceOpen)
	case follows:
		d.Outcome, d.Why = Adopted, because(WhyByChoice)
	case d.Settled:
		d.Outcome = Settled
		m.tellGround(d)
	case d.winner() != "":
		d.Outcome = Adopted
		m.tellGround(d)
	default:
		d.Outcome = Undecided
	}
	m.reached(d)
	if d.Outcome == AwaitingHuman {
		m.happened(Fact{Kind: HumanAsked, Who: EngineParty, About: d.ID, Code: string(d.Human.Sink)})
	}
}

// reached records the end of a decision.
func (m *reducer) reached(d *Decision) {
	m.happened(Fact{Kind: DecisionReached, Who: EngineParty, About: d.ID, Code: string(d.Outcome), Other: d.Recommendation, Why: d.Why})
}

// recommended is the option to recommend, "" for none: the settled one, or else the result of the
// judges or of the scores. Of a tie about D0 it is the most careful option, and never a barred
// keep (R036).
func (d *Decision) recommended(barred Why) string {
	option := d.result()
	for _, careful := range []string{string(Reject), string(Revise)} {
		if option == "" && d.disposes() && slices.Contains(d.scores().Tied, careful) {
			option = careful
		}
	}
	if option == string(Keep) && !barred.IsZero() {
		return ""
	}
	return option
}

// lack is the reason why a rubric has no winner.
func (d *Decision) lack() Why {
	if lack := d.scores().Lack; lack != "" {
		return because(WhyCode(lack))
	}
	return d.Unscored
}

// twoSided reports whether there was a debate that can decide something: with the primary and a
// challenger.
func (t *Table) twoSided(as Outcome) bool {
	return !t.PrimaryLost && !slices.Contains([]Outcome{DegradedLocal, Unchallenged}, as)
}

// tellGround names an objection that the primary granted, if no finding asks for a change. If
// nothing confirmed supports what was chosen, by all or by scores, it says so: such a
// recommendation is not settled (M16).
func (m *reducer) tellGround(d *Decision) {
	k := m.Book.granted()
	switch {
	case !d.disposes():
	case !m.rests(d, d.result()):
		d.Outcome, d.Why = Adopted, because(WhyBare)
	case k != nil && d.Held != "" && cmp.Or(d.NoPanel.Code, d.Unscored.Code) == "":
		d.Why = because(WhyGrants, k.ID).saying(clip(k.Objection, 1000))
	}
}

// sink is the first place to ask people about a decision. A disagreement of the models about D0
// goes to the summary; an issue is for decisions that policy or the parties hand to a person
// (R036). A question opens none.
func (q *Inquiry) sink(d *Decision) Sink {
	handed := slices.ContainsFunc(d.Triggers, func(t Trigger) bool { return t.Source != FromProcedure })
	switch {
	case q != nil, d.disposes() && !handed:
		return SinkSummary
	}
	return SinkIssue
}

// barred is the reason against keeping a change as it is: an open P1, an objection that the
// primary granted (R095), a finding that failed the same head before (S11), or that only the
// judges or the scores come to keep, while every party holds something else. Then only a
// person lets it through, and keep is not recommended (R036). In an inquiry an agreed finding
// is part of the answer.
func (m *reducer) barred(d *Decision) Why {
	keeps := func(v voice) bool { return v.Option == string(Keep) }
	against := m.againstKeep()
	switch {
	case !d.disposes(), m.Received.Inquiry != nil:
		return Why{}
	case against.IsZero() && d.winner() == string(Keep) && !slices.ContainsFunc(m.voices(d), keeps):
		return because(WhyNobodyKeeps)
	}
	return against
}

// againstKeep is the reason against keep, in the order of weight.
func (s *State) againstKeep() Why {
	for _, c := range s.Book.live() {
		if why := s.forbidsKeep(c); !why.IsZero() {
			return why
		}
	}
	if k := s.Book.granted(); k != nil {
		return because(WhyGrantedObjection, k.ID)
	}
	return Why{}
}

// divided adds the triggers from the end of a decision, the reasons never to adopt it: a tie, a
// divergence, and an open question without a result (R036, R037, R192). After a stop, nothing
// unscored goes to a person.
func (d *Decision) divided(stopped bool) {
	r, due := d.scores(), !d.Settled && !stopped
	also := strings.Join(d.Unanswered[:min(len(d.Unanswered), 1)], "")
	split := d.NoPanel // no judge could be reached
	if split.IsZero() {
		split = because(WhyJudgesDiffer)
	}
	for _, row := range []struct {
		applies bool
		id      TriggerID
		why     Why
	}{
		{len(r.Tied) > 0, TriggerTie, because(WhyTie, r.Tied...)},
		{r.Diverging, TriggerDivergence, because(WhyDiverging)},
		{due && d.framed() && !r.Scored(), TriggerContested, because(WhyOptionsUnscored).because(d.lack())},
		{due && !d.framed() && d.winner() == "" && d.Panel == nil && len(d.Triggers) == 0, TriggerContested, because(WhyDecisionUnscored).because(d.Unscored)},
		{also != "" && !stopped, TriggerContested, because(WhyAlsoAsks).saying(clip(also, 500))},
		{d.Panel != nil && d.Panel.Option == "", TriggerContested, split},
	} {
		if row.applies {
			d.Triggers = append(d.Triggers, Trigger{ID: row.id, Source: FromProcedure, Class: ClassProcedural, Why: row.why})
		}
	}
}

// decidedBefore keeps the human decisions of earlier heads if neither the question nor its
// text has changed. A decision to merge is asked again if this head brings
// something new (M20).
func (m *reducer) decidedBefore(d *Decision) {
	answers := m.Received.Previous.answersTo(d)
	if len(answers) == 0 {
		return
	}
	human, head := (Human{}).answered(d, answers), m.Snapshot.HeadSHA
	if d.disposes() && human.Option == string(Keep) && human.Head != head {
		if n := m.newSince(); len(n.claims) > 0 || n.objection != nil { // a model's choice alone is no new problem
			d.Human.Earlier = append([]PersonAnswer(nil), human.Answers()...)
			return
		}
	}
	d.Outcome = HumanDecided
	d.Human = Human{Sink: d.Human.Sink, Quoted: d.Human.Quoted}.answered(d, answers)
	for _, a := range d.Human.Answers() {
		m.humanSays(d, a)
	}
}

// verdict computes the two values that people read first: the confidence and the disposition.
func (s *State) verdict() {
	s.Ending.Confidence, _ = s.Sure()
	d := s.Agenda.decision("D0")
	switch {
	case d == nil:
	case d.choice() != "":
		s.Ending.Disposition = Disposition(d.choice())
	case s.Ending.Outcome != DegradedLocal:
		s.Ending.Disposition = Continue
	}
	if s.Ending.Disposition != Keep {
		return
	}
	switch beyond := !s.beyondAcceptance().IsZero(); {
	case beyond && d.settled() == string(Reject):
		s.Ending.Disposition = Reject
	case beyond, !s.heldBack().IsZero():
		s.Ending.Disposition = Revise
	}
}

// degrade ends a debate that cannot take place: the critique is local, nothing is adopted, and
// only policy opens human items (R076, R080).
func (m *reducer) degrade(why Why) {
	m.Ending.Outcome, m.Ending.OutcomeReason = DegradedLocal, why
	if m.Received.Settings.AbortIfNoParty {
		m.abort(because(WhyNoDebate).because(why))
		return
	}
	m.transition(StageDegraded)
	switch {
	case !m.Table.sits(m.Table.Primary), len(m.Talk.Positions) > 0, m.Talk.Exit != "", m.Received.Settings.Stranger,
		!m.ask(CallLocal, 0, m.Split.perChunk([]string{m.Table.Primary})).IsZero():
		m.endDegraded()
	}
}

// criticised takes the local critique of the primary. Its claims are listed as unconfirmed.
func (m *reducer) criticised(all []said) {
	usable := valid(all)
	for _, x := range usable {
		x.Reply = doubted(*x.Reply)
		m.Talk.opens(x)
		m.claims(x.Party, 0, x)
		m.hear(x.Party, x.Reply)
	}
	if m.Received.Inquiry != nil && len(usable) > 0 { // the answer is no position of a debate: it decides nothing
		m.Talk.Positions = append(m.Talk.Positions, firstPosition(usable[0].Party, usable))
	}
	m.describe(all)
	m.attendance(all[0].Party, all, len(usable)) // of the primary alone
	m.merge()
}

// doubted is a local critique with the doubts about each claim inside the claim: there is no
// other party to raise them.
func doubted(r Reply) *Reply {
	r.Claims = slices.Clone(r.Claims)
	for i := range r.Claims {
		for _, d := range lists.Keep(r.SelfChallenges, func(d SelfChallenge) bool { return d.Claim == i }) {
			r.Claims[i].Body = joined(r.Claims[i].Body, d.Text)
		}
	}
	return &r
}

func (m *reducer) endDegraded() {
	m.ration()
	m.settleClaims()
	for i := range m.Split.Coverage {
		if c := &m.Split.Coverage[i]; m.Received.Inquiry == nil && c.Excluded == NotExcluded {
			c.By = append(slices.Clip(c.By), EngineParty)
		}
	}
	m.Ending.Disposition = Continue
	if slices.ContainsFunc(m.Book.Agreed(), func(c Claim) bool { return c.severe() }) {
		m.Ending.Disposition = Revise
	}
	framed := m.Received.Framed()
	d := &framed[0]
	d.Recommendation = string(m.Ending.Disposition)
	d.Triggers = m.Agenda.policy()
	if m.Received.Settings.Stranger { // no issue for the change of a stranger
		d.Triggers = nil
	}
	m.Agenda.Decisions = framed
	m.gate()
}
