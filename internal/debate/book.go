package debate

// Book is what was said about a change: the claims, the challenges to them, and
// where each statement comes from. It knows neither stages nor decisions, and
// its ids are never reused.
type Book struct {
	Claims     []Claim
	Challenges []Challenge
	Ledger     []LedgerEntry
	Evidences  int // items of evidence so far
	Touched    []Touch
	Grew       bool // the exchange added a claim, or opened or re-opened a challenge (R161)
}

// Touch says that an object changed at an event. A truth-gain is earned by what
// changed since its rater last spoke (S21).
type Touch struct {
	ID string
	N  int
}

// claim returns a claim by its id, whether or not it was merged, or nil.
func (b *Book) claim(id string) *Claim {
	for i := range b.Claims {
		if b.Claims[i].ID == id {
			return &b.Claims[i]
		}
	}
	return nil
}

// survivor returns the claim that stands for id after all merges, or nil.
func (b *Book) survivor(id string) *Claim {
	c := b.claim(id)
	for hops := 0; c != nil && c.SameAs != "" && hops < len(b.Claims); hops++ {
		c = b.claim(c.SameAs)
	}
	return c
}

func (b *Book) challenge(id string) *Challenge {
	for i := range b.Challenges {
		if b.Challenges[i].ID == id {
			return &b.Challenges[i]
		}
	}
	return nil
}

// against returns the live challenge of a party to a claim, or nil.
func (b *Book) against(claim, attacker string) *Challenge {
	for i := range b.Challenges {
		k := &b.Challenges[i]
		if k.Claim == claim && k.Attacker == attacker && k.Live() && k.Kind != Reconciling {
			return k
		}
	}
	return nil
}

// entryOf returns the id of the newest entry about a claim.
func (b *Book) entryOf(claim string) string {
	for i := len(b.Ledger) - 1; i >= 0; i-- {
		if e := b.Ledger[i]; e.Ref == claim && e.Tag == TagUnverified {
			return e.ID
		}
	}
	return ""
}

// severity is the highest that was asserted with evidence that qualifies, by the
// owner or in a report that was merged into the claim (R074, X14).
func (b *Book) severity(c Claim) Severity {
	highest := c.stated()
	for _, other := range b.Claims {
		if other.SameAs == c.ID && qualified(other.Evidence) && other.stated().rank() < highest.rank() {
			highest = other.stated()
		}
	}
	return highest
}

// confirmedSame reports whether both owners say that two claims are the same
// (A07): each by same_as, or by agreeing to the other's claim.
func (b *Book) confirmedSame(one, other string) bool {
	x, y := b.claim(one), b.claim(other)
	if x == nil || y == nil || x.Owner == y.Owner {
		return false
	}
	says := func(x, y *Claim) bool {
		e := y.last(x.Owner)
		return x.Proposed == y.ID || e != nil && e.Class == ClassAgree
	}
	return says(x, y) && says(y, x)
}

// maySupersede says whether an entry of a tag may replace another one (R120,
// R125): user by user, verified by verified or user, unverified by any.
func (b *Book) maySupersede(tag Tag, id string) bool {
	for _, e := range b.Ledger {
		if e.ID != id {
			continue
		}
		switch e.Tag {
		case TagUser:
			return tag == TagUser
		case TagVerified:
			return tag == TagUser || tag == TagVerified
		}
		return true
	}
	return false
}

// clone copies what an event may change. What only ever grows is shared and
// loses its spare capacity, which makes append copy it.
func (b Book) clone() Book {
	b.Claims = cloned(b.Claims)
	for i := range b.Claims {
		c := &b.Claims[i]
		c.Evidence = cloned(c.Evidence)
		c.Evaluations = cloned(c.Evaluations)
		c.ReportedBy = cloned(c.ReportedBy)
		c.ConfirmedBy = cloned(c.ConfirmedBy)
	}
	b.Challenges = cloned(b.Challenges)
	for i := range b.Challenges {
		b.Challenges[i].Views = cloned(b.Challenges[i].Views)
	}
	b.Ledger = shared(b.Ledger)
	b.Touched = shared(b.Touched)
	return b
}
