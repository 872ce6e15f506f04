package debate

import (
	"cmp"
	"slices"

	"github.com/prdebate/debate/internal/lists"
)

// engage derives what a challenger's verdict amounts to (R085, X09): an objection of
// its own turns an agreement into a partial one.
func (l *listener) engage(party string, own []said) {
	seat := l.table.seat(party)
	verdict, declared := declaredBy(own)
	if verdict == VerdictDisagree && l.talk.moved() && seat.Option == l.talk.Position().Disposition {
		verdict = VerdictPartial // the position has come to what it wants
	}
	seat.Verdict = verdict
	l.objectToPosition(party, verdict, own)
	if l.received.Inquiry != nil {
		l.hearing().chooses(seat, l.talk.Position(), l.agenda.Framed, objection(own))
	}
	live := lists.Keep(l.book.attacksBy(party), (*Challenge).Live)
	names := func(x said) bool { return x.Reply.Strongest != nil }
	objects := len(live) > 0 || slices.ContainsFunc(valid(own), names)
	for _, k := range live {
		if declared {
			k.weighs()
		}
	}
	seat.Engagement = verdict.engages(objects)
	seat.Substance = l.substantive(party, own)
}

// declaredBy is the harshest verdict of some replies, and whether one declares a strong
// objection.
func declaredBy(own []said) (verdict Verdict, strong bool) {
	usable := valid(own)
	verdicts := append([]Verdict{""}, lists.Map(usable, func(x said) Verdict { return x.Reply.Verdict })...)
	strong = slices.ContainsFunc(usable, func(x said) bool { return x.Reply.Strength == StrengthStrong })
	return slices.MaxFunc(verdicts, Verdict.compare), strong
}

// engages is what a verdict amounts to, of a party that objects to something or not.
// What is not said is no agreement.
func (v Verdict) engages(objects bool) Engagement {
	switch {
	case v == VerdictDisagree:
		return Disagrees
	case v == VerdictAgree && !objects:
		return Agrees
	}
	return Partially
}

// compare orders verdicts, the one that is furthest from agreement last.
func (v Verdict) compare(other Verdict) int {
	milder := []Verdict{VerdictAgree, VerdictPartial, VerdictDisagree}
	return slices.Index(milder, v) - slices.Index(milder, other)
}

// objectToPosition opens a challenge to the position for a challenger that
// recommends something else, whatever its verdict says (X09), and for one that
// disagrees, or declares a strong objection and says what it is, without attacking
// anything (R089, X24, M10).
func (l *listener) objectToPosition(party string, verdict Verdict, own []said) {
	seat := l.table.seat(party)
	means, option := Disagreement, Disposition("")
	switch {
	case seat.differs(l.talk.Position().Disposition):
		means, option = wants(seat.Option), seat.Option
	case l.book.attacksBy(party).live() != nil:
		return
	case verdict == VerdictDisagree:
	case slices.ContainsFunc(own, said.objectsStrongly):
		means = StrongObjection
	default:
		return
	}
	if k := l.book.against(PositionSubject, party); k != nil { // it has objected without saying what it wants
		k.Option = seat.Option
		k.weighs()
		return
	}
	k := l.clerk.newChallenge(PositionSubject, party, l.table.Primary, Skeptical, objection(own))
	k.Means, k.Strength, k.Option = means, StrengthModerate, option
	if bringsReason(own) {
		k.Strength = StrengthStrong
	}
}

// objectsStrongly reports whether a reply declares a strong objection and says what
// it is.
func (x said) objectsStrongly() bool {
	return objection([]said{x}) != "" && x.Reply.Strength == StrengthStrong
}

// objection is what a party says against the position.
func objection(own []said) string {
	text := ""
	for _, x := range valid(own) {
		r := x.Reply
		for _, line := range slices.Concat([]string{r.Summary, r.Alternative}, keep(r.AssumptionsChallenged, maxRefs), keep(r.P1, maxRefs)) {
			text = joined(text, line)
		}
	}
	return text
}

// bringsReason reports whether a party raises a claim that cites what is there.
func bringsReason(own []said) bool {
	cites := func(c NewClaim) bool { return anyFound(c.Refs) }
	return slices.ContainsFunc(valid(own), func(x said) bool { return slices.ContainsFunc(x.Reply.Claims, cites) })
}

// substantive reports whether a party has said anything of what it looked at, in any part
// of the change (R093). A claim that it says nothing of is not weighed by it, and nothing
// else follows.
func (l *listener) substantive(party string, own []said) bool {
	return l.talk.looked(party) || slices.ContainsFunc(valid(own), said.looked)
}

// looked reports whether a reply cites lines that are there, names a case that was tried,
// or says why it agrees to a claim.
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

// looks reports whether what a party tried says what it looked at.
func (c Check) looks() bool { return c.Scenario != "" || anyFound(c.Refs) }

// consensus routes the debate after CHALLENGE (R086-R093, X09).
func (m *reducer) consensus() {
	s := m.state
	m.transition(StageConsensus)
	if m.alone() {
		return
	}
	m.clerk.dissents()
	blockers := s.Table.blockers(&s.Book)
	if len(blockers) > 0 {
		m.clerk.route(because(WhyObjection, blockers[0]))
		m.confront()
		return
	}
	partial := func(seat *Seat) bool { return seat.Engagement == Partially }
	switch {
	case s.Talk.Confrontations > 0: // who came later has nothing to add
		m.ends(ExitConverged, because(WhyConverged))
	case slices.ContainsFunc(s.Table.challengers(), partial):
		m.ends(ExitFast, because(WhyMinor))
	default:
		m.ends(ExitFast, because(WhyNoDissent))
	}
}

// object turns the strongest objection that a party finds into a challenge to the
// claim that it names, into a claim of its own about a segment, or into a challenge to
// the position (R088, R089).
func (l *listener) object(party string, n int, o Objection) {
	switch c := l.book.survivor(o.Claim); {
	case o.Text == "":
	case c != nil && c.Owner != party:
		class := ClassSkeptical
		if o.Fatal == FatalYes {
			class = ClassReject
		}
		l.hearing().evaluate(party, n, Evaluating{Claim: c.ID, Class: class, Flaw: o.Text, Refs: o.Refs}, nil)
	case l.split.segment(o.Segment) != nil, anyFound(o.Refs):
		l.clerk.raise(party, n, NewClaim{Segment: o.Segment, Severity: o.Fatal.severity(), Title: clip(o.Text, 120), Body: o.Text, Refs: o.Refs})
	case party == l.table.Primary: // the position is its own
		l.clerk.ledger(TagUnverified, party, "objection: "+clip(o.Text, 500), PositionSubject, "")
	default:
		k := l.clerk.newChallenge(PositionSubject, party, l.table.Primary, Skeptical, o.Text)
		if o.Fatal != FatalNo {
			k.Strength = StrengthModerate
		}
	}
}

// severity is that of a claim that an objection makes: a fatal one breaks something, and
// one that does not say how grave it is should be seen to.
func (f Fatal) severity() Severity {
	return cmp.Or(map[Fatal]Severity{FatalYes: P1, FatalNo: P3}[f], P2)
}

// blockers says what stands in the way of an exit without confrontation (S06):
// a strong or moderate objection, an open challenge to a P1 or P2 claim, and a
// P1 or P2 claim of a challenger that nobody else has weighed.
func (t *Table) blockers(b *Book) []string {
	blocking := lists.Keep(b.attacksThat((*Challenge).Live), func(k *Challenge) bool { return k.blocks(b.named(k.Claim)) })
	return append(lists.Map(blocking, (*Challenge).id), b.claimsThat(t.unweighed)...)
}

// blocks reports whether parties have to speak about a live challenge to a claim: not about
// what the engine saw itself and defends, nor about a position that nobody is left to
// defend.
func (k *Challenge) blocks(c *Claim) bool {
	idle := k.Defender == EngineParty && (k.toPosition() || c.Owner == EngineParty)
	switch {
	case idle, !c.debated():
		return false
	case c.severe():
		return true
	}
	return k.Strength != StrengthMinor
}

// unweighed reports whether the primary still has to evaluate a P1 or P2 claim
// of a challenger, because nobody but its owner has (S06). A bare agreement of
// another challenger weighs nothing.
func (t *Table) unweighed(c *Claim) bool {
	if c.Owner == t.Primary || !c.weighty() || c.Passed > 1 {
		return false
	}
	weighs := func(e Evaluation) bool {
		return e.Party != c.Owner && (e.Qualified || e.Reasoned || e.Party == t.Primary || e.Class != ClassAgree)
	}
	return !slices.ContainsFunc(c.Evaluations, weighs)
}

// weighty reports whether others than its owner have to weigh a claim: a P1 or P2
// claim of a party that is debated, or late with evidence, which never is (X21).
func (c *Claim) weighty() bool {
	switch {
	case c.protected(), !c.severe(), c.beside(), c.Reframe:
		return false
	case c.Late:
		return qualified(c.Evidence)
	}
	return !c.NotDebated
}

// passed notes what nobody has weighed although the primary was asked to, of the
// first known claims. It is reminded of each once; after that the claim is listed as
// not weighed, and repeats no exchange (M07b).
func (t *Table) passed(b *Book, known int) {
	for _, c := range findAll(b.Claims[:known], t.unweighed) {
		c.Passed++
	}
}

// abstains reports whether a party says nothing of what it looked at: its word
// confirms nothing (R093).
func (s *Table) abstains(party string) bool {
	return s.fares(party).Engagement == Abstains
}

// route notes where the debate went from an exchange.
func (b *clerk) route(why Why) {
	r := &b.talk.Rounds[len(b.talk.Rounds)-1]
	r.Route = why
	moved := "moved"
	if r.Thin {
		moved = "thin"
	}
	b.happened(Fact{Kind: RoundEnded, N: r.N, Who: EngineParty, Code: moved, Why: why})
}
