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
			ops = append(ops, readSQL(l.text, l.line, dialect, 0)...)
		}
	}
	return ops
}

// readCode splits a file into lines, blanks its comments and long literals,
// and collects its literals. Escapes within literals are left as they are. The
// cost is linear in the size of the file.
func readCode(kind fileKind, src string) []codeLine {
	lines := []codeLine{{}}
	codeStart := 0   // of the last line within text
	heredocs := true // false once one was not closed, so that the search stays linear
	var text strings.Builder
	cur := func() *codeLine { return &lines[len(lines)-1] }
	newline := func() {
		cur().text = text.String()[codeStart:]
		codeStart = text.Len()
		lines = append(lines, codeLine{})
	}
	for i := 0; i < len(src); {
		rest := src[i:]
		switch {
		case rest[0] == '\n':
			newline()
			i++
		case rest[0] == '#' && kind != jsMigration, kind == jsMigration && strings.HasPrefix(rest, "//"):
			i += check.LineEnd(rest)
		case kind == jsMigration && strings.HasPrefix(rest, "/*"):
			n := len(rest)
			if end := strings.Index(rest, "*/"); end >= 0 {
				n = end + 2
			}
			for range strings.Count(rest[:n], "\n") {
				newline()
			}
			i += n
		case kind == railsMigration && heredocs && strings.HasPrefix(rest, "<<"):
			body, skip, ok := rubyHeredoc(rest)
			if !ok {
				heredocs = !heredocStart().MatchString(rest[:min(len(rest), 80)])
				text.WriteByte(rest[0])
				i++
				continue
			}
			before := text.String()[codeStart:]
			n := check.LineEnd(rest)
			cur().literals = append(cur().literals, literal{line: len(lines) + 1, text: body, before: before})
			text.WriteString(rest[:n])
			for range strings.Count(rest[:skip], "\n") {
				newline()
			}
			i += skip
		case rest[0] == '"' || rest[0] == '\'' || rest[0] == '`' && kind == jsMigration:
			body, size := readLiteral(kind, rest)
			before := text.String()[codeStart:]
			if len(before) > 200 {
				before = before[len(before)-200:]
			}
			cur().literals = append(cur().literals, literal{line: len(lines), text: body, before: before})
			if strings.Contains(body, "\n") {
				for range strings.Count(rest[:size], "\n") {
					newline()
				}
			} else {
				text.WriteString(rest[:size])
			}
			i += size
		default:
			text.WriteByte(rest[0])
			i++
		}
	}
	cur().text = text.String()[codeStart:]
	return lines
}

// readLiteral reads the literal that s begins with, and returns what stands
// between its quotes and the size of all of it.
func readLiteral(kind fileKind, s string) (body string, size int) {
	quote := s[:1]
	if kind == pythonMigration && len(s) >= 3 && s[1] == s[0] && s[2] == s[0] {
		quote = s[:3]
	}
	multiline := len(quote) == 3 || quote == "`" || kind == railsMigration
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

var heredocStart = lazyregexp.New(`^<<[~-]?["']?([A-Z][A-Z0-9_]*)["']?`)

// rubyHeredoc reads the heredoc that s opens: its body, and the size up to the
// end of its last line.
func rubyHeredoc(s string) (body string, size int, ok bool) {
	m := heredocStart().FindStringSubmatch(s[:min(len(s), 80)])
	if m == nil {
		return "", 0, false
	}
	start := check.LineEnd(s) + 1
	for at := start; at < len(s); {
		n := check.LineEnd(s[at:])
		if strings.TrimSpace(s[at:at+n]) == m[1] {
			return s[start:at], at + n, true
		}
		at += n + 1
	}
	return "", 0, false
}
