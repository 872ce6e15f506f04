package terminal

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rivo/uniseg"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/report"
)

const (
	maxWhole = 5  // findings shown whole without --verbose
	maxShown = 25 // findings shown at all, likewise
	maxQuote = 5  // quoted lines of a finding, likewise
	maxBody  = 4  // lines of its text and of its fix, likewise
	maxSaid  = 240
	maxWidth = 200 // characters of a line of code
)

// findings has the confirmed findings, the most severe first, and then the others.
func (p *page) findings(e report.Envelope) {
	confirmed := report.Agreed(e)
	all := append(confirmed, e.Unresolved...)
	whole, shown := maxWhole, maxShown
	if p.verbose {
		whole, shown = len(all), len(all)
	}
	for i, f := range all[:min(len(all), shown)] {
		if i <= whole {
			p.blank()
		}
		switch {
		case i >= whole:
			p.head(f)
		case i < len(confirmed):
			p.confirmed(f)
		default:
			p.disputed(f)
		}
	}
	more := len(all) - shown
	p.left(more, "and "+report.Count(more, "more finding"))
}

// standing says whether an unconfirmed finding is disputed, and who accepted a finding.
func standing(f report.Finding) string {
	says := "not confirmed"
	switch {
	case f.Bucket == debate.Agreed:
		says = ""
	case report.Contradicted(f):
		says = "disputed"
	}
	return strings.Join(report.Present(says, report.Accepted(f)), ", ")
}

// head is the first line of a finding.
func (p *page) head(f report.Finding) {
	first := report.OneLine(string(f.Severity)) + "  " + report.Place(f) + "  "
	p.paragraph(severityStyle(f.Severity), first, "    ", strings.TrimSpace(report.OneLine(f.ID)+"  "+report.OneLine(f.Title))+report.Wrapped(" (", standing(f), ")"))
}

// confirmed is a confirmed finding: its lines, the defect, and its finders.
func (p *page) confirmed(f report.Finding) {
	p.head(f)
	p.quote(f)
	p.body(f)
	p.proofs(f)
	p.paragraph(dim, "    ", "    ", report.StandsBehind(f))
	if p.verbose {
		p.entries("    ", report.Conversation(f))
	}
}

// disputed is an unconfirmed finding with the words of each side and what would settle it.
func (p *page) disputed(f report.Finding) {
	p.head(f)
	p.quote(f)
	p.proofs(f)
	sides := report.Sides(f)
	if p.verbose {
		p.body(f)
		p.entries("    ", report.Conversation(f))
		sides = nil
	}
	for i, s := range sides {
		if slices.Index(sides, s) < i { // said twice in the same words
			continue
		}
		p.paragraph(plain, "    "+report.OneLine(s.Who)+": ", "      ", report.ClipLine(s.Says, maxSaid))
	}
	if len(sides) < 2 {
		p.say(dim, "    ", report.Wrapped("It is open because ", report.OneLine(report.BecauseOf(f)), "."))
	}
	if !p.verbose { // else the text ends with it
		p.fix(f)
	}
	p.say(bold, "    ", report.Wrapped("To settle it: ", report.OneLine(report.Crux(f)), ""))
	if p.verbose {
		p.paragraph(dim, "    ", "    ", report.StandsBehind(f))
	}
}

// body is the text of a finding and its fix. Without --verbose the text has a few lines.
func (p *page) body(f report.Finding) {
	text := report.BoundedText(f.Body, report.MaxBody)
	if p.verbose {
		p.say(plain, "    ", text)
		p.fix(f)
		return
	}
	whole := newPage(Options{Width: p.width})
	whole.say(plain, "    ", text)
	lines := lists.Keep(strings.SplitAfter(whole.out.String(), "\n"), func(line string) bool { return strings.TrimSpace(line) != "" })
	if len(lines) > maxBody {
		lines = lines[:maxBody]
		last := strings.TrimRight(lines[maxBody-1], " .,;:…\n")
		if at := strings.LastIndex(last, " "); uniseg.StringWidth(last)+2 > p.width && strings.TrimSpace(last[:max(at, 0)]) != "" {
			last = last[:at]
		}
		lines[maxBody-1] = comment.Clip(last, p.width-2) + " …\n"
	}
	p.out.WriteString(strings.Join(lines, ""))
	p.fix(f)
}

// fix is the text that a model suggests in place of the cited lines.
func (p *page) fix(f report.Finding) {
	most := maxBody
	if p.verbose {
		most = report.MaxQuoteLines
	}
	switch text := strings.Trim(f.Suggestion, "\n"); {
	case strings.TrimSpace(text) == "":
	case strings.Contains(text, "\n"):
		p.line(plain, "    fix:")
		p.code(quoted(text, most, report.MaxQuoteWidth, 0))
	default:
		p.paragraph(plain, "    fix: ", "         ", comment.Clip(strings.TrimSpace(text), report.MaxQuoteWidth))
	}
}

// proofs has the results of the tests of a finding and, with --verbose, the tests.
func (p *page) proofs(f report.Finding) {
	for _, one := range report.Proofs(f) {
		p.paragraph(bold, "    ", "    ", one.Says())
		if p.verbose {
			p.test(one)
		}
	}
}

// test is a test as a file to copy, how it was run, and the last lines of its output.
func (p *page) test(one report.Proof) {
	p.line(plain, "    "+report.OneLine(one.Path)+":")
	p.code(quoted(one.Content, report.MaxQuoteLines, report.MaxQuoteWidth, 0))
	p.line(plain, "    "+one.Ran())
	p.code(quoted(one.Output, report.MaxQuoteLines, report.MaxQuoteWidth, 0))
}

// quote has the lines of the change around a finding if the record has them, else its citation.
func (p *page) quote(f report.Finding) {
	most := maxQuote
	if p.verbose {
		most = report.MaxListed
	}
	lines := p.around(f, most)
	switch {
	case len(lines) > 0:
		p.code(lines)
	case f.Quote != "" && f.Misquoted:
		p.paragraph(dim, "    ", "    ", report.Unfound+".")
	default:
		p.code(quoted(f.Quote, most, report.MaxTitle, f.Line))
	}
}

// around has the lines of a finding and, if there is room, the one before.
func (p *page) around(f report.Finding, most int) []report.CodeLine {
	lines := f.Around
	if !p.verbose {
		first := slices.IndexFunc(lines, func(l report.CodeLine) bool { return l.Hit })
		if first < 0 {
			return nil
		}
		lines = lines[max(0, first-1):]
		for !lines[len(lines)-1].Hit { // it ends at the first one at the latest
			lines = lines[:len(lines)-1]
		}
	}
	if more := len(lines) - most; more > 0 {
		lines = append(slices.Clone(lines[:most]), report.CodeLine{Text: fmt.Sprintf("… and %s", report.Count(more, "more line"))})
	}
	return lines
}

// quoted are the lines of a quotation, bounded, with their numbers from first on; 0: they
// have none.
func quoted(text string, most, width, first int) []report.CodeLine {
	var out []report.CodeLine
	shown, more := report.BoundedLines(text, most, width)
	for i, line := range shown {
		l := report.CodeLine{Text: line}
		if first > 0 {
			l.Number = first + i
		}
		out = append(out, l)
	}
	if more != "" {
		out = append(out, report.CodeLine{Text: more})
	}
	return out
}

// code is lines of code without their common indent.
func (p *page) code(lines []report.CodeLine) {
	lines = slices.Clone(lines)
	var indents []int
	for i := range lines {
		l := &lines[i]
		l.Text = strings.ReplaceAll(l.Text, "\t", "    ")
		if l.Number > 0 && strings.TrimSpace(l.Text) != "" {
			indents = append(indents, len(l.Text)-len(strings.TrimLeft(l.Text, " ")))
		}
	}
	indent := 0
	if len(indents) > 0 {
		indent = slices.Min(indents)
	}
	for _, l := range lines {
		number := ""
		if l.Number > 0 {
			number = fmt.Sprint(l.Number)
			l.Text = l.Text[min(len(l.Text), indent):]
		}
		p.line(dim, fmt.Sprintf("    %5s %1s %s", number, l.Mark, comment.Clip(l.Text, maxWidth)))
	}
}
