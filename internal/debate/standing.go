package debate

import (
	"slices"

	"github.com/prdebate/debate/internal/lists"
)

// NotWeighedBy are the parties that debated to the end without a word about a claim. They have
// read the change all the same: nothing else follows.
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

// shows reports whether some evidence has something that a claim does not cite itself (M02), or
// against the position any line of code. Later citations in support of the claim are not its
// own.
func (b *Book) shows(against string, found []Evidence) bool {
	c := b.claim(against)
	if c == nil {
		return showsCode(found)
	}
	own := lists.Keep(c.Evidence, func(e Evidence) bool { return e.By == c.Owner || slices.Contains(c.ReportedBy, e.By) })
	return substantiates(quotes(found), cited(own))
}

// answers notes an answer with a quote by a holder of a claim, in the challenges from before
// this event: the parties of one wave have not heard each other.
func (m *reducer) answers(c *Claim, party string, found []Evidence) {
	if !showsCode(found) || !slices.Contains(m.holding(c).voices, m.Table.voice(party)) {
		return
	}
	for _, k := range m.Book.attacks(c.ID) {
		k.Answered = k.Answered || k.RaisedAt < m.N && k.unsettled()
	}
}

// closeDissents closes objections in words alone to a claim that two voices hold on valid lines:
// their words are printed, and no party is asked about them any more (M02). Before that, the
// defender of the claim hears them once, unless the talk is over (M09); if as many doubt it
// as hold it, each holder does.
func (m *reducer) closeDissents() {
	talks := m.Talk.Exit == ""
	for i := range m.Book.Challenges {
		k := &m.Book.Challenges[i]
		switch {
		case !m.opposesInWords(k), talks && k.Status == Open, talks && k.Status == Defended && m.passOn(k):
		default:
			m.close(k, Dissent, because(WhyWordsAlone))
		}
	}
}

// opposesInWords reports whether a challenge has only words against a claim that two voices hold
// on valid lines.
func (m *reducer) opposesInWords(k *Challenge) bool {
	c := m.Book.claim(k.Claim)
	switch {
	case c == nil, !k.AwaitsWord(), k.Shown, c.ofCritic():
		return false
	case k.Attacker == AuthorParty, k.Attacker == EngineParty: // from outside of the debate
		return false
	}
	return qualified(c.Evidence) && m.holding(c).joint
}

// newTo reports whether some evidence quotes a new line of code, in neither the claim nor the
// words against it (M03). It reads the remembered evidence, not the threads, which a memory
// forgets.
func (b *Book) newTo(c *Claim, found []Evidence) bool {
	given := quotes(c.Evidence)
	for _, k := range b.attacks(c.ID) {
		given = append(given, quotes(k.Evidence)...)
	}
	return fresh(quotes(found), given)
}

// adds reports whether some evidence brings substance to a challenge: a new quote about its
// subject (M09).
func (b *Book) adds(k *Challenge, found []Evidence) bool {
	if c := b.claim(k.Claim); c != nil {
		return b.newTo(c, found)
	}
	return fresh(quotes(found), append(quotes(k.Evidence), quotes(k.DefenceBy)...))
}
