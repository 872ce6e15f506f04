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
	whole  string // the expression's match
	secret string // its secret part
	at     int    // offset of whole
}

// matches lists the matches of the rule's expression.
func (r rule) matches(text string) []match {
	var found []match
	for _, at := range r.expr.FindAllStringIndex(text, -1) {
		whole := strings.Trim(text[at[0]:at[1]], "\n")
		groups := r.expr.FindStringSubmatch(whole)
		m := match{whole: whole, at: at[0]}
		if n := r.group; n > 0 && n < len(groups) {
			m.secret = groups[n]
		} else { // the first non-empty group, or the whole match
			m.secret = cmp.Or(cmp.Or(groups[min(1, len(groups)):]...), whole)
		}
		found = append(found, m)
	}
	return found
}

// filter drops the matches in the file at path that are no secrets, by their entropy and the
// exceptions. It judges as gitleaks does, except that a comment in the change cannot excuse a
// secret in the change.
func (s *ruleSet) filter(r rule, path, text string, all []match) []match {
	exceptions := append([]*exception{s.excused}, r.excused...)
	silent := r.path != nil && !r.path.MatchString(path)
	wholeFile := func(e *exception) bool {
		onlyPaths := e.texts == nil && e.words == nil
		return (onlyPaths || !e.all) && holds(e.paths, path)
	}
	if len(all) == 0 || silent || slices.ContainsFunc(exceptions, wholeFile) {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(all), func(m match) bool {
		end := m.at + len(m.whole)
		line := text[strings.LastIndexByte(text[:m.at], '\n')+1 : end+check.LineEnd(text[end:])] // or lines
		switch {
		case r.id == passwordRule && !isPassword(path, line, m):
			return true
		case r.entropy != 0 && entropy(m.secret) <= r.entropy:
			return true
		}
		return slices.ContainsFunc(exceptions, func(e *exception) bool { return e.excuses(path, line, m) })
	})
}

// excuses reports whether the exception applies to the match.
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

// holds reports whether an expression exists and matches a non-empty text.
func holds(expression *regexp.Regexp, text string) bool {
	return expression != nil && text != "" && expression.MatchString(text)
}

// entropy returns Shannon's entropy, in bits for each character.
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
