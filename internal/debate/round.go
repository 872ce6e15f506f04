package debate

// Phase is the part of a debate that limits new opinions (R127, R128).
type Phase string

// The phases.
const (
	Constructive    Phase = "CONSTRUCTIVE"
	Development     Phase = "DEVELOPMENT"
	Crystallization Phase = "CRYSTALLIZATION"
)

// Delta is one rating of one round's truth-gain (R005), in basis points.
type Delta struct {
	N       int
	Rater   string
	ValueBP int
	Counted bool // false: its rater has read nothing new, so it counts as 0 (R008)
}

// Round is the record of one exchange.
type Round struct {
	N             int
	Phase         Phase
	Raters        []string
	Thin          bool
	Unavailable   []string // parties that could not be asked (R075)
	Timeouts      []string
	AuthFailures  []string
	OtherFailures []string
	ParseFailures []string
	Retries       []string // parties that got a FORMAT retry
	Route         Why      `json:",omitzero"` // the next step, with its reason
}

// phaseOf derives the phase from n (R127); extended is the one borrowed
// CONSTRUCTIVE iteration at n=3 (R129).
func phaseOf(n int, extended bool) Phase {
	switch {
	case n <= 2, n == 3 && extended:
		return Constructive
	case n <= 5:
		return Development
	}
	return Crystallization
}
