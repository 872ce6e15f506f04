package secrets

import (
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/lazyregexp"
)

const (
	// longLine is where a line is no longer one that a person wrote. It is then
	// read in pieces that overlap by the length of the longest tokens, and the
	// generic rule, which guesses, stays out of it.
	longLine    = 4 << 10
	longOverlap = 1 << 10
	// spanLines is how far a secret of several lines is followed. A new span
	// starts every spanStep lines at most, which keeps the cost linear.
	spanLines = 200
	spanStep  = 100
	spanBytes = 64 << 10
	// maxGuesses bounds how often the generic rule, the slowest of all, is tried
	// in one file. Beyond it a file is data and not text that people wrote.
	maxGuesses = 2000
)

// secret is one match that may be reported.
type secret struct {
	rule  string
	line  int // index of the line where it begins
	value string
	vague bool // only the name of a vendor says that it is a credential, or its name that it is none
}

// scan is the search of one file for what may be reported.
type scan struct {
	*ruleSet
	path     string
	lines    []string // consecutive ones
	nextSpan int      // the line from which a span may start
	guesses  int
}

// secrets lists what was found, line by line.
func (s *scan) secrets() []secret {
	var all []secret
	for i, line := range s.lines {
		var found []secret
		for _, piece := range pieces(line, longLine, longOverlap) {
			for _, r := range s.candidates(piece) {
				found = append(found, s.try(r, i, piece)...)
			}
		}
		all = append(all, distinct(found)...)
	}
	return all
}

// try tries a rule on a piece of a line, or on the lines that follow it.
func (s *scan) try(r rule, i int, piece string) []secret {
	text := piece
	switch {
	case r.spans:
		if i < s.nextSpan {
			return nil
		}
		s.nextSpan = i + spanStep
		text = span(s.lines[i:])
	case !s.couldFind(r, i, piece):
		return nil
	}
	var found []secret
	for _, m := range s.detect(r, s.path, text) {
		line := i + strings.Count(text[:m.at+max(strings.Index(m.whole, m.secret), 0)], "\n")
		found = append(found, secret{rule: r.id, line: line, value: m.secret, vague: r.vague(m) || r.id == genericRule && shownInComment().MatchString(s.lines[line])})
	}
	return found
}

// couldFind tells by looking, for the two rules whose keywords are everywhere,
// whether their slow expressions could find anything.
func (s *scan) couldFind(r rule, i int, piece string) bool {
	if r.id != genericRule {
		return couldMatch(r.id, piece)
	}
	if len(s.lines[i]) > longLine || s.guesses >= maxGuesses || !holdsRandomRun(piece) {
		return false
	}
	s.guesses++
	return true
}

// credentialWord is in the names that people give to credentials.
var credentialWord = lazyregexp.New(`(?i)key|token|secret|pass|pwd|auth|cred|bearer`)

// shownInComment is a line of code that a comment shows, as Go sets it in documentation.
var shownInComment = lazyregexp.New(`^\s*// ?\t`)

// sampleName is the name of a value that opens nothing.
var sampleName = lazyregexp.New(`^\W*(?:[a-z]+[_.-])*(?:test|TEST|dummy|fake|mock|sample|example)(?:[_.-]|[A-Z])`)

// vague reports whether the match rests on the name of a vendor alone: a rule
// that takes any value of the right length after "discord" finds ids and hashes.
// A rule that knows only names believes one that says "test".
func (r rule) vague(m match) bool {
	before, _, _ := strings.Cut(m.whole, m.secret)
	if r.id == genericRule {
		return sampleName().MatchString(before)
	}
	return r.byVendor && !credentialWord().MatchString(before)
}

// holdsRandomRun reports whether ten or more characters of a key stand in a row
// that look random; judge wants that of the generic rule.
func holdsRandomRun(text string) bool {
	return slices.ContainsFunc(keyRun().FindAllString(text, -1), looksRandom)
}

// keyRun is what the generic rule takes for a key.
var keyRun = lazyregexp.New(`[\w.=+/-]{10,}`)

// pieces are a line, or overlapping parts of it if it is longer than size.
func pieces(line string, size, overlap int) []string {
	var parts []string
	for len(line) > size {
		parts = append(parts, line[:size])
		line = line[size-overlap:]
	}
	return append(parts, line)
}

// span joins the first lines, up to the bounds of a secret of several lines.
func span(lines []string) string {
	var b strings.Builder
	for _, l := range lines[:min(len(lines), spanLines)] {
		if b.Len()+len(l) > spanBytes {
			break
		}
		b.WriteString(l)
		b.WriteByte('\n')
	}
	return b.String()
}
