package population

import (
	"fmt"
	"strconv"

	"github.com/prdebate/debate/internal/debate"
)

// Size is how many changes a population of the page has.
const Size = 1000

// sweep is a knob that is turned through some values, the others standing as usual.
type sweep struct {
	name   string
	values []int
	set    func(*Knobs, int)
	show   func(v int) string
}

// at is the population with one value of the knob.
func (s sweep) at(v int) Knobs {
	k := Usual()
	s.set(&k, v)
	return k
}

// sweeps are the knobs that the page turns.
func sweeps() []sweep {
	rates := func(name string, set func(*Knobs, int), values ...int) sweep {
		return sweep{name, values, set, percentOf}
	}
	return []sweep{
		rates("hit rate", func(k *Knobs, v int) { k.Hit = v }, 3000, 8000, 9500),
		rates("false claims", func(k *Knobs, v int) { k.False = v }, 0, 2000, 4000),
		rates("skill of evaluation", func(k *Knobs, v int) { k.Skill = v }, 4000, 5000, 6500, 9000),
		rates("draws that all share", func(k *Knobs, v int) { k.Correlation = v }, 0, 5000, 9000),
		rates("giving in", func(k *Knobs, v int) { k.Sycophancy = v }, 0, 5000, 9000),
		rates("refusing to look again", func(k *Knobs, v int) { k.Stubborn = v }, 0, 5000, 9000),
		rates("invented citations", func(k *Knobs, v int) { k.Forged = v }, 0, 3000, 7000),
		rates("answers that quote", func(k *Knobs, v int) { k.Citing = v }, 2000, 10000),
		rates("objections that quote the claim's own line", func(k *Knobs, v int) { k.OwnLines = v }, 10000),
		rates("silence about claims of others", func(k *Knobs, v int) { k.Silent = v }, 1500, 4000),
		rates("agreeing without looking", func(k *Knobs, v int) { k.Lazy = v }, 0, 3000, 6000),
		rates("wanting everything merged", func(k *Knobs, v int) { k.Reckless = v }, 0, 5000),
		{"challengers", []int{1, 2, 3, 4}, func(k *Knobs, v int) { k.Challengers = v }, strconv.Itoa},
		{"challengers, if the first party opens alone", []int{2, 3, 4}, func(k *Knobs, v int) { k.Challengers, k.Opening = v, debate.OpenPosition }, strconv.Itoa},
	}
}

func percentOf(v int) string { return fmt.Sprintf("%d %%", v/100) }

// Precision is the share of what was adopted that is a defect, in per mille like
// all shares; a share of nothing is 0.
func (c Counts) Precision() int { return permille(c.True, c.True+c.False) }

// Recall is the share of the defects that were adopted.
func (c Counts) Recall() int { return permille(c.True, c.True+c.Missed) }

// Balance is the harmonic mean of precision and recall (F1).
func (c Counts) Balance() int { return permille(2*c.True, 2*c.True+c.False+c.Missed) }

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
