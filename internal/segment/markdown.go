package segment

import (
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/patch"
)

// proposalPaths are the paths of proposals without configuration.
var proposalPaths = []string{
	"{rfcs,proposals,adr}/**",
	"docs/{rfcs,proposals,adr}/**",
	"docs/design*",
	"docs/design*/**",
}

// maxMarkdown bounds the bytes of whole Markdown files to read in one split. Beyond it, each hunk
// is read alone.
const maxMarkdown = 16 << 20

// markdownFile is a changed Markdown file with the marks of its lines.
type markdownFile struct {
	proposal bool // under a proposal path, at base or at head
	head     *document
	base     *document
}

// readMarkdown reads both sides of a file. A side is nil if its bytes are unknown or differ from
// the diff; then each hunk is read alone.
func (s *splitter) readMarkdown(f *patch.File) *markdownFile {
	isProposal := Matching(slices.Concat(proposalPaths, s.in.Proposal))
	md := &markdownFile{proposal: slices.ContainsFunc(f.Names(), isProposal)}
	md.head = s.readSide(f, f.NewPath, debate.Right, md.proposal)
	md.base = s.readSide(f, f.OldPath, debate.Left, md.proposal)
	return md
}

func (s *splitter) readSide(f *patch.File, name string, side debate.Side, proposal bool) *document {
	hasLines := slices.ContainsFunc(f.Hunks, func(h *patch.Hunk) bool { return len(linesOn(h.Lines, side)) > 0 })
	if name == "" || !hasLines {
		return nil
	}
	content, ok := s.in.Change.Blob(name, side)
	if !ok || len(content) > min(maxDocument, s.budget) {
		return nil
	}
	s.budget -= len(content)
	text := string(content)
	if !agrees(f, side, strings.Split(text, "\n")) {
		return nil
	}
	d := readDocument(text, proposal)
	return &d
}

// agrees reports whether the diff's lines of one side are those of the content.
func agrees(f *patch.File, side debate.Side, lines []string) bool {
	for _, h := range f.Hunks {
		for _, l := range linesOn(h.Lines, side) {
			if n := l.Number(side); n > len(lines) || lines[n-1] != l.Text {
				return false
			}
		}
	}
	return true
}

// markdownHunk splits a hunk of a Markdown file line by line: removed lines by their role at the
// base, the others by their role at the head.
func (s *splitter) markdownHunk(f *patch.File, h *patch.Hunk, md *markdownFile, c int) {
	marks := md.marksOf(h)
	for at := 0; at < len(h.Lines); {
		end := at + 1
		for end < len(h.Lines) && marks[end] == marks[at] {
			end++
		}
		if lines := h.Lines[at:end]; changes(lines) {
			s.markdownRun(f, lines, marks[at], c)
		}
		at = end
	}
}

// hunkMark is the mark of one line of a hunk, with its heading. Neighbors with equal marks make one
// segment.
type hunkMark struct {
	kind    debate.SegmentKind
	section bool // the line is in a proposal section, perhaps in a fence there
	heading string
}

// marksOf returns the marks of a hunk's lines.
func (md *markdownFile) marksOf(h *patch.Hunk) []hunkMark {
	head, headShift := sideOf(md.head, h, debate.Right, md.proposal)
	base, baseShift := sideOf(md.base, h, debate.Left, md.proposal)
	marks := make([]hunkMark, len(h.Lines))
	for i, l := range h.Lines {
		d, n := head, l.New-headShift
		if l.Op == '-' {
			d, n = base, l.Old-baseShift
		}
		m := d.at(n)
		marks[i] = hunkMark{kind: m.kind, section: m.section > 0, heading: d.heading(m)}
	}
	return marks
}

// sideOf returns the document to look lines up in, and the number to subtract from theirs. Without
// the whole file, the document has only the hunk's lines.
func sideOf(d *document, h *patch.Hunk, side debate.Side, proposal bool) (*document, int) {
	if d != nil {
		return d, 0
	}
	first, _ := extent(h.Lines, side)
	text, _ := bounded(linesText(linesOn(h.Lines, side)))
	shown := readDocument(text, proposal)
	return &shown, first - 1
}

// changes reports whether any of the lines was added or removed.
func changes(lines []patch.Line) bool {
	return slices.ContainsFunc(lines, func(l patch.Line) bool { return l.Op != ' ' })
}

// markdownRun makes a segment of lines of one kind.
func (s *splitter) markdownRun(f *patch.File, lines []patch.Line, m hunkMark, c int) {
	seg := debate.Segment{
		Kind: m.kind, Source: debate.FromDiff, Path: f.Path(), Side: debate.Right,
		Heading: proposalHeading(m.kind, m.heading),
	}
	seg.StartLine, seg.EndLine = extent(lines, debate.Right)
	seg.BaseStart, seg.BaseEnd = extent(lines, debate.Left)
	if seg.StartLine == 0 {
		seg.Side = debate.Left
		seg.StartLine, seg.EndLine, seg.BaseStart, seg.BaseEnd = seg.BaseStart, seg.BaseEnd, 0, 0
	}
	if m.kind == debate.CodeSegment {
		s.code(seg, lines, c)
		if m.section {
			s.overlaps = append(s.overlaps, overlap{path: seg.Path, heading: m.heading})
		}
		return
	}
	n := s.segment(seg, hashLines(lines))
	s.res.Coverage[c].Segments = append(s.res.Coverage[c].Segments, s.res.Segments[n].ID)
	s.prose = append(s.prose, piece{segment: n, coverage: c, bytes: rendered(seg.Path, lines)})
}

// extent returns the first and the last line of a run on one side.
func extent(lines []patch.Line, side debate.Side) (first, last int) {
	on := linesOn(lines, side)
	if len(on) == 0 {
		return 0, 0
	}
	return on[0].Number(side), on[len(on)-1].Number(side)
}

// linesOn returns the lines that exist on one side.
func linesOn(lines []patch.Line, side debate.Side) []patch.Line {
	return slices.DeleteFunc(slices.Clone(lines), func(l patch.Line) bool { return l.Number(side) == 0 })
}

// newProposal records a document that the change adds. Its segments begin at index first.
func (s *splitter) newProposal(f *patch.File, md *markdownFile, first int) {
	if !md.proposal || !slices.Contains([]patch.Status{patch.Added, patch.Copied}, f.Status) {
		return
	}
	if md.head != nil {
		s.proposal(f.Path(), first, md.head.text)
		return
	}
	var added []patch.Line
	for _, h := range f.Hunks {
		added = append(added, slices.DeleteFunc(slices.Clone(h.Lines), func(l patch.Line) bool { return l.Op != '+' })...)
	}
	text, _ := bounded(linesText(added))
	s.proposal(f.Path(), first, text)
}

// proposal records a new proposal by its first proposal segment from index from on, if there is
// one.
func (s *splitter) proposal(name string, from int, text string) {
	seg := lists.Find(s.res.Segments[from:], func(seg debate.Segment) bool { return seg.Kind == debate.ProposalSegment })
	if seg.ID != "" {
		s.res.NewProposals = append(s.res.NewProposals, Proposal{Path: name, Heading: seg.Heading, Text: text})
	}
}
