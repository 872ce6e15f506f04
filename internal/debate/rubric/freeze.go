package rubric

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
)

// DefaultCriteria are the criteria of a repository without its own (R019).
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

// Freeze makes the rubric of one decision from the configured criteria, or from
// the default ones if these are not usable, and from the options (R018-R020). The
// hash is over both. It also returns the options to score, with the status quo
// among them (R017).
func Freeze(criteria []Criterion, options []Option) (Rubric, []Option) {
	if !usable(criteria) {
		criteria = DefaultCriteria()
	}
	live := liveOptions(options)
	return Rubric{Criteria: slices.Clone(criteria), Hash: hash(live, criteria)}, live
}

// usable reports whether criteria are a rubric: 3 to 6 different ones with
// positive weights and a sum of 10000.
func usable(criteria []Criterion) bool {
	if len(criteria) < minCriteria || len(criteria) > maxCriteria {
		return false
	}
	sum := 0
	for i, c := range criteria {
		again := slices.ContainsFunc(criteria[:i], func(have Criterion) bool { return slug(have.ID) == slug(c.ID) })
		if c.ID == "" || c.WeightBP <= 0 || c.WeightBP > wholeBP || again {
			return false
		}
		sum += c.WeightBP
	}
	return sum == wholeBP
}

// liveOptions returns the options of a decision without repetitions, at most
// maxOptions. The status quo is always one of them (R017).
func liveOptions(options []Option) []Option {
	var live []Option
	for _, o := range options {
		if o.ID != "" && !listed(live, o.ID) {
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

// listed reports whether an option has this id, in any spelling.
func listed(options []Option, id string) bool {
	return slices.ContainsFunc(options, func(have Option) bool {
		return have.ID == id || slug(id) != "" && slug(have.ID) == slug(id)
	})
}

// slug spells an id in one way: lower-case Latin letters and digits, joined by
// underscores, at most 40 bytes. It is "" if the id has none of them.
func slug(words string) string {
	const readable = "abcdefghijklmnopqrstuvwxyz0123456789"
	parts := strings.FieldsFunc(strings.ToLower(words), func(r rune) bool { return !strings.ContainsRune(readable, r) })
	id := strings.Join(parts, "_")
	return strings.TrimRight(id[:min(len(id), maxSlug)], "_")
}

// hash identifies the options and the criteria under score.
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
