package policy

import (
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/lazyregexp"
	"github.com/prdebate/debate/internal/patch"
)

// sameTerms reports whether a licence says after the change what it said before:
// lines that are wrapped anew, capitals, and lines that name a year or a holder
// change no terms, as long as no line about a holder is gone.
func sameTerms(f *patch.File) bool {
	if f.Kind != patch.Text || f.Unparsed != "" {
		return false
	}
	changes := func(h *patch.Hunk) bool {
		before, held := termsOf(h, '+')
		after, holds := termsOf(h, '-')
		return holds < held || !slices.Equal(before, after)
	}
	return !slices.ContainsFunc(f.Hunks, changes)
}

// termsOf are the words of a hunk but for the lines that the other side has, and the number
// of lines about a holder, which have none.
func termsOf(h *patch.Hunk, other byte) (words []string, holders int) {
	for _, l := range h.Lines {
		switch {
		case l.Op == other:
		case holderLine().MatchString(l.Text):
			holders++
		default:
			words = append(words, strings.Fields(strings.ToLower(l.Text))...)
		}
	}
	return words, holders
}

// holderLine names who holds the rights, and since when.
var holderLine = lazyregexp.New(`(?i)^\W*(?:copyright\s+(?:\(c\)|©|\d{4})|\(c\)\s|©)`)

func count(is bool) int {
	if is {
		return 1
	}
	return 0
}
