package debate

import (
	"slices"

	"github.com/prdebate/debate/internal/lists"
)

// thinRound reports whether a round moved nothing: the primary and at least one dissenter rated
// it, and no rating reaches thinBP basis points (R009). An invalid rating is worth 0, so no
// party keeps a debate alive by claiming a gain; the need for two sides keeps one party from
// ending it (R011).
func thinRound(ratings []Delta, primary string, thinBP int) bool {
	gains := func(d Delta) bool { return d.Counted && d.ValueBP >= thinBP }
	if slices.ContainsFunc(ratings, gains) {
		return false
	}
	own := lists.Keep(ratings, func(d Delta) bool { return d.Rater == primary })
	return 0 < len(own) && len(own) < len(ratings)
}

// thinStreak counts the thin rounds at the end of a debate; any other round
// starts the count again (R012, R013).
func thinStreak(rounds []Round) int {
	streak := 0
	for _, r := range rounds {
		streak++
		if !r.Thin {
			streak = 0
		}
	}
	return streak
}
