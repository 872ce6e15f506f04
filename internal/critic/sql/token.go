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
	tokPunct  tokenKind = iota // one character of punctuation
	tokWord                    // keyword or unquoted identifier
	tokName                    // quoted identifier: "x", `x`, [x]
	tokString                  // string literal; text is between the quotes
	tokNumber
)

// token is one token. A word's text is in lower case.
type token struct {
	kind tokenKind
	line int // line of its start
	last int // line of its end
	text string
}

// is reports whether a token is one of some keywords or characters.
func (t token) is(texts ...string) bool { return t.kind <= tokWord && slices.Contains(texts, t.text) }

// isName reports whether a token can name something.
func (t token) isName() bool { return slices.Contains([]tokenKind{tokWord, tokName}, t.kind) }

// nests returns 1 for an opening parenthesis and -1 for a closing one.
func (t token) nests() int {
	switch {
	case t.is("("):
		return 1
	case t.is(")"):
		return -1
	}
	return 0
}

// statement is one statement in the forward part of a script, or a part of one.
type statement []token

func (s statement) first() int { return s[0].line }
func (s statement) last() int  { return s[len(s)-1].last }

// has reports whether one of some keywords is among the tokens.
func (s statement) has(words ...string) bool {
	return slices.ContainsFunc(s, func(t token) bool { return t.is(words...) })
}

// database is the database of a script, as far as known.
type database byte

const (
	dialectUnknown database = iota
	dialectPostgres
	dialectMySQL
	dialectSQLite
)

// lexer splits a script of any of the three dialects. It never fails: an open construct ends at the
// end of the script.
type lexer struct {
	src     string
	pos     int
	line    int
	mysql   bool
	flat    bool // comments do not nest, because nesting left one open
	undo    bool // within a part that rolls back
	inHint  bool // inside /*! ... */, since MySQL runs it
	delim   string
	stmt    statement
	block   int  // open BEGIN and CASE in the body of a routine
	routine bool // the statement creates a routine or a trigger
	out     []statement
}

// split returns the statements of a script outside rollback parts. The cost is linear in the size
// of the script.
func split(src string, firstLine int, dialect database) []statement {
	l := &lexer{src: src, line: firstLine, mysql: dialect == dialectMySQL, delim: ";"}
	for l.pos < len(l.src) {
		l.next()
	}
	l.end()
	return l.out
}

// next reads one token, comment or run of blanks.
func (l *lexer) next() {
	rest := l.src[l.pos:]
	switch c := rest[0]; {
	case strings.IndexByte(blanks, c) >= 0:
		l.resume(strings.TrimLeft(rest, blanks))
	case strings.HasPrefix(rest, l.delim):
		l.pos += len(l.delim)
		l.terminator()
	case l.isLineComment(rest):
		l.lineComment()
	case strings.HasPrefix(rest, "/*!"): // MySQL runs the text of this comment
		l.pos += len(rest) - len(strings.TrimLeft(rest[3:], "0123456789"))
		l.inHint = true
	case strings.HasPrefix(rest, "/*"):
		l.blockComment()
	case l.inHint && strings.HasPrefix(rest, "*/"):
		l.pos += 2
		l.inHint = false
	case c == '\'':
		l.quoted(c, tokString, l.mysql || l.escapeString())
	case c == '"':
		l.quoted(c, tokName, l.mysql)
	case c == '`':
		l.quoted(c, tokName, false)
	case c == '[' && l.bracketName(rest), c == '$' && l.dollarString(rest):
	case check.IsIdentStart(c):
		l.word(rest)
	case '0' <= c && c <= '9':
		number := numeral().FindString(rest)
		l.pos += len(number)
		l.add(tokNumber, number, l.line)
	default:
		l.pos++
		l.add(tokPunct, rest[:1], l.line)
	}
}

const blanks = "\n \t\r\f\v"

var numeral = lazyregexp.New(`^[\w$.[:^ascii:]]+`)

// resume continues at a rest of the script.
func (l *lexer) resume(rest string) {
	passed := l.src[l.pos : len(l.src)-len(rest)]
	l.line += strings.Count(passed, "\n")
	l.pos += len(passed)
}

// lastToken returns the token before the next one, the zero value at the start of a statement.
func (l *lexer) lastToken() token {
	if len(l.stmt) == 0 {
		return token{}
	}
	return l.stmt[len(l.stmt)-1]
}

// lastByte returns the byte before the next one, a blank at the start of the script.
func (l *lexer) lastByte() byte {
	if l.pos == 0 {
		return ' '
	}
	return l.src[l.pos-1]
}

func (l *lexer) add(kind tokenKind, text string, line int) {
	l.stmt = append(l.stmt, token{kind: kind, text: text, line: line, last: l.line})
}

// terminator ends the statement, unless it is in the body of a routine.
func (l *lexer) terminator() {
	if l.block > 0 && l.delim == ";" {
		l.add(tokPunct, ";", l.line)
		return
	}
	copyIn := len(l.stmt) > 2 && l.stmt[0].text == "copy" && l.stmt.has("stdin")
	l.end()
	if copyIn { // the rows follow
		_, rest, _ := strings.Cut(l.src[l.pos:], "\n\\.")
		l.resume(rest)
	}
}

func (l *lexer) end() {
	if len(l.stmt) > 0 && !l.undo {
		l.out = append(l.out, l.stmt)
	}
	l.stmt, l.block, l.routine = nil, 0, false
}

// isLineComment reports whether a comment up to the end of the line begins. MySQL demands a blank
// after two dashes. # is an operator in PostgreSQL, so without a sign of MySQL it must begin its
// line.
func (l *lexer) isLineComment(rest string) bool {
	switch {
	case l.mysql:
		return mysqlComment().MatchString(rest)
	case rest[0] == '#':
		before := strings.TrimRight(l.src[:l.pos], " \t")
		return before == "" || strings.HasSuffix(before, "\n")
	}
	return strings.HasPrefix(rest, "--")
}

var mysqlComment = lazyregexp.New(`^(?:#|--(?:[\x00- ]|$))`)

// lineComment skips a comment and obeys the marks of migration tools for the way forward and the
// way back.
func (l *lexer) lineComment() {
	text := l.restOfLine()
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

// restOfLine skips the rest of a line and returns it.
func (l *lexer) restOfLine() string {
	line, _, _ := strings.Cut(l.src[l.pos:], "\n")
	l.pos += len(line)
	return line
}

// The marks of migration tools before the way back, and before the way forward.
var (
	downMark = lazyregexp.New(`^(?:\+(?:goose|migrate) down|migrate:down)|^@undo$`)
	upMark   = lazyregexp.New(`^(?:\+(?:goose|migrate) up|migrate:up)`)
)

// blockComment skips /* */. Only PostgreSQL nests comments. A comment that nesting would leave open
// is read again without it, since other databases run the text after its first end.
func (l *lexer) blockComment() {
	if !l.flat {
		depth := 0
		for i := l.pos; i+1 < len(l.src); i++ {
			switch l.src[i : i+2] {
			case "/*":
				depth++
				i++
			case "*/":
				depth--
				i++
			}
			if depth == 0 {
				l.resume(l.src[i+1:])
				return
			}
		}
		l.flat = true
	}
	_, rest, _ := strings.Cut(l.src[l.pos+2:], "*/")
	l.resume(rest)
}

// escapeString reports whether the quote belongs to an E'...' string, and removes its prefix.
func (l *lexer) escapeString() bool {
	if !l.lastToken().is("e") || l.lastByte()|0x20 != 'e' {
		return false
	}
	l.stmt = l.stmt[:len(l.stmt)-1]
	return true
}

// quoted reads a literal or an identifier; a doubled quote is one quote of the text.
func (l *lexer) quoted(quote byte, kind tokenKind, escapes bool) {
	line, rest := l.line, l.src[l.pos+1:]
	body := quotedText[quotes{quote, escapes}]().FindString(rest)
	l.resume(strings.TrimPrefix(rest[len(body):], string(quote)))
	l.add(kind, body, line)
}

// quotes are one kind of quotes.
type quotes struct {
	quote   byte
	escapes bool // a backslash escapes the next character
}

var quotedText = map[quotes]lazyregexp.Regexp{
	{'\'', false}: lazyregexp.New(`^(?:[^']|'')*`),
	{'\'', true}:  lazyregexp.New(`(?s)^(?:[^'\\]|''|\\.?)*`),
	{'"', false}:  lazyregexp.New(`^(?:[^"]|"")*`),
	{'"', true}:   lazyregexp.New(`(?s)^(?:[^"\\]|""|\\.?)*`),
	{'`', false}:  lazyregexp.New("^(?:[^`]|``)*"),
}

// bracketName reads [name] of T-SQL and SQLite, but no brackets of PostgreSQL arrays.
func (l *lexer) bracketName(rest string) bool {
	if p := l.lastByte(); check.IsIdentPart(p) || strings.IndexByte(`])"`, p) >= 0 {
		return false
	}
	m := bracketed().FindStringSubmatch(rest[:min(len(rest), maxBracketed)])
	if m == nil {
		return false
	}
	l.pos += len(m[0])
	l.add(tokName, m[1], l.line)
	return true
}

// bracketed matches a name in brackets, of a bounded length.
var bracketed = lazyregexp.New(`^\[([A-Za-z_[:^ascii:]][^\]\n'"]*)\]`)

const maxBracketed = 130

// dollarTag matches the delimiter of a string, of a bounded length.
var dollarTag = lazyregexp.New(`^\$(?:[A-Za-z_[:^ascii:]][\w[:^ascii:]]*)?\$`)

const maxDollarTag = 65

// dollarString reads $tag$ ... $tag$.
func (l *lexer) dollarString(rest string) bool {
	tag := dollarTag().FindString(rest[:min(len(rest), maxDollarTag)])
	if tag == "" || check.IsIdentPart(l.lastByte()) {
		return false
	}
	body, after, _ := strings.Cut(rest[len(tag):], tag)
	line := l.line
	l.resume(after)
	l.add(tokString, body, line)
	return true
}

// word reads a keyword or identifier and counts the blocks in the body of a routine.
func (l *lexer) word(rest string) {
	size := 0
	for size < len(rest) && check.IsIdentPart(rest[size]) {
		size++
	}
	l.pos += size
	w, before := strings.ToLower(rest[:size]), l.lastToken()
	if w == "delimiter" && len(l.stmt) == 0 { // the MySQL client sets the end of statements
		if mark := strings.TrimSpace(l.restOfLine()); mark != "" && len(mark) <= 16 {
			l.delim = mark
		}
		return
	}
	l.add(tokWord, w, l.line)
	if len(l.stmt) <= 12 && l.stmt[0].text == "create" && slices.Contains(routines, w) {
		l.routine = true
	}
	if l.routine {
		l.block = max(l.block+l.opens(before)[w], 0)
	}
}

var routines = []string{"trigger", "procedure", "function", "event"}

// By how much a word in a routine opens or closes a block. After END, IF, LOOP and their like
// restore what END took, since they opened no block.
var (
	opensBody  = map[string]int{"begin": 1}
	opensBlock = map[string]int{"begin": 1, "case": 1, "end": -1}
	opensAtEnd = map[string]int{"begin": 1, "if": 1, "loop": 1, "while": 1, "repeat": 1, "end": -1}
)

// opens returns the table for a word after this token.
func (l *lexer) opens(before token) map[string]int {
	switch {
	case before.is("end"):
		return opensAtEnd
	case l.block == 0:
		return opensBody
	}
	return opensBlock
}
