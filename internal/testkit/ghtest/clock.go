package ghtest

import "time"

// clock gives times and identifiers to everything that comes to be.
type clock struct {
	at        time.Time
	elsewhere func() time.Time // where the time is taken from instead; nil: it is at
	serial    int64
}

func newClock() *clock {
	return &clock{at: time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC), serial: 1000}
}

func (c *clock) time() time.Time {
	if c.elsewhere != nil {
		return c.elsewhere().UTC().Truncate(time.Second)
	}
	return c.at
}

// tick is the time of a change.
func (c *clock) tick() time.Time {
	c.at = c.at.Add(time.Second)
	return c.time()
}

// next is a new identifier; later things have greater ones.
func (c *clock) next() int64 {
	c.serial++
	return c.serial
}

// large is added to the identifiers of comments and reviews: GitHub's have outgrown
// the numbers of GraphQL, where databaseId is null for them.
const large = 3_000_000_000
