package debate

import (
	"slices"

	"github.com/prdebate/debate/internal/lists"
)

// attacks are challenges to one thing, or of one party. A party that is asked to
// reconcile what it said attacks nothing.
type attacks []*Challenge

// attacksThat are the attacks of which something holds, in order of their ids.
func (b *Book) attacksThat(are func(*Challenge) bool) attacks {
	return findAll(b.Challenges, func(k *Challenge) bool { return k.Kind != Reconciling && are(k) })
}

// attacks are those on a claim, or on the position.
func (b *Book) attacks(on string) attacks {
	return b.attacksThat(func(k *Challenge) bool { return k.Claim == on })
}

// attacksBy are those of a party.
func (b *Book) attacksBy(party string) attacks {
	return b.attacksThat(func(k *Challenge) bool { return k.Attacker == party })
}

// by are those of a party among them.
func (list attacks) by(party string) attacks {
	return lists.Keep(list, func(k *Challenge) bool { return k.Attacker == party })
}

// any reports whether something holds of one of them.
func (list attacks) any(is func(*Challenge) bool) bool { return slices.ContainsFunc(list, is) }

// live is the first that still attacks, or nil.
func (list attacks) live() *Challenge { return lists.Find(list, (*Challenge).Live) }

// dissenters are the parties whose attacks were closed as dissent: what they have to say
// in words was heard, once.
func (list attacks) dissenters() []string {
	heard := lists.Keep(list, func(k *Challenge) bool { return k.Status == Dissent })
	return lists.Map(heard, (*Challenge).attacker)
}

func (c *Challenge) id() string { return c.ID }

func (c *Challenge) attacker() string { return c.Attacker }

// opposed reports whether a party has attacked what they are about, and did not only
// ask what it means.
func (list attacks) opposed(party string) bool {
	return list.by(party).any(func(k *Challenge) bool { return !k.Clarify })
}

// gaveIn reports whether a party gave in to one of them.
func (list attacks) gaveIn(party string) bool {
	return list.any(func(k *Challenge) bool { return slices.Contains(k.grantedBy(), party) })
}

// grantedBy are those who gave in to a challenge, in their order.
func (c *Challenge) grantedBy() []string {
	if c.Status != Conceded {
		return c.Yielded
	}
	return append(slices.Clip(c.Yielded), c.Defender)
}

// live are the claims that were not merged into others, in order of their ids.
func (b *Book) live() []*Claim {
	return findAll(b.Claims, func(c *Claim) bool { return c.SameAs == "" })
}

// severe are the live claims that are P1 or P2.
func (b *Book) severe() []*Claim { return lists.Keep(b.live(), (*Claim).severe) }

// severe reports whether a claim is P1 or P2.
func (c *Claim) severe() bool { return c.Severity.AtLeast(P2) }
