package debate

import (
	"cmp"
	"slices"

	"github.com/prdebate/debate/internal/debate/tally"
	"github.com/prdebate/debate/internal/lists"
)

// floor reads the choices of the parties at the end of the talk, and their reasons.
type floor struct {
	table  *Table
	book   *Book
	talk   *Talk
	asking *Asking
	taken  func(*Claim) bool // people took it out, before anything is weighed
	kept   func() bool       // a person decided on an earlier head to merge as proposed
}

func (s *State) floor() floor {
	return floor{table: &s.Table, book: &s.Book, talk: &s.Talk, asking: &s.Asking, taken: s.takenOut, kept: func() bool { return s.keptBefore() != nil }}
}

// voices are the choices of the debaters in a decision, in party order. A lost party has
// none, and one that abstains chooses nothing (R093, M19).
func (f floor) voices(d *Decision) []tally.Voice {
	var list []tally.Voice
	for i := range f.table.Seats {
		seat := &f.table.Seats[i]
		if seat.Lost && seat.Party != f.table.Primary {
			continue
		}
		v := tally.Voice{Party: seat.Party, Family: f.table.party(seat.Party).Family, Option: f.holds(d, seat)}
		v.Dissent = d.disposes() && !f.book.grounded(seat.Party)
		v.Abstains = seat.Engagement == Abstains
		list = append(list, v)
	}
	return list
}

// holds is the choice of a party in a decision, "" for none. A party that asks for
// changes or rejects the change counts for keep if people took out all its reasons.
func (f floor) holds(d *Decision, seat *Seat) string {
	option := f.says(d, seat)
	if d.disposes() && worse(Disposition(option), Keep) && f.answered(seat.Party) {
		return string(Keep)
	}
	return option
}

// answered reports whether people have answered every reason of a party against a change.
// All its P1 and P2 that did not fall are taken out, at least one is, and it objects to nothing
// else: each objection of its own only names its choice, and quotes no other lines. After a
// person decided on an earlier head, words alone are no reason, unless the primary accepted
// them.
func (f floor) answered(party string) bool {
	var out []Evidence
	taken := false
	for _, c := range f.book.severe() {
		holds := c.Owner == party || slices.Contains(c.ReportedBy, party) || c.agreedBy(party)
		switch {
		case !holds:
		case f.taken(c):
			out, taken = append(out, c.Evidence...), true
		case c.Bucket != Dismissed:
			return false
		}
	}
	objects := func(k *Challenge) bool {
		holds := k.unsettled() || k.Status == Conceded
		says := k.Option == "" && (!f.kept() || k.Status == Conceded)
		return holds && (says || fresh(quotes(k.Evidence), quotes(out)))
	}
	return (taken || f.kept()) && !f.book.attacks(PositionSubject).by(party).any(objects)
}

// says is the option that a party names for a decision or follows, "" for none.
func (f floor) says(d *Decision, seat *Seat) string {
	stricter := d.disposes() && worse(seat.Option, f.talk.Position().Disposition) // the option it agreed to is gone
	switch {
	case seat.Engagement == Abstains && !stricter:
		return ""
	case !d.disposes():
		return seat.chosen(d)
	case seat.Option != "":
		return string(seat.Option)
	case seat.Party == f.table.Primary, f.follows(seat):
		return string(f.talk.Position().Disposition)
	}
	return ""
}

// chosen is the option of a party for a decision other than D0.
func (s *Seat) chosen(d *Decision) string {
	option := ""
	for _, f := range s.Options {
		if f.Decision == d.ID && d.Offers(f.Option) {
			option = f.Option
		}
	}
	return option
}

// follows reports whether a challenger without its own option follows the position: it
// agreed and named its checks, or it objects to nothing of weight and its claims are
// supported, or its objection was granted.
func (f floor) follows(seat *Seat) bool {
	if seat.Engagement == "" {
		return false
	}
	at := f.talk.Position().Disposition
	granted := func(k *Challenge) bool { return k.Status == Conceded && !worse(k.wants(), at) }
	taken := func(c Claim) bool { return c.Owner == seat.Party && c.severe() && c.agreedBy(f.table.Primary) }
	moved := slices.ContainsFunc(f.talk.Positions, func(p Position) bool { return p.Disposition != at })
	switch {
	case f.book.attacks(PositionSubject).by(seat.Party).any(granted), slices.ContainsFunc(f.book.Claims, taken):
		return true
	case moved:
		return false
	}
	partial := seat.Engagement == Partially && seat.Verdict == VerdictPartial // it said so, and did not only leave it open
	return seat.agreesInSubstance() || partial && f.minor(seat.Party)
}

// minor reports whether a party objects to nothing of weight, and its claims are supported: a
// partial agreement with nothing left to settle (R087).
func (f floor) minor(party string) bool {
	weighs := func(k *Challenge) bool {
		c := cmp.Or(f.book.survivor(k.Claim), &Claim{})
		return k.unsettled() && (c.severe() || k.Strength != StrengthMinor)
	}
	unsupported := func(c *Claim) bool { return c.Owner == party && c.Bucket != Agreed }
	return !f.book.attacksBy(party).any(weighs) && !slices.ContainsFunc(f.book.severe(), unsupported)
}

// agreesInSubstance reports whether a challenger agrees and names its checks.
func (s *Seat) agreesInSubstance() bool { return s.Engagement == Agrees && s.Substance }

// settles is the option that the parties settle for a decision, "" if they leave it open
// (M09).
func (f floor) settles(d *Decision) string {
	voices := f.voices(d)
	if f.table.PrimaryLost {
		return ""
	}
	if !d.disposes() {
		abstains := func(v tally.Voice) bool { return f.table.abstains(v.Party) }
		return tally.Unanimous(slices.DeleteFunc(voices, abstains))
	}
	option := tally.Settled(voices, string(Keep))
	if f.contradicted(Disposition(option)) {
		return ""
	}
	return option
}

// stillKeeps reports whether the parties left at the table settle keep.
func (f floor) stillKeeps(d *Decision) bool {
	left := lists.Keep(f.voices(d), func(v tally.Voice) bool { return f.table.sits(v.Party) })
	return tally.Settled(left, string(Keep)) == string(Keep)
}

// contradicted reports whether something is open against an option of D0: an objection or a
// claim without an answer, a primary that differs from its own position, or an acceptance in
// words only. An unheard party counts against keep only: the parties that hold revise at the
// end agree on it.
func (f floor) contradicted(by Disposition) bool {
	primary := f.table.fares(f.table.Primary)
	differs := primary.differs(f.talk.Position().Disposition) && !f.answered(primary.Party)
	if differs || by == Keep && f.unheard() {
		return true
	}
	inWords := func(k *Challenge) bool {
		return worse(k.wants(), by) && (k.Status == Conceded || k.Unexplained) && !f.answered(k.Attacker)
	}
	binds := func(id string) bool { return f.binds(id, by) && (by == Keep || !f.orphaned(id)) }
	return slices.ContainsFunc(f.table.blockers(f.book), binds) || f.book.attacks(PositionSubject).any(inWords)
}

// orphaned reports whether the party that defended a challenged claim is gone: the claim stays
// open, but asks for nothing beyond the others' agreement on an option other than keep (M19).
func (f floor) orphaned(id string) bool {
	return cmp.Or(f.book.challenge(id), &Challenge{}).Defender == EngineParty
}

// binds reports whether a blocker counts against an option of D0. People did not take out its
// claim, it is more than a dissent, and it does not ask for this very option.
func (f floor) binds(id string, by Disposition) bool {
	k := cmp.Or(f.book.challenge(id), &Challenge{Claim: id}) // a claim without an evaluation
	if k.toPosition() {
		return k.wants() != by && f.book.grounded(k.Attacker) && !f.answered(k.Attacker)
	}
	c := f.book.survivor(k.Claim)
	return c == nil || !f.taken(c)
}

// unheard reports whether the debate ended before everyone had spoken: a person stopped it, or
// the budget was too small for an exchange or a retry. A further challenger that costs money
// and says nothing must not settle a question against the word of the others.
func (f floor) unheard() bool {
	if f.talk.Exit == ExitBudget {
		return true
	}
	cutOff := func(seat *Seat) bool { return f.asking.Stopped && seat.Engagement == "" }
	if slices.ContainsFunc(f.table.challengers(), cutOff) {
		return true
	}
	unrepeated := func(c Call) bool {
		again := c.Retry || f.asking.asked(c.Ask+formatRetry)
		return c.Status == CallMalformed && !again && c.Kind.debates()
	}
	return slices.ContainsFunc(f.asking.Calls, unrepeated)
}

// silent reports whether a challenger follows a position without a word about its checks, in
// all its replies: it weighed no claim with a reason, raised and attacked none, and none of
// its objections was granted or quotes a line. Then it agrees to nothing, even if it wanted
// something else before (R093, M03).
func (b *Book) silent(seat *Seat, at Disposition) bool {
	reasoned := func(e Evaluation) bool { return e.Party == seat.Party && e.Reasoned }
	engages := func(c Claim) bool {
		raised := c.Owner == seat.Party && seat.Engagement != Agrees
		return raised || slices.ContainsFunc(c.Evaluations, reasoned)
	}
	argues := func(k *Challenge) bool {
		kept := seat.Option == "" && k.Status != Resolved // it said what it is against, and not what it is for
		return !k.toPosition() || k.Shown || k.Status == Conceded || kept
	}
	switch {
	case seat.Engagement == "", seat.Substance, seat.differs(at):
		return false
	}
	return !slices.ContainsFunc(b.Claims, engages) && !b.attacksBy(seat.Party).any(argues)
}

// speaking are the challengers with a word in a decision: without an answer to CHALLENGE a
// challenger has none yet, and one that abstains has given it up.
func (s *Table) speaking() []*Seat {
	silent := func(seat *Seat) bool { return slices.Contains([]Engagement{Abstains, ""}, seat.Engagement) }
	return slices.DeleteFunc(s.challengers(), silent)
}

// rests reports whether an option of D0 has a reason (M16): for keep, a check of a party that
// holds it; else a confirmed finding or a granted objection.
func (f floor) rests(d *Decision, on string) bool {
	if on == string(Keep) {
		return slices.ContainsFunc(f.table.speaking(), func(seat *Seat) bool {
			return f.holds(d, seat) == on && (seat.Substance || f.appeased(seat))
		})
	}
	granted := func(k *Challenge) bool { return k.Status == Conceded }
	return len(f.book.agreed()) > 0 || f.book.attacks(PositionSubject).any(granted)
}

// appeased reports whether every objection of a party was accepted in full, or given up with a
// reason: its challenges and its claims.
func (f floor) appeased(seat *Seat) bool {
	kept := func(k *Challenge) bool { return !k.accepted() }
	held := func(c *Claim) bool { return !c.acceptedOrGivenUp() }
	attacks := f.book.attacksBy(seat.Party)
	claims := lists.Keep(f.book.severe(), func(c *Claim) bool { return c.Owner == seat.Party })
	switch {
	case seat.differs(f.talk.Position().Disposition), attacks.any(kept), slices.ContainsFunc(claims, held):
		return false
	}
	own := lists.Keep(claims, func(c *Claim) bool { return c.Carried == "" }) // a finding of an earlier head is no objection on this one
	return len(attacks)+len(own) > 0
}

// accepted reports whether a challenge was accepted in full, with a reason.
func (c Challenge) accepted() bool {
	switch {
	case c.Unexplained:
		return false
	case c.Status == Resolved:
		return !c.ResolvedWith.IsZero()
	}
	return c.Status == Conceded
}

func (c Claim) acceptedOrGivenUp() bool {
	return c.Bucket == Agreed || slices.Contains([]Reason{ReasonConceded, ReasonFixed}, c.Reason)
}
