package comment

import (
	"cmp"
	"slices"

	"github.com/prdebate/debate/internal/debate"
)

// Commentable reports whether the platform takes a comment on lines start to end
// of a side of a file.
type Commentable func(path string, side debate.Side, start, end int) bool

// maxInline is how many inline comments one review may carry.
const maxInline = 60

// maxSpan bounds the lines of one comment.
const maxSpan = 500

// Place sorts findings into those for a review and the rest, which belongs in the summary. The
// lines of the first are valid by construction: if the platform takes only some of the cited
// lines, the comment goes to the last run of them. It places the first findings of the list, at
// most most, and never more than maxInline.
func Place(list []Inline, ok Commentable, most int) (placed, rest []Inline) {
	for _, f := range list {
		at, fits := fit(f, ok)
		if !fits || len(placed) >= min(most, maxInline) {
			rest = append(rest, f)
			continue
		}
		placed = append(placed, at)
	}
	return placed, rest
}

func fit(f Inline, ok Commentable) (Inline, bool) {
	start, end := cmp.Or(f.StartLine, f.Line), f.Line
	isKnown := Marker{Kind: FindingMark, Value: f.Key}.String() != ""
	isSide := slices.Contains([]debate.Side{debate.Left, debate.Right}, f.Side)
	switch {
	case !isKnown, !isSide, f.Path == "", start < 1, end-start >= maxSpan:
		return f, false
	}
	for end >= start && !ok(f.Path, f.Side, end, end) {
		end--
	}
	if end < start {
		return f, false
	}
	first := end
	for first > start && ok(f.Path, f.Side, first-1, end) {
		first--
	}
	f.StartLine, f.Line = first, end
	if first == end {
		f.StartLine = 0
	}
	return f, true
}

// Bisect halves the comments of a refused review, to find the bad ones with few tries. The second
// half of one comment is empty.
func Bisect(list []Inline) (first, second []Inline) {
	list = slices.SortedFunc(slices.Values(list), byPlace)
	middle := (len(list) + 1) / 2
	return list[:middle], list[middle:]
}

// byPlace orders comments as the change shows them.
func byPlace(a, b Inline) int {
	return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Key, b.Key))
}
