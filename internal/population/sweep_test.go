package population

import (
	"fmt"
	"strconv"

	"github.com/prdebate/debate/internal/debate"
)

// Size is how many changes a population of the page has.
const Size = 1000

// turn is one population that differs from the usual one in one knob.
type turn struct {
	knob, value string
	Knobs
	why string // debate may do worse here
}

// turns are the populations that the page compares with the usual one.
func turns() []turn {
	type knob struct {
		name   string
		values []int
		set    func(*Knobs, int)
		why    string
	}
	var list []turn
	for _, n := range []knob{
		{"hit rate", []int{3000}, func(k *Knobs, v int) { k.Hit = v },
			"most findings have one owner, and owners that are contradicted concede some true ones"},
		{"hit rate", []int{8000, 9500}, func(k *Knobs, v int) { k.Hit = v },
			"who sees nearly everything alone needs no argument: that two report the same is filter enough, and costs one call each"},
		{"false claims", []int{0, 2000, 4000}, func(k *Knobs, v int) { k.False = v },
			"where nobody claims anything false there is nothing to stop, and objections hit true claims only"},
		{"skill of evaluation", []int{4000, 5000, 6500, 9000}, func(k *Knobs, v int) { k.Skill = v },
			"a debate hands a claim to few evaluators, and their errors open and decide disputes; a vote dilutes them, and the reports of two do not need them"},
		{"correlation", []int{0, 5000, 9000}, func(k *Knobs, v int) { k.Correlation = v },
			"who shares an error shares the evaluation of it, so that nobody objects"},
		{"sycophancy", []int{0, 5000, 9000}, func(k *Knobs, v int) { k.Sycophancy = v },
			"owners concede true claims, and attackers withdraw right objections"},
		{"stubbornness", []int{0, 5000, 9000}, func(k *Knobs, v int) { k.Stubborn = v },
			"who does not look again argues without an effect, and disputes end unresolved"},
		{"forged citations", []int{0, 3000, 7000}, func(k *Knobs, v int) { k.Forged = v },
			"true claims with citations that do not hold stay unresolved; a vote does not look at citations"},
		{"citing support", []int{2000, 10000}, func(k *Knobs, v int) { k.Citing = v },
			"agreement without lines of its own cannot save a true claim whose owner cites badly"},
		{"laziness of challengers", []int{0, 3000, 6000}, func(k *Knobs, v int) { k.Lazy = v },
			"agreement without substance confirms nothing, and a finding that nobody confirms is not agreed"},
		{"recklessness", []int{0, 5000}, func(k *Knobs, v int) { k.Reckless = v },
			"disputes about the position keep the debate from its claims"},
	} {
		for _, v := range n.values {
			k := Usual()
			n.set(&k, v)
			list = append(list, turn{n.name, fmt.Sprintf("%d %%", v/100), k, n.why})
		}
	}
	for _, v := range []int{1, 3, 4} {
		k := Usual()
		k.Challengers = v
		list = append(list, turn{"challengers", strconv.Itoa(v), k,
			"what a challenger claims is weighed by the primary alone, while every further party improves a vote of all"})
	}
	k := Usual()
	k.Opening = debate.OpenParallel
	return append(list, turn{"opening", "parallel", k, "more claims are contested at once"})
}

// grid is a table of populations along two knobs.
type grid struct {
	rows, columns string
	down, across  []int
	show          func(v int) string // of a value down
	set           func(k *Knobs, down, across int)
}

func percentOf(v int) string { return fmt.Sprintf("%d %%", v/100) }

func grids() []grid {
	rates := []int{0, 2000, 4000, 6000, 9000}
	return []grid{
		{"skill of evaluation", "sycophancy", []int{5000, 6000, 7000, 8000, 9000}, rates, percentOf,
			func(k *Knobs, down, across int) { k.Skill, k.Sycophancy = down, across }},
		{"hit rate", "correlation", []int{2000, 4000, 6000, 8000, 9500}, rates, percentOf,
			func(k *Knobs, down, across int) { k.Hit, k.Correlation = down, across }},
		{"challengers", "false claims", []int{1, 2, 3, 4}, []int{0, 500, 1000, 2000, 4000}, strconv.Itoa,
			func(k *Knobs, down, across int) { k.Challengers, k.False = down, across }},
	}
}

// Precision is the share of what was adopted that is a defect, in per mille like
// all shares; a share of nothing is 0.
func (c Counts) Precision() int { return permille(c.True, c.True+c.False) }

// Recall is the share of the defects that were adopted.
func (c Counts) Recall() int { return permille(c.True, c.True+c.Missed) }

// Balance is the harmonic mean of precision and recall (F1).
func (c Counts) Balance() int { return permille(2*c.True, 2*c.True+c.False+c.Missed) }

// serious are the counts of P1 and P2 places only.
func (c Counts) serious() Counts {
	return Counts{True: c.TrueP12, False: c.FalseP12, Missed: c.MissedP12}
}

func permille(part, of int) int {
	if of == 0 {
		return 0
	}
	return (1000*part + of/2) / of
}

// gain is how much better the debate is than the better of the two votes, in per
// mille of balance.
func (t Tally) gain() int {
	return t.By[Debated].Balance() - max(t.By[TwoReport].Balance(), t.By[Majority].Balance())
}
