package comment

import (
	"strings"

	"github.com/agnivade/levenshtein"

	"github.com/prdebate/debate/internal/lazyregexp"
)

// maxVerb bounds, in bytes, the words compared with the verbs.
const maxVerb = 20

// unknownVerb says that a word is not a verb, and guesses the right one. Next is the word after
// it.
func unknownVerb(word, next string) error {
	e := &SyntaxError{Problem: "there is no such command"}
	if meant := nearest(word); meant != "" {
		about, _ := meantFinding(next)
		e.Write, e.Guessed = written(verbOf(meant), about), true
	}
	return e
}

// nearest is the verb a typing error away from a word: two edits at most, and fewer than half of
// the letters; "" if there is none.
func nearest(word string) string {
	if len(word) > maxVerb {
		return ""
	}
	var words []string
	for _, s := range Commands() {
		words = append(append(words, string(s.Verb)), s.Aliases...)
	}
	best, least := "", 3
	for _, w := range words {
		edits := levenshtein.ComputeDistance(strings.ToLower(word), w)
		if edits < least && 2*edits < max(len(word), len(w)) {
			best, least = w, edits
		}
	}
	return best
}

// almostFinding is the id of a finding as people may write it.
var almostFinding = lazyregexp.New(`^(?:[Ff]|#)?-?0*([1-9][0-9]{0,4})[[:punct:]]?$`)

// meantFinding is the id of a finding meant by a word, "" if it is none. Guessed: the word is not
// written as an id.
func meantFinding(word string) (id string, guessed bool) {
	m := almostFinding().FindStringSubmatch(word)
	if m == nil {
		return "", false
	}
	id = "F" + m[1]
	return id, id != word
}

// written is the shortest form of a command, about a finding if one is given.
func written(v Verb, finding string) string {
	usage := optional().ReplaceAllString(v.Usage(), "")
	if finding != "" {
		usage = strings.Replace(usage, " F3", " "+finding, 1)
	}
	return usage
}

// optional is an optional part of a usage.
var optional = lazyregexp.New(` \[[^\]]*\]`)
