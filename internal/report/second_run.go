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
	for _, findings := range e.Lists() {
		for i := range *findings {
			f := &(*findings)[i]
			n.names(&f.ReportedBy, &f.ConfirmedBy)
			for j := range f.Conversation {
				n.name(&f.Conversation[j].Who)
			}
			n.challenges(f.Challenges)
		}
	}
	n.challenges(e.Objections)
}

func (n speakers) challenges(list []Challenge) {
	for i := range list {
		n.name(&list[i].By, &list[i].Defender)
	}
}

func (n speakers) decision(d *Decision) {
	for i := range d.FinalOptions {
		n.name(&d.FinalOptions[i].Party)
	}
	if d.Rubric != nil {
		for i := range d.Rubric.Sheets {
			n.name(&d.Rubric.Sheets[i].Party)
		}
	}
}

// history calls by their names who said and did what else.
func (n speakers) history(e *Envelope) {
	n.name(&e.Primary)
	for i := range e.Positions {
		at := &e.Positions[i]
		n.name(&at.By)
		for j := range at.Because {
			n.name(&at.Because[j].Party)
		}
	}
	for i := range e.Deltas {
		n.name(&e.Deltas[i].Rater)
	}
	for i := range e.Rounds {
		r := &e.Rounds[i]
		n.names(&r.Raters, &r.Unavailable, &r.Timeouts, &r.AuthFailures, &r.OtherFailures, &r.ParseFailures, &r.Retries)
	}
	for i := range e.Carried {
		for j, answer := range e.Carried[i].Answers {
			if id, says, found := strings.Cut(answer, ": "); found {
				e.Carried[i].Answers[j] = n.of(id) + ": " + says
			}
		}
	}
	for i := range e.Assumptions {
		n.name(&e.Assumptions[i].Party)
	}
	for i := range e.Triggers {
		n.names(&e.Triggers[i].By)
	}
	for i := range e.Lone {
		n.name(&e.Lone[i].Party)
	}
	for i := range e.Reviews {
		n.name(&e.Reviews[i].Party)
	}
	for i := range e.Alternatives {
		n.name(&e.Alternatives[i].Party)
	}
	for i := range e.Calls {
		n.name(&e.Calls[i].Party)
	}
	if e.Inquiry != nil {
		n.name(&e.Inquiry.AnsweredBy)
		for i := range e.Inquiry.Holders {
			n.name(&e.Inquiry.Holders[i].Party)
		}
	}
	if e.Overview != nil {
		overview := *e.Overview
		n.name(&overview.By)
		e.Overview = &overview
	}
}
