// Package spelling guesses at a misspelled command, setting or branch.
package spelling

import (
	"strings"

	"github.com/agnivade/levenshtein"
)

// Nearest returns the candidate that a word misspells: the one with the fewest edits, two at most and
// in fewer than half of the letters; "" if there is none. Capitals do not matter.
func Nearest(word string, candidates []string) string {
	best, least := "", 3
	if len(word) > 80 {
		return ""
	}
	for _, c := range candidates {
		edits := levenshtein.ComputeDistance(strings.ToLower(word), strings.ToLower(c))
		if edits < least && 2*edits < max(len(word), len(c)) {
			best, least = c, edits
		}
	}
	return best
}
