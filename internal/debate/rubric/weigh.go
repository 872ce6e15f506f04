package rubric

import (
	"cmp"
	"slices"

	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/text"
)

// Check says why scores cannot be weighed. A party scores every option by every criterion,
// once, from 0 to 10 (R021): a sheet with gaps or excess would weigh more than an honest
// one.
func (r Rubric) Check(scores []Score, options []Option) Flaw {
	type cell struct{ option, criterion string }
	seen := make(map[cell]bool)
	for _, s := range scores {
		at := cell{s.Option, s.Criterion}
		switch {
		case !slices.ContainsFunc(options, func(o Option) bool { return o.ID == s.Option }):
			return Flaw{NoOption, []string{text.Clip(s.Option, maxNamed)}}
		case r.criterion(s.Criterion).ID == "":
			return Flaw{NoCriterion, []string{text.Clip(s.Criterion, maxNamed)}}
		case seen[at]:
			return Flaw{ScoredTwice, []string{s.Option, s.Criterion}}
		case s.Score < 0, s.Score > maxScore:
			return Flaw{OutOfRange, []string{s.Option, s.Criterion}}
		}
		seen[at] = true
	}
	for _, o := range options {
		for _, c := range r.Criteria {
			if !seen[cell{o.ID, c.ID}] {
				return Flaw{Unscored, []string{o.ID, c.ID}}
			}
		}
	}
	return Flaw{}
}

// Weigh returns the rubric with these sheets and their result: the sums in option order, the
// winner or the tied options, and whether the sheets diverge (R023, R036, R037). A winner
// needs a valid sheet of the primary and of another party (R021), else Lack says why. Nothing
// wins a tie (R036).
func (r Rubric) Weigh(sheets []Scoresheet, options []Option, tieMarginBP int, primary string) Rubric {
	weighed := Rubric{Hash: r.Hash, Criteria: r.Criteria, Sheets: sheets}
	valid := slices.DeleteFunc(slices.Clone(sheets), func(s Scoresheet) bool { return !s.Valid })
	if weighed.Lack = lacks(valid, options, primary); weighed.Lack != "" {
		return weighed
	}
	var sums [][]int // by sheet and option
	for _, sheet := range valid {
		sums = append(sums, r.sums(sheet, options))
	}
	most := len(valid) * maxScore * wholeBP
	for i, o := range options {
		c := Combined{Option: o.ID, Max: most}
		for _, s := range sums {
			c.Sum += s[i]
		}
		weighed.Combined = append(weighed.Combined, c)
	}
	if best := best(weighed.Combined, int64(max(tieMarginBP, 0))*int64(most)); len(best) > 1 {
		weighed.Tied = best
	} else {
		weighed.Winner = best[0]
	}
	weighed.Diverging = diverging(sums)
	return weighed
}

// best returns the options within a margin of the highest sum, in option order.
func best(combined []Combined, margin int64) []string {
	top := slices.MaxFunc(combined, func(a, b Combined) int { return cmp.Compare(a.Sum, b.Sum) })
	var ids []string
	for _, c := range combined {
		if int64(top.Sum-c.Sum)*wholeBP <= margin {
			ids = append(ids, c.Option)
		}
	}
	return ids
}

// lacks says why the valid sheets have no winner.
func lacks(valid []Scoresheet, options []Option, primary string) Lack {
	own := slices.ContainsFunc(valid, func(s Scoresheet) bool { return s.Party == primary })
	other := slices.ContainsFunc(valid, func(s Scoresheet) bool { return s.Party != primary })
	switch {
	case len(options) == 0:
		return NoOptions
	case len(valid) == 0:
		return NoSheets
	case !own:
		return NoPrimarySheet
	case !other:
		return PrimaryAlone
	}
	return ""
}

// sums are the weighted sums of one sheet in the order of the options.
func (r Rubric) sums(sheet Scoresheet, options []Option) []int {
	byOption := make(map[string]int)
	for _, s := range sheet.Scores {
		byOption[s.Option] += s.Score * r.criterion(s.Criterion).WeightBP
	}
	return lists.Map(options, func(o Option) int { return byOption[o.ID] })
}

// criterion returns the criterion with an id, the zero value if there is none.
func (r Rubric) criterion(id string) Criterion {
	return lists.Find(r.Criteria, func(c Criterion) bool { return c.ID == id })
}

// diverging reports whether an option ranks first on one sheet and below second on another
// (R037).
func diverging(sheets [][]int) bool {
	for option := range sheets[0] {
		best, worst := rank(sheets[0], option), 0
		for _, sums := range sheets {
			best, worst = min(best, rank(sums, option)), max(worst, rank(sums, option))
		}
		if best == 1 && worst > 2 {
			return true
		}
	}
	return false
}

// rank is the competition rank: options with equal sums share the better one.
func rank(sums []int, option int) int {
	rank := 1
	for _, sum := range sums {
		if sum > sums[option] {
			rank++
		}
	}
	return rank
}
