package report

import (
	"cmp"
	"slices"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/report/reason"
)

// speakers has the names for second runs of a model by their ids. A second run does not see the
// replies of the first one, and its id, such as claude-2, reads like another model. All other
// parties keep their ids as names.
type speakers map[string]string

// speakersOf are those of a debate.
func speakersOf(s *debate.State) speakers {
	return secondRuns(lists.Map(s.Table.Parties, func(p debate.Party) Party {
		return Party{ID: p.ID, Role: string(p.Role), Provider: p.Provider, Model: p.Model, Debater: p.Debater}
	}))
}

func secondRuns(list []Party) speakers {
	names := make(speakers)
	for _, p := range list {
		if of := lists.Find(list, p.isSecond); of.ID != "" {
			names[p.ID] = of.ID + "'s second run"
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
	return slices.Contains([]string{p.Again, p.Debater}, of.ID) || p.ID == of.ID+"-2" && same
}

// ids are the ids by the names, nil if no model was asked twice.
func (n speakers) ids() map[string]string {
	var ids map[string]string
	for id, name := range n {
		if ids == nil {
			ids = make(map[string]string)
		}
		ids[name] = id
	}
	return ids
}

func (n speakers) of(id string) string { return cmp.Or(n[id], id) }

// namesOf has the names of the parties and the objections of a debate. A person who disputes a
// finding is known by name.
func namesOf(s *debate.State) reason.Names {
	called := speakersOf(s)
	about := newTalk(s, survivors(s.Book.Claims))
	disputed := make(map[string]string) // by claim: the first person
	for _, step := range said(s) {
		for _, f := range step.Facts {
			if claim := about.claimOf(f); f.Kind == debate.DisputeOpened {
				disputed[claim] = cmp.Or(disputed[claim], f.Who)
			}
		}
	}
	n := reason.Names{Parties: called, Objections: make(map[string]string)}
	for _, k := range s.Book.Challenges {
		who := called.of(k.Attacker)
		if k.Attacker == debate.AuthorParty {
			who = cmp.Or(disputed[about.into[k.Claim]], who)
		}
		n.Objections[k.ID] = objectionBy(Speaker(Line{Who: who}))
	}
	return n
}

// Says is a reason of a debate in English, with names for people.
func Says(s debate.State, w debate.Why) string { return namesOf(&s).Sentence(w) }

// all are some ids as people know them.
func (n speakers) all(ids []string) []string {
	return append([]string{}, lists.Map(ids, n.of)...) // never nil, as the JSON has it
}

func (n speakers) name(ids ...*string) {
	for _, id := range ids {
		*id = n.of(*id)
	}
}

func (n speakers) names(all ...*[]string) {
	for _, l := range all {
		*l = n.all(*l)
	}
}

// call calls every party as people call it.
func (e *Envelope) call(n speakers) {
	if len(n) == 0 {
		return
	}
	each(e.Parties, func(p *Party) { p.Again = lists.Find(e.Parties, p.isSecond).ID })
	each(e.Parties, func(p *Party) { n.name(&p.ID, &p.Debater) })
	n.findings(e)
	each(e.Decisions, func(d *Decision) {
		each(d.FinalOptions, func(o *PartyOption) { n.name(&o.Party) })
		if d.Rubric != nil {
			each(d.Rubric.Sheets, func(s *Sheet) { n.name(&s.Party) })
		}
	})
	n.history(e)
}

// findings replaces the ids of finders, confirmers and attackers by names.
func (n speakers) findings(e *Envelope) {
	for f := range e.Findings() {
		n.names(&f.ReportedBy, &f.ConfirmedBy, &f.NotWeighedBy)
		each(f.Conversation, func(l *Line) { n.name(&l.Who) })
		n.challenges(f.Challenges)
	}
	n.challenges(e.Objections)
}

func (n speakers) challenges(list []Challenge) {
	each(list, func(k *Challenge) { n.name(&k.By, &k.Defender) })
}

// history replaces all other ids by names.
func (n speakers) history(e *Envelope) {
	n.name(&e.Primary)
	each(e.Positions, func(p *Position) {
		n.name(&p.By)
		each(p.Because, func(b *Because) { n.name(&b.Party) })
	})
	each(e.Deltas, func(d *Delta) { n.name(&d.Rater) })
	each(e.Rounds, func(r *Round) {
		n.names(&r.Raters, &r.Unavailable, &r.Timeouts, &r.AuthFailures, &r.OtherFailures, &r.ParseFailures, &r.Retries)
	})
	each(e.Assumptions, func(a *Assumption) { n.name(&a.Party) })
	each(e.Triggers, func(t *Trigger) { n.names(&t.By) })
	each(e.Lone, func(l *Lone) { n.name(&l.Party) })
	each(e.Reviews, func(r *Review) { n.name(&r.Party) })
	each(e.Alternatives, func(a *Alternative) { n.name(&a.Party) })
	each(e.Calls, func(c *Call) { n.name(&c.Party) })
	if e.Inquiry != nil {
		n.name(&e.Inquiry.AnsweredBy)
		each(e.Inquiry.Holders, func(h *Holder) { n.name(&h.Party) })
	}
	if e.Overview != nil {
		n.name(&e.Overview.By)
	}
}
