package debate

import (
	"slices"
	"strconv"
)

// recall continues the published debate of an earlier run on the same head (S10). The change
// is frozen and split; no model is asked. It obeys newer orders of people, and publishes if
// they changed anything.
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

// unfit says why a session cannot continue from a memory. A memory comes from outside, so
// recall checks every reference that the rules follow unchecked.
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
	case !slices.Contains([]Outcome{Consensus, Tradeoff, Unchallenged, DegradedLocal, Skipped}, r.Ending.Outcome):
		return because(WhyMemoryResult)
	}
	return r.broken()
}

// broken names the first item of a memory with a bad reference, or nothing.
func (r Memory) broken() Why {
	item := func(of string, i int) Why { return because(WhyMemoryItem, of, strconv.Itoa(i+1)) }
	for i := range r.Book.Claims { // each has its own id, and is part of a claim that exists
		c := &r.Book.Claims[i]
		live := r.Book.survivor(c.ID)
		if c.ID == "" || r.Book.claim(c.ID) != c || live == nil || live.SameAs != "" {
			return item("claim", i)
		}
	}
	for i, k := range r.Book.Challenges { // their numbers continue, so they have no gap
		if k.ID != "K"+strconv.Itoa(i+1) || !k.toPosition() && r.Book.claim(k.Claim) == nil {
			return item("challenge", i)
		}
	}
	for i := range r.Table.Seats { // each party has one
		seat := &r.Table.Seats[i]
		if r.Table.party(seat.Party) == nil || r.Table.seat(seat.Party) != seat {
			return item("seat", i)
		}
	}
	for i := range r.Agenda.Decisions { // each has its own id, and a human item if a person is asked
		d := &r.Agenda.Decisions[i]
		if r.Agenda.decision(d.ID) != d || d.Outcome.ofHuman() && d.Human == nil {
			return item("decision", i)
		}
	}
	return Why{}
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
	*s = s.clone() // the remembered debate stays as it is
	for _, run := range r.Read {
		for i := max(run.From, 0); i < min(run.To+1, len(s.Split.Coverage)); i++ {
			if c := &s.Split.Coverage[i]; c.readable() {
				c.By, c.Owed, c.Carried = cloned(run.By), cloned(run.Owed), run.Carried
			}
		}
	}
}

// ordered obeys the orders of people since the remembered debate was published, and reports
// whether they changed anything. Dismissed findings are gone for good, and so are choices of
// models based on them alone. A decision that lost a trigger, or was open because of a
// dismissed finding, is concluded again.
func (dk *docket) ordered(r Memory) bool {
	dismissed := dk.dismisses()
	waived := !slices.EqualFunc(dk.agenda.Triggers, r.Agenda.Triggers, func(now, before Trigger) bool {
		return now.Waived == "" || before.Waived != ""
	})
	ofDebate := func(d *Decision) bool { return d.open() || d.ended() }
	for _, d := range dk.agenda.decisionsThat(ofDebate) {
		again := dismissed && (d.Outcome == Undecided || dk.settlesKeep(d) && r.Forgotten == 0) // a forgotten claim may be a reason
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

// settlesKeep settles a decision as "keep" if every other side lost its reasons, and reports
// whether it did. No model is asked because of the new result.
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

// unwaived returns the triggers of a decision without the waived ones and the procedural ones,
// and reports whether one was waived. Triggers of parties are never waived: an order is about
// findings of policy (A12).
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
