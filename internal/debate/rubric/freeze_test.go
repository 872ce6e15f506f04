package rubric

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// dispositions are the options of a change.
func dispositions() []Option {
	return []Option{{ID: "keep", Label: "keep"}, {ID: "revise", Label: "revise"}, {ID: "reject", Label: "reject", Description: "do not merge", StatusQuo: true}}
}

func often(t *testing.T, property func(*rapid.T)) {
	t.Helper()
	repeated(t, 200, property)
}

// repeated is for properties that cost more than often is worth.
func repeated(t *testing.T, draws int, property func(*rapid.T)) {
	t.Helper()
	rapid.Check(t, func(t *rapid.T) {
		for range draws {
			property(t)
		}
	})
}

func base3() []Criterion {
	return []Criterion{{"correctness", 5000}, {"risk", 3000}, {"cost", 2000}}
}

func shape(criteria []Criterion) string {
	var b strings.Builder
	for _, c := range criteria {
		fmt.Fprintf(&b, "%s=%d ", c.ID, c.WeightBP)
	}
	return b.String() + "|"
}

func TestFreezeRubric(t *testing.T) {
	t.Parallel()
	const defaults = "correctness=3000 risk=2000 reversibility=1500 governance_fit=1500 cost=1000 time=1000 |"
	const plain = "correctness=5000 risk=3000 cost=2000 |"
	for name, c := range map[string]struct {
		base []Criterion
		want string
	}{
		"the default rubric": {nil, defaults},
		"a configured one":   {base3(), plain},
	} {
		if got := shape(Freeze(c.base, dispositions()).Criteria); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", name, got, c.want)
		}
	}
}

// TestRubricHash checks that whatever a sheet is scored against is in the hash.
func TestRubricHash(t *testing.T) {
	t.Parallel()
	seen := make(map[string]string)
	for name, change := range map[string]func(o []Option, c []Criterion){
		"nothing":     func([]Option, []Criterion) {},
		"id":          func(o []Option, _ []Criterion) { o[0].ID = "x" },
		"label":       func(o []Option, _ []Criterion) { o[0].Label = "x" },
		"description": func(o []Option, _ []Criterion) { o[0].Description = "x" },
		"status quo":  func(o []Option, _ []Criterion) { o[0].StatusQuo = true },
		"criterion":   func(_ []Option, c []Criterion) { c[0].ID = "x" },
		"weight":      func(_ []Option, c []Criterion) { c[0].WeightBP, c[1].WeightBP = 4999, 3001 },
		"forgery":     func(o []Option, _ []Criterion) { o[0].Description += "\" false\noption \"x\"" },
	} {
		options, criteria := dispositions(), base3()
		change(options, criteria)
		frozen := Freeze(criteria, options)
		if other, taken := seen[frozen.Hash]; taken {
			t.Errorf("%s and %s have one hash", name, other)
		}
		seen[frozen.Hash] = name
		if len(frozen.Hash) != 64 || frozen.Hash != hash(options, frozen.Criteria) {
			t.Errorf("%s: hash %q is not that of what was frozen", name, frozen.Hash)
		}
	}
}
