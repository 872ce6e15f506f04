package sql

import (
	"strings"

	"github.com/prdebate/debate/internal/critic/check"
	"github.com/prdebate/debate/internal/lazyregexp"
)

// codeLine is one line of a migration in a programming language, without its
// comments, and the string literals that begin on it.
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

// runsSQL is code after which a string literal is SQL that the migration runs.
// The first argument only: the second of Django's RunSQL is the way back.
var runsSQL = lazyregexp.New(`(?:\b(?:execute|raw|query|RunSQL)\s*\(\s*(?:sql\s*=\s*)?(?:(?:\w+\.)?text\(\s*)?|\bexecute\s+|^\s*sql\s*=\s*)[rfbRFB]?$`)

// sql reads the statements that the line's literals hold.
func (c codeLine) sql(dialect database) []operation {
	var ops []operation
	for _, l := range c.literals {
		if runsSQL().MatchString(l.before) {
			ops = append(ops, readSQL(l.text, l.line, dialect)...)
		}
	}
	return ops
}

// readCode splits a file into lines, blanks its comments and long literals,
// and collects its literals. Escapes within literals are left as they are. The
// cost is linear in the size of the file.
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
	start int             // of the last line within text
}

// codeSyntax is how a language writes what is no code.
type codeSyntax struct {
	comment  string // begins one that ends with its line
	blocks   bool   // comments stand in /* */, too
	heredocs bool   // false once one was not closed, so that the search stays linear
	quotes   string
	triple   bool   // three quotes are one
	spans    string // the quotes whose literals may have several lines
}

var syntaxes = map[fileKind]codeSyntax{
	railsMigration:  {comment: "#", heredocs: true, quotes: `"'`, spans: `"'`},
	pythonMigration: {comment: "#", quotes: `"'`, triple: true},
	jsMigration:     {comment: "//", blocks: true, quotes: "\"'`", spans: "`"},
}

// line is the one that is being read, and before what was read of it.
func (r *codeReader) line() *codeLine { return &r.lines[len(r.lines)-1] }
func (r *codeReader) before() string  { return r.text.String()[r.start:] }

// newlines ends the line, and as many empty ones as there are further breaks in a text.
func (r *codeReader) newlines(in string) {
	for range strings.Count(in, "\n") {
		r.line().text = r.before()
		r.start = r.text.Len()
		r.lines = append(r.lines, codeLine{})
	}
}

// read reads the next part of a file, and returns its size.
func (r *codeReader) read(rest string) int {
	switch {
	case rest[0] == '\n':
		r.newlines("\n")
		return 1
	case strings.HasPrefix(rest, r.comment):
		return check.LineEnd(rest)
	case r.blocks && strings.HasPrefix(rest, "/*"):
		return r.block(rest)
	case r.heredocs && strings.HasPrefix(rest, "<<"):
		if n := r.heredoc(rest); n > 0 {
			return n
		}
	case strings.IndexByte(r.quotes, rest[0]) >= 0:
		return r.literal(rest)
	}
	r.text.WriteByte(rest[0])
	return 1
}

func (r *codeReader) block(rest string) int {
	_, after, _ := strings.Cut(rest, "*/")
	n := len(rest) - len(after)
	r.newlines(rest[:n])
	return n
}

// heredoc reads the text that begins on the line after this one, 0 if there is none.
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

func (r *codeReader) literal(rest string) int {
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

// literalEnd reads the literal that s begins with, and returns what stands
// between its quotes and the size of all of it.
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
