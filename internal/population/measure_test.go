package population

import "github.com/prdebate/debate/internal/debate"

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
	True, False, Missed      int // places that were adopted rightly and wrongly, and defects that were not
	TrueP12, FalseP12        int // of these, P1 and P2
	MissedP12                int
	LoneKept, SharedAdopted  int // of Tally.Lone and Tally.Shared
	KeepOverP1, KeepCritical int // changes let through with a P1, or without the person who must decide
}

// Tally sums up a population.
type Tally struct {
	Changes int
	By      [methods]Counts

	Lone     int // defects that exactly one party sees
	LoneLost int // of these, dismissed in the debate
	Shared   int // places without defect that at least two parties see one in
	WithP1   int // changes with a P1 defect
	Critical int // changes that a person must decide

	Forged         int // citations of something that is not there
	ForgedAccepted int // of these, accepted by the reducer
	ForgedAgreed   int // claims agreed whose citations are all forged
	Beside         int // claims without a defect that cite a real line which says nothing of it
	BesideAgreed   int // of these, agreed

	Raised         int // claims
	Lost           int // of these, in no bucket and in no other claim about the same place
	Overruled      int // cited claims that were dismissed although their owner did not give them up
	FalseAdoptions int // see falseAdoptions

	Flips        int // somebody gave in against what it thinks
	BareFlips    int // of these, without a word
	FlipsNothing int // of the bare ones, that changed the outcome of a claim without evidence
	FlipsOwnLine int // withdrawals that left a claim agreed on nothing but its owner's citation
	FlipsWords   int // flips with an invented reason that the outcome followed

	Awaiting         int // debates that wait for a person
	AwaitingCritical int // of these, rightly
	AwaitingProcess  int // of Awaiting, only because of how the debate went

	Calls     int
	Exchanges int
	Exits     [exits]int
}

const exits = 10

// exitNames are the exits in the order of Tally.Exits.
func exitNames() [exits]debate.Exit {
	return [exits]debate.Exit{
		debate.ExitFast, debate.ExitConverged, debate.ExitThin, debate.ExitNoDissent, debate.ExitNoReply,
		debate.ExitCap, debate.ExitBudget, debate.ExitStopped, debate.ExitNoPrimary, "",
	}
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
	t.Exchanges += s.Talk.Exchange
	for i, e := range exitNames() {
		if s.Talk.Exit == e {
			t.Exits[i]++
		}
	}
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
		t.LoneLost += one(lone && bucketed(s, i, debate.Dismissed) && !adopts(Shown, c, s, k, i))
		serious := p.Severity.AtLeast(debate.P2)
		for m := range methods {
			by := &t.By[m]
			adopted := adopts(m, c, s, k, i)
			by.True += one(p.Defect && adopted)
			by.False += one(!p.Defect && adopted)
			by.Missed += one(p.Defect && !adopted)
			by.TrueP12 += one(serious && p.Defect && adopted)
			by.FalseP12 += one(serious && !p.Defect && adopted)
			by.MissedP12 += one(serious && p.Defect && !adopted)
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
	t.Critical += one(c.Critical)
	for m := range methods {
		keep := true
		for i, p := range c.Places {
			keep = keep && !(p.Severity.AtLeast(debate.P2) && adopts(m, c, s, k, i))
		}
		if m == Debated {
			keep = kept(s)
		}
		t.By[m].KeepOverP1 += one(p1 && keep)
		t.By[m].KeepCritical += one(c.Critical && keep)
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
	for _, c := range s.Agreed() {
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
		if p := placeOf(cl.Title); p >= 0 && !c.Places[p].Defect && cl.SameAs == "" && isElsewhere(cl.Cite()) {
			t.Beside++
			t.BesideAgreed += one(cl.Bucket == debate.Agreed)
		}
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
// unless evidence does: withdrawing a cited objection must not make the claim
// agreed, conceding a cited claim must not dismiss it, and nothing becomes agreed
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
		t.Flips++
		t.BareFlips += one(f.bare)
		followed := c.Bucket == debate.Agreed
		if !f.withdraws {
			followed = c.Bucket == debate.Dismissed && felledBy(s, c.ID, f.challenge)
		}
		switch {
		case !followed:
		case !f.bare:
			t.FlipsWords++
		case f.qualified || f.withdraws && !c.Verified():
			t.FlipsNothing++
		case f.withdraws && ownLineOnly(*c):
			t.FlipsOwnLine++
		}
	}
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

func ownLineOnly(c debate.Claim) bool {
	for _, e := range c.Evidence {
		if e.CitationOK && e.By != c.Owner {
			return false
		}
	}
	return true
}

func (t *Tally) escalation(c Change, s debate.State) {
	if !s.Agenda.AwaitsHuman() {
		return
	}
	t.Awaiting++
	t.AwaitingCritical += one(c.Critical)
	process := true
	for _, d := range s.Agenda.Decisions {
		for _, tr := range d.Triggers {
			process = process && tr.Class == debate.ClassProcedural
		}
	}
	t.AwaitingProcess += one(process)
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}
