package debate

import (
	"cmp"
	"slices"

	"github.com/prdebate/debate/internal/lists"
)

// engage derives a challenger's engagement from its verdict (R085, R090): its own objection turns
// an agreement into a partial one.
func (m *reducer) engage(party string, own []said) {
	seat, usable := m.Table.seat(party), valid(own)
	verdict := Verdict("") // the harshest of its replies
	for _, milder := range []Verdict{VerdictAgree, VerdictPartial, VerdictDisagree} {
		if slices.ContainsFunc(usable, func(x said) bool { return x.Reply.Verdict == milder }) {
			verdict = milder
		}
	}
	at := m.Talk.Position().Disposition
	moved := len(m.Talk.Positions) > 0 && m.Talk.Positions[0].Disposition != at
	if verdict == VerdictDisagree && moved && seat.Option == at {
		verdict = VerdictPartial // the position has come to its choice
	}
	seat.Verdict = verdict
	if m.Received.Inquiry != nil {
		m.chooses(seat, m.Talk.Position(), m.Agenda.Framed, objection(own))
	}
	m.objectToPosition(party, verdict, own)
	live := lists.Keep(m.Book.attacksBy(party), (*Challenge).Live)
	names := func(x said) bool { return x.Reply.Strongest != nil }
	objects := len(live) > 0 || slices.ContainsFunc(usable, names)
	if slices.ContainsFunc(usable, func(x said) bool { return x.Reply.Strength == StrengthStrong }) {
		for _, k := range live {
			k.weighs()
		}
	}
	seat.Engagement = verdict.engages(objects)
	// It has named a check in any part of the change, or opened with valid lines (R093). If it says
	// nothing about a claim, it has not weighed this claim, and nothing else follows.
	opened := func(o Opened) bool { return o.Party == party && o.Looked }
	seat.Substance = slices.ContainsFunc(m.Talk.Openings, opened) || slices.ContainsFunc(usable, said.looked)
}

// engages is the engagement for a verdict, of a party with or without an objection. No verdict
// is no agreement.
func (v Verdict) engages(objects bool) Engagement {
	switch {
	case v == VerdictDisagree:
		return Disagrees
	case v == VerdictAgree && !objects:
		return Agrees
	}
	return Partially
}

// objectToPosition opens a challenge to the position for a challenger that argues for another
// result in words alone: it recommends something else, disagrees, or declares and states a
// strong objection (R087, R089, R090). If it argues in findings, their threads are enough.
func (m *reducer) objectToPosition(party string, verdict Verdict, own []said) {
	seat := m.Table.seat(party)
	differs, k := seat.differs(m.Talk.Position().Disposition), m.Book.against(PositionSubject, party)
	means, option := Disagreement, Disposition("")
	strongly := func(x said) bool { return objection([]said{x}) != "" && x.Reply.Strength == StrengthStrong }
	switch {
	case k != nil && differs: // it has objected before, without an option
		k.Option = seat.Option
		k.weighs()
		return
	case k != nil, m.arguesInClaims(party):
		return
	case differs:
		means, option = wants(seat.Option), seat.Option
	case verdict == VerdictDisagree:
	case slices.ContainsFunc(own, strongly):
		means = StrongObjection
	default:
		return
	}
	k = m.newChallenge(PositionSubject, party, m.Table.Primary, Skeptical, objection(own))
	k.Means, k.Strength, k.Option = means, StrengthModerate, option
}

// arguesInClaims reports whether a party argues for its recommendation about a change in
// findings: it has a severe one of its own, or attacks one. A question has one thread for each
// dissenter.
func (s *State) arguesInClaims(party string) bool {
	owns := func(c *Claim) bool {
		return c.debated() && (c.Owner == party || slices.Contains(c.ReportedBy, party))
	}
	attacks := func(k *Challenge) bool { return !k.toPosition() }
	return s.Received.Inquiry == nil && (slices.ContainsFunc(s.Book.severe(), owns) || s.Book.attacksBy(party).any(attacks))
}

// objection is the text of a party against the position.
func objection(own []said) string {
	text := ""
	for _, x := range valid(own) {
		r := x.Reply
		for _, line := range slices.Concat([]string{r.Summary, r.Alternative}, lists.First(r.AssumptionsChallenged, maxRefs), lists.First(r.P1, maxRefs)) {
			text = joined(text, line)
		}
	}
	return text
}

// bringsReason reports whether a party raises a claim with a valid citation.
func bringsReason(own []said) bool {
	cites := func(c NewClaim) bool { return anyFound(c.Refs) }
	return slices.ContainsFunc(valid(own), func(x said) bool { return slices.ContainsFunc(x.Reply.Claims, cites) })
}

// looked reports whether a reply cites valid lines, names a case that it tried, or gives a
// reason for agreeing to a claim.
func (x said) looked() bool {
	weighed := slices.ContainsFunc(x.Reply.Evaluations, func(ev Evaluating) bool {
		return anyFound(ev.Refs) || ev.Class == ClassAgree && ev.Flaw+ev.UpgradeIf != ""
	})
	objected := x.Reply.Strongest != nil && anyFound(x.Reply.Strongest.Refs)
	answered := slices.ContainsFunc(x.Reply.Answers, func(a Answer) bool { return anyFound(a.Refs) })
	return weighed || objected || answered || bringsReason([]said{x}) || slices.ContainsFunc(x.Reply.Checked, Check.looks)
}

func anyFound(refs []Ref) bool {
	return slices.ContainsFunc(refs, func(r Ref) bool { return r.Found.Quoted() })
}

// looks reports whether a check names its case or its lines.
func (c Check) looks() bool { return c.Scenario != "" || anyFound(c.Refs) }

// consensus routes the debate after CHALLENGE (R086-R093).
func (m *reducer) consensus() {
	m.transition(StageConsensus)
	if m.alone() {
		return
	}
	m.closeDissents()
	blockers := m.blockers()
	if len(blockers) > 0 {
		m.route(because(WhyObjection, blockers[0]))
		m.confront()
		return
	}
	partial := func(seat *Seat) bool { return seat.Engagement == Partially }
	switch {
	case m.Talk.Confrontations > 0: // a latecomer has nothing to add
		m.ends(ExitConverged, because(WhyConverged))
	case slices.ContainsFunc(m.Table.challengers(), partial):
		m.ends(ExitFast, because(WhyMinor))
	default:
		m.ends(ExitFast, because(WhyNoDissent))
	}
}

// object turns the strongest objection of a party into a challenge to the named claim, into a
// claim about a segment, or into a challenge to the position (R088, R089).
func (m *reducer) object(party string, n int, o Objection) {
	switch c := m.Book.survivor(o.Claim); {
	case o.Text == "":
	case c != nil && c.Owner != party:
		class := ClassSkeptical
		if o.Fatal == FatalYes {
			class = ClassReject
		}
		m.evaluate(party, n, Evaluating{Claim: c.ID, Class: class, Flaw: o.Text, Refs: o.Refs}, &Reply{})
	case m.Split.segment(o.Segment) != nil, anyFound(o.Refs):
		// A fatal objection is a P1, and one without a grade is worth fixing.
		claim := NewClaim{Segment: o.Segment, Title: clip(o.Text, 120), Refs: o.Refs}
		claim.Severity = cmp.Or(map[Fatal]Severity{FatalYes: P1, FatalNo: P3}[o.Fatal], P2)
		if claim.Title != o.Text {
			claim.Body = o.Text
		}
		m.raise(party, n, claim)
	case party == m.Table.Primary: // the position is its own
		m.ledger(TagUnverified, party, "objection: "+clip(o.Text, 500), PositionSubject)
	default:
		k := m.newChallenge(PositionSubject, party, m.Table.Primary, Skeptical, o.Text)
		if o.Fatal != FatalNo {
			k.Strength = StrengthModerate
		}
	}
}

// passedOver notes the claims, of the first known ones, without an evaluation although the primary
// was asked. The primary is reminded of each once; then the claim is listed as not weighed,
// and repeats no exchange (M07b).
func (m *reducer) passedOver(known int) {
	for _, c := range lists.Pointers(m.Book.Claims[:known], m.unweighed) {
		c.Passed++
	}
}

// abstain removes the word of challengers that name none of their checks. Their evaluation of a
// claim without lines no longer supports it (R093, M02).
func (m *reducer) abstain() {
	silent := lists.Pointers(m.Table.Seats, func(seat *Seat) bool {
		return seat.Party != m.Table.Primary && m.Book.silent(seat, m.Talk.Position().Disposition)
	})
	if len(silent) == 0 {
		return
	}
	for _, seat := range silent {
		seat.Engagement = Abstains
	}
	for i := range m.Book.Claims {
		m.verify(&m.Book.Claims[i])
	}
}

// route notes the next step after an exchange.
func (m *reducer) route(why Why) {
	r := &m.Talk.Rounds[len(m.Talk.Rounds)-1]
	r.Route = why
	moved := "moved"
	if r.Thin {
		moved = "thin"
	}
	m.happened(Fact{Kind: RoundEnded, N: r.N, Who: EngineParty, Code: moved, Why: why})
}
