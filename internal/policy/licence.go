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
	if f.Kind != patch.Text || f.Unparsed != "" || len(f.Hunks) == 0 {
		return sameText(f)
	}
	for _, h := range f.Hunks {
		var before, after []string
		held, holds := 0, 0
		for _, l := range h.Lines {
			words, holder := wordsOf(l.Text), holderLine().MatchString(l.Text)
			if holder {
				words = nil
			}
			if l.Op != '+' {
				before = append(before, words...)
				held += count(holder)
			}
			if l.Op != '-' {
				after = append(after, words...)
				holds += count(holder)
			}
		}
		if holds < held || !slices.Equal(before, after) {
			return false
		}
	}
	return true
}

// holderLine names who holds the rights, and since when.
var holderLine = lazyregexp.New(`(?i)^\W*(?:copyright\s+(?:\(c\)|©|\d{4})|\(c\)\s|©)`)

// wordsOf are the words of a line, in lower case.
func wordsOf(line string) []string { return strings.Fields(strings.ToLower(line)) }

func count(is bool) int {
	if is {
		return 1
	}
	return 0
}
