package debate

import (
	"cmp"
	"slices"

	"github.com/prdebate/debate/internal/lists"
)

// Book is what was said about a change: the claims, the challenges to them, and
// where each statement comes from. It knows neither stages nor decisions, and
// its ids are never reused.
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

// named is the claim of an id, the zero one if there is none: what a challenge to the
// position is about is no claim.
func (b *Book) named(id string) *Claim { return cmp.Or(b.claim(id), &Claim{}) }

// live are the claims that were not merged into others, in order of their ids.
func (b *Book) live() []*Claim {
	return findAll(b.Claims, func(c *Claim) bool { return c.SameAs == "" })
}

// severe are the live claims that are P1 or P2.
func (b *Book) severe() []*Claim { return lists.Keep(b.live(), (*Claim).severe) }

// severe reports whether a claim is P1 or P2.
func (c *Claim) severe() bool { return c.Severity.AtLeast(P2) }

// agreed are the claims in the Agreed bucket in order of their ids.
func (b *Book) agreed() []Claim {
	return lists.Keep(b.Claims, func(c Claim) bool { return c.Bucket == Agreed })
}

// survivor returns the claim that stands for id after all merges, or nil.
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

// is reports whether a claim stands for an id, after all merges.
func (b *Book) is(id string, c *Claim) bool {
	return cmp.Or(b.survivor(id), &Claim{}).ID == c.ID
}

// claimsThat are the ids of the claims of which something holds.
func (b *Book) claimsThat(hold func(c *Claim) bool) []string {
	return lists.Map(lists.Keep(b.live(), hold), func(c *Claim) string { return c.ID })
}

// owned lists the claims that a party holds as its own.
func (b *Book) owned(party string) []string {
	return b.claimsThat(func(c *Claim) bool { return c.Owner == party })
}

func (b *Book) challenge(id string) *Challenge {
	return find(b.Challenges, func(k *Challenge) bool { return k.ID == id })
}

// attacks are challenges to one thing, or of one party. A party that is asked to
// reconcile what it said attacks nothing.
type attacks []*Challenge

// attacksThat are the attacks of which something holds, in order of their ids.
func (b *Book) attacksThat(are func(*Challenge) bool) attacks {
	return findAll(b.Challenges, func(k *Challenge) bool { return k.Kind != Reconciling && are(k) })
}

// attacks are those on a claim, or on the position.
func (b *Book) attacks(on string) attacks {
	return findAll(b.Challenges, func(k *Challenge) bool { return k.Claim == on && k.Kind != Reconciling })
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
	return lists.Map(heard, func(k *Challenge) string { return k.Attacker })
}

func (c *Challenge) id() string { return c.ID }

// opposed reports whether a party has attacked what they are about, and did not only
// ask what it means.
func (list attacks) opposed(party string) bool {
	return list.by(party).any(func(k *Challenge) bool { return !k.Clarify })
}

// gaveIn reports whether a party gave in to one of them.
func (list attacks) gaveIn(party string) bool {
	return list.any(func(k *Challenge) bool {
		return slices.Contains(k.Yielded, party) || k.Status == Conceded && k.Defender == party
	})
}

// against returns the live challenge of a party to a claim, or nil.
func (b *Book) against(claim, attacker string) *Challenge {
	return b.attacks(claim).by(attacker).live()
}

// entryOf returns the id of the newest entry about a claim.
func entryOf(ledger []LedgerEntry, claim string) string {
	for i := len(ledger) - 1; i >= 0; i-- {
		if e := ledger[i]; e.Ref == claim && e.Tag == TagUnverified {
			return e.ID
		}
	}
	return ""
}

// severity is the highest that the owner asserts, or a report that was merged into the
// claim with evidence that qualifies; where nothing shows the claim, any report counts
// (R074, X14). A value claim that everybody else calls P3 is one (M06).
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

// confirmedSame reports whether both owners say that two claims are the same
// (A07): each by same_as, or by agreeing to the other's claim.
func (b *Book) confirmedSame(one, other string) bool {
	x, y := b.claim(one), b.claim(other)
	return x.sameAs(y) && y.sameAs(x)
}

// sameAs reports whether the owner of a claim says that another claim is the same, or
// agrees with it and does not say that it has not reported it (M07).
func (c *Claim) sameAs(other *Claim) bool {
	return c.proposes(other) || other.agreedBy(c.Owner) && other.word(c.Owner).SameAs != NoClaim
}

// proposes reports whether the owner of a claim says that another claim is the same: where
// it raised its own, or where it agrees with the other one, about neighbouring lines.
func (c *Claim) proposes(other *Claim) bool {
	said := other.agreedBy(c.Owner) && other.word(c.Owner).SameAs == c.ID
	return c.Proposed == other.ID || said && c.stands().near(other.stands())
}

// agreedBy reports whether the last word of a party on a claim is AGREE.
func (c *Claim) agreedBy(party string) bool {
	return c.word(party).Class == ClassAgree
}

// maySupersede says whether an entry of a tag may replace another one (R120,
// R125): user by user, verified by verified or user, unverified by any.
func maySupersede(ledger []LedgerEntry, tag Tag, id string) bool {
	old := cmp.Or(find(ledger, func(e *LedgerEntry) bool { return e.ID == id }), &LedgerEntry{})
	whoever := []Tag{TagUser, TagVerified, TagUnverified, TagRevision}
	by := map[Tag][]Tag{TagUser: {TagUser}, TagVerified: {TagUser, TagVerified}, TagUnverified: whoever, TagRevision: whoever}
	return slices.Contains(by[old.Tag], tag)
}

// granted is the last objection that the primary accepted to its position and that
// names no option, or nil: what it grants has to change, so that it holds keep no
// more (R095).
func (b *Book) granted() *Challenge {
	for _, k := range slices.Backward(b.attacks(PositionSubject)) {
		unnamed := k.Option == "" && k.Strength != StrengthMinor
		if unnamed && k.Status == Conceded {
			return k
		}
	}
	return nil
}

// clone copies what an event may change. What only ever grows is shared and
// loses its spare capacity, which makes append copy it.
func (b Book) clone() Book {
	b.Claims = changed(b.Claims, func(c *Claim) {
		c.Evidence = cloned(c.Evidence)
		c.Evaluations = cloned(c.Evaluations)
		c.ReportedBy = cloned(c.ReportedBy)
		c.ConfirmedBy = cloned(c.ConfirmedBy)
		c.Thread = shared(c.Thread)
	})
	b.Challenges = changed(b.Challenges, func(k *Challenge) {
		k.Views, k.Yielded, k.Heard, k.Thread = cloned(k.Views), cloned(k.Yielded), cloned(k.Heard), shared(k.Thread)
	})
	b.Ledger = shared(b.Ledger)
	return b
}
