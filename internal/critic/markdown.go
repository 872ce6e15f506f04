package critic

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

const (
	// maxMarkdown bounds the Markdown that is parsed, in bytes; the rest of a
	// longer document is not looked at.
	maxMarkdown = 1 << 20
	// maxMarkers bounds the markers that open quotes and lists on one line. The
	// parser's work grows with the square of the nesting, which a hostile line of
	// ten thousand ">" would use.
	maxMarkers = 100
)

// parseMarkdown parses the blocks of a document. Inline markup stays as it is
// written: the checks read words and lines only, and emphasis costs the parser
// quadratic time on hostile text. Line numbers are those of the document.
func parseMarkdown(document string) (doc ast.Node, source []byte) {
	document = document[:min(len(document), maxMarkdown)]
	var b strings.Builder
	for line := range strings.Lines(document) {
		rest := strings.TrimLeft(line, "> \t*+-.)0123456789")
		if len(line)-len(rest) > maxMarkers {
			line = strings.TrimRight(rest, "\n") + "\n"
		}
		b.WriteString(line)
	}
	source = []byte(b.String())
	blocks := parser.NewParser(parser.WithBlockParsers(parser.DefaultBlockParsers()...))
	return blocks.Parse(text.NewReader(source)), source
}

// codeBlocks yields the code blocks of a document in their order.
func codeBlocks(doc ast.Node) func(yield func(ast.Node) bool) {
	return func(yield func(ast.Node) bool) {
		_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
			if entering && isCodeBlock(n) && !yield(n) {
				return ast.WalkStop, nil
			}
			return ast.WalkContinue, nil
		})
	}
}

func isCodeBlock(n ast.Node) bool {
	return n.Kind() == ast.KindFencedCodeBlock || n.Kind() == ast.KindCodeBlock
}

// proseOf is the text of a block without code blocks and HTML blocks.
func proseOf(block ast.Node, source []byte) string {
	var b strings.Builder
	_ = ast.Walk(block, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch {
		case isCodeBlock(n), n.Kind() == ast.KindHTMLBlock:
			return ast.WalkSkipChildren, nil
		case entering && n.Type() == ast.TypeBlock:
			for i := range n.Lines().Len() {
				at := n.Lines().At(i)
				b.Write(at.Value(source))
			}
			b.WriteByte('\n')
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}

// isMarkdown reports whether the file is Markdown by its name.
func isMarkdown(path string) bool {
	switch extension(path) {
	case ".md", ".markdown", ".mdx", ".mdown":
		return true
	}
	return false
}
