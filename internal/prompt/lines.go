package prompt

import (
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
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
			for i, id := range owners(h.Lines, byPath[f.Path()]) {
				if id != "" {
					lines[id] = append(lines[id], h.Lines[i])
				}
			}
		}
	}
	return lines
}

// owners names the segment of each line of a hunk, "" for none. If no segment of the left
// side holds a removed line, it belongs to the segment of the line before or after it.
func owners(lines []patch.Line, segments []debate.Segment) []string {
	at := func(side debate.Side, line int) string {
		return lists.Find(segments, func(seg debate.Segment) bool { return seg.Side == side && seg.StartLine <= line && line <= seg.EndLine }).ID
	}
	ids := make([]string, len(lines))
	before := ""
	for i, l := range lines {
		if l.Op != '-' {
			before = at(debate.Right, l.New)
			ids[i] = before
		} else if ids[i] = at(debate.Left, l.Old); ids[i] == "" {
			ids[i] = before
		}
	}
	behind := ""
	for i := len(lines) - 1; i >= 0; i-- {
		if lines[i].Op != '-' {
			behind = ids[i]
		} else if ids[i] == "" {
			ids[i] = behind
		}
	}
	return ids
}
