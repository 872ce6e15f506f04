package segment

import (
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/patch"
)

// Question splits a question instead of a change (R175): its text is one proposal segment for the
// debate, and each file it shows is context. The set has each file as one hunk of unchanged lines.
// There are no chunks: a model that answers a question reads all of it.
func Question(text string, shown *patch.Set) Result {
	s := splitter{in: Input{Body: text, Change: patch.Alone(shown)}}
	s.res.Target = debate.TargetProposal
	if strings.TrimSpace(text) != "" {
		lines := strings.Count(strings.TrimSuffix(text, "\n"), "\n") + 1
		at := debate.Segment{
			Kind: debate.ProposalSegment, Source: debate.FromBody, Path: debate.BodyPath, Side: debate.Right,
			StartLine: 1, EndLine: lines,
		}
		n := s.segment(at, hashText(text))
		s.cover(debate.Coverage{
			Path: at.Path, Side: at.Side, StartLine: at.StartLine, EndLine: at.EndLine, Segments: []string{s.res.Segments[n].ID},
		})
	}
	for _, f := range shown.Files {
		s.res.Totals.Files++
		for _, h := range f.Hunks {
			entry := hunkEntry(f, h)
			n := s.segment(debate.Segment{
				Kind: debate.ContextSegment, Source: debate.FromDiff, Path: entry.Path, Side: entry.Side,
				StartLine: entry.StartLine, EndLine: entry.EndLine,
			}, hashText(linesText(h.Lines)))
			entry.Segments = []string{s.res.Segments[n].ID}
			s.cover(entry)
		}
	}
	s.res.Totals.Parts = len(s.res.Coverage)
	return s.res
}

func linesText(lines []patch.Line) string {
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(l.Text)
		b.WriteByte('\n')
	}
	return b.String()
}
