package segment

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lazyregexp"
)

// maxDocument bounds the text read as one Markdown document, in bytes. GitHub's own limit for the
// text of a pull request is a quarter of it.
const maxDocument = 256 << 10

// maxHeading bounds a displayed heading, in bytes.
const maxHeading = 200

// document is a Markdown text by lines, with the fence and the signal section of each.
type document struct {
	marks    []mark // line n is marks[n-1]
	sections []section
	hasText  bool // outside headings, fences and comments
	text     string
}

// mark is the role of one line.
type mark struct {
	kind    debate.SegmentKind
	section int // number of the section around the line, from 1; 0 outside
	fence   int // number of the fence, from 1; 0 outside
}

// section is the text under one signal heading, with the heading.
type section struct {
	start, end int // lines, inclusive
	heading    string
}

// at returns the mark of a line. A line outside the document is context.
func (d *document) at(line int) mark {
	if line < 1 || line > len(d.marks) {
		return mark{kind: debate.ContextSegment}
	}
	return d.marks[line-1]
}

// heading returns the heading of the section around a line, even in a fence, or "".
func (d *document) heading(m mark) string {
	if m.section == 0 {
		return ""
	}
	return d.sections[m.section-1].heading
}

// readDocument reads a Markdown text with a CommonMark parser. It finds sections only if the text
// may be a proposal, fences always.
func readDocument(src string, proposal bool) document {
	flat := flatten(src)
	var starts []int // the byte offset of each line; a final newline starts no further one
	at := 0
	for line := range bytes.Lines(flat) {
		starts = append(starts, at)
		at += len(line)
	}
	d := document{marks: make([]mark, len(starts)), text: src}
	for i := range d.marks {
		d.marks[i].kind = debate.ContextSegment
	}
	if !proposal && !fenceMark().MatchString(src) {
		return d
	}
	root := parseBlocks(flat)
	r := reader{src: flat, starts: starts}
	if proposal {
		d.sections = r.sections(root)
		for n := root.FirstChild(); n != nil && !d.hasText; n = n.NextSibling() {
			d.hasText = r.saysSomething(n)
		}
		for i, s := range d.sections {
			for n := s.start; n <= s.end; n++ {
				d.marks[n-1] = mark{kind: debate.ProposalSegment, section: i + 1}
			}
		}
	}
	fences := r.fences(root)
	for i, f := range fences {
		for n := f.start; n <= f.end; n++ {
			d.marks[n-1].kind, d.marks[n-1].fence = debate.CodeSegment, i+1
		}
	}
	return d
}

// whole makes one section, without a heading, of the whole document.
func (d *document) whole() {
	d.sections = []section{{start: 1, end: len(d.marks)}}
	for i := range d.marks {
		d.marks[i].section = 1
		if d.marks[i].kind == debate.ContextSegment {
			d.marks[i].kind = debate.ProposalSegment
		}
	}
}

// reader turns positions of the parser's tree into lines.
type reader struct {
	src    []byte
	starts []int
}

// line returns the number of the line with the byte at pos.
func (r *reader) line(pos int) int {
	n, _ := slices.BinarySearch(r.starts, pos+1)
	return max(n, 1)
}

// lineText returns line n without its newline.
func (r *reader) lineText(n int) string {
	end := len(r.src)
	if n < len(r.starts) {
		end = r.starts[n]
	}
	return strings.TrimRight(string(r.src[r.starts[n-1]:end]), "\r\n")
}

// fences lists the fenced code blocks at any depth, with their fence lines. The tree lacks the
// closing fence: it is the line after the content, if it looks like one. If that line opens the
// next fence instead, after the end of a quote, it is listed again with that fence.
func (r *reader) fences(root ast.Node) []section {
	var found []section
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering && n.Kind() == ast.KindFencedCodeBlock {
			start := r.line(n.Pos())
			end := start
			if c := n.Lines(); c.Len() > 0 {
				end = r.line(c.At(c.Len() - 1).Start)
			}
			found = append(found, section{start: start, end: end})
		}
		return ast.WalkContinue, nil
	})
	for i, f := range found {
		if f.end >= len(r.starts) {
			continue
		}
		sign := cmp.Or(fenceMark().FindString(r.lineText(f.start)), "~")[:1]
		next := strings.TrimRight(strings.TrimLeft(r.lineText(f.end+1), " \t>"), " \t")
		if len(next) >= 3 && strings.Trim(next, sign) == "" {
			found[i].end++
		}
	}
	return found
}

var fenceMark = lazyregexp.New("```|~~~")

// sections lists the sections with text under a signal heading. Only headings of the document
// itself count, not those in quotes or lists. A section reaches to the next heading of the same or
// a higher level and includes the signal headings within it.
func (r *reader) sections(root ast.Node) []section {
	var found []section
	open, level, hasText := false, 0, false
	end := func(line int) {
		switch {
		case !open:
		case hasText:
			found[len(found)-1].end = line
		default:
			found = found[:len(found)-1]
		}
		open = false
	}
	for n := root.FirstChild(); n != nil; n = n.NextSibling() {
		h, ok := n.(*ast.Heading)
		if !ok {
			hasText = hasText || open && r.saysSomething(n)
			continue
		}
		start := r.line(h.Pos())
		if open && h.Level <= level {
			end(start - 1)
		}
		if title := r.headingText(h); !open && isSignal(title) {
			open, level, hasText = true, h.Level, false
			found = append(found, section{start: start, heading: title})
		}
	}
	end(len(r.starts))
	return found
}

// headingText returns the source of a heading as one line.
func (r *reader) headingText(h *ast.Heading) string {
	var b strings.Builder
	for i := 0; i < h.Lines().Len(); i++ {
		line := h.Lines().At(i)
		b.Write(line.Value(r.src))
		b.WriteByte(' ')
		if b.Len() > maxHeading {
			break
		}
	}
	title := strings.Join(strings.Fields(strings.ToValidUTF8(b.String(), "\uFFFD")), " ")
	if len(title) > maxHeading {
		title = strings.ToValidUTF8(title[:maxHeading], "")
	}
	return title
}

// saysSomething reports whether a block has words. HTML comments and template placeholders have
// none, and a fence is code.
func (r *reader) saysSomething(n ast.Node) bool {
	says := false
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch {
		case !entering:
			return ast.WalkContinue, nil
		case n.Kind() == ast.KindFencedCodeBlock, n.Kind() == ast.KindHeading:
			return ast.WalkSkipChildren, nil
		case n.Type() == ast.TypeBlock && n.Lines().Len() > 0:
			lines := n.Lines()
			own := string(r.src[lines.At(0).Start:lines.At(lines.Len()-1).Stop])
			if says = !isPlaceholder(comments().ReplaceAllString(own, "")); says {
				return ast.WalkStop, nil
			}
		}
		return ast.WalkContinue, nil
	})
	return says
}

// comments matches HTML comments. An open one reaches to the end.
var comments = lazyregexp.New(`(?s)<!--.*?(?:-->|$)`)

// isPlaceholder reports whether a text is a template's text for a section that the author did not
// fill in.
func isPlaceholder(s string) bool {
	s = strings.ToLower(strings.Trim(s, " \t\r\n_*.-"))
	switch s {
	case "", "[ ]", "n/a", "na", "none", "tbd", "todo", "no response", "not applicable", "...", "…":
		return true
	}
	return false
}
