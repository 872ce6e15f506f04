package engine

import (
	"bytes"
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/outline"
	"github.com/prdebate/debate/internal/patch"
	"github.com/prdebate/debate/internal/prompt"
)

// The bounds of what the citations of one reply cost.
const (
	maxRefs   = 400      // citations
	maxRead   = 32 << 20 // bytes of the searched lines and files
	maxFound  = 1 << 20  // bytes of the found lines
	maxWindow = 4_000    // lines of a text, for one citation
	reach     = 3        // lines before and after the cited ones, as in patch.Index.Quote (A03)
)

// The reasons for a citation without a search, or without its lines.
const (
	tooMany  = "the reply cites more than can be looked up"
	tooLarge = "the reply cites more lines than can be kept"
	noFile   = "the change has no file of this name, and no look showed one"
)

// resolver looks up the citations of replies in the frozen diff, in the files of the change
// at head, and in the text of the pull request.
type resolver struct {
	index    *patch.Index
	seen     *patch.Index // other lines, as they were shown to the party
	blob     func(path string, side debate.Side) ([]byte, bool)
	heads    map[string]bool   // head paths of the changed files
	bases    map[string]string // base paths of the changed files, by Path and by themselves
	anchor   debate.Anchor
	packet   *prompt.Packet                // the form in which models got paths and lines
	read     int                           // bytes searched for the citations of this reply
	outlines map[outlined]*outline.Outline // of the files cited so far
}

func newResolver(change patch.Change, index *patch.Index, anchor debate.Anchor, packet *prompt.Packet) *resolver {
	s := &resolver{
		index: index, seen: patch.NewIndex(&patch.Set{}), blob: change.Blob, anchor: anchor, packet: packet,
		heads: make(map[string]bool), bases: make(map[string]string), outlines: make(map[outlined]*outline.Outline),
	}
	for _, f := range change.Set.Files {
		if f.NewPath != "" && f.Kind == patch.Text {
			s.heads[f.NewPath] = true
		}
		if f.OldPath != "" && f.Kind == patch.Text {
			s.bases[f.Path()] = f.OldPath
		}
	}
	for _, base := range slices.Collect(maps.Values(s.bases)) {
		s.bases[base] = base // the old name of a file means this file
	}
	return s
}

// resolve fills in Found of every reference of a reply (A03). If the quote is found, the
// citation gets the frozen lines. If it has no quote and names lines of the diff, they are
// in Found.
func (s *resolver) resolve(reply *debate.Reply) {
	left := maxFound
	s.read = 0
	for i, ref := range refsOf(reply) {
		ref.Found = debate.Found{}
		switch {
		case ref.Path == "" && ref.RunRef != "":
			// The reducer looks for it among the check runs (R147).
		case i >= maxRefs, s.read > maxRead:
			ref.Found.Why = tooMany
		default:
			ref.Path = s.named(ref.Path)
			cite, found := s.lookUp(ref.Citation, left)
			left -= len(found.Text)
			if found.OK {
				ref.Citation = cite
				left -= len(cite.Quote)
			}
			ref.Found = found
		}
	}
}

// lookUp finds the citation of a party. It keeps at most left bytes of lines.
func (s *resolver) lookUp(asked debate.Citation, left int) (debate.Citation, debate.Found) {
	asked.Side = cmp.Or(asked.Side, debate.Right)
	cite := asked
	cite.Path = s.index.Name(s.packet.RawPath(cite.Path), cite.Side)
	found := debate.Found{}
	if strings.TrimSpace(cite.Quote) == "" {
		cite.Quote = ""
		found = s.place(cite)
	}
	if !found.OK {
		quoted := cite
		cite, found = s.look(cite)
		if m := s.seen.Quote(asked); !found.OK && m.OK {
			cite, found = s.cited(s.seen, asked, m)
		}
		if !found.OK { // a changed line: the party forgot or mistook its side
			other := asked
			if other.Side = debate.Left; asked.Side == debate.Left {
				other.Side = debate.Right
			}
			other.Path = s.index.Name(s.packet.RawPath(asked.Path), other.Side)
			if m := s.index.QuoteShown(other, s.packet.Line); m.OK {
				if changed, at := s.cited(s.index, other, m); at.Changed {
					cite, found = changed, at
				}
			}
		}
		switch {
		case found.OK:
		case !s.known(quoted.Path):
			found = debate.Found{Why: noFile, NoFile: true}
		case quoted.Quote != "": // its owner gets the lines of the cited place (M03b)
			quoted.Quote = ""
			found.Text = s.place(quoted).Text
		}
	}
	if found.OK {
		cite, found = s.atTheHead(cite, found)
	}
	switch {
	case found.OK && len(cite.Quote)+len(found.Text) > left:
		found = debate.Found{Why: tooLarge}
	case len(found.Text) > left:
		found.Text = ""
	}
	return cite, found
}

// named is a path without the prefix that a shell or a diff adds, if only then it means a file.
func (s *resolver) named(path string) string {
	for _, prefix := range []string{"./", "/", "a/", "b/"} {
		if as, cut := strings.CutPrefix(path, prefix); cut && as != "" && !s.known(s.packet.RawPath(path)) && s.known(s.packet.RawPath(as)) {
			return as
		}
	}
	return path
}

// known reports whether the change or a shown text has a file with this path.
func (s *resolver) known(path string) bool {
	return slices.Contains([]string{"", debate.BodyPath, debate.IssuePath}, path) || s.index.Has(path) || s.seen.Has(path)
}

// atTheHead moves a citation of the base to the head if the head still has its lines, as
// GitHub does.
func (s *resolver) atTheHead(c debate.Citation, found debate.Found) (debate.Citation, debate.Found) {
	if c.Side != debate.Left {
		return c, found
	}
	first, last, kept := s.index.Kept(c.Path, c.StartLine, c.EndLine)
	if !kept {
		return c, found
	}
	c.Path, c.Side, c.StartLine, c.EndLine = s.index.Head(c.Path, c.Side), debate.Right, first, last
	at := s.describe(c)
	at.Reanchored, at.Text = found.Reanchored, found.Text
	return c, at
}

// look finds one citation, and returns it with its place and its frozen lines if the finding
// is OK.
func (s *resolver) look(c debate.Citation) (debate.Citation, debate.Found) {
	if c.Path == debate.BodyPath {
		return s.lookInText(c)
	}
	s.read += s.size(c)
	in, m := s.index, s.index.QuoteShown(c, s.packet.Line)
	if !m.OK {
		if content, ok := s.whole(c); ok {
			s.read += len(content)
			in = window(content, c)
			m = in.QuoteShown(c, s.packet.Line)
		}
	}
	if !m.OK {
		return c, debate.Found{OK: false, Why: m.Reason}
	}
	return s.cited(in, c, m)
}

// cited is a citation with its found place, its lines and their relation to the change.
func (s *resolver) cited(in *patch.Index, c debate.Citation, m patch.Match) (debate.Citation, debate.Found) {
	c = frozen(in, c, m)
	found := s.describe(c)
	found.Reanchored = m.Reanchored
	return c, found
}

// placed bounds the lines of a citation without a quote.
const placed = 20

// place finds the lines of the diff for a citation without a quote.
func (s *resolver) place(c debate.Citation) debate.Found {
	if c.Path == debate.BodyPath || c.StartLine < 1 || c.EndLine-c.StartLine >= placed {
		return debate.Found{}
	}
	s.read += s.size(c)
	var lines []string
	for line := c.StartLine; line <= c.EndLine; line++ {
		text, ok := s.index.Line(c.Path, c.Side, line)
		if !ok {
			return debate.Found{}
		}
		lines = append(lines, text)
	}
	c.Quote = strings.Join(lines, "\n")
	if strings.TrimSpace(c.Quote) == "" {
		return debate.Found{}
	}
	found := s.describe(c)
	found.Text = c.Quote
	return found
}

// describe returns the relation of found lines to the change and to its declarations.
func (s *resolver) describe(c debate.Citation) debate.Found {
	found := debate.Found{OK: true, Copies: s.index.Copies(c)}
	for line := c.StartLine; line <= c.EndLine; line++ {
		_, inHunk := s.index.Line(c.Path, c.Side, line)
		found.InHunk = found.InHunk || inHunk
		found.Changed = found.Changed || s.index.Changed(c.Path, c.Side, line)
	}
	o := s.outline(c)
	for i := range min(c.EndLine-c.StartLine+1, 64) {
		if o.Code(c.StartLine + i) {
			found.Code = found.Code.With(i)
		}
	}
	found.DeclStart, found.DeclEnd = o.Declaration(c.StartLine)
	return found
}

// maxOutlined is the largest file with an outline of its own, in bytes.
const maxOutlined = 1 << 20

// outlined names a hunk, or a whole file at line 0.
type outlined struct {
	side debate.Side
	path string
	line int
}

// outline returns the outline of the cited file. If the file is too large or not at hand,
// it is the outline of the hunk.
func (s *resolver) outline(c debate.Citation) *outline.Outline {
	whole := outlined{side: c.Side, path: c.Path}
	if _, known := s.outlines[whole]; !known {
		s.outlines[whole] = nil
		if content, ok := s.whole(c); ok && len(content) <= maxOutlined {
			s.outlines[whole] = outline.Of(c.Path, 1, strings.Split(string(content), "\n"))
		}
	}
	if o := s.outlines[whole]; o != nil {
		return o
	}
	first, lines := s.index.Around(c.Path, c.Side, c.StartLine)
	if first == 0 { // the lines of looks grow, so their outline is not kept
		first, lines = s.seen.Around(c.Path, c.Side, c.StartLine)
		return outline.Of(c.Path, first, lines)
	}
	hunk := outlined{c.Side, c.Path, first}
	if s.outlines[hunk] == nil {
		s.outlines[hunk] = outline.Of(c.Path, first, lines)
	}
	return s.outlines[hunk]
}

// whole returns the changed file of a citation, at its side.
func (s *resolver) whole(c debate.Citation) ([]byte, bool) {
	base, changed := s.bases[c.Path]
	switch {
	case c.Side == debate.Right && s.heads[c.Path]:
		return s.blob(c.Path, debate.Right)
	case c.Side == debate.Left && changed:
		return s.blob(base, debate.Left)
	}
	return nil, false
}

// size is the part of the diff that is searched for a citation, in bytes.
func (s *resolver) size(c debate.Citation) (bytes int) {
	for line := max(1, c.StartLine-reach); line <= min(c.EndLine, c.StartLine+maxWindow)+reach; line++ {
		text, _ := s.index.Line(c.Path, c.Side, line)
		bytes += len(text)
	}
	return bytes
}

// titleLine is the line number of the title of a pull request, before the first line of the
// text.
const titleLine = 0

// lookInText finds a citation of the text of the pull request or of its title.
func (s *resolver) lookInText(c debate.Citation) (debate.Citation, debate.Found) {
	text, isTitle := s.anchor.Intent, c.StartLine == titleLine
	c.Path, c.Side = "text", debate.Right // no line of the text is one of the diff
	if isTitle {
		text, c.StartLine, c.EndLine = s.anchor.Title, 1, 1
	}
	s.read += len(text)
	in := window([]byte(text), c)
	m := in.QuoteShown(c, s.packet.Line)
	if !m.OK {
		return c, debate.Found{Why: m.Reason}
	}
	cite := frozen(in, c, m)
	cite.Path = debate.BodyPath
	if isTitle {
		cite.StartLine, cite.EndLine = titleLine, titleLine
	}
	return cite, debate.Found{OK: true, Reanchored: m.Reanchored}
}

// frozen is a citation with its found place and lines.
func frozen(in *patch.Index, c debate.Citation, m patch.Match) debate.Citation {
	c.StartLine, c.EndLine = m.StartLine, m.EndLine
	lines := make([]string, 0, m.EndLine-m.StartLine+1)
	for line := m.StartLine; line <= m.EndLine; line++ {
		text, _ := in.Line(c.Path, c.Side, line)
		lines = append(lines, text)
	}
	c.Quote = strings.Join(lines, "\n")
	return c
}

// window indexes the lines of a text around a citation like lines of a diff, so that the
// same rule finds a quote in both.
func window(content []byte, c debate.Citation) *patch.Index {
	hunk := &patch.Hunk{}
	number := 0
	for line := range bytes.Lines(content) {
		number++
		if number-reach > c.EndLine || len(hunk.Lines) == maxWindow {
			break
		}
		if number+reach >= c.StartLine {
			at := patch.Line{Op: ' ', New: number, Text: string(bytes.TrimSuffix(line, []byte("\n")))}
			if c.Side == debate.Left {
				at.Old, at.New = at.New, 0
			}
			hunk.Lines = append(hunk.Lines, at)
		}
	}
	return patch.NewIndex(&patch.Set{Files: []*patch.File{{OldPath: c.Path, NewPath: c.Path, Hunks: []*patch.Hunk{hunk}}}})
}
