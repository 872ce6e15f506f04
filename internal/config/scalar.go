package config

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/prdebate/debate/internal/lazyregexp"
)

// Seconds is a length of time, written as 90s or 3m.
type Seconds int

// maxTimeout bounds one call by the longest wait that any provider demands.
const maxTimeout = 1800

var secondsForm = lazyregexp.New(`^([1-9][0-9]*)([sm])$`)

// MarshalYAML writes the length of time as Parse reads it.
func (s Seconds) MarshalYAML() ([]byte, error) { return []byte(strconv.Itoa(int(s)) + "s"), nil }

// USD is an amount in millionths of a US dollar. Limits are compared, and sums of floating numbers
// are not exact.
type USD int64

// Dollar is one US dollar.
const Dollar USD = 1_000_000

// parseUSD reads a plain decimal number with at most six places.
func parseUSD(text string) (USD, error) {
	whole, places, _ := strings.Cut(text, ".")
	if len(whole) > 9 {
		return 0, errors.New("the amount is too large")
	}
	if len(places) > 6 {
		return 0, errors.New("the amount has more than six decimal places")
	}
	n, err := strconv.ParseUint(whole+places+strings.Repeat("0", 6-len(places)), 10, 63)
	if err != nil || whole == "" {
		return 0, fmt.Errorf("%q is no amount: write it as 2 or 2.50", text)
	}
	return USD(n), nil
}

// String returns the amount with at least two decimal places.
func (u USD) String() string {
	text := fmt.Sprintf("%d.%06d", u/Dollar, u%Dollar)
	cents := len(text) - 4
	return text[:cents] + strings.TrimRight(text[cents:], "0")
}

// MarshalYAML writes the amount as Parse reads it.
func (u USD) MarshalYAML() ([]byte, error) { return []byte(u.String()), nil }
