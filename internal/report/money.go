package report

import (
	"fmt"
	"strconv"
	"strings"
)

// USD is an amount in millionths of a US dollar. In JSON it is a number of
// dollars with at most six decimals, written and read without rounding.
type USD int64

const dollar = 1_000_000

// Rounded is the amount for people, with its currency sign: in cents, rounded up, or in tenths of
// a cent if it is less than one.
func (u USD) Rounded() string {
	const cent, tenth = dollar / 100, dollar / 1000
	if 0 < u && u <= 9*tenth {
		return fmt.Sprintf("$0.%03d", (u+tenth-1)/tenth)
	}
	cents := (max(u, 0) + cent - 1) / cent
	return fmt.Sprintf("$%d.%02d", cents/100, cents%100)
}

// Cost is an amount for people; an unknown price is not nothing.
func Cost(amount USD, unknown bool) string {
	switch {
	case !unknown:
		return amount.Rounded()
	case amount == 0:
		return "cost unknown"
	}
	return "at least " + amount.Rounded()
}

// Spent is the cost and the time of a review.
func Spent(e Envelope) string {
	return Cost(e.Stats.CostUSD, e.Stats.CostUnknown) + ", " + Took(e.Stats.DurationMS)
}

// Took is a time for people.
func Took(ms int64) string {
	seconds := (ms + 500) / 1000
	if seconds >= 120 {
		return fmt.Sprintf("%d min", (seconds+30)/60)
	}
	return fmt.Sprintf("%d s", seconds)
}

// MarshalJSON writes the shortest exact number.
func (u USD) MarshalJSON() ([]byte, error) {
	sign, n := "", uint64(u)
	if u < 0 {
		sign, n = "-", -n
	}
	text := fmt.Sprintf("%s%d.%06d", sign, n/dollar, n%dollar)
	return []byte(strings.TrimSuffix(strings.TrimRight(text, "0"), ".")), nil
}

// UnmarshalJSON reads a number written by MarshalJSON.
func (u *USD) UnmarshalJSON(data []byte) error {
	whole, part, _ := strings.Cut(string(data), ".")
	if len(part) > 6 {
		return fmt.Errorf("amount %s has more than six decimals", data)
	}
	n, err := strconv.ParseInt(whole+part+strings.Repeat("0", 6-len(part)), 10, 64)
	if err != nil {
		return fmt.Errorf("amount %s: %w", data, err)
	}
	*u = USD(n)
	return nil
}
