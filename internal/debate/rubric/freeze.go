package rubric

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/text"
)

// Proposal is what one party wants to add to a rubric (X32). Members that are ""
// add nothing.
type Proposal struct {
	Party     string
	Option    string // in words
	Criterion string // in words
	Reason    string // for the option
}

// DefaultCriteria are the criteria of a repository that configures none (R019,
// X29).
func DefaultCriteria() []Criterion {
	return []Criterion{
		{ID: "correctness", WeightBP: 3000},
		{ID: "risk", WeightBP: 2000},
		{ID: "reversibility", WeightBP: 1500},
		{ID: "governance_fit", WeightBP: 1500},
		{ID: "cost", WeightBP: 1000},
		{ID: "time", WeightBP: 1000},
	}
}

// Freeze makes the joint rubric of one decision (R016, X32) out of the configured
// criteria, the live options and what parties propose for this decision. Beside
// the rubric, whose weights sum to 10000 and whose hash is over all that follows,
// it returns the options that are scored, the status quo among them (R017).
//
// The last proposal of a party is the one that counts; proposals are merged in
// the order of party ids. What is there already, under whatever spelling, is not
// added again. Nothing that a party proposes displaces a criterion or a live option.
func Freeze(base []Criterion, options []Option, proposals []Proposal) (Rubric, []Option) {
	if !usable(base) {
		base = DefaultCriteria()
	}
	criteria := slices.Clone(base)
	live := liveOptions(options)
	for _, p := range oneEach(proposals) {
		criteria = withCriterion(criteria, p)
		live = withOption(live, p)
	}
	rescale(criteria)
	return Rubric{Criteria: criteria, Hash: hash(live, criteria)}, live
}

// usable reports whether criteria are a rubric by themselves: 3 to 6 different
// ones with positive weights that sum to 10000.
func usable(criteria []Criterion) bool {
	if len(criteria) < minCriteria || len(criteria) > maxCriteria {
		return false
	}
	sum := 0
	for i, c := range criteria {
		switch {
		case c.ID == "", c.WeightBP <= 0, c.WeightBP > wholeBP, hasCriterion(criteria[:i], slug(c.ID)):
			return false
		}
		sum += c.WeightBP
	}
	return sum == wholeBP
}

func hasCriterion(criteria []Criterion, slugged string) bool {
	return slices.ContainsFunc(criteria, func(c Criterion) bool { return slug(c.ID) == slugged })
}

// oneEach keeps the last proposal of each party, in the order of party ids.
func oneEach(proposals []Proposal) []Proposal {
	last := make(map[string]Proposal)
	for _, p := range proposals {
		last[p.Party] = p
	}
	return slices.SortedFunc(maps.Values(last), func(a, b Proposal) int { return cmp.Compare(a.Party, b.Party) })
}

// liveOptions are the options of a decision without repetitions, at most
// maxOptions, the status quo always among them (R017).
func liveOptions(options []Option) []Option {
	var live []Option
	for _, o := range options {
		if o.ID != "" && !listed(live, Option{ID: o.ID}) {
			live = append(live, o)
		}
	}
	quo := slices.IndexFunc(live, func(o Option) bool { return o.StatusQuo })
	if quo < 0 {
		quo = slices.IndexFunc(live, func(o Option) bool { return slug(o.ID) == StatusQuo })
	}
	if quo < 0 {
		quo = min(len(live), maxOptions-1)
		live = append(live[:quo], Option{ID: StatusQuo, Label: "status quo", Description: "do nothing; everything stays as it is"})
	}
	live[quo].StatusQuo = true
	if quo >= maxOptions {
		live[maxOptions-1] = live[quo]
	}
	return live[:min(len(live), maxOptions)]
}

// listed reports whether an option is there already, by its id or by its label.
func listed(options []Option, o Option) bool {
	return slices.ContainsFunc(options, func(have Option) bool {
		return have.ID == o.ID || same(have.ID, o.ID) || same(have.ID, o.Label) || same(have.Label, o.Label)
	})
}

func same(a, b string) bool { return slug(a) != "" && slug(a) == slug(b) }

// withCriterion adds the criterion of a proposal where there is room for it.
func withCriterion(criteria []Criterion, p Proposal) []Criterion {
	id := slug(p.Criterion)
	if id == "" || len(criteria) >= maxCriteria || hasCriterion(criteria, id) {
		return criteria
	}
	return append(criteria, Criterion{ID: id, WeightBP: addedWeightBP})
}

// withOption adds the option of a proposal where there is room for it. A text
// without a Latin letter or digit makes no readable id and gets a number instead.
func withOption(options []Option, p Proposal) []Option {
	label := text.OneLine(p.Option)
	if label == "" || len(options) >= maxOptions {
		return options
	}
	id := slug(label)
	if id == "" {
		sum := sha256.Sum256([]byte(label))
		id = "option_" + hex.EncodeToString(sum[:4])
	}
	o := Option{ID: id, Label: text.Clip(label, maxLabel), Description: text.Clip(text.OneLine(p.Reason), maxReason)}
	if listed(options, o) {
		return options
	}
	return append(options, o)
}

// slug makes an id of words: lower-case Latin letters and digits, joined by
// underscores. It is "" if a text has none of them.
func slug(words string) string {
	const readable = "abcdefghijklmnopqrstuvwxyz0123456789"
	parts := strings.FieldsFunc(strings.ToLower(words), func(r rune) bool { return !strings.ContainsRune(readable, r) })
	id := strings.Join(parts, "_")
	return strings.TrimRight(id[:min(len(id), maxSlug)], "_")
}

// rescale brings weights to a sum of exactly 10000 by the largest remainder
// (R020). Equal remainders are served in the order of ids, so that the order of
// the criteria changes no weight.
func rescale(criteria []Criterion) {
	total := 0
	for _, c := range criteria {
		total += c.WeightBP
	}
	left := wholeBP
	rest := make(map[string]int)
	var order []*Criterion
	for i := range criteria {
		c := &criteria[i]
		share := c.WeightBP * wholeBP
		c.WeightBP, rest[c.ID] = share/total, share%total
		left -= c.WeightBP
		order = append(order, c)
	}
	slices.SortFunc(order, func(a, b *Criterion) int {
		return cmp.Or(cmp.Compare(rest[b.ID], rest[a.ID]), cmp.Compare(a.ID, b.ID))
	})
	for _, c := range order[:left] {
		c.WeightBP++
	}
}

// hash is what the sheets are scored against, fixed before the first one (X32).
func hash(options []Option, criteria []Criterion) string {
	var b strings.Builder
	for _, o := range options {
		fmt.Fprintf(&b, "option %q %q %q %t\n", o.ID, o.Label, o.Description, o.StatusQuo)
	}
	for _, c := range criteria {
		fmt.Fprintf(&b, "criterion %q %d\n", c.ID, c.WeightBP)
	}
	sum := sha256.Sum256([]byte(b.String()))
	return hex.EncodeToString(sum[:])
}
