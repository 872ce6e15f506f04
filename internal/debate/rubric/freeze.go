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

// Freeze makes the rubric of one decision from the configured criteria, or from the default
// ones, and from the options. The settings refuse criteria that are no rubric (R018, R020). The
// hash is over both.
func Freeze(criteria []Criterion, options []Option) Rubric {
	if len(criteria) == 0 {
		criteria = DefaultCriteria()
	}
	return Rubric{Criteria: slices.Clone(criteria), Hash: hash(options, criteria)}
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
