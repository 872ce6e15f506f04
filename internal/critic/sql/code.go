package sql

import (
	"strings"

	"github.com/prdebate/debate/internal/critic/check"
	"github.com/prdebate/debate/internal/lazyregexp"
)

// codeLine is one line of a migration in a programming language, without its comments, and the
// string literals that begin on it.
type codeLine struct {
	text     string
	literals []literal
}

// literal is a string literal and the code before it on its line.
type literal struct {
	line   int
	text   string
	before string
}

// runsSQL matches code before a string literal if the migration runs the literal as SQL. It covers
// the first argument only: the second of Django's RunSQL is the way back.
var runsSQL = lazyregexp.New(`(?:\b(?:execute|raw|query|RunSQL)\s*\(\s*(?:sql\s*=\s*)?(?:(?:\w+\.)?text\(\s*)?|\bexecute\s+|^\s*sql\s*=\s*)[rfbRFB]?$`)

// readCode splits a file into lines, blanks its comments and long literals, and collects its
// literals. Escapes in literals stay as they are. The cost is linear in the size of the file.
func readCode(kind fileKind, src string) []codeLine {
	r := codeReader{codeSyntax: syntaxes[kind], lines: []codeLine{{}}}
	for len(src) > 0 {
		src = src[r.read(src):]
	}
	r.line().text = r.before()
	return r.lines
}

// codeReader reads a file from its start to its end.
type codeReader struct {
	codeSyntax
	lines []codeLine
	text  strings.Builder // of all lines
	start int             // of the last line in text
}

// codeSyntax is the notation of a language for strings and comments.
type codeSyntax struct {
	comment  string // begins a comment up to the end of the line
	blocks   bool   // also has /* comments */
	heredocs bool   // false after an open one, to keep the search linear
	quotes   string
	triple   bool   // three quotes are one
	spans    string // the quotes of literals over several lines
}

var syntaxes = map[fileKind]codeSyntax{
	railsMigration:  {comment: "#", heredocs: true, quotes: `"'`, spans: `"'`},
	pythonMigration: {comment: "#", quotes: `"'`, triple: true},
	jsMigration:     {comment: "//", blocks: true, quotes: "\"'`", spans: "`"},
}

// line returns the current line, and before its text so far.
func (r *codeReader) line() *codeLine { return &r.lines[len(r.lines)-1] }
func (r *codeReader) before() string  { return r.text.String()[r.start:] }

// newlines ends the line, and adds an empty one for each further line break in a text.
func (r *codeReader) newlines(in string) {
	for range strings.Count(in, "\n") {
		r.line().text = r.before()
		r.start = r.text.Len()
		r.lines = append(r.lines, codeLine{})
	}
}

// read reads the next part of a file and returns its size.
func (r *codeReader) read(rest string) int {
	switch {
	case rest[0] == '\n':
		r.newlines("\n")
		return 1
	case strings.HasPrefix(rest, r.comment):
		return check.LineEnd(rest)
	case r.blocks && strings.HasPrefix(rest, "/*"):
		_, after, _ := strings.Cut(rest, "*/")
		n := len(rest) - len(after)
		r.newlines(rest[:n])
		return n
	case r.heredocs && strings.HasPrefix(rest, "<<"):
		if n := r.heredoc(rest); n > 0 {
			return n
		}
	case strings.IndexByte(r.quotes, rest[0]) >= 0:
		body, size := r.literalEnd(rest)
		before := r.before()
		before = before[max(0, len(before)-200):]
		r.line().literals = append(r.line().literals, literal{line: len(r.lines), text: body, before: before})
		if strings.Contains(body, "\n") {
			r.newlines(rest[:size])
		} else {
			r.text.WriteString(rest[:size])
		}
		return size
	}
	r.text.WriteByte(rest[0])
	return 1
}

// heredoc reads the here-document from the next line on and returns its size, 0 if there is none.
func (r *codeReader) heredoc(rest string) int {
	mark := heredocStart().FindStringSubmatch(rest[:min(len(rest), 80)])
	if mark == nil {
		return 0
	}
	start := check.LineEnd(rest) + 1
	for at := start; at < len(rest); {
		end := at + check.LineEnd(rest[at:])
		if strings.TrimSpace(rest[at:end]) == mark[1] {
			r.line().literals = append(r.line().literals, literal{line: len(r.lines) + 1, text: rest[start:at], before: r.before()})
			r.text.WriteString(rest[:start-1])
			r.newlines(rest[:end])
			return end
		}
		at = end + 1
	}
	r.heredocs = false
	return 0
}

var heredocStart = lazyregexp.New(`^<<[~-]?["']?([A-Z][A-Z0-9_]*)["']?`)

// literalEnd reads the literal at the start of s. It returns the text between the quotes and the
// size with them.
func (c codeSyntax) literalEnd(s string) (body string, size int) {
	quote := s[:1]
	multiline := strings.Contains(c.spans, quote)
	if tripled := strings.Repeat(quote, 3); c.triple && strings.HasPrefix(s, tripled) {
		quote, multiline = tripled, true
	}
	for i := len(quote); i < len(s); i++ {
		switch {
		case s[i] == '\\':
			i++
		case s[i] == '\n' && !multiline:
			return s[len(quote):i], i
		case strings.HasPrefix(s[i:], quote):
			return s[len(quote):i], i + len(quote)
		}
	}
	return s[len(quote):], len(s)
}
