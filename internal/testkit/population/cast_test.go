package population

import (
	"strconv"

	"github.com/prdebate/debate/internal/debate"
)

// cast plays all parties of one debate. What it keeps beside the minds is what a
// party has come to think, and what the measures need to know.
type cast struct {
	Knobs
	change Change
	minds  map[string]mind
	later  map[thought]bool // beliefs that a second look changed

	raised int // claims in replies
	forged int // citations of something that is not there
	flips  []flip
}

// thought is what one party thinks of one place.
type thought struct {
	party string
	place int
}

// flip is one time that a party gave in against what it thinks, or was persuaded of
// what is not so.
type flip struct {
	challenge string // "": an evaluation
	claim     string
	withdraws bool // its own objection; else it concedes its own claim
	bare      bool // it says no reason
	misled    bool // it thinks so now, and is wrong
	qualified bool // what it gives up cites what is there
}

// debaters are the names of the parties in the order of their minds.
func debaters() []string { return []string{"alpha", "beta", "gamma", "delta", "epsilon"} }

func newCast(c Change, k Knobs) *cast {
	x := &cast{Knobs: k, change: c, minds: make(map[string]mind), later: make(map[thought]bool)}
	for i, id := range debaters()[:k.parties()] {
		x.minds[id] = mind{Knobs: k, change: c, who: i}
	}
	for i, s := range judges() {
		x.minds[string(s)] = mind{Knobs: k, change: c, who: firstJudge + i}
	}
	x.minds[debate.ArbiterParty] = mind{Knobs: k, change: c, who: coldReader}
	return x
}

func judges() []debate.Stance {
	return []debate.Stance{debate.StanceRisk, debate.StanceValue, debate.StanceEffort}
}

// parties is the table of a debate: every debater has a family of its own.
func (k Knobs) table() []debate.Party {
	var list []debate.Party
	for i, id := range debaters()[:k.parties()] {
		role := debate.Challenger
		if i == 0 {
			role = debate.Primary
		}
		list = append(list, debate.Party{ID: id, Role: role, Family: "family " + strconv.Itoa(i), Status: debate.PartyOK})
	}
	for i, s := range judges() {
		list = append(list, debate.Party{ID: string(s), Role: debate.Judge, Family: "family " + strconv.Itoa(i%k.parties()), Status: debate.PartyOK})
	}
	return append(list, debate.Party{ID: debate.ArbiterParty, Role: debate.Arbiter, Family: "family 1", Status: debate.PartyOK})
}

// reply answers one ask.
func (x *cast) reply(s debate.State, ask debate.Ask) debate.Reply {
	for _, p := range s.Table.Parties { // a second context thinks as its model does
		if p.Debater != "" && p.ID == ask.Party && p.Debates() {
			x.minds[p.ID] = x.minds[p.Debater]
		}
	}
	m := x.minds[ask.Party]
	var r debate.Reply
	switch ask.Kind {
	case debate.CallOpen, debate.CallLocal:
		r = x.open(m)
	case debate.CallChallenge:
		r = x.challenge(s, ask.Party, m)
	case debate.CallRespond, debate.CallRebut:
		r = x.confront(s, ask, m)
	case debate.CallJudge1, debate.CallJudge2:
		r = x.judge(s, ask, m)
	case debate.CallScore:
		r = x.score(s, ask.Party, m)
	case debate.CallArbiter:
		r = x.arbiter(s, m)
	}
	r.Summary = "as follows"
	x.raised += len(r.Claims)
	return r
}

// thinks is what a party takes to be true of a place now.
func (x *cast) thinks(party string, place int) bool {
	if now, changed := x.later[thought{party, place}]; changed {
		return now
	}
	return x.minds[party].believes(place, 0)
}

// looksAgain lets a party weigh a place once more. A stubborn one does not, and one
// that listens to arguments only if lines are quoted against it.
func (x *cast) looksAgain(party string, place, n int, quoted bool) bool {
	m := x.minds[party]
	if m.own(insists, place, n) < x.Stubborn || x.Arguing && !quoted {
		return x.thinks(party, place)
	}
	x.later[thought{party, place}] = m.believes(place, n)
	return x.later[thought{party, place}]
}

// cites makes a citation and counts it if it is of nothing that is there.
func (x *cast) cites(m mind, place int, why int) []debate.Ref {
	r := m.ref(place, why, m.kind(place, why))
	if !r.Found.OK {
		x.forged++
	}
	return []debate.Ref{r}
}

func (x *cast) claim(m mind, place int) debate.NewClaim {
	p := x.change.Places[place]
	c := debate.NewClaim{Kind: debate.Empirical, Severity: p.Severity, Category: debate.Correctness, Refs: x.cites(m, place, forClaim), Segment: "S1"}
	if p.Path == path(1) {
		c.Segment = "S2"
	}
	c.Title, c.Body = title(place, m.who)
	return c
}

// assertion is what a party says of the change as a whole.
func (x *cast) assertion(m mind) []debate.Assertion {
	if !m.asserts() {
		return nil
	}
	ref := debate.Ref{Citation: cite(path(0), 1)}
	ref.Found = found(ref.Citation)
	return []debate.Assertion{{Trigger: debate.TriggerMoney, Refs: []debate.Ref{ref}, Reason: "customers pay by this"}}
}

func (x *cast) open(m mind) debate.Reply {
	r := debate.Reply{Disposition: debate.Keep, Confidence: debate.DeclaredHigh, Critical: x.assertion(m)}
	for i, p := range x.change.Places {
		if m.sees(i) {
			r.Claims = append(r.Claims, x.claim(m, i))
			if p.Severity.AtLeast(debate.P2) && !m.reckless() {
				r.Disposition = debate.Revise
			}
		}
	}
	if x.change.Question {
		r.Questions = []debate.Question{{
			Question: "Which queue carries the events", ScopeCritical: true,
			Options: []debate.Option{{ID: "a", Label: "the one that is there", StatusQuo: true}, {ID: "b", Label: "a new one"}},
		}}
	}
	r.Recommendation = r.Disposition
	return r
}

// wants is the disposition that follows from what a party takes to be true, if it
// cares.
func (x *cast) wants(s debate.State, party string) debate.Disposition {
	if x.minds[party].reckless() {
		return debate.Keep
	}
	for i, p := range x.change.Places {
		if !p.Severity.AtLeast(debate.P2) || !x.thinks(party, i) {
			continue
		}
		for _, c := range s.Book.Claims {
			if placeOf(c.Title) == i {
				return debate.Revise
			}
		}
		if x.minds[party].sees(i) {
			return debate.Revise
		}
	}
	return debate.Keep
}

// options are where a party stands on the decisions.
func (x *cast) options(s debate.State, party string) []debate.FinalOption {
	list := []debate.FinalOption{{Decision: "D0", Option: string(x.wants(s, party))}}
	for _, d := range s.Agenda.Decisions {
		if d.ScopeCritical {
			list = append(list, debate.FinalOption{Decision: d.ID, Option: x.minds[party].option()})
		}
	}
	return list
}

func (x *cast) challenge(s debate.State, party string, m mind) debate.Reply {
	r := debate.Reply{Verdict: debate.VerdictAgree, Strength: debate.StrengthNone, Critical: x.assertion(m)}
	if m.lazy() {
		r.Recommendation = s.Talk.Position().Disposition
		return r
	}
	shown := make(map[int]bool)
	doubts := 0
	for _, c := range s.Book.Claims {
		place := placeOf(c.Title)
		shown[place] = true
		if c.SameAs != "" || c.Owner == party || !m.sees(place) && m.silent(place, s.Talk.Exchange+1) {
			continue
		}
		ev := x.weigh(m, c, place)
		if ev.Class != debate.ClassAgree {
			doubts++
		}
		r.Evaluations = append(r.Evaluations, ev)
	}
	for i := range x.change.Places {
		if !shown[i] && m.sees(i) {
			r.Claims = append(r.Claims, x.claim(m, i))
		}
	}
	switch {
	case doubts > 0 && 2*doubts > len(r.Evaluations):
		r.Verdict, r.Strength = debate.VerdictDisagree, debate.StrengthStrong
	case doubts > 0 || len(r.Claims) > 0:
		r.Verdict, r.Strength = debate.VerdictPartial, debate.StrengthMinor
	}
	r.Recommendation = x.wants(s, party)
	if m.who == 0 {
		r.Position = &debate.Restated{Disposition: r.Recommendation, Summary: "after the openings"}
	}
	r.FinalOptions = x.options(s, party)
	r.Repairs = x.mends(s, party, m)
	r.Checked = []debate.Check{{Segment: "S1", Scenario: "an empty order, then one of 70000 rows"}}
	return r
}

// weigh is the first evaluation of a claim of another party.
func (x *cast) weigh(m mind, c debate.Claim, place int) debate.Evaluating {
	ev := debate.Evaluating{Claim: c.ID, Class: debate.ClassAgree, View: debate.Supports, Severity: c.Severity}
	party := debaters()[m.who]
	beside := isElsewhere(c.Cite()) && !m.sees(place) && m.own(weighsCite, place) < m.Skill
	switch {
	case x.thinks(party, place) && !beside:
		if !m.lazy() {
			ev.Flaw = "the handler passes it on unchecked"
		}
		if m.own(cites, place) < m.Citing {
			ev.Refs = x.cites(m, place, forSupport)
		}
	case m.own(rejects, place) < whole*2/5:
		ev.Class, ev.View, ev.Flaw = debate.ClassReject, debate.Contradicts, "the caller guards this"
		ev.Refs = x.cites(m, place, forObjection)
	default:
		ev.Class, ev.View, ev.Flaw = debate.ClassSkeptical, "", "no input leads there"
	}
	return ev
}

// mends cites anew what the party cited wrongly, where no citation of its claim
// holds. Who invents citations may invent another one.
func (x *cast) mends(s debate.State, party string, m mind) []debate.Repair {
	var list []debate.Repair
	for _, c := range s.Book.Claims {
		if c.Owner != party || c.SameAs != "" || c.Repaired || len(c.Evidence) == 0 || qualified(c.Evidence) {
			continue
		}
		place, kind := placeOf(c.Title), honest
		if m.own(mends, place) < x.Forged {
			kind = alteredQuote
			x.forged++
		}
		list = append(list, debate.Repair{Claim: c.ID, Refs: []debate.Ref{m.ref(place, forClaim, kind)}})
	}
	return list
}

func (x *cast) judge(s debate.State, ask debate.Ask, m mind) debate.Reply {
	r := debate.Reply{Option: m.option(), Reason: "it fits this lens", Confidence: debate.DeclaredMed}
	for _, d := range s.Agenda.Decisions {
		if d.ID != ask.Decision || d.Panel == nil || ask.Kind != debate.CallJudge2 {
			continue
		}
		for _, v := range d.Panel.Rounds[0].Votes {
			if string(v.Judge) == ask.Party || !v.Valid || v.Option == r.Option {
				continue
			}
			if r.ConvincedBy == nil && m.own(givesIn, -2) < m.Sycophancy {
				r.Option, r.Changed = v.Option, true
				r.ConvincedBy = &debate.Convinced{Judge: string(v.Judge), Argument: v.Reason}
				continue
			}
			r.Counters = append(r.Counters, debate.Counter{To: string(v.Judge), Text: "the cost is not counted"})
		}
	}
	return r
}

// score fills a sheet for each decision: the favourite gets the most, with some
// noise.
func (x *cast) score(s debate.State, party string, m mind) debate.Reply {
	var r debate.Reply
	for n, d := range s.Agenda.Decisions {
		if d.Rubric == nil {
			continue
		}
		favourite := string(x.wants(s, party))
		switch {
		case d.ScopeCritical:
			favourite = m.option()
		case n > 0 && len(d.Claims) > 0:
			favourite = "accept"
			for _, c := range s.Book.Claims {
				if c.ID == d.Claims[0] && x.thinks(party, placeOf(c.Title)) {
					favourite = "address"
				}
			}
		}
		sheet := debate.Sheet{Decision: d.ID}
		for i, o := range d.Options {
			for j, c := range d.Rubric.Criteria {
				points := 2 + m.own(marks, n, i, j)%4
				if o.ID == favourite {
					points += 4
				}
				sheet.Scores = append(sheet.Scores, debate.Score{Option: o.ID, Criterion: c.ID, Score: points})
			}
		}
		r.Sheets = append(r.Sheets, sheet)
	}
	return r
}

func (x *cast) arbiter(s debate.State, m mind) debate.Reply {
	var r debate.Reply
	for _, c := range s.Book.Claims {
		if c.SameAs != "" || c.Bucket == "" {
			continue
		}
		f := debate.Flagged{Claim: c.ID, Flag: debate.FlagOK, Note: "the cited lines decide it"}
		switch holds := m.believes(placeOf(c.Title), 0); {
		case c.Bucket == debate.Agreed && !holds:
			f.Flag = debate.FlagUnsupported
		case c.Bucket == debate.Dismissed && holds:
			f.Flag = debate.FlagUnjustified
		}
		r.Flags = append(r.Flags, f)
	}
	return r
}
