package patch

import (
	"strings"

	"github.com/prdebate/debate/internal/debate"
)

// Moved finds where the cited lines of an earlier diff stand in this one: the
// same text, white space aside, in the same file or in what it is called now, at
// the place nearest to where it stood. The citation that it returns quotes
// the lines as they are here. Cited text of which only a part is in the diff has
// not moved, it is gone.
func (x *Index) Moved(set *Set, c debate.Citation) (debate.Citation, bool) {
	words := fold(c.Quote)
	if words == "" || len(c.Quote) > quoteBytes {
		return c, false
	}
	path := renamed(set, c.Path)
	best, found := c, false
	for _, run := range occurrences(x.side(path, c.Side), words) {
		if !found || distance(run[0], c.StartLine) < distance(best.StartLine, c.StartLine) {
			best.StartLine, best.EndLine, found = run[0], run[1], true
		}
	}
	if !found {
		return c, false
	}
	best.Path = path
	lines := make([]string, 0, best.EndLine-best.StartLine+1)
	for line := best.StartLine; line <= best.EndLine; line++ {
		text, _ := x.Line(path, c.Side, line)
		lines = append(lines, text)
	}
	best.Quote = strings.Join(lines, "\n")
	return best, true
}

// Near is what stands now where the lines of an earlier diff stood: the line with
// text of the same file, or of what it is called now, that is nearest to them in the
// diff. It reports false where the diff shows nothing of the file.
func (x *Index) Near(set *Set, c debate.Citation) (debate.Citation, bool) {
	path := renamed(set, c.Path)
	best := 0
	for _, row := range x.side(path, c.Side) {
		if row.words != "" && (best == 0 || distance(row.line, c.StartLine) < distance(best, c.StartLine)) {
			best = row.line
		}
	}
	if best == 0 {
		return c, false
	}
	text, _ := x.Line(path, c.Side, best)
	return debate.Citation{Path: path, Side: c.Side, StartLine: best, EndLine: best, Quote: text}, true
}

// renamed is the path that a file has at this head.
func renamed(set *Set, path string) string {
	now := path
	for _, f := range set.Files {
		switch {
		case f.Path() == path:
			return path
		case f.OldPath == path: // it has another path now, or the case above would hold
			now = f.NewPath
		}
	}
	return now
}

// side returns the lines of one side of a file that stand in the diff, in their
// order.
func (x *Index) side(path string, side debate.Side) []folded {
	var lines []folded
	for _, p := range x.places[side][path] {
		for i, row := range p.rows {
			lines = append(lines, folded{p.first + i, fold(p.hunk.Lines[row].Text)})
		}
	}
	return lines
}

func distance(a, b int) int { return max(a-b, b-a) }
