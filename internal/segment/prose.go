package segment

import (
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// Said returns the words of a Markdown text's own author: its paragraphs, lists and headings,
// without blocks of code, quotes and HTML. The caller bounds its length.
func Said(markdown string) string {
	doc, source := ParseMarkdown(markdown)
	return Prose(doc, source, ast.KindBlockquote)
}

// Prose returns the text of a part of a document without code blocks, without HTML (templates use
// it for instructions), and without parts of further kinds.
func Prose(part ast.Node, source []byte, without ...ast.NodeKind) string {
	without = append(without, ast.KindFencedCodeBlock, ast.KindCodeBlock, ast.KindHTMLBlock)
	var b strings.Builder
	_ = ast.Walk(part, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch {
		case slices.Contains(without, n.Kind()):
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
