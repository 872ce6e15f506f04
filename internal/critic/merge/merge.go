// Package merge finds conflicts that were committed with their markers.
package merge

import (
	"strings"

	"github.com/prdebate/debate/internal/critic/check"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/patch"
)

// Kind finds conflicts that were committed with their markers.
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

// review reports a start marker with its end marker, of which the change
// added both, or added one of a complete conflict. One marker alone is no
// evidence: seven equals signs underline headings, seven angles quote mail.
func review(f *check.File, out *check.Findings) {
	if !anyMarker(f.Added) {
		return
	}
	text, _ := f.Source()
	skip := documentedLines(f)
	var touched, reported, n int // touched: the first added marker of the conflict
	var open, middle, startAdded bool
	for line := range strings.SplitSeq(text, "\n") {
		n++
		m := markerOf(line)
		if m == noMarker || skip[n] {
			continue
		}
		added := f.Touched(n)
		switch {
		case m == startMarker:
			open, middle, touched, startAdded = true, false, 0, added
		case !open:
			continue
		case m == middleMarker:
			middle = true
		}
		if added && touched == 0 {
			touched = n
		}
		if m != endMarker {
			continue
		}
		if touched > 0 && (middle || startAdded && added) {
			out.Hit(f, "merge/conflict-marker", touched, touched, debate.Hit{
				Body: "The markers of an unfinished merge are in the file. Decide which side stands, remove the markers, and run what the file feeds.",
			})
			if reported++; reported == maxConflicts {
				return
			}
		}
		open = false
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

// documentedLines are the head lines inside the code blocks of a Markdown
// document, where people show what a conflict looks like.
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
