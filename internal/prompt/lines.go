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
		segments := byPath[f.Path()]
		if len(segments) == 0 {
			continue
		}
		for _, h := range f.Hunks {
			n := 0
			for n < len(segments) && within(segments[n], h) {
				n++
			}
			for i, id := range owners(h.Lines, segments[:n]) {
				if id != "" {
					lines[id] = append(lines[id], h.Lines[i])
				}
			}
			segments = segments[n:]
		}
	}
	return lines
}

// within reports whether a segment is part of a hunk. A segment never spans two hunks.
func within(seg debate.Segment, h *patch.Hunk) bool {
	first, count := h.NewStart, h.NewLines
	if seg.Side == debate.Left {
		first, count = h.OldStart, h.OldLines
	}
	return first <= seg.StartLine && seg.EndLine < first+count
}

// owners names the segment of each line of a hunk, "" for none. If no segment of the left
// side holds a removed line, it belongs to the segment of the line before or after it.
func owners(lines []patch.Line, segments []debate.Segment) []string {
	right, left := onSide(segments, debate.Right), onSide(segments, debate.Left)
	ids := make([]string, len(lines))
	before := ""
	for i, l := range lines {
		if l.Op != '-' {
			ids[i] = right.at(l.New)
			before = ids[i]
		} else if ids[i] = left.at(l.Old); ids[i] == "" {
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

// ranges are the segments of one side in order, read from front to back.
type ranges struct{ rest []debate.Segment }

func onSide(segments []debate.Segment, side debate.Side) *ranges {
	return &ranges{rest: lists.Keep(segments, func(seg debate.Segment) bool { return seg.Side == side })}
}

// at names the segment of a line, "" if there is none. The calls must have ascending
// numbers.
func (r *ranges) at(number int) string {
	for len(r.rest) > 0 && r.rest[0].EndLine < number {
		r.rest = r.rest[1:]
	}
	if len(r.rest) > 0 && r.rest[0].StartLine <= number {
		return r.rest[0].ID
	}
	return ""
}
