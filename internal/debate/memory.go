package debate

import (
	"slices"

	"github.com/prdebate/debate/internal/lists"
)

// Memory is what a published debate leaves for the next run on its pull request
// (S10). A session on the same head goes on from it (Received.Recall): people
// decide, dispute, dismiss and waive, and what stands is rendered as before. A
// session on a new head begins with what Previous makes of it.
//
// What only the debate phase needs is not in it: the ledger, whose entries of
// people stand in the decisions, the proposed decisions and criteria, what
// parties assert of triggers, and the frozen change with its split, which the
// next session makes anew from the same head.
type Memory struct {
	Protocol  string `json:"protocol"`
	SessionID string `json:"session_id"`
	Mode      Mode   `json:"mode"`
	BaseSHA   string `json:"base,omitempty"`
	HeadSHA   string `json:"head,omitempty"`
	Snapshot  string `json:"snapshot"` // hash of all that was frozen
	TookMS    int64  `json:"took_ms"`
	Disputes  int    `json:"disputes,omitempty"` // on the pull request so far (S19)

	// The parts of the state, without what forgetDebating leaves out.
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
	Segments   []SegmentKey `json:"segments,omitempty"`   // that a party reviewed
	ReadBefore ReadBefore   `json:"read_before,omitzero"` // what the next head need not be sent again
	Before     Previous     `json:"before"`               // what earlier heads left, without their findings

	// Forgotten counts the claims that Prune left out at last.
	Forgotten int `json:"forgotten,omitempty"`
}

// Readers says who read a run of parts of the coverage ledger.
type Readers struct {
	From int      `json:"from"` // index of the first part
	To   int      `json:"to"`   // and of the last one
	By   []string `json:"by"`
	Owed []string `json:"owed,omitempty"` // who took part and did not answer
	// Carried is the earlier head on which they did.
	Carried string `json:"carried,omitempty"`
}

// Memory returns what the next run needs of a debate that has ended.
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

// forgetDebating leaves out what only the debate phase needs, and event numbers: those of
// one record say nothing in another.
func (m *Memory) forgetDebating() {
	m.Book.Ledger, m.Book.Touched, m.Book.Grew = nil, nil, false
	m.Talk.Openings, m.Talk.ThinStreak = nil, 0
	m.Agenda.Assertions, m.Agenda.Asked, m.Agenda.Framed = nil, nil, nil
	m.Asking.Shown, m.Asking.Looks, m.Asking.Wave, m.Checks.Tests, m.Asking.Tested = nil, nil, nil, nil, false
	m.Ending.Answer, m.Ending.Closing = nil, nil
	// What a session that goes on has behind it, whatever this one did; see restore.
	m.Critique.Critiqued, m.Table.Preflighted, m.Checks.ChecksRead, m.Ending.Published = false, false, false, false
	for i := range m.Table.Seats {
		m.Table.Seats[i].SpokeAt, m.Table.Seats[i].OptionAt = 0, 0
	}
}

// readers is the coverage ledger as runs of parts that the same parties read.
func readers(ledger []Coverage) []Readers {
	var runs []Readers
	for i, c := range ledger {
		switch last := len(runs) - 1; {
		case len(c.By) == 0:
		case i > 0 && c.sameReaders(ledger[i-1]): // which has readers, and is of the last run
			runs[last].To = i
		default:
			runs = append(runs, Readers{From: i, To: i, By: c.By, Owed: c.Owed, Carried: c.Carried})
		}
	}
	return runs
}

// sameReaders reports whether the same parties read two parts, on the same head.
func (c Coverage) sameReaders(d Coverage) bool {
	return slices.Equal(c.By, d.By) && slices.Equal(c.Owed, d.Owed) && c.Carried == d.Carried
}

// reviewedSegments are the segments all parts of which a party read.
func reviewedSegments(split SplitDone) []SegmentKey {
	parts, read := make(map[string]int), make(map[string]int) // of each segment
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

// Spent is what the calls of the remembered session and of those that it went on
// from cost, in millionths of a US dollar, and whether the price of some is not
// known (S15).
func (m Memory) Spent() (micro int64, unknown bool) {
	return m.Asking.Spent()
}

// Previous is what a session on a new head begins with (S11, A14, A25). Its
// findings are the agreed ones. Where they stand on the new head,
// if they do, is for the caller to say: it sets Cite, Present, Names
// and NextF, and Final back to false where the cited lines have changed (A26).
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
			p.Decisions = append(p.Decisions, PriorDecision{
				Fingerprint: d.Fingerprint, LinkedHash: d.LinkedHash, Option: a.Option, By: a.By, Reason: a.Reason,
				At: a.At, Head: a.Head, Self: a.Self, Local: a.Local, Accepted: a.Accepted,
			})
		}
	}
	return p
}
