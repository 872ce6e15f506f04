package debate

import (
	"cmp"
	"slices"

	"github.com/prdebate/debate/internal/lists"
)

// engage derives what a challenger's verdict amounts to (R085, X05, X09): an
// objection of its own turns an agreement into a partial one, and an agreement
// that says nothing of what it looked at is suspect.
func (l *listener) engage(party string, own []said, known int) {
	seat := l.table.seat(party)
	verdict, declared := declaredBy(own)
	if verdict == VerdictDisagree && l.talk.moved() && seat.Option == l.talk.Position().Disposition {
		verdict = VerdictPartial // the position has come to what it wants
	}
	seat.Verdict = verdict
	l.objectToPosition(party, verdict, own)
	if l.received.Inquiry != nil {
		l.hearing().chooses(seat, l.talk.Position(), l.agenda.Framed, objection("", own))
	}
	live := lists.Keep(l.book.attacksBy(party), (*Challenge).Live)
	objects := len(live) > 0
	for _, k := range live {
		if declared {
			k.weighs()
		}
	}
	seat.Engagement = verdict.engages(objects)
	seat.Substance = l.substantive(party, own, l.duties(own, known))
	raises := func(x said) bool { return len(x.Reply.Claims) > 0 }
	switch raised := len(l.book.owned(party)) > 0 || slices.ContainsFunc(valid(own), raises); {
	case seat.Substance, objects, seat.Engagement == Partially && raised: // who disagrees objects to something
		seat.Suspect = false
	default:
		seat.Suspect = true
	}
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
	text, option := disagrees, Disposition("")
	switch {
	case seat.differs(l.talk.Position().Disposition):
		text, option = recommends(seat.Option), seat.Option
	case l.book.attacksBy(party).live() != nil:
		return
	case verdict == VerdictDisagree:
	case slices.ContainsFunc(own, said.objectsStrongly):
		text = objectsStrongly
	default:
		return
	}
	if k := l.book.against(PositionSubject, party); k != nil { // it has objected without saying what it wants
		k.Option = seat.Option
		k.weighs()
		return
	}
	k := l.clerk.newChallenge(PositionSubject, party, l.table.Primary, Skeptical, objection(text, own))
	k.Strength, k.Option = StrengthModerate, option
	if bringsReason(own) {
		k.Strength = StrengthStrong
	}
}

// objectsStrongly reports whether a reply declares a strong objection and says what
// it is.
func (x said) objectsStrongly() bool {
	return objection("", []said{x}) != "" && x.Reply.Strength == StrengthStrong
}

// objection is what a party says against the position, after what it comes to.
func objection(text string, own []said) string {
	for _, x := range valid(own) {
		r := x.Reply
		if text != "" && r.Summary != "" {
			text += ":"
		}
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

// duties are what an agreement must show to be one, for each part of the change
// that a party was heard on: the P1 and P2 claims among the first known ones, of which
// its own are covered as they are (X05, S13).
func (l *listener) duties(own []said, known int) []Duty {
	var list []Duty
	for _, x := range valid(own) {
		d := Duty{Chunk: x.Chunk}
		for i := range l.book.Claims[:min(known, len(l.book.Claims))] {
			switch c := &l.book.Claims[i]; {
			case c.protected(), !c.debated(), !c.severe():
			case covers(x.Chunk, l.split.chunkOf([]string{c.Segment})):
				d.Claims = append(d.Claims, c.ID)
			}
		}
		list = append(list, d)
	}
	return list
}

// substantive reports whether an agreement says what it looked at: every P1 and
// P2 claim by its id, and at least one citation that resolves or one scenario
// that was tried, in each chunk (X05, S13). What its replies leave open of that is
// kept for a PRESS, whose reply adds to what the party has shown.
func (l *listener) substantive(party string, own []said, due []Duty) bool {
	left := lists.Map(due, func(d Duty) Duty {
		here := lists.Keep(valid(own), func(x said) bool { return covers(x.Chunk, d.Chunk) })
		looks := func(x said) bool { return l.looked(x, d.Chunk) }
		owes := func(c *Claim) bool { return c.debated() && !l.book.covered(party, c, own) }
		claims := lists.Map(lists.Keep(lists.Map(d.Claims, l.book.survivor), owes), (*Claim).id)
		return Duty{Chunk: d.Chunk, Claims: claims, Looked: d.Looked || l.talk.looked(party, d.Chunk) || slices.ContainsFunc(here, looks)}
	})
	seat := l.table.seat(party)
	seat.Owes = lists.Keep(left, Duty.unmet)
	return len(due) > 0 && len(seat.Owes) == 0
}

// unmet reports whether something is left of a duty.
func (d Duty) unmet() bool { return !d.Looked || len(d.Claims) > 0 }

// looked reports whether a reply names something of a chunk that was looked at.
// A reply to a call over several chunks says by its ids which one it means.
func (l *listener) looked(x said, chunk string) bool {
	weighed := lists.Map(x.Reply.Evaluations, func(ev Evaluating) Check { return Check{Claim: ev.Claim, Refs: ev.Refs} })
	raised := lists.Map(x.Reply.Claims, func(nc NewClaim) Check { return Check{Segment: nc.Segment, Refs: nc.Refs} })
	shown := lists.Keep(slices.Concat(x.Reply.Checked, weighed, raised), Check.looks)
	return slices.ContainsFunc(shown, func(ch Check) bool {
		if x.Chunk == chunk {
			return true
		}
		at := cmp.Or(l.book.survivor(ch.Claim), &Claim{Segment: ch.Segment})
		return l.split.chunkOf([]string{at.Segment}) == chunk
	})
}

// covered reports whether a party has weighed a claim, or says what it tried on
// it.
func (b *Book) covered(party string, c *Claim, own []said) bool {
	if c.Owner == party || c.last(party) != nil {
		return true
	}
	tried := func(ch Check) bool { return ch.looks() && b.is(ch.Claim, c) }
	return slices.ContainsFunc(valid(own), func(x said) bool { return slices.ContainsFunc(x.Reply.Checked, tried) })
}

// is reports whether a claim stands for an id, after all merges.
func (b *Book) is(id string, c *Claim) bool {
	return cmp.Or(b.survivor(id), &Claim{}).ID == c.ID
}

func anyFound(refs []Ref) bool {
	return slices.ContainsFunc(refs, func(r Ref) bool { return r.Found.Quoted() })
}

// looks reports whether what a party tried says what it looked at.
func (c Check) looks() bool { return c.Scenario != "" || anyFound(c.Refs) }

// consensus routes the debate after CHALLENGE and PRESS (R086-R093, X05, X09).
func (m *reducer) consensus() {
	s := m.state
	m.transition(StageConsensus)
	if m.desk.press() {
		m.transition(StagePress)
		return
	}
	if m.alone() {
		return
	}
	m.clerk.abstain(func(seat *Seat) bool { return seat.Suspect })
	m.clerk.dissents()
	blockers := s.Table.blockers(&s.Book)
	if len(blockers) > 0 {
		m.clerk.route(because(WhyObjection, blockers[0]))
		m.confront(noReserve)
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

// press asks the challengers whose agreement is suspect for the strongest
// objection, once each (R093, X05). Only standard mode has this stress test. It reports whether
// somebody is asked.
func (k *desk) press() bool {
	if k.received.Mode != Standard {
		return false
	}
	due := lists.Keep(k.table.challengers(), func(seat *Seat) bool { return seat.Suspect && !seat.Pressed })
	if !k.ask(CallPress, 1, one(lists.Map(due, (*Seat).party))).IsZero() {
		return false
	}
	for _, seat := range due {
		seat.Pressed = true
	}
	return true
}

// pressed takes the strongest objections, and what a party says of the position
// on a second look: its last word (R089, S04). One that still has no objection
// and has not shown in both replies together what it looked at abstains (X05).
func (m *reducer) pressed(all []said) {
	s := m.state
	s.Talk.round(s.Table.Parties, 1, all)
	for _, x := range all {
		if !m.listener.attends(x) {
			continue
		}
		seat := s.Table.seat(x.Party) // its agreement is suspect, or it was not asked
		m.listener.hear(x.Party, x.Reply)
		m.listener.takeStance(x.Party, x.Reply)
		m.listener.hearing().trials(x.Party, x.Reply.Checked)
		m.listener.claims(x.Party, 1, x)
		seat.Substance = m.listener.substantive(x.Party, []said{x}, seat.Owes)
		known := len(s.Book.Challenges)
		o := cmp.Or(x.Reply.Strongest, &Objection{})
		if o.Text != "" {
			m.listener.object(x.Party, *o)
		}
		m.listener.objectToPosition(x.Party, x.Reply.Verdict, []said{x})
		switch {
		case x.Reply.Verdict == VerdictDisagree:
			seat.Engagement, seat.Suspect = Disagrees, false
		case o.Text != "", len(s.Book.Challenges) > known:
			seat.Engagement, seat.Suspect = Partially, false
		default:
			seat.Suspect = !seat.Substance
			if x.Reply.Verdict == VerdictPartial { // it takes back half of its agreement
				seat.Engagement = Partially
			}
		}
	}
	m.clerk.merge()
	m.consensus()
}

// object turns the strongest objection of a pressed party into a challenge to
// its claim, into a claim of its own about a segment, or into a challenge to the
// position.
func (l *listener) object(party string, o Objection) {
	switch c := l.book.survivor(o.Claim); {
	case c != nil && c.Owner != party:
		class := ClassSkeptical
		if o.Fatal == FatalYes {
			class = ClassReject
		}
		l.hearing().evaluate(party, 1, Evaluating{Claim: c.ID, Class: class, Flaw: o.Text, Refs: o.Refs},
			[]Change{{Claim: c.ID, Because: "pressed for its strongest objection"}})
	case l.split.segment(o.Segment) != nil, anyFound(o.Refs):
		severity := P2
		if o.Fatal == FatalNo {
			severity = P3
		}
		l.clerk.raise(party, 1, NewClaim{Segment: o.Segment, Severity: severity, Title: clip(o.Text, 120), Body: o.Text, Refs: o.Refs})
	default:
		k := l.clerk.newChallenge(PositionSubject, party, l.table.Primary, Skeptical, o.Text)
		if o.Fatal != FatalNo {
			k.Strength = StrengthModerate
		}
	}
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
// of a challenger, because nobody but its owner has (S06).
func (t *Table) unweighed(c *Claim) bool {
	if c.Owner == t.Primary || !c.weighty() || c.Passed > 1 {
		return false
	}
	weighs := func(e Evaluation) bool { return e.Party != c.Owner && (e.Qualified || !t.abstains(e.Party)) }
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
// confirms nothing (X05).
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
