package segment

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/prdebate/debate/internal/lazyregexp"
)

// attributeState is what .gitattributes says of one attribute and one path.
type attributeState int

const (
	attributeUnspecified attributeState = iota
	attributeSet
	attributeUnset
)

// attributes are the linguist rules of a .gitattributes file, in its order.
type attributes []attributeRule

type attributeRule struct {
	glob  string // doublestar
	base  bool   // matched with the last element of a path
	name  string
	state attributeState
}

// maxAttributeRules bounds the rules that are kept. What a further rule would
// hide is reviewed.
const maxAttributeRules = 500

// parseAttributes reads the rules for linguist-generated and linguist-vendored.
// Other attributes, among them -diff and binary, have no say here.
func parseAttributes(data []byte) attributes {
	var rules attributes
	for _, line := range strings.Split(string(data), "\n") {
		pattern, rest, ok := cutPattern(strings.TrimSpace(line))
		if !ok {
			continue
		}
		for _, word := range strings.Fields(rest) {
			name, state, ok := attribute(word)
			if !ok || len(rules) == maxAttributeRules {
				continue
			}
			glob, base := attributeGlob(pattern)
			rules = append(rules, attributeRule{glob: glob, base: base, name: name, state: state})
		}
	}
	return rules
}

// cutPattern takes the pattern off a line. Comments, macros, negated patterns
// (which git forbids) and patterns of directories (which match no file) have
// none.
func cutPattern(line string) (pattern, rest string, ok bool) {
	if strings.HasPrefix(line, `"`) {
		quoted, err := strconv.QuotedPrefix(line)
		if err != nil {
			return "", "", false
		}
		pattern, _ = strconv.Unquote(quoted) // it is quoted as it has to be
		rest = line[len(quoted):]
	} else {
		end := strings.IndexAny(line, " \t")
		if end < 0 {
			return "", "", false
		}
		pattern, rest = line[:end], line[end:]
	}
	return pattern, rest, !noPattern().MatchString(pattern)
}

var noPattern = lazyregexp.New(`^(?:$|#|!|\[attr\])|/$`)

// attribute reads one of "name", "-name", "!name", "name=value".
func attribute(word string) (name string, state attributeState, ok bool) {
	name, value, hasValue := strings.Cut(word, "=")
	state = attributeSet
	switch {
	case strings.HasPrefix(name, "-"):
		name, state = name[1:], attributeUnset
	case strings.HasPrefix(name, "!"):
		name, state = name[1:], attributeUnspecified
	case value == "false":
		state = attributeUnset
	case hasValue && value != "true":
		return "", 0, false
	}
	return name, state, slices.Contains([]string{"linguist-generated", "linguist-vendored"}, name)
}

// attributeGlob maps a git pattern onto doublestar: one without a slash is
// matched with the last element of a path, one with a slash with all of it.
// Braces are plain characters to git.
func attributeGlob(pattern string) (glob string, base bool) {
	base = !strings.Contains(pattern, "/")
	pattern = strings.TrimPrefix(pattern, "/")
	return strings.NewReplacer(`\`, `\`, "{", `\{`, "}", `\}`).Replace(pattern), base
}

// value returns what the last rule that matches says.
func (a attributes) value(name, file string) attributeState {
	for _, rule := range slices.Backward(a) {
		target := file
		if rule.base {
			target = path.Base(file)
		}
		if rule.name == name && matches(rule.glob, target) {
			return rule.state
		}
	}
	return attributeUnspecified
}
