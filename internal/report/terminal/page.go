package terminal

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/rivo/uniseg"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/lists"
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

// Options says how to show the report. The caller finds out whether there is a terminal, and its
// abilities.
type Options struct {
	Width    int    // columns; 0 is 80, and below 40 is 40
	Color    bool   // ANSI colours
	Verbose  bool   // everything, even if it does not fit on a screen
	Newest   bool   // commands find the review without its record, in the directory In
	In       string // "" for the one in which a person is
	Recorded bool   // the replies are recorded: their cost and time mean nothing
}

// page is text built line by line.
type page struct {
	out strings.Builder
	Options
}

func newPage(opt Options) *page {
	opt.Width = max(cmp.Or(opt.Width, 80), 40)
	return &page{Options: opt}
}

// line writes one line in one style. A break can move harmless text to the start of a line, so
// every line is sanitized once more.
func (p *page) line(s style, text string) {
	text = strings.TrimRight(comment.Terminal(text), " ")
	if p.Color && s != plain && text != "" {
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
			if gap != "" && uniseg.StringWidth(current)+1+uniseg.StringWidth(word) > p.Width {
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

// entries writes at most so many entries of a list, each after first, and how many more there are.
func (p *page) entries(first, rest string, most int, entries []string) {
	for _, entry := range lists.First(entries, most) {
		p.paragraph(plain, first, rest, entry)
	}
	if more := len(entries) - most; more > 0 {
		indent := first[:len(first)-len(strings.TrimLeft(first, " "))]
		p.line(plain, fmt.Sprintf("%sand %d more", indent, more))
	}
}

// columns writes names and texts in two columns.
func (p *page) columns(indent string, names, texts []string) {
	wide := 0
	for _, name := range names {
		wide = max(wide, uniseg.StringWidth(name))
	}
	wide = min(wide, 20)
	for i, name := range names {
		gap := strings.Repeat(" ", max(0, wide-uniseg.StringWidth(name))+2)
		p.paragraph(plain, indent+name+gap, indent+strings.Repeat(" ", wide+2), texts[i])
	}
}
