package segment

import (
	"slices"
	"strings"
	"unicode"

	"github.com/prdebate/debate/internal/lazyregexp"
	"github.com/prdebate/debate/internal/lists"
)

// The headings of a proposal section (R069) are Design, Proposal, Approach, Decision and Tradeoff,
// alone or in a phrase with the same sense: "Technical design", "Design decisions", "Approach to
// retries". A phrase with another sense ("Design tokens", "Decision tree") or a longer word
// ("Redesign") is no signal. The lists are closed on purpose: the text under a missed heading
// becomes context, but a wrong heading would start a debate about nothing.

// signals are the signal words and their plurals.
var signals = lists.Words("design designs proposal proposals approach approaches decision decisions tradeoff tradeoffs")

// qualifiers may precede a signal word.
var qualifiers = lists.Words(`a an the our my this and or of
	proposed suggested recommended chosen selected preferred accepted final initial revised new current
	technical detailed high level low overall general main key major important core basic
	implementation engineering architecture architectural architecturally software system systems solution
	api ui ux data database schema model storage interface module component protocol security
	migration rollout caching error handling concurrency formal brief short
	rationale alternatives context summary overview problem background motivation goals considered
	rfc adr section part chapter step appendix phase`)

// followers may follow a signal word, up to the end of the heading.
var followers = lists.Words(`goals goal overview summary details detail rationale considerations consideration considered
	notes note choice choices principles principle discussion doc document documents record records log
	drivers driver outcome outcomes made taken chosen analysis explanation justification
	and or alternatives alternative risks risk constraints constraint options implementation consequences
	motivation context status scope assumptions decided description section space
	the proposed technical`)

// prepositions may follow a signal word and introduce its subject.
var prepositions = lists.Words("of for to on behind about regarding concerning between vs versus")

// isSignal reports whether a heading opens a proposal section (R069). A heading has several parts
// between colons, dashes, brackets and similar signs, and one of them is enough: "Design: the cache".
// Markup, emoji and other signs only separate words; "trade offs" and "trade-offs" are one word.
func isSignal(heading string) bool {
	heading = strings.ToLower(tags().ReplaceAllString(linkTarget().ReplaceAllString(heading, " "), " "))
	heading = tradeoff().ReplaceAllString(heading, "trade$1")
	notWord := func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("'’", r)
	}
	return slices.ContainsFunc(partEnd().Split(heading, -1), func(part string) bool {
		found := false // a signal word was read
		for w := range strings.FieldsFuncSeq(part, notWord) {
			switch {
			case found && prepositions[w]:
				return true
			case signals[w]:
				found = true
			case ordinal().MatchString(w), found && followers[w], !found && qualifiers[w]:
			default:
				return false
			}
		}
		return found
	})
}

var (
	tags       = lazyregexp.New(`<!--.*?-->|</?[a-zA-Z][^<>]*>`) // attributes are no words of a heading
	linkTarget = lazyregexp.New(`\]\([^)]*\)`)                   // nor is an address
	tradeoff   = lazyregexp.New(`\btrade[^\pL\pN:–—()|/,;]+(offs?)\b`)
	partEnd    = lazyregexp.New(`[:–—()|/,;]| -`)
)

// ordinal matches the number of a heading: "3", "12", "b", "iv", "1st".
var ordinal = lazyregexp.New(`^(?:[[:ascii:]]|[ivx]+|[0-9]+[thsndr]*)$`)
