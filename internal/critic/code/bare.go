package code

import (
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/critic/check"
)

// language is how a language writes what is no code.
type language struct {
	comment string // begins one that goes on to the end of its line
	blocks  bool   // comments stand in /* */, too
	quotes  []quote
}

// quote is what a string begins and ends with.
type quote struct {
	mark  string
	lines bool // the string may have several
	raw   bool // it has no escapes
}

// The languages that are read, the longer quotes first.
var (
	python = &language{comment: "#", quotes: []quote{
		{mark: `"""`, lines: true}, {mark: `'''`, lines: true}, {mark: `"`}, {mark: `'`},
	}}
	ruby       = &language{comment: "#", quotes: []quote{{mark: `"`}, {mark: `'`}}}
	golang     = &language{comment: "//", blocks: true, quotes: []quote{{mark: "`", lines: true, raw: true}, {mark: `"`}, {mark: `'`}}}
	javascript = &language{comment: "//", blocks: true, quotes: []quote{{mark: "`", lines: true}, {mark: `"`}, {mark: `'`}}}
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
		end := q.end(text[i:])
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

// end is the length of the rest of a string, without its quote.
func (q quote) end(text string) int {
	for i := 0; i < len(text); i++ {
		switch {
		case strings.HasPrefix(text[i:], q.mark), text[i] == '\n' && !q.lines:
			return i
		case text[i] == '\\' && !q.raw && !strings.HasPrefix(text[i+1:], "\n"):
			i++
		}
	}
	return len(text)
}

func blank(b []byte) {
	for i := range b {
		if b[i] != '\n' {
			b[i] = ' '
		}
	}
}
