package patch

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/lazyregexp"
)

// The sequences of colored text: paint is any of them, reset ends a colored piece.
const (
	paint = `\x1b\[[0-9;:]*[mK]`
	reset = `\x1b\[[0;]*m(?:\x1b\[0?K)?`
)

var (
	coloredHeader = lazyregexp.New(`(?m)^(?:(?:` + paint + `)+(?:diff |--- |@@ -)|(?:diff |--- |@@ -)[^\n]*` + reset + `\r?$)`)
	lineStart     = lazyregexp.New(`^(?:` + paint + `)+`)
	lineEnd       = lazyregexp.New(reset + `(\r?)$`)
	nameEnd       = lazyregexp.New(reset + `(\t\r?)$`) // of a name with blanks
	hunkNumbers   = lazyregexp.New(`^(@@ [^@]*@@)((?:` + paint + `|[ \t])*)`)
	anyPaint      = lazyregexp.New(paint)
	signEnd       = lazyregexp.New(`^` + reset)
	indentError   = lazyregexp.New(`^([ \t]*)(` + paint + `)([ \t\r]+)` + reset)
	trailingError = lazyregexp.New(reset + paint + `([ \t\r]+)$`)
	reversed      = lazyregexp.New(`^(.*?)\x1b\[7m(.*?)\x1b\[27m`)
	highlighted   = lazyregexp.New(`^([ +-].*?)` + reset + `(` + paint + `)(.*?)` + reset)
)

// Plain returns the text of a diff as git writes it to a file: without a byte order mark, in UTF-8
// if PowerShell wrote it in UTF-16, and without colors.
func Plain(text []byte) []byte {
	for mark, order := range map[string]binary.ByteOrder{"\xff\xfe": binary.LittleEndian, "\xfe\xff": binary.BigEndian} {
		if rest, marked := bytes.CutPrefix(text, []byte(mark)); marked {
			return uncolored([]byte(fromUTF16(rest, order)))
		}
	}
	return uncolored(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")))
}

// uncolored removes the colors of git diff --color, with its moved lines and white space errors, of
// diff-highlight, and of GNU diff. It removes a sequence only at the places of these tools, so a
// file's own sequences stay. A diff without colored headers stays the same.
func uncolored(text []byte) []byte {
	if !coloredHeader().Match(text) {
		return text
	}
	var b strings.Builder
	b.Grow(len(text))
	for line := range strings.Lines(string(text)) {
		body, ends := strings.CutSuffix(line, "\n")
		if strings.Contains(body, "\x1b") {
			body = uncoloredLine(body)
		}
		b.WriteString(body)
		if ends {
			b.WriteByte('\n')
		}
	}
	return []byte(b.String())
}

func uncoloredLine(line string) string {
	color := lineStart().FindString(line)
	line = line[len(color):]
	switch {
	case strings.HasPrefix(line, "@@ "):
		m := hunkNumbers().FindStringSubmatch(line)
		if m != nil {
			line = m[1] + anyPaint().ReplaceAllString(m[2], "") + line[len(m[0]):]
		}
	case strings.HasPrefix(line, "--- "), strings.HasPrefix(line, "+++ "):
		line = nameEnd().ReplaceAllString(line, "$1")
	case line != "" && strings.Contains(" +-", line[:1]):
		if color != "" {
			line = withoutHighlight(line, color)
		}
		line = line[:1] + withoutSignEnd(line[1:], color)
	}
	line = lineEnd().ReplaceAllString(line, "$1")
	return trailingError().ReplaceAllString(line, "$1")
}

// withoutHighlight undoes diff-highlight: it reverses the colors of changed words, or ends the
// line's color before them and begins it again after them.
func withoutHighlight(line, color string) string {
	if m := reversed().FindStringSubmatch(line); m != nil {
		return m[1] + m[2] + line[len(m[0]):]
	}
	m := highlighted().FindStringSubmatch(line)
	if m == nil || m[2] == color {
		return line
	}
	rest, ok := strings.CutPrefix(line[len(m[0]):], color)
	if !ok {
		return line
	}
	return m[1] + m[3] + rest
}

// withoutSignEnd undoes the colors at the start of a line's text: git ends the color of the sign,
// marks wrong blanks of the indent, and begins the color again.
func withoutSignEnd(text, color string) string {
	end := signEnd().FindString(text)
	if end == "" {
		return text
	}
	text = text[len(end):]
	indent := ""
	for {
		m := indentError().FindStringSubmatch(text)
		if m == nil || m[2] == color {
			break
		}
		indent, text = indent+m[1]+m[3], text[len(m[0]):]
	}
	inner := strings.TrimLeft(text, " \t")
	return indent + text[:len(text)-len(inner)] + strings.TrimPrefix(inner, color)
}

// ColorsAsText reports whether the colors of a diff have become text, as cat -v, col -b and some
// logs write them. None of its headers is one then.
func ColorsAsText(text []byte) bool { return paintAsText().Match(text) }

var paintAsText = lazyregexp.New(`(?m)^(?:\^\[|\\033|\\e|\\x1b|\\u001b|\x{241b})?(?:\[[0-9;]*|[0-9;]+)m(?:diff --git |--- a/|@@ -)`)

// wordMark matches a removed or added word of git diff --word-diff.
var wordMark = lazyregexp.New(`\[-.*-\]|\{\+.*\+\}|` + paint)

// isWordDiff reports whether a diff marks words instead of lines. None of its hunks has the lines
// of its header, and none of its lines begins with a plus, except in the form for programs, which
// ends each line with a tilde.
func isWordDiff(text string, files []*File) bool {
	if slices.ContainsFunc(files, func(f *File) bool { return len(f.Hunks) > 0 }) {
		return false
	}
	inHunk, marked := false, false
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		switch {
		case strings.HasPrefix(line, "@@ -"):
			inHunk = true
		case strings.HasPrefix(line, "diff --git "):
			inHunk = false
		case !inHunk:
		case line == "~":
			return true
		case strings.HasPrefix(line, "+"):
			return false
		case wordMark().MatchString(line):
			marked = true
		}
	}
	return marked
}
