package debate

import (
	"slices"

	"github.com/prdebate/debate/internal/debate/jury"
	"github.com/prdebate/debate/internal/lists"
)

// MaxPrune is the last level: above it nothing more is cut.
const MaxPrune = 6

// room bounds texts in bytes: main texts, single lines (of an attack, a defense or a reason),
// and the quote of a citation. 0 is no bound.
type room struct{ body, line, quote int }

// rooms are by level, up to MaxPrune.
var rooms = [...]room{
	{},
	{body: 2000, line: 500, quote: 2000},
	{body: 800, line: 250, quote: 1000},
	{body: 300, line: 160, quote: 600},
	{body: 120, line: 100, quote: 400},
	{body: 60, line: 60, quote: 300},
	{body: 24, line: 24, quote: 200},
}

func cut(text *string, most int) {
	if most > 0 {
		*text = clip(*text, most)
	}
}

func cutAll(list []string, most int) []string {
	return changed(list, func(text *string) { cut(text, most) })
}

// Prune returns a memory with less prose for a higher level, so that it fits its place; level
// 0 cuts nothing. No id, bucket, severity, decision or flag changes, and no text becomes
// empty. From level 5 on it forgets the readings, so a new head counts as changed throughout.
// Level 6 forgets the claims without consequences, beyond the first 50.
func (m Memory) Prune(level int) Memory {
	if level <= 0 {
		return m
	}
	r := rooms[min(level, MaxPrune)]
	m.Ending.OutcomeReason = m.Ending.OutcomeReason.cut(max(r.line, 200))
	m.Talk.ExitWhy = m.Talk.ExitWhy.cut(r.line)
	if level >= MaxPrune {
		m = m.forget(50)
	}
	m.Book.Claims = changed(m.Book.Claims, func(c *Claim) { c.prune(level, r) })
	m.Book.Challenges = changed(m.Book.Challenges, func(k *Challenge) { k.prune(level, r) })
	m.Agenda.Decisions = changed(m.Agenda.Decisions, func(d *Decision) { d.prune(level, r) })
	m.Agenda.Triggers = triggersCut(m.Agenda.Triggers, r.line)
	m.Table.Seats = changed(m.Table.Seats, func(seat *Seat) {
		cut(&seat.WhyDisagree, r.line)
		cut(&seat.RightIf, r.line)
		cut(&seat.CoreAssumption, r.line)
		cut(&seat.TestableBy, r.line)
	})
	m.Table.Parties = changed(m.Table.Parties, func(p *Party) { cut(&p.Detail, r.line) })
	m.pruneHistory(level, r)
	return m
}

// pruneHistory cuts the course of the debate.
func (m *Memory) pruneHistory(level int, r room) {
	m.Talk.Overview = m.Talk.Overview.prune(level, r)
	m.Talk.Positions = cloned(m.Talk.Positions)
	if last := len(m.Talk.Positions) - 1; level >= 3 && last > 0 {
		m.Talk.Positions = []Position{m.Talk.Positions[0], m.Talk.Positions[last]}
	}
	for i := range m.Talk.Positions {
		p := &m.Talk.Positions[i]
		most := r.line
		if i == len(m.Talk.Positions)-1 {
			most = r.body
		}
		cut(&p.Summary, most)
		p.Weaknesses, p.Assumptions = cutAll(p.Weaknesses, r.line), cutAll(p.Assumptions, r.line)
		p.Because = changed(p.Because, func(b *Because) { cut(&b.Granted, r.line); cut(&b.Reason, r.line) })
	}
	m.pruneCalls(level, r)
	if level >= 2 {
		m.Agenda.Reviews = nil
	}
	m.Said = stepsCut(m.Said, r.line)
	if level >= 4 {
		m.Said, m.Talk.Deltas, m.Critique.Notices = nil, nil, keep(m.Critique.Notices, 10)
	}
	if level >= 5 {
		m.Talk.Rounds, m.Segments, m.Critique.Notices, m.ReadBefore = nil, nil, nil, ReadBefore{}
	}
}

// pruneCalls cuts calls, checks and the results of earlier heads.
func (m *Memory) pruneCalls(level int, r room) {
	m.Asking.Calls = changed(m.Asking.Calls, func(c *Call) {
		c.Detail, c.Dropped, c.ReplyHash = "", nil, ""
		if level >= 4 {
			c.Started, c.Ended = 0, 0
		}
	})
	m.Talk.Arbitrations = changed(m.Talk.Arbitrations, func(a *Arbitration) {
		a.Items = changed(a.Items, func(f *Flagged) { cut(&f.Note, r.line) })
	})
	m.Checks.Runs = changed(m.Checks.Runs, func(run *Run) { cut(&run.Text, r.line) })
	m.Carried = changed(m.Carried, func(c *CarriedState) {
		cut(&c.Body, r.line)
		cut(&c.Cite.Quote, r.line) // its claim has the place
	})
	m.Critique.Notices = changed(m.Critique.Notices, func(n *Notice) { cut(&n.Text, r.line) })
}

func (c *Claim) prune(level int, r room) {
	body := r.body
	if c.Bucket != Agreed && c.Reason != ReasonOpen { // people look these up less often
		body = r.line
	}
	cut(&c.Title, max(r.line, 80))
	cut(&c.Body, body)
	cut(&c.Suggestion, r.body)
	if level >= 4 {
		c.Suggestion = ""
	}
	cut(&c.Limit, r.line)
	cut(&c.Why.Words, r.line)
	cut(&c.Crux, r.line)
	quote := r.quote
	if c.Bucket == Agreed { // the next head finds it by its quote
		quote = 0
		if level >= MaxPrune {
			quote = 1000
		}
	}
	c.Evidence = evidenceCut(c.Evidence, c.Cite(), quote)
	c.Evaluations = changed(c.Evaluations, func(e *Evaluation) {
		cut(&e.Flaw, r.line)
		cut(&e.UpgradeIf, r.line)
		if level >= 3 {
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
			cut(&e.Cite.Quote, most)
		} else {
			cut(&e.Cite.Quote, 80)
		}
	})
}

func (k *Challenge) prune(level int, r room) {
	cut(&k.Objection, r.line)
	cut(&k.Defence, r.line)
	cut(&k.ResolvedWith.Words, r.line)
	k.Evidence = evidenceCut(k.Evidence, Citation{}, r.quote)
	k.DefenceBy = evidenceCut(k.DefenceBy, Citation{}, r.quote)
	if level >= 2 {
		k.DefenceBy = nil
	}
	k.Views = changed(k.Views, func(v *DeadlockSide) {
		cut(&v.Measurement, r.line)
		cut(&v.Threshold, r.line)
		cut(&v.Effect, r.line)
	})
}

func (d *Decision) prune(level int, r room) {
	d.Why, d.NoPanel, d.Unscored = d.Why.cut(max(r.line, 200)), d.NoPanel.cut(r.line), d.Unscored.cut(r.line)
	d.Triggers = triggersCut(d.Triggers, r.line)
	d.Options = changed(d.Options, func(o *Option) { cut(&o.Description, max(r.line, 100)) })
	d.Human = copied(d.Human, func(h *Human) {
		cut(&h.Reason, r.body)
		h.Void = keep(changed(h.Void, func(a *VoidAnswer) { cut(&a.Why, r.line) }), 20)
		for _, list := range []*[]PersonAnswer{&h.Others, &h.Earlier} {
			*list = changed(*list, func(a *PersonAnswer) { cut(&a.Reason, r.line) })
		}
	})
	d.Rubric = copied(d.Rubric, func(rubric *Rubric) {
		rubric.Sheets = changed(rubric.Sheets, func(sheet *Scoresheet) {
			sheet.Raw = "" // the record has it
			cut(&sheet.Rationale, r.line)
			sheet.Flaw.Refs = cutAll(sheet.Flaw.Refs, r.line)
		})
	})
	d.Panel = copied(d.Panel, func(p *Panel) { prunePanel(p, level, r) })
}

func prunePanel(p *Panel, level int, r room) {
	p.Perspectives = changed(p.Perspectives, func(x *jury.Perspective) { cut(&x.Reason, r.line) })
	p.Changes = changed(p.Changes, func(x *jury.Change) { cut(&x.Reason, r.line) })
	p.Rounds = changed(p.Rounds, func(round *jury.Round) {
		round.Votes = changed(round.Votes, func(v *Vote) {
			cut(&v.Reason, r.line)
			v.Note.Refs = cutAll(v.Note.Refs, r.line)
			v.Hidden = cutAll(v.Hidden, r.line)
			if level >= 2 {
				v.PerOption, v.Counters, v.Hidden, v.ConvincedBy = nil, nil, nil, nil
			}
		})
	})
}

func stepsCut(list []Step, most int) []Step {
	return changed(list, func(s *Step) {
		s.Facts = changed(s.Facts, func(f *Fact) {
			cut(&f.Text, most)
			f.Cites, f.Why = evidenceCut(f.Cites, Citation{}, 0), f.Why.cut(most)
		})
	})
}

func triggersCut(list []Trigger, most int) []Trigger {
	return changed(list, func(t *Trigger) {
		cut(&t.Detail, most)
		cut(&t.Waived, most)
	})
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
