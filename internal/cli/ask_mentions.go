package cli

import (
	"path"
	"strconv"
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
	for _, word := range words(text) {
		if strings.ContainsAny(word, `/\.`) {
			add(word)
		}
	}
	return paths, identifiers
}

func words(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\r\n`'\"()[]{}<>,;|*", r) })
}

// place is a file and a line in a question.
type place struct {
	path string
	line int // the last one, 0 for none
}

var (
	filePlace = lazyregexp.New(`^([^:#]+\.[A-Za-z][A-Za-z0-9]{0,9})(?::(\d+)(?:-(\d+))?(?::\d+)?|#L(\d+)(?:-L(\d+))?)?$`)
	upwards   = lazyregexp.New(`^(?:\.{1,2}/)+`)
)

// places returns the words of a question that clearly mean a file: a path with an
// extension, or a name with an extension and a line.
func places(text string) []place {
	seen := make(map[place]bool)
	var all []place
	for _, word := range words(text) {
		m := filePlace().FindStringSubmatch(strings.ReplaceAll(strings.TrimRight(word, ".:!?…"), `\`, "/"))
		if m == nil || len(all) == maxMentions {
			continue
		}
		at := place{path: m[1]}
		for _, digits := range m[2:] {
			if n, err := strconv.Atoi(digits); err == nil {
				at.line = max(at.line, n)
			}
		}
		if (at.line > 0 || strings.Contains(at.path, "/")) && !seen[at] {
			seen[at] = true
			all = append(all, at)
		}
	}
	return all
}

// names reports whether the place means a file, named from the top of the repository. Paths
// start there or in the working directory.
func (p place) names(file string) bool {
	meant := path.Clean(upwards().ReplaceAllString(p.path, ""))
	return file == meant || strings.HasSuffix(file, "/"+meant)
}
