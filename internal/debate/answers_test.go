package debate

import (
	"math/rand/v2"
	"testing"
)

// TestTheMostCarefulAnswerStands: whatever people answer, and in whatever order, what
// stands is the most careful of what each of them said last (M22).
func TestTheMostCarefulAnswerStands(t *testing.T) {
	t.Parallel()
	options, people := []string{"keep", "revise", "reject"}, []string{"ann", "bob", "cem"}
	for seed := range uint64(300) {
		random := rand.New(rand.NewPCG(seed, seed))
		p := waiting().run(t)
		last := map[string]int{}
		for n := range 8 {
			who, option := people[random.IntN(3)], random.IntN(3)
			ev := answer(p.end(), options[option])
			ev.By.Login, ev.At = who, p.end().Clock.At+int64(n)
			p.take(ev)
			p.goOn(t)
			last[who] = option
			most := 0
			for _, said := range last {
				most = max(most, said)
			}
			d := &p.end().Agenda.Decisions[0]
			if d.Outcome != HumanDecided || d.Human.Option != options[most] || len(d.Human.Answers()) != len(last) {
				t.Fatalf("seed %d: %s %+v after %v", seed, d.Outcome, d.Human, last)
			}
			if last[d.Human.By] != most {
				t.Fatalf("seed %d: %s did not say %s: %v", seed, d.Human.By, options[most], last)
			}
		}
	}
}

// TestAnOlderAnswerReplacesNoLaterOne: what somebody said before takes the place of
// nothing that the same person said since, whenever it is read.
func TestAnOlderAnswerReplacesNoLaterOne(t *testing.T) {
	t.Parallel()
	p := waiting().run(t)
	p.take(answer(p.end(), "reject"))
	p.goOn(t)
	before := answer(p.end(), "keep")
	before.At = p.end().Agenda.Decisions[0].Human.At - 1
	p.take(before)
	if h := p.end().Agenda.Decisions[0].Human; h.Option != "reject" || len(h.Void) != 1 {
		t.Errorf("%+v", h)
	}
}

// TestSeveralAnswersOfAnEarlierHead: each person's latest answer comes along, and the
// most careful stands.
func TestSeveralAnswersOfAnEarlierHead(t *testing.T) {
	t.Parallel()
	d := waiting().run(t).end().Agenda.Decisions[0]
	prior := func(by, option string, at int64) PriorDecision {
		return PriorDecision{Fingerprint: d.Fingerprint, LinkedHash: d.LinkedHash, PersonAnswer: PersonAnswer{Option: option, By: by, At: at, Head: "h-1"}}
	}
	naming := func(p PriorDecision) PriorDecision {
		p.Accepted = []Acceptance{{Key: "aa-0", AtMost: P2}}
		return p
	}
	for name, c := range map[string]struct {
		list     []PriorDecision
		by, says string
	}{
		"one":                              {[]PriorDecision{prior("ann", "keep", 1)}, "ann", "keep"},
		"a more careful one later":         {[]PriorDecision{prior("ann", "keep", 1), prior("bob", "revise", 2)}, "bob", "revise"},
		"a more careful one first":         {[]PriorDecision{prior("bob", "revise", 1), prior("ann", "keep", 2)}, "bob", "revise"},
		"its giver changed it":             {[]PriorDecision{prior("bob", "revise", 1), prior("ann", "keep", 2), prior("bob", "keep", 3)}, "ann", "keep"},
		"a later one that names a finding": {[]PriorDecision{prior("ann", "keep", 1), naming(prior("bob", "keep", 2))}, "bob", "keep"},
		"read in another order":            {[]PriorDecision{prior("bob", "keep", 3), prior("bob", "revise", 1)}, "bob", "keep"},
	} {
		x := waiting()
		x.first.Previous = Previous{Head: "h-1", Heads: 1, Decisions: c.list}
		if h := x.run(t).end().Agenda.Decisions[0].Human; h.By != c.by || h.Option != c.says {
			t.Errorf("%s: %+v", name, h)
		}
	}
}

// TestTheStatusQuoIsMostCareful: about another question than the merge, the answer that leaves
// everything as it is stands against any other (M22).
func TestTheStatusQuoIsMostCareful(t *testing.T) {
	t.Parallel()
	d := newDecision(1, wondering("which cipher", false, "aes", "des"))
	aes, stay, later := PersonAnswer{By: "ann", Option: "aes", At: 1}, PersonAnswer{By: "bob", Option: StatusQuoOption, At: 2}, PersonAnswer{By: "cem", Option: "des", At: 3}
	for want, list := range map[string][]PersonAnswer{"bob": {aes, stay, later}, "ann": {later, aes}} {
		if h := (Human{}).answered(&d, list); h.By != want || h.Status != ItemDecided || len(h.Others) != len(list)-1 {
			t.Errorf("%v: %+v, want the answer of %s", list, h, want)
		}
	}
}
