package patch

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"sort"

	"github.com/prdebate/debate/internal/debate"
)

// Index finds lines in a change. It finds lines of the right side by their file's head path; lines
// of the left side by its base path and, if no other file has this path, by its head path. A path
// for two files finds none. An index never changes. A nil index has no lines.
type Index struct {
	places map[debate.Side]map[string][]place
	heads  map[string]string // File.Path by each name of a left side, "" for a name of two files
	hidden map[string]bool   // files with lines that GitHub does not show
}

// place is one hunk from the view of one side.
type place struct {
	hunk  *Hunk
	first int     // line number
	rows  []int32 // index in hunk.Lines of the lines first, first+1, ...
}

// NewIndex builds the index of a set in one pass over its lines.
func NewIndex(set *Set) *Index {
	x := &Index{places: map[debate.Side]map[string][]place{}, heads: make(map[string]string), hidden: make(map[string]bool)}
	for _, side := range []debate.Side{debate.Left, debate.Right} {
		x.places[side] = make(map[string][]place, len(set.Files))
	}
	total := 0
	for _, f := range set.Files {
		for _, h := range f.Hunks {
			total += 2 * len(h.Lines)
		}
	}
	rows := make([]int32, 0, total)
	left := make([][]place, len(set.Files))
	for i, f := range set.Files {
		if len(f.Hunks) == 0 {
			continue
		}
		if f.Decoded || f.Unfolded {
			x.hidden[f.Path()] = true
		}
		var right []place
		right, rows = places(f.Hunks, debate.Right, rows)
		left[i], rows = places(f.Hunks, debate.Left, rows)
		if f.NewPath != "" {
			x.places[debate.Right][f.NewPath] = right
		}
	}
	x.nameLeft(set, left)
	return x
}

// places lists the hunks with lines on a side, in order.
func places(hunks []*Hunk, side debate.Side, rows []int32) (list []place, all []int32) {
	list = make([]place, 0, len(hunks))
	for _, h := range hunks {
		from, first := len(rows), 0
		for i := range h.Lines {
			number := h.Lines[i].Number(side)
			if number == 0 {
				continue
			}
			first = cmp.Or(first, number)
			rows = append(rows, int32(i))
		}
		if len(rows) > from {
			list = append(list, place{hunk: h, first: first, rows: rows[from:len(rows):len(rows)]})
		}
	}
	return list, rows
}

// nameLeft names the left sides: by base paths first, for copies only if the original did not
// change, then by head paths.
func (x *Index) nameLeft(set *Set, left [][]place) {
	named := x.places[debate.Left]
	claim := func(name func(*File) string) {
		claims := make(map[string]int, len(set.Files))
		for _, f := range set.Files {
			claims[name(f)]++
		}
		for i, f := range set.Files {
			path := name(f)
			if _, taken := named[path]; path != "" && !taken {
				named[path], x.heads[path] = left[i], f.Path()
				if claims[path] > 1 {
					named[path], x.heads[path] = nil, ""
				}
			}
		}
	}
	for _, copied := range []bool{false, true} {
		claim(func(f *File) string {
			if copied != (f.Status == Copied) {
				return ""
			}
			return f.OldPath
		})
	}
	claim(func(f *File) string { return f.NewPath })
}

// Head returns the head path of the file that a path means on a side. A citation of a base line may
// use the file's base name, but GitHub knows the file by its head name. A deleted file keeps its
// path, and so does a file outside the change.
func (x *Index) Head(path string, side debate.Side) string {
	if x == nil || side != debate.Left {
		return path
	}
	return cmp.Or(x.heads[path], path)
}

// Has reports whether a file of the set has a path, on either side.
func (x *Index) Has(path string) bool {
	if x == nil {
		return false
	}
	_, named := x.heads[path]
	return named
}

// Name returns Head if it means the same file on this side, else the path: another file may have
// had the new name before.
func (x *Index) Name(path string, side debate.Side) string {
	head := x.Head(path, side)
	if x.Head(head, side) != head {
		return path
	}
	return head
}

// Kept finds base lines at the head if none of them was removed and no line was added between them.
func (x *Index) Kept(path string, start, end int) (first, last int, ok bool) {
	for line := start; line <= end; line++ {
		at, row, found := x.find(path, debate.Left, line)
		if !found || at.hunk.Lines[row].Op != ' ' {
			return 0, 0, false
		}
		number := at.hunk.Lines[row].New
		first = cmp.Or(first, number)
		if number != first+line-start {
			return 0, 0, false
		}
		last = number
	}
	return first, last, last > 0
}

// find returns the place with a line of a side, and the line's index in its hunk.
func (x *Index) find(path string, side debate.Side, line int) (at place, row int, ok bool) {
	if x == nil {
		return place{}, 0, false
	}
	list := x.places[side][path]
	i := sort.Search(len(list), func(i int) bool { return list[i].first > line }) - 1
	if i < 0 || line-list[i].first >= len(list[i].rows) {
		return place{}, 0, false
	}
	return list[i], int(list[i].rows[line-list[i].first]), true
}

// Line returns the text of a line in the diff, changed or context; ok is false for all other lines.
func (x *Index) Line(path string, side debate.Side, line int) (text string, ok bool) {
	at, row, ok := x.find(path, side, line)
	if !ok {
		return "", false
	}
	return at.hunk.Lines[row].Text, true
}

// Around returns the hunk's lines on a side around one of them, and the number of the first. It
// returns none around a line outside the diff.
func (x *Index) Around(path string, side debate.Side, line int) (first int, lines []string) {
	at, _, _ := x.find(path, side, line)
	for _, row := range at.rows {
		lines = append(lines, at.hunk.Lines[row].Text)
	}
	return at.first, lines
}

// Like returns the lines of all files with the extension of a path, on both sides. A line on both is there twice.
func (x *Index) Like(name string) (lines []string) {
	for _, side := range []debate.Side{debate.Left, debate.Right} {
		for _, other := range slices.Sorted(maps.Keys(x.places[side])) {
			if path.Ext(other) != path.Ext(name) {
				continue
			}
			for _, at := range x.places[side][other] {
				for _, row := range at.rows {
					lines = append(lines, at.hunk.Lines[row].Text)
				}
			}
		}
	}
	return lines
}

// Changed reports whether a line was added (RIGHT) or removed (LEFT).
func (x *Index) Changed(path string, side debate.Side, line int) bool {
	at, row, ok := x.find(path, side, line)
	return ok && at.hunk.Lines[row].Op != ' '
}

// Commentable reports whether GitHub accepts a review comment on these lines: one hunk has them
// all, and on the left side all of them were removed.
func (x *Index) Commentable(path string, side debate.Side, start, end int) bool {
	first, from, ok := x.find(path, side, start)
	last, to, _ := x.find(path, side, end)
	switch {
	case !ok, first.hunk != last.hunk, end < start, x.hidden[path]:
		return false
	}
	stays := func(l Line) bool { return l.Op == ' ' }
	return side == debate.Right || !slices.ContainsFunc(first.hunk.Lines[from:to+1], stays)
}
