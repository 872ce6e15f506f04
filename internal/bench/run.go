package bench

import (
	"context"
	"fmt"
	"math"

	"github.com/prdebate/debate/internal/report"
)

// Hold debates a case with so many millionths of a US dollar left.
type Hold func(ctx context.Context, c Case, left int64) (Held, error)

// Held is the result of a case's debate.
type Held struct {
	Members  []Heard // of the panel, in its order
	Agreed   []Finding
	Disputed []Finding
	Debate   Spent  // of all its calls
	Left     string // why the case does not count, "" if it does
	Taped    bool   // the answers come from a tape: nothing was paid now, and no time was measured
	Scripted bool   // a person wrote the answers, not a model
}

// Heard is one member's opening, before it read the others.
type Heard struct {
	ID       string
	Absent   string // why it cannot take part, "" if it does
	Answered bool   // in full: it answered about each part of the change
	Findings []Finding
	Spent    Spent
}

// Spent is the cost and the time of calls.
type Spent struct {
	CostMicro   report.USD `json:"cost_usd"`
	CostUnknown bool       `json:"cost_partial"` // there were calls without a known price
	MS          int64      `json:"ms"`           // from the first of them to the end of the last
}

// Outcome is a case with its result.
type Outcome struct {
	Case Case
	Held Held
}

// Skipped is a case that does not count.
type Skipped struct {
	ID  string `json:"id"`
	Why string `json:"why"`
}

// Run runs one case after the other and calls tell after each. Most is the limit of all
// costs together, in millionths of a US dollar, 0 for none. If ctx ends, or a case breaks, the
// outcomes so far come with the error.
func Run(ctx context.Context, cases []Case, hold Hold, most int64, tell func(Outcome)) (done []Outcome, left []Skipped, err error) {
	var spent int64
	for i, c := range cases {
		room := int64(math.MaxInt64)
		if most > 0 {
			room = most - spent
		}
		held, err := hold(ctx, c, room)
		if err != nil {
			for _, rest := range cases[i:] {
				left = append(left, Skipped{rest.ID, "the run ended before"})
			}
			return done, left, fmt.Errorf("case %s: %w", c.ID, err)
		}
		if !held.Taped {
			spent += int64(held.Debate.CostMicro)
		}
		if held.Left != "" {
			left = append(left, Skipped{c.ID, held.Left})
			continue
		}
		done = append(done, Outcome{c, held})
		tell(done[len(done)-1])
	}
	return done, left, nil
}
