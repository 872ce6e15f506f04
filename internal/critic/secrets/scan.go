package secrets

import (
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/lazyregexp"
)

const (
	// longLine is the length of a line that no person wrote. Such a line is read in pieces with an
	// overlap as long as the longest tokens, and without the generic rule, which guesses.
	longLine    = 4 << 10
	longOverlap = 1 << 10
	// spanLines is the bound of a secret over several lines. A new span starts at most every
	// spanStep lines, to keep the cost linear.
	spanLines = 200
	spanStep  = 100
	spanBytes = 64 << 10
	// maxGuesses bounds the tries of the generic rule, the slowest of all, in one file. A file with
	// more is data and not text from people.
	maxGuesses = 2000
)

// secret is one match to report, unless judge refuses it.
type secret struct {
	rule  string
	line  int // index of its first line
	value string
	vague bool // only the name of a vendor makes it a credential, or its name calls it none
}

// scan searches one file for secrets to report.
type scan struct {
	*ruleSet
	path     string
	lines    []string // consecutive
	nextSpan int      // a span may start here or later
	guesses  int
}

// secrets lists the secrets line by line.
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
	for _, m := range s.filter(r, s.path, text, r.matches(text)) {
		line := i + strings.Count(text[:m.at+max(strings.Index(m.whole, m.secret), 0)], "\n")
		found = append(found, secret{rule: r.id, line: line, value: m.secret, vague: r.vague(m) || r.id == genericRule && shownInComment().MatchString(s.lines[line])})
	}
	return found
}

// couldFind is a quick test, for the two rules with keywords in most files, before their slow
// expressions run.
func (s *scan) couldFind(r rule, i int, piece string) bool {
	switch {
	case r.id != genericRule:
		return couldMatch(r.id, piece)
	case len(s.lines[i]) > longLine, s.guesses >= maxGuesses:
		return false
	case !slices.ContainsFunc(keyRun().FindAllString(piece, -1), looksRandom):
		return false // judge would refuse the finding
	}
	s.guesses++
	return true
}

// credentialWord occurs in the usual names of credentials.
var credentialWord = lazyregexp.New(`(?i)key|token|secret|pass|pwd|auth|cred|bearer`)

// shownInComment matches a line of code in a comment, as in Go documentation.
var shownInComment = lazyregexp.New(`^\s*// ?\t`)

// sampleName matches the name of a sample value.
var sampleName = lazyregexp.New(`^\W*(?:[a-z]+[_.-])*(?:test|TEST|dummy|fake|mock|sample|example)(?:[_.-]|[A-Z])`)

// vague reports whether the match depends on the name of a vendor alone: a rule for any value of
// the right length after "discord" finds ids and hashes. The generic rule knows only names, so a
// name like "test" counts.
func (r rule) vague(m match) bool {
	before, _, _ := strings.Cut(m.whole, m.secret)
	if r.id == genericRule {
		return sampleName().MatchString(before)
	}
	return r.byVendor && !credentialWord().MatchString(before)
}

// keyRun matches the values of the generic rule.
var keyRun = lazyregexp.New(`[\w.=+/-]{10,}`)

// pieces splits a line into overlapping parts if it is longer than size.
func pieces(line string, size, overlap int) []string {
	var parts []string
	for len(line) > size {
		parts = append(parts, line[:size])
		line = line[size-overlap:]
	}
	return append(parts, line)
}

// span joins the first lines, up to the bounds of a secret over several lines.
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
