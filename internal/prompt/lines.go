package prompt

import (
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/patch"
)

// linesOf returns the lines of each segment by its id.
func linesOf(s debate.State, set *patch.Set) map[string][]patch.Line {
	lines := make(map[string][]patch.Line, len(s.Split.Segments))
	byPath := make(map[string][]debate.Segment)
	body := strings.Split(s.Received.Anchor.Intent, "\n")
	for _, seg := range s.Split.Segments {
		if seg.Source == debate.FromBody {
			for n := max(seg.StartLine, 1); n <= min(seg.EndLine, len(body)); n++ {
				lines[seg.ID] = append(lines[seg.ID], patch.Line{Op: ' ', New: n, Text: body[n-1]})
			}
			if seg.StartLine == 0 { // the title has no line number
				lines[seg.ID] = []patch.Line{{Op: ' ', Text: clip(s.Received.Anchor.Title, maxHeading)}}
			}
			continue
		}
		byPath[seg.Path] = append(byPath[seg.Path], seg)
	}
	for _, f := range set.Files {
		for _, h := range f.Hunks {
			for _, l := range h.Lines {
				side, number := debate.Right, l.New
				if l.Op == '-' {
					side, number = debate.Left, l.Old
				}
				at := slices.IndexFunc(byPath[f.Path()], func(seg debate.Segment) bool { return seg.Holds(side, number) })
				if at >= 0 {
					id := byPath[f.Path()][at].ID
					lines[id] = append(lines[id], l)
				}
			}
		}
	}
	return lines
}
