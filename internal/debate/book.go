package debate

import (
	"cmp"
	"slices"

	"github.com/prdebate/debate/internal/lists"
)

// Book holds the claims about a change, the challenges to them, and the source of each
// statement. It knows neither stages nor decisions, and never reuses an id.
type Book struct {
	Claims     []Claim
	Challenges []Challenge
	Ledger     []LedgerEntry
	Evidences  int  // items of evidence so far
	Grew       bool // the exchange added a claim, or opened or re-opened a challenge (R161)
}

// claim returns a claim by its id, whether or not it was merged, or nil.
func (b *Book) claim(id string) *Claim {
	return find(b.Claims, func(c *Claim) bool { return c.ID == id })
}

// named is the claim with an id, the zero claim if there is none: a challenge to the position
// has no claim.
func (b *Book) named(id string) *Claim { return cmp.Or(b.claim(id), &Claim{}) }

// live are the claims not merged into others, in order of their ids.
func (b *Book) live() []*Claim {
	return findAll(b.Claims, func(c *Claim) bool { return c.SameAs == "" })
}

// severe are the live P1 and P2 claims.
func (b *Book) severe() []*Claim { return lists.Keep(b.live(), (*Claim).severe) }

// severe reports whether a claim is P1 or P2.
func (c *Claim) severe() bool { return c.Severity.AtLeast(P2) }

// Agreed are the claims in the Agreed bucket in order of their ids.
func (b *Book) Agreed() []Claim {
	return lists.Keep(b.Claims, func(c Claim) bool { return c.Bucket == Agreed })
}

// survivor returns the claim that replaces id after all merges, or nil.
func (b *Book) survivor(id string) *Claim {
	c := b.claim(id)
	for range b.Claims {
		if c == nil || c.SameAs == "" {
			break
		}
		c = b.claim(c.SameAs)
	}
	return c
}

// is reports whether a claim replaces an id, after all merges.
func (b *Book) is(id string, c *Claim) bool {
	return cmp.Or(b.survivor(id), &Claim{}).ID == c.ID
}

// claimsThat are the ids of the claims that satisfy a test.
func (b *Book) claimsThat(hold func(c *Claim) bool) []string {
	return lists.Map(lists.Keep(b.live(), hold), func(c *Claim) string { return c.ID })
}

func (b *Book) challenge(id string) *Challenge {
	return find(b.Challenges, func(k *Challenge) bool { return k.ID == id })
}

// attacks are challenges to one subject, or by one party. A party that is asked to reconcile its
// words attacks nothing.
type attacks []*Challenge

// attacksThat are the attacks that satisfy a test, in order of their ids.
func (b *Book) attacksThat(are func(*Challenge) bool) attacks {
	return findAll(b.Challenges, func(k *Challenge) bool { return k.Kind != Reconciling && are(k) })
}

// attacks are the attacks on a claim, or on the position.
func (b *Book) attacks(on string) attacks {
	return findAll(b.Challenges, func(k *Challenge) bool { return k.Claim == on && k.Kind != Reconciling })
}

// attacksBy are the attacks of a party.
func (b *Book) attacksBy(party string) attacks {
	return b.attacksThat(func(k *Challenge) bool { return k.Attacker == party })
}

// by are the attacks of a party among these.
func (list attacks) by(party string) attacks {
	return lists.Keep(list, func(k *Challenge) bool { return k.Attacker == party })
}

// any reports whether one of them satisfies a test.
func (list attacks) any(is func(*Challenge) bool) bool { return slices.ContainsFunc(list, is) }

// dissenters are the parties with an attack that was closed as dissent: their words were heard,
// once.
func (list attacks) dissenters() []string {
	heard := lists.Keep(list, func(k *Challenge) bool { return k.Status == Dissent })
	return lists.Map(heard, func(k *Challenge) string { return k.Attacker })
}

// gaveIn reports whether a party gave in to one of them.
func (list attacks) gaveIn(party string) bool {
	return list.any(func(k *Challenge) bool {
		return slices.Contains(k.Yielded, party) || k.Status == Conceded && k.Defender == party
	})
}

// against returns the live challenge of a party to a claim, or nil.
func (b *Book) against(claim, attacker string) *Challenge {
	return lists.Find(b.attacks(claim).by(attacker), (*Challenge).Live)
}

// opinion is the id of the newest unverified entry about a claim.
func (b *Book) opinion(claim string) string {
	for _, e := range slices.Backward(b.Ledger) {
		if e.Ref == claim && e.Tag == TagUnverified {
			return e.ID
		}
	}
	return ""
}

// severity is the highest severity that the owner asserts, or a merged report with qualified
// evidence. If nothing proves the claim, every report counts (R074, A06). A value claim is P3
// if all others call it P3 (A06).
func (b *Book) severity(c Claim) Severity {
	reports := lists.Keep(b.Claims, func(other Claim) bool { return other.SameAs == c.ID })
	if qualified(c.Evidence) {
		reports = lists.Keep(reports, func(other Claim) bool { return qualified(other.Evidence) })
	}
	highest := slices.MinFunc(append([]Severity{c.stated()}, lists.Map(reports, Claim.stated)...), Severity.compare)
	said := lists.Keep(lists.Map(c.words(), func(e Evaluation) Severity { return e.Severity }), func(s Severity) bool { return s.AtLeast(P3) })
	if c.Kind == Value && len(said) > 0 && !slices.ContainsFunc(said, func(s Severity) bool { return s != P3 }) {
		return P3
	}
	return highest
}

// compare orders severities, the most severe first.
func (s Severity) compare(other Severity) int { return s.rank() - other.rank() }

// words are the last words on a claim of the parties other than its owner.
func (c Claim) words() []Evaluation {
	var list []Evaluation
	for i, e := range c.Evaluations {
		again := slices.ContainsFunc(c.Evaluations[i+1:], func(later Evaluation) bool { return later.Party == e.Party })
		if e.Party != c.Owner && !again {
			list = append(list, e)
		}
	}
	return list
}

// confirmedSame reports whether both owners call two claims the same (A07): each by same_as, or
// by agreeing to the other's claim.
func (b *Book) confirmedSame(one, other string) bool {
	x, y := b.claim(one), b.claim(other)
	return x.sameAs(y) && y.sameAs(x)
}

// sameAs reports whether the owner of a claim says that another claim is the same, or agrees
// with it and does not deny having reported it (A07).
func (c *Claim) sameAs(other *Claim) bool {
	return c.proposes(other) || other.agreedBy(c.Owner) && other.word(c.Owner).SameAs != NoClaim
}

// proposes reports whether the owner of a claim says that another claim is the same: in its own
// claim, or when it agrees with the other one, about neighboring lines.
func (c *Claim) proposes(other *Claim) bool {
	said := other.agreedBy(c.Owner) && other.word(c.Owner).SameAs == c.ID
	return c.Proposed == other.ID || said && c.place().near(other.place())
}

// agreedBy reports whether the last word of a party on a claim is AGREE.
func (c *Claim) agreedBy(party string) bool {
	return c.word(party).Class == ClassAgree
}

// granted is the last objection without an option that the primary accepted to its position, or
// nil: this concession has to change the position, which is no longer keep (R095).
func (b *Book) granted() *Challenge {
	for _, k := range slices.Backward(b.attacks(PositionSubject)) {
		unnamed := k.Option == "" && k.Strength != StrengthMinor
		if unnamed && k.Status == Conceded {
			return k
		}
	}
	return nil
}

// clone copies everything that an event may change. Lists that only grow are shared, without
// spare capacity, so that append copies them.
func (b Book) clone() Book {
	b.Claims = changed(b.Claims, func(c *Claim) {
		c.Evidence = slices.Clone(c.Evidence)
		c.Evaluations = slices.Clone(c.Evaluations)
		c.ReportedBy = slices.Clone(c.ReportedBy)
		c.ConfirmedBy = slices.Clone(c.ConfirmedBy)
		c.Thread = slices.Clip(c.Thread)
	})
	b.Challenges = changed(b.Challenges, func(k *Challenge) {
		k.Views, k.Yielded, k.Heard, k.Thread = slices.Clone(k.Views), slices.Clone(k.Yielded), slices.Clone(k.Heard), slices.Clip(k.Thread)
	})
	b.Ledger = slices.Clip(b.Ledger)
	return b
}
