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
	// vague: only the name of a vendor makes it a credential, since a rule for any value of the right
	// length after "discord" finds ids and hashes; or its own name calls it a sample.
	vague bool
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
			rules, _ := s.candidates(piece)
			for _, r := range rules {
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
	case r.spans && i < s.nextSpan:
		return nil
	case r.spans:
		s.nextSpan = i + spanStep
		var b strings.Builder
		for _, l := range s.lines[i:min(len(s.lines), i+spanLines)] {
			if b.Len()+len(l) > spanBytes {
				break
			}
			b.WriteString(l)
			b.WriteByte('\n')
		}
		text = b.String()
	case r.id != genericRule:
		if !couldMatch(r.id, piece) {
			return nil
		}
	case len(s.lines[i]) > longLine, s.guesses >= maxGuesses:
		return nil
	case !slices.ContainsFunc(keyRun().FindAllString(piece, -1), looksRandom):
		return nil // judge would refuse the finding
	default:
		s.guesses++
	}
	var found []secret
	for _, m := range s.filter(r, s.path, text, r.matches(text)) {
		before, _, _ := strings.Cut(m.whole, m.secret)
		line := i + strings.Count(text[:m.at+max(strings.Index(m.whole, m.secret), 0)], "\n")
		vague := r.byVendor && !credentialWord().MatchString(before)
		if r.id == genericRule { // it knows only names, so one like "test" counts
			vague = sampleName().MatchString(before) || shownInComment().MatchString(s.lines[line])
		}
		found = append(found, secret{rule: r.id, line: line, value: m.secret, vague: vague})
	}
	return found
}

// credentialWord occurs in the usual names of credentials.
var credentialWord = lazyregexp.New(`(?i)key|token|secret|pass|pwd|auth|cred|bearer`)

// shownInComment matches a line of code in a comment, as in Go documentation.
var shownInComment = lazyregexp.New(`^\s*// ?\t`)

// sampleName matches the name of a sample value.
var sampleName = lazyregexp.New(`^\W*(?:[a-z]+[_.-])*(?:test|TEST|dummy|fake|mock|sample|example)(?:[_.-]|[A-Z])`)

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
