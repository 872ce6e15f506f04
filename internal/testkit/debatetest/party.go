package debatetest

import (
	"slices"

	"github.com/prdebate/debate/internal/debate"
)

// Table is a world with a primary (claude), k challengers (gpt, gemini, mistral,
// qwen; each of a family of its own), three judges and a cold reader.
func Table(k int) World {
	w := World{Received: debate.Received{Settings: debate.Settings{Opening: debate.OpenPosition}}, Parties: []debate.Party{{ID: "claude", Role: debate.Primary, Family: "anthropic", Status: debate.PartyOK}}}
	for _, p := range [][2]string{{"gpt", "openai"}, {"gemini", "google"}, {"mistral", "mistral"}, {"qwen", "alibaba"}}[:k] {
		w.Parties = append(w.Parties, debate.Party{ID: p[0], Role: debate.Challenger, Family: p[1], Status: debate.PartyOK})
	}
	w.Parties = append(w.Parties, Judges()...)
	w.Parties = append(w.Parties, Arbiter())
	return w
}

// Cast lets the same party play every seat of a world; a test replaces those
// that it is about.
func Cast(w World, everybody Party) map[string]Party {
	cast := make(map[string]Party)
	for _, p := range w.Parties {
		cast[p.ID] = everybody
	}
	return cast
}

// Planted are the true defects of Cart, most severe first: the loop, the card
// number in the log, the replica and the counter.
func Planted() []debate.NewClaim {
	c := Cart()
	return []debate.NewClaim{
		{Kind: debate.Empirical, Severity: debate.P1, Category: debate.Correctness, Title: "The loop runs one past the end of the items", Refs: []debate.Ref{c.Cite("cart.go", 12, 12)}},
		{Kind: debate.Empirical, Severity: debate.P1, Category: debate.Security, Title: "The log shows card numbers", Refs: []debate.Ref{c.Cite("cart.go", 16, 16)}},
		{Kind: debate.Empirical, Severity: debate.P2, Category: debate.Reliability, Title: "One replica is an outage at every restart", Refs: []debate.Ref{c.Cite("deploy/app.yml", 5, 5)}},
		{Kind: debate.Value, Severity: debate.P2, Category: debate.Maintainability, Title: "A counter is kept that nobody reads", Refs: []debate.Ref{c.Cite("cart.go", 23, 23)}},
	}
}

// Honest is a party that says what it sees in Cart and nothing else. It finds the
// given defects at once and recognises every true one, doubts what is not true,
// gives in to evidence and says why.
func Honest(finds ...debate.NewClaim) Party {
	h := honest{finds: finds}
	return func(s debate.State, ask debate.Ask) debate.Replied { return Say(h.answer(s, ask)) }
}

type honest struct{ finds []debate.NewClaim }

func (h honest) answer(s debate.State, ask debate.Ask) debate.Reply {
	r := debate.Reply{Summary: ask.Party + " looked at the change"}
	switch ask.Kind {
	case debate.CallOpen, debate.CallLocal:
		r.Disposition, r.Confidence = h.disposition(debate.Keep), debate.DeclaredHigh
		r.Claims = slices.Clone(h.finds)
	case debate.CallChallenge:
		h.challenge(s, ask.Party, &r)
	case debate.CallRespond:
		h.respond(s, ask.Party, &r)
	case debate.CallRebut:
		h.rebut(s, ask.Party, &r)
	case debate.CallArbiter:
		for _, c := range s.Book.Claims {
			r.Flags = append(r.Flags, debate.Flagged{Claim: c.ID, Flag: debate.FlagOK})
		}
	case debate.CallJudge1, debate.CallJudge2:
		vote(s, ask, &r)
	case debate.CallScore:
		r.Sheets = sheets(s, ask.Party)
	}
	if ask.Last || ask.Kind == debate.CallScore {
		r.WhyDisagree, r.RightIf, r.CoreAssumption, r.TestableBy = "we look at other lines", "the line reads otherwise", "the diff is whole", "a test"
	}
	return r
}

// disposition is revise where there is something to revise.
func (h honest) disposition(otherwise debate.Disposition) debate.Disposition {
	if slices.ContainsFunc(h.finds, func(f debate.NewClaim) bool { return f.Severity.AtLeast(debate.P2) }) {
		return debate.Revise
	}
	return otherwise
}

func tried() []debate.Check {
	return []debate.Check{{Segment: "S1", Scenario: "an empty cart: the loop runs once and indexes nothing"}}
}

// challenge weighs what is claimed and adds what is missing.
func (h honest) challenge(s debate.State, self string, r *debate.Reply) {
	r.Verdict, r.Checked = debate.VerdictAgree, tried()
	r.Recommendation = h.disposition(s.Talk.Position().Disposition)
	r.Evaluations = weigh(s, self)
	if slices.ContainsFunc(r.Evaluations, func(e debate.Evaluating) bool { return e.Class != debate.ClassAgree }) {
		r.Verdict = debate.VerdictPartial
	}
	for _, f := range h.finds {
		if !claimed(s, f) {
			r.Claims = append(r.Claims, f)
		}
	}
	if r.Recommendation != s.Talk.Position().Disposition || len(r.Claims) > 0 {
		r.Verdict = debate.VerdictDisagree
	}
}

// weigh evaluates every claim of another party once.
func weigh(s debate.State, self string) []debate.Evaluating {
	var list []debate.Evaluating
	for _, c := range s.Book.Claims {
		if c.Owner == self || c.Owner == debate.EngineParty || c.SameAs != "" || weighed(c, self) {
			continue
		}
		e := debate.Evaluating{Claim: c.ID, Class: debate.ClassAgree, View: debate.Supports, Refs: []debate.Ref{{Citation: c.Cite()}}}
		if !isTrue(c) {
			e.Refs = nil
			e.Class, e.View, e.Flaw = debate.ClassSkeptical, debate.Irrelevant, "no line of the change shows it"
		}
		list = append(list, e)
	}
	return list
}

// isTrue reports whether a claim cites a line with a planted defect. Nothing
// else in the change is wrong.
func isTrue(c debate.Claim) bool {
	return slices.ContainsFunc(Planted(), func(p debate.NewClaim) bool {
		return slices.ContainsFunc(c.Evidence, func(e debate.Evidence) bool {
			return e.CitationOK && e.Cite.Path == p.Refs[0].Path && e.Cite.StartLine == p.Refs[0].StartLine
		})
	})
}

func weighed(c debate.Claim, by string) bool {
	return slices.ContainsFunc(c.Evaluations, func(e debate.Evaluation) bool { return e.Party == by })
}

func cites(list []debate.Evidence) bool {
	return slices.ContainsFunc(list, func(e debate.Evidence) bool { return e.CitationOK })
}

// claimed reports whether somebody claims what a finding says.
func claimed(s debate.State, f debate.NewClaim) bool {
	return slices.ContainsFunc(s.Book.Claims, func(c debate.Claim) bool {
		return len(f.Refs) > 0 && c.Cite().Path == f.Refs[0].Path && c.Cite().StartLine == f.Refs[0].StartLine
	})
}

func claimOf(s debate.State, id string) (debate.Claim, bool) {
	i := slices.IndexFunc(s.Book.Claims, func(c debate.Claim) bool { return c.ID == id })
	if i < 0 {
		return debate.Claim{}, false
	}
	return s.Book.Claims[i], true
}

// respond answers every challenge to the primary and weighs what is new.
func (h honest) respond(s debate.State, self string, r *debate.Reply) {
	at := s.Talk.Position().Disposition
	r.Evaluations = weigh(s, self)
	for _, k := range asked(s, self) {
		a := debate.Answer{Challenge: k.ID, Move: debate.Rebuff, Text: "the cited line says so", Refs: refsTo(s, k.Claim)}
		c, isClaim := claimOf(s, k.Claim)
		switch {
		case isClaim && !isTrue(c):
			a = debate.Answer{Challenge: k.ID, Move: debate.Accept, Text: "no line of the change shows it"}
		case !isClaim && (k.Option == "" || agreesWith(r.Evaluations)):
			a = debate.Answer{Challenge: k.ID, Move: debate.Accept, Text: "what it cites is there"}
			if k.Option != "" {
				at = k.Option
			}
		case !isClaim:
			a.Text = "nothing is cited against it"
		}
		r.Answers = append(r.Answers, a)
	}
	r.Answers = append(r.Answers, judge(s, self)...)
	r.Position = &debate.Restated{Disposition: at, Summary: "after what was said"}
	r.Delta = gain(s, self)
}

func agreesWith(list []debate.Evaluating) bool {
	return slices.ContainsFunc(list, func(e debate.Evaluating) bool { return e.Class == debate.ClassAgree })
}

// asked are the challenges that a party has to answer now.
func asked(s debate.State, self string) []debate.Challenge {
	var list []debate.Challenge
	for _, k := range s.Book.Challenges {
		if s.Asks(self, k) {
			list = append(list, k)
		}
	}
	return list
}

// judged are the defences that a party has to judge now.
func judged(s debate.State, self string) []debate.Challenge {
	var list []debate.Challenge
	for _, k := range s.Book.Challenges {
		if k.Attacker == self && k.AwaitsJudgement() {
			list = append(list, k)
		}
	}
	return list
}

// refsTo cites again what a claim cites.
func refsTo(s debate.State, claim string) []debate.Ref {
	c, ok := claimOf(s, claim)
	if !ok || !cites(c.Evidence) {
		return nil
	}
	return []debate.Ref{{Citation: c.Cite()}}
}

// judge says of every defence that the party has to judge whether it holds, by what is
// true.
func judge(s debate.State, self string) []debate.Answer {
	var list []debate.Answer
	for _, k := range judged(s, self) {
		a := debate.Answer{Challenge: k.ID, Move: debate.Accept, Text: "the defence cites the line", Refs: refsTo(s, k.Claim)}
		if c, isClaim := claimOf(s, k.Claim); isClaim && !isTrue(c) {
			a = debate.Answer{Challenge: k.ID, Move: debate.Maintain, Text: "the line does not show it"}
		}
		list = append(list, a)
	}
	return list
}

// rebut judges the defences by what is true and defends its own claims.
func (h honest) rebut(s debate.State, self string, r *debate.Reply) {
	r.FinalOptions = []debate.FinalOption{{Decision: "D0", Option: string(s.Talk.Position().Disposition)}}
	r.Answers = judge(s, self)
	for _, k := range asked(s, self) {
		a := debate.Answer{Challenge: k.ID, Move: debate.Rebuff, Text: "the cited line says so", Refs: refsTo(s, k.Claim)}
		if c, ok := claimOf(s, k.Claim); !ok || !isTrue(c) {
			a = debate.Answer{Challenge: k.ID, Move: debate.Accept, Text: "nothing shows it"}
		}
		r.Answers = append(r.Answers, a)
	}
	r.Delta = gain(s, self)
}

// gain rates an exchange by what was said to or by the party since it spoke.
func gain(s debate.State, self string) *debate.Rating {
	rating := &debate.Rating{}
	if len(asked(s, self))+len(judged(s, self)) > 0 {
		rating.ValueBP = 2000
	}
	return rating
}

// vote votes by the stance of a judge: risk for the first option that is no status
// quo, the others with it.
func vote(s debate.State, ask debate.Ask, r *debate.Reply) {
	for _, d := range s.Agenda.Decisions {
		if d.ID != ask.Decision {
			continue
		}
		for _, o := range d.Options {
			r.PerOption = append(r.PerOption, debate.Assessment{Option: o.ID, Assessment: "weighed", Score: 5})
			if r.Option == "" && !o.StatusQuo {
				r.Option = o.ID
			}
		}
		r.Confidence, r.Reason, r.Counters = debate.DeclaredMed, "seen through the lens of "+ask.Party, counters(d, ask.Party)
	}
}

// counters has an argument against every other judge of the panel.
func counters(d debate.Decision, self string) []debate.Counter {
	var list []debate.Counter
	for _, stance := range []string{"risk", "value", "effort"} {
		if stance != self && d.Panel != nil {
			list = append(list, debate.Counter{To: stance, Text: "it weighs less through the lens of " + self})
		}
	}
	return list
}

// sheets scores every decision that is scored: what the party stands for first,
// the status quo last.
func sheets(s debate.State, self string) []debate.Sheet {
	var list []debate.Sheet
	for _, d := range s.Agenda.Decisions {
		if d.Rubric == nil {
			continue
		}
		own := ""
		for _, f := range d.FinalOptions {
			if f.Party == self || own == "" && f.Party == s.Table.Primary {
				own = f.Option
			}
		}
		sheet := debate.Sheet{Decision: d.ID, Rationale: "as argued"}
		for _, o := range d.Options {
			score := 5
			switch {
			case o.ID == own:
				score = 8
			case o.StatusQuo:
				score = 2
			}
			for _, c := range d.Rubric.Criteria {
				sheet.Scores = append(sheet.Scores, debate.Score{Option: o.ID, Criterion: c.ID, Score: score})
			}
		}
		list = append(list, sheet)
	}
	return list
}

// Twist is a party that takes what another one would say and changes it. What
// the other one does not say, it does not change.
func Twist(party Party, twist func(s debate.State, ask debate.Ask, r *debate.Reply)) Party {
	return func(s debate.State, ask debate.Ask) debate.Replied {
		said := party(s, ask)
		if said.Reply != nil {
			r := *said.Reply
			twist(s, ask, &r)
			said.Reply = &r
		}
		return said
	}
}
