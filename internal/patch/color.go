package patch

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/lazyregexp"
)

// paint is a sequence of colored text.
const paint = `\x1b\[[0-9;:]*[mK]`

var (
	anyPaint      = lazyregexp.New(paint)
	coloredHeader = lazyregexp.New(`(?m)^(?:(?:` + paint + `)+(?:diff |--- |@@ -)|(?:diff |--- |@@ -)[^\n]*` + paint + `\r?$)`)
)

// Plain returns the text of a diff as git writes it to a file: without a byte order mark, in UTF-8
// if PowerShell wrote it in UTF-16, and without colors. A diff without colored headers keeps the
// sequences of its files.
func Plain(text []byte) []byte {
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	for mark, order := range map[string]binary.ByteOrder{"\xff\xfe": binary.LittleEndian, "\xfe\xff": binary.BigEndian} {
		if rest, marked := bytes.CutPrefix(text, []byte(mark)); marked {
			text = []byte(fromUTF16(rest, order))
		}
	}
	if coloredHeader().Match(text) {
		return anyPaint().ReplaceAll(text, nil)
	}
	return text
}

// wordMark matches a removed or added word of git diff --word-diff.
var wordMark = lazyregexp.New(`\[-.*-\]|\{\+.*\+\}`)

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
