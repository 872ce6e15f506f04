package engine

import (
	"bytes"
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/outline"
	"github.com/prdebate/debate/internal/patch"
)

// The bounds of what the citations of one reply cost.
const (
	maxRefs   = 400      // that are looked up
	maxRead   = 32 << 20 // bytes of the lines and files that they are looked up in
	maxFound  = 1 << 20  // bytes of the lines that they are replaced by
	maxWindow = 4_000    // lines of a text that one citation is looked up in
	reach     = 3        // lines around the cited ones where patch.Index.Quote looks (A03)
)

// Why a citation is not looked up, or its lines are not kept.
const (
	tooMany  = "the reply cites more than can be looked up"
	tooLarge = "the reply cites more lines than can be kept"
	noFile   = "the change has no file of this name, and no look showed one"
)

// resolver looks up what replies cite in what was frozen: the diff, the files of
// the change at head, the text of the pull request.
type resolver struct {
	index    *patch.Index
	beyond   *patch.Index // lines of other files that were shown
	seen     *patch.Index // lines that the party may have looked at, as they were shown
	blob     func(path string, side debate.Side) ([]byte, bool)
	heads    map[string]bool   // head paths of the changed files
	bases    map[string]string // base paths of the changed files, by Path and by themselves
	odd      []string          // paths that are not UTF-8
	anchor   debate.Anchor
	original func(debate.Citation) debate.Citation // from the text that parties see to the frozen one
	read     int                                   // bytes that the citations of this reply were looked up in
	outlines map[outlined]*outline.Outline         // of the files that were cited so far
}

func newResolver(change patch.Change, index *patch.Index, anchor debate.Anchor, original func(debate.Citation) debate.Citation) *resolver {
	s := &resolver{index: index, beyond: patch.NewIndex(&patch.Set{}), seen: patch.NewIndex(&patch.Set{}), blob: change.Blob, heads: make(map[string]bool), bases: make(map[string]string), anchor: anchor, original: original, outlines: make(map[outlined]*outline.Outline)}
	for _, f := range change.Set.Files {
		if f.NewPath != "" && f.Kind == patch.Text {
			s.heads[f.NewPath] = true
		}
		if f.OldPath != "" && f.Kind == patch.Text {
			s.bases[f.Path()] = f.OldPath
		}
	}
	for _, base := range slices.Collect(maps.Values(s.bases)) {
		s.bases[base] = base // a name means the file that had it
	}
	s.noteOdd(change.Set)
	return s
}

// show takes the lines of other files that are shown beside the change.
func (s *resolver) show(set *patch.Set) {
	s.beyond = patch.NewIndex(set)
	s.noteOdd(set)
}

// noteOdd notes the paths of files that a record cannot write as they are.
func (s *resolver) noteOdd(set *patch.Set) {
	for _, f := range set.Files {
		for _, path := range []string{f.OldPath, f.NewPath} {
			if !utf8.ValidString(path) {
				s.odd = append(s.odd, path)
			}
		}
	}
}

// resolve fills in what every reference of a reply was found to be (A03, S17).
// Where its quote stands, the citation becomes the frozen lines themselves; where
// it quotes nothing and names lines of the diff, they stand beside it.
func (s *resolver) resolve(reply *debate.Reply) {
	left := maxFound
	s.read = 0
	for i, ref := range refsOf(reply) {
		ref.Found = debate.Found{}
		switch {
		case citesRun(*ref):
			// The reducer looks for it among the check runs (S12).
		case s.isSpent(i):
			ref.Found.Why = tooMany
		default:
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

// citesRun reports whether a check run is cited, and no line of the change.
func citesRun(ref debate.Ref) bool { return ref.Path == "" && ref.RunRef != "" }

// isSpent reports whether the n-th citation of a reply is one too many.
func (s *resolver) isSpent(n int) bool { return n >= maxRefs || s.read > maxRead }

// lookUp finds a citation as a party made it. No more than left bytes of lines are
// kept.
func (s *resolver) lookUp(asked debate.Citation, left int) (debate.Citation, debate.Found) {
	asked.Side = cmp.Or(asked.Side, debate.Right)
	named := asked
	named.Path = s.index.Name(named.Path, named.Side)
	cite := s.original(named)
	cite.Path = s.index.Name(cite.Path, cite.Side)
	found := debate.Found{}
	if strings.TrimSpace(cite.Quote) == "" {
		cite.Quote = ""
		found = s.place(cite)
	}
	if !found.OK {
		quoted := cite
		cite, found = s.look(cite)
		if !found.OK {
			cite, found = s.lookAtSeen(asked, cite, found)
		}
		switch {
		case found.OK:
		case s.unknown(asked.Path):
			found = debate.Found{Why: noFile, NoFile: true}
		case quoted.Quote != "": // its owner is told what stands there (M03b)
			found.Text = s.textAt(quoted)
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

// unknown reports whether no file that the change has or that was shown is called by a path.
func (s *resolver) unknown(path string) bool {
	known := func(name string) bool { return s.index.Has(name) || s.beyond.Has(name) || s.seen.Has(name) }
	noFile := []string{"", debate.BodyPath, debate.IssuePath}
	return !slices.Contains(noFile, path) && !slices.ContainsFunc(s.named(path), known)
}

// atTheHead cites lines of the base that the head has too as those of the head, as GitHub
// does.
func (s *resolver) atTheHead(c debate.Citation, found debate.Found) (debate.Citation, debate.Found) {
	if c.Side != debate.Left {
		return c, found
	}
	first, last, kept := s.index.Kept(c.Path, c.StartLine, c.EndLine)
	if !kept {
		return c, found
	}
	c.Path, c.Side, c.StartLine, c.EndLine = s.index.Head(c.Path, c.Side), debate.Right, first, last
	at := s.standing(c)
	at.Reanchored, at.Text = found.Reanchored, found.Text
	return c, at
}

// look finds one citation. The one it returns has the place and the frozen
// lines; it means nothing unless the finding is OK.
func (s *resolver) look(c debate.Citation) (debate.Citation, debate.Found) {
	if c.Path == debate.BodyPath {
		return s.lookInText(c)
	}
	s.read += s.size(c)
	in, m := s.index, s.index.Quote(c)
	if !m.OK {
		if content, ok := s.whole(c); ok {
			s.read += len(content)
			in = window(content, c)
			m = in.Quote(c)
		}
	}
	if !m.OK {
		if beyond := s.beyond.Quote(c); beyond.OK {
			in, m = s.beyond, beyond
		}
	}
	if !m.OK {
		return c, debate.Found{OK: false, Why: m.Reason}
	}
	c = frozen(in, c, m)
	found := s.standing(c)
	found.Reanchored = m.Reanchored
	return c, found
}

// lookAtSeen finds a citation of lines that were looked at. They are cited as they were
// shown; otherwise stays what was found.
func (s *resolver) lookAtSeen(asked, cite debate.Citation, otherwise debate.Found) (debate.Citation, debate.Found) {
	m := s.seen.Quote(asked)
	if !m.OK {
		return cite, otherwise
	}
	asked = frozen(s.seen, asked, m)
	found := s.standing(asked)
	found.Reanchored = m.Reanchored
	return asked, found
}

// placed is how many lines a place may have that is named without a quote.
const placed = 20

// place finds the lines of the diff that a citation names without quoting them.
func (s *resolver) place(c debate.Citation) debate.Found {
	if c.Path == debate.BodyPath || c.StartLine < 1 || c.EndLine-c.StartLine >= placed {
		return debate.Found{}
	}
	s.read += s.size(c)
	lines, shown := linesOf(s.index, c)
	if !shown || isBlank(lines) {
		return debate.Found{}
	}
	c.Quote = strings.Join(lines, "\n")
	found := s.standing(c)
	found.Text = asRecorded(c.Quote)
	return found
}

// isBlank reports whether some lines hold nothing.
func isBlank(lines []string) bool { return strings.TrimSpace(strings.Join(lines, "")) == "" }

// textAt returns the lines of the diff where a citation points, whatever it quotes.
func (s *resolver) textAt(c debate.Citation) string {
	c.Quote, c.Side = "", cmp.Or(c.Side, debate.Right)
	return s.place(c).Text
}

// standing says of lines that are there what they are to the change.
func (s *resolver) standing(c debate.Citation) debate.Found {
	found := debate.Found{OK: true, Commentable: s.index.Commentable(c.Path, c.Side, c.StartLine, c.EndLine), Copies: s.index.Copies(c)}
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

// maxOutlined is how large a file may be to be outlined whole, in bytes.
const maxOutlined = 1 << 20

// outlined names a hunk, or a whole file at line 0.
type outlined struct {
	side debate.Side
	path string
	line int
}

// outline returns what is known of the lines around a citation: of the whole file,
// and where that is not at hand or is too large, of the hunk.
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
	if first == 0 {
		first, lines = s.beyond.Around(c.Path, c.Side, c.StartLine)
	}
	if first == 0 { // what was looked at grows, and is outlined as it is now
		first, lines = s.seen.Around(c.Path, c.Side, c.StartLine)
		return outline.Of(c.Path, first, lines)
	}
	hunk := outlined{c.Side, c.Path, first}
	if s.outlines[hunk] == nil {
		s.outlines[hunk] = outline.Of(c.Path, first, lines)
	}
	return s.outlines[hunk]
}

// whole returns the changed file that a citation is about, at its side.
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

// size is how much of the diff is read to find a citation, in bytes.
func (s *resolver) size(c debate.Citation) (bytes int) {
	for line := max(1, c.StartLine-reach); line <= min(c.EndLine, c.StartLine+maxWindow)+reach; line++ {
		text, _ := s.index.Line(c.Path, c.Side, line)
		bytes += len(text)
	}
	return bytes
}

// titleLine is where the title of a pull request is cited: it stands before the
// first line of the text.
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
	m := in.Quote(c)
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

// frozen is a citation with the place where it was found and the lines there.
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

// window indexes the lines of a text around a citation as if a diff showed them,
// so that one rule decides what a quote is.
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

// linesOf returns the lines of a citation, if all of them are in the index.
func linesOf(in *patch.Index, c debate.Citation) ([]string, bool) {
	var lines []string
	for line := c.StartLine; line <= c.EndLine; line++ {
		text, ok := in.Line(c.Path, c.Side, line)
		if !ok {
			return nil, false
		}
		lines = append(lines, text)
	}
	return lines, true
}

// named lists the paths that a record writes in this way.
func (s *resolver) named(recorded string) []string {
	alike := lists.Keep(s.odd, func(path string) bool { return asRecorded(path) == recorded })
	return append([]string{recorded}, alike...)
}

// asRecorded is a text as a record gives it back: JSON has no bytes that are not UTF-8.
func asRecorded(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	return string([]rune(text))
}
