package prompt

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/prdebate/debate/internal/lazyregexp"
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

// numberForm is a JSON number: its sign, the digits before and after the point, and the
// exponent.
var numberForm = lazyregexp.New(`^(-?)([0-9]+)\.?([0-9]*)(?:[eE]([-+]?[0-9]+))?$`)

// basisPoints reads a JSON number from 0 to 1 in ten-thousandths, rounded down. It uses no
// binary fraction, so 0.05 is 500 (R009).
func basisPoints(text string) (int, bool) {
	parts := numberForm().FindStringSubmatch(text)
	if parts == nil {
		return 0, false
	}
	minus, whole, fraction := parts[1], parts[2], parts[3]
	exponent, err := strconv.Atoi(cmp.Or(parts[4], "0"))
	if err != nil || exponent < -maxReply || exponent > maxReply {
		return 0, false
	}
	digits := strings.TrimLeft(whole+fraction, "0")
	if digits == "" {
		return 0, true
	}
	if minus != "" {
		return 0, false
	}
	// The value is 0.digits times ten to the power of magnitude.
	magnitude := len(digits) - len(fraction) + exponent
	switch {
	case magnitude == 1 && strings.TrimRight(digits, "0") == "1":
		return 10_000, true
	case magnitude > 0:
		return 0, false
	case magnitude <= -4:
		return 0, true
	}
	kept := 4 + magnitude
	digits += "0000"
	n, err := strconv.Atoi(digits[:kept])
	return n, err == nil
}
