package bench

import (
	"context"
	"errors"
	"fmt"
	"math"
)

// Holder holds the debate of a case.
type Holder interface {
	// Hold returns what came of a case, for which there are so many millionths of a US
	// dollar left. A LeftOutError says that the case was not held, and that others can be.
	Hold(ctx context.Context, c Case, left int64) (Held, error)
}

// LeftOutError says why a case is not counted.
type LeftOutError struct{ Why string }

func (e *LeftOutError) Error() string { return e.Why }

// Held is what came of the debate of a case.
type Held struct {
	Members  []Heard // of the panel, in its order
	Agreed   []Finding
	Disputed []Finding
	Debate   Spent // of all its calls
	Cut      bool  // the money ran out in it
	Taped    bool  // the answers come from a tape: nothing was paid now, and no time was measured
	Scripted bool  // somebody wrote the answers, no model gave them
}

// Heard is what one member said before it heard the others.
type Heard struct {
	ID       string
	Absent   string // why it cannot take part, "" if it does
	Answered bool   // in full: it answered about each part of the change
	Findings []Finding
	Spent    Spent
}

// Spent is what calls took.
type Spent struct {
	CostMicro   int64 // millionths of a US dollar
	CostUnknown bool  // there were calls without a known price
	MS          int64 // from the first of them to the end of the last
}

// Outcome is a case and what came of it.
type Outcome struct {
	Case Case
	Held Held
}

// Skipped is a case that is not counted.
type Skipped struct {
	ID  string
	Why string
}

// Run holds one case after the other and tells of each that ended. Most is what all of them
// may cost together, in millionths of a US dollar, 0 for no limit; a case in which the money
// runs out is not counted. When ctx ends, or a case breaks, the outcomes so far come with
// the error.
func Run(ctx context.Context, cases []Case, h Holder, most int64, tell func(Outcome)) (done []Outcome, left []Skipped, err error) {
	var spent int64
	for i, c := range cases {
		room := int64(math.MaxInt64)
		if most > 0 {
			room = most - spent
		}
		held, err := h.Hold(ctx, c, room)
		var out *LeftOutError
		if errors.As(err, &out) {
			left = append(left, Skipped{c.ID, out.Why})
			continue
		}
		if err != nil {
			for _, rest := range cases[i:] {
				left = append(left, Skipped{rest.ID, "the run ended before"})
			}
			return done, left, fmt.Errorf("case %s: %w", c.ID, err)
		}
		if !held.Taped {
			spent += held.Debate.CostMicro
		}
		if held.Cut {
			left = append(left, Skipped{c.ID, "the money ran out in it"})
			continue
		}
		done = append(done, Outcome{c, held})
		tell(done[len(done)-1])
	}
	return done, left, nil
}
