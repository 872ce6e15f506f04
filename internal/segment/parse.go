package segment

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// maxNesting bounds the containers that one line may open. The parser's cost
// grows with the square of it, and no honest line comes near.
const maxNesting = 32

// ParseMarkdown parses the blocks of a document whoever wrote it. Inline markup
// stays as it is written, since it costs the parser quadratic time on hostile
// text. The positions in source, which is what was parsed, are those of the
// document. The caller bounds its length.
func ParseMarkdown(document string) (root ast.Node, source []byte) {
	source = flatten(document)
	return parseBlocks(source), source
}

func parseBlocks(flat []byte) ast.Node {
	return parser.NewParser(parser.WithBlockParsers(parser.DefaultBlockParsers()...)).Parse(text.NewReader(flat))
}

// flatten blanks what the parser should not see, byte for byte, so that every
// position stays what it was: lines that nest deeper than maxNesting, a byte
// order mark, and front matter, which it would take for a heading.
func flatten(src string) []byte {
	flat := []byte(src)
	blank := func(from, to int) {
		for i := from; i < to; i++ {
			if flat[i] != '\n' {
				flat[i] = ' '
			}
		}
	}
	mark := len(src) - len(strings.TrimPrefix(src, "\uFEFF"))
	blank(0, mark)
	blank(mark, mark+frontMatter(src[mark:]))
	at := 0
	for line := range bytes.Lines(flat) {
		if nesting(bytes.TrimSuffix(line, []byte("\n"))) > maxNesting {
			blank(at, at+len(line))
		}
		at += len(line)
	}
	return flat
}

// frontMatter returns the length of the settings between lines of three dashes
// that a document begins with, 0 if it begins with something else. A blank line
// ends the search: between two rules far apart stands text.
func frontMatter(src string) int {
	length := 0
	for line := range strings.Lines(src) {
		first := length == 0
		length += len(line)
		switch rule := strings.TrimRight(line, " \t\r\n"); {
		case first && rule != "---", rule == "":
			return 0
		case !first && rule == "---":
			return length
		}
	}
	return 0
}

// nesting counts the quote and list markers that a line begins with, and how
// often it is indented by a tab's width, which is how deep it may stand in
// lists. A line of dashes is one marker at most.
func nesting(line []byte) int {
	n, columns := 0, 0
	for i, c := range line {
		switch {
		case c == '\t':
			n, columns = n+1, columns+1
		case c == ' ':
			if columns++; columns%4 == 0 {
				n++
			}
		case '0' <= c && c <= '9':
		case c == '>', strings.IndexByte("-+*.)", c) >= 0 && endsMarker(line[i+1:]):
			n, columns = n+1, 0
		default:
			return n
		}
	}
	return n
}

// endsMarker reports whether a marker of a list can end before the rest of a line.
func endsMarker(rest []byte) bool { return len(rest) == 0 || strings.IndexByte(" \t\r", rest[0]) >= 0 }
