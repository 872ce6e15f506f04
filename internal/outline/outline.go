// Package outline reads the outline of a source file: its code lines, and the declaration
// around a line.
//
// It is no parser. It knows the comments of the language by the name of the file, and finds
// declarations by their first line and by indentation. Its limits: a regular expression or a
// heredoc may look like the start of a comment; a declaration in a file without indentation
// ends too early; in an unknown language, the comment marks of all languages count. Each of
// these makes fewer lines code, or a declaration shorter.
package outline

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/prdebate/debate/internal/lazyregexp"
	"github.com/prdebate/debate/internal/lists"
)

// Outline is the outline of a file, or of a part of one.
type Outline struct {
	first, last int
	code        map[int]bool // by index
	spans       []span
}

// Of reads the lines of a file; first is the number of the first one.
func Of(path string, first int, lines []string) *Outline {
	l := languageOf(path)
	o := &Outline{first: first, last: first + len(lines) - 1, code: codeLines(l, lines, first > 1)}
	if !l.prose {
		o.spans = declarations(lines, o.code)
	}
	return o
}

// Code reports whether a line has a letter or a digit outside comments.
func (o *Outline) Code(line int) bool { return o.code[line-o.first] }

// Declaration returns the lines of the innermost declaration around a line, zero if none is
// known. In a part of a file it ends with the part at the latest.
func (o *Outline) Declaration(line int) (first, last int) {
	around := o.Enclosing(line)
	if len(around) == 0 {
		return 0, 0
	}
	innermost := around[len(around)-1]
	return innermost.First, innermost.Last
}

// Lines is a run of lines by their numbers.
type Lines struct{ First, Last int }

// Enclosing returns the declarations around a line, the outermost first.
func (o *Outline) Enclosing(line int) []Lines {
	at := line - o.first
	around := lists.Keep(o.spans, func(s span) bool { return s.first <= at && at <= s.last })
	return lists.Map(around, func(s span) Lines { return Lines{o.first + s.first, o.first + s.last} })
}

// Declarations returns all declarations, in the order of their first lines.
func (o *Outline) Declarations() []Lines {
	return lists.Map(o.spans, func(s span) Lines { return Lines{o.first + s.first, o.first + s.last} })
}

// Head returns the last line before the first declaration: the last line if there is none.
func (o *Outline) Head() int {
	if len(o.spans) == 0 {
		return o.last
	}
	return o.first + o.spans[0].first - 1
}

// codeLines says of each line whether it is code. A part of a file may begin inside a comment.
func codeLines(l language, lines []string, part bool) map[int]bool {
	code := make(map[int]bool, len(lines))
	var within *block
	isText := false // the block is a text, not a comment
	if part {       // a block closed before it is opened began above
		if i := slices.IndexFunc(l.blocks, func(b block) bool { return b.closesFirst(lines) }); i >= 0 {
			within = &l.blocks[i]
		}
	}
	for i, line := range lines {
		for at := 0; at < len(line); {
			rest, before := line[at:], line[:at]
			if within != nil {
				inside, _, closed := strings.Cut(rest, within.close)
				code[i] = code[i] || isText && says(inside)
				at += len(inside)
				if closed {
					at += len(within.close)
					within = nil
				}
				continue
			}
			opened := slices.IndexFunc(l.blocks, func(b block) bool { return strings.HasPrefix(rest, b.open) })
			mark := slices.IndexFunc(l.line, func(mark string) bool { return strings.HasPrefix(rest, mark) })
			last, size := utf8.DecodeLastRuneInString(before)
			quotes := ""
			if strings.ContainsAny(rest[:1], `"'`) {
				quotes = quoted().FindString(rest)
			}
			switch {
			case opened >= 0: // a text at the start of a statement documents it
				within = &l.blocks[opened]
				documents := within.open != "`" && strings.TrimSpace(before) == ""
				isText = within.text && !documents
				at += len(within.open)
			case mark >= 0 && (size == 0 || unicode.IsSpace(last) || l.line[mark] == "//" && last != ':'):
				at = len(line) // a comment; inside a line // needs no blank before it, and no colon: that is a URL
			case says(quotes):
				code[i] = true
				at += len(quotes)
			default:
				_, n := utf8.DecodeRuneInString(rest)
				code[i] = code[i] || says(rest[:n])
				at += n
			}
		}
	}
	return code
}

// closesFirst reports whether a block is closed before one is opened. It cannot be known of a
// block with equal marks.
func (b block) closesFirst(lines []string) bool {
	for _, line := range lines {
		beforeClose, _, _ := strings.Cut(line, b.close)
		beforeOpen, _, _ := strings.Cut(line, b.open)
		if beforeClose != beforeOpen {
			return len(beforeClose) < len(beforeOpen)
		}
	}
	return false
}

// quoted matches a text in quotes that ends there.
var quoted = lazyregexp.New(`(?s)^(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')`)

// says reports whether a text has a letter or a digit.
func says(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.In(r, unicode.Letter, unicode.Digit) })
}
