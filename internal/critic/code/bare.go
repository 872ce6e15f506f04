package code

import (
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/critic/check"
	"github.com/prdebate/debate/internal/lazyregexp"
)

// language is the notation of a language for strings and comments.
type language struct {
	comment string // begins a comment up to the end of the line
	blocks  bool   // also has /* comments */
	quotes  []quote
}

// quote is the mark at both ends of a string.
type quote struct {
	mark string
	rest lazyregexp.Regexp // matches up to its end; the group is the text of the string
}

// The supported languages, longer quotes first.
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

// withoutText blanks the contents of strings and comments but keeps the quotes. An open string ends
// at the end of its line unless the language lets it continue.
func (l *language) withoutText(text string) string {
	out := []byte(text)
	for i := 0; i < len(text); {
		rest := text[i:]
		end := 0 // of a comment
		switch {
		case strings.HasPrefix(rest, l.comment):
			end = check.LineEnd(rest)
		case l.blocks && strings.HasPrefix(rest, "/*"):
			before, _, _ := strings.Cut(rest, "*/")
			end = min(len(before)+len("*/"), len(rest))
		}
		if end > 0 {
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
		end = len(q.rest().FindStringSubmatch(text[i:])[1])
		blank(out[i : i+end])
		i += end
		i += len(text[i:]) - len(strings.TrimPrefix(text[i:], q.mark))
	}
	return string(out)
}

func blank(b []byte) {
	for i := range b {
		if b[i] != '\n' {
			b[i] = ' '
		}
	}
}
