package terminal

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/rivo/uniseg"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/report"
)

// style is an ANSI attribute. Four of them are too few for a styling library, and the one at hand
// asks the environment about the terminal.
type style string

const (
	plain  style = ""
	bold   style = "1"
	dim    style = "2"
	red    style = "1;31"
	yellow style = "33"
	cyan   style = "36"
)

// page is text built line by line.
type page struct {
	out      strings.Builder
	width    int
	color    bool
	verbose  bool
	newest   bool // see Options
	in       string
	recorded bool
}

func newPage(opt Options) *page {
	return &page{width: max(cmp.Or(opt.Width, 80), 40), color: opt.Color, verbose: opt.Verbose, newest: opt.Newest, in: opt.In, recorded: opt.Recorded}
}

// line writes one line in one style. A break can move harmless text to the start of a line, so
// every line is sanitized once more.
func (p *page) line(s style, text string) {
	text = strings.TrimRight(comment.Terminal(text), " ")
	if p.color && s != plain && text != "" {
		text = "\x1b[" + string(s) + "m" + text + "\x1b[0m"
	}
	p.out.WriteString(text)
	p.out.WriteByte('\n')
}

func (p *page) blank() { p.out.WriteByte('\n') }

// paragraph writes text broken at the width: the first line after first, the
// others after rest.
func (p *page) paragraph(s style, first, rest, text string) {
	for _, line := range strings.Split(text, "\n") {
		current, gap := first, ""
		for _, word := range strings.Split(line, " ") {
			if gap != "" && uniseg.StringWidth(current)+1+uniseg.StringWidth(word) > p.width {
				p.line(s, current)
				current, gap = rest, ""
			}
			current += gap + word
			gap = " "
		}
		p.line(s, current)
		first = rest
	}
}

// Paragraph is text broken at a width, the lines after the first one below its text.
func Paragraph(width int, first, text string) string {
	p := newPage(Options{Width: width})
	p.paragraph(plain, first, strings.Repeat(" ", uniseg.StringWidth(first)), text)
	return p.out.String()
}

// say writes a paragraph of a text, nothing of none.
func (p *page) say(s style, indent, text string) {
	if text != "" {
		p.paragraph(s, indent, indent, text)
	}
}

// section writes a heading and a list of entries, if there are any.
func (p *page) section(title string, entries []string) {
	if len(entries) == 0 {
		return
	}
	p.blank()
	p.line(bold, title)
	p.entries("  ", entries)
}

// entries writes as many entries as a list may have.
func (p *page) entries(indent string, entries []string) {
	for _, entry := range entries[:min(len(entries), report.MaxListed)] {
		p.paragraph(plain, indent, indent+"  ", entry)
	}
	more := len(entries) - report.MaxListed
	p.left(more, fmt.Sprintf("%sand %d more", indent, more))
}

// left counts the hidden entries of a list, if there are any.
func (p *page) left(n int, text string) {
	if n > 0 {
		p.line(plain, text)
	}
}
