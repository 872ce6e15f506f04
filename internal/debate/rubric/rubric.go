// Package rubric scores the options of one decision: weighted criteria and options are frozen
// before the first score, every party fills in a sheet, and the sheets are summed up into a
// winner, a tie and a divergence. It counts in integers, so no order and no rounding decides
// anything.
//
//	Freeze(criteria, options) -> Rubric -> Flaw(scores) of each sheet -> Weigh(sheets)
//
// It knows nothing of the debate behind the scores, and asks no person: the reader of Tied and
// Diverging does.
package rubric

import (
	"fmt"
	"strconv"

	"github.com/prdebate/debate/internal/lists"
)

// The bounds of scores.
const (
	maxScore = 10
	maxNamed = 160 // bytes of an unknown name
	wholeBP  = 10000
)

// Option is one answer to a decision.
type Option struct {
	ID          string `json:"id"`
	Label       string `json:"label"`
	Description string `json:"description"`
	StatusQuo   bool   `json:"status_quo"`
}

// Criterion of a rubric and its weight in basis points; the weights of a rubric
// sum to 10000.
type Criterion struct {
	ID       string `json:"id"`
	WeightBP int    `json:"weight_bp"`
}

// Rubric is the scoring of one decision.
type Rubric struct {
	Hash      string // SHA-256 over options and criteria, frozen before the first sheet
	Criteria  []Criterion
	Sheets    []Scoresheet
	Combined  []Combined // in the order of the options
	Winner    string     // "" if no valid pair of sheets exists, or the best are tied
	Tied      []string   // the best options if several are within the margin, in option order
	Diverging bool
	Lack      Lack // why there is no winner
}

// Scoresheet is one party's sheet. Raw is its text, verbatim (R024).
type Scoresheet struct {
	Party     string
	Scores    []Score
	Rationale string
	Raw       string
	Valid     bool
	Flaw      Flaw // why it is not valid
}

// Lack says why the sheets have no winner.
type Lack string

const (
	NoOptions      Lack = "no_options"       // there are no options
	NoSheets       Lack = "no_sheets"        // no party gave a valid one
	NoPrimarySheet Lack = "no_primary_sheet" // the primary gave none
	PrimaryAlone   Lack = "primary_alone"    // no other party gave one
)

// Flaw says why a sheet cannot be weighed; the zero value is no flaw.
type Flaw struct {
	Code FlawCode
	Refs []string // options and criteria, in the order of String
}

// FlawCode is one kind of flaw.
type FlawCode string

const (
	Unanswered  FlawCode = "unanswered" // Refs: the status of the call
	Missing     FlawCode = "missing"    // Refs: the decision without a sheet
	NoOption    FlawCode = "no_option"
	NoCriterion FlawCode = "no_criterion"
	ScoredTwice FlawCode = "scored_twice"
	OutOfRange  FlawCode = "out_of_range"
	Unscored    FlawCode = "unscored"
)

// String describes a flaw for the party and for people.
func (f Flaw) String() string {
	words := map[FlawCode]string{
		Unanswered:  "%s",
		Missing:     "there is no sheet for %s",
		NoOption:    "%.40q is not an option",
		NoCriterion: "%.40q is not a criterion",
		ScoredTwice: "option %q is scored twice by %q",
		OutOfRange:  "the score of %q by %q is not between 0 and " + strconv.Itoa(maxScore),
		Unscored:    "option %q has no score by %q",
	}[f.Code]
	return fmt.Sprintf(words, lists.Map(f.Refs, func(ref string) any { return ref })...)
}

// Score is the score of one option by one criterion. A party's number may be out of range;
// Check refuses it.
type Score struct {
	Option    string `json:"option"`
	Criterion string `json:"criterion"`
	Score     int    `json:"score"`
}

// Combined is the weighted sum of one option over all valid sheets, undivided to stay an
// integer. Max is its upper bound.
type Combined struct {
	Option string
	Sum    int
	Max    int
}

// Scored reports whether valid sheets were weighed.
func (r *Rubric) Scored() bool { return len(r.Combined) > 0 }
