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

// attributes are the rules of a .gitattributes file about linguist, in order.
type attributes []attributeRule

type attributeRule struct {
	glob  string   // doublestar
	base  bool     // for the last element of a path
	words []string // such as linguist-generated or -linguist-vendored
}

// maxAttributeRules bounds the rules. Files that only a further rule would hide are reviewed.
const maxAttributeRules = 500

// parseAttributes reads the rules for linguist-generated and linguist-vendored. Other attributes,
// such as -diff and binary, have no effect here.
func parseAttributes(data []byte) attributes {
	var rules attributes
	for _, line := range strings.Split(string(data), "\n") {
		pattern, rest, ok := cutPattern(strings.TrimSpace(line))
		if !ok || !strings.Contains(rest, "linguist-") || len(rules) == maxAttributeRules {
			continue
		}
		// Git matches a pattern without a slash with the last element of a path, any other with
		// the whole path. Braces are plain characters to git.
		glob := strings.NewReplacer("{", `\{`, "}", `\}`).Replace(strings.TrimPrefix(pattern, "/"))
		rules = append(rules, attributeRule{glob: glob, base: !strings.Contains(pattern, "/"), words: strings.Fields(rest)})
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

// value returns the state of an attribute from the last matching rule.
func (a attributes) value(name, file string) attributeState {
	for _, rule := range slices.Backward(a) {
		target := file
		if rule.base {
			target = path.Base(file)
		}
		if !matches(rule.glob, target) {
			continue
		}
		for _, word := range slices.Backward(rule.words) {
			switch word {
			case name, name + "=true":
				return attributeSet
			case "-" + name, name + "=false":
				return attributeUnset
			case "!" + name:
				return attributeUnspecified
			}
		}
	}
	return attributeUnspecified
}
