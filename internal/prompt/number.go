package prompt

import (
	"math/big"
	"strconv"
	"strings"
)

// maxDigits bounds numbers so that computations with them fit in 64 bits.
const maxDigits = 9

// integer reads a whole number, also if it is written as 7.0.
func integer(text string) (int, bool) {
	whole, fraction, _ := strings.Cut(text, ".")
	if strings.Trim(fraction, "0") != "" || len(strings.TrimPrefix(whole, "-")) > maxDigits {
		return 0, false
	}
	n, err := strconv.Atoi(whole)
	return n, err == nil
}

// basisPoints reads a JSON number from 0 to 1 in ten-thousandths, rounded down. It uses no
// binary fraction, so 0.05 is 500 (R009).
func basisPoints(text string) (int, bool) {
	value, ok := new(big.Rat).SetString(text)
	if !ok || value.Sign() < 0 || value.Cmp(big.NewRat(1, 1)) > 0 {
		return 0, false
	}
	value.Mul(value, big.NewRat(10_000, 1))
	return int(new(big.Int).Quo(value.Num(), value.Denom()).Int64()), true
}
