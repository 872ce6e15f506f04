package debate

import (
	"slices"
	"strconv"
)

// recall goes on from the debate that an earlier run on the same head has
// published (S10). The change is frozen and split; nobody is asked anything. What
// people ordered since is obeyed, and published if it changed anything.
func (m *reducer) recall() {
	s := m.state
	r := *s.Received.Recall
	if why := r.unfit(*s); !why.IsZero() {
		m.abort(because(WhyMemoryUnfit).because(why))
		return
	}
	s.restore(r)
	m.docket.provenance()
	for _, d := range s.Agenda.decisionsThat((*Decision).byHuman) {
		for _, a := range d.Human.Answers() {
			m.clerk.ledger(TagUser, a.By, d.ID+": "+a.Option+" "+a.Reason, d.ID, "")
		}
	}
	if m.docket.ordered(r) {
		s.verdict()
		s.Ending.Published = false
		m.transition(StagePublish)
		return
	}
	m.transition(s.Agenda.rests())
}

// unfit says why a session cannot go on from a memory. A memory comes from
// outside: what the rules follow without looking must be there.
func (r Memory) unfit(s State) Why {
	switch {
	case r.Protocol != s.Received.Protocol:
		return because(WhyMemoryVersion)
	case r.HeadSHA != s.Snapshot.HeadSHA, r.Snapshot != s.Snapshot.Hash:
		return because(WhyMemoryChange)
	case r.Parts != len(s.Split.Coverage):
		return because(WhyMemorySplit)
	case s.Received.Inquiry != nil:
		return because(WhyMemoryQuestion)
	}
	switch r.Ending.Outcome {
	case Consensus, Tradeoff, Unchallenged, DegradedLocal, Skipped:
	default:
		return because(WhyMemoryResult)
	}
	return r.broken()
}

// broken says which item of a memory the rules cannot follow, or nothing.
func (r Memory) broken() Why {
	for _, list := range []struct {
		of     string
		length int
		fits   func(i int) bool
	}{
		{"claim", len(r.Book.Claims), r.Book.claimFits},
		{"challenge", len(r.Book.Challenges), r.Book.challengeFits},
		{"seat", len(r.Table.Seats), r.Table.seatFits},
		{"decision", len(r.Agenda.Decisions), r.Agenda.decisionFits},
	} {
		for i := range list.length {
			if !list.fits(i) {
				return because(WhyMemoryItem, list.of, strconv.Itoa(i+1))
			}
		}
	}
	return Why{}
}

// claimFits reports whether a remembered claim is the only one of its id, and part of one
// that is there.
func (b *Book) claimFits(i int) bool {
	c := &b.Claims[i]
	live := b.survivor(c.ID)
	return c.ID != "" && b.claim(c.ID) == c && live != nil && live.SameAs == ""
}

// challengeFits reports whether a remembered challenge attacks something, under the number
// that it has: they are numbered on.
func (b *Book) challengeFits(i int) bool {
	k := b.Challenges[i]
	return k.ID == "K"+strconv.Itoa(i+1) && (k.toPosition() || b.claim(k.Claim) != nil)
}

// seatFits reports whether a remembered seat is the only one of a party that takes part.
func (t *Table) seatFits(i int) bool {
	id := t.Seats[i].Party
	return t.party(id) != nil && t.seat(id) == &t.Seats[i]
}

// decisionFits reports whether a remembered decision is the only one of its id, and says
// who is asked where a person is.
func (a *Agenda) decisionFits(i int) bool {
	d := &a.Decisions[i]
	if d.Outcome.ofHuman() && d.Human == nil {
		return false
	}
	return a.decision(d.ID) == d
}

// restore makes the state of the remembered debate.
func (s *State) restore(r Memory) {
	r.Table = r.Table.clone()
	r.forgetDebating() // a memory comes from outside
	s.Received.Mode, s.Received.Previous = r.Mode, r.Before
	s.Clock.EndedAt = s.Clock.StartedAt + r.TookMS
	s.Ending, s.Talk, s.Table, s.Book = r.Ending, r.Talk, r.Table, r.Book
	s.Agenda, s.Asking, s.Critique, s.Checks = r.Agenda, r.Asking, r.Critique, r.Checks
	s.Carried, s.Disputes = r.Carried, r.Disputes
	s.Critique.Critiqued, s.Table.Preflighted, s.Checks.ChecksRead, s.Ending.Published = true, true, true, true
	*s = s.clone() // what is remembered is never changed
	for _, run := range r.Read {
		for i := max(run.From, 0); i < min(run.To+1, len(s.Split.Coverage)); i++ {
			if c := &s.Split.Coverage[i]; c.readable() {
				c.By, c.Owed, c.Carried = cloned(run.By), cloned(run.Owed), run.Carried
			}
		}
	}
}

// ordered obeys what people ordered since the remembered debate was published, and
// reports whether it changed anything. Dismissed findings are gone for good, and so is what
// models chose because of them alone. A decision that has lost a trigger, or that a
// dismissed finding held up, is ended once more.
func (dk *docket) ordered(r Memory) bool {
	dismissed := dk.dismisses()
	waived := !slices.EqualFunc(dk.agenda.Triggers, r.Agenda.Triggers, func(now, before Trigger) bool {
		return now.Waived == "" || before.Waived != ""
	})
	ofDebate := func(d *Decision) bool { return d.open() || d.ended() }
	for _, d := range dk.agenda.decisionsThat(ofDebate) {
		again := dismissed && (d.Outcome == Undecided || dk.settlesKeep(d) && r.Forgotten == 0) // what is forgotten may be a reason
		triggers, lost := dk.agenda.unwaived(d.Triggers)
		if !again && (!lost || !d.open()) {
			continue
		}
		was := *d
		d.Triggers, d.Human = triggers, nil
		dk.conclude(d)
		if d.Outcome == AwaitingHuman && d.Fingerprint == was.Fingerprint { // the question is out already
			d.Human = was.Human
		}
	}
	return dismissed || waived
}

// settlesKeep settles that a change is kept, where those who held something else have no
// reason left. It reports whether it did: nobody is asked anything because they differ now.
func (dk *docket) settlesKeep(d *Decision) bool {
	anew := *d
	dk.settle(&anew)
	if !d.disposes() || !dk.table.twoSided(dk.ending.Outcome) || anew.settled() != string(Keep) || d.settled() == string(Keep) {
		return false
	}
	d.FinalOptions, d.Held, d.Settled = anew.FinalOptions, anew.Held, anew.Settled
	return true
}

// dismisses lets people dismiss claims for good, and reports whether one was.
func (dk *docket) dismisses() bool {
	any := false
	for _, c := range dk.book.live() {
		if why := dk.received.orderedAway(c); !why.IsZero() && c.Bucket != Dismissed {
			c.Bucket, c.Reason, c.Why, c.Crux = Dismissed, ReasonHuman, why, ""
			any = true
		}
	}
	return any
}

// unwaived are the triggers of a decision that nobody waives, without those that
// come from how it went, and whether one was waived. Triggers of parties are not:
// the order is about what policy found (A12).
func (a *Agenda) unwaived(list []Trigger) (kept []Trigger, lost bool) {
	for _, t := range list {
		waived := func(p Trigger) bool { return p.ID == t.ID && p.Waived != "" }
		switch {
		case t.Source == FromProcedure:
		case t.Source == FromPolicy && slices.ContainsFunc(a.Triggers, waived):
			lost = true
		default:
			kept = append(kept, t)
		}
	}
	return kept, lost
}
