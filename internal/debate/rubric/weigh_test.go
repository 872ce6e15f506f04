package rubric

import (
	"math/big"
	"sort"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func optionList(ids ...string) []Option {
	var list []Option
	for _, id := range ids {
		list = append(list, Option{ID: id, Label: id})
	}
	return list
}

// plainRubric has one criterion that decides and two that say nothing, so that a
// sheet is a list of scores.
func plainRubric() Rubric {
	return Rubric{Criteria: []Criterion{{"correctness", wholeBP - 2}, {"risk", 1}, {"cost", 1}}}
}

// flatSheet scores the options alike by every criterion.
func flatSheet(party string, options []Option, scores ...int) Scoresheet {
	sheet := Scoresheet{Party: party, Valid: true}
	for i, o := range options {
		for _, c := range plainRubric().Criteria {
			sheet.Scores = append(sheet.Scores, Score{o.ID, c.ID, scores[i]})
		}
	}
	return sheet
}

func TestValidate(t *testing.T) {
	t.Parallel()
	options := optionList("keep", "reject")
	full := func() []Score { return flatSheet("gpt", options, 0, 10).Scores }
	for name, c := range map[string]struct {
		scores func() []Score
		want   string // part of the answer, "" for a valid sheet
	}{
		"full":              {full, ""},
		"nothing":           {func() []Score { return nil }, "has no score by"},
		"a missing cell":    {func() []Score { return full()[:5] }, `option "reject" has no score by "cost"`},
		"an unknown option": {func() []Score { return append(full(), Score{"merge", "risk", 5}) }, `"merge" is not an option`},
		"a long option":     {func() []Score { return append(full(), Score{strings.Repeat("x", 100), "risk", 5}) }, `"` + strings.Repeat("x", 40) + `" is not`},
		"an unknown criterion": {func() []Score {
			return append(full(), Score{"keep", "beauty", 5})
		}, `"beauty" is not a criterion`},
		"a cell twice":   {func() []Score { return append(full(), full()[0]) }, `option "keep" is scored twice by "correctness"`},
		"above the best": {func() []Score { s := full(); s[2].Score = 11; return s }, `the score of "keep" by "cost" is not between 0 and 10`},
		"below zero":     {func() []Score { s := full(); s[0].Score = -1; return s }, "is not between 0 and 10"},
	} {
		got := plainRubric().Check(c.scores(), options).String()
		if c.want == "" && got != "" || c.want != "" && !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestCombine(t *testing.T) {
	t.Parallel()
	three := optionList("keep", "revise", "reject")
	for name, c := range map[string]struct {
		options   []Option
		sheets    []Scoresheet
		margin    int
		winner    string
		tied      string
		diverging bool
		why       Lack
	}{
		"the highest sum wins":       {three, []Scoresheet{flatSheet("claude", three, 9, 5, 1), flatSheet("gpt", three, 8, 6, 1)}, 200, "keep", "", false, ""},
		"the margin is inclusive":    {three, []Scoresheet{flatSheet("claude", three, 5, 5, 1), flatSheet("gpt", three, 5, 6, 1)}, 500, "", "keep revise", false, ""},
		"just beyond the margin":     {three, []Scoresheet{flatSheet("claude", three, 5, 5, 1), flatSheet("gpt", three, 5, 6, 1)}, 499, "revise", "", false, ""},
		"equal sums":                 {three, []Scoresheet{flatSheet("claude", three, 1, 5, 5), flatSheet("gpt", three, 1, 5, 5)}, 0, "", "revise reject", false, ""},
		"no margin below zero":       {three, []Scoresheet{flatSheet("claude", three, 1, 5, 5), flatSheet("gpt", three, 1, 5, 5)}, -9, "", "revise reject", false, ""},
		"first against second":       {three, []Scoresheet{flatSheet("claude", three, 9, 5, 1), flatSheet("gpt", three, 6, 7, 1)}, 200, "keep", "", false, ""},
		"first against third":        {three, []Scoresheet{flatSheet("claude", three, 10, 5, 1), flatSheet("gpt", three, 4, 5, 6)}, 200, "keep", "", true, ""},
		"two on the second rank":     {three, []Scoresheet{flatSheet("claude", three, 10, 5, 1), flatSheet("gpt", three, 5, 6, 5)}, 200, "keep", "", false, ""},
		"two above it are two ranks": {three, []Scoresheet{flatSheet("claude", three, 10, 5, 1), flatSheet("gpt", three, 5, 6, 6)}, 200, "keep", "", true, ""},
		"one option":                 {three[:1], []Scoresheet{flatSheet("claude", three[:1], 0), flatSheet("gpt", three[:1], 0)}, 200, "keep", "", false, ""},
		"no options":                 {nil, []Scoresheet{flatSheet("claude", nil), flatSheet("gpt", nil)}, 200, "", "", false, NoOptions},
		"no sheets":                  {three, nil, 200, "", "", false, NoSheets},
		"no sheet of the primary":    {three, []Scoresheet{flatSheet("gemini", three, 9, 5, 1), flatSheet("gpt", three, 9, 5, 1)}, 200, "", "", false, NoPrimarySheet},
		"the primary alone":          {three, []Scoresheet{flatSheet("claude", three, 9, 5, 1)}, 200, "", "", false, PrimaryAlone},
		"a sheet that is not valid counts for nothing": {three, []Scoresheet{flatSheet("claude", three, 9, 5, 1), flatSheet("gpt", three, 8, 5, 1),
			{Party: "gemini", Scores: []Score{{"reject", "correctness", 1000}}}}, 200, "keep", "", false, ""},
	} {
		r := plainRubric().Weigh(c.sheets, c.options, c.margin, "claude")
		if tied := strings.Join(r.Tied, " "); r.Winner != c.winner || tied != c.tied || r.Diverging != c.diverging || r.Lack != c.why {
			t.Errorf("%s: winner %q, tied %q, diverging %v, why %q; want %q, %q, %v, %q", name,
				r.Winner, tied, r.Diverging, r.Lack, c.winner, c.tied, c.diverging, c.why)
		}
	}
}

func TestCombinedSums(t *testing.T) {
	t.Parallel()
	options := optionList("b", "a")
	r := Rubric{Criteria: []Criterion{{"correctness", 6000}, {"risk", 3000}, {"cost", 1000}}}
	r.Sheets = []Scoresheet{
		{Party: "claude", Valid: true, Scores: []Score{{"a", "correctness", 1}, {"a", "risk", 2}, {"a", "cost", 3}, {"b", "correctness", 4}, {"b", "risk", 5}, {"b", "cost", 6}}},
		{Party: "gpt", Valid: true, Scores: []Score{{"b", "cost", 1}, {"b", "risk", 1}, {"b", "correctness", 1}, {"a", "cost", 0}, {"a", "risk", 0}, {"a", "correctness", 10}}},
	}
	for range 2 { // a second time changes nothing
		r = r.Weigh(r.Sheets, options, 200, "claude")
		want := []Combined{{"b", 45000 + 10000, 200000}, {"a", 15000 + 60000, 200000}}
		if len(r.Combined) != 2 || r.Combined[0] != want[0] || r.Combined[1] != want[1] {
			t.Errorf("combined %v, want %v", r.Combined, want)
		}
	}
}

// scored is a rubric with its options, as large and as even as it may be.
type scored struct {
	rubric  Rubric
	options []Option
	margin  int
}

func drawScored(t *rapid.T) scored {
	ids := rapid.Permutation([]string{"a", "b", "c", "d", "e"}).Draw(t, "options")
	s := scored{options: optionList(ids[:rapid.IntRange(1, 5).Draw(t, "n")]...)}
	criteria := DefaultCriteria()[:rapid.IntRange(3, 6).Draw(t, "criteria")]
	left := wholeBP
	for i := range criteria {
		w := left / (len(criteria) - i)
		if i < len(criteria)-1 && rapid.Bool().Draw(t, "uneven") {
			w = rapid.IntRange(1, left-len(criteria)+i+1).Draw(t, "weight")
		}
		criteria[i].WeightBP, left = w, left-w
	}
	criteria[0].WeightBP += left
	s.rubric.Criteria = criteria
	top := rapid.SampledFrom([]int{1, 3, 10}).Draw(t, "top")
	for _, party := range []string{"claude", "gpt", "gemini", "qwen"}[:rapid.IntRange(0, 4).Draw(t, "parties")] {
		sheet := Scoresheet{Party: party, Valid: rapid.IntRange(0, 4).Draw(t, "valid") > 0}
		flat := rapid.Bool().Draw(t, "flat")
		for _, o := range s.options {
			score := rapid.IntRange(0, top).Draw(t, "score")
			for _, c := range criteria {
				if !flat {
					score = rapid.IntRange(0, top).Draw(t, "score")
				}
				sheet.Scores = append(sheet.Scores, Score{o.ID, c.ID, score})
			}
		}
		s.rubric.Sheets = append(s.rubric.Sheets, sheet)
	}
	s.margin = rapid.SampledFrom([]int{0, 0, 200, 1000, 10000}).Draw(t, "margin")
	return s
}

func (s scored) combine() Rubric {
	return s.rubric.Weigh(s.rubric.Sheets, s.options, s.margin, "claude")
}

// naiveCombine works with means as fractions and with sorted lists, where the
// package works with integers and counts.
func naiveCombine(s scored) (winner string, tie, diverging bool) {
	weight := make(map[string]*big.Rat)
	for _, c := range s.rubric.Criteria {
		weight[c.ID] = big.NewRat(int64(c.WeightBP), 10000)
	}
	mean := make(map[string]*big.Rat)
	var orders [][]string // options by falling score, with their scores
	var tables []map[string]*big.Rat
	primary, others := 0, 0
	for _, sheet := range s.rubric.Sheets {
		if !sheet.Valid {
			continue
		}
		if sheet.Party == "claude" {
			primary++
		} else {
			others++
		}
		table := make(map[string]*big.Rat)
		for _, o := range s.options {
			table[o.ID] = new(big.Rat)
		}
		for _, cell := range sheet.Scores {
			table[cell.Option].Add(table[cell.Option], new(big.Rat).Mul(weight[cell.Criterion], big.NewRat(int64(cell.Score), 1)))
		}
		tables = append(tables, table)
		orders = append(orders, falling(table))
	}
	if primary == 0 || others == 0 {
		return "", false, false
	}
	for _, o := range s.options {
		mean[o.ID] = new(big.Rat)
		for _, table := range tables {
			mean[o.ID].Add(mean[o.ID], table[o.ID])
		}
		mean[o.ID].Quo(mean[o.ID], big.NewRat(int64(len(tables)), 1))
	}
	order := falling(mean)
	if len(order) > 1 {
		gap := new(big.Rat).Sub(mean[order[0]], mean[order[1]])
		tie = gap.Cmp(big.NewRat(int64(10*s.margin), 10000)) <= 0
	}
	for a := range tables {
		for _, top := range order {
			if place(tables[a], orders[a], top) != 1 {
				continue
			}
			for b := range tables {
				diverging = diverging || place(tables[b], orders[b], top) > 2
			}
		}
	}
	if tie {
		return "", tie, diverging
	}
	return order[0], tie, diverging
}

func falling(table map[string]*big.Rat) []string {
	var ids []string
	for id := range table {
		ids = append(ids, id)
	}
	sort.Strings(ids)
	sort.SliceStable(ids, func(i, j int) bool { return table[ids[i]].Cmp(table[ids[j]]) > 0 })
	return ids
}

// place is where an equal of the option first stands in the order.
func place(table map[string]*big.Rat, order []string, option string) int {
	for i, id := range order {
		if table[id].Cmp(table[option]) == 0 {
			return i + 1
		}
	}
	return 0
}

func TestCombineTwin(t *testing.T) {
	t.Parallel()
	often(t, func(t *rapid.T) {
		s := drawScored(t)
		r := s.combine()
		winner, tie, diverging := naiveCombine(s)
		if r.Winner != winner || len(r.Tied) > 0 != tie || r.Diverging != diverging {
			t.Fatalf("%q %v %v, the twin says %q %v %v", r.Winner, r.Tied, r.Diverging, winner, tie, diverging)
		}
		none := r.Winner == "" && len(r.Tied) == 0
		if none != (r.Lack != "") || r.Scored() == none {
			t.Fatalf("winner %q, tied %v, why %q, combined %v", r.Winner, r.Tied, r.Lack, r.Combined)
		}
	})
}
