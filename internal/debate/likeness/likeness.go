// Package likeness measures how alike two texts about code are, so one defect in the words of
// two reviewers is found to be one. It takes strings and returns a number, and knows nothing
// of authors or consequences.
//
//	text -> prose without fenced code -> words -> parts of names -> stems, weighted -> overlap of two lists
package likeness

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
)

// Thresholds, in per mille, for two texts about the same defect. Both come from recorded
// comments of real reviewers.
const (
	// Likely is for texts with unknown places, if their owners agree with each other. It is
	// the middle of the broad top of pair F1: 225 to 275 differ by one percent.
	Likely = 250
	// LikelyHere is for texts about the same lines. Such texts share names anyway and no party
	// confirms the merge, so a wrong one must be rare: at 380, one in forty comments on shared
	// lines is merged with an unrelated one.
	LikelyHere = 380
	// LikelyOwn is for texts of one author about the same lines. An author that lists two defects
	// of one line has found two, so only repeated words are one. Two defects of a division in a
	// test measure 444.
	LikelyOwn = 700
)

// Weights of words. A name with several parts counts once as a whole, and its parts count a
// little, since two texts may spell one name differently. Weights by rarity within a debate,
// pairs of neighbors and synonyms gained nothing.
const (
	wholeWeight = 10
	partWeight  = 3
)

// maxCompared bounds the compared bytes of a text.
const maxCompared = 2 << 10

// Terms are the words of a text in comparable form: sorted, each once.
type Terms []term

type term struct {
	word   string
	weight int
}

// Of is how alike two texts are, from 0 to 1000.
func Of(a, b string) int { return TermsOf(a).Like(TermsOf(b)) }

// Title drops case, markup, punctuation and spacing of a title.
func Title(title string) string { return strings.Join(words(strings.ToLower(title)), " ") }

// Like returns the common part of two texts, from 0 to 1000: the weight of the common terms
// against the mean weight of both lists. It is symmetric. Texts without words are like
// nothing.
func (a Terms) Like(b Terms) int {
	total := a.weight() + b.weight()
	if total == 0 {
		return 0
	}
	common := 0
	for len(a) > 0 && len(b) > 0 {
		switch cmp.Compare(a[0].word, b[0].word) {
		case -1:
			a = a[1:]
		case 1:
			b = b[1:]
		default:
			common += min(a[0].weight, b[0].weight)
			a, b = a[1:], b[1:]
		}
	}
	return 2000 * common / total
}

func (a Terms) weight() int {
	total := 0
	for _, t := range a {
		total += t.weight
	}
	return total
}

// TermsOf returns the terms of a text, without code in fences: a proposed fix repeats the
// lines it replaces, with any defect.
func TermsOf(text string) Terms {
	var terms Terms
	for _, word := range words(unfenced(text[:min(len(text), maxCompared)])) {
		parts := nameParts(word)
		weight := wholeWeight
		if len(parts) > 1 {
			terms = append(terms, term{word: "@" + strings.ToLower(word), weight: wholeWeight})
			weight = partWeight
		}
		for _, part := range parts {
			part = strings.ToLower(part)
			if !isStopWord(part) {
				terms = append(terms, term{word: stem(part), weight: weight})
			}
		}
	}
	slices.SortFunc(terms, func(a, b term) int { return cmp.Or(strings.Compare(a.word, b.word), b.weight-a.weight) })
	return slices.CompactFunc(terms, func(a, b term) bool { return a.word == b.word })
}

// unfenced returns a Markdown text without its fenced code.
func unfenced(text string) string {
	var prose strings.Builder
	fenced := false
	for line := range strings.Lines(text) {
		start := strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(start, "```"), strings.HasPrefix(start, "~~~"):
			fenced = !fenced
		case !fenced:
			prose.WriteString(line)
		}
	}
	return prose.String()
}

// words splits a text into runs of letters, digits and underscores. Scripts without spaces
// become pairs of neighboring characters.
func words(text string) []string {
	var list []string
	start := -1
	before := ""                   // the wide character right before
	for i, r := range text + " " { // the blank ends the last word
		isWide := unicode.Is(wide, r)
		letter := !isWide && unicode.Is(lettered, r)
		if letter && start < 0 {
			start = i
		}
		if !letter && start >= 0 {
			list = append(list, text[start:i])
			start = -1
		}
		pair := before
		if before = ""; isWide {
			before = string(r)
		}
		if pair != "" && isWide {
			list = append(list, pair+before)
		}
	}
	return list
}

// wide are the scripts without spaces, such as Chinese.
var wide = &unicode.RangeTable{
	R16: []unicode.Range16{{Lo: 0x2e80, Hi: 0x2fff, Stride: 1}, {Lo: 0x3040, Hi: 0xd7ff, Stride: 1}},
	R32: []unicode.Range32{{Lo: 0x20000, Hi: 0x3ffff, Stride: 1}},
}

// lettered are the characters of words. Beyond ASCII they are all but pictures and the blocks
// of punctuation and symbols, common in the texts of models.
var lettered = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: '0', Hi: '9', Stride: 1}, {Lo: 'A', Hi: 'Z', Stride: 1}, {Lo: '_', Hi: '_', Stride: 1}, {Lo: 'a', Hi: 'z', Stride: 1},
		{Lo: 0xc0, Hi: 0x1fff, Stride: 1}, {Lo: 0x2c00, Hi: 0x2fff, Stride: 1}, {Lo: 0x3040, Hi: 0xfdff, Stride: 1},
		{Lo: 0xfe10, Hi: 0xfeff, Stride: 1}, {Lo: 0xff10, Hi: 0xffef, Stride: 1},
	},
	R32:         []unicode.Range32{{Lo: 0x10000, Hi: 0x1efff, Stride: 1}},
	LatinOffset: 4,
}

// nameParts splits a name at underscores and at changes of case: HTTPServer, maxLineLength,
// EMPTY_LIST. A plural s after capitals, as in URLs, is no part.
func nameParts(name string) []string {
	var parts []string
	for _, piece := range strings.FieldsFunc(name, func(r rune) bool { return r == '_' }) {
		start := 0
		for i := 1; i < len(piece); i++ {
			after := piece[i+1:]
			endsCapitals := after != "" && 'a' <= after[0] && after[0] <= 'z' && after[0] != 's'
			if isUpper(piece[i]) && (!isUpper(piece[i-1]) || endsCapitals) {
				parts = append(parts, piece[start:i])
				start = i
			}
		}
		parts = append(parts, piece[start:])
	}
	return parts
}

func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }

// stem cuts endings, so validate, validates and validation are one term. The result need not
// be the root, only the same for related words.
func stem(word string) string {
	word = singular(word)
	for _, ending := range [...]string{
		"ation", "ating", "ated", "ate", "ing", "tion", "ment", "ness", "able", "ible",
		"ally", "edly", "ed", "ly", "er", "or", "al", "e", "y",
	} {
		if root, cut := strings.CutSuffix(word, ending); cut && len(root) >= 4 {
			word = root
			break
		}
	}
	if n := len(word); n > 4 && word[n-1] == word[n-2] && !strings.ContainsRune("sl", rune(word[n-1])) {
		word = word[:n-1] // dropped, running
	}
	return word
}

// singular cuts the ending of a plural.
func singular(word string) string {
	if root, cut := strings.CutSuffix(word, "ies"); cut && len(root) > 1 {
		return root + "y"
	}
	root := strings.TrimSuffix(word, "s")
	if len(root) <= 2 || strings.IndexByte("sui", root[len(root)-1]) >= 0 {
		return word
	}
	return root
}

// isStopWord reports whether a word, such as a single letter, says nothing about the subject
// of a text.
func isStopWord(word string) bool {
	switch word {
	case "about", "above", "after", "again", "all", "also", "although", "an", "and", "any", "are", "as", "at",
		"be", "because", "been", "before", "being", "below", "between", "both", "but", "by",
		"can", "cannot", "could", "did", "do", "does", "doesn", "doing", "don", "down", "during",
		"each", "either", "else", "even", "for", "from", "further", "had", "has", "have", "having", "here", "how", "however",
		"if", "in", "instead", "into", "is", "isn", "it", "its", "itself", "just", "let", "like",
		"make", "makes", "may", "me", "might", "more", "most", "must", "my", "need", "needs", "no", "nor", "not", "now",
		"of", "off", "on", "once", "only", "or", "other", "otherwise", "our", "out", "over", "own", "per", "rather",
		"same", "should", "since", "so", "some", "still", "such",
		"than", "that", "the", "their", "them", "then", "there", "these", "they", "this", "those", "though", "through",
		"thus", "to", "too", "under", "until", "up", "upon", "use", "used", "uses", "using", "very", "via",
		"was", "we", "were", "what", "when", "where", "whether", "which", "while", "who", "why", "will", "with", "within",
		"without", "won", "would", "you", "your":
		return true
	}
	return len(word) == 1
}
