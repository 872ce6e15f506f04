package critic

import (
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/patch"
)

// mergeFamily finds conflicts that were committed with their markers.
var mergeFamily = family{
	rules: []Rule{{
		ID:       "merge/conflict-marker",
		Source:   "git merge",
		Title:    "Unresolved merge conflict",
		Severity: debate.P1,
		Category: "correctness",
	}},
	match:  func(f *file) bool { return f.Kind == patch.Text && !isFixture(f.path) },
	review: reviewMerge,
}

// maxConflicts bounds the conflicts reported in one file.
const maxConflicts = 5

// marker is what a line is to git's conflict notation.
type marker int

const (
	noMarker marker = iota
	startMarker
	baseMarker
	middleMarker
	endMarker
)

// markerOf reads a line as git writes it: seven characters, then nothing or a
// blank and a label. The middle marker has no label.
func markerOf(line string) marker {
	line = strings.TrimSuffix(line, "\r")
	if len(line) < 7 || (len(line) > 7 && line[7] != ' ') {
		return noMarker
	}
	switch line[:7] {
	case "<<<<<<<":
		return startMarker
	case "|||||||":
		return baseMarker
	case "=======":
		if len(line) == 7 {
			return middleMarker
		}
	case ">>>>>>>":
		return endMarker
	}
	return noMarker
}

// reviewMerge reports a start marker with its end marker, of which the change
// added both, or added one of a complete conflict. One marker alone is no
// evidence: seven equals signs underline headings, seven angles quote mail.
func reviewMerge(f *file, out *findings) {
	if !anyMarker(f.added) {
		return
	}
	lines, skip := headLines(f), documentedLines(f)
	var start, touched, reported int
	var middle, startTouched bool
	for _, l := range lines {
		m := markerOf(l.Text)
		if m == noMarker || skip[l.New] {
			continue
		}
		added := f.touched(l.New)
		switch {
		case m == startMarker:
			start, middle, touched, startTouched = l.New, false, 0, added
		case start == 0:
			continue
		case m == middleMarker:
			middle = true
		}
		if added && touched == 0 {
			touched = l.New
		}
		if m != endMarker {
			continue
		}
		if touched > 0 && (middle || startTouched && added) {
			out.hit(f, "merge/conflict-marker", touched, touched, debate.Hit{
				Body: "The markers of an unfinished merge are in the file. Decide which side stands, remove the markers, and run what the file feeds.",
			})
			if reported++; reported == maxConflicts {
				return
			}
		}
		start = 0
	}
}

func anyMarker(lines []patch.Line) bool {
	for _, l := range lines {
		if markerOf(l.Text) != noMarker {
			return true
		}
	}
	return false
}

// headLines lists the lines of the file at the head, or those that the hunks
// show where its content is not at hand.
func headLines(f *file) []patch.Line {
	var lines []patch.Line
	if content := f.head(); content != nil {
		for i, t := range strings.Split(string(content), "\n") {
			lines = append(lines, patch.Line{New: i + 1, Text: t})
		}
		return lines
	}
	for _, h := range f.Hunks {
		for _, l := range h.Lines {
			if l.Op != '-' {
				lines = append(lines, l)
			}
		}
	}
	return lines
}

// documentedLines are the head lines inside the code blocks of a Markdown
// document, where people show what a conflict looks like.
func documentedLines(f *file) map[int]bool {
	if !isMarkdown(f.path) {
		return nil
	}
	content := f.head()
	inside := make(map[int]bool)
	line, offset := 1, 0
	doc := goldmark.DefaultParser().Parse(text.NewReader(content))
	for n := range codeBlocks(doc) {
		for i := range n.Lines().Len() {
			at := n.Lines().At(i).Start
			line += strings.Count(string(content[offset:at]), "\n")
			offset = at
			inside[line] = true
		}
	}
	return inside
}

// codeBlocks yields the code blocks of a document in their order.
func codeBlocks(doc ast.Node) func(yield func(ast.Node) bool) {
	return func(yield func(ast.Node) bool) {
		_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
			if entering && (n.Kind() == ast.KindFencedCodeBlock || n.Kind() == ast.KindCodeBlock) && !yield(n) {
				return ast.WalkStop, nil
			}
			return ast.WalkContinue, nil
		})
	}
}

func isMarkdown(path string) bool {
	switch extension(path) {
	case ".md", ".markdown", ".mdx", ".mdown":
		return true
	}
	return false
}
