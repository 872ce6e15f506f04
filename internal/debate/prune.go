package debate

import (
	"slices"

	"github.com/prdebate/debate/internal/debate/jury"
	"github.com/prdebate/debate/internal/lists"
)

// MaxPrune is the last level: above it nothing more is cut.
const MaxPrune = 6

// room is the bounds of texts at a level, in bytes: main texts, single lines (of an attack, a
// defense or a reason), and the quote of a citation. 0 is no bound.
type room struct{ level, body, line, quote int }

var rooms = [MaxPrune + 1]room{
	{},
	{level: 1, body: 2000, line: 500, quote: 2000},
	{level: 2, body: 800, line: 250, quote: 1000},
	{level: 3, body: 300, line: 160, quote: 600},
	{level: 4, body: 120, line: 100, quote: 400},
	{level: 5, body: 60, line: 60, quote: 300},
	{level: 6, body: 24, line: 24, quote: 200},
}

func cut(most int, texts ...*string) {
	for _, text := range texts {
		if most > 0 {
			*text = clip(*text, most)
		}
	}
}

func cutAll(list []string, most int) []string {
	return changed(list, func(text *string) { cut(most, text) })
}

// Prune returns a memory with less prose for a higher level, so that it fits its place; level
// 0 cuts nothing. No id, bucket, severity, decision or flag changes, and no text becomes empty.
// From level 5 on it forgets the readings, so a new head counts as changed throughout. Level 6
// forgets the claims without consequences, beyond the first 50.
func (m Memory) Prune(level int) Memory {
	if level <= 0 {
		return m
	}
	r := rooms[min(level, MaxPrune)]
	m.Ending.OutcomeReason = m.Ending.OutcomeReason.cut(max(r.line, 200))
	if r.level == MaxPrune {
		m = m.forget(50)
	}
	m.Book.Claims = changed(m.Book.Claims, func(c *Claim) { c.prune(r) })
	m.Book.Challenges = changed(m.Book.Challenges, func(k *Challenge) { k.prune(r) })
	m.Agenda.Decisions = changed(m.Agenda.Decisions, func(d *Decision) { d.prune(r) })
	m.Agenda.Triggers = triggersCut(m.Agenda.Triggers, r.line)
	m.Table.Seats = changed(m.Table.Seats, func(seat *Seat) {
		cut(r.line, &seat.WhyDisagree, &seat.RightIf, &seat.CoreAssumption, &seat.TestableBy)
	})
	m.Table.Parties = changed(m.Table.Parties, func(p *Party) { cut(r.line, &p.Detail) })
	m.Talk.prune(r)
	m.Asking.Calls = changed(m.Asking.Calls, func(c *Call) {
		c.Detail, c.Dropped, c.ReplyHash = "", nil, ""
		if r.level >= 4 {
			c.Started, c.Ended = 0, 0
		}
	})
	m.Checks.Runs = changed(m.Checks.Runs, func(run *Run) { cut(r.line, &run.Text) })
	m.Carried = changed(m.Carried, func(c *CarriedState) { cut(r.line, &c.Body, &c.Cite.Quote) }) // its claim has the place
	m.Critique.Notices = changed(m.Critique.Notices, func(n *Notice) { cut(r.line, &n.Text) })
	m.Said = changed(m.Said, func(s *Step) {
		s.Facts = changed(s.Facts, func(f *Fact) {
			cut(r.line, &f.Text)
			f.Cites, f.Why = evidenceCut(f.Cites, Citation{}, 0), f.Why.cut(r.line)
		})
	})
	if r.level >= 2 {
		m.Agenda.Reviews = nil
	}
	if r.level >= 4 {
		m.Said, m.Critique.Notices = nil, keep(m.Critique.Notices, 10)
	}
	if r.level >= 5 {
		m.Segments, m.Critique.Notices, m.ReadBefore = nil, nil, ReadBefore{}
	}
	return m
}

// prune cuts the course of the debate.
func (t *Talk) prune(r room) {
	t.ExitWhy = t.ExitWhy.cut(r.line)
	t.Overview = t.Overview.prune(r)
	t.Positions = cloned(t.Positions)
	if last := len(t.Positions) - 1; r.level >= 3 && last > 0 {
		t.Positions = []Position{t.Positions[0], t.Positions[last]}
	}
	for i := range t.Positions {
		p, most := &t.Positions[i], r.line
		if i == len(t.Positions)-1 {
			most = r.body
		}
		cut(most, &p.Summary)
		p.Weaknesses, p.Assumptions = cutAll(p.Weaknesses, r.line), cutAll(p.Assumptions, r.line)
		p.Because = changed(p.Because, func(b *Because) { cut(r.line, &b.Granted, &b.Reason) })
	}
	t.Arbitrations = changed(t.Arbitrations, func(a *Arbitration) {
		a.Items = changed(a.Items, func(f *Flagged) { cut(r.line, &f.Note) })
	})
	if r.level >= 4 {
		t.Deltas = nil
	}
	if r.level >= 5 {
		t.Rounds = nil
	}
}

// prune drops the reading order, the largest part, and shortens the rest.
func (v *Overview) prune(r room) *Overview {
	if v == nil || r.level >= 4 {
		return nil
	}
	short := *v
	if r.level >= 2 {
		short.Order, short.Others = nil, 0
	}
	cut(r.body, &short.Does, &short.Misses)
	return &short
}

func (c *Claim) prune(r room) {
	body := r.body
	if c.Bucket != Agreed && c.Reason != ReasonOpen { // people look these up less often
		body = r.line
	}
	cut(max(r.line, 80), &c.Title)
	cut(body, &c.Body)
	cut(r.body, &c.Suggestion)
	if r.level >= 4 {
		c.Suggestion = ""
	}
	cut(r.line, &c.Limit, &c.Why.Words, &c.Crux)
	quote := r.quote
	if c.Bucket == Agreed { // the next head finds it by its quote
		quote = 0
		if r.level == MaxPrune {
			quote = 1000
		}
	}
	c.Evidence = evidenceCut(c.Evidence, c.Cite(), quote)
	c.Evaluations = changed(c.Evaluations, func(e *Evaluation) {
		cut(r.line, &e.Flaw, &e.UpgradeIf)
		if r.level >= 3 {
			e.Flaw, e.UpgradeIf = "", ""
		}
	})
}

// evidenceCut keeps the quote at the place of a claim as far as there is room, and one line of
// the others.
func evidenceCut(list []Evidence, at Citation, most int) []Evidence {
	return changed(list, func(e *Evidence) {
		if e.Test != nil {
			e.Test = e.Test.cut()
		}
		if e.Cite == at {
			cut(most, &e.Cite.Quote)
		} else {
			cut(80, &e.Cite.Quote)
		}
	})
}

func (k *Challenge) prune(r room) {
	cut(r.line, &k.Objection, &k.Defence, &k.ResolvedWith.Words)
	k.Evidence = evidenceCut(k.Evidence, Citation{}, r.quote)
	k.DefenceBy = evidenceCut(k.DefenceBy, Citation{}, r.quote)
	if r.level >= 2 {
		k.DefenceBy = nil
	}
	k.Views = changed(k.Views, func(v *DeadlockSide) { cut(r.line, &v.Measurement, &v.Threshold, &v.Effect) })
}

func (d *Decision) prune(r room) {
	d.Why, d.NoPanel, d.Unscored = d.Why.cut(max(r.line, 200)), d.NoPanel.cut(r.line), d.Unscored.cut(r.line)
	d.Triggers = triggersCut(d.Triggers, r.line)
	d.Options = changed(d.Options, func(o *Option) { cut(max(r.line, 100), &o.Description) })
	d.Human = copied(d.Human, func(h *Human) {
		cut(r.body, &h.Reason)
		h.Void = keep(changed(h.Void, func(a *VoidAnswer) { cut(r.line, &a.Why) }), 20)
		for _, list := range []*[]PersonAnswer{&h.Others, &h.Earlier} {
			*list = changed(*list, func(a *PersonAnswer) { cut(r.line, &a.Reason) })
		}
	})
	d.Rubric = copied(d.Rubric, func(rubric *Rubric) {
		rubric.Sheets = changed(rubric.Sheets, func(sheet *Scoresheet) {
			sheet.Raw = "" // the record has it
			cut(r.line, &sheet.Rationale)
			sheet.Flaw.Refs = cutAll(sheet.Flaw.Refs, r.line)
		})
	})
	d.Panel = copied(d.Panel, func(p *Panel) {
		p.Perspectives = changed(p.Perspectives, func(x *jury.Perspective) { cut(r.line, &x.Reason) })
		p.Changes = changed(p.Changes, func(x *jury.Change) { cut(r.line, &x.Reason) })
		p.Rounds = changed(p.Rounds, func(round *jury.Round) {
			round.Votes = changed(round.Votes, func(v *Vote) {
				cut(r.line, &v.Reason)
				v.Note.Refs, v.Hidden = cutAll(v.Note.Refs, r.line), cutAll(v.Hidden, r.line)
				if r.level >= 2 {
					v.PerOption, v.Counters, v.Hidden, v.ConvincedBy = nil, nil, nil, nil
				}
			})
		})
	})
}

func triggersCut(list []Trigger, most int) []Trigger {
	return changed(list, func(t *Trigger) { cut(most, &t.Detail, &t.Waived) })
}

// forget leaves out, beyond the first few, merged claims and claims weighed only by their
// owners.
func (m Memory) forget(few int) Memory {
	stays, all := m.basis(few), Book{Claims: m.Book.Claims}
	claims := lists.Keep(m.Book.Claims, func(c Claim) bool { return stays[c.ID] })
	m.Forgotten += len(m.Book.Claims) - len(claims)
	for i := range claims {
		c := &claims[i]
		if live := all.survivor(c.ID); live != nil && c.SameAs != "" {
			c.SameAs = live.ID
		}
	}
	rest := Book{Claims: claims}
	m.Book.Claims = cloned(claims)
	for _, c := range m.Book.live() {
		c.Wider = all.beyond(c)
		if all.mustBeSeen(c) && !rest.mustBeSeen(c) { // a forgotten claim is the reason to keep it visible
			c.Grave = true
		}
	}
	return m
}

// basis is the claims that stay: those the verdict rests on, and the first few of the others.
func (m Memory) basis(few int) map[string]bool {
	stays := make(map[string]bool)
	for _, k := range m.Book.Challenges { // attacked
		stays[k.Claim] = true
	}
	for _, d := range m.Agenda.Decisions { // decided about
		for _, id := range d.Claims {
			stays[id] = true
		}
	}
	unheard := []Reason{ReasonNotDebated, ReasonLate, ReasonUnreviewed, ReasonUnconfirmed, ReasonUnproved}
	severe := make(map[string]bool) // by owner
	for _, c := range m.Book.live() {
		switch {
		case c.Bucket != Unresolved || !slices.Contains(unheard, c.Reason): // agreed on, or weighed by others
			stays[c.ID] = true
		case c.severe() && !severe[c.Owner]: // the first severe one of its owner
			severe[c.Owner], stays[c.ID] = true, true
		case c.Severity == P1 && qualified(c.Evidence):
			stays[c.ID] = true
		}
	}
	rest := lists.Keep(m.Book.Claims, func(c Claim) bool { return !stays[c.ID] })
	for _, c := range keep(rest, few) {
		stays[c.ID] = true
	}
	for _, c := range m.Book.Claims { // a merged claim keeps its survivor
		if live := m.Book.survivor(c.ID); live != nil && stays[c.ID] {
			stays[live.ID] = true
		}
	}
	return stays
}
