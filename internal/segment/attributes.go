package segment

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/prdebate/debate/internal/lazyregexp"
)

// attributeState is the state of one attribute for one path.
type attributeState int

const (
	attributeUnspecified attributeState = iota
	attributeSet
	attributeUnset
)

// attributes are the linguist rules of a .gitattributes file, in order.
type attributes []attributeRule

type attributeRule struct {
	glob  string // doublestar
	base  bool   // for the last element of a path
	name  string
	state attributeState
}

// maxAttributeRules bounds the rules. Files that only a further rule would hide are reviewed.
const maxAttributeRules = 500

// parseAttributes reads the rules for linguist-generated and linguist-vendored. Other attributes,
// such as -diff and binary, have no effect here.
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
			// Git matches a pattern without a slash with the last element of a path, any other with
			// the whole path. Braces are plain characters to git.
			glob := strings.NewReplacer(`\`, `\`, "{", `\{`, "}", `\}`).Replace(strings.TrimPrefix(pattern, "/"))
			rules = append(rules, attributeRule{glob: glob, base: !strings.Contains(pattern, "/"), name: name, state: state})
		}
	}
	return rules
}

// cutPattern cuts the pattern off a line. Comments, macros, negated patterns (which git forbids)
// and patterns of directories (which match no file) have none.
func cutPattern(line string) (pattern, rest string, ok bool) {
	if strings.HasPrefix(line, `"`) {
		quoted, err := strconv.QuotedPrefix(line)
		if err != nil {
			return "", "", false
		}
		pattern, _ = strconv.Unquote(quoted) // QuotedPrefix checked it
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

// value returns the state from the last matching rule.
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
