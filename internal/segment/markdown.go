package segment

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/patch"
)

// isMarkdown reports whether a path names a CommonMark document. MDX is not
// one: it holds code that runs.
func isMarkdown(name string) bool {
	return slices.Contains([]string{".md", ".markdown", ".mdown", ".mkdn", ".mkd"}, strings.ToLower(path.Ext(name)))
}

// proposalPaths are where documents are proposals without configuration (S16).
var proposalPaths = []string{
	"{rfcs,proposals,adr}/**",
	"docs/{rfcs,proposals,adr}/**",
	"docs/design*",
	"docs/design*/**",
}

// maxMarkdown bounds the bytes of whole Markdown files that are read in one
// split. Beyond it hunks speak for themselves.
const maxMarkdown = 16 << 20

// markdownFile is a changed Markdown file with the marks of its lines.
type markdownFile struct {
	proposal bool // under a proposal path, at base or at head
	head     *document
	base     *document
}

// readMarkdown reads both sides of a file. A side whose bytes are not at hand,
// or are not those of the diff, is nil: then each hunk speaks for itself.
func (s *splitter) readMarkdown(f *patch.File) *markdownFile {
	isProposal := Matching(slices.Concat(proposalPaths, s.in.Proposal))
	md := &markdownFile{proposal: slices.ContainsFunc(namesOf(f), isProposal)}
	md.head = s.readSide(f, f.NewPath, debate.Right, md.proposal)
	md.base = s.readSide(f, f.OldPath, debate.Left, md.proposal)
	return md
}

func (s *splitter) readSide(f *patch.File, name string, side debate.Side, proposal bool) *document {
	if name == "" || !touches(f, side) {
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

// touches reports whether any hunk has lines on the side.
func touches(f *patch.File, side debate.Side) bool {
	return slices.ContainsFunc(f.Hunks, func(h *patch.Hunk) bool { return len(linesOn(h.Lines, side)) > 0 })
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

// markdownHunk splits a hunk of a Markdown file at line granularity: removed
// lines are what they were at base, the others what they are at head.
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

// hunkMark is the mark of one line of a hunk and the heading it stands under.
// Neighbours with equal marks belong to one segment.
type hunkMark struct {
	kind    debate.SegmentKind
	section bool // the line stands in a proposal section, perhaps in a fence of it
	heading string
}

// marksOf returns the marks of the lines of a hunk.
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

// sideOf returns the document to look lines up in, and what to take off their
// numbers. Without the whole file it is made of the lines that the hunk shows.
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

// extent is the first and the last line of a run on one side.
func extent(lines []patch.Line, side debate.Side) (first, last int) {
	on := linesOn(lines, side)
	if len(on) == 0 {
		return 0, 0
	}
	return on[0].Number(side), on[len(on)-1].Number(side)
}

// linesOn are those of some lines that stand on one side.
func linesOn(lines []patch.Line, side debate.Side) []patch.Line {
	return slices.DeleteFunc(slices.Clone(lines), func(l patch.Line) bool { return l.Number(side) == 0 })
}

// newProposal notes a document that the change adds, whose segments begin at an index (S16).
func (s *splitter) newProposal(f *patch.File, md *markdownFile, first int) {
	if !md.proposal || !slices.Contains([]patch.Status{patch.Added, patch.Copied}, f.Status) {
		return
	}
	if md.head != nil {
		if n := len(md.head.sections); n > 0 {
			s.proposal(f.Path(), first, md.head.sections[0].start, md.head.sections[n-1].end, md.head.text)
		}
		return
	}
	var added []patch.Line
	for _, h := range f.Hunks {
		added = append(added, slices.DeleteFunc(slices.Clone(h.Lines), func(l patch.Line) bool { return l.Op != '+' })...)
	}
	text, _ := bounded(linesText(added))
	start, end := 0, 0
	for _, seg := range s.res.Segments[first:] {
		if seg.Kind == debate.ProposalSegment {
			start, end = cmp.Or(start, seg.StartLine), seg.EndLine
		}
	}
	s.proposal(f.Path(), first, start, end, text)
}

// proposal notes a new proposal whose first proposal segment is the first of
// its kind from index from on. Without one there is none.
func (s *splitter) proposal(name string, from, start, end int, text string) {
	for _, seg := range s.res.Segments[from:] {
		if seg.Kind == debate.ProposalSegment {
			s.res.NewProposals = append(s.res.NewProposals, Proposal{
				Segment: seg.ID, Path: name, StartLine: start, EndLine: end, Heading: seg.Heading, Text: text,
			})
			return
		}
	}
}
