package population

// whole is certainty, in basis points.
const whole = 10000

// dice is the luck of one change.
type dice uint64

// purpose tells the draws of one party about one place apart.
type purpose int

const (
	isClean purpose = iota
	isDefect
	severityOf
	isCritical
	policySees
	policyWarns
	isQuestion
	rightOption

	sharesLuck // the draw is not the party's own but the one that all share
	looks      // does it see this by itself
	weighs     // does it recognise what another one claims
	weighsCite // does it notice that a citation does not support a claim
	isLazy
	isReckless
	cites
	forges
	forgery
	rejects
	givesIn
	givesReason
	insists
	asserts
	marks // noise of a score
	answers
	mends
	misses
	ownLine
	saysNothing
)

// roll draws a number from 0 to 9999 for one purpose. The keys say whose and
// about what.
func (d dice) roll(why purpose, keys ...int) int {
	x := mix(uint64(d) ^ mix(uint64(why)+1))
	for _, k := range keys {
		x = mix(x ^ mix(uint64(k)+0x51))
	}
	return int(x % whole)
}

// mix is the finisher of splitmix64.
func mix(z uint64) uint64 {
	z += 0x9E3779B97F4A7C15
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}
