package population

import "github.com/prdebate/debate/internal/debate"

// confront answers what a party must answer: as defender, and as attacker by new
// evaluations (the primary) or in the same list (the others).
func (x *cast) confront(s debate.State, ask debate.Ask, m mind) debate.Reply {
	var r debate.Reply
	moved := false
	primary := ask.Party == s.Table.Primary
	for _, k := range s.Book.Challenges {
		switch {
		case !k.AwaitsWord():
		case s.Asks(ask.Party, k):
			a := x.defend(s, k, ask, m)
			if a.Move == debate.Accept {
				moved = true
			}
			r.Answers = append(r.Answers, a)
		case k.Attacker == ask.Party && k.Status == debate.Defended:
			a := x.insist(s, k, ask, m)
			if a.Move == debate.Accept {
				moved = true
			}
			r.Answers = append(r.Answers, a)
		}
		if k.RoundsOpen > 1 && (k.Attacker == ask.Party || s.Asks(ask.Party, k)) {
			r.Deadlocks = append(r.Deadlocks, x.deadlock(k, m))
		}
	}
	x.weighNew(s, ask, m, &r)
	r.Repairs = x.mends(s, ask.Party, m)
	if primary && moved {
		r.Position = &debate.Restated{Disposition: x.wants(s, ask.Party), Summary: "as answered"}
	}
	r.Recommendation, r.FinalOptions = x.wants(s, ask.Party), x.options(s, ask.Party)
	r.Delta = &debate.Rating{}
	if moved {
		r.Delta.ValueBP = 2000
	}
	if ask.Last {
		r.WhyDisagree, r.RightIf, r.CoreAssumption = "the lines read otherwise", "the input occurs", "production is like the tests"
	}
	return r
}

// weighNew evaluates what others claim and the party has not weighed yet.
func (x *cast) weighNew(s debate.State, ask debate.Ask, m mind, r *debate.Reply) {
	for _, c := range s.Book.Claims {
		if c.SameAs != "" || c.Owner == ask.Party {
			continue
		}
		weighed := m.silent(placeOf(c.Title), ask.N)
		for _, e := range c.Evaluations {
			weighed = weighed || e.Party == ask.Party
		}
		if !weighed {
			r.Evaluations = append(r.Evaluations, x.weigh(m, c, placeOf(c.Title)))
		}
	}
}

// defend is what a party does about an objection to a claim of its own, or to its
// position.
func (x *cast) defend(s debate.State, k debate.Challenge, ask debate.Ask, m mind) debate.Answer {
	a := debate.Answer{Challenge: k.ID, Move: debate.Rebuff, Text: "the path is reachable from the handler"}
	c := claimOf(s, k.Claim)
	if c == nil {
		if k.Kind != debate.Reconciling && (x.wants(s, ask.Party) == k.Option || x.givesIn(m, k, ask.N)) {
			a.Move, a.Text = debate.Accept, "the objection holds"
		}
		return a
	}
	if k.Kind == debate.Reconciling {
		return a
	}
	place := placeOf(c.Title)
	before := x.thinks(ask.Party, place)
	thought := x.looksAgain(ask.Party, place, ask.N, k.Qualified())
	switch {
	case x.givesIn(m, k, ask.N):
		a.Move, a.Text = debate.Accept, x.reason(m, k, ask.N)
		if thought {
			x.flips = append(x.flips, flip{challenge: k.ID, claim: c.ID, bare: a.Text == "", qualified: qualified(c.Evidence)})
		}
		x.later[thoughtOf(ask.Party, place)] = false
	case !thought:
		a.Move, a.Text = debate.Accept, "the guard is there indeed"
		a.Refs = x.shows(m, place, ask.N)
		x.misleads(flip{challenge: k.ID, claim: c.ID}, before && x.change.Places[place].Defect)
	default:
		if m.own(cites, place, ask.N) < m.Citing {
			a.Refs = x.cites(m, place, forDefence)
		}
	}
	return a
}

// insist is what a party does about a defence against its objection.
func (x *cast) insist(s debate.State, k debate.Challenge, ask debate.Ask, m mind) debate.Answer {
	a := debate.Answer{Challenge: k.ID, Move: debate.Maintain, Text: "that path is guarded"}
	c := claimOf(s, k.Claim)
	if c == nil {
		if x.wants(s, ask.Party) == s.Talk.Position().Disposition || x.givesIn(m, k, ask.N) {
			a.Move, a.Text = debate.Accept, "the position holds"
		}
		return a
	}
	place := placeOf(c.Title)
	before := x.thinks(ask.Party, place)
	thought := x.looksAgain(ask.Party, place, ask.N, qualified(k.DefenceBy))
	switch {
	case x.givesIn(m, k, ask.N):
		a.Move, a.Text = debate.Accept, x.reason(m, k, ask.N)
		if !thought {
			x.flips = append(x.flips, flip{challenge: k.ID, claim: c.ID, withdraws: true, bare: a.Text == "", qualified: k.Qualified()})
		}
		x.later[thoughtOf(ask.Party, place)] = true
	case thought:
		a.Move, a.Text = debate.Accept, "the handler does reach it"
		a.Refs = x.shows(m, place, ask.N)
		x.misleads(flip{challenge: k.ID, claim: c.ID, withdraws: true}, !before && !x.change.Places[place].Defect)
	}
	return a
}

// shows is what convinced a party that has changed its mind, if it says it.
func (x *cast) shows(m mind, place, n int) []debate.Ref {
	if m.own(cites, place, n) >= m.Citing {
		return nil
	}
	return x.cites(m, place, forConcession)
}

// misleads notes that a party was persuaded of what is not so.
func (x *cast) misleads(f flip, wrongly bool) {
	if f.misled = wrongly; wrongly {
		x.flips = append(x.flips, f)
	}
}

func (x *cast) givesIn(m mind, k debate.Challenge, n int) bool {
	return m.own(givesIn, number(k.ID), n) < x.Sycophancy
}

// reason is what a party says that gives in against what it thinks: every other
// one says nothing.
func (x *cast) reason(m mind, k debate.Challenge, n int) string {
	if m.own(givesReason, number(k.ID), n) < whole/2 {
		return ""
	}
	return "you are right"
}

func (x *cast) deadlock(k debate.Challenge, m mind) debate.DeadlockView {
	v := debate.DeadlockView{Challenge: k.ID, Class: debate.Criteria}
	switch m.own(marks, number(k.ID)) % 3 {
	case 0:
		v.Class, v.Measurement, v.Threshold, v.Effect = debate.MissingData, "rows of the longest batch", "70000", "above it the claim holds"
	case 1:
		v.Class = debate.Definitional
	}
	return v
}

func thoughtOf(party string, place int) thought { return thought{party, place} }

func claimOf(s debate.State, id string) *debate.Claim {
	for i := range s.Book.Claims {
		if s.Book.Claims[i].ID == id {
			return &s.Book.Claims[i]
		}
	}
	return nil
}

func qualified(list []debate.Evidence) bool {
	for _, e := range list {
		if e.CitationOK {
			return true
		}
	}
	return false
}

// number is the number in an id such as K12.
func number(id string) int {
	n := 0
	for _, r := range id[1:] {
		n = n*10 + int(r-'0')
	}
	return n
}
