package debate

// thinRound reports whether a round moved nothing: the primary and at least one
// dissenter rated it, and no rating reaches thinBP basis points (R009, X04). A
// rating that does not count is worth 0, so that nobody keeps a debate alive by
// claiming a gain; that it takes two sides keeps one from ending it (R011).
func thinRound(ratings []Delta, primary string, thinBP int) bool {
	own, other := false, false
	for _, d := range ratings {
		gain := d.ValueBP
		if !d.Counted {
			gain = 0
		}
		if gain >= thinBP {
			return false
		}
		if d.Rater == primary {
			own = true
		} else {
			other = true
		}
	}
	return own && other
}

// thinStreak counts the thin rounds at the end of a debate; any other round
// starts the count again (R012, R013).
func thinStreak(rounds []Round) int {
	streak := 0
	for _, r := range rounds {
		if r.Thin {
			streak++
		} else {
			streak = 0
		}
	}
	return streak
}
