package debate

import (
	"flag"
	"hash/fnv"
	"strconv"

	"github.com/prdebate/debate/internal/testkit/long"
)

// walks is how many random debates each group of properties sees. Raise it by
// hand: go test ./internal/debate -run Property -walks 100000.
var walks = flag.Int("walks", long.Pick(400, 2000), "random debates per group of properties")

// walkFrom is the first seed: with -walks 1 it repeats one debate.
var walkFrom = flag.Int("walk-from", 0, "seed of the first random debate")

// dice is a small generator (splitmix64): the number of a walk is its seed, so
// that a failure is repeated by its number.
type dice struct{ x uint64 }

func (d *dice) next() uint64 {
	d.x += 0x9E3779B97F4A7C15
	z := d.x
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

func (d *dice) n(n int) int             { return int(d.next() % uint64(n)) }
func (d *dice) chance(percent int) bool { return d.n(100) < percent }

func pick[E any](d *dice, list ...E) E { return list[d.n(len(list))] }

// diceOf draws for one purpose of one seed: what a party replies to one ask must
// not depend on what was drawn before it.
func diceOf(seed int, purpose string) *dice {
	h := fnv.New64a()
	h.Write([]byte(strconv.Itoa(seed) + " " + purpose))
	return &dice{x: h.Sum64()}
}
