package critic

import (
	"cmp"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"

	"github.com/prdebate/debate/internal/critic/check"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lazyregexp"
	"github.com/prdebate/debate/internal/patch"
	"github.com/prdebate/debate/internal/segment"
)

// conflicts finds committed conflict markers.
var conflicts = check.Kind{
	Rules: []check.Rule{
		{ID: "merge/conflict-marker", Source: "git merge", Title: "Unresolved merge conflict", Severity: debate.P1, Category: "correctness"},
	},
	Review: check.Each(func(f *check.File) bool { return f.Kind == patch.Text && !check.IsFixture(f.NewPath) }, func(f *check.File, out *check.Findings) {
		out.Limited(maxConflicts, func() { reviewConflicts(f, out) })
	}),
}

// maxConflicts bounds the conflicts reported in one file.
const maxConflicts = 5

// markerLine matches a marker as git writes it: seven characters, then nothing or a blank and a
// label. The middle marker has no label.
var markerLine = lazyregexp.New(`^(?:<{7}|\|{7}|>{7})(?: |\r?$)|^={7}\r?$`)

// reviewConflicts reports a start marker with its end marker if the change added both, or added one
// marker of a complete conflict. One marker alone proves nothing: seven equals signs underline
// headings, seven angles quote mail.
func reviewConflicts(f *check.File, out *check.Findings) {
	if !slices.ContainsFunc(f.Added, func(l patch.Line) bool { return markerLine().MatchString(l.Text) }) {
		return
	}
	text, _ := f.Source()
	documented := documentedLines(f.NewPath, text)
	open, startAdded, hasMiddle := false, false, false
	n, first := 0, 0 // first is the first marker of the conflict that the change added
	for line := range strings.SplitSeq(text, "\n") {
		if n++; documented[n] || !markerLine().MatchString(line) {
			continue
		}
		added := f.Touched(n)
		switch line[0] {
		case '<':
			open, startAdded, hasMiddle, first = true, added, false, 0
		case '=':
			hasMiddle = true
		}
		if added {
			first = cmp.Or(first, n)
		}
		if line[0] != '>' || !open {
			continue
		}
		open = false
		if isComplete := hasMiddle || startAdded && added; isComplete && first > 0 {
			out.Hit(f, "merge/conflict-marker", first, first, debate.Hit{
				Body: "The markers of an unfinished merge are in the file. Choose a side, remove the markers, and run the code that uses the file.",
			})
		}
	}
}

// documentedLines returns the lines inside the code blocks of a Markdown document: people show
// there how a conflict looks.
func documentedLines(path, text string) map[int]bool {
	if !check.IsMarkdown(path) {
		return nil
	}
	inside := make(map[int]bool)
	line, offset := 1, 0
	doc, source := segment.ParseMarkdown(text[:min(len(text), maxMarkdown)])
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering && (n.Kind() == ast.KindFencedCodeBlock || n.Kind() == ast.KindCodeBlock) {
			for i := range n.Lines().Len() {
				at := n.Lines().At(i).Start
				line += strings.Count(string(source[offset:at]), "\n")
				offset = at
				inside[line] = true
			}
		}
		return ast.WalkContinue, nil
	})
	return inside
}
