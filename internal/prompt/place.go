package prompt

import (
	"math"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lazyregexp"
	"github.com/prdebate/debate/internal/lists"
)

// The bounds of one plain line.
const (
	maxPlaces = 8
	maxQuotes = 3 // for one place
)

// placeForm is a place in plain text: path:line, path:first-last, path#L12, "path L12",
// "path, line 12" and "path (lines 12-14)".
var placeForm = lazyregexp.New("([^\\s`'\"()\\[\\]<>,;*:|{}]*[^\\s`'\"()\\[\\]<>,;*:|{}.#])(?:[`*]{0,3}:L?|#L|[`*]{0,3},? \\(?(?:(?:at |on )?[Ll]ines? |L))([0-9]+)(?:(?:[-–—]| to )L?([0-9]+))?")

// mention is a place in a text, from start to end in bytes.
type mention struct {
	cite       debate.Citation
	start, end int
}

// placesIn finds the places in a text, each once.
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
	hasLetter := strings.ContainsAny(strings.ToLower(path), small+"_")
	isPath := hasLetter && (strings.ContainsAny(path, "./@") || strings.ContainsAny(path[:1], capitals)) // no time and no ratio
	if !ok || start < least || strings.HasPrefix(path, "//") || !isPath {
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

// refsAt returns the citations of a text: each of its places, first with the code in
// backticks near it, then without. The code may be no quote; then the bare place counts. It has
// more than one word, or signs outside of names.
func refsAt(text string) []debate.Ref {
	places := placesIn(text)
	quotes := make([][]string, len(places))
	for _, at := range codeSpan().FindAllStringSubmatchIndex(text, -1) {
		inside := text[at[2]:at[3]]
		if strings.Trim(inside, nameSigns) == "" || strings.Contains(inside, "\n") || len(placesIn(inside)) > 0 {
			continue
		}
		nearest, away := -1, math.MaxInt
		for i, m := range places {
			if d := max(m.start-at[1], at[0]-m.end, 0); d < away {
				nearest, away = i, d
			}
		}
		if nearest >= 0 {
			quotes[nearest] = append(quotes[nearest], strings.TrimSpace(inside))
		}
	}
	var refs []debate.Ref
	for i, m := range places {
		for _, quote := range lists.First(quotes[i], maxQuotes) {
			cite := m.cite
			cite.Quote = quote
			refs = append(refs, debate.Ref{Citation: cite})
		}
		refs = append(refs, debate.Ref{Citation: m.cite})
	}
	return refs
}

var codeSpan = lazyregexp.New("`([^`]*)`")

const (
	small    = "abcdefghijklmnopqrstuvwxyz"
	capitals = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	// nameSigns are the characters of a name in code.
	nameSigns = small + capitals + "0123456789_.:/-"
)

// withoutPlace takes a place off the start or the end of a line: a finding has its place
// apart from its words.
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
