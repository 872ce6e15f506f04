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
// hash is over both.
func Freeze(criteria []Criterion, options []Option) Rubric {
	if !usable(criteria) {
		criteria = DefaultCriteria()
	}
	return Rubric{Criteria: slices.Clone(criteria), Hash: hash(options, criteria)}
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
