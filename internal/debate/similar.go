package debate

import (
	"sort"
	"strings"
)

// How alike two texts must be, in per mille, before they may be about the same
// defect. Both numbers were read off recorded comments of real reviewers with
// BenchmarkSimilar, which prints what any other number would give.
const (
	// likely is for texts of which nobody knows that they are about the same lines,
	// and which count only if their owners agree with each other. It is the middle
	// of the top of pair F1, which is broad: 225 to 275 differ by one percent.
	likely = 250
	// likelyHere is for texts about the same lines. Such texts share names whatever
	// they say, and nobody confirms the merge, so that a wrong one must be rare: at
	// 380 one in forty of the comments that share lines is merged with one that
	// says something else.
	likelyHere = 380
)

// What a word weighs. A name with several parts counts once as a whole, and its
// parts count a little: two texts may spell one name differently. Weights by
// rarity within a debate, pairs of neighbours and synonyms were tried and gained
// nothing.
const (
	wholeWeight = 10
	partWeight  = 3
)

// maxCompared bounds the bytes of a text that are compared.
const maxCompared = 2 << 10

// term is one word of a text in the form in which it is compared.
type term struct {
	word   string
	weight int
}

// similar is how alike two texts are, from 0 to 1000.
func similar(a, b string) int { return likeness(termsOf(a), termsOf(b)) }

// likeness says how much of what two texts say is said by both, from 0 to 1000: the
// weight of the common terms against the mean weight of both lists, which are
// sorted and hold each word once. It is symmetric. Texts without words are like
// nothing.
func likeness(a, b []term) int {
	total := 0
	for _, t := range a {
		total += t.weight
	}
	for _, t := range b {
		total += t.weight
	}
	if total == 0 {
		return 0
	}
	common := 0
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i].word < b[j].word:
			i++
		case a[i].word > b[j].word:
			j++
		default:
			common += min(a[i].weight, b[j].weight)
			i++
			j++
		}
	}
	return 2000 * common / total
}

// termsOf returns the terms of a text in order. Code in fences is left out: a
// proposed fix repeats the lines it replaces, whatever is wrong with them.
func termsOf(text string) []term {
	if len(text) > maxCompared {
		text = text[:maxCompared]
	}
	var terms []term
	for _, word := range words(unfenced(text)) {
		parts := nameParts(word)
		weight := wholeWeight
		if len(parts) > 1 {
			terms = append(terms, term{word: "@" + strings.ToLower(word), weight: wholeWeight})
			weight = partWeight
		}
		for _, part := range parts {
			part = strings.ToLower(part)
			if len(part) > 1 && !isStopWord(part) {
				terms = append(terms, term{word: stem(part), weight: weight})
			}
		}
	}
	sort.Slice(terms, func(i, j int) bool {
		if terms[i].word != terms[j].word {
			return terms[i].word < terms[j].word
		}
		return terms[i].weight > terms[j].weight
	})
	once := terms[:0]
	for _, t := range terms {
		if len(once) == 0 || once[len(once)-1].word != t.word {
			once = append(once, t)
		}
	}
	return once
}

// unfenced returns a Markdown text without its fenced code.
func unfenced(text string) string {
	if !strings.Contains(text, "```") && !strings.Contains(text, "~~~") {
		return text
	}
	var prose strings.Builder
	fenced := false
	for _, line := range strings.Split(text, "\n") {
		start := strings.TrimSpace(line)
		if strings.HasPrefix(start, "```") || strings.HasPrefix(start, "~~~") {
			fenced = !fenced
		} else if !fenced {
			prose.WriteString(line)
			prose.WriteByte('\n')
		}
	}
	return prose.String()
}

// words splits a text into runs of letters, digits and underscores. Scripts that
// put no spaces between words become pairs of neighbouring characters.
func words(text string) []string {
	var list []string
	start := -1
	wide := rune(0)
	end := func(i int) {
		if start >= 0 {
			list = append(list, text[start:i])
		}
		start = -1
	}
	for i, r := range text {
		switch {
		case isWide(r):
			end(i)
			if wide != 0 {
				list = append(list, string(wide)+string(r))
			}
			wide = r
			continue
		case isLetter(r):
			if start < 0 {
				start = i
			}
		default:
			end(i)
		}
		wide = 0
	}
	end(len(text))
	return list
}

// isWide reports whether r is of a script without spaces, such as Chinese.
func isWide(r rune) bool {
	return r >= 0x2e80 && r <= 0xd7ff && (r < 0x3000 || r > 0x303f) || r >= 0x20000 && r <= 0x3ffff
}

// isLetter reports whether r stands in words. Beyond ASCII that is all but the
// blocks of punctuation and symbols, which models use freely, and pictures.
func isLetter(r rune) bool {
	switch {
	case r < 0x80:
		return r == '_' || isDigit(r) || isLower(r) || isUpper(r)
	case r < 0xc0, r >= 0x2000 && r <= 0x2bff, r >= 0x3000 && r <= 0x303f:
		return false
	case r >= 0xfe00 && r <= 0xfe0f, r >= 0xff00 && r <= 0xff0f, r >= 0xfff0 && r <= 0xffff:
		return false
	}
	return r < 0x1f000
}

func isDigit(r rune) bool { return r >= '0' && r <= '9' }
func isLower(r rune) bool { return r >= 'a' && r <= 'z' }
func isUpper(r rune) bool { return r >= 'A' && r <= 'Z' }

// nameParts splits a name at underscores and where its case changes: HTTPServer,
// maxLineLength, EMPTY_LIST. A plural s after capitals, as in URLs, is no part.
func nameParts(name string) []string {
	var parts []string
	start := 0
	cut := func(i int) {
		if part := strings.Trim(name[start:i], "_"); part != "" {
			parts = append(parts, part)
		}
		start = i
	}
	for i := 1; i < len(name); i++ {
		before, here := rune(name[i-1]), rune(name[i])
		switch {
		case before == '_', here == '_':
			cut(i)
		case isUpper(here) && !isUpper(before):
			cut(i)
		case isUpper(before) && isUpper(here) && i+1 < len(name) && isLower(rune(name[i+1])) && name[i+1] != 's':
			cut(i)
		}
	}
	cut(len(name))
	return parts
}

// stem cuts endings, so that validate, validates and validation are one term. It
// need not find the root, it only has to cut related words to the same one.
func stem(word string) string {
	switch {
	case strings.HasSuffix(word, "ies") && len(word) > 4:
		word = word[:len(word)-3] + "y"
	case strings.HasSuffix(word, "s") && len(word) > 3 && !strings.HasSuffix(word, "ss") &&
		!strings.HasSuffix(word, "us") && !strings.HasSuffix(word, "is"):
		word = word[:len(word)-1]
	}
	for _, ending := range [...]string{
		"ation", "ating", "ated", "ate", "ing", "tion", "ment", "ness", "able", "ible",
		"ally", "edly", "ed", "ly", "er", "or", "al", "e", "y",
	} {
		if strings.HasSuffix(word, ending) && len(word) >= len(ending)+4 {
			word = word[:len(word)-len(ending)]
			break
		}
	}
	if n := len(word); n > 4 && word[n-1] == word[n-2] && word[n-1] != 's' && word[n-1] != 'l' {
		word = word[:n-1] // dropped, running
	}
	return word
}

// isStopWord reports whether a word says nothing about what a text is about.
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
	return false
}
