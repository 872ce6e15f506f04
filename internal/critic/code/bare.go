package code

import (
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/critic/check"
	"github.com/prdebate/debate/internal/lazyregexp"
)

// language is how a language writes what is no code.
type language struct {
	comment string // begins one that goes on to the end of its line
	blocks  bool   // comments stand in /* */, too
	quotes  []quote
}

// quote is what a string begins and ends with.
type quote struct {
	mark string
	rest lazyregexp.Regexp // what follows it; the group is the text of the string
}

// The languages that are read, the longer quotes first.
var (
	double = quote{`"`, lazyregexp.New(`^((?:[^"\\\n]|\\[^\n]?)*)`)}
	single = quote{`'`, lazyregexp.New(`^((?:[^'\\\n]|\\[^\n]?)*)`)}

	python = &language{comment: "#", quotes: []quote{
		{`"""`, lazyregexp.New(`^((?:[^\\]|\\[^\n]?)*?)(?:"""|$)`)}, {`'''`, lazyregexp.New(`^((?:[^\\]|\\[^\n]?)*?)(?:'''|$)`)}, double, single,
	}}
	ruby       = &language{comment: "#", quotes: []quote{double, single}}
	golang     = &language{comment: "//", blocks: true, quotes: []quote{{"`", lazyregexp.New("^([^`]*)")}, double, single}}
	javascript = &language{comment: "//", blocks: true, quotes: []quote{{"`", lazyregexp.New("^((?:[^\\\\`]|\\\\[^\\n]?)*)")}, double, single}}
)

// withoutText blanks what stands in strings and comments; the quotes stay. A
// string that a line does not end ends with the line, unless it may have several.
func (l *language) withoutText(text string) string {
	out := []byte(text)
	for i := 0; i < len(text); {
		rest := text[i:]
		if end := l.commentEnd(rest); end > 0 {
			blank(out[i : i+end])
			i += end
			continue
		}
		at := slices.IndexFunc(l.quotes, func(q quote) bool { return strings.HasPrefix(rest, q.mark) })
		if at < 0 {
			i++
			continue
		}
		q := l.quotes[at]
		i += len(q.mark)
		end := len(q.rest().FindStringSubmatch(text[i:])[1])
		blank(out[i : i+end])
		i += end
		i += len(text[i:]) - len(strings.TrimPrefix(text[i:], q.mark))
	}
	return string(out)
}

// commentEnd is the length of the comment that a text begins with, 0 if with none.
func (l *language) commentEnd(text string) int {
	switch {
	case strings.HasPrefix(text, l.comment):
		return check.LineEnd(text)
	case l.blocks && strings.HasPrefix(text, "/*"):
		before, _, _ := strings.Cut(text, "*/")
		return min(len(before)+len("*/"), len(text))
	}
	return 0
}

func blank(b []byte) {
	for i := range b {
		if b[i] != '\n' {
			b[i] = ' '
		}
	}
}
