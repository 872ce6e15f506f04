package debate

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"sort"
	"strings"
)

// The size of a rubric (R018, X32). A criterion that a party adds weighs
// addedWeightBP before the weights are rescaled.
const (
	minCriteria   = 3
	maxCriteria   = 6
	maxOptions    = 8
	maxSlug       = 40 // bytes
	maxLabel      = 200
	wholeBP       = 10000
	addedWeightBP = 1000
)

// statusQuo is the id of the option to leave everything as it is, where nobody
// named one.
const statusQuo = "status_quo"

// proposed is what one party wants to add to the rubric of a decision (X32).
type proposed struct {
	Party string
	RubricProposal
}

// defaultCriteria are the criteria of a repository that configures none (R019,
// X29).
func defaultCriteria() []Criterion {
	return []Criterion{
		{ID: "correctness", WeightBP: 3000},
		{ID: "risk", WeightBP: 2000},
		{ID: "reversibility", WeightBP: 1500},
		{ID: "governance_fit", WeightBP: 1500},
		{ID: "cost", WeightBP: 1000},
		{ID: "time", WeightBP: 1000},
	}
}

// freezeRubric makes the joint rubric of one decision (R016, X32) out of the
// configured criteria, the live options and what parties propose for this
// decision. It returns the criteria, whose weights sum to 10000, the options,
// the status quo among them (R017), and the SHA-256 of both in hex.
//
// The last proposal of a party is the one that counts; proposals are merged in
// the order of party ids. What is there already, under whatever spelling, is not
// added again. Nothing that a party proposes displaces a configured criterion or
// a live option: where a bound is reached, a proposal falls away.
func freezeRubric(base []Criterion, options []Option, proposals []proposed) ([]Criterion, []Option, string) {
	if !usable(base) {
		base = defaultCriteria()
	}
	criteria := append([]Criterion(nil), base...)
	live := liveOptions(options)
	for _, p := range oneEach(proposals) {
		if id := slug(p.Criterion); id != "" && !hasCriterion(criteria, id) && len(criteria) < maxCriteria {
			criteria = append(criteria, Criterion{ID: id, WeightBP: addedWeightBP})
		}
		if o, ok := wanted(p); ok && len(live) < maxOptions && !listed(live, o) {
			live = append(live, o)
		}
	}
	rescale(criteria)
	return criteria, live, rubricHash(live, criteria)
}

// usable reports whether criteria are a rubric by themselves: 3 to 6 different
// ones with positive weights that sum to 10000.
func usable(criteria []Criterion) bool {
	sum := 0
	for i, c := range criteria {
		if c.ID == "" || c.WeightBP < 1 || c.WeightBP > wholeBP || hasCriterion(criteria[:i], slug(c.ID)) {
			return false
		}
		sum += c.WeightBP
	}
	return len(criteria) >= minCriteria && len(criteria) <= maxCriteria && sum == wholeBP
}

func hasCriterion(criteria []Criterion, slugged string) bool {
	for _, c := range criteria {
		if slug(c.ID) == slugged {
			return true
		}
	}
	return false
}

// oneEach keeps the last proposal of each party, in the order of party ids.
func oneEach(proposals []proposed) []proposed {
	sorted := append([]proposed(nil), proposals...)
	sort.SliceStable(sorted, func(i, j int) bool { return sorted[i].Party < sorted[j].Party })
	var last []proposed
	for _, p := range sorted {
		if n := len(last); n > 0 && last[n-1].Party == p.Party {
			last[n-1] = p
			continue
		}
		last = append(last, p)
	}
	return last
}

// liveOptions are the options of a decision without repetitions, at most
// maxOptions, the status quo always among them (R017).
func liveOptions(options []Option) []Option {
	var live []Option
	quo := -1
	for _, o := range options {
		if o.ID == "" || listed(live, Option{ID: o.ID}) {
			continue
		}
		if o.StatusQuo && quo < 0 {
			quo = len(live)
		}
		live = append(live, o)
	}
	if quo < 0 {
		for i := range live {
			if slug(live[i].ID) == statusQuo {
				live[i].StatusQuo = true
				quo = i
			}
		}
	}
	if quo < 0 {
		quo = min(len(live), maxOptions-1)
		live = append(live[:quo], Option{ID: statusQuo, Label: "status quo", Description: "do nothing; everything stays as it is", StatusQuo: true})
	}
	if quo >= maxOptions {
		live[maxOptions-1] = live[quo]
	}
	return live[:min(len(live), maxOptions)]
}

// listed reports whether an option is there already, by its id or by its label.
func listed(options []Option, o Option) bool {
	for _, have := range options {
		if have.ID == o.ID || same(have.ID, o.ID) || same(have.ID, o.Label) || same(have.Label, o.Label) {
			return true
		}
	}
	return false
}

func same(a, b string) bool { return slug(a) != "" && slug(a) == slug(b) }

// wanted is the option that a party proposes. A text without a Latin letter or
// digit makes no readable id and gets a number instead.
func wanted(p proposed) (Option, bool) {
	label := oneLine(p.Option)
	if label == "" {
		return Option{}, false
	}
	id := slug(label)
	if id == "" {
		sum := sha256.Sum256([]byte(label))
		id = "option_" + hex.EncodeToString(sum[:4])
	}
	return Option{ID: id, Label: clip(label, maxLabel), Description: clip(oneLine(p.Reason), maxText)}, true
}

// slug makes an id of words: lower-case Latin letters and digits, joined by
// underscores. It is "" if a text has none of them.
func slug(text string) string {
	var b strings.Builder
	gap := false
	for _, r := range strings.ToLower(text) {
		if (r < 'a' || r > 'z') && (r < '0' || r > '9') {
			gap = true
			continue
		}
		if gap && b.Len() > 0 {
			b.WriteByte('_')
		}
		gap = false
		b.WriteRune(r)
	}
	id := b.String()
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
	if total == 0 {
		return
	}
	left := wholeBP
	rest := make([]int, len(criteria))
	order := make([]int, len(criteria))
	for i := range criteria {
		c := &criteria[i]
		share := c.WeightBP * wholeBP
		c.WeightBP, rest[i], order[i] = share/total, share%total, i
		left -= c.WeightBP
	}
	sort.Slice(order, func(i, j int) bool {
		a, b := order[i], order[j]
		if rest[a] != rest[b] {
			return rest[a] > rest[b]
		}
		return criteria[a].ID < criteria[b].ID
	})
	for _, i := range order[:left] {
		criteria[i].WeightBP++
	}
}

// rubricHash is what the sheets are scored against, fixed before the first one
// (X32).
func rubricHash(options []Option, criteria []Criterion) string {
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
