package population

import (
	"slices"

	"github.com/prdebate/debate/internal/debate"
)

// Method is a way of coming from what parties say to findings.
type Method int

// The methods that are compared. Shown is what a debate puts before a reader:
// what is agreed and what stayed unresolved.
const (
	Debated Method = iota
	Shown
	TwoReport
	Majority
	methods
)

// Counts is what one method made of a population.
type Counts struct {
	True, False, Missed     int // places that were adopted rightly and wrongly, and defects that were not
	LoneKept, SharedAdopted int // of Tally.Lone and Tally.Shared
	KeepOverP1              int // changes let through with a P1
}

// Tally sums up a population.
type Tally struct {
	Changes int
	By      [methods]Counts

	Lone   int // defects that exactly one party sees
	Shared int // places without defect that at least two parties see one in
	Alone  int // of Lone, what nobody else takes for a defect when asked
	Sure   int // of Shared, what everybody takes for a defect
	WithP1 int // changes with a P1 defect
	Unseen int // defects that no party reports
	Causes [causes]byTruth

	LoneLost     [causes]int // of Lone, by what decided
	SharedPassed [causes]int // of Shared

	Forged         int // citations of something that is not there
	ForgedAccepted int // of these, accepted by the reducer
	ForgedAgreed   int // claims agreed whose citations are all forged

	Raised         int // claims
	Lost           int // of these, in no bucket and in no other claim about the same place
	Overruled      int // cited claims that were dismissed although their owner did not give them up
	FalseAdoptions int // see falseAdoptions

	Flips        int // somebody gave in against what it thinks
	BareFlips    int // of these, without a word
	FlipsNothing int // of the bare ones, that changed the outcome of a claim without evidence
	FlipsWords   int // flips with an invented reason that the outcome followed
	Misled       int // somebody was persuaded of what is not so
	MisledOver   int // of these, that the outcome followed

	Clean        int // changes without a defect, a question and anything that a person must decide
	CleanWaits   int // of these, that wait for a person
	CleanDivided int // of these, about which the models disagree in the end

	Calls int
}

// Measure plays the changes from first to last-1 and sums them up.
func Measure(k Knobs, first, last int) (Tally, error) {
	var t Tally
	for seed := first; seed < last; seed++ {
		c := Plant(seed)
		s, x, err := play(c, k)
		if err != nil {
			return t, err
		}
		t.add(c, s, x)
	}
	return t, nil
}

func (t *Tally) add(c Change, s debate.State, x *cast) {
	t.Changes++
	t.findings(c, s, x.Knobs)
	t.throughs(c, s, x.Knobs)
	t.evidence(c, s, x)
	t.losses(s, x)
	t.flips(s, x)
	t.FalseAdoptions += falseAdoptions(s)
	t.escalation(c, s)
	t.Calls += len(s.Asking.Calls)
}

// bucketed reports whether a claim about a place ended in a bucket.
func bucketed(s debate.State, place int, b debate.Bucket) bool {
	for _, c := range s.Book.Claims {
		if c.SameAs == "" && c.Bucket == b && placeOf(c.Title) == place {
			return true
		}
	}
	return false
}

// adopts reports whether a method takes a place for a defect in the end.
func adopts(m Method, c Change, s debate.State, k Knobs, place int) bool {
	switch m {
	case Debated:
		return bucketed(s, place, debate.Agreed)
	case Shown:
		return bucketed(s, place, debate.Agreed) || bucketed(s, place, debate.Unresolved)
	case TwoReport:
		return twoReport(c, k, place)
	}
	return majority(c, k, place)
}

func (t *Tally) findings(c Change, s debate.State, k Knobs) {
	for i, p := range c.Places {
		seen := reporters(c, k, i)
		lone := p.Defect && seen == 1
		shared := !p.Defect && seen >= 2
		t.Lone += one(lone)
		t.Shared += one(shared)
		t.Unseen += one(p.Defect && standsFor(s, i) == nil)
		believe := believers(c, k, i)
		t.Alone += one(lone && believe == 1)
		t.Sure += one(shared && believe == k.parties())
		t.attribute(s, i, p.Defect)
		t.blame(s, i, lone, shared)
		for m := range methods {
			by := &t.By[m]
			adopted := adopts(m, c, s, k, i)
			by.True += one(p.Defect && adopted)
			by.False += one(!p.Defect && adopted)
			by.Missed += one(p.Defect && !adopted)
			by.LoneKept += one(lone && adopted)
			by.SharedAdopted += one(shared && adopted)
		}
	}
}

// throughs counts the changes that are let through. A vote lets one through if it
// adopts no P1 or P2 finding; it asks no person, and neither does a reader of
// Shown.
func (t *Tally) throughs(c Change, s debate.State, k Knobs) {
	p1 := false
	for _, p := range c.Places {
		p1 = p1 || p.Defect && p.Severity == debate.P1
	}
	t.WithP1 += one(p1)
	for m := range methods {
		keep := true
		for i, p := range c.Places {
			keep = keep && !(p.Severity.AtLeast(debate.P2) && adopts(m, c, s, k, i))
		}
		if m == Debated {
			keep = kept(s)
		}
		t.By[m].KeepOverP1 += one(p1 && keep)
	}
}

// kept reports whether the debate itself lets the change through.
func kept(s debate.State) bool {
	for _, d := range s.Agenda.Decisions {
		if d.Question == debate.DispositionQuestion {
			return d.Recommendation == string(debate.Keep) && (d.Outcome == debate.Settled || d.Outcome == debate.Adopted)
		}
	}
	return false
}

// falseAdoptions counts what must never happen: a decision that was taken without
// a person although it has a trigger, a change that was let through although
// policy has a critical trigger, or although a P1 is agreed.
func falseAdoptions(s debate.State) int {
	n := 0
	for _, d := range s.Agenda.Decisions {
		n += one(len(d.Triggers) > 0 && (d.Outcome == debate.Settled || d.Outcome == debate.Adopted))
	}
	if !kept(s) {
		return n
	}
	for _, tr := range s.Agenda.Triggers {
		n += one(tr.Critical())
	}
	for _, c := range s.Book.Agreed() {
		n += one(c.Severity == debate.P1)
	}
	return n
}

// evidence looks at every citation again, without what the reducer was told.
func (t *Tally) evidence(c Change, s debate.State, x *cast) {
	t.Forged += x.forged
	check := func(list []debate.Evidence) (good int) {
		for _, e := range list {
			real := e.RunRef == "" && found(e.Cite).OK
			good += one(real)
			t.ForgedAccepted += one(!real && (e.CitationOK || e.Verified))
		}
		return good
	}
	for _, cl := range s.Book.Claims {
		good := check(cl.Evidence)
		t.ForgedAgreed += one(cl.Bucket == debate.Agreed && good == 0)
	}
	for _, k := range s.Book.Challenges {
		check(k.Evidence)
		check(k.DefenceBy)
	}
}

// losses looks for claims that are neither in a bucket nor in another claim about
// the same place.
func (t *Tally) losses(s debate.State, x *cast) {
	t.Raised += x.raised
	t.Lost += max(0, x.raised-len(s.Book.Claims))
	for _, c := range s.Book.Claims {
		live := &c
		for hops := 0; live != nil && live.SameAs != "" && hops < len(s.Book.Claims); hops++ {
			live = claimOf(s, live.SameAs)
		}
		t.Lost += one(live == nil || live.Bucket == "" || placeOf(live.Title) != placeOf(c.Title))
		t.Overruled += one(c.Bucket == debate.Dismissed && c.Reason != debate.ReasonConceded && qualified(c.Evidence))
	}
}

// flips looks at what became of the claims about which somebody gave in against
// what it thinks. A flip without a word must not change the outcome of a claim
// unless evidence does: withdrawing a cited objection must not make a claim agreed
// that nobody else confirms, conceding a cited claim to words must not dismiss it, and nothing becomes agreed
// without a citation that holds.
func (t *Tally) flips(s debate.State, x *cast) {
	for _, f := range x.flips {
		c := claimOf(s, f.claim)
		for c != nil && c.SameAs != "" {
			c = claimOf(s, c.SameAs)
		}
		if c == nil {
			continue
		}
		t.Misled += one(f.misled)
		t.Flips += one(!f.misled)
		t.BareFlips += one(f.bare)
		followed := c.Bucket == debate.Agreed
		if !f.withdraws {
			followed = c.Bucket == debate.Dismissed && felledBy(s, c.ID, f.challenge)
		}
		switch {
		case !followed:
		case f.misled:
			t.MisledOver++
		case !f.bare:
			t.FlipsWords++
		case f.withdraws && !c.Verified(), f.qualified && !f.decided(s, *c):
			t.FlipsNothing++
		}
	}
}

// decided reports whether evidence decides what a flip is about: a claim that was
// conceded falls to lines that are quoted against it, and one whose attacker gave in
// stands if somebody else confirms it.
func (f flip) decided(s debate.State, c debate.Claim) bool {
	for _, k := range s.Book.Challenges {
		if k.ID != f.challenge {
			continue
		}
		other := func(party string) bool { return party != k.Attacker }
		return !f.withdraws && k.Shown || f.withdraws && slices.ContainsFunc(c.ConfirmedBy, other)
	}
	return false
}

// felledBy reports whether nothing but one concession dismisses a claim.
func felledBy(s debate.State, claim, challenge string) bool {
	for _, k := range s.Book.Challenges {
		if k.Claim == claim && k.ID != challenge && (k.Status == debate.Conceded || k.Status == debate.Undefended) {
			return false
		}
	}
	return true
}

// escalation counts the changes of which nothing must be asked, and what is asked
// about them nevertheless.
func (t *Tally) escalation(c Change, s debate.State) {
	defect := func(p Place) bool { return p.Defect }
	if c.Critical || c.Question || slices.ContainsFunc(c.Places, defect) {
		return
	}
	conclusion := s.Conclusion().Check
	waits := conclusion == debate.ActionRequired
	t.Clean++
	t.CleanWaits += one(waits)
	t.CleanDivided += one(s.Agenda.AwaitsHuman() && !waits)
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}
