package debate

import (
	"slices"

	"github.com/prdebate/debate/internal/lists"
)

// passOn puts a challenge that was answered to another party that holds the claim, if
// what two voices hold is not settled by one answer. It reports whether somebody is
// asked.
func (b *clerk) passOn(k *Challenge) bool {
	c := b.book.claim(k.Claim)
	switch {
	case c == nil, !c.ofDebate(), k.outside(), k.Clarify:
		return false
	case c.Severity == P3, !b.support.holding(c).joint, !b.concernsAll(c, k): // into a P3 goes one exchange at most
		return false
	}
	next := b.support.nextDefender(c, k)
	if next == "" {
		return false
	}
	was := k.Defender
	k.Status, k.Defender, k.Heard = Open, next, noted(k.Heard, was)
	b.book.Grew = true
	b.happened(Fact{Kind: DefenderReplaced, Who: next, About: k.ID, Other: was})
	return true
}

// concernsAll reports whether each party that holds a claim has to hear a challenge:
// lines that nobody answers with a quote count against all of them (M02), and what as
// many doubt in words as hold it is not one contrary party's word any more (M08).
func (b *clerk) concernsAll(c *Claim, k *Challenge) bool {
	if k.Shown {
		return !k.Answered
	}
	return len(b.support.doubters(c)) >= len(b.support.holding(c).voices)
}

// doubters are the voices that object to a claim, or did in words until they were heard.
func (w support) doubters(c *Claim) []string {
	objects := lists.Keep(w.book.attacks(c.ID), func(k *Challenge) bool { return k.stands() || k.Status == Dissent })
	return once(lists.Map(objects, func(k *Challenge) string { return w.table.voice(k.Attacker) }))
}

// handBack takes a challenge from a party that it was put to beside the owner, and
// that does not defend the claim: the next one that holds it is asked, and where there
// is none, the owner has had its word.
func (b *clerk) handBack(k *Challenge, owner string) {
	switch {
	case b.passOn(k):
		return
	case k.Shown:
		b.close(k, Upheld, k.ResolvedWith)
	default:
		b.close(k, Dissent, because(WhyWordsHeard))
	}
	k.Defender = owner
}

// passed reports whether a challenge was put to somebody beside the owner of its
// claim, who still holds it.
func (h *hearing) passed(k *Challenge) bool {
	return h.inherited(k) && len(k.Heard) > 0 && !slices.Contains(k.Yielded, h.book.claim(k.Claim).Owner)
}
