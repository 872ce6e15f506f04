package debate

import "fmt"

// maxScore is the best score of one cell (A05).
const maxScore = 10

// validate says why a sheet cannot be weighed, or "". A party scores every
// option by every criterion, once, from 0 to 10 (R021, A05): a sheet that leaves
// cells out or overshoots would weigh more than an honest one.
func (r *Rubric) validate(sheet Sheet, options []Option) string {
	type cell struct{ option, criterion string }
	seen := make(map[cell]bool)
	for _, s := range sheet.Scores {
		at := cell{s.Option, s.Criterion}
		switch {
		case !hasOption(options, s.Option):
			return fmt.Sprintf("%.40q is not an option", s.Option)
		case r.weight(s.Criterion) < 0:
			return fmt.Sprintf("%.40q is not a criterion", s.Criterion)
		case seen[at]:
			return fmt.Sprintf("option %q is scored twice by %q", s.Option, s.Criterion)
		case s.Score < 0 || s.Score > maxScore:
			return fmt.Sprintf("the score of %q by %q is not between 0 and %d", s.Option, s.Criterion, maxScore)
		}
		seen[at] = true
	}
	for _, o := range options {
		for _, c := range r.Criteria {
			if !seen[cell{o.ID, c.ID}] {
				return fmt.Sprintf("option %q has no score by %q", o.ID, c.ID)
			}
		}
	}
	return ""
}

// combine weighs the valid sheets: the sums in the order of the options, the
// winner, and whether it is a tie or the sheets diverge (R023, R036, R037, X07).
// There is a winner only if the primary and another party have a valid sheet
// (X22); Why says so otherwise. Between equal sums the smaller id wins, whatever
// the order of options, criteria or parties; it is a tie then, which hands the
// decision to a person.
func (r *Rubric) combine(options []Option, tieMarginBP int, primary string) {
	r.Combined, r.Winner, r.Tie, r.Diverging = nil, "", false, false
	if r.Why = r.lacks(options, primary); r.Why != "" {
		return
	}
	var sheets [][]int // sums by sheet and option
	for _, sheet := range r.Sheets {
		if sheet.Valid {
			sheets = append(sheets, r.sums(sheet, options))
		}
	}
	most := 0
	for _, c := range r.Criteria {
		most += len(sheets) * maxScore * c.WeightBP
	}
	for i, o := range options {
		sum := 0
		for _, sums := range sheets {
			sum += sums[i]
		}
		r.Combined = append(r.Combined, Combined{Option: o.ID, Sum: sum, Max: most})
	}
	top := r.Combined[0]
	for _, c := range r.Combined[1:] {
		if c.Sum > top.Sum || c.Sum == top.Sum && c.Option < top.Option {
			top = c
		}
	}
	r.Winner = top.Option
	for _, c := range r.Combined {
		near := int64(top.Sum-c.Sum)*wholeBP <= int64(max(tieMarginBP, 0))*int64(most)
		if c.Option != top.Option && near {
			r.Tie = true
		}
	}
	r.Diverging = diverging(sheets)
}

// lacks says why the sheets make no winner, or "".
func (r *Rubric) lacks(options []Option, primary string) string {
	if len(options) == 0 {
		return "there is no option to weigh"
	}
	own, other := false, false
	for _, sheet := range r.Sheets {
		if sheet.Valid {
			own = own || sheet.Party == primary
			other = other || sheet.Party != primary
		}
	}
	switch {
	case !own && !other:
		return "no party gave a valid sheet"
	case !own:
		return "the primary gave no valid sheet"
	case !other:
		return "no party but the primary gave a valid sheet"
	}
	return ""
}

// sums are the weighted sums of one sheet in the order of the options.
func (r *Rubric) sums(sheet Scoresheet, options []Option) []int {
	sums := make([]int, len(options))
	for _, s := range sheet.Scores {
		for i, o := range options {
			if o.ID == s.Option {
				sums[i] += s.Score * max(r.weight(s.Criterion), 0)
			}
		}
	}
	return sums
}

// weight of a criterion in basis points, -1 if the rubric does not have it.
func (r *Rubric) weight(id string) int {
	for _, c := range r.Criteria {
		if c.ID == id {
			return c.WeightBP
		}
	}
	return -1
}

// diverging reports whether an option that is first on one sheet is below the
// second rank on another (R037, X07).
func diverging(sheets [][]int) bool {
	for _, a := range sheets {
		for option := range a {
			if rank(a, option) > 1 {
				continue
			}
			for _, b := range sheets {
				if rank(b, option) > 2 {
					return true
				}
			}
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
