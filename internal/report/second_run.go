package report

import (
	"cmp"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/report/reason"
)

// speakers are what people call the parties that are a model asked a second time, in a
// run that does not see what it said before, by their ids. An id such as claude-2 reads
// like another model. All other parties are known by their ids.
type speakers map[string]string

// speakersOf are those of a debate.
func speakersOf(s *debate.State) speakers {
	var list []Party
	for _, p := range s.Table.Parties {
		list = append(list, Party{ID: p.ID, Role: string(p.Role), Provider: p.Provider, Model: p.Model, Debater: p.Debater})
	}
	return secondRuns(list)
}

func secondRuns(list []Party) speakers {
	names := make(speakers)
	for _, p := range list {
		for _, of := range list {
			if p.isSecond(of) {
				names[p.ID] = possessive(of.ID) + " second run"
			}
		}
	}
	return names
}

// isSecond reports whether a party is the second run of another one.
func (p Party) isSecond(of Party) bool {
	if !p.debates() || !of.debates() || p.ID == of.ID {
		return false
	}
	same := p.Provider == of.Provider && p.Model == of.Model
	return p.Again == of.ID || p.Debater == of.ID || p.ID == of.ID+"-2" && same
}

func (n speakers) of(id string) string { return cmp.Or(n[id], id) }

// sentence says a reason and names who it is about.
func (n speakers) sentence(w debate.Why) string { return reason.Sentence(n.named(w)) }

// named is a reason that is about parties as people know them.
func (n speakers) named(w debate.Why) debate.Why {
	w.Refs = n.all(w.Refs)
	if w.Cause != nil {
		cause := n.named(*w.Cause)
		w.Cause = &cause
	}
	return w
}

// all are some ids as people know them.
func (n speakers) all(ids []string) []string {
	out := make([]string, len(ids))
	for i, id := range ids {
		out[i] = n.of(id)
	}
	return out
}

func (n speakers) name(ids ...*string) {
	for _, id := range ids {
		*id = n.of(*id)
	}
}

func (n speakers) names(lists ...*[]string) {
	for _, l := range lists {
		*l = n.all(*l)
	}
}

// WithSpeakers is an envelope as a tool shows it to people: with the ids of claims,
// complete, and with every party called as people call it.
func WithSpeakers(e Envelope) Envelope { return called(Complete(e)) }

// called is an envelope in which every party is called as people call it. It shares
// nothing that it changes with e.
func called(e Envelope) Envelope {
	n := secondRuns(e.Parties)
	if len(n) == 0 {
		return e
	}
	e = filled(e)
	for i := range e.Parties {
		p := &e.Parties[i]
		for _, of := range e.Parties {
			if p.isSecond(of) {
				p.Again = of.ID
			}
		}
	}
	for i := range e.Parties {
		n.name(&e.Parties[i].ID, &e.Parties[i].Debater)
	}
	n.findings(&e)
	for i := range e.Decisions {
		n.decision(&e.Decisions[i])
	}
	n.history(&e)
	return e
}

// findings calls by their names who found, confirmed and attacked what.
func (n speakers) findings(e *Envelope) {
	for f := range e.Findings() {
		n.names(&f.ReportedBy, &f.ConfirmedBy)
		nameEach(n, f.Conversation, func(l *Line) *string { return &l.Who })
		n.challenges(f.Challenges)
	}
	n.challenges(e.Objections)
}

func (n speakers) challenges(list []Challenge) {
	for i := range list {
		n.name(&list[i].By, &list[i].Defender)
	}
}

func (n speakers) decision(d *Decision) {
	nameEach(n, d.FinalOptions, func(o *PartyOption) *string { return &o.Party })
	if d.Rubric != nil {
		nameEach(n, d.Rubric.Sheets, func(s *Sheet) *string { return &s.Party })
	}
}

// answers calls by their names who answered about a finding of an earlier head.
func (n speakers) answers(list []string) {
	for i, answer := range list {
		if id, says, found := strings.Cut(answer, ": "); found {
			list[i] = n.of(id) + ": " + says
		}
	}
}

// nameEach calls by its name the party of each of some.
func nameEach[T any](n speakers, list []T, party func(*T) *string) {
	for i := range list {
		n.name(party(&list[i]))
	}
}

// history calls by their names who said and did what else.
func (n speakers) history(e *Envelope) {
	n.name(&e.Primary)
	for i := range e.Positions {
		n.name(&e.Positions[i].By)
		nameEach(n, e.Positions[i].Because, func(b *Because) *string { return &b.Party })
	}
	nameEach(n, e.Deltas, func(d *Delta) *string { return &d.Rater })
	for i := range e.Rounds {
		r := &e.Rounds[i]
		n.names(&r.Raters, &r.Unavailable, &r.Timeouts, &r.AuthFailures, &r.OtherFailures, &r.ParseFailures, &r.Retries)
	}
	for i := range e.Carried {
		n.answers(e.Carried[i].Answers)
	}
	nameEach(n, e.Assumptions, func(a *Assumption) *string { return &a.Party })
	for i := range e.Triggers {
		n.names(&e.Triggers[i].By)
	}
	nameEach(n, e.Lone, func(l *Lone) *string { return &l.Party })
	nameEach(n, e.Reviews, func(r *Review) *string { return &r.Party })
	nameEach(n, e.Alternatives, func(a *Alternative) *string { return &a.Party })
	nameEach(n, e.Calls, func(c *Call) *string { return &c.Party })
	if e.Inquiry != nil {
		n.name(&e.Inquiry.AnsweredBy)
		nameEach(n, e.Inquiry.Holders, func(h *Holder) *string { return &h.Party })
	}
	if e.Overview != nil {
		overview := *e.Overview
		n.name(&overview.By)
		e.Overview = &overview
	}
}
