// Package merge finds committed conflict markers.
package merge

import (
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/critic/check"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/patch"
)

// Kind finds committed conflict markers.
var Kind = check.Kind{
	Rules: func() []check.Rule {
		return []check.Rule{{
			ID:       "merge/conflict-marker",
			Source:   "git merge",
			Title:    "Unresolved merge conflict",
			Severity: debate.P1,
			Category: "correctness",
		}}
	},
	Review: check.Each(func(f *check.File) bool { return f.Kind == patch.Text && !check.IsFixture(f.NewPath) }, review),
}

// maxConflicts bounds the conflicts reported in one file.
const maxConflicts = 5

// marker is the role of a line in git's conflict notation.
type marker int

const (
	noMarker marker = iota
	startMarker
	baseMarker
	middleMarker
	endMarker
)

// markers lists the beginnings of lines, with the blank before a label. The middle marker has no
// label.
var markers = map[string]marker{
	"<<<<<<<": startMarker, "<<<<<<< ": startMarker, "|||||||": baseMarker, "||||||| ": baseMarker,
	"=======": middleMarker,
	">>>>>>>": endMarker, ">>>>>>> ": endMarker,
}

// markerOf reads a line as git writes it: seven characters, then nothing or a blank and a label.
func markerOf(line string) marker {
	return markers[strings.SplitAfterN(strings.TrimSuffix(line, "\r"), " ", 2)[0]]
}

// conflict is the part of one conflict read so far.
type conflict struct {
	lines       []int // the markers that the change added
	seen, added [endMarker + 1]bool
}

// review reports a start marker with its end marker if the change added both, or added one marker
// of a complete conflict. One marker alone proves nothing: seven equals signs underline headings,
// seven angles quote mail.
func review(f *check.File, out *check.Findings) {
	if !slices.ContainsFunc(f.Added, func(l patch.Line) bool { return markerOf(l.Text) != noMarker }) {
		return
	}
	text, _ := f.Source()
	skip := documentedLines(f)
	few := check.FewOf(f, maxConflicts)
	var open *conflict
	n := 0
	for line := range strings.SplitSeq(text, "\n") {
		n++
		m := markerOf(line)
		switch {
		case m == noMarker, skip[n]:
			continue
		case m == startMarker:
			open = &conflict{}
		case open == nil:
			continue
		}
		open.seen[m], open.added[m] = true, f.Touched(n)
		if open.added[m] {
			open.lines = append(open.lines, n)
		}
		if m != endMarker {
			continue
		}
		complete := open.seen[middleMarker] || open.added[startMarker] && open.added[endMarker]
		if complete && len(open.lines) > 0 {
			few.Hit(out, "merge/conflict-marker", open.lines[0], open.lines[0], debate.Hit{
				Body: "The markers of an unfinished merge are in the file. Choose a side, remove the markers, and run the code that uses the file.",
			})
		}
		open = nil
	}
	few.Report(out)
}

// documentedLines returns the head lines inside the code blocks of a Markdown document: people show
// there how a conflict looks.
func documentedLines(f *check.File) map[int]bool {
	if !check.IsMarkdown(f.NewPath) {
		return nil
	}
	document, _ := f.Source()
	inside := make(map[int]bool)
	line, offset := 1, 0
	doc, content := check.ParseMarkdown(document)
	for n := range check.CodeBlocks(doc) {
		for i := range n.Lines().Len() {
			at := n.Lines().At(i).Start
			line += strings.Count(string(content[offset:at]), "\n")
			offset = at
			inside[line] = true
		}
	}
	return inside
}
