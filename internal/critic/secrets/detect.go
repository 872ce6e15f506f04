package secrets

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/critic/check"
)

// match is one place where a rule matched.
type match struct {
	whole  string // what the expression matched
	secret string // the part of it that is secret
	at     int    // where whole begins
}

// matches lists what the expression of the rule matches.
func (r rule) matches(text string) []match {
	var found []match
	for _, at := range r.regex.FindAllStringIndex(text, -1) {
		whole := strings.Trim(text[at[0]:at[1]], "\n")
		found = append(found, match{whole: whole, secret: r.secretIn(whole), at: at[0]})
	}
	return found
}

// secretIn is the secret in a match: the group that the rule names, else the first
// that holds anything, else all of it.
func (r rule) secretIn(whole string) string {
	groups := r.regex.FindStringSubmatch(whole)
	if n := r.group; n > 0 && n < len(groups) {
		return groups[n]
	}
	return cmp.Or(cmp.Or(groups[min(1, len(groups)):]...), whole)
}

// detect lists the secrets that a rule sees in a text of the file at path, by
// their entropy and without the exceptions. It judges as gitleaks does, but that
// a comment in the change cannot excuse a secret in the change.
func (s *ruleSet) detect(r rule, path, text string) []match {
	return s.counting(r, path, text, r.matches(text))
}

// counting are those of some matches that count in the file at path.
func (s *ruleSet) counting(r rule, path, text string, all []match) []match {
	exceptions := append([]*exception{s.excused}, r.excused...)
	silent := r.path != nil && !r.path.MatchString(path)
	if len(all) == 0 || silent || slices.ContainsFunc(exceptions, func(e *exception) bool { return e.covers(path) }) {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(all), func(m match) bool {
		line := linesAround(text, m)
		return r.passes(path, line, m) || slices.ContainsFunc(exceptions, func(e *exception) bool { return e.excuses(path, line, m) })
	})
}

// passes reports whether a match is none by its own look.
func (r rule) passes(path, line string, m match) bool {
	if r.id == passwordRule && !isPassword(path, line, m) {
		return true
	}
	return r.entropy != 0 && entropy(m.secret) <= r.entropy
}

// covers reports whether nothing in the file counts.
func (e *exception) covers(path string) bool {
	onlyPaths := e.texts == nil && e.words == nil
	return (onlyPaths || !e.all) && holds(e.paths, path)
}

// excuses reports whether the exception is about the match.
func (e *exception) excuses(path, line string, m match) bool {
	target := m.secret
	switch e.target {
	case "match":
		target = m.whole
	case "line":
		target = line
	}
	text := holds(e.texts, target)
	word := e.words != nil && e.words.MatchFirstString(strings.ToLower(m.secret)) != nil
	if !e.all {
		return text || word
	}
	return (e.paths == nil || holds(e.paths, path)) && (e.texts == nil || text) && (e.words == nil || word)
}

// holds reports whether an expression is there and matches something.
func holds(expression *regexp.Regexp, text string) bool {
	return expression != nil && text != "" && expression.MatchString(text)
}

// linesAround are the lines that a match stands on.
func linesAround(text string, m match) string {
	start := strings.LastIndexByte(text[:m.at], '\n') + 1
	end := m.at + len(m.whole)
	return text[start : end+check.LineEnd(text[end:])]
}

// entropy is Shannon's, in bits for each character.
func entropy(s string) float64 {
	counts := make(map[rune]int)
	for _, c := range s {
		counts[c]++
	}
	bits := 0.0
	for _, n := range counts {
		p := float64(n) / float64(len(s))
		bits -= p * math.Log2(p)
	}
	return bits
}
