// Package outline reads a source file as far as a debate has to know it: which of
// its lines are code, and which lines the declaration around a line takes.
//
// It is no parser. It knows how comments look in the language that the name of the
// file says, and finds declarations by their first line and by how far the lines
// below it are indented. Its limits: what stands in a regular expression or in a
// heredoc may pass for the begin of a comment; a declaration in a file that is not
// indented ends too early; what is written in a language that it does not know
// counts as a comment when it looks like one in any. All of these make less of a
// file code, or a declaration shorter.
package outline

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Outline is what is known of the lines of a file, or of a part of one.
type Outline struct {
	first int
	code  []bool
	spans []span
}

// Of reads the lines of a file, of which the first one has this number.
func Of(path string, first int, lines []string) *Outline {
	l := languageOf(path)
	o := &Outline{first: first, code: codeLines(l, lines, first > 1)}
	if !l.prose {
		o.spans = declarations(lines, o.code)
	}
	return o
}

// Code reports whether a line says something that is no comment: it has a letter
// or a digit beside what is commented out.
func (o *Outline) Code(line int) bool {
	i := line - o.first
	return i >= 0 && i < len(o.code) && o.code[i]
}

// Declaration returns the lines of the innermost declaration around a line, zero
// if none is known. Of a part of a file it ends with the part at the latest.
func (o *Outline) Declaration(line int) (first, last int) {
	at := line - o.first
	best := span{}
	for _, s := range o.spans { // in the order of their first lines: the innermost comes last
		if s.first <= at && at <= s.last {
			best, first = s, o.first+s.first
		}
	}
	if first == 0 {
		return 0, 0
	}
	return first, o.first + best.last
}

// Lines is a run of lines by their numbers.
type Lines struct{ First, Last int }

// Enclosing returns the declarations around a line, the outermost first.
func (o *Outline) Enclosing(line int) []Lines {
	var all []Lines
	for _, s := range o.spans {
		if at := line - o.first; s.first <= at && at <= s.last {
			all = append(all, Lines{o.first + s.first, o.first + s.last})
		}
	}
	return all
}

// Head returns the last line before the first declaration: all lines where none is
// known.
func (o *Outline) Head() int {
	if len(o.spans) == 0 {
		return o.first + len(o.code) - 1
	}
	return o.first + o.spans[0].first - 1
}

// codeLines says of each line whether it is code. A part of a file may begin
// within a comment.
func codeLines(l language, lines []string, part bool) []bool {
	code := make([]bool, len(lines))
	s := scanner{language: l}
	if part {
		s.within = l.openedBefore(lines)
	}
	for i, line := range lines {
		code[i] = s.line(line)
	}
	return code
}

// openedBefore finds the comment that was opened before the first of some lines:
// it is closed there before one is opened.
func (l language) openedBefore(lines []string) *block {
	for i := range l.blocks {
		b := &l.blocks[i]
		if b.text {
			continue
		}
		for _, line := range lines {
			closes, opens := strings.Index(line, b.close), strings.Index(line, b.open)
			switch {
			case closes >= 0 && (opens < 0 || closes < opens):
				return b
			case opens >= 0:
			default:
				continue
			}
			break
		}
	}
	return nil
}

// scanner reads a file line by line.
type scanner struct {
	language
	within  *block
	comment bool // what it is within is a comment
}

// line reads one line and reports whether it holds code.
func (s *scanner) line(line string) (code bool) {
	blank := true // nothing stands before it in the line
	for rest := line; rest != ""; {
		if s.within != nil {
			inside, after, closed := strings.Cut(rest, s.within.close)
			code = code || s.within.text && !s.comment && says(inside)
			if !closed {
				return code
			}
			s.within, s.comment, blank, rest = nil, false, false, after
			continue
		}
		if s.commented(rest, line[:len(line)-len(rest)]) {
			return code
		}
		if b := s.opened(rest); b != nil {
			s.within, s.comment = b, !b.text || blank && b.open != "`"
			rest = rest[len(b.open):]
			continue
		}
		if n := literal(rest); n > 0 {
			code, blank, rest = true, false, rest[n:]
			continue
		}
		r, n := utf8.DecodeRuneInString(rest)
		code = code || unicode.IsLetter(r) || unicode.IsDigit(r)
		blank = blank && unicode.IsSpace(r)
		rest = rest[n:]
	}
	return code
}

// commented reports whether the rest of a line is a comment. Within a line only
// the marks of two letters need no blank before them.
func (s *scanner) commented(rest, before string) bool {
	for _, mark := range s.language.line {
		if !strings.HasPrefix(rest, mark) {
			continue
		}
		last, _ := utf8.DecodeLastRuneInString(before)
		apart := before == "" || unicode.IsSpace(last)
		if apart || mark == "//" && last != ':' {
			return s.opened(rest) == nil
		}
	}
	return false
}

// opened returns the block that the rest of a line opens, or nil.
func (s *scanner) opened(rest string) *block {
	for i := range s.blocks {
		if strings.HasPrefix(rest, s.blocks[i].open) {
			return &s.blocks[i]
		}
	}
	return nil
}

// literal measures the text in quotes that something begins with, 0 if it does
// not end there.
func literal(s string) int {
	quote := s[0]
	if quote != '"' && quote != '\'' {
		return 0
	}
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case quote:
			if says(s[:i]) {
				return i + 1
			}
			return 0
		}
	}
	return 0
}

// says reports whether a text has a letter or a digit.
func says(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}
