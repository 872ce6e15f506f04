package debate

import (
	"slices"

	"github.com/prdebate/debate/internal/lists"
)

// The bounds of a short memory. Texts are in bytes.
const (
	shortLine   = 160  // of an attack, a defense or a reason
	shortBody   = 300  // of a finding that people look up
	shortQuote  = 400  // at the place of a claim
	agreedQuote = 1000 // of an agreed one: the next head finds it by its quote
	otherQuote  = 80
	fewClaims   = 50 // without consequences
)

func cut(most int, texts ...*string) {
	for _, text := range texts {
		*text = clip(*text, most)
	}
}

// Short returns the form of a memory for a debate that finds no room as a whole. No id, bucket,
// severity, decision or flag changes, and no text of a claim becomes empty. It forgets the
// readings, so the next head is sent whole, the course of the debate, and the claims without
// consequences beyond the first 50. It cuts the texts of people, and those of lists that grow
// with the claims.
func (m Memory) Short() Memory {
	m = m.forget(fewClaims)
	m.Segments, m.ReadBefore, m.Said, m.Agenda.Reviews, m.Critique.Notices = nil, ReadBefore{}, nil, nil, nil
	m.Talk.Deltas, m.Talk.Rounds, m.Talk.Overview = nil, nil, nil
	m.Book.Claims = lists.Changed(m.Book.Claims, (*Claim).shorten)
	m.Book.Challenges = lists.Changed(m.Book.Challenges, func(k *Challenge) {
		cut(shortLine, &k.Objection, &k.Defence, &k.ResolvedWith.Words)
		k.Evidence, k.DefenceBy = evidenceCut(k.Evidence, Citation{}, 0), nil
		k.Views = lists.Changed(k.Views, func(v *DeadlockSide) { cut(shortLine, &v.Measurement, &v.Threshold, &v.Effect) })
	})
	m.Agenda.Decisions = lists.Changed(m.Agenda.Decisions, (*Decision).shorten)
	m.Agenda.Triggers = triggersCut(m.Agenda.Triggers)
	if last := len(m.Talk.Positions) - 1; last > 0 {
		m.Talk.Positions = []Position{m.Talk.Positions[0], m.Talk.Positions[last]}
	}
	m.Talk.Positions = lists.Changed(m.Talk.Positions, func(p *Position) {
		p.Because = lists.Changed(p.Because, func(b *Because) { cut(shortLine, &b.Granted, &b.Reason) })
	})
	m.Talk.Arbitrations = lists.Changed(m.Talk.Arbitrations, func(a *Arbitration) {
		a.Items = lists.Changed(a.Items, func(f *Flagged) { cut(shortLine, &f.Note) })
	})
	m.Asking.Calls = lists.Changed(m.Asking.Calls, func(c *Call) {
		c.Detail, c.Dropped, c.ReplyHash, c.Started, c.Ended = "", nil, "", 0, 0
	})
	m.Checks.Runs = lists.Changed(m.Checks.Runs, func(run *Run) { cut(shortLine, &run.Text) })
	m.Carried = lists.Changed(m.Carried, func(c *CarriedState) { cut(shortLine, &c.Body, &c.Cite.Quote) }) // its claim has the place
	return m
}

func (c *Claim) shorten() {
	body, quote := shortLine, shortQuote
	if c.Bucket == Agreed || c.Reason == ReasonOpen { // people look these up more often
		body = shortBody
	}
	if c.Bucket == Agreed {
		quote = agreedQuote
	}
	cut(body, &c.Body)
	cut(shortLine, &c.Title, &c.Limit, &c.Why.Words, &c.Crux)
	c.Suggestion = ""
	c.Evidence = evidenceCut(c.Evidence, c.Cite(), quote)
	c.Evaluations = lists.Changed(c.Evaluations, func(e *Evaluation) { e.Flaw, e.UpgradeIf = "", "" })
}

// evidenceCut keeps the quote at the place of a claim as far as there is room, and one line of
// the others.
func evidenceCut(list []Evidence, at Citation, most int) []Evidence {
	return lists.Changed(list, func(e *Evidence) {
		e.Test = lists.Copied(e.Test, func(t *TestRun) {
			t.Content, t.Command = "", nil
			t.Runs = lists.Changed(t.Runs, func(r *SideRun) { r.Output = "" })
		})
		if e.Cite == at {
			cut(most, &e.Cite.Quote)
		} else {
			cut(otherQuote, &e.Cite.Quote)
		}
	})
}

func (d *Decision) shorten() {
	d.Triggers = triggersCut(d.Triggers)
	d.Options = lists.Changed(d.Options, func(o *Option) { cut(shortLine, &o.Description) })
	d.Human = lists.Copied(d.Human, func(h *Human) {
		cut(shortBody, &h.Reason)
		for _, list := range []*[]PersonAnswer{&h.Others, &h.Earlier} {
			*list = lists.Changed(*list, func(a *PersonAnswer) { cut(shortLine, &a.Reason) })
		}
		h.Void = lists.First(lists.Changed(h.Void, func(a *VoidAnswer) { cut(shortLine, &a.Why) }), 20)
	})
	d.Rubric = lists.Copied(d.Rubric, func(rubric *Rubric) {
		rubric.Sheets = lists.Changed(rubric.Sheets, func(sheet *Scoresheet) { sheet.Raw = "" }) // the record has it
	})
	d.Panel = lists.Copied(d.Panel, func(p *Panel) { p.Rounds = nil }) // the perspectives have the last words
}

func triggersCut(list []Trigger) []Trigger {
	return lists.Changed(list, func(t *Trigger) { cut(shortLine, &t.Detail, &t.Waived) })
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
	m.Book.Claims = slices.Clone(claims)
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
	for _, c := range lists.First(rest, few) {
		stays[c.ID] = true
	}
	for _, c := range m.Book.Claims { // a merged claim keeps its survivor
		if live := m.Book.survivor(c.ID); live != nil && stays[c.ID] {
			stays[live.ID] = true
		}
	}
	return stays
}
