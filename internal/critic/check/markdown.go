package check

import (
	"slices"

	"github.com/yuin/goldmark/ast"

	"github.com/prdebate/debate/internal/segment"
)

// maxMarkdown bounds the parsed part of a document, in bytes.
const maxMarkdown = 1 << 20

func ParseMarkdown(document string) (doc ast.Node, source []byte) {
	return segment.ParseMarkdown(document[:min(len(document), maxMarkdown)])
}

// CodeBlocks yields the code blocks of a document in order.
func CodeBlocks(doc ast.Node) func(yield func(ast.Node) bool) {
	return func(yield func(ast.Node) bool) {
		_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
			isCode := slices.Contains([]ast.NodeKind{ast.KindFencedCodeBlock, ast.KindCodeBlock}, n.Kind())
			if entering && isCode && !yield(n) {
				return ast.WalkStop, nil
			}
			return ast.WalkContinue, nil
		})
	}
}
