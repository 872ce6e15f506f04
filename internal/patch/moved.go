package patch

import (
	"cmp"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/debate"
)

// Moved finds the cited lines of an earlier diff in this one: the same text, apart from white
// space, in the same file under its current name, at the place nearest to the old one. The returned
// citation quotes the lines of this diff. If only a part of the cited text is in the diff, it is
// gone, not moved.
func (x *Index) Moved(set *Set, c debate.Citation) (debate.Citation, bool) {
	words := fold(c.Quote)
	if words == "" || len(c.Quote) > quoteBytes {
		return c, false
	}
	path := renamed(set, c.Path)
	runs := x.runs(path, c.Side, words)
	if len(runs) == 0 {
		return c, false
	}
	nearest := slices.MinFunc(runs, func(a, b [2]int) int {
		return cmp.Compare(distance(a[0], c.StartLine), distance(b[0], c.StartLine))
	})
	c.Path, c.StartLine, c.EndLine = path, nearest[0], nearest[1]
	lines := make([]string, 0, c.EndLine-c.StartLine+1)
	for line := c.StartLine; line <= c.EndLine; line++ {
		text, _ := x.Line(path, c.Side, line)
		lines = append(lines, text)
	}
	c.Quote = strings.Join(lines, "\n")
	return c, true
}

// Copies counts the further places in the file where the change adds the text of a citation, or
// removes it on the left side.
func (x *Index) Copies(c debate.Citation) int {
	words := fold(c.Quote)
	if words == "" || len(c.Quote) > quoteBytes {
		return 0
	}
	changed := slices.DeleteFunc(occurrences(x.side(c.Path, c.Side), words), func(run [2]int) bool {
		return run[0] == c.StartLine || !x.changes(c.Path, c.Side, run[0], run[1])
	})
	return len(changed)
}

// runs returns the places of some words on a side of a file. On the left side, each place has a
// removed line: base lines that the head has again are not there.
func (x *Index) runs(path string, side debate.Side, words string) [][2]int {
	all := occurrences(x.side(path, side), words)
	if side == debate.Right {
		return all
	}
	return slices.DeleteFunc(all, func(run [2]int) bool { return !x.changes(path, debate.Left, run[0], run[1]) })
}

// changes reports whether a line of a range was added, or removed on the left side.
func (x *Index) changes(path string, side debate.Side, start, end int) bool {
	for line := start; line <= end; line++ {
		if x.Changed(path, side, line) {
			return true
		}
	}
	return false
}

// Restored reports whether the cited lines of the base were removed on an earlier head and are not
// removed on this one: the base has them, with none of them removed, in the diff or outside it.
func (x *Index) Restored(change Change, c debate.Citation) bool {
	path, words := renamed(change.Set, c.Path), fold(c.Quote)
	if c.Side != debate.Left || words == "" || len(c.Quote) > quoteBytes || len(x.runs(path, c.Side, words)) > 0 {
		return false
	}
	all := occurrences(x.side(path, c.Side), words)
	for _, f := range change.Set.Files {
		if content, ok := change.Blob(f.OldPath, debate.Left); f.Path() == path && f.OldPath != "" && ok {
			var base []folded
			for i, line := range strings.Split(string(content), "\n") {
				base = append(base, folded{i + 1, fold(line)})
			}
			all = append(all, occurrences(base, words)...)
		}
	}
	return len(all) > 0 && !slices.ContainsFunc(all, func(run [2]int) bool { return x.changes(path, c.Side, run[0], run[1]) })
}

// Near returns the line now closest to the lines of an earlier diff: the nearest line with text in
// the diff of the same file under its current name. ok is false if the diff shows nothing of the
// file.
func (x *Index) Near(set *Set, c debate.Citation) (debate.Citation, bool) {
	path := renamed(set, c.Path)
	rows := slices.DeleteFunc(x.side(path, c.Side), func(row folded) bool { return row.words == "" })
	if len(rows) == 0 {
		return c, false
	}
	nearest := slices.MinFunc(rows, func(a, b folded) int {
		return cmp.Compare(distance(a.line, c.StartLine), distance(b.line, c.StartLine))
	})
	text, _ := x.Line(path, c.Side, nearest.line)
	return debate.Citation{Path: path, Side: c.Side, StartLine: nearest.line, EndLine: nearest.line, Quote: text}, true
}

// renamed returns the path of a file at this head.
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

// side returns the lines of one side of a file in the diff, in order.
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
