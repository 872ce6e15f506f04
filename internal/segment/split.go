// Package segment splits a change deterministically into code to debate, proposals to debate and
// context (R067-R071). It keeps the coverage ledger with one entry for every part of the change,
// and packs code segments into chunks for one call each (S13).
package segment

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/patch"
)

// Input is the input of a split.
type Input struct {
	Change         patch.Change
	Title, Body    string // text of the pull request, may be empty
	Target         debate.Target
	Ignore         []string // doublestar globs of paths without a review
	Proposal       []string // further doublestar globs of proposal documents
	BaseAttributes []byte   // .gitattributes at the base, nil if there is none
	Required       bool     // the gate is required: only Ignore and BaseAttributes excuse a path
	ChunkBytes     int      // rendered bytes of a chunk; 0: 60,000 (S13)
	MaxChunks      int      // 0: no bound
	// Sensitive selects the files to pack first, so that MaxChunks leaves out others (S13). nil:
	// none.
	Sensitive func(path string) bool
	// Carried has, by path, the earlier head on which a file was read, if it need not be sent
	// again.
	Carried map[string]string
}

// Result is the split of one change. Its caller sets the keys of the files.
type Result struct {
	debate.SplitDone
	NewProposals []Proposal
}

// Proposal is a document that the change adds and that makes a proposal: the text of the pull
// request or a new file. The review criteria are searched in all of its text, since a section often
// solves a problem that is described outside of it.
type Proposal struct {
	Path    string
	Heading string // of its first section
	Text    string // the whole document, at most 256 KiB
}

// Split splits a change and the text of its pull request (R067-R071) and opens the
// coverage ledger. The same input gives the same result. Segments are disjoint, and with the
// excluded parts they cover the input. The text of the pull request comes first, then the files in
// the order of the diff.
func Split(in Input) Result {
	s := splitter{in: in, exclude: newExcluder(in), budget: maxMarkdown}
	if strings.TrimSpace(in.Title) != "" { // it has no line: the lines of debate.BodyPath are those of the text
		title := debate.Segment{Kind: debate.ContextSegment, Source: debate.FromBody, Path: debate.BodyPath, Side: debate.Right}
		s.segment(title, hashText(in.Title))
	}
	s.body()
	for _, f := range in.Change.Set.Files {
		s.file(f)
	}
	s.res.Totals.Parts = len(s.res.Coverage)
	s.target()
	if s.res.Target != debate.TargetProposal {
		s.carry()
		s.pack()
	}
	s.leaveOut()
	return s.res
}

// splitter collects the parts of one split.
type splitter struct {
	in       Input
	exclude  *excluder
	res      Result
	pieces   []piece // of code
	prose    []piece // of proposals and context
	overlaps []overlap
	budget   int // bytes of Markdown files left to read
	parts    int // of the files so far
}

// piece is a segment as part of a packet.
type piece struct {
	segment  int // index in Result.Segments
	coverage int // index in Result.Coverage, -1 if none
	bytes    int // as rendered
}

// segment appends a segment, names it and returns its index.
func (s *splitter) segment(seg debate.Segment, hash string) int {
	n := len(s.res.Segments)
	seg.ID = "S" + strconv.Itoa(n+1)
	seg.TextHash = hash
	s.res.Segments = append(s.res.Segments, seg)
	return n
}

// cover appends a ledger entry, names it and returns its index.
func (s *splitter) cover(c debate.Coverage) int {
	n := len(s.res.Coverage)
	c.ID = "H" + strconv.Itoa(n+1)
	s.res.Coverage = append(s.res.Coverage, c)
	return n
}

// entry returns the ledger entry with an index, or an unused one for -1.
func (s *splitter) entry(n int) *debate.Coverage {
	if n < 0 {
		return &debate.Coverage{}
	}
	return &s.res.Coverage[n]
}

// file splits one changed file.
func (s *splitter) file(f *patch.File) {
	s.res.Totals.Files++
	s.res.Totals.Additions += f.Additions
	s.res.Totals.Deletions += f.Deletions
	why, detail := s.exclude.file(f)
	hunks := listed(s.parts, f)
	s.parts += max(1, len(hunks))
	if len(hunks) < len(f.Hunks) && why == debate.NotExcluded {
		why, detail = debate.TooLarge, "its "+strconv.Itoa(len(f.Hunks))+" hunks are beyond the limit of "+strconv.Itoa(maxParts)+" parts of one review"
	}
	switch {
	case len(hunks) == 0:
		s.cover(s.wholeFile(f, why, detail))
	case why != debate.NotExcluded:
		for _, h := range f.Hunks { // no model reads them
			entry := hunkEntry(f, h)
			entry.Excluded, entry.Detail = why, detail
			s.cover(entry)
		}
	default:
		s.included(f)
	}
	if f.Partial && len(hunks) > 0 {
		unread := debate.Coverage{Path: f.Path(), Side: debate.Right, Excluded: cmp.Or(why, debate.Unreadable)}
		unread.Detail = cmp.Or(detail, strings.Join(moved(f), ", ")+", only some of its lines are at hand")
		s.cover(unread)
	}
}

// included makes segments of the hunks of a file to read.
func (s *splitter) included(f *patch.File) {
	var md *markdownFile
	// MDX is not CommonMark: it has code that runs.
	isMarkdown := slices.Contains([]string{".md", ".markdown", ".mdown", ".mkdn", ".mkd"}, strings.ToLower(path.Ext(f.Path())))
	if f.Kind == patch.Text && isMarkdown {
		md = s.readMarkdown(f)
	}
	first := len(s.res.Segments)
	for i, h := range f.Hunks {
		entry := hunkEntry(f, h)
		if i == 0 { // once
			entry.Detail = strings.Join(moved(f), ", ")
		}
		if !changes(h.Lines) && !f.Unfolded {
			entry.Excluded = debate.NoContent
		}
		c := s.cover(entry)
		switch {
		case entry.Excluded != debate.NotExcluded:
		case md != nil:
			s.markdownHunk(f, h, md, c)
		default:
			seg := debate.Segment{
				Kind: debate.CodeSegment, Source: debate.FromDiff, Path: entry.Path, Side: entry.Side,
				StartLine: entry.StartLine, EndLine: entry.EndLine,
			}
			if seg.Side == debate.Right {
				seg.BaseStart, seg.BaseEnd = extent(h.Lines, debate.Left)
			}
			s.code(seg, h.Lines, c)
		}
	}
	if md != nil {
		s.newProposal(f, md, first)
	}
}

// maxParts bounds the parts of a change listed one by one. A record, and its readers, have room for
// several times as many.
const maxParts = 20_000

// listed returns the hunks of a file that are parts of their own: all, or none if the parts before
// leave no room and the file is one part.
func listed(before int, f *patch.File) []*patch.Hunk {
	if before+len(f.Hunks) > maxParts {
		return nil
	}
	return f.Hunks
}

// code appends a code segment of diff lines.
func (s *splitter) code(seg debate.Segment, lines []patch.Line, c int) {
	n := s.segment(seg, hashLines(lines))
	s.res.Coverage[c].Segments = append(s.res.Coverage[c].Segments, s.res.Segments[n].ID)
	s.pieces = append(s.pieces, piece{segment: n, coverage: c, bytes: rendered(seg.Path, lines)})
}

// rendered estimates the bytes of a segment in a packet.
func rendered(path string, lines []patch.Line) int {
	size := segmentOverhead + len(path)
	for _, l := range lines {
		size += lineOverhead + len(l.Text)
	}
	return size
}

// hunkEntry returns the ledger entry of a hunk: its lines at head, or at base if it has none at
// head.
func hunkEntry(f *patch.File, h *patch.Hunk) debate.Coverage {
	c := debate.Coverage{Path: f.Path(), Side: debate.Right, StartLine: h.NewStart, EndLine: h.NewStart + h.NewLines - 1}
	if h.NewLines == 0 {
		c.Side, c.StartLine, c.EndLine = debate.Left, h.OldStart, h.OldStart+h.OldLines-1
	}
	for _, l := range h.Lines {
		switch l.Op {
		case '+':
			c.Additions++
		case '-':
			c.Deletions++
		}
	}
	return c
}

// wholeFile returns the ledger entry of a file as one part, always with a reason why its lines are
// not reviewed.
func (s *splitter) wholeFile(f *patch.File, why debate.Exclusion, detail string) debate.Coverage {
	c := debate.Coverage{Path: f.Path(), Side: debate.Right, Additions: f.Additions, Deletions: f.Deletions}
	if f.NewPath == "" {
		c.Side = debate.Left
	}
	if why == debate.NotExcluded {
		did := moved(f)
		switch f.Status {
		case patch.Added:
			did = append([]string{"empty file added"}, did...)
		case patch.Deleted:
			did = []string{"empty file deleted"}
		}
		why, detail = debate.NoContent, strings.Join(did, ", ")
		if content, ok := s.in.Change.Blob(f.NewPath, debate.Right); f.Status == patch.Renamed && (!ok || len(content) > 0) {
			why, detail = debate.OnlyRenamed, strings.TrimPrefix(detail, "renamed ")
			if s.in.Required {
				why, detail = debate.Unreadable, "only renamed, "+detail
			}
		}
	}
	c.Excluded, c.Detail = why, detail
	return c
}

// moved describes the changes of a file's name and mode.
func moved(f *patch.File) []string {
	var did []string
	switch f.Status {
	case patch.Renamed:
		did = append(did, "renamed from "+f.OldPath)
	case patch.Copied:
		did = append(did, "copied from "+f.OldPath)
	}
	executable := f.NewMode&0o111 != 0
	switch {
	case f.OldMode == 0 && executable: // nothing else shows that it is executable
		did = append(did, "mode "+octal(f.NewMode))
	case f.OldMode != f.NewMode && min(f.OldMode, f.NewMode) > 0:
		did = append(did, "mode "+octal(f.OldMode)+" to "+octal(f.NewMode))
	}
	return did
}

func octal(mode uint32) string { return strconv.FormatUint(uint64(mode), 8) }

// hashLines returns the SHA-256 of the changed lines, in hex, each with its sign.
func hashLines(lines []patch.Line) string {
	sum := sha256.New()
	var buf []byte
	for _, l := range lines {
		if l.Op == ' ' {
			continue
		}
		buf = append(append(append(buf[:0], l.Op), l.Text...), '\n')
		if l.NoEOL {
			buf = append(buf, '\\', '\n')
		}
		sum.Write(buf)
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// hashText returns the SHA-256 of a text, in hex.
func hashText(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}
