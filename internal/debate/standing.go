package debate

import (
	"slices"

	"github.com/prdebate/debate/internal/lists"
)

// NotWeighedBy are the parties that debated to the end and said nothing of a claim. They
// have read the change all the same: nothing else follows from it.
func (s State) NotWeighedBy(c Claim) []string {
	if !s.Ending.Outcome.debated() || c.protected() || !c.debated() {
		return nil
	}
	spoke := lists.Map(s.Book.attacks(c.ID), func(k *Challenge) string { return k.Attacker })
	for _, o := range s.Book.told(&c) {
		spoke = slices.Concat(spoke, []string{o.Owner}, o.ReportedBy, lists.Map(o.Evaluations, func(e Evaluation) string { return e.Party }))
	}
	silent := lists.Keep(s.Table.Seats, func(seat Seat) bool {
		return seat.Active() && seat.SpokeAt > 0 && !slices.Contains(spoke, seat.Party)
	})
	return lists.Map(silent, func(seat Seat) string { return seat.Party })
}

// shows reports whether some evidence shows something that a claim does not cite
// itself (M02), or against the position any line of code. What was cited in support
// of the claim since is not its own.
func (b *Book) shows(against string, found []Evidence) bool {
	c := b.claim(against)
	if c == nil {
		return showsCode(found)
	}
	own := lists.Keep(c.Evidence, func(e Evidence) bool { return e.By == c.Owner || slices.Contains(c.ReportedBy, e.By) })
	return substantiates(quotes(found), cited(own))
}

// answers notes that somebody who holds a claim answers what is shown against it
// with a quote, in challenges that stood before this event: nobody in one wave has
// heard the others.
func (b *clerk) answers(c *Claim, party string, found []Evidence) {
	if !showsCode(found) || !slices.Contains(b.support.holding(c).voices, b.table.voice(party)) {
		return
	}
	for _, k := range b.book.attacks(c.ID) {
		k.Answered = k.Answered || k.RaisedAt < b.event && k.stands()
	}
}

// dissents closes the objections in words alone to what two voices hold on lines
// that are there: they are printed with their words, and nobody is asked about them
// any more (M02). The party that defends the claim hears them once before that, unless
// the talk is over (M09), and if as many doubt it as hold it, so does each party that holds it.
func (b *clerk) dissents() {
	talks := b.talk.Exit == ""
	for i := range b.book.Challenges {
		k := &b.book.Challenges[i]
		switch {
		case b.outvoted(k):
			b.dissent(k, WhyWordsHeard)
		case !b.opposesInWords(k), talks && k.Status == Open, talks && k.Status == Defended && b.passOn(k):
		default:
			b.dissent(k, WhyWordsAlone)
		}
	}
}

// dissent closes an objection as words that move nothing.
func (b *clerk) dissent(k *Challenge, why WhyCode) {
	b.close(k, Dissent, because(why))
}

// opposesInWords reports whether a challenge shows nothing against what two voices hold on
// lines that are there.
func (b *clerk) opposesInWords(k *Challenge) bool {
	c := b.book.claim(k.Claim)
	switch {
	case c == nil, !k.Disputed(), k.Shown, k.outside(), !c.ofDebate():
		return false
	}
	return qualified(c.Evidence) && b.support.holding(c).joint
}

// outvoted reports whether an objection in words to a position that asks for a change
// was answered once, and two parties and more than half hold that position (M09).
func (b *clerk) outvoted(k *Challenge) bool {
	at := b.talk.Position().Disposition
	switch {
	case !k.toPosition(), !k.awaitsJudgement(), !b.book.inWords(k), b.received.Inquiry != nil, at == Keep, k.wants() == at:
		return false
	}
	active := lists.Keep(b.table.Seats, Seat.Active)
	holds := lists.Keep(active, func(seat Seat) bool { return seat.Party == b.table.Primary || seat.Option == at })
	return len(holds) >= max(2, len(active)/2+1)
}

// outside reports whether a challenge comes from nobody who holds or contests
// claims: the author of the change, or the engine.
func (c Challenge) outside() bool {
	return slices.Contains([]string{AuthorParty, EngineParty}, c.Attacker)
}

// ofDebate reports whether a claim stands or falls by what parties say.
func (c *Claim) ofDebate() bool { return c.SameAs == "" && !c.ofCritic() }

// grounded reports whether more than words that were answered stands behind what a
// party holds: a severe claim that it makes or supports with lines that are there
// and that was not dismissed, an objection that shows something and keeps its claim
// from being confirmed, or one that nobody has answered.
func (b *Book) grounded(party string) bool {
	objects := func(k *Challenge) bool {
		switch c := b.claim(k.Claim); {
		case k.Status == Undefended, k.Status == Dropped, k.Status == Open && k.RoundsOpen == 0: // nobody has answered
			return true
		case c != nil && c.Bucket == Agreed:
			return false
		}
		return k.Shown && k.stands()
	}
	return b.attacksBy(party).any(objects) || b.finds(party)
}

// finds reports whether a party makes or supports a severe claim with lines that are
// there and that was not dismissed. That it is hidden makes no opinion of its weaker.
func (b *Book) finds(party string) bool {
	return slices.ContainsFunc(b.severe(), func(c *Claim) bool {
		switch {
		case c.Bucket == Dismissed && c.Reason != ReasonKnown, !qualified(c.Evidence):
			return false
		case c.Owner == party, slices.Contains(c.ReportedBy, party):
			return true
		}
		return c.agreedBy(party) && c.word(party).Qualified
	})
}

// newTo reports whether some evidence quotes a line of code that neither a claim nor
// what was said against it has quoted (M03). It asks what is remembered, and not the
// threads, which a memory forgets.
func (b *Book) newTo(c *Claim, found []Evidence) bool {
	given := quotes(c.Evidence)
	for _, k := range b.attacks(c.ID) {
		given = append(given, quotes(k.Evidence)...)
	}
	return fresh(quotes(found), given)
}

// adds reports whether some evidence brings substance to a challenge: a quote that
// was not given before about what it attacks (M09).
func (b *Book) adds(k *Challenge, found []Evidence) bool {
	if c := b.claim(k.Claim); c != nil {
		return b.newTo(c, found)
	}
	return fresh(quotes(found), append(quotes(k.Evidence), quotes(k.DefenceBy)...))
}
