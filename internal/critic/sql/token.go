package sql

import (
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/critic/check"
	"github.com/prdebate/debate/internal/lazyregexp"
)

// tokenKind is the kind of a token.
type tokenKind byte

const (
	tokWord   tokenKind = iota // keyword or unquoted identifier
	tokName                    // quoted identifier: "x", `x`, [x]
	tokString                  // string literal; text is what stands between the quotes
	tokNumber
	tokPunct // one character of punctuation
)

// token is one token. Of a word, text is in lower case.
type token struct {
	kind tokenKind
	line int // where it begins
	last int // where it ends
	text string
}

// isWord reports whether a token is one of some keywords.
func (t token) isWord(words ...string) bool {
	return t.kind == tokWord && slices.Contains(words, t.text)
}

// isPunct reports whether a token is one of some characters.
func (t token) isPunct(all ...string) bool { return t.kind == tokPunct && slices.Contains(all, t.text) }

// isName reports whether a token can name something.
func (t token) isName() bool { return t.kind == tokWord || t.kind == tokName }

// nests is 1 for a parenthesis that opens, and -1 for one that closes.
func (t token) nests() int {
	switch {
	case t.isPunct("("):
		return 1
	case t.isPunct(")"):
		return -1
	}
	return 0
}

// statement is one statement of the part of a script that moves a schema
// forward.
type statement []token

func (s statement) first() int { return s[0].line }
func (s statement) last() int  { return s[len(s)-1].last }

// database is the database that a script is written for, as far as anything
// says so.
type database byte

const (
	dialectUnknown database = iota
	dialectPostgres
	dialectMySQL
	dialectSQLite
)

// lexer splits a script of any of the three dialects. It never fails: what
// is not closed ends at the end of the script.
type lexer struct {
	src     string
	pos     int
	line    int
	mysql   bool
	flat    bool // comments do not nest: an opened one was left open by nesting
	undo    bool // within a part that rolls back
	inHint  bool // within /*! ... */, whose content MySQL runs
	delim   string
	stmt    statement
	block   int  // open BEGIN and CASE of a routine's body
	routine bool // the statement creates a routine or a trigger
	out     []statement
}

// split returns the statements of a script that do not belong to a rollback
// part. The cost is linear in the size of the script.
func split(src string, firstLine int, dialect database) []statement {
	l := &lexer{src: src, line: firstLine, mysql: dialect == dialectMySQL, delim: ";"}
	for l.pos < len(l.src) {
		l.next()
	}
	l.end()
	return l.out
}

// next reads one token, comment or blank: the first reader that knows what comes
// next takes it, and what none knows is punctuation.
func (l *lexer) next() {
	for _, takes := range []func(*lexer, byte, string) bool{(*lexer).blank, (*lexer).delimiterMark, (*lexer).comment, (*lexer).hint, (*lexer).literal, (*lexer).plain} {
		if takes(l, l.src[l.pos], l.src[l.pos:]) {
			return
		}
	}
	c := l.src[l.pos]
	l.pos++
	l.add(tokPunct, string(rune(c)), l.line)
}

func (l *lexer) blank(c byte, _ string) bool {
	if strings.IndexByte("\n \t\r\f\v", c) < 0 {
		return false
	}
	l.pos++
	if c == '\n' {
		l.line++
	}
	return true
}

func (l *lexer) delimiterMark(_ byte, rest string) bool {
	if !strings.HasPrefix(rest, l.delim) {
		return false
	}
	l.pos += len(l.delim)
	l.terminator()
	return true
}

func (l *lexer) comment(c byte, rest string) bool {
	dashes := strings.HasPrefix(rest, "--") && l.dashComment(rest)
	if dashes || c == '#' && l.hashComment() {
		l.lineComment()
		return true
	}
	if strings.HasPrefix(rest, "/*") && !strings.HasPrefix(rest, "/*!") {
		l.blockComment()
		return true
	}
	return false
}

// hint passes over the marks of a comment whose content MySQL runs.
func (l *lexer) hint(_ byte, rest string) bool {
	switch {
	case strings.HasPrefix(rest, "/*!"):
		l.pos += len(rest) - len(strings.TrimLeft(rest[3:], "0123456789"))
		l.inHint = true
	case l.inHint && strings.HasPrefix(rest, "*/"):
		l.pos += 2
		l.inHint = false
	default:
		return false
	}
	return true
}

// literal reads a string or a quoted identifier.
func (l *lexer) literal(c byte, _ string) bool {
	switch c {
	case '\'':
		l.quoted(c, tokString, l.mysql || l.escapeString())
	case '"':
		l.quoted(c, tokName, l.mysql)
	case '`':
		l.quoted(c, tokName, false)
	case '[':
		return l.bracketName()
	case '$':
		return l.dollarString()
	default:
		return false
	}
	return true
}

// plain reads a word or a number.
func (l *lexer) plain(c byte, rest string) bool {
	if check.IsIdentStart(c) {
		l.word()
		return true
	}
	if !check.IsDigit(c) {
		return false
	}
	n := 0
	for n < len(rest) && (check.IsIdentPart(rest[n]) || rest[n] == '.') {
		n++
	}
	l.pos += n
	l.add(tokNumber, rest[:n], l.line)
	return true
}

func (l *lexer) add(kind tokenKind, text string, line int) {
	l.stmt = append(l.stmt, token{kind: kind, text: text, line: line, last: l.line})
}

// terminator ends the statement, unless it stands in the body of a routine.
func (l *lexer) terminator() {
	if l.routine && l.block > 0 && l.delim == ";" {
		l.add(tokPunct, ";", l.line)
		return
	}
	copyIn := len(l.stmt) > 2 && l.stmt[0].text == "copy" && hasWord(l.stmt, "stdin")
	l.end()
	if copyIn {
		l.skipCopyData()
	}
}

func (l *lexer) end() {
	if len(l.stmt) > 0 && !l.undo {
		l.out = append(l.out, l.stmt)
	}
	l.stmt, l.block, l.routine = nil, 0, false
}

// skipCopyData passes over the rows that follow COPY ... FROM stdin.
func (l *lexer) skipCopyData() {
	end := strings.Index(l.src[l.pos:], "\n\\.")
	stop := len(l.src)
	if end >= 0 {
		stop = l.pos + end + len("\n\\.")
	}
	l.line += strings.Count(l.src[l.pos:stop], "\n")
	l.pos = stop
}

// dashComment reports whether "--" opens a comment: MySQL wants a blank after it.
func (l *lexer) dashComment(rest string) bool {
	return !l.mysql || len(rest) == 2 || rest[2] <= ' '
}

// hashComment reports whether # opens a comment. It is an operator in
// PostgreSQL, so without a sign of MySQL it must begin its line.
func (l *lexer) hashComment() bool {
	if l.mysql {
		return true
	}
	before := strings.TrimRight(l.src[:l.pos], " \t")
	return before == "" || strings.HasSuffix(before, "\n")
}

// lineComment passes over a comment and obeys the marks by which migration
// tools part the way forward from the way back.
func (l *lexer) lineComment() {
	end := strings.IndexByte(l.src[l.pos:], '\n')
	if end < 0 {
		end = len(l.src) - l.pos
	}
	text := l.src[l.pos : l.pos+end]
	l.pos += end
	if len(text) > 64 {
		return
	}
	mark := strings.ToLower(strings.Join(strings.Fields(strings.TrimLeft(text, "-#/ \t")), " "))
	switch {
	case downMark().MatchString(mark):
		l.end()
		l.undo = true
	case upMark().MatchString(mark):
		l.stmt = nil
		l.undo = false
	}
}

// What migration tools write before the way back, and before the way forward.
var (
	downMark = lazyregexp.New(`^(?:\+(?:goose|migrate) down|migrate:down)|^@undo$`)
	upMark   = lazyregexp.New(`^(?:\+(?:goose|migrate) up|migrate:up)`)
)

// blockComment passes over /* */, which nests in PostgreSQL only. A comment
// that nesting would leave open is read again without, since the other
// databases run what follows its first end.
func (l *lexer) blockComment() {
	if !l.flat {
		depth, i := 0, l.pos
		for i+1 < len(l.src) {
			switch l.src[i : i+2] {
			case "/*":
				depth++
				i += 2
			case "*/":
				depth--
				i += 2
			default:
				i++
			}
			if depth == 0 {
				l.line += strings.Count(l.src[l.pos:i], "\n")
				l.pos = i
				return
			}
		}
		l.flat = true
	}
	stop := len(l.src)
	if end := strings.Index(l.src[l.pos+2:], "*/"); end >= 0 {
		stop = l.pos + 2 + end + 2
	}
	l.line += strings.Count(l.src[l.pos:stop], "\n")
	l.pos = stop
}

// escapeString reports whether the quote belongs to an E'...' string, and takes
// its prefix back.
func (l *lexer) escapeString() bool {
	n := len(l.stmt)
	touches := l.pos > 0 && strings.IndexByte("eE", l.src[l.pos-1]) >= 0
	if n == 0 || !touches || !l.stmt[n-1].isWord("e") {
		return false
	}
	l.stmt = l.stmt[:n-1]
	return true
}

// quoted reads a literal or an identifier; a doubled quote stands for itself.
func (l *lexer) quoted(quote byte, kind tokenKind, escapes bool) {
	line, start := l.line, l.pos+1
	i := start
	for i < len(l.src) {
		switch c := l.src[i]; {
		case c == '\\' && escapes && i+1 < len(l.src):
			i++
		case c == quote && i+1 < len(l.src) && l.src[i+1] == quote:
			i++
		case c == quote:
			l.line += strings.Count(l.src[start:i], "\n")
			l.pos = i + 1
			l.add(kind, l.src[start:i], line)
			return
		}
		i++
	}
	l.line += strings.Count(l.src[start:], "\n")
	l.pos = len(l.src)
	l.add(kind, l.src[min(start, len(l.src)):], line)
}

// bracketName reads [name] as T-SQL and SQLite write it, and leaves the
// brackets of PostgreSQL arrays alone.
func (l *lexer) bracketName() bool {
	if p := l.src[max(l.pos-1, 0)]; check.IsIdentPart(p) || strings.IndexByte(`])"`, p) >= 0 {
		return false
	}
	end := strings.IndexAny(l.src[l.pos+1:min(len(l.src), l.pos+130)], "]\n'\"")
	if end < 1 || l.src[l.pos+1+end] != ']' || !check.IsIdentStart(l.src[l.pos+1]) {
		return false
	}
	name := l.src[l.pos+1 : l.pos+1+end]
	l.pos += end + 2
	l.add(tokName, name, l.line)
	return true
}

// dollarTag is what begins and ends a string, of a bounded length.
var dollarTag = lazyregexp.New(`^\$(?:[A-Za-z_[:^ascii:]][\w[:^ascii:]]*)?\$`)

const maxDollarTag = 65

// dollarString reads $tag$ ... $tag$.
func (l *lexer) dollarString() bool {
	rest := l.src[l.pos:]
	tag := dollarTag().FindString(rest[:min(len(rest), maxDollarTag)])
	if tag == "" || l.pos > 0 && check.IsIdentPart(l.src[l.pos-1]) {
		return false
	}
	body, _, closed := strings.Cut(rest[len(tag):], tag)
	line := l.line
	l.line += strings.Count(body, "\n")
	l.pos += len(tag) + len(body)
	if closed {
		l.pos += len(tag)
	}
	l.add(tokString, body, line)
	return true
}

// word reads a keyword or identifier and keeps count of the body of a routine.
func (l *lexer) word() {
	start := l.pos
	for l.pos < len(l.src) && check.IsIdentPart(l.src[l.pos]) {
		l.pos++
	}
	w := strings.ToLower(l.src[start:l.pos])
	if w == "delimiter" && len(l.stmt) == 0 {
		l.delimiter()
		return
	}
	after := "" // the word before this one
	if n := len(l.stmt); n > 0 && l.stmt[n-1].kind == tokWord {
		after = l.stmt[n-1].text
	}
	l.add(tokWord, w, l.line)
	if len(l.stmt) <= 12 && l.stmt[0].text == "create" && slices.Contains(routines, w) {
		l.routine = true
	}
	if l.routine {
		l.block = max(l.block+l.nests(w, after), 0)
	}
}

var routines = []string{"trigger", "procedure", "function", "event"}

// nests says by how much a word in a routine opens or closes a block. END took one
// that IF, LOOP and the like never gave.
func (l *lexer) nests(w, after string) int {
	closing := after == "end"
	switch w {
	case "begin":
		return 1
	case "case":
		if l.block > 0 && !closing {
			return 1
		}
	case "if", "loop", "while", "repeat":
		if closing {
			return 1
		}
	case "end":
		return -1
	}
	return 0
}

// delimiter obeys the command of the MySQL client that changes what ends a
// statement.
func (l *lexer) delimiter() {
	end := strings.IndexByte(l.src[l.pos:], '\n')
	if end < 0 {
		end = len(l.src) - l.pos
	}
	if mark := strings.TrimSpace(l.src[l.pos : l.pos+end]); mark != "" && len(mark) <= 16 {
		l.delim = mark
	}
	l.pos += end
}

func hasWord(tokens []token, words ...string) bool {
	return slices.ContainsFunc(tokens, func(t token) bool { return t.isWord(words...) })
}
