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
	s := scanner{language: l}
	if part { // a block closed before it is opened began above
		s.within = l.block(func(b block) bool { return b.closesFirst(lines) })
	}
	for i, line := range lines {
		code[i] = s.line(line)
	}
	return code
}

// block is the first kind of block that fits, nil for none.
func (l language) block(is func(b block) bool) *block {
	i := slices.IndexFunc(l.blocks, is)
	if i < 0 {
		return nil
	}
	return &l.blocks[i]
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

// scanner reads a file line by line.
type scanner struct {
	language
	within *block
	text   bool // the block is a text, not a comment
}

// line reads one line and reports whether it holds code.
func (s *scanner) line(line string) (code bool) {
	for at := 0; at < len(line); {
		says, size := s.part(line[at:], line[:at])
		code = code || says
		at += size
	}
	return code
}

// part reads the next part of a line, and returns whether it is code, and its size.
func (s *scanner) part(rest, before string) (code bool, size int) {
	if s.within != nil {
		return s.inside(rest)
	}
	if b := s.block(func(b block) bool { return strings.HasPrefix(rest, b.open) }); b != nil {
		documents := b.open != "`" && strings.TrimSpace(before) == ""
		s.within, s.text = b, b.text && !documents
		return false, len(b.open)
	}
	if s.commented(rest, before) {
		return false, len(rest)
	}
	if n := literal(rest); n > 0 {
		return true, n
	}
	_, n := utf8.DecodeRuneInString(rest)
	return says(rest[:n]), n
}

// inside reads inside a block, up to its end.
func (s *scanner) inside(rest string) (code bool, size int) {
	inside, _, closed := strings.Cut(rest, s.within.close)
	code, size = s.text && says(inside), len(inside)
	if closed {
		size += len(s.within.close)
		s.within, s.text = nil, false
	}
	return code, size
}

// commented reports whether the rest of a line is a comment. Inside a line only // needs no
// blank before it, and no colon: that is a URL.
func (s *scanner) commented(rest, before string) bool {
	i := slices.IndexFunc(s.language.line, func(mark string) bool { return strings.HasPrefix(rest, mark) })
	if i < 0 {
		return false
	}
	last, size := utf8.DecodeLastRuneInString(before)
	if size == 0 || unicode.IsSpace(last) {
		return true
	}
	return s.language.line[i] == "//" && last != ':'
}

// literal measures the quoted text at the start, 0 if it says nothing or does not end there.
func literal(s string) int {
	if !strings.ContainsAny(s[:1], `"'`) {
		return 0
	}
	text := quoted().FindString(s)
	if !says(text) {
		return 0
	}
	return len(text)
}

var quoted = lazyregexp.New(`(?s)^(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')`)

// says reports whether a text has a letter or a digit.
func says(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.In(r, unicode.Letter, unicode.Digit) })
}
