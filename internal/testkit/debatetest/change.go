package debatetest

import (
	_ "embed" // the default change
	"maps"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/outline"
	"github.com/prdebate/debate/internal/patch"
	"github.com/prdebate/debate/internal/segment"
)

//go:embed testdata/cart.diff
var cartDiff string

// Cart is the change of a world that brings none: a shop's cart with a loop that
// runs one too far (cart.go:12), a card number in a log (cart.go:16), a counter
// that nobody reads (cart.go:23) and one replica instead of three
// (deploy/app.yml:5).
func Cart() *Change { return NewChange(cartDiff, "", nil) }

// Change is a parsed change in which citations are looked up as the engine does
// it.
type Change struct {
	set   *patch.Set
	index *patch.Index
	heads map[string]string // whole files at head
	body  string            // text of the pull request
}

// NewChange reads a unified diff, the text of its pull request, and whole files
// at head by their path.
func NewChange(diff, body string, heads map[string]string) *Change {
	set := patch.Parse([]byte(diff), nil)
	return &Change{set: set, index: patch.NewIndex(set), heads: heads, body: body}
}

// shown is a question in the place of a change: the text of the pull request asks
// it, and the files at head are what it shows.
func (c *Change) shown() *Change {
	set := &patch.Set{}
	for _, path := range slices.Sorted(maps.Keys(c.heads)) {
		set.Files = append(set.Files, patch.Shown(path, c.heads[path]))
	}
	return &Change{set: set, index: patch.NewIndex(set), body: c.body}
}

func (c *Change) blob(path string, side debate.Side) ([]byte, bool) {
	text, ok := c.heads[path]
	return []byte(text), ok && side == debate.Right
}

// split splits the change as a run does; a chunk holds at most chunkBytes, or
// everything if that is 0.
func (c *Change) split(r debate.Received, chunkBytes int) debate.SplitDone {
	var res segment.Result
	if r.Inquiry != nil {
		res = segment.Question(c.body, c.set)
	} else {
		res = segment.Split(segment.Input{
			Change: patch.Change{
				Set: c.set, Blob: c.blob, BaseHas: func(string) bool { return false },
			},
			Title: r.Anchor.Title, Body: c.body, Target: r.Target, ChunkBytes: chunkBytes,
		})
	}
	return res.SplitDone
}

// Cite cites lines of the head side and quotes them as they stand there.
func (c *Change) Cite(path string, first, last int) debate.Ref {
	var quote []string
	for line := first; line <= last; line++ {
		text, _ := c.index.Line(path, debate.Right, line)
		quote = append(quote, text)
	}
	return debate.Ref{Citation: debate.Citation{
		Path: path, Side: debate.Right, StartLine: first, EndLine: last, Quote: strings.Join(quote, "\n"),
	}}
}

// resolve fills in what every reference of a reply was found to be (A03).
func (c *Change) resolve(reply *debate.Reply) {
	for _, refs := range refsOf(reply) {
		for i := range refs {
			ref := &refs[i]
			ref.Found = debate.Found{}
			if ref.RunRef == "" {
				c.look(ref)
			}
		}
	}
}

// look finds one citation in the diff, else in the file at head or in the text
// of the pull request. Where the quote stands, the frozen lines replace it.
func (c *Change) look(ref *debate.Ref) {
	cite, index := ref.Citation, c.index
	if cite.Path == debate.BodyPath {
		cite.Path = "text" // no line of it is one of the diff
		index = whole(cite.Path, c.body)
	}
	if text := c.named(cite); text != "" {
		ref.Found = debate.Found{OK: true, Text: text}
		c.stand(ref)
		return
	}
	m := index.Quote(cite)
	if head, ok := c.heads[cite.Path]; !m.OK && ok && cite.Side == debate.Right {
		index = whole(cite.Path, head)
		m = index.Quote(cite)
	}
	if !m.OK {
		_, atHead := c.heads[ref.Path]
		ref.Found.Why, ref.Found.NoFile = m.Reason, ref.Path != "" && ref.Path != debate.BodyPath && !atHead && !c.index.Has(ref.Path)
		cite.Quote = ""
		ref.Found.Text = c.named(cite)
		return
	}
	ref.StartLine, ref.EndLine = m.StartLine, m.EndLine
	var quote []string
	for line := m.StartLine; line <= m.EndLine; line++ {
		text, _ := index.Line(cite.Path, cite.Side, line)
		quote = append(quote, text)
	}
	ref.Quote = strings.Join(quote, "\n")
	ref.Found.OK, ref.Found.Reanchored = true, m.Reanchored
	if ref.Path != debate.BodyPath {
		c.stand(ref)
	}
}

// named returns the lines of the diff that a citation names without quoting them.
func (c *Change) named(cite debate.Citation) string {
	if strings.TrimSpace(cite.Quote) != "" {
		return ""
	}
	var lines []string
	for line := cite.StartLine; line <= cite.EndLine; line++ {
		text, ok := c.index.Line(cite.Path, cite.Side, line)
		if !ok {
			return ""
		}
		lines = append(lines, text)
	}
	return strings.Join(lines, "\n")
}

// stand says of lines that are there what they are to the change.
func (c *Change) stand(ref *debate.Ref) {
	f := &ref.Found
	var o *outline.Outline
	if head, ok := c.heads[ref.Path]; ok && ref.Side == debate.Right {
		o = outline.Of(ref.Path, 1, strings.Split(head, "\n"))
	} else {
		first, lines := c.index.Around(ref.Path, ref.Side, ref.StartLine)
		o = outline.Of(ref.Path, first, lines)
	}
	for line := ref.StartLine; line <= ref.EndLine; line++ {
		_, inHunk := c.index.Line(ref.Path, ref.Side, line)
		f.InHunk = f.InHunk || inHunk
		f.Changed = f.Changed || c.index.Changed(ref.Path, ref.Side, line)
		if o.Code(line) {
			f.Code = f.Code.With(line - ref.StartLine)
		}
	}
	f.DeclStart, f.DeclEnd = o.Declaration(ref.StartLine)
}

// whole indexes a text as if a diff showed all of it.
func whole(path, text string) *patch.Index {
	hunk := &patch.Hunk{}
	for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		hunk.Lines = append(hunk.Lines, patch.Line{Op: ' ', New: i + 1, Text: line})
	}
	return patch.NewIndex(&patch.Set{Files: []*patch.File{{NewPath: path, Hunks: []*patch.Hunk{hunk}}}})
}

// refsOf lists the references of all parts of a reply.
func refsOf(r *debate.Reply) [][]debate.Ref {
	var all [][]debate.Ref
	for i := range r.Claims {
		all = append(all, r.Claims[i].Refs)
	}
	for i := range r.Repairs {
		all = append(all, r.Repairs[i].Refs)
	}
	for i := range r.Carried {
		all = append(all, r.Carried[i].Refs)
	}
	for i := range r.Evaluations {
		all = append(all, r.Evaluations[i].Refs)
	}
	for i := range r.Checked {
		all = append(all, r.Checked[i].Refs)
	}
	for i := range r.Critical {
		all = append(all, r.Critical[i].Refs)
	}
	for i := range r.Questions {
		for j := range r.Questions[i].Critical {
			all = append(all, r.Questions[i].Critical[j].Refs)
		}
	}
	if r.Strongest != nil {
		all = append(all, r.Strongest.Refs)
	}
	for i := range r.Answers {
		all = append(all, r.Answers[i].Refs, amended(r.Answers[i].Amend))
	}
	return all
}

func amended(a *debate.Amend) []debate.Ref {
	if a == nil {
		return nil
	}
	return a.Refs
}
