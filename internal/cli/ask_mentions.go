package cli

import (
	"strings"

	"github.com/prdebate/debate/internal/lazyregexp"
)

// The bounds of the search for files that a question mentions.
const (
	maxMentions    = 200
	maxIdentifiers = 20
)

var (
	inBackticks = lazyregexp.New("`([^`\n]{1,200})`")
	identifier  = lazyregexp.New(`^[\pL_][\pL\pN_.:$]*(\(\))?$`)
	lineSuffix  = lazyregexp.New(`(:\d+(-\d+)?(:\d+)?|#L\d+(-L\d+)?)$`)
)

// mentions returns the words of a question that may name a file: words like a path, with or
// without a line, and quotes in backticks, possibly identifiers too. The repository decides
// whether such a file exists.
func mentions(text string) (paths, identifiers []string) {
	seen := map[string]bool{"": true}
	add := func(word string) {
		word = strings.ReplaceAll(lineSuffix().ReplaceAllString(strings.TrimRight(word, ".:!?…"), ""), `\`, "/")
		if !seen[word] && len(paths) < maxMentions && !strings.Contains(word, "://") {
			seen[word] = true
			paths = append(paths, word)
		}
	}
	for _, quoted := range inBackticks().FindAllStringSubmatch(text, -1) {
		word := strings.TrimSpace(quoted[1])
		add(word)
		if name := strings.TrimSuffix(word, "()"); identifier().MatchString(word) && !seen["`"+name] && len(identifiers) < maxIdentifiers {
			seen["`"+name] = true
			identifiers = append(identifiers, name)
		}
	}
	separates := func(r rune) bool { return strings.ContainsRune(" \t\r\n`'\"()[]{}<>,;|*", r) }
	for _, word := range strings.FieldsFunc(text, separates) {
		if strings.ContainsAny(word, `/\.`) {
			add(word)
		}
	}
	return paths, identifiers
}
