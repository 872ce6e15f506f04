package segment

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/prdebate/debate/internal/debate"
)

// body splits the text of the pull request. Without a signal heading it is context, unless the
// target is forced to a proposal, alone or with code.
func (s *splitter) body() {
	text, cut := bounded(s.in.Body)
	if strings.TrimSpace(text) == "" {
		return
	}
	d := readDocument(text, true)
	forced := slices.Contains([]debate.Target{debate.TargetProposal, debate.TargetMixed}, s.in.Target)
	if len(d.sections) == 0 && d.hasText && forced {
		d.whole()
	}
	lines := strings.SplitAfter(text, "\n")
	first := len(s.res.Segments)
	open := 0 // sections with a ledger entry
	entry := -1
	for at := 1; at <= len(d.marks); {
		m := d.at(at)
		end := at
		for end < len(d.marks) && d.at(end+1) == m {
			end++
		}
		if open < len(d.sections) && d.sections[open].start <= at {
			sec := d.sections[open]
			entry = s.cover(debate.Coverage{Path: debate.BodyPath, Side: debate.Right, StartLine: sec.start, EndLine: sec.end})
			open++
		}
		inside := entry
		if entry >= 0 && at > s.res.Coverage[entry].EndLine {
			inside = -1
		}
		s.bodyRun(m, at, end, strings.Join(lines[at-1:end], ""), &d, inside)
		at = end + 1
	}
	if cut > 0 {
		s.cover(debate.Coverage{
			Path: debate.BodyPath, Side: debate.Right, StartLine: len(d.marks) + 1, EndLine: len(d.marks) + 1,
			Excluded: debate.TooLarge,
			Detail:   "the last " + strconv.Itoa(cut) + " bytes of the text of the pull request are beyond the limit of " + strconv.Itoa(maxDocument) + " bytes",
		})
	}
	s.proposal(debate.BodyPath, first, text)
}

// bodyRun makes a segment of lines of one kind. Blank lines alone make none.
func (s *splitter) bodyRun(m mark, start, end int, text string, d *document, entry int) {
	if strings.TrimSpace(text) == "" {
		return
	}
	n := s.segment(debate.Segment{
		Kind: m.kind, Source: debate.FromBody, Path: debate.BodyPath, Side: debate.Right,
		StartLine: start, EndLine: end, Heading: proposalHeading(m.kind, d.heading(m)),
	}, hashText(text))
	c := s.entry(entry)
	c.Segments = append(c.Segments, s.res.Segments[n].ID)
	shown := piece{segment: n, coverage: entry, bytes: segmentOverhead + len(text) + lineOverhead*(end-start+1)}
	if m.kind != debate.CodeSegment {
		s.prose = append(s.prose, shown)
		return
	}
	s.pieces = append(s.pieces, shown)
	if entry >= 0 {
		s.overlaps = append(s.overlaps, overlap{path: debate.BodyPath, heading: d.heading(m)})
	}
}

// proposalHeading keeps a heading only for a proposal: code under a heading is code.
func proposalHeading(kind debate.SegmentKind, heading string) string {
	if kind != debate.ProposalSegment {
		return ""
	}
	return heading
}

// bounded cuts a text at the last line that fits into a document and returns the number of bytes
// cut.
func bounded(s string) (text string, cut int) {
	if len(s) <= maxDocument {
		return s, 0
	}
	end := cmp.Or(strings.LastIndexByte(s[:maxDocument], '\n')+1, maxDocument)
	return s[:end], len(s) - end
}
