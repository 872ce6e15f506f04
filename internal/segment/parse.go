package segment

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// maxNesting bounds the containers that one line may open. The parser's cost grows with its square,
// and no honest line comes near.
const maxNesting = 32

// ParseMarkdown parses the blocks of a document from any author. Inline markup stays as written,
// since it costs the parser quadratic time on hostile text. The positions in source, the parsed
// text, are those of the document. The caller bounds its length.
func ParseMarkdown(document string) (root ast.Node, source []byte) {
	source = flatten(document)
	return parseBlocks(source), source
}

func parseBlocks(flat []byte) ast.Node {
	return parser.NewParser(parser.WithBlockParsers(parser.DefaultBlockParsers()...)).Parse(text.NewReader(flat))
}

// flatten blanks text that the parser must not see, byte for byte, so that all positions stay the
// same: lines nested deeper than maxNesting, a byte order mark, and front matter, which the parser
// would read as a heading.
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

// frontMatter returns the length of the settings between lines of three dashes at the start of a
// document, or 0. A blank line ends the search: rules far apart have text between them.
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

// nesting counts the quote and list markers at the start of a line, and its indents of a tab's
// width, since each may be one level of lists. A line of dashes is one marker at most.
func nesting(line []byte) int {
	n, columns := 0, 0
	endsMarker := func(rest []byte) bool { return len(rest) == 0 || strings.IndexByte(" \t\r", rest[0]) >= 0 }
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
