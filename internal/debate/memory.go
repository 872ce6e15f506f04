package debate

import (
	"slices"
	"strconv"

	"github.com/prdebate/debate/internal/lists"
)

// Memory is the part of a published debate kept for the next run on its pull request. A
// session on the same head continues from it (Received.Recall): people decide, dispute,
// dismiss and waive, and the rest is rendered as before. A session on a new head begins with
// its Previous.
//
// It leaves out the needs of the debate phase alone: the ledger (its entries of people are in
// the decisions), proposed decisions, triggers asserted by parties, and the frozen change with
// its split, which the next session makes again from the same head.
type Memory struct {
	Protocol  string `json:"protocol"`
	SessionID string `json:"session_id"`
	Mode      Mode   `json:"mode"`
	BaseSHA   string `json:"base,omitempty"`
	HeadSHA   string `json:"head,omitempty"`
	Snapshot  string `json:"snapshot"` // hash of the frozen change
	TookMS    int64  `json:"took_ms"`
	Disputes  int    `json:"disputes,omitempty"` // on the pull request so far

	// The parts of the state, as cut by forgetDebating.
	Ending   Ending         `json:"ending"`
	Talk     Talk           `json:"talk,omitzero"`
	Table    Table          `json:"table,omitzero"`
	Book     Book           `json:"book,omitzero"`
	Agenda   Agenda         `json:"agenda,omitzero"`
	Asking   Asking         `json:"asking,omitzero"`
	Critique Critique       `json:"critique,omitzero"`
	Checks   Checks         `json:"checks,omitzero"`
	Carried  []CarriedState `json:"carried,omitempty"`
	Said     []Step         `json:"said,omitempty"` // in the disputes about this head, see saidInDisputes

	Parts      int          `json:"parts"`                // of the coverage ledger
	Read       []Readers    `json:"read,omitempty"`       // runs of parts with the same readers
	Segments   []SegmentKey `json:"segments,omitempty"`   // reviewed by a party
	ReadBefore ReadBefore   `json:"read_before,omitzero"` // not sent again on the next head
	Before     Previous     `json:"before"`               // the result of earlier heads, without their findings

	// Forgotten counts the claims left out by Short.
	Forgotten int `json:"forgotten,omitempty"`
}

// Readers names the readers of a run of parts in the coverage ledger.
type Readers struct {
	From int      `json:"from"` // index of the first part
	To   int      `json:"to"`   // and of the last one
	By   []string `json:"by"`
	Owed []string `json:"owed,omitempty"` // parties without an answer
	// Carried is the earlier head of the reading.
	Carried string `json:"carried,omitempty"`
}

// Memory returns the memory of a finished debate.
func (s State) Memory() Memory {
	s = s.clone()
	m := Memory{
		Protocol: s.Received.Protocol, SessionID: s.Received.SessionID, Mode: s.Received.Mode,
		BaseSHA: s.Snapshot.BaseSHA, HeadSHA: s.Snapshot.HeadSHA, Snapshot: s.Snapshot.Hash,
		TookMS: s.Clock.EndedAt - s.Clock.StartedAt, Disputes: s.Disputes,
		Ending: s.Ending, Talk: s.Talk, Table: s.Table, Book: s.Book, Agenda: s.Agenda, Asking: s.Asking, Critique: s.Critique, Checks: s.Checks,
		Carried: s.Carried, Said: saidInDisputes(s),
		Parts: len(s.Split.Coverage), Read: readers(s.Split.Coverage), Segments: reviewedSegments(s.Split), ReadBefore: s.reading(),
		Before: Previous{
			Head: s.Received.Previous.Head, Heads: s.Received.Previous.Heads, NextF: s.Received.Previous.NextF,
			Decisions: s.Received.Previous.Decisions,
		},
	}
	m.Talk.Overview = s.Overview()
	m.forgetDebating()
	return m
}

// forgetDebating leaves out the needs of the debate phase alone, and event numbers: they mean
// nothing in another record.
func (m *Memory) forgetDebating() {
	m.Book.Ledger = nil
	m.Talk.Openings, m.Talk.ThinStreak = nil, 0
	m.Agenda.Assertions, m.Agenda.Asked, m.Agenda.Framed = nil, nil, nil
	m.Asking.Shown, m.Asking.Looks, m.Asking.Wave, m.Checks.Tests, m.Asking.Tested = nil, nil, nil, nil, false
	m.Ending.Answer, m.Ending.Closing = nil, nil
	// A continued session is past these steps in any case; see restore.
	m.Critique.Critiqued, m.Table.Preflighted = false, false
	for i := range m.Table.Seats {
		m.Table.Seats[i].SpokeAt, m.Table.Seats[i].OptionAt = 0, 0
	}
}

// readers returns the coverage ledger as runs of parts with the same readers.
func readers(ledger []Coverage) []Readers {
	var runs []Readers
	for i, c := range ledger {
		switch last := len(runs) - 1; {
		case len(c.By) == 0:
		case last >= 0 && runs[last].To == i-1 && slices.Equal(runs[last].By, c.By) && slices.Equal(runs[last].Owed, c.Owed) && runs[last].Carried == c.Carried:
			runs[last].To = i
		default:
			runs = append(runs, Readers{From: i, To: i, By: c.By, Owed: c.Owed, Carried: c.Carried})
		}
	}
	return runs
}

// reviewedSegments returns the segments fully read by parties.
func reviewedSegments(split SplitDone) []SegmentKey {
	parts, read := make(map[string]int), make(map[string]int) // by segment
	for _, c := range split.Coverage {
		for _, id := range c.Segments {
			parts[id]++
			if reviewedByParty(c.By) {
				read[id]++
			}
		}
	}
	reviewed := lists.Keep(split.Segments, func(seg Segment) bool { return parts[seg.ID] > 0 && read[seg.ID] == parts[seg.ID] })
	return lists.Map(reviewed, func(seg Segment) SegmentKey { return SegmentKey{Path: seg.Path, TextHash: seg.TextHash} })
}

// Previous is the start of a session on a new head (S11, A25). Its findings are the
// agreed ones. The caller finds their places on the new head: it sets Cite, Present, Names and
// NextF, and resets Final if the cited lines changed (A26).
func (m Memory) Previous() Previous {
	p := Previous{
		Head: m.HeadSHA, Heads: m.Before.Heads + 1, Segments: append([]SegmentKey(nil), m.Segments...),
		NextF: m.Before.NextF, Disputes: m.Disputes, ReadBefore: m.carryable(), Overview: m.Talk.Overview,
	}
	for _, c := range m.Book.live() {
		if c.Bucket == Agreed {
			p.Findings = append(p.Findings, Carried{
				ID: c.ID, Severity: c.Severity, Category: c.Category, Title: c.Title, Body: c.Body, Cite: c.Cite(), Owner: c.Owner, Final: c.Final,
				Grave: m.Book.mustBeSeen(c), Wider: m.Book.beyond(c),
			})
		}
	}
	for _, d := range m.Agenda.Decisions {
		for _, a := range d.Human.Lasting() {
			p.Decisions = append(p.Decisions, PriorDecision{d.Fingerprint, d.LinkedHash, a})
		}
	}
	return p
}

// recall continues the published debate of an earlier run on the same head. The change
// is frozen and split; no model is asked. It obeys newer orders of people, and publishes if
// they changed anything.
func (m *reducer) recall() {
	r := *m.Received.Recall
	if why := r.unfit(*m.State); !why.IsZero() {
		m.abort(because(WhyMemoryUnfit).because(why))
		return
	}
	m.restore(r)
	m.provenance()
	for _, d := range lists.Pointers(m.Agenda.Decisions, (*Decision).byHuman) {
		for _, a := range d.Human.Answers() {
			m.ledger(TagUser, a.By, d.ID+": "+a.Option+" "+a.Reason, d.ID)
		}
	}
	if m.ordered(r) {
		m.verdict()
		m.transition(StagePublish)
		return
	}
	m.transition(m.Agenda.rests())
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
		if r.Agenda.decision(d.ID) != d || d.ForPeople() && d.Human == nil {
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
	s.Critique.Critiqued, s.Table.Preflighted = true, true
	*s = s.clone() // the remembered debate stays as it is
	for _, run := range r.Read {
		for i := max(run.From, 0); i < min(run.To+1, len(s.Split.Coverage)); i++ {
			if c := &s.Split.Coverage[i]; c.readable() {
				c.By, c.Owed, c.Carried = slices.Clone(run.By), slices.Clone(run.Owed), run.Carried
			}
		}
	}
}

// ordered obeys the orders of people since the remembered debate was published, and reports
// whether they changed anything. Dismissed findings are gone for good, and so are choices of
// models based on them alone. A decision that lost a trigger, or was open because of a
// dismissed finding, is concluded again.
func (m *reducer) ordered(r Memory) bool {
	dismissed := m.dismisses()
	waived := !slices.EqualFunc(m.Agenda.Triggers, r.Agenda.Triggers, func(now, before Trigger) bool {
		return now.Waived == "" || before.Waived != ""
	})
	ofDebate := func(d *Decision) bool { return d.Open() || d.ended() }
	for _, d := range lists.Pointers(m.Agenda.Decisions, ofDebate) {
		again := dismissed && (d.Outcome == Undecided || m.settlesKeep(d) && r.Forgotten == 0) // a forgotten claim may be a reason
		triggers, lost := m.Agenda.unwaived(d.Triggers)
		if !again && (!lost || !d.Open()) {
			continue
		}
		was := *d
		d.Triggers, d.Human = triggers, nil
		m.endDecision(d)
		if d.Outcome == AwaitingHuman && d.Fingerprint == was.Fingerprint { // the question is out already
			d.Human = was.Human
		}
	}
	return dismissed || waived
}

// settlesKeep settles a decision as "keep" if every other side lost its reasons, and reports
// whether it did. No model is asked because of the new result.
func (m *reducer) settlesKeep(d *Decision) bool {
	anew := *d
	m.settleDecision(&anew)
	if !d.disposes() || !m.Table.twoSided(m.Ending.Outcome) || anew.settled() != string(Keep) || d.settled() == string(Keep) {
		return false
	}
	d.FinalOptions, d.Held, d.Settled = anew.FinalOptions, anew.Held, anew.Settled
	return true
}

// dismisses lets people dismiss claims for good, and reports whether one was.
func (m *reducer) dismisses() bool {
	any := false
	for _, c := range m.Book.live() {
		if why := m.Received.orderedAway(c); !why.IsZero() && c.Bucket != Dismissed {
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
