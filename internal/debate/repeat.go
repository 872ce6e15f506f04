package debate

import (
	"cmp"

	"github.com/prdebate/debate/internal/debate/likeness"
	"github.com/prdebate/debate/internal/lists"
)

// repeated returns the claim that a party raises again: one that it gave up, or with a wrong
// citation, on the same lines and of the same category or title (A07). Another party's claim
// on those lines is never an old one.
func (b *Book) repeated(c Claim) *Claim {
	for _, old := range b.live() {
		switch {
		case old.RaisedN >= c.RaisedN, !old.Cite().overlaps(c.Cite()): // one reply does not repeat itself
		case old.Category != c.Category && likeness.Title(old.Title) != likeness.Title(c.Title):
		case b.attacks(old.ID).gaveIn(c.Owner), old.Owner == c.Owner && !qualified(old.Evidence):
			return old
		}
	}
	return nil
}

// hearAgain adds a repetition to its claim: valid lines in place of wrong ones. A claim that was
// given up stays so.
func (m *reducer) hearAgain(old *Claim, again Claim) {
	m.ledger(TagUnverified, again.Owner, "raised again: "+again.Title, old.ID)
	if m.Book.attacks(old.ID).gaveIn(again.Owner) || !qualified(again.Evidence) {
		return
	}
	m.repair(old, again.Evidence)
}

// repairs takes a party's new citations for its claims with wrong ones, in a turn that it has
// anyway: once for each (M03b).
func (m *reducer) repairs(party string, list []Repair) {
	for _, r := range list {
		c := cmp.Or(m.Book.survivor(r.Claim), &Claim{})
		if c.Owner != party || !c.Misquoted() {
			continue
		}
		c.Repaired = true
		found := lists.Map(keep(r.Refs, maxRefs), func(ref Ref) Evidence { return m.ownEvidence(party, ref) })
		m.proven(nil, found, false)
		if qualified(found) {
			m.repair(c, found)
		}
	}
}

// repair gives a claim valid lines (M03b).
func (m *reducer) repair(c *Claim, found []Evidence) {
	found = okOnly(found)
	c.Evidence = append(found, c.Evidence...) // the first valid citation is the place of a claim
	m.situate(c, c.Kind)
	m.checkedCites(c.Owner, c.ID, found)
	m.verify(c)
}
