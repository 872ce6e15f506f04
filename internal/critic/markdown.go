package critic

import (
	"strings"

	"github.com/yuin/goldmark/ast"

	"github.com/prdebate/debate/internal/segment"
)

// maxMarkdown bounds the Markdown that is parsed, in bytes; the rest of a longer
// document is not looked at.
const maxMarkdown = 1 << 20

func parseMarkdown(document string) (doc ast.Node, source []byte) {
	return segment.ParseMarkdown(document[:min(len(document), maxMarkdown)])
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
