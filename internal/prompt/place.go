package prompt

import (
	"math"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lazyregexp"
)

// The bounds of what one plain line may name.
const (
	maxPlaces = 8
	maxQuotes = 3 // beside one place
)

// placeForm is a place in plain text: path:line, path:first-last, path#L12,
// "path, line 12" and "path (lines 12-14)".
var placeForm = lazyregexp.New("([^\\s`'\"()\\[\\]<>,;*:|{}]*[^\\s`'\"()\\[\\]<>,;*:|{}.#])(?::L?|#L|`?,? \\(?(?:at |on )?lines? )([0-9]+)(?:[-–]L?([0-9]+))?")

// mention is a place in a text and where it stands there, in bytes.
type mention struct {
	cite       debate.Citation
	start, end int
}

// placesIn finds the places that a text names, each once.
func placesIn(text string) []mention {
	var list []mention
	for _, at := range placeForm().FindAllStringSubmatchIndex(text, -1) {
		if len(list) == maxPlaces {
			break
		}
		last := ""
		if at[6] >= 0 {
			last = text[at[6]:at[7]]
		}
		cite, ok := citeOf(text[at[2]:at[3]], text[at[4]:at[5]], last)
		known := slices.ContainsFunc(list, func(m mention) bool { return m.cite == cite })
		if ok && !known {
			list = append(list, mention{cite, at[0], at[1]})
		}
	}
	return list
}

func citeOf(path, first, last string) (debate.Citation, bool) {
	start, ok := integer(first)
	least := 1
	if path == debate.BodyPath {
		least = 0 // its title
	}
	if !ok || start < least || !isPath(path) {
		return debate.Citation{}, false
	}
	end := start
	if last != "" {
		if end, ok = integer(last); !ok || end < start {
			return debate.Citation{}, false
		}
	}
	return debate.Citation{Path: path, Side: debate.Right, StartLine: start, EndLine: end}, true
}

// isPath reports whether a word before a number may be the path of a file. That
// of a time, of a ratio or of an address is none.
func isPath(word string) bool {
	if strings.HasPrefix(word, "//") || !strings.ContainsAny(strings.ToLower(word), small+"_") {
		return false
	}
	return strings.ContainsAny(word, "./@") || strings.ContainsAny(word[:1], capitals)
}

// refsAt are the citations of a text: each of its places, first with the code that
// stands in backticks beside it, then bare. What is in backticks may be no quote;
// the place holds without it.
func refsAt(text string, places []mention) []debate.Ref {
	quotes := make([][]string, len(places))
	for _, span := range spansOf(text) {
		if i := nearestTo(places, span); i >= 0 {
			quotes[i] = append(quotes[i], span.text)
		}
	}
	var refs []debate.Ref
	for i, m := range places {
		for _, quote := range quotes[i][:min(len(quotes[i]), maxQuotes)] {
			cite := m.cite
			cite.Quote = quote
			refs = append(refs, debate.Ref{Citation: cite})
		}
		refs = append(refs, debate.Ref{Citation: m.cite})
	}
	return refs
}

// span is text in backticks and where it stands.
type span struct {
	text       string
	start, end int
}

// spansOf finds what stands in pairs of single backticks on one line and may be
// code of a line: more than one word, or signs that no name has.
func spansOf(text string) []span {
	var list []span
	for _, at := range spanForm().FindAllStringSubmatchIndex(text, -1) {
		inside := text[at[2]:at[3]]
		if strings.Trim(inside, nameSigns) == "" || strings.Contains(inside, "\n") || len(placesIn(inside)) > 0 {
			continue
		}
		list = append(list, span{text: strings.TrimSpace(inside), start: at[0], end: at[1]})
	}
	return list
}

var spanForm = lazyregexp.New("`([^`]*)`")

const (
	small    = "abcdefghijklmnopqrstuvwxyz"
	capitals = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	// nameSigns are the characters of a name of something in code.
	nameSigns = small + capitals + "0123456789_.:/-"
)

// nearestTo returns the index of the place that stands nearest to some code, or -1.
func nearestTo(places []mention, s span) int {
	best, away := -1, math.MaxInt
	for i, m := range places {
		if d := max(m.start-s.end, s.start-m.end, 0); d < away {
			best, away = i, d
		}
	}
	return best
}

// withoutPlace takes a place off the begin or the end of a line: who reads the
// finding sees it beside the words.
func withoutPlace(line string) string {
	places := placesIn(line)
	if len(places) == 0 {
		return line
	}
	first, last := places[0], places[len(places)-1]
	if before := strings.Trim(line[:first.start], "`*_[( "); slices.Contains([]string{"", "In", "At"}, before) {
		rest := afterTag(line[first.end:])
		if rest != "" && !strings.HasPrefix(rest, "and ") {
			return rest
		}
	}
	if after := strings.Trim(line[last.end:], "`*_]).:,! "); after != "" {
		return line
	}
	rest := strings.TrimRight(line[:last.start], "`*_[( ")
	for _, word := range []string{" at", " in", " on", " see", " See", " –", " —", " -", ":", ","} {
		rest = strings.TrimSuffix(rest, word)
	}
	rest = strings.TrimRight(rest, ".,:;–—- ")
	if rest == "" || strings.HasSuffix(rest, " and") {
		return line
	}
	return rest
}
