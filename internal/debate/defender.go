package debate

import (
	"slices"

	"github.com/prdebate/debate/internal/lists"
)

// substitute returns the defender of a claim against an attacker: its owner while at the
// table, then the first party that agrees, and else the engine, which lets no opinion dismiss
// it (S11).
func (m *reducer) substitute(c *Claim, attacker string) string {
	if c.Owner == EngineParty || m.Table.sits(c.Owner) {
		return c.Owner
	}
	able := lists.Keep(m.holding(c).confirmedBy, func(party string) bool { return party != attacker && m.Table.sits(party) })
	return append(able, EngineParty)[0]
}

// substitutes replaces the defenders that left the table. The engine steps in only after the
// primary has weighed a claim; from then on no party is asked about it.
func (m *reducer) substitutes(weighed bool) {
	for i := range m.Book.Challenges {
		k := &m.Book.Challenges[i]
		c := m.Book.claim(k.Claim)
		switch {
		case c == nil, !k.unanswered(), m.Table.sits(k.Defender):
			continue
		}
		next := m.substitute(c, k.Attacker)
		if next == EngineParty && !weighed {
			continue
		}
		m.hand(k, next) // also if the other party dropped it
	}
}

// hand passes a challenge to its next defender.
func (m *reducer) hand(k *Challenge, next string) {
	m.happened(Fact{Kind: DefenderReplaced, Who: next, About: k.ID, Other: k.Defender})
	k.Status, k.Defender = Open, next
}

// unanswered reports whether a party still has to defend against the challenge.
func (c Challenge) unanswered() bool {
	return c.AwaitsDefence() && c.Kind != Reconciling && c.Defender != EngineParty
}

// inherited reports whether the defender of a challenge does not own the claim.
// Its silence is no default and its word no concession of the owner.
func (m *reducer) inherited(k *Challenge) bool {
	c := m.Book.claim(k.Claim)
	return c != nil && k.Defender != c.Owner
}

// withdraw takes a concession by a party that defends a claim of another one: it no longer
// agrees with the claim, and the next party defends it.
func (m *reducer) withdraw(k *Challenge, a Answer, n int) {
	c := m.Book.claim(k.Claim)
	c.Evaluations = append(c.Evaluations, Evaluation{
		Party: k.Defender, N: n, Class: ClassSkeptical, Flaw: clip(a.Text, 2000), Acknowledged: true,
	})
	k.Answered = false // its own answer, if there was one, holds no more
	m.verify(c)
	was := k.Defender
	m.happened(Fact{Kind: ClaimWeighed, N: n, Who: was, About: c.ID, Code: string(ClassSkeptical), Text: clip(a.Text, 2000)})
	found := m.found(was, a.Refs)
	next := m.substitute(c, k.Attacker)
	if slices.Contains(k.Yielded, c.Owner) {
		next = m.nextDefender(c, k)
		m.Book.gaveInTo(k, c, a, found)
	}
	if m.passed(k) {
		m.handBack(k, c.Owner)
		return
	}
	if next == "" { // every holder gave in
		k.Defender = c.Owner
		m.concede(k, a, found)
		return
	}
	m.hand(k, next)
}

// argues reports whether a concession rests on lines: it gives a reason and the challenge
// shows lines, or it quotes lines new to the thread (M03).
func (b *Book) argues(k *Challenge, c *Claim, a Answer, found []Evidence) bool {
	return k.Shown && a.Text != "" || b.newTo(c, found)
}

// gaveInTo marks a challenge if a party conceded it in words alone (M03).
func (b *Book) gaveInTo(k *Challenge, c *Claim, a Answer, found []Evidence) {
	if !b.argues(k, c, a, found) {
		k.InWords = true
	}
}

// bequeath passes a challenge conceded by the claim's owner to a party that reported the same
// or agreed with its own lines: it defends the claim, or concedes as well (M03). It reports
// whether there is one.
func (m *reducer) bequeath(k *Challenge, a Answer, found []Evidence) bool {
	c := m.Book.claim(k.Claim)
	if c == nil || !qualified(c.Evidence) {
		return false
	}
	next := m.nextDefender(c, k)
	if next == "" {
		return false
	}
	m.Book.gaveInTo(k, c, a, found)
	k.Yielded = append(k.Yielded, k.Defender)
	m.happened(Fact{Kind: ChallengeConceded, Who: k.Defender, About: k.ID, Other: k.Claim, Code: string(Accept), Text: clip(a.Text, 1000), Cites: found})
	m.hand(k, next)
	m.verify(c)
	return true
}

// nextDefender is the first party at the table that reported the same as a claim, or agrees with it
// and cites lines, and neither attacked nor answered the challenge; "" for none. If two other
// voices hold the claim, a party that agrees with a reason alone is heard as well.
func (s *State) nextDefender(c *Claim, k *Challenge) string {
	agrees := func(p Party) bool { return c.word(p.ID).backs(c.Kind) }
	heard := slices.Concat([]string{c.Owner, k.Attacker, k.Defender}, k.Yielded, k.Heard)
	hold := func(p Party) bool { return p.ID != k.Attacker && agrees(p) }
	onLines := func(p Party) bool { return agrees(p) && c.word(p.ID).Qualified }
	var voices []string
	for _, p := range lists.Keep(s.Table.Parties, hold) {
		voices = lists.Add(voices, s.Table.voice(p.ID))
	}
	may := lists.Keep(s.Table.Parties, func(p Party) bool { return s.Table.sits(p.ID) && !slices.Contains(heard, p.ID) })
	for _, who := range []func(Party) bool{onLines, hold} {
		if at := slices.IndexFunc(may, who); at >= 0 {
			return may[at].ID
		}
		if len(voices) < 2 {
			break
		}
	}
	return ""
}

// passOn passes an answered challenge to another holder of the claim, if one answer does not
// settle it for two voices. It reports whether there is one.
func (m *reducer) passOn(k *Challenge) bool {
	c := m.Book.claim(k.Claim)
	if c == nil || c.ofCritic() || k.Clarify {
		return false
	}
	holding := m.holding(c)
	objects := lists.Keep(m.Book.attacks(c.ID), func(k *Challenge) bool { return k.unsettled() || k.Status == Dissent })
	doubters := lists.Once(lists.Map(objects, func(k *Challenge) string { return m.Table.voice(k.Attacker) }))
	switch {
	case c.Severity == P3, !holding.joint: // a P3 gets one exchange at most
		return false
	case k.Shown && k.Answered: // lines count against every holder, but only until one answers with a quote (M02)
		return false
	case !k.Shown && len(doubters) < len(holding.voices): // words do if as many voices doubt the claim as hold it (M08)
		return false
	}
	next := m.nextDefender(c, k)
	if next == "" {
		return false
	}
	k.Heard = lists.Add(k.Heard, k.Defender)
	m.hand(k, next)
	return true
}

// handBack takes a challenge from a holder apart from the owner that does not defend the claim.
// The next holder is asked; if there is none, the owner's answer was the last.
func (m *reducer) handBack(k *Challenge, owner string) {
	switch {
	case m.passOn(k):
		return
	case k.Shown:
		m.close(k, Upheld, k.ResolvedWith)
	default:
		m.close(k, Dissent, because(WhyWordsHeard))
	}
	k.Defender = owner
}

// passed reports whether a challenge was passed to another holder while the owner still holds
// the claim.
func (m *reducer) passed(k *Challenge) bool {
	return m.inherited(k) && len(k.Heard) > 0 && !slices.Contains(k.Yielded, m.Book.claim(k.Claim).Owner)
}
