package debate

import (
	"testing"

	"pgregory.net/rapid"
)

// often runs a property on 200 draws of each case of rapid, which are 20,000
// with its default of 100.
func often(t *testing.T, property func(*rapid.T)) {
	t.Helper()
	repeated(t, 200, property)
}

// repeated is for properties that cost more than often is worth.
func repeated(t *testing.T, draws int, property func(*rapid.T)) {
	t.Helper()
	rapid.Check(t, func(t *rapid.T) {
		for range draws {
			property(t)
		}
	})
}

var deltaGen = rapid.Custom(func(t *rapid.T) Delta {
	return Delta{
		Rater:   rapid.SampledFrom([]string{"claude", "gpt", "gemini"}).Draw(t, "rater"),
		ValueBP: rapid.SampledFrom([]int{0, 1, 499, 500, 501, 10000}).Draw(t, "value"),
		Counted: rapid.IntRange(0, 3).Draw(t, "counted") > 0,
	}
})

// naiveThin says it the other way round: a round is not thin if a side is
// missing or if a real gain is there.
func naiveThin(ratings []Delta, primary string, bp int) bool {
	worth := make(map[string][]int)
	for _, d := range ratings {
		side := "dissent"
		if d.Rater == primary {
			side = "primary"
		}
		value := 0
		if d.Counted {
			value = d.ValueBP
		}
		worth[side] = append(worth[side], value)
	}
	most := 0
	for _, side := range worth {
		for _, value := range side {
			most = max(most, value)
		}
	}
	return len(worth) == 2 && most < bp
}

func TestThinRoundTwin(t *testing.T) {
	t.Parallel()
	often(t, func(t *rapid.T) {
		ratings := rapid.SliceOfN(deltaGen, 0, 4).Draw(t, "ratings")
		if got, want := thinRound(ratings, "claude", 500), naiveThin(ratings, "claude", 500); got != want {
			t.Fatalf("thin = %v, the twin says %v", got, want)
		}
	})
}

// TestInflatedGain checks that a rating that does not count neither prevents a
// stop nor makes one.
func TestInflatedGain(t *testing.T) {
	t.Parallel()
	often(t, func(t *rapid.T) {
		ratings := rapid.SliceOfN(deltaGen, 1, 4).Draw(t, "ratings")
		before := thinRound(ratings, "claude", 500)
		for i := range ratings {
			if !ratings[i].Counted {
				ratings[i].ValueBP = rapid.IntRange(0, 10000).Draw(t, "inflated")
			}
		}
		if after := thinRound(ratings, "claude", 500); after != before {
			t.Fatalf("a rating that does not count moved thin from %v to %v", before, after)
		}
		alone := Delta{Rater: rapid.SampledFrom([]string{"claude", "gpt"}).Draw(t, "alone"), Counted: true}
		if thinRound([]Delta{alone, alone}, "claude", 500) {
			t.Fatalf("%s alone made a round thin", alone.Rater)
		}
	})
}

// TestThinStop checks that the streak reaches the stop exactly at two thin
// rounds in a row and that any other round starts it again.
func TestThinStop(t *testing.T) {
	t.Parallel()
	often(t, func(t *rapid.T) {
		var rounds []Round
		thinBefore := false
		for i, thin := range rapid.SliceOfN(rapid.Bool(), 0, 8).Draw(t, "thin") {
			rounds = append(rounds, Round{N: i + 1, Thin: thin})
			streak := thinStreak(rounds)
			if stop, want := streak >= 2, thin && thinBefore; stop != want {
				t.Fatalf("after %d rounds stop = %v, want %v", i+1, stop, want)
			}
			if !thin && streak != 0 {
				t.Fatalf("a round that moved something left a streak of %d", streak)
			}
			thinBefore = thin
		}
		if want := naiveStreak(rounds); thinStreak(rounds) != want {
			t.Fatalf("streak = %d, the twin says %d", thinStreak(rounds), want)
		}
	})
}

func naiveStreak(rounds []Round) int {
	n := len(rounds)
	if n == 0 || !rounds[n-1].Thin {
		return 0
	}
	return 1 + naiveStreak(rounds[:n-1])
}
