package debate

import "slices"

// passOn puts a challenge that was answered to another party that holds the claim, if
// it would unsettle what two voices hold: lines that nobody answers with a quote count
// against all who hold it, so that each of them is heard (M02). It reports whether
// somebody is asked.
func (b *clerk) passOn(k *Challenge) bool {
	c := b.book.claim(k.Claim)
	if c == nil || !c.ofDebate() || k.outside() || k.Clarify {
		return false
	}
	threatens := k.Shown && !k.Answered
	settled := b.book.ofP3(k) || !b.support.joint(c) // into a P3 goes one exchange at most
	if !threatens || settled {
		return false
	}
	next := b.support.heir(c, k)
	if next == "" {
		return false
	}
	was := k.Defender
	k.Status, k.Defender, k.Heard = Open, next, noted(k.Heard, was)
	b.book.Grew = true
	b.happened(Fact{Kind: DefenderReplaced, Who: next, About: k.ID, Other: was})
	return true
}

// handBack takes a challenge from a party that it was put to beside the owner, and
// that does not defend the claim: the next one that holds it is asked, and where there
// is none, the owner has had its word.
func (b *clerk) handBack(k *Challenge, owner string) {
	if !b.passOn(k) {
		k.Defender = owner
		b.close(k, Upheld, k.ResolvedWith)
	}
}

// passed reports whether a challenge was put to somebody beside the owner of its
// claim, who still holds it.
func (h *hearing) passed(k *Challenge) bool {
	return h.inherited(k) && len(k.Heard) > 0 && !slices.Contains(k.Yielded, h.book.claim(k.Claim).Owner)
}
